"""`basra-sim ratings`: the field of a run as a whole: ratings, superiority, circles."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from basra_sim.cli.console import console, make_streams_safe
from basra_sim.cli.shared_options import form_option, quiet_option
from basra_sim.cli.waiting import Waiting
from basra_sim.errors import BadInput

# the library is imported when a verb is called: --help is click alone


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--nash", is_flag=True, help="Also the Nash average and alpha-rank, for fields with circles.")
@form_option("table", "json", "csv")
@quiet_option
def ratings(folder: Path, nash: bool, form: str, quiet: bool) -> None:
    """Rate the field of the run in FOLDER: Bradley-Terry in Elo, and the likelihood that the row is above the column.

    Where strategies beat each other in a circle a rating says little; --nash shows what is left then.
    """
    make_streams_safe()
    with Waiting("reading", quiet):
        from basra_sim.analysis.tables.field_ratings import circles, ratings_csv
        from basra_sim.analysis.tables.summary import summarize
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
        click.echo(ratings_csv(found), nl=False)
    else:
        from basra_sim.analysis.text.rating_text import print_ratings

        print_ratings(found, console())
