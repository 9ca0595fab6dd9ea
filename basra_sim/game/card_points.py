"""Points for cards in the pile, as a value that can be compared, hashed and written; and whole numbers with bounds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from basra_sim.errors import BadInput

from .cards import RANKS, TEXTS, parse_card, rank_of

MOST_POINTS = 10_000


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
        raise BadInput(f"{name}: {shown(value)} is not allowed; give a whole number from {low} to {high}")
    return value


def shown(value: object) -> str:
    """A wrong value as it is shown to who gave it."""
    return f"'{value}'" if isinstance(value, str) else str(value)


def read_card_points(text: str) -> CardPoints:
    """Card points as they are written after ``card_points=``: J:1,A:1,2c:2."""
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
