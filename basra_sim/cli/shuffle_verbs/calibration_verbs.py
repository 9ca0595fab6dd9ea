"""`basra-sim shuffle samples|calibrate`."""

from __future__ import annotations

from pathlib import Path

import click

from .shuffle_options import print_lines


@click.command()
@click.option("--make", "folder", type=click.Path(file_okay=False, path_type=Path), help="Write all sample logs there.")
@click.option("--check", is_flag=True, help="Test every bundled log and compare with the verdict that must come out.")
@click.pass_context
def samples(ctx: click.Context, folder: Path | None, check: bool) -> None:
    """List the bundled logs of known public cases, make them again or test them all."""
    from basra_sim.shuffles.calibration import sample_logs as bundled

    if folder is not None:
        from basra_sim.cli.console import console

        paths = bundled.make(folder)
        console().print(f"{len(paths)} sample logs written to {folder}")
        return
    wrong = 0
    for sample in bundled.samples():
        if not check:
            print_lines(f"{sample.file}: {sample.case}", f"    expected: {sample.expect}; {sample.command}")
            continue
        as_expected, verdict, told = bundled.check(sample)
        wrong += not as_expected
        print_lines(f"{'ok   ' if as_expected else 'WRONG'} {sample.name}: {verdict}" + ("" if as_expected else f"; {told}"))
    if not check:
        print_lines("", f"The logs lie in {bundled.FOLDER}; run the commands there. --make DIR makes the logs again elsewhere.")
    ctx.exit(1 if wrong else 0)


@click.command()
@click.option("--minutes", default=15.0, show_default=True, type=click.FloatRange(0.05),
              help="About how long it may take, on one core; scales the number of logs.")
@click.option("--seed", default=1, show_default=True, type=click.IntRange(0), help="Same seed and sizes, same table.")
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="File for the Markdown table.")
def calibrate(minutes: float, seed: int, output: Path | None) -> None:
    """Re-make the tables of false alarms (on perfect logs) and power (against every flaw) of all tests.

    \b
    basra-sim shuffle calibrate -o docs/shuffle-calibration.md
    """
    from basra_sim.errors import BadInput
    from basra_sim.shuffles.calibration.alarms_and_power import markdown

    if output is not None and not output.parent.is_dir():  # said now, not after many minutes
        raise BadInput(f"cannot write {output}: there is no folder {output.parent}")
    text = markdown(minutes, seed, lambda line: click.echo(line, err=True))
    if output is None:
        click.echo(text)
    else:
        output.write_text(text + "\n", "utf-8")
        click.echo(f"written to {output}", err=True)
