"""Cards 0..51, their ranks and text, and card sets as 52-bit integers. Imports nothing of the package but errors.

A card is ``(rank - 1) * 4 + suit``: ranks A 2..9 T J Q K are 1..13, suits c d h s are 0..3.
A card set is an int with bit ``card`` set for each card in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from basra_sim.errors import BadInput

RANKS = "A23456789TJQK"
SUITS = "cdhs"
ACE, TEN, JACK, QUEEN, KING = 1, 10, 11, 12, 13
KOMI = 25  # the seven of diamonds
ALL_CARDS = (1 << 52) - 1
JACKS = 0xF << 40
TEXTS = tuple(rank + suit for rank in RANKS for suit in SUITS)
_BY_TEXT = {text.lower(): card for card, text in enumerate(TEXTS)} | {f"10{s}": 36 + i for i, s in enumerate(SUITS)}


def rank_of(card: int) -> int:
    """The rank 1..13 of a card."""
    return card // 4 + 1


def suit_of(card: int) -> int:
    """The suit 0..3 (c d h s) of a card."""
    return card % 4


def card_text(card: int) -> str:
    """``25 -> "7d"``."""
    return TEXTS[card]


def parse_card(text: str) -> int:
    """``"7D" -> 25``; case-blind, and ten may be T or 10. Raises BadInput for anything else."""
    card = _BY_TEXT.get(text.strip().lower())
    if card is None:
        raise BadInput(f"'{text}' is no card; write a rank (A 2-9 T J Q K, or 10) and a suit (c d h s), such as 7d or Th")
    return card


def parse_cards(text: str) -> list[int]:
    """Cards separated by blanks or commas, in the order written. A card given twice is refused."""
    cards = [parse_card(word) for word in text.replace(",", " ").split()]
    for index, card in enumerate(cards):
        if card in cards[:index]:
            raise BadInput(f"{card_text(card)} is given twice in '{text}'")
    return cards


def cards_text(cards: Iterable[int]) -> str:
    """Card texts in the order given, one blank between."""
    return " ".join(TEXTS[card] for card in cards)


def to_set(cards: Iterable[int]) -> int:
    """The card set of some cards."""
    result = 0
    for card in cards:
        result |= 1 << card
    return result


def members(card_set: int) -> Iterator[int]:
    """The cards of a set, lowest id first."""
    while card_set:
        low = card_set & -card_set
        yield low.bit_length() - 1
        card_set ^= low


def set_text(card_set: int) -> str:
    """A card set as text, lowest card id first."""
    return cards_text(members(card_set))
