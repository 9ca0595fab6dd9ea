"""`basra-sim compare`: what changed between two runs of one field."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click


@click.command()
@click.argument("run1", type=click.Path(path_type=Path))
@click.argument("run2", type=click.Path(path_type=Path))
@click.option("--format", "form", type=click.Choice(["table", "json", "csv"]), default="table", show_default=True,
              help="What is printed.")
@click.option("-q", "--quiet", is_flag=True, help="No progress bar.")
def compare(run1: Path, run2: Path, form: str, quiet: bool) -> None:
    """Say what changed from RUN1 to RUN2, two runs of the same field: say, before and after a change of a strategy.

    With the same seed and as many games, both runs have the same packs, and changes are taken pair by pair: far smaller ones
    show. A change is marked where it stands at 95 % together with all others so marked.
    """
    from basra_sim.cli.console import make_streams_safe
    from basra_sim.cli.waiting import Waiting

    make_streams_safe()
    with Waiting("reading", quiet):
        from basra_sim.analysis.tables.run_changes import COLUMNS
        from basra_sim.analysis.tables.run_changes import compare as compare_runs
        from basra_sim.errors import BadInput
        from basra_sim.records.disk import json_text
        from basra_sim.records.run_folder import read_run

        found = compare_runs(read_run(run1), read_run(run2))
    if not found["matches"]:
        raise BadInput(f"{run1} and {run2} have no match in common; name two runs of the same field, in the same order")
    if form == "json":
        click.echo(json_text(found), nl=False)
    elif form == "csv":
        import csv
        import sys

        from basra_sim.analysis.tables.csv_text import cell

        writer = csv.writer(sys.stdout, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows([cell(row[name]) for name in COLUMNS] for row in found["matches"])
    else:
        _print(found, run1, run2)


def _print(found: dict[str, Any], run1: Path, run2: Path) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    from basra_sim.analysis.statistics.intervals import Estimate
    from basra_sim.analysis.text.number_words import number, percent_half, span
    from basra_sim.cli.console import console

    out = console()
    out.print(f"From {run1} to {run2}", soft_wrap=True, style="bold")
    for line in found["changes"] or ["nothing that was asked differs"]:
        out.print(f"  {line}", soft_wrap=True)
    table = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False, header_style="bold")
    for index, name in enumerate(("match", "score\nbefore", "score\nafter", "change", "95 % interval", "points\na round")):
        table.add_column(name, justify="right" if index else "left", overflow="fold", vertical="top")
    for row in found["matches"]:
        if row["identical"]:
            score = f"{100 * row['score_before']:.1f}"
            table.add_row(row["match"], score, score, "none", "identical play", "none")
            continue
        change = Estimate(*(row[f"score_change{end}"] for end in ("", "_low", "_high")))
        points = Estimate(*(row[f"points_change{end}"] for end in ("", "_low", "_high")))
        scaled = Estimate(*(None if x is None else 100 * x for x in change))
        marks = ("*" if row["score_changed"] else "", "*" if row["points_changed"] else "")
        table.add_row(
            row["match"], f"{100 * row['score_before']:.1f}", f"{100 * row['score_after']:.1f}",
            number(scaled, True) + marks[0] if percent_half(change) != "n/a" else number(scaled, True),
            span(change, True, 100).strip("()"), number(points, True) + marks[1],
        )  # fmt: skip
    out.print(table)
    paired = all(row["paired"] for row in found["matches"])
    if paired:
        out.print("Scores of the first named in % of its games; changes pair by pair, on the same packs.", soft_wrap=True)
    else:
        why = found["why_not"] or "they have not as many games"
        out.print(f"Scores of the first named in % of its games. Independent runs, not the same packs: {why}.", soft_wrap=True)
    out.print("*: stands at 95 % together with all other changes so marked (Holm).", soft_wrap=True)
    if found["swapped"]:
        out.print(f"Not compared, since named the other way round: {', '.join(found['swapped'])}.", soft_wrap=True)
