"""Runs made by hand, without the engine: rounds as plain tuples, counted one by one the obvious way."""

from __future__ import annotations

import random
from dataclasses import dataclass

import numpy as np

from basra_sim.records.counters import GROUPS, MARGIN_CELLS, MAX_LENGTH, PAIR_FIELDS, MatchTotals, RunTotals


@dataclass
class Round:
    leader: int  # 0 a, 1 b
    points: tuple[int, int]  # a, b
    cards: tuple[int, int] = (30, 22)
    basras: tuple[int, int] = (0, 0)
    komi: tuple[int, int] = (0, 0)
    jack: tuple[int, int] = (0, 0)


def count_game(m: MatchTotals, rounds: list[Round], pair: dict[str, int]) -> None:
    score = [0, 0]
    for r in rounds:
        role_of_a = r.leader
        for side in (0, 1):
            name, role = "ab"[side], role_of_a ^ side
            score[side] += r.points[side]
            pair[f"points_{name}"] += r.points[side]
            pair["leader_points" if role == 0 else "dealer_points"] += r.points[side]
            pair[f"cards_{name}"] += r.cards[side]
            pair[f"basras_{name}"] += r.basras[side]
            pair[f"komi_basras_{name}"] += r.komi[side]
            pair[f"jack_basras_{name}"] += r.jack[side]
            m.role_points[role_of_a, side] += r.points[side]
            m.role_cards[role_of_a, side] += r.cards[side]
            for kind, events in ((3, r.basras), (4, r.komi), (5, r.jack)):
                m.plays[side, role, events[side] % 6, side, kind] += events[side]
                m.taken[side, role, events[side] % 6, side, kind] += 2 * events[side]
                m.faced[side, 1 + events[side] % 3, kind, kind] += events[side]
        a, b = r.cards
        m.majorities[role_of_a, 0 if a > b else 1 if b > a else 2] += 1
        m.round_margins[role_of_a, MARGIN_CELLS // 2 + (r.points[0] - r.points[1]) // m.margin_unit] += 1
        m.rounds += 1
        pair["rounds"] += 1
    margin = score[0] - score[1]
    winner = 0 if margin > 0 else 1 if margin < 0 else 2
    first_dealer = 1 - rounds[0].leader
    m.winners[first_dealer, winner] += 1
    m.games += 1
    m.game_margin_sum += margin
    m.game_margin_squares += margin * margin
    m.lengths[min(len(rounds), MAX_LENGTH - 1)] += 1
    pair["half_points_a"] += (2, 0, 1)[winner]


def count_match(a: str, b: str, pairs: list[tuple[list[Round], list[Round]]], unit: int = 10) -> MatchTotals:
    m = MatchTotals(a, b, margin_unit=unit)
    for games in pairs:
        pair = dict.fromkeys(PAIR_FIELDS, 0)
        for rounds in games:
            count_game(m, rounds, pair)
        m.group_sums[m.pairs % GROUPS] += (pair["half_points_a"], pair["points_a"] - pair["points_b"], pair["rounds"])
        m.pairs += 1
        m.pair_scores[pair["half_points_a"]] += 1
        margin = (pair["points_a"] - pair["points_b"]) // unit
        m.pair_margins[min(max(margin + MARGIN_CELLS // 2, 0), MARGIN_CELLS - 1)] += 1
        values = [pair[name] for name in PAIR_FIELDS]
        m.pair_sums = [x + y for x, y in zip(m.pair_sums, values, strict=True)]
        for i, x in enumerate(values):
            for j, y in enumerate(values):
                m.pair_products[i][j] += x * y
    return m


def random_round(rng: random.Random, leader: int, edge: float) -> Round:
    cards = min(max(round(rng.gauss(26 + edge, 6)), 2), 50)
    events = [[sum(rng.random() < p for _ in range(5)) for _ in (0, 1)] for p in (0.12, 0.01, 0.004)]
    points = [10 * events[0][s] + 10 * events[1][s] + 30 * events[2][s] for s in (0, 1)]
    if cards != 26:
        points[0 if cards > 26 else 1] += 30
    tuples = [(e[0], e[1]) for e in events]
    return Round(leader, (points[0], points[1]), (cards, 52 - cards), *tuples)


def random_game(rng: random.Random, leader: int, edge: float, single: bool) -> list[Round]:
    rounds: list[Round] = []
    while True:
        rounds.append(random_round(rng, (leader + len(rounds)) % 2, edge))
        scores = [sum(r.points[s] for r in rounds) for s in (0, 1)]
        if single or (max(scores) >= 101 and scores[0] != scores[1]):
            return rounds


def random_match(a: str, b: str, pairs: int, seed: int, edge: float = 0.0, single: bool = False) -> MatchTotals:
    rng = random.Random(seed)
    games = []
    for _ in range(pairs):
        leader = 0 if single else rng.randrange(2)
        games.append((random_game(rng, leader, edge, single), random_game(rng, 1 - leader, edge, single)))
    return count_match(a, b, games)


def mirrored_match(a: str, b: str, pairs: int, seed: int) -> MatchTotals:
    """A strategy against itself: the second game is the first with the sides swapped."""
    rng = random.Random(seed)
    games = []
    for _ in range(pairs):
        first = random_game(rng, rng.randrange(2), 0.0, False)
        fields = ("points", "cards", "basras", "komi", "jack")
        second = [Round(1 - r.leader, *(getattr(r, name)[::-1] for name in fields)) for r in first]
        games.append((first, second))
    return count_match(a, b, games)


def strategy(name: str, spec: str | None = None, sha: str | None = None) -> dict:
    stem = name.partition("#")[0]
    return {"name": name, "spec": spec or stem, "file": f"{stem}.py", "sha256": sha or f"hash of {stem}",
            "mode": "compiled", "reason": ""}  # fmt: skip


def make_run(names: list[str], matches: list[MatchTotals], **more: object) -> RunTotals:
    fields: dict = {
        "rules": {"target": 101, "majority_points": 30}, "rules_name": "egyptian-v2", "seed": 7, "unit": "game",
        "games_per_match": matches[0].games if matches else 0, "strategies": [strategy(n) for n in names],
        "matches": matches, "digest": "ab" * 32, "seconds": 2.0, "version": "0.1.0",
        "command": f"basra-sim run {' '.join(names)} --games 2000 --seed 7",
    }  # fmt: skip
    return RunTotals(**(fields | more))


def random_run(names: list[str], pairs: int, seed: int = 1, single: bool = False, **more: object) -> RunTotals:
    matches = []
    for i, a in enumerate(names):
        for j in range(i + 1, len(names)):
            matches.append(random_match(a, names[j], pairs, seed + 100 * i + j, 1.5 * (j - i), single))
    return make_run(names, matches, unit="round" if single else "game", **more)


def same_totals(one: MatchTotals, two: MatchTotals) -> bool:
    for name, value in vars(one).items():
        other = getattr(two, name)
        if not (np.array_equal(value, other) if isinstance(value, np.ndarray) else value == other):
            return False
    return True
