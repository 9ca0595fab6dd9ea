"""How many games a comparison takes, and how long: from the pair scores and the speed of a short pilot."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from basra_sim.analysis.statistics.sample_size import needed
from basra_sim.runs.run_settings import Settings
from basra_sim.runs.running import raise_error, run


def pilot(a: str, b: str, settings: Settings, difference: float, power: float) -> dict[str, Any]:
    """What it takes to find a score that is `difference` (a share) from one half with probability `power`.

    `settings` are those of the pilot; it measures how much pair scores vary and how fast these two play, nothing else.
    """
    run([a, b], replace(settings, games=20))  # compiles, so that the pilot's clock does not
    outcome = run([a, b], settings)
    raise_error(outcome)
    match = outcome.totals.matches[0]
    found = needed([int(c) for c in match.pair_scores], difference, power)
    speed = match.games / max(outcome.totals.seconds, 1e-9)
    rows = [
        {"run": "of fixed length", "games": 2 * found.fixed, "minutes": 2 * found.fixed / speed / 60},
        {"run": "watched (--until)", "games": 2 * found.watched, "minutes": 2 * found.watched / speed / 60},
    ]
    return {
        "a": match.a, "b": match.b, "detect": difference, "power": power, "pilot_games": int(match.games),
        "jobs": settings.jobs, "seed": outcome.totals.seed, "pair_score_deviation": found.spread,
        "games_per_second": speed, "runs": rows,
    }  # fmt: skip
