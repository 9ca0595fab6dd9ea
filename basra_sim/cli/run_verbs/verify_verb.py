"""`basra-sim verify`: whether a run folder is what it says."""

from __future__ import annotations

import os
from pathlib import Path

import click

from basra_sim.cli.shared_options import form_option, silent_option
from basra_sim.errors import FAILED

from .games_bar import Bar

# the library is imported when a verb is called: --help is click alone


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--all", "whole", is_flag=True, help="Replay every game, not a sample.")
@click.option("--seconds", type=click.FloatRange(min=0), default=20.0, show_default=True, help="How long to replay a sample.")
@click.option("-s", "--seed", type=int, default=None, help="Seed of the choice of the sample; without it another each time.")
@form_option("table", "json")
@silent_option
def verify(folder: Path, whole: bool, seconds: float, seed: int | None, form: str, quiet: bool) -> int:
    """Recompute the tables of the run in FOLDER from its counters, check its digests, and replay a sample of its games.

    Exit code 0 if everything agrees, 1 if anything does not. A run whose strategies, rules or program have changed since
    cannot be replayed, and is refused with the reason.
    """
    from basra_sim.records.disk import json_text
    from basra_sim.runs.verifying import verify as check

    with Bar(quiet) as bar:
        found = check(
            folder, seconds=seconds, whole=whole, seed=seed, jobs=os.cpu_count() or 1, progress=bar.progress, on_plan=bar.plan
        )
    if form == "json":
        data = {"folder": str(folder), "agrees": not found.wrong, "checked": found.checked, "wrong": found.wrong,
                "games": found.games, "replayed": found.replayed}  # fmt: skip
        click.echo(json_text(data), nl=False)
    else:
        for line in found.checked:
            click.echo(f"ok     {line}")
        for line in found.wrong:
            click.echo(f"WRONG  {line}")
        click.echo(f"{folder}: " + ("everything checked agrees" if not found.wrong else "this is not what the run says"))
    return FAILED if found.wrong else 0
