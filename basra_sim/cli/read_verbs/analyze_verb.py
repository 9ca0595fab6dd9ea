"""`basra-sim analyze`: where the results of a run come from. Reads options, calls the library, prints."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click


@click.command()
@click.argument("run", type=click.Path(path_type=Path))
@click.option("--by", default=None, metavar="GROUP,GROUP",
              help="Group freely: strategy, opponent, match, role, deal, ply - or with floor, card.")
@click.option("--measure", default="basras", show_default=True, metavar="WHAT",
              help="With --by: basras, plain-basras, komi-basras, jack-basras, captures, sweeps, lays, rounds-won, games-won, "
              "majority, points, cards.")
@click.option("--table", "only", multiple=True, metavar="NAME", help="Only this table, whole; may be repeated.")
@click.option("--format", "form", type=click.Choice(["table", "csv", "json"]), default="table", show_default=True,
              help="What is printed.")
@click.option("--out", "-o", metavar="FILE", default=None,
              help="Also write them to FILE: a page (.html), or all numbers (.csv, .json).")
@click.option("-q", "--quiet", is_flag=True, help="No progress bar.")
@click.pass_context
def analyze(
    ctx: click.Context, run: Path, by: str | None, measure: str, only: tuple[str, ...], form: str, out: str | None, quiet: bool
) -> None:
    """Say where the results of RUN (a run folder) come from: seats, points by source, basras, floors, margins, lengths.

    \b
    basra-sim analyze reports/RUN
    basra-sim analyze reports/RUN --by strategy,deal --measure captures
    basra-sim analyze reports/RUN --format csv > tables.csv
    basra-sim analyze reports/RUN --out tables.html

    Everything comes from the run's counters, whatever its size; what the opening floor is worth needs a run made with
    --records rounds.
    """
    from basra_sim.analysis.tables.breakdown import to_csv, to_json
    from basra_sim.cli.console import console, make_streams_safe, out_form
    from basra_sim.cli.waiting import Waiting
    from basra_sim.errors import BadInput
    from basra_sim.records.run_folder import read_run

    make_streams_safe()
    kind = None if out is None else out_form(out, ("html", "csv", "json"))
    if by is None and ctx.get_parameter_source("measure") == click.core.ParameterSource.COMMANDLINE:
        raise BadInput("--measure goes with --by; say how to group, such as --by strategy,role")
    if by is not None and only:
        raise BadInput("--by makes a table of its own, so --table does not go with it")
    missing: list[str] = []
    with Waiting("reading", quiet) as waiting:
        totals = read_run(run)
        if by is not None:
            from basra_sim.analysis.tables.chosen_groups import group

            tables = [group(totals, [name.strip() for name in by.split(",") if name.strip()], measure)]
        else:
            tables, missing = _all(totals, run, waiting)
        if only:
            tables, missing = _chosen(tables, only), []
    if out is not None:
        from basra_sim.records.disk import write_bytes

        if kind == "html":
            with Waiting("drawing", quiet):
                from basra_sim.report.analysis_page import analysis_html

                text = analysis_html(totals, tables, missing, run)
        else:
            text = to_json(totals, tables, missing) if kind == "json" else to_csv(tables)
        write_bytes(Path(out), text.encode("utf-8"))
    if form == "table":
        from basra_sim.analysis.text.breakdown_tables import print_analysis

        print_analysis(totals, tables, missing, console(), whole=bool(only) or by is not None)
    else:
        click.echo(to_json(totals, tables, missing) if form == "json" else to_csv(tables), nl=False)


def _chosen(tables: list[Any], only: tuple[str, ...]) -> list[Any]:
    from basra_sim.errors import BadInput, nearest

    known = [table.name for table in tables]
    for name in only:
        if name not in known:
            raise BadInput(f"--table {name}: {nearest(name, known) or 'the tables are ' + ', '.join(known)}")
    return [table for table in tables if table.name in only]


def _all(totals: Any, folder: Path, waiting: Callable[[int, int, str], None]) -> tuple[list[Any], list[str]]:
    """Every table; `waiting` hears of the rounds read."""
    from basra_sim.analysis.tables.breakdown import analyze as everything
    from basra_sim.analysis.tables.opening_floor import why_not

    deal = None
    if why_not(totals, folder) is None:
        from basra_sim.engine.redealt import floor_dealer  # only here: it takes the compiler along

        deal = floor_dealer(totals.seed, totals.rules)
    return everything(totals, folder, deal, progress=lambda done, of: waiting(done, of, "reading rounds"))
