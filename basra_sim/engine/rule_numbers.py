"""The rules as numbers: what views carry, and what kernels read at an address."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from basra_sim.game.rules import RuleSet


class RuleNumbers(NamedTuple):
    """The rule set as numbers; an option with named values is the index of its value in the option's list."""

    target: int
    single_round: int
    majority_points: int
    majority_tie: int
    basra_points: int
    komi_basra_points: int
    jack_basra_points: int
    jack_basra: int
    komi_power: int
    komi_basra: int
    komi_on_lone_jack: int
    jack_on_lone_komi: int
    komi_on_floor: int
    floor_banned: int
    floor_ban_action: int
    bonus_cards: int  # the card set of all cards with card points


def rule_numbers(rules: RuleSet) -> RuleNumbers:
    """A rule set as numbers (interpreted views carry it; the rules block of the kernels holds the same)."""
    points = rules.points_of_cards()
    bonus = sum(1 << card for card in range(52) if points[card])
    return RuleNumbers._make([*(rules.code(name) for name in RuleNumbers._fields[:-1]), bonus])


@lru_cache(maxsize=16)
def rules_block(rules: RuleSet) -> np.ndarray:
    """The rule numbers, then the points of each card, as words."""
    return np.array([*rule_numbers(rules), *rules.points_of_cards()], np.int64)


@lru_cache(maxsize=16)
def bonus_groups(rules: RuleSet) -> np.ndarray:
    """Pairs of words (card set, points of each of its cards) for the cards with card points."""
    points = rules.points_of_cards()
    values = sorted(set(points) - {0})
    words = [(sum(1 << card for card in range(52) if points[card] == value), value) for value in values]
    return np.array(words, np.int64).reshape(-1, 2)
