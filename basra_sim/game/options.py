"""The options of a rule set: what each may be, what it means in words, and how its value is read and written.

The values of an option stand in the order of their integer encoding, 0 for the first: kernels use these numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from basra_sim.errors import BadInput, nearest

from .cards import RANKS, TEXTS, parse_card, rank_of

MOST_TARGET, MOST_POINTS = 1_000_000, 10_000


class CardPoints(Mapping[str, int]):
    """Points for cards in the pile, by rank ("J") or card ("2c"); frozen, hashable, in one canonical order.

    A card's own entry takes the place of its rank's entry; it is not added to it. Two that give every card the same
    points are equal: four equal entries of a rank are written as the rank, entries of 0 are dropped.
    """

    __slots__ = ("_items",)

    def __init__(self, entries: Mapping[str, int] | None = None) -> None:
        points = _points_by_card(entries or {})
        items: list[tuple[str, int]] = []
        for rank, text in enumerate(RANKS):
            four = points[4 * rank : 4 * rank + 4]
            if len(set(four)) == 1:
                items += [(text, four[0])] if four[0] else []
            else:
                items += [(TEXTS[4 * rank + suit], value) for suit, value in enumerate(four) if value]
        self._items = tuple(items)

    def __getitem__(self, key: str) -> int:
        return dict(self._items)[key]

    def __iter__(self) -> Iterator[str]:
        return iter(key for key, _ in self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __hash__(self) -> int:
        return hash(self._items)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, CardPoints):
            return self._items == other._items
        return dict(self._items) == other

    def __repr__(self) -> str:
        return f"CardPoints({dict(self._items)})"

    def __str__(self) -> str:
        return ",".join(f"{key}:{value}" for key, value in self._items) or "none"

    def by_card(self) -> tuple[int, ...]:
        """The points of each of the 52 cards."""
        return tuple(_points_by_card(self))


def card_points_key(text: str) -> str:
    """``"j" -> "J"``, ``"10d" -> "Td"``, ``"10" -> "T"``. Raises BadInput for what is neither a rank nor a card."""
    word = text.strip().upper().replace("10", "T")
    if len(word) == 1 and word in RANKS:
        return word
    try:
        return TEXTS[parse_card(text)]
    except BadInput:
        raise BadInput(f"card_points: '{text}' is neither a rank (A 2-9 T J Q K) nor a card (2c, Td ...)") from None


def _points_by_card(entries: Mapping[str, int]) -> list[int]:
    if not isinstance(entries, Mapping):
        raise BadInput(f"card_points: {entries!r} is not allowed; give ranks or cards and their points, as J:1,2c:2")
    values: dict[str, int] = {}
    for text, value in entries.items():
        key = card_points_key(str(text))
        if key in values:
            raise BadInput(f"card_points: {key} is given twice")
        values[key] = whole_number(f"card_points of {key}", value, 0, MOST_POINTS)
    return [values.get(TEXTS[card], values.get(RANKS[rank_of(card) - 1], 0)) for card in range(52)]


def whole_number(name: str, value: object, low: int, high: int) -> int:
    """The value itself if it is an int from low to high (True is none), else BadInput that names the option."""
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise BadInput(f"{name}: {_shown(value)} is not allowed; give a whole number from {low} to {high}")
    return value


def _shown(value: object) -> str:
    return f"'{value}'" if isinstance(value, str) else str(value)


@dataclass(frozen=True)
class Option:
    """One option: its name, what it is in words, and either a range, a few named values, yes/no or card points.

    `values` holds the named values in the order of their encoding, each with its meaning; `low` and `high` bound a
    number. `unit` is the word after a number.
    """

    name: str
    meaning: str
    values: Mapping[str, str] | None = None
    low: int | None = None
    high: int | None = None

    @property
    def choices(self) -> tuple[str, ...]:
        """The named values in order, () for numbers and card points."""
        return tuple(self.values or ())

    @property
    def allowed(self) -> str:
        """What may be given, in words."""
        if self.low is not None:
            return f"a whole number from {self.low} to {self.high}"
        if self.values is not None:
            return "one of " + ", ".join(self.values)
        return "ranks or cards and their points, as J:1,A:1,2c:2, or none"

    def check(self, value: object) -> object:
        """The value in its canonical form; BadInput that names the option and what is allowed."""
        if self.low is not None and self.high is not None:
            return whole_number(self.name, value, self.low, self.high)
        if self.name == "card_points":
            return CardPoints(value)  # type: ignore[arg-type]
        if self.is_yes_no:
            right = isinstance(value, bool)
        else:
            right = isinstance(value, str) and value in self.choices
        if not right:
            hint = nearest(str(value), list(self.choices))
            advice = f"give {self.allowed}" + (f" ({hint})" if hint else "")
            raise BadInput(f"{self.name}: {_shown(value)} is not allowed; {advice}")
        return value

    @property
    def is_yes_no(self) -> bool:
        return self.choices == ("false", "true")

    def read(self, text: str) -> object:
        """A value written on the command line (``OPTION=VALUE``), checked."""
        word = text.strip()
        if self.low is not None:
            try:
                return self.check(int(word))
            except ValueError:
                return self.check(word)
        if self.name == "card_points":
            return _read_card_points(word)
        word = word.lower().replace("-", "_")
        if self.is_yes_no and word in self.choices:
            return word == "true"
        return self.check(word)

    def means(self, value: object) -> str:
        """What this value of the option means, in words."""
        if self.values is not None:
            return self.values[value_text(value)]
        return self.meaning


def value_text(value: object) -> str:
    """A value as it is written after ``OPTION=``."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _read_card_points(text: str) -> CardPoints:
    entries: dict[str, int] = {}
    if text.lower() in ("", "none"):
        return CardPoints()
    for part in text.replace(",", " ").split():
        key, colon, value = part.partition(":")
        if not colon or not value.isascii() or not value.isdigit():
            raise BadInput(f"card_points: '{part}' is not allowed; write ranks or cards and their points, as J:1,2c:2")
        if key in entries:
            raise BadInput(f"card_points: {key} is given twice")
        entries[key] = int(value)
    return CardPoints(entries)


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
