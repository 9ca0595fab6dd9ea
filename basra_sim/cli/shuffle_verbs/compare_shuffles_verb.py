"""`basra-sim shuffle compare`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from .shuffle_options import EXITS, format_option, json_option, map_option, print_json, print_lines, size_option

if TYPE_CHECKING:
    from basra_sim.shuffles.comparisons.two_samples import Comparison


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
    from basra_sim.shuffles.comparisons.compared_logs import compare_two, split_one

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
        told: Any = [c.to_dict() for c in comparisons]
        print_json({"comparisons": told, "change": vars(change) if change else None})
        return
    if change is not None:
        print_lines(change.sentence())
    elif not comparisons:
        print_lines("Too few decks to look for a change: it needs 40.")
    for comparison in comparisons:
        print_lines(*([""] if change or comparison is not comparisons[0] else []), comparison.sentence())
        print_lines(*(f"  {line}" for line in comparison.read), "")
        _show_table(comparison)
        print_lines("", "could see: the smallest difference that so many decks show with 80 % power over all statistics.")


def _show_table(comparison: Comparison) -> None:
    """One line a statistic."""
    from rich.table import Table

    from basra_sim.cli.console import console
    from basra_sim.shuffles.comparisons.two_samples import CELLS
    from basra_sim.shuffles.verdict.verdict_words import p_text

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
    console().print(table)
