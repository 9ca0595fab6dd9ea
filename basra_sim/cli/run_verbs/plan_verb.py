"""`basra-sim plan`: how many games, and minutes, a comparison takes; from a short pilot."""

from __future__ import annotations

import os
from typing import Any

import click

from basra_sim.cli.console import make_streams_safe
from basra_sim.cli.shared_options import folders_option, form_option, rules_option
from basra_sim.errors import BadInput

# the library is imported when a verb is called: --help is click alone


def _share(text: str) -> float:
    try:
        value = float(text.strip().removesuffix("%")) / (100.0 if text.strip().endswith("%") else 1.0)
    except ValueError:
        value = -1.0
    if not 1e-5 <= value < 0.5:
        raise BadInput(f"--detect {text}: give a difference in percent of games, such as 1%")
    return value


@click.command()
@click.argument("a")
@click.argument("b")
@click.option("--detect", default="1%", show_default=True, metavar="PERCENT",
              help="The smallest difference of the score from 50 % that should be found.")
@click.option("--power", type=click.FloatRange(0.5, 0.9999), default=0.9, show_default=True,
              help="The probability with which it should be found.")
@click.option("--pilot", type=click.IntRange(min=20), default=2000, show_default=True, help="Games of the pilot.")
@click.option("-s", "--seed", type=int, default=None, help="Seed of the pilot; without it one is drawn.")
@rules_option
@click.option("--unit", type=click.Choice(["game", "round"]), default="game", show_default=True,
              help="Games to the target score, or single rounds.")
@click.option("-j", "--jobs", type=click.IntRange(min=1), default=None, help="Workers; default: the cores of this machine.")
@folders_option
@form_option("table", "json", "csv")
def plan(a: str, b: str, detect: str, power: float, pilot: int, form: str, **options: Any) -> int:
    """Say how many games it takes to tell strategies A and B apart, from a short pilot of games between them.

    The pilot measures how much pair scores vary and how fast these strategies play; nothing else is taken from it.
    """
    from basra_sim.runs.run_settings import Settings
    from basra_sim.workshop.pilot import pilot as measure

    difference, jobs = _share(detect), options["jobs"] or os.cpu_count() or 1
    settings = Settings(games=pilot, seed=options["seed"], rules=options["rules"], unit=options["unit"], jobs=jobs,
                        strategies=options["folders"])  # fmt: skip
    data = measure(a, b, settings, difference, power)
    _print(data, form, detect, options["unit"])
    return 0


def _print(data: dict[str, Any], form: str, detect: str, unit: str) -> None:
    if form == "json":
        from basra_sim.records.disk import json_text

        click.echo(json_text(data), nl=False)
        return
    if form == "csv":
        click.echo("run,games,minutes")
        for row in data["runs"]:
            click.echo(f"{row['run']},{row['games']},{row['minutes']:.4g}")
        return
    make_streams_safe()
    fixed, watched = data["runs"]
    detect = detect.strip()
    click.echo(
        f"{data['a']} against {data['b']}: a pilot of {data['pilot_games']:,} {unit}s (seed {data['seed']}) had a standard "
        f"deviation of {100 * data['pair_score_deviation']:.1f} % in the score of a pair, at {data['games_per_second']:,.0f} "
        f"{unit}s a second with {data['jobs']} workers."
    )
    click.echo(f"To tell a score from 50 % that is {detect} away:")
    click.echo(f"  {fixed['games']:>14,} {unit}s, {_time(fixed['minutes'])}: a run of fixed length, --games {fixed['games']}; "
               f"finds it with probability {data['power']:g}")  # fmt: skip
    click.echo(f"  {watched['games']:>14,} {unit}s, {_time(watched['minutes'])}: a run that is watched, --until {detect}; "
               "its interval is then that narrow to each side")  # fmt: skip


def _time(minutes: float) -> str:
    if minutes < 1:
        return f"about {max(1, round(60 * minutes))} s"
    return f"about {minutes:,.0f} min" if minutes < 300 else f"about {minutes / 60:,.0f} h"
