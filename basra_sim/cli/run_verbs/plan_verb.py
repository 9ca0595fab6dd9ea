"""`basra-sim plan`: how many games, and minutes, a comparison takes; from a short pilot."""

from __future__ import annotations

import os
from typing import Any

import click


def _share(text: str) -> float:
    from basra_sim.errors import BadInput

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
@click.option("--rules", default="egyptian-v2", show_default=True, metavar="PRESET|FILE.toml", help="The rule set.")
@click.option("--unit", type=click.Choice(["game", "round"]), default="game", show_default=True,
              help="Games to the target score, or single rounds.")
@click.option("-j", "--jobs", type=click.IntRange(min=1), default=None, help="Workers; default: the cores of this machine.")
@click.option("--strategies", "folders", multiple=True, metavar="DIR", help="A folder with more strategies; may be repeated.")
@click.option("--format", "form", type=click.Choice(["table", "json", "csv"]), default="table", show_default=True,
              help="What is printed.")
def plan(a: str, b: str, detect: str, power: float, pilot: int, form: str, **options: Any) -> int:
    """Say how many games it takes to tell strategies A and B apart, from a short pilot of games between them.

    The pilot measures how much pair scores vary and how fast these strategies play; nothing else is taken from it.
    """
    from basra_sim.analysis.statistics.sample_size import needed
    from basra_sim.runs.running import Settings, raise_error, run

    difference = _share(detect)
    jobs = options["jobs"] or os.cpu_count() or 1
    settings = Settings(games=pilot, seed=options["seed"], rules=options["rules"], unit=options["unit"], jobs=jobs,
                        strategies=options["folders"])  # fmt: skip
    run([a, b], Settings(**{**vars(settings), "games": 20}))  # compiles, so that the pilot's clock does not
    outcome = run([a, b], settings)
    raise_error(outcome)
    match = outcome.totals.matches[0]
    found = needed([int(c) for c in match.pair_scores], difference, power)
    speed = match.games / max(outcome.totals.seconds, 1e-9)
    rows = [
        {"run": "of fixed length", "games": 2 * found.fixed, "minutes": 2 * found.fixed / speed / 60},
        {"run": "watched (--until)", "games": 2 * found.watched, "minutes": 2 * found.watched / speed / 60},
    ]
    data = {
        "a": match.a, "b": match.b, "detect": difference, "power": power, "pilot_games": int(match.games), "jobs": jobs,
        "seed": outcome.totals.seed, "pair_score_deviation": found.spread, "games_per_second": speed, "runs": rows,
    }  # fmt: skip
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
    from basra_sim.cli.console import make_streams_safe

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
