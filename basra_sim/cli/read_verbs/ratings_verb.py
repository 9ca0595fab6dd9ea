"""`basra-sim ratings`: the field of a run as a whole: ratings, superiority, circles."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--nash", is_flag=True, help="Also the Nash average and alpha-rank, for fields with circles.")
@click.option("--format", "form", type=click.Choice(["table", "json", "csv"]), default="table", show_default=True,
              help="What is printed.")
@click.option("-q", "--quiet", is_flag=True, help="No progress bar.")
def ratings(folder: Path, nash: bool, form: str, quiet: bool) -> None:
    """Rate the field of the run in FOLDER: Bradley-Terry in Elo, and the likelihood that the row is above the column.

    Where strategies beat each other in a circle a rating says little; --nash shows what is left then.
    """
    from basra_sim.cli.console import make_streams_safe
    from basra_sim.cli.waiting import Waiting

    make_streams_safe()
    with Waiting("reading", quiet):
        from basra_sim.analysis.tables.field_ratings import circles
        from basra_sim.analysis.tables.summary import summarize
        from basra_sim.errors import BadInput
        from basra_sim.records.disk import json_text
        from basra_sim.records.run_folder import read_run

        summary = summarize(read_run(folder))
    found: dict[str, Any] = {"folder": str(folder), **summary["ratings"]}
    if found["problem"]:
        raise BadInput(f"no ratings of {folder}: {found['problem']}")
    if nash:
        try:
            found["circles"] = circles([row["strategy"] for row in found["rows"]], summary["matches"])
        except ValueError as error:
            raise BadInput(f"no Nash average of {folder}: {error}; it needs a round robin") from None
    if form == "json":
        click.echo(json_text(found), nl=False)
    elif form == "csv":
        _csv(found)
    else:
        _print(found)


def _csv(found: dict[str, Any]) -> None:
    import csv
    import sys

    from basra_sim.analysis.tables.csv_text import cell

    extra = {row["strategy"]: row for row in found.get("circles", [])}
    writer = csv.writer(sys.stdout, lineterminator="\n")
    heads = ["strategy", "elo", "elo_low", "elo_high", "above_next"]
    more = ["nash", "value", "alpha_rank"] if extra else []
    writer.writerow([*heads, *more, *(f"above {row['strategy']}" for row in found["rows"])])
    for row, above in zip(found["rows"], found["superiority"], strict=True):
        own = extra.get(row["strategy"], {})
        writer.writerow([cell(x) for x in (*(row[h] for h in heads), *(own[h] for h in more), *above)])


def _print(found: dict[str, Any]) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    from basra_sim.analysis.statistics.intervals import Estimate
    from basra_sim.analysis.text.number_words import number, probability, span
    from basra_sim.cli.console import console

    out = console()

    def table(title: str, *columns: str) -> Table:
        out.print(title, style="bold")
        made = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False, header_style="bold")
        for index, name in enumerate(columns):
            made.add_column(name, justify="right" if index != 1 else "left", overflow="fold")
        return made

    shown = table("Elo of the field (Bradley-Terry; 0 is the mean)", "#", "strategy", "Elo", "95 % interval")
    for index, row in enumerate(found["rows"]):
        e = Estimate(row["elo"], row["elo_low"], row["elo_high"])
        shown.add_row(str(index + 1), row["strategy"], number(e, True, 0), span(e, True).strip("()"))
    out.print(shown)
    heads = [str(i + 1) for i in range(len(found["rows"]))]
    shown = table("\nLikelihood that the row is stronger than the column, by these ratings", "#", "strategy", *heads)
    for index, (row, above) in enumerate(zip(found["rows"], found["superiority"], strict=True)):
        cells = ["-" if i == index else probability(p).removesuffix(" %") for i, p in enumerate(above)]
        shown.add_row(str(index + 1), row["strategy"], *cells)
    out.print(shown)
    out.print("In %. Intervals and likelihoods by resampling pair indices in all matches at once.")
    if "circles" in found:
        shown = table("\nWhere there may be circles", "#", "strategy", "Nash weight %", "log odds against it", "alpha-rank %")
        for index, row in enumerate(found["circles"]):
            share = (f"{100 * row[key]:.1f}" for key in ("nash", "alpha_rank"))
            one, other = share
            shown.add_row(str(index + 1), row["strategy"], one, f"{row['value'] + 0.0:+.3f}", other)
        out.print(shown)
        out.print(
            "Nash weight: the mix of strategies that none beats on average, most even where there are several. One strategy "
            "with all the weight: it beats or equals every other. No interval is given for these."
        )
