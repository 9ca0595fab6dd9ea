"""`basra-sim run`: compare strategies. Reads options, calls the library, prints."""

from __future__ import annotations

import contextlib
import os
from dataclasses import fields
from pathlib import Path
from typing import Any

import click

from basra_sim.cli.console import make_streams_safe
from basra_sim.cli.report_files import write_into
from basra_sim.cli.shared_options import (
    backend_option,
    folders_option,
    form_option,
    rules_option,
    scheduler_option,
    set_option,
    silent_option,
)
from basra_sim.errors import BadInput

from .games_bar import Bar
from .run_outcome import tell
from .settings_file import read_config

# the library is imported when a verb is called: --help is click alone


@click.command()
@click.argument("strategies", nargs=-1)
@click.option("-c", "--config", callback=read_config, is_eager=True, expose_value=False, metavar="FILE.toml",
              help="Settings file; options given here override it.")
@click.option("-n", "--games", type=int, default=10_000, show_default=True, help="Games per match (rounds with --unit round).")
@click.option("-s", "--seed", type=int, default=None, help="Seed of all packs and streams; without it one is drawn and shown.")
@rules_option
@set_option
@click.option("--unit", type=click.Choice(["game", "round"]), default="game", show_default=True,
              help="Play games to the target score, or single rounds.")
@click.option("--packs", metavar="FILE", default=None, help="Play these packs, one a line, each as one pair of rounds.")
@click.option("-j", "--jobs", type=int, default=None, help="Workers; default: the cores of this machine.")
@click.option("-o", "--out", metavar="DIR", default=None, help="Folder for the files; default: a new one under ./reports/.")
@form_option("table", "json", "csv")
@click.option("--records", type=click.Choice(["none", "rounds", "games"]), default="none", show_default=True,
              help="Also write every round or every game to a Parquet file.")
@click.option("--interpret", is_flag=True, help="Play all strategies as plain Python: slow, and with the same results.")
@folders_option
@click.option("--tournament", type=click.Choice(["round-robin", "gauntlet", "swiss", "knockout", "adaptive"]),
              default="round-robin", show_default=True,
              help="Who meets whom; gauntlet: the first strategy against each of the others.")
@click.option("--sprt", metavar="elo0=0,elo1=5", default=None,
              help="End each match when a sequential test of these Elo differences is decided; also alpha=.05,beta=.05.")
@backend_option
@scheduler_option
@click.option("--on-fault", type=click.Choice(["stop", "forfeit"]), default=None,
              help="A faulty play stops the run, or costs its strategy the game; default: stop with two strategies.")
@click.option("--play-timeout", type=float, default=10.0, show_default=True, metavar="SECONDS",
              help="CPU time for one play of a strategy that is not built in, where faults are forfeits.")
@click.option("--until", metavar="0.2%", default=None,
              help="End each match when the interval of its score is so narrow to each side; it may be watched.")
@click.option("--report", is_flag=True, help="Also write report.html into the folder: tables and plots for anybody.")
@silent_option
@click.pass_context
def run(ctx: click.Context, strategies: tuple[str, ...], **options: Any) -> int:
    """Play every pair of STRATEGIES against each other and say who is better, by how much and how sure that is.

    A strategy is a NAME (see basra-sim strategies list), a path to a FILE.py, or either with :key=value,key=value.
    Every match is played on game pairs: the same packs twice, with the seats swapped.
    """
    from basra_sim.runs.run_settings import Settings

    given = list(strategies) or list(ctx.meta.get("players", []))
    named = {"set_": "set", "folders": "strategies"}
    asked = {named.get(name, name): value for name, value in options.items()}
    if asked["jobs"] is None:
        asked["jobs"] = os.cpu_count() or 1
    settings = Settings(**{one.name: asked[one.name] for one in fields(Settings) if one.name in asked})
    if settings.packs is not None and ctx.get_parameter_source("games") == click.core.ParameterSource.COMMANDLINE:
        raise BadInput("--packs plays each given pack once as a pair of rounds, so --games does not go with it")
    out = Path(options["out"]) if options["out"] else None
    return _run(given, settings, out, options["form"], options["quiet"], options["report"])


def _run(given: list[str], settings: Any, out: Path | None, form: str, quiet: bool, report: bool = False) -> int:
    from basra_sim.players.python_objects import load_strategies
    from basra_sim.records.run_folder import new_run_folder, prepare_folder
    from basra_sim.runs.run_settings import check
    from basra_sim.runs.stopping import make_watcher

    make_streams_safe()
    _, settings.seed, _ = check(settings, len(given))
    make_watcher(settings)
    if out is not None and out.exists():
        prepare_folder(out)  # says at once what is wrong with it
    loaded = load_strategies(given, settings.strategies)
    from basra_sim.runs.running import run  # the engine, a second that nobody waits for whose words are refused

    folders: list[Path] = []

    def folder() -> Path:
        """Made when all else is known to be right: what is refused leaves no folder behind."""
        folders.append(prepare_folder(out) if out else new_run_folder([s.name for s in loaded], settings.seed))
        return folders[0]

    try:
        with Bar(quiet) as bar:
            outcome = run(loaded, settings, folder=folder, progress=bar.progress, on_plan=bar.plan)
    except BaseException:
        if folders:
            with contextlib.suppress(OSError):  # it holds something, or is gone
                folders[0].rmdir()
        raise
    code = tell(outcome, folders[0], form)
    if report:
        write_into(folders[0], form, quiet)
    return code
