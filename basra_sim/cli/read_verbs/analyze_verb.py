"""`basra-sim analyze`: where the results of a run come from. Reads options, calls the library, prints."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from basra_sim.cli.console import console, make_streams_safe
from basra_sim.cli.shared_options import form_option, out_form, quiet_option
from basra_sim.cli.waiting import Waiting
from basra_sim.errors import BadInput

# the library is imported when a verb is called: --help is click alone


@click.command()
@click.argument("run", type=click.Path(path_type=Path))
@click.option("--by", default=None, metavar="GROUP,GROUP",
              help="Group freely: strategy, opponent, match, role, deal, ply - or with floor, card.")
@click.option("--measure", default="basras", show_default=True, metavar="WHAT",
              help="With --by: basras, plain-basras, komi-basras, jack-basras, captures, sweeps, lays, rounds-won, games-won, "
              "majority, points, cards.")
@click.option("--table", "only", multiple=True, metavar="NAME", help="Only this table, whole; may be repeated.")
@form_option("table", "csv", "json")
@click.option("--out", "-o", metavar="FILE", default=None,
              help="Also write them to FILE: a page (.html), or all numbers (.csv, .json).")
@quiet_option
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
    from basra_sim.records.run_folder import read_run

    make_streams_safe()
    kind = None if out is None else out_form(out, ("html", "csv", "json"))
    if by is None and ctx.get_parameter_source("measure") == click.core.ParameterSource.COMMANDLINE:
        raise BadInput("--measure goes with --by; say how to group, such as --by strategy,role")
    if by is not None and only:
        raise BadInput("--by makes a table of its own, so --table does not go with it")
    with Waiting("reading", quiet) as waiting:
        totals = read_run(run)
        tables, missing = _tables(totals, run, waiting, only) if by is None else ([_grouped(totals, by, measure)], [])
    if out is not None:
        with Waiting("drawing", quiet):
            _write(Path(out), str(kind), totals, tables, missing, run)
    if form == "table":
        from basra_sim.analysis.text.breakdown_tables import print_analysis

        print_analysis(totals, tables, missing, console(), whole=bool(only) or by is not None)
    else:
        click.echo(_text(form, totals, tables, missing), nl=False)


def _grouped(totals: Any, by: str, measure: str) -> Any:
    from basra_sim.analysis.tables.chosen_groups import group

    return group(totals, [name.strip() for name in by.split(",") if name.strip()], measure)


def _tables(totals: Any, folder: Path, waiting: Waiting, only: tuple[str, ...]) -> tuple[list[Any], list[str]]:
    """Every table and what cannot be told, or the tables that are named."""
    from basra_sim.report.run_tables import chosen, run_tables

    tables, missing = run_tables(totals, folder, progress=lambda done, of: waiting(done, of, "reading rounds"))
    return (chosen(tables, only), []) if only else (tables, missing)


def _text(form: str, totals: Any, tables: list[Any], missing: list[str]) -> str:
    from basra_sim.analysis.tables.breakdown import to_csv, to_json

    return to_json(totals, tables, missing) if form == "json" else to_csv(tables)


def _write(path: Path, kind: str, totals: Any, tables: list[Any], missing: list[str], run: Path) -> None:
    from basra_sim.records.disk import write_bytes

    if kind == "html":
        from basra_sim.report.analysis_page import analysis_html

        text = analysis_html(totals, tables, missing, run)
    else:
        text = _text(kind, totals, tables, missing)
    write_bytes(path, text.encode("utf-8"))
