"""Counts for skill.value_tables by self-play: what rounds make of each deal's start. Plays the engine, which the tables do not.

`python -m basra_sim.workers.value_counts` writes the shipped tables again (about half a minute).
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from basra_sim.engine.floor_table.floors import class_of
from basra_sim.engine.floor_table.kept_tables import load_table
from basra_sim.engine.jit.compiling import JIT_ON, kernel
from basra_sim.engine.jit.instructions import byte, lowest, popcount, put_word
from basra_sim.engine.view_helpers import Floor
from basra_sim.game.cards import ALL_CARDS
from basra_sim.game.rules import PRESETS, RuleSet
from basra_sim.players.loading import load
from basra_sim.players.player import prepare
from basra_sim.skill import value_tables as values
from basra_sim.skill.problem import CARDS, HALF, MINE, NOBODY, OTHERS, POINTS, bonus_of, step

from .plan import Plan
from .worker import Worker

# With its weights, so that what was counted does not change when the strategy is tuned again.
STRATEGY = (
    "tuned-endgame:jack=28.3428,jack_late=6.4478,komi=14.0227,his_jack=17.4595,his_komi=2.1182,again=1.9623,left=-9.6907,"
    "empty=-6.4704,dead=-0.7675,twin=-0.9912,traps=0"
)
PAIRS = 20_000
SEED = 101
# Whose rounds the shipped tables count: tuned-endgame with its weights from before they were searched again. Other tables would
# change what every search plays, and with it the digests of runs.
SHIPPED_STRATEGY = (
    "tuned-endgame:jack=11.8,jack_late=3.6,komi=6,his_jack=27,his_komi=6,again=1.45,left=-2.8,empty=-8.8,dead=-2.3,twin=-6.4,"
    "aim=1,traps=0"
)
SHIPPED_COUNTINGS = {"egyptian-v2": 2}  # of other presets one: the first values a lead by guesses, the next by what was counted
HISTORY_BYTES = 64
FLOOR_PRIOR = 500


@kernel
def _boundaries(problem, history, floors, rows, rounds, out, lying):
    """Replay rounds; per round 7 tallies (leader's half below) into the words at `out`, the last with the floor counted."""
    for number in range(rounds):
        floor = Floor(floors[number], rows[number])
        tally = 0
        last = NOBODY
        for ply in range(48):
            if ply & 7 == 0:
                put_word(out, 7 * number + (ply >> 3), tally)
                put_word(lying, 7 * number + (ply >> 3), floor.cards)
            shift = OTHERS if ply & 1 else MINE
            done = step(problem, floor, byte(history, HISTORY_BYTES * number + ply))
            tally += done.gain << shift
            last = shift if done.gain != 0 else last
            floor = done.floor
        if last != NOBODY:
            tally += (popcount(floor.cards) + (bonus_of(problem, floor.cards) << POINTS)) << last
        put_word(out, 7 * number + 6, tally)


def play_tallies(rules: RuleSet, strategy: str, pairs: int, seed: int, folders: Any = ()) -> tuple[np.ndarray, np.ndarray]:
    """Tallies (leader's half below) and floors of self-play at the seven boundaries, int64 (2 * pairs, 7) each."""
    rules = replace(rules, single_round=True)
    player = prepare(load(strategy, folders))
    table = load_table(rules)
    worker = Worker(Plan(rules, seed, "round", 2 * pairs, [player, player], [(0, 1)]), 0, table, pairs, False)
    history = worker.memory.keep_history(2 * pairs)
    done, fault = worker.play(0, pairs)
    assert fault is None and done == pairs
    floors = np.full(2 * pairs, ALL_CARDS, np.int64)
    for ply in range(48):
        floors ^= np.int64(1) << history[:, ply].astype(np.int64)
    rows = np.array([table.base + 64 * table.start(classes_of(int(cards))) for cards in floors], np.int64)
    rules_block = worker.memory.rules_block
    problem = np.array([table.base, table.codes.ctypes.data, rules_block.ctypes.data, rules_block[15]], np.int64)
    out, lying = (np.zeros((2 * pairs, 7), np.int64) for _ in range(2))
    _boundaries(
        problem.ctypes.data, history.ctypes.data, floors, rows, 2 * pairs, out.ctypes.data, lying.ctypes.data
    )
    return out, lying


def classes_of(card_set: int) -> list[int]:
    """The classes of the cards of a set."""
    found = []
    while card_set:
        found.append(class_of(lowest(card_set)))
        card_set &= card_set - 1
    return found


def count(rules: RuleSet, strategy: str = STRATEGY, pairs: int = PAIRS, seed: int = SEED, folders: Any = ()) -> values.Counts:
    """Counts of `pairs` pairs of rounds of a strategy against itself; the same on every machine."""
    tallies, lying = play_tallies(rules, strategy, pairs, seed, folders)
    unit = values.margin_unit(rules)
    leader, dealer = tallies & HALF, tallies >> 32
    lead = (leader & CARDS) - (dealer & CARDS)
    cards = tuple({k[0]: n for k, n in _counted((lead[:, 6] - lead[:, deal],)).items()} for deal in range(6))
    points = [side >> POINTS for side in (leader, dealer)]
    gains = tuple(_counted(tuple((side[:, 6] - side[:, deal]) // unit for side in points)) for deal in range(6))
    stake = rules.majority_points // unit
    final = [side[:, 6] // unit for side in points]
    each = rules.majority_tie == "each"
    final[0] = final[0] + stake * (lead[:, 6] >= 0 if each else lead[:, 6] > 0)
    final[1] = final[1] + stake * (lead[:, 6] <= 0 if each else lead[:, 6] < 0)
    floors = _floor_effects(rules, cards, lead, (leader >> POINTS) - (dealer >> POINTS), np.bitwise_count(lying))
    source = f"{2 * pairs} rounds of {strategy.partition(':')[0]} against itself, seed {seed}"
    return values.Counts(unit, cards, gains, _counted(tuple(final)), floors, source)


def _floor_effects(
    rules: RuleSet, cards: Any, lead: np.ndarray, points: np.ndarray, sizes: np.ndarray
) -> tuple[dict[int, float], ...]:
    """Points that the leader made beyond (points + W(lead)), by size of the floor, less their mean over all floors.

    Rare sizes are drawn towards 0 as if FLOOR_PRIOR more rounds had shown nothing.
    """
    stake = rules.majority_points
    end = points[:, 6] + stake * np.sign(lead[:, 6])
    effects: list[dict[int, float]] = [{}]
    for deal in range(1, 6):
        chances = values.majority_chances(cards[deal])
        more = (chances[0] - chances[1])[lead[:, deal] + values.CARD_ZERO]
        beyond = end - points[:, deal] - stake * more
        beyond = beyond - beyond.mean()
        part = {}
        for size in np.unique(sizes[:, deal]):
            here = beyond[sizes[:, deal] == size]
            part[int(size)] = round(float(here.sum()) / (len(here) + FLOOR_PRIOR), 3)
        effects.append(part)
    return tuple(effects)


def _counted(columns: tuple[np.ndarray, ...]) -> dict[Any, float]:
    return dict(sorted(Counter(zip(*(column.tolist() for column in columns), strict=True)).items()))


def can_count() -> bool:
    """Whether rounds can be counted here; otherwise the fallback of values.py serves rule sets without counts."""
    return JIT_ON


@lru_cache(maxsize=64)
def ensure(rules: RuleSet) -> bool:
    """Make and keep the counts of a rule set that has none. False where that cannot be: without compiled code.

    The counts are a function of the rule set alone, so it does not matter when or where they were made.
    """
    if not values.is_fallback(rules):
        return True
    if not can_count():
        return False
    values.keep(rules, count(rules))
    return True


def shipped_counts(rules: RuleSet) -> values.Counts:
    """The counts of a preset as they are shipped, from the stated guesses on; what this process uses is put back."""
    used = values.counts_of(rules)
    counts = values.fallback_counts(rules)
    try:
        for _ in range(SHIPPED_COUNTINGS.get(rules.name, 1)):
            values.use(rules, counts)
            counts = count(rules, SHIPPED_STRATEGY)
    finally:
        values.use(rules, used)
    return counts


def shipped_line(rules: RuleSet) -> str:
    """A preset's entry of the shipped file."""
    content = {**values.to_dict(shipped_counts(rules)), "rules": rules.name}
    return f'"{values.round_key(rules)}": {json.dumps(content, separators=(",", ":"))}'


def write_shipped(path: Path) -> None:
    """Write the tables of all presets: a line each, the same bytes on every machine."""
    path.write_text("{\n" + ",\n".join(shipped_line(rules) for rules in PRESETS.values()) + "\n}\n", "ascii")


if __name__ == "__main__":
    write_shipped(Path(sys.argv[1]) if len(sys.argv) > 1 else values.shipped_file())
