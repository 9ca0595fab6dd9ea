"""The rules: every house rule is an option and a field of one frozen RuleSet; a preset is a named value of it.

The one place to add an option: its words and values in the list, its field with the default, what it contradicts.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from enum import IntEnum
from functools import cached_property
from typing import Any, ClassVar

from basra_sim.errors import BadInput

from .card_points import MOST_POINTS, CardPoints
from .options import Option, value_text


class Kind(IntEnum):
    """What a ply is: only the last three score."""

    LAY = 0
    CAPTURE = 1
    SWEEP = 2
    BASRA = 3
    KOMI_BASRA = 4
    JACK_BASRA = 5

    @property
    def text(self) -> str:
        """``Kind.JACK_BASRA -> "jack_basra"``."""
        return self.name.lower()


MOST_TARGET = 1_000_000


def _points(name: str, meaning: str) -> Option:
    return Option(name, meaning, low=0, high=MOST_POINTS)


_ALL = (
    Option("target", "the game ends after the round in which somebody has so many points", low=1, high=MOST_TARGET),
    Option(
        "single_round",
        "whether a game is one round",
        {
            "false": "rounds are played until somebody has the target; if level, whole rounds go on",
            "true": "a game is one round, and level is a draw",
        },
    ),
    _points("majority_points", "points for more cards in the pile at the end of a round"),
    Option(
        "majority_tie",
        "who gets the points for more cards when both have 26",
        {
            "none": "at 26-26 nobody gets them",
            "carry": "at 26-26 they are added to the next round's, again and again; lost if no round follows",
            "each": "at 26-26 both get all of them",
        },
    ),
    _points("basra_points", "points for a basra with a number card, king or queen"),
    _points("komi_basra_points", "points for a basra with the komi (7d)"),
    _points("jack_basra_points", "points for a jack basra"),
    Option(
        "jack_basra",
        "when a jack scores a jack basra (a lone komi is decided by jack_on_lone_komi)",
        {
            "lone_jack": "a jack scores a jack basra on a lone jack",
            "all_jacks": "a jack scores a jack basra when one or more jacks and nothing else lie on the floor",
            "never": "a jack never scores on jacks",
        },
    ),
    Option(
        "komi_power",
        "what the komi (7d) does when played",
        {"sweep": "the komi captures everything on the floor", "none": "the komi plays as a plain 7"},
    ),
    Option(
        "komi_basra",
        "when the komi scores a basra (a lone jack is decided by komi_on_lone_jack)",
        {
            "wild": "the komi scores if, played as some card other than a jack, it would capture the whole floor",
            "sum_le_10": "the komi scores on number cards that total 10 or less",
            "single_card": "the komi scores on exactly one card",
            "any": "the komi scores on every floor that is not empty",
            "never": "the komi never scores",
        },
    ),
    Option(
        "komi_on_lone_jack",
        "what the komi scores on a lone jack",
        {
            "jack_basra": "the komi on a lone jack scores a jack basra",
            "basra": "the komi on a lone jack scores a komi basra",
            "none": "the komi on a lone jack scores nothing, it is a sweep",
        },
    ),
    Option(
        "jack_on_lone_komi",
        "what a jack scores on a lone komi",
        {
            "jack_basra": "a jack on a lone komi scores a jack basra",
            "basra": "a jack on a lone komi scores an ordinary basra",
            "none": "a jack on a lone komi scores nothing, it is a sweep",
        },
    ),
    Option(
        "komi_on_floor",
        "what captures a komi that lies on the floor",
        {
            "any": "any card captures a komi that lies on the floor, and it is still a 7 in sums",
            "seven": "a komi that lies on the floor is only a 7",
        },
    ),
    Option(
        "floor_banned",
        "which cards may not be turned up for the first floor",
        {
            "jacks_and_komi": "neither a jack nor the komi may lie in the first floor",
            "jacks": "no jack may lie in the first floor",
            "none": "every card may lie in the first floor",
        },
    ),
    Option(
        "floor_ban_action",
        "what happens to a banned card turned up for the first floor",
        {
            "bottom": "it goes to the bottom of the stock and the next card replaces it",
            "random": "it goes at once into a random place of the stock and the next card replaces it",
            "leave": "it stays on the floor",
        },
    ),
    Option("card_points", "points for cards in the pile at the end of a round"),
    Option(
        "first_dealer",
        "who deals first in a game",
        {
            "random": "a seat drawn from the game pair's seed deals first",
            "seat0": "seat 0 deals first",
            "seat1": "seat 1 deals first",
        },
    ),
    Option(
        "dealer_rotation",
        "who deals the following rounds",
        {"alternate": "the dealers alternate", "fixed": "the first dealer deals every round"},
    ),
)
OPTIONS: dict[str, Option] = {option.name: option for option in _ALL}


@dataclass(frozen=True)
class RuleSet:
    """The rules of a game of Basra, all options of the rules page; the defaults are the preset egyptian-v2.

    Making one checks it: BadInput names the option that is wrong and what is allowed. Hashable; equal rules have equal
    hashes and digests, in every process.
    """

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
    card_points: Mapping[str, int] = field(default_factory=CardPoints)
    first_dealer: str = "random"
    dealer_rotation: str = "alternate"

    # option -> its named values; the index of a value is its code in kernels
    CHOICES: ClassVar[dict[str, tuple[str, ...]]] = {n: o.choices for n, o in OPTIONS.items() if o.choices}

    def __post_init__(self) -> None:
        for name, option in OPTIONS.items():
            object.__setattr__(self, name, option.check(getattr(self, name)))
        _refuse_contradictions(self)

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        # not hash(str): that differs from process to process, and this value is pickled with the object
        return int(self.digest()[:15], 16)

    @cached_property
    def name(self) -> str:
        """The preset's name, or the nearest preset and what differs: "egyptian-v2 with target=51"."""
        base = min(PRESETS, key=lambda preset: len(self.differences(PRESETS[preset])))
        changes = [f"{option}={value_text(value)}" for option, value in self.differences(PRESETS[base]).items()]
        return base + (f" with {' '.join(changes)}" if changes else "")

    def differences(self, other: RuleSet) -> dict[str, Any]:
        """The options in which this differs from the other rule set, with this one's values."""
        return {name: getattr(self, name) for name in OPTIONS if getattr(self, name) != getattr(other, name)}

    def code(self, option: str) -> int:
        """The integer of an option for kernels: its number, or the index of its value in CHOICES."""
        value = getattr(self, option)
        return value if option not in self.CHOICES else self.CHOICES[option].index(value_text(value))

    def points_of_cards(self) -> tuple[int, ...]:
        """Points of each of the 52 cards in a pile."""
        return self._points_of_cards

    @cached_property
    def _points_of_cards(self) -> tuple[int, ...]:
        return CardPoints(self.card_points).by_card()  # kept: plain strategies ask for it at every card they think of

    def to_dict(self) -> dict[str, Any]:
        """All options as plain values that JSON and TOML can hold; ``RuleSet(**rules.to_dict()) == rules``."""
        values = {option.name: getattr(self, option.name) for option in fields(self)}
        return values | {"card_points": dict(self.card_points)}

    def canonical_text(self) -> str:
        """The rules as sorted JSON, the same for equal rules."""
        return json.dumps(self.to_dict(), sort_keys=True, separators=(",", ":"))

    def digest(self) -> str:
        """SHA-256 of the canonical text, in hexadecimal."""
        return hashlib.sha256(self.canonical_text().encode()).hexdigest()


