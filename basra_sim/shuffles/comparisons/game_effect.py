"""What a shuffle does to Basra: the same strategies on its packs and on perfect ones, with intervals.

Packs are played as pairs of single rounds with the seats swapped; the pack is the unit of statistics.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import sqrt
from typing import Any

import numpy as np
from scipy import special

from basra_sim.engine.redealt import packs_of
from basra_sim.errors import BadInput
from basra_sim.game.rule_files import load_rules
from basra_sim.players.loading import load
from basra_sim.players.player import prepare
from basra_sim.shuffles.battery import measures
from basra_sim.shuffles.battery import outcomes as battery
from basra_sim.shuffles.battery.tally import Tally, tally
from basra_sim.shuffles.laws.tails import LN10, holm
from basra_sim.shuffles.sources.any_source import Asked, Source
from basra_sim.workers.fault_words import fault_error
from basra_sim.workers.plan import Plan
from basra_sim.workers.threads import play

MOST_PACKS = 50_000
FEWEST_PERFECT = 20_000
PLAYED = (
    ("leader's points", lambda r: r["points_leader"]),
    ("dealer's points", lambda r: r["points_dealer"]),
    ("leader less dealer", lambda r: r["points_leader"] - r["points_dealer"]),
    ("leader's cards", lambda r: r["cards_leader"]),
    ("basras", lambda r: _both(r, "basras") + _both(r, "komi_basras") + _both(r, "jack_basras")),
    ("komi basras", lambda r: _both(r, "komi_basras")),
    ("jack basras", lambda r: _both(r, "jack_basras")),
)
DEALT = (
    ("jacks to the leader", "leader-jacks"),
    ("7d: leader 2, floor 1", "komi-owner"),
    ("jacks in first hand", "first-hand-jacks"),
    ("jacks on first floor", "floor-jacks"),
    ("pairs in hands, floor", "hand-pairs"),
)


def _both(rounds: np.ndarray, name: str) -> np.ndarray:
    total: np.ndarray = rounds[f"{name}_leader"] + rounds[f"{name}_dealer"]
    return total


@dataclass(frozen=True)
class Line:
    """One effect: with this shuffle, with perfect packs, and the difference with its 95 % interval."""

    what: str
    here: float
    perfect: float
    low: float
    high: float
    log10_p: float
    log10_holm: float = 0.0
    could_see: float = 0.0  # the smallest difference that shows with 80 % power over all lines

    @property
    def verdict(self) -> str:
        return battery.state(self.log10_holm)


@dataclass
class GameEffect:
    """All effects of a shuffle on Basra."""

    lines: list[Line]
    packs: int
    perfect_packs: int
    strategies: tuple[str, str]
    read: list[str]

    @property
    def verdict(self) -> str:
        return battery.state(min(line.log10_holm for line in self.lines))

    def sentence(self) -> str:
        """The verdict in one sentence."""
        strongest = min(self.lines, key=lambda line: line.log10_p)
        gap = f"{strongest.what} {strongest.here:.4g} where perfect packs give {strongest.perfect:.4g}"
        edge = next(line for line in self.lines if line.what.startswith("leader's points"))
        if self.verdict == battery.FOUND:
            return f"This shuffle changes the game ({self.packs:,} packs): {gap} (p = {10**strongest.log10_p:.1g})."
        if self.verdict == battery.WEAKLY:
            return f"Weak evidence, no more, that this shuffle changes the game ({self.packs:,} packs): {gap}."
        return (
            f"No effect on the game found in {self.packs:,} packs; the leader's edge lies {edge.low:+.2g} to {edge.high:+.2g} "
            "points a round from that of perfect packs (95 %)."
        )

    def to_dict(self) -> dict[str, Any]:
        """For --json."""
        return {
            "verdict": self.verdict, "sentence": self.sentence(), "packs": self.packs, "perfect_packs": self.perfect_packs,
            "strategies": list(self.strategies), "read": self.read,
            "effects": [{**vars(line), "verdict": line.verdict} for line in self.lines],
        }  # fmt: skip


def play_packs(packs: np.ndarray, strategies: Sequence[str], seed: int, jobs: int = 1) -> np.ndarray:
    """ROUND_DTYPE (2 n,): every pack played twice, seats swapped, by two strategies. Raises what a run raises."""
    rules = replace(load_rules("egyptian-v2"), single_round=True)
    players = [prepare(load(name)) for name in strategies]
    plan = Plan(rules, seed, "packs", 2 * len(packs), players, [(0, 1)], np.ascontiguousarray(packs))
    parts = []
    for chunk in play(plan, jobs=jobs, want_rounds=True):
        if chunk.fault is not None:
            raise fault_error(plan, chunk.match, chunk.fault)
        parts.append(chunk.rounds)
    return np.concatenate(parts)


def _per_pack(rounds: np.ndarray, values: np.ndarray) -> np.ndarray:
    """The mean over the two rounds of each pack."""
    sums: np.ndarray = np.bincount(rounds["pair"], weights=values)
    return sums / np.bincount(rounds["pair"])


def _difference(what: str, here: np.ndarray, perfect: np.ndarray) -> Line:
    """Two samples of packs by the difference of their means."""
    gap = float(here.mean() - perfect.mean())
    error = sqrt(float(here.var(ddof=1)) / len(here) + float(perfect.var(ddof=1)) / len(perfect))
    if error == 0.0:
        return Line(what, float(here.mean()), float(perfect.mean()), gap, gap, 0.0 if gap == 0.0 else -300.0)
    p = (float(special.log_ndtr(-abs(gap) / error)) + 0.6931471805599453) / LN10
    return Line(what, float(here.mean()), float(perfect.mean()), gap - 1.96 * error, gap + 1.96 * error, min(0.0, p))


def _dealt(counts: Tally) -> list[Line]:
    """What is dealt, against exact laws."""
    lines = []
    for what, name in DEALT:
        measure = measures.shape(name)(counts) if name == "komi-owner" else measures.face(name)(counts)
        assert measure is not None
        low, high = (end - measure.expected for end in measure.interval)
        lines.append(Line(what, measure.value, measure.expected, low, high, measure.tails.log10_p))
    return lines


def effect_on_game(
    packs: np.ndarray, strategies: tuple[str, str], *, seed: int = 1, jobs: int = 1, read: list[str] | None = None
) -> GameEffect:
    """Play the packs (uint8 (n, 52)) and as many perfect ones (at least 20,000). Raises BadInput for fewer than 20 packs."""
    if len(packs) < 20:
        raise BadInput(f"{len(packs)} packs say nothing about the game; give 20 or more")
    count = max(FEWEST_PERFECT, len(packs))
    perfect = packs_of(seed, np.arange(count), np.zeros(count, dtype=np.int64))
    here, there = (play_packs(p, strategies, seed, jobs) for p in (packs, perfect))
    lines = _dealt(tally([packs], 52))
    for what, value in PLAYED:
        lines.append(_difference(what, _per_pack(here, value(here)), _per_pack(there, value(there))))
    adjusted = holm([line.log10_p for line in lines])
    reach = float(special.ndtri(1 - battery.ALPHA / (2 * len(lines))) + special.ndtri(battery.POWER))
    judged = [
        replace(line, log10_holm=adjusted[i], could_see=reach * (line.high - line.low) / 3.92) for i, line in enumerate(lines)
    ]
    return GameEffect(judged, len(packs), count, strategies, read or [])


def game_of(players: str, jobs: int, *, seed: int, decks: int | None, **options: Any) -> GameEffect:
    """The effect of a source of packs on the game. Raises BadInput for what cannot be read or played."""
    names = [name.strip() for name in players.split(",")]
    if len(names) == 1:
        names *= 2
    if len(names) != 2 or not all(names):
        raise BadInput(f"--players '{players}': name two strategies, such as greedy,basra-first")
    is_log = options.get("source") is not None
    source = Source(Asked(seed=seed, decks=decks or (MOST_PACKS if is_log else None), **options))
    packs = np.concatenate(list(source.chunks()))
    if not source.faces:
        raise BadInput("these decks are numbers of unknown cards, so nothing can be played; say --map, such as CDHS-A2K")
    return effect_on_game(packs, (names[0], names[1]), seed=seed, jobs=jobs, read=source.lines())
