"""`basra-sim shuffle test`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from .shuffle_options import format_option, map_option, print_json, print_lines, size_option


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
@size_option
@format_option
@map_option
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
    from basra_sim.shuffles.verdict.shuffle_test import Request, run

    report = run(Request(command=_command_line(), **options))
    if out is not None:
        from basra_sim.shuffles.verdict.report_folder import write_report

        write_report(report, out)
    if as_json:
        print_json(report.to_dict())
    else:
        from basra_sim.cli.console import console
        from basra_sim.shuffles.verdict.terminal_report import show

        show(report, console(), brief=brief)
        if out is not None:
            print_lines("", f"Written to {out}: report.html, tests.csv, places.csv, report.json and pictures")
    ctx.exit(report.outcome.exit_code)


test.__test__ = False  # type: ignore[attr-defined]  # pytest must not collect it


def _command_line() -> str:
    import shlex

    return "basra-sim " + " ".join(shlex.quote(word) for word in sys.argv[1:])
