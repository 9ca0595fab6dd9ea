"""`basra-sim compare`: what changed between two runs of one field."""

from __future__ import annotations

from pathlib import Path

import click

from basra_sim.cli.console import console, make_streams_safe
from basra_sim.cli.shared_options import form_option, quiet_option
from basra_sim.cli.waiting import Waiting
from basra_sim.errors import BadInput

# the library is imported when a verb is called: --help is click alone


@click.command()
@click.argument("run1", type=click.Path(path_type=Path))
@click.argument("run2", type=click.Path(path_type=Path))
@form_option("table", "json", "csv")
@quiet_option
def compare(run1: Path, run2: Path, form: str, quiet: bool) -> None:
    """Say what changed from RUN1 to RUN2, two runs of the same field: say, before and after a change of a strategy.

    With the same seed and as many games, both runs have the same packs, and changes are taken pair by pair: far smaller ones
    show. A change is marked where it stands at 95 % together with all others so marked.
    """
    make_streams_safe()
    with Waiting("reading", quiet):
        from basra_sim.analysis.tables.run_changes import changes_csv
        from basra_sim.analysis.tables.run_changes import compare as compare_runs
        from basra_sim.records.disk import json_text
        from basra_sim.records.run_folder import read_run

        found = compare_runs(read_run(run1), read_run(run2))
    if not found["matches"]:
        raise BadInput(f"{run1} and {run2} have no match in common; name two runs of the same field, in the same order")
    if form == "json":
        click.echo(json_text(found), nl=False)
    elif form == "csv":
        click.echo(changes_csv(found), nl=False)
    else:
        from basra_sim.analysis.text.change_text import print_changes

        print_changes(found, str(run1), str(run2), console())
