"""`basra-sim shuffle compare|watch|calibrate|samples`."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from basra_sim.shuffles.lab.two_shuffles import Comparison

EXITS = {"found": 1, "weak": 0, "none found": 0, "too few decks": 3}
size_option = click.option("--deck-size", default=52, show_default=True, type=click.IntRange(2, 52), help="Cards in a deck.")
format_option = click.option("--format", "form", metavar="FORMAT", help="Force the format of a log.")
map_option = click.option("--map", "mapping", metavar="ORDER", help="How numbers become cards, such as CDHS-A2K.")
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


@click.command()
@click.argument("a")
@click.argument("b", required=False)
@click.option("--by", metavar="COLUMN", help="Split one log by a column, and look for a change along it.")
@size_option
@format_option
@map_option
@json_option
@click.pass_context
def compare(ctx: click.Context, a: str, b: str | None, by: str | None, as_json: bool, **options: Any) -> None:
    """Do two logs differ? Or the parts of one, and where does it change?

    \b
    basra-sim shuffle compare old.txt new.txt
    basra-sim shuffle compare games.csv --by version
    basra-sim shuffle compare games.txt

    A log may also be a built-in shuffle: algo:naive,1000 (1,000 decks). Nobody needs to be perfect here: the question
    is only whether both come from one law. Exit codes as for `shuffle test`: 1 means that they differ.
    """
    from basra_sim.shuffles.lab.comparing import compare_two, split_one

    if b is not None and by is not None:
        raise click.UsageError("give two logs, or one log with or without --by COLUMN")
    if b is not None:
        comparison = compare_two(a, b, **options)
        _show([comparison], None, as_json)
        ctx.exit(EXITS[comparison.verdict])
    parts, change = split_one(a, by, **options)
    _show(parts, change, as_json)
    verdicts = [part.verdict for part in parts] + ([change.verdict] if change else [])
    ctx.exit(1 if "found" in verdicts else 0)


def _show(comparisons: list[Comparison], change: Any, as_json: bool) -> None:
    if as_json:
        import json

        told: Any = [c.to_dict() for c in comparisons]
        click.echo(json.dumps({"comparisons": told, "change": vars(change) if change else None}, indent=2))
        return
    from rich.table import Table

    from basra_sim.cli.console import console
    from basra_sim.shuffles.lab.two_shuffles import CELLS
    from basra_sim.shuffles.verdict.terminal_text import say
    from basra_sim.shuffles.verdict.verdict_words import p_text

    out = console()
    if change is not None:
        say(out, change.sentence())
    elif not comparisons:
        say(out, "Too few decks to look for a change: it needs 40.")
    for comparison in comparisons:
        say(out, *([""] if change or comparison is not comparisons[0] else []), comparison.sentence())
        say(out, *(f"  {line}" for line in comparison.read), "")
        table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0))
        short = [name if len(name) <= 8 else word for name, word in zip(comparison.names, ("first", "second"), strict=True)]
        for name in ("statistic", *short, "difference [95 %]", "could see", "p", "Holm", ""):
            table.add_column(name, justify="left" if name == "statistic" else "right", no_wrap=True)
        for row in comparison.rows:
            cells = row.name in CELLS
            pair = ("", "") if cells else (f"{row.a:.4g}", f"{row.b:.4g}")
            gap = f"{100 * row.a:.2g} % (rms)" if cells else f"{row.low:+.2g} to {row.high:+.2g}"
            least = f"{100 * row.could_see:.2g} %" if cells else f"{row.could_see:.2g}"
            word = "" if row.verdict == "none found" else row.verdict
            table.add_row(row.name, *pair, gap, least, p_text(row.log10_p), p_text(row.log10_holm), word)
        out.print(table)
        say(out, "", "could see: the smallest difference that so many decks show with 80 % power over all statistics.")


@click.command()
@click.argument("source", default="-")
@click.option("--ref", "reference", default="new", show_default=True, metavar="new[:ORDER]|none", help="The start order.")
@click.option("--alpha", default=0.001, show_default=True, type=click.FloatRange(1e-12, 0.5),
              help="Chance of an alarm, over a whole stream, when the shuffle is perfect.")
@click.option("--stop", is_flag=True, help="Stop at the alarm.")
@click.option("--every", type=click.IntRange(1), help="Report every so many decks [at each doubling].")
@size_option
@format_option
@map_option
@click.pass_context
def watch(ctx: click.Context, source: str, reference: str, alpha: float, stop: bool, every: int | None, **options: Any) -> None:
    """Watch a stream of decks (-, or a file); the evidence may be looked at, and the watch stopped, at any time.

    \b
    myapp --deal | basra-sim shuffle watch -
    basra-sim shuffle gen riffle:7 -n 100 | basra-sim shuffle watch - --stop

    Evidence of 1000:1 comes in at most 1 of 1000 whole streams of a perfect shuffle, however often one looks. Exit
    code 1 when the alarm was passed, 0 when not.
    """
    from basra_sim.cli.console import console
    from basra_sim.shuffles.verdict.terminal_text import say
    from basra_sim.shuffles.watch.watching import watch_source

    if reference.startswith("prev"):
        raise click.UsageError("--ref prev is not needed: the deck before is always looked at; write new, new:ORDER or none")
    out = console()
    alarm = watch_source(source, reference, alpha, stop, every, partial(say, out), **options)
    ctx.exit(1 if alarm else 0)


@click.command()
@click.option("--make", "folder", type=click.Path(file_okay=False, path_type=Path), help="Write all sample logs there.")
@click.option("--check", is_flag=True, help="Test every bundled log and compare with the verdict that must come out.")
@click.pass_context
def samples(ctx: click.Context, folder: Path | None, check: bool) -> None:
    """List the bundled logs of known public cases, make them again or test them all."""
    from basra_sim.cli.console import console
    from basra_sim.shuffles.lab import samples as bundled
    from basra_sim.shuffles.verdict.terminal_text import say

    out = console()
    if folder is not None:
        paths = bundled.make(folder)
        out.print(f"{len(paths)} sample logs written to {folder}")
        return
    wrong = 0
    for sample in bundled.samples():
        if not check:
            say(out, f"{sample.file}: {sample.case}", f"    expected: {sample.expect}; {sample.command}")
            continue
        as_expected, verdict, told = bundled.check(sample)
        wrong += not as_expected
        say(out, f"{'ok   ' if as_expected else 'WRONG'} {sample.name}: {verdict}" + ("" if as_expected else f"; {told}"))
    if not check:
        say(out, "", f"The logs lie in {bundled.FOLDER}; run the commands there. --make DIR makes the logs again elsewhere.")
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
    from basra_sim.shuffles.lab.calibration import markdown

    if output is not None and not output.parent.is_dir():  # said now, not after many minutes
        raise BadInput(f"cannot write {output}: there is no folder {output.parent}")
    text = markdown(minutes, seed, lambda line: click.echo(line, err=True))
    if output is None:
        click.echo(text)
    else:
        output.write_text(text + "\n", "utf-8")
        click.echo(f"written to {output}", err=True)
