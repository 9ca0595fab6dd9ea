"""`basra-sim shuffle list|gen|test`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from basra_sim.shuffles.verdict.one_source import Request


@click.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def list_command(as_json: bool) -> None:
    """List the built-in shuffles, each with its known flaw.

    Parameters stand after a colon: riffle:7, overhand:20,0.2, lcg:borland,ms.
    """
    from basra_sim.shuffles.generators.built_in import SEED_POLICIES, algorithms

    if as_json:
        import json

        click.echo(json.dumps([vars(a) for a in algorithms().values()], indent=2))
        return
    from basra_sim.cli.console import console
    from basra_sim.shuffles.verdict.terminal_text import say

    out = console()
    for a in algorithms().values():
        unseen = "" if a.found or a.name in ("fisher-yates", "engine") else "; tests of decks alone seldom see it"
        say(out, a.usage, f"  {a.what}", f"  flaw: {a.flaw}{unseen}")
    say(out, "", "SEEDS", *(f"  {name}: {words}" for name, words in SEED_POLICIES.items()))


@click.command()
@click.argument("algo")
@click.option("-n", "--decks", default=1000, show_default=True, type=click.IntRange(1), help="How many decks.")
@click.option("--seed", default=0, show_default=True, type=click.IntRange(0), help="Same seed, same bytes.")
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="File to write (default: print).")
@click.option("--start", default="new", show_default=True, metavar="new|prev|ORDER", help="The order before each shuffle.")
@click.option("--deck-size", default=52, show_default=True, type=click.IntRange(2, 52), help="Cards in a deck.")
def gen(algo: str, decks: int, seed: int, output: Path | None, start: str, deck_size: int) -> None:
    """Print decks of a built-in shuffle, one a line, first card first.

    \b
    basra-sim shuffle gen naive -n 500 --seed 1 -o naive.txt
    basra-sim shuffle gen riffle:3 -n 300 --start prev | basra-sim shuffle test - --ref prev
    """
    from basra_sim.shuffles.generators.built_in import Generator
    from basra_sim.shuffles.sources.deck_text import write_decks

    generator = Generator(algo, seed, deck_size, start)
    stream: Any = _opened(output) if output else sys.stdout.buffer
    try:
        write_decks(generator.chunks(decks), stream)
        stream.flush()
    finally:
        if output:
            stream.close()


def _opened(path: Path) -> Any:
    """A file to write. Raises BadInput when that cannot be."""
    from basra_sim.errors import BadInput

    try:
        return path.open("wb")
    except OSError as error:
        raise BadInput(f"cannot write {path}: {error.strerror}") from error


@click.command()
@click.argument("source", required=False)
@click.option("--algo", metavar="SHUFFLE", help="Test a built-in shuffle (see `shuffle list`).")
@click.option("--cmd", "program", metavar="PROGRAM", help="Test a program that prints decks.")
@click.option("--py", "function", metavar="MODULE:FUNCTION", help="Test a Python function that shuffles a list.")
@click.option("-n", "--decks", type=click.IntRange(1), help="Decks to take [10,000 for --algo, --cmd and --py].")
@click.option("--seed", default=0, show_default=True, type=click.IntRange(0), help="Seed of --algo.")
@click.option("--start", metavar="new|prev|ORDER",
              help="Order before each shuffle [new]. Given with --cmd, the program is told it, a line a deck, on standard input.")
@click.option("--ref", "reference", default="new", show_default=True, metavar="new[:ORDER]|prev|none",
              help="The order that the tests compare with; a --start ORDER is taken over.")
@click.option("--profile", default="full", show_default=True, type=click.Choice(["quick", "full", "certifier"]),
              help="How many tests: the quick ones, all, or those that certifiers name.")
@click.option("--test", "only", multiple=True, metavar="NAME", help="Only these tests (may be given many times).")
@click.option("--deck-size", default=52, show_default=True, type=click.IntRange(2, 52), help="Cards in a deck.")
@click.option("--format", "form", metavar="FORMAT", help="Force the format of a log.")
@click.option("--map", "mapping", metavar="ORDER", help="How numbers become cards, such as CDHS-A2K.")
@click.option("--strict", is_flag=True, help="Stop at the first line that is no deck.")
@click.option("--confirm", metavar="FRESH", help="Fresh decks: re-run only what was flagged on them.")
@click.option("--compression", is_flag=True, help="Also a rough check by packing the decks (a second or two).")
@click.option("--alpha", default=0.001, show_default=True, type=click.FloatRange(1e-9, 0.5), help="Level of what could be seen.")
@click.option("--brief", is_flag=True, help="In the table, only what was flagged.")
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), metavar="DIR", help="Also write tables, plots and HTML.")
@click.option("--workers", default=2, show_default=True, type=click.IntRange(1, 64), help="Threads that count.")
@click.pass_context
def test(ctx: click.Context, as_json: bool, brief: bool, out: Path | None, **options: Any) -> None:
    """Test a deck log (a file or -), a program, a function, a built-in shuffle or the packs of a run folder.

    \b
    basra-sim shuffle test mydecks.txt
    basra-sim shuffle test --algo naive -n 450
    basra-sim shuffle test --cmd "node shuffle.js" -n 1000 --out report

    Exit codes: 0 nothing found (weak evidence included, said in words), 1 bias found, 2 bad input, 3 too few decks.
    """
    from basra_sim.shuffles.verdict.one_source import Request, run

    request: Request = Request(command=_command_line(), **options)
    report = run(request)
    if out is not None:
        from basra_sim.shuffles.verdict.report_files import write_report

        write_report(report, out)
    if as_json:
        import json

        click.echo(json.dumps(report.to_dict(), indent=2))
    else:
        from basra_sim.cli.console import console
        from basra_sim.shuffles.verdict.terminal_text import say, show

        terminal = console()
        show(report, terminal, brief=brief)
        if out is not None:
            say(terminal, "", f"Written to {out}: report.html, tests.csv, places.csv, report.json and pictures")
    ctx.exit(report.outcome.exit_code)


test.__test__ = False  # type: ignore[attr-defined]  # pytest must not collect it


def _command_line() -> str:
    import shlex

    return "basra-sim " + " ".join(shlex.quote(word) for word in sys.argv[1:])
