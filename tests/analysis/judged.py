"""Games played by the reference engine and counted ply by ply the obvious way: the truth that analyses must find."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import pandas as pd

from basra_sim.engine.streams import FIRST_DEALER, PACK, CardStream
from basra_sim.game.cards import members
from basra_sim.game.judge import choose_first, choose_greedy, play_game, play_round
from basra_sim.game.rules import RuleSet

CHOOSERS = {"first": choose_first, "greedy": choose_greedy}
CLASSES = "A23456789TJQK"


@dataclass
class Judged:
    """Plies and rounds as frames, both told of the strategy that acts; games likewise."""

    plies: pd.DataFrame
    rounds: pd.DataFrame
    games: pd.DataFrame


@dataclass
class _Tally:
    plies: list[dict[str, Any]] = field(default_factory=list)
    rounds: list[dict[str, Any]] = field(default_factory=list)
    games: list[dict[str, Any]] = field(default_factory=list)

    def game(self, rules: RuleSet, names: tuple[str, str], seed: int, pair: int, number: int, single: bool) -> None:
        seats = names if number == 0 else (names[1], names[0])
        choosers = tuple(CHOOSERS[name](rules) for name in seats)
        first = 1 if single else CardStream(seed, pair, 0, FIRST_DEALER).below(2)
        seen: list[tuple[Any, Any]] = []
        if single:
            result = [play_round(rules, _pack(seed, pair, 0), first, choosers, on_ply=lambda e: seen.append((0, e)))]
        else:
            at = [0]
            game = play_game(rules, lambda k: _pack(seed, pair, k), first, choosers, on_round=lambda k: at.__setitem__(0, k),
                             on_ply=lambda e: seen.append((at[0], e)))  # fmt: skip
            result = list(game.rounds)
        for k, one in enumerate(result):
            floor = len(list(members(one.first_floor)))
            for _, e in seen[48 * k : 48 * k + 48]:
                taken = len(list(members(e.taken)))
                self.plies.append({
                    "pair": pair, "game": number, "round": k, "strategy": seats[e.seat], "opponent": seats[1 - e.seat],
                    "role": "leader" if e.seat == one.leader else "dealer", "deal": e.deal, "ply": e.ply % 8,
                    "kind": e.kind.text, "card": "komi" if e.card == 25 else CLASSES[e.card // 4], "floor": floor, "taken": taken,
                })  # fmt: skip
                floor += 1 if taken == 0 else -taken
            for seat in (0, 1):
                self.rounds.append({
                    "pair": pair, "game": number, "round": k, "strategy": seats[seat],
                    "role": "leader" if seat == one.leader else "dealer", "points": one.points[seat],
                    "other_points": one.points[1 - seat], "cards": one.cards[seat],
                    "majority": one.majority_points[seat], "card_points": one.card_points[seat],
                    "won_majority": one.majority_winner == seat, "nobody": one.majority_winner is None,
                    "first_floor": one.first_floor,
                })  # fmt: skip
        for seat in (0, 1):
            self.games.append({"pair": pair, "game": number, "strategy": seats[seat], "rounds": len(result),
                               "points": sum(r.points[seat] for r in result),
                               "other_points": sum(r.points[1 - seat] for r in result),
                               "role": "leader" if result[0].leader == seat else "dealer"})  # fmt: skip


def _pack(seed: int, pair: int, number: int) -> list[int]:
    return CardStream(seed, pair, number, PACK).pack()


@lru_cache(maxsize=4)
def judged(rules: RuleSet, pairs: int, seed: int, single: bool) -> Judged:
    """`pairs` game pairs of greedy against first."""
    tally = _Tally()
    for pair in range(pairs):
        for number in (0, 1):
            tally.game(rules, ("greedy", "first"), seed, pair, number, single)
    return Judged(pd.DataFrame(tally.plies), pd.DataFrame(tally.rounds), pd.DataFrame(tally.games))
