"""Rule sets: every house rule is a field of one frozen RuleSet; a preset is a named value of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class RuleSet:
    """The rules of a game of Basra, all options of the rules page; the defaults are the preset egyptian-v2."""

    target: int = 101
    single_round: bool = False
    majority_points: int = 30
    majority_tie: str = "none"
    basra_points: int = 10
    komi_basra_points: int = 10
    jack_basra_points: int = 30
    jack_basra: str = "lone_jack"
    komi_power: str = "sweep"
    komi_basra: str = "wild"
    komi_on_lone_jack: str = "jack_basra"
    jack_on_lone_komi: str = "jack_basra"
    komi_on_floor: str = "any"
    floor_banned: str = "jacks_and_komi"
    floor_ban_action: str = "bottom"
    card_points: Mapping[str, int] = field(default_factory=dict)
    first_dealer: str = "random"
    dealer_rotation: str = "alternate"
