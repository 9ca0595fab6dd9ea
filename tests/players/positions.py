"""Positions in short form for tests of how strategies play."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from basra_sim.engine.rule_numbers import rule_numbers
from basra_sim.engine.sight import View
from basra_sim.engine.streams import SEAT_0, SeatStream
from basra_sim.game.cards import ALL_CARDS, card_text, parse_cards, to_set
from basra_sim.game.rule_files import load_rules
from basra_sim.players.loading import load


def position(hand: str, floor: str, *, gone: str = "", rules: str = "egyptian-v2", seed: int = 0, parameters: Any = ()) -> View:
    """The view of a leader in the first deal; `gone` are cards seen that lie in piles."""
    rule_set = load_rules(rules)
    seen = to_set(parse_cards(f"{hand} {floor} {gone}"))
    return View(
        hand=to_set(parse_cards(hand)),
        floor=to_set(parse_cards(floor)),
        seen=seen,
        unseen=ALL_CARDS & ~seen,
        buried=0,
        my_pile=0,
        other_pile=0,
        my_score=0,
        other_score=0,
        my_round_points=0,
        other_round_points=0,
        my_bonus_cards=0,
        other_bonus_cards=0,
        target=rule_set.target,
        majority_stake=rule_set.majority_points,
        deal=0,
        ply=0,
        leading=1,
        captured_last=0,
        other_hand_size=4,
        rules=rule_numbers(rule_set),
        parameters=parameters,
        rng=SeatStream(seed, 0, 0, SEAT_0),
        lookup=rule_set,
    )


_loaded = lru_cache(load)


def card_played(spec: str, hand: str, floor: str, **options: Any) -> str:
    """The card that a strategy plays there, as text."""
    strategy = _loaded(spec).under(load_rules(options.get("rules", "egyptian-v2")))
    return card_text(strategy.choose(position(hand, floor, parameters=strategy.parameters, **options)))
