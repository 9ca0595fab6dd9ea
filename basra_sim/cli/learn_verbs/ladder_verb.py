"""`basra-sim ladder`: every shipped strategy measured, in one table."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from basra_sim.cli.console import console, echo, make_streams_safe
from basra_sim.cli.shared_options import form_option, out_form, rules_option, set_option

if TYPE_CHECKING:
    from basra_sim.workshop.ladder import Ladder

# the library is imported when a verb is called: --help is click alone


@click.command()
@click.argument("strategies", nargs=-1)
@click.option("--full", is_flag=True, help="20,000 pairs of rounds a fast rung and 2,000 a search, instead of 2,000 and 100.")
@rules_option
@set_option
@click.option("--seed", "-s", type=int, default=1, show_default=True, help="Seed of the packs.")
@click.option("--cheats", is_flag=True, help="Also the strategies that cheat, as the ceiling.")
@click.option("--jobs", "-j", type=int, default=None, help="Workers; default: the cores of this machine.")
@click.option("--out", "-o", metavar="FILE", default=None,
              help="Also write a page (.html), or the figures with rules, seed and version (.json, .csv, .md).")
@form_option("table", "markdown", "json", "csv")
@click.option("--quiet", "-q", is_flag=True, help="Do not say what is being played.")
def ladder(
    strategies: tuple[str, ...], full: bool, rules: str, set_: tuple[str, ...], seed: int, cheats: bool, jobs: int | None,
    out: str | None, form: str, quiet: bool,
) -> None:  # fmt: skip
    """Measure all shipped STRATEGIES (or those named) against greedy and against the rung below.

    Columns: share of rounds won against greedy (draws half) with a 95 % interval over pairs, Elo and points a round from
    the same rounds; share of games won against greedy; shares of rounds and of games against the rung below; points that a
    last-deal decision loses against exact play; points a round of the leader over the dealer; processor time a decision; how many
    times fewer rounds playing in pairs needs. Single-round figures do not depend on the target score.
    """
    from basra_sim.workshop.ladder import measure

    make_streams_safe()
    kind = None if out is None else out_form(out, ("html", "json", "csv", "md"))

    def tell(text: str) -> None:
        if not quiet:
            echo(text, err=True)

    found = measure(
        size="full" if full else "quick", rules=rules, set_=set_, seed=seed, cheats=cheats, names=strategies,
        jobs=jobs or os.cpu_count() or 1, tell=tell,
    )  # fmt: skip
    if out is not None:
        _write(found, Path(out), str(kind))
    if form == "table":
        _print(found)
    else:
        echo(_text(found, form), nl=False)


def _text(ladder: Ladder, kind: str) -> str:
    """The ladder as it stands in a file."""
    if kind == "html":
        from basra_sim.report.ladder_page import ladder_html

        return ladder_html(ladder)
    from basra_sim.workshop.ladder import to_csv, to_json, to_markdown

    return {"json": to_json, "csv": to_csv, "md": to_markdown, "markdown": to_markdown}[kind](ladder)


def _write(ladder: Ladder, path: Path, kind: str) -> None:
    from basra_sim.records.disk import write_bytes

    write_bytes(path, _text(ladder, kind).encode("utf-8"))


def _print(ladder: Ladder) -> None:
    from rich.table import Table

    from basra_sim.workshop.ladder import HEADERS, rows

    table = Table(title=f"The ladder under {ladder.rules}, {ladder.size}, seed {ladder.seed}", title_justify="left")
    for column in HEADERS:
        table.add_column(column)
    for row in rows(ladder):
        table.add_row(*row)
    console(width=130).print(table)