def kind_points(rules: RuleSet) -> tuple[int, int, int, int, int, int]:
    """Points at once of each Kind, indexed by it."""
    return (0, 0, 0, rules.basra_points, rules.komi_basra_points, rules.jack_basra_points)


def scoring_kinds(rules: RuleSet) -> set[Kind]:
    """The kinds of basra that can happen at all under these rules."""
    kinds = {Kind.BASRA}
    if rules.komi_basra != "never" or rules.komi_on_lone_jack == "basra":
        kinds.add(Kind.KOMI_BASRA)
    if "jack_basra" in (rules.komi_on_lone_jack, rules.jack_on_lone_komi) or rules.jack_basra != "never":
        kinds.add(Kind.JACK_BASRA)
    return kinds


def _refuse_contradictions(rules: RuleSet) -> None:
    if rules.komi_power == "none" and rules.komi_basra != "never":
        raise BadInput(
            f"komi_basra={rules.komi_basra} contradicts komi_power=none: a plain 7 scores as any 7 does; set komi_basra=never"
        )
    if rules.komi_power == "none" and rules.komi_on_lone_jack != "none":
        raise BadInput(
            f"komi_on_lone_jack={rules.komi_on_lone_jack} contradicts komi_power=none: a plain 7 takes no jack; "
            "set komi_on_lone_jack=none"
        )
    if rules.majority_points == 0 and rules.majority_tie != "none":
        raise BadInput(
            f"majority_tie={rules.majority_tie} contradicts majority_points=0: there is nothing to give; set majority_tie=none"
        )
    scores = kind_points(rules)
    if not rules.majority_points and not rules.card_points and not any(scores[kind] for kind in scoring_kinds(rules)):
        raise BadInput(
            "no point can ever be scored under these rules; "
            "give majority_points, card_points or the points of a basra that can happen a value above 0"
        )


_PAGAT = RuleSet(
    majority_points=3,
    card_points={"J": 1, "A": 1, "2c": 2, "Td": 3},
    jack_basra="never",
    komi_basra="sum_le_10",
    komi_on_lone_jack="none",
    komi_on_floor="seven",
    jack_on_lone_komi="none",
)
PRESETS: dict[str, RuleSet] = {
    "egyptian-v2": RuleSet(),
    "egyptian-v1": RuleSet(jack_basra_points=10),
    "cafe": RuleSet(
        jack_basra_points=20,
        komi_basra="single_card",
        komi_on_lone_jack="basra",
        komi_on_floor="seven",
        jack_on_lone_komi="none",
        floor_ban_action="random",
    ),
    "pagat": _PAGAT,
    "jawaker": replace(_PAGAT, majority_points=30, floor_ban_action="random"),
    "lebanese": replace(_PAGAT, komi_power="none", komi_basra="never", floor_banned="jacks"),
}
PRESET_SUMMARIES: dict[str, str] = {
    "egyptian-v2": "Egyptian Basra v2, the default: wild komi, jack basra 30",
    "egyptian-v1": "the forerunner of v2: jack basra 10",
    "cafe": "as in cafes: the komi scores on one card only and lies as a plain 7; jack basra 20",
    "pagat": "with points for jacks, aces, 2c and Td; majority 3; jacks never score a basra",
    "jawaker": "as pagat with majority 30; banned cards go back at random",
    "lebanese": "as pagat with the komi a plain 7, also in the first floor",
}
