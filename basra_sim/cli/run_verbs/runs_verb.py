"""`basra-sim runs`: list run folders. Reads their JSON files only."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from basra_sim.cli.console import console, make_streams_safe
from basra_sim.cli.shared_options import form_option
from basra_sim.errors import BadInput

# the library is imported when a verb is called: --help is click alone


@click.command()
@click.argument("folder", default="reports", type=click.Path(path_type=Path))
@form_option("table", "json", "csv", help_text="How to print the list.")
def runs(folder: Path, form: str) -> None:
    """List the run folders in FOLDER (default: ./reports), by name.

    A run folder holds manifest.json; one that cannot be read is listed with the reason.
    """
    from basra_sim.records.disk import json_text
    from basra_sim.records.run_folder import list_runs

    make_streams_safe()
    if not folder.is_dir():
        if folder == Path("reports"):
            raise BadInput("there is no folder ./reports here yet; basra-sim run makes it, or name another: runs FOLDER")
        raise BadInput(f"{folder} is no folder; name one that holds run folders")
    rows = list_runs(folder)
    if form == "json":
        click.echo(json_text(rows), nl=False)
    elif form == "csv":
        click.echo(_csv(rows), nl=False)
    else:
        _print(rows, folder)


_FIELDS = ("folder", "finished", "strategies", "unit", "games", "rules_name", "seed", "complete", "digest", "problem")


def _csv(rows: list[dict[str, Any]]) -> str:
    from basra_sim.analysis.tables.csv_text import cell, csv_text

    told = ({**row, "strategies": " ".join(row.get("strategies") or [])} for row in rows)
    return csv_text(_FIELDS, ({name: cell(row.get(name)) for name in _FIELDS} for row in told))


def _print(rows: list[dict[str, Any]], folder: Path) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    out = console()
    if not rows:
        out.print(f"No runs in {folder} yet; basra-sim run makes one.")
        return
    table = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False, header_style="bold")
    for name in ("run", "played", "rules", "state", "digest"):
        table.add_column(name, overflow="fold", justify="right" if name == "played" else "left")
    problems = []
    for row in rows:
        name = Path(row["folder"]).name
        if row["problem"]:
            problems.append(row["problem"])
            table.add_row(name, "", "", "unreadable", "")
            continue
        unit = "games" if row["unit"] == "game" else "rounds"
        state = "complete" if row["complete"] else "stopped early" if not row["resumable"] else "unfinished"
        table.add_row(name, f"{row['games']:,} {unit}", row["rules_name"], state, str(row["digest"]).removeprefix("sha256:")[:12])
    out.print(table)
    for problem in problems:
        out.print(f"unreadable: {problem}", soft_wrap=True)
    unfinished = next((row for row in rows if not row["problem"] and row["resumable"]), None)
    if unfinished:
        out.print(f"To go on with an unfinished one: basra-sim resume {unfinished['folder']}", soft_wrap=True)
    one = next((row for row in rows if not row["problem"]), None)
    if one:
        out.print(f"\nAll tables of a run as JSON: {one['folder']}/summary.json, and likewise in the others.", soft_wrap=True)
