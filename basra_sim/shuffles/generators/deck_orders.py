"""Orders of a pack in a few letters: new-deck orders, start orders and maps of integers to cards."""

from __future__ import annotations

from itertools import permutations

import numpy as np

from basra_sim.errors import BadInput
from basra_sim.game.cards import RANKS, SUITS, parse_cards

RANK_RUNS = {
    "A2K": tuple(range(13)),
    "2KA": (*range(1, 13), 0),
    "KQA": tuple(range(12, -1, -1)),
    "AK2": (0, *range(12, 0, -1)),
}
HINT = "write suits and ranks such as SHDC-A2K (suit by suit), A2K-SHDC (rank by rank), ranks A2K 2KA KQA or AK2"


def _pattern(first: str, second: str) -> np.ndarray | None:
    """SUITS-RANKS or RANKS-SUITS, or None when the two halves are not that."""
    if first in RANK_RUNS and sorted(second) == sorted(SUITS.upper()):
        suits = [SUITS.upper().index(letter) for letter in second]
        return np.array([rank * 4 + suit for rank in RANK_RUNS[first] for suit in suits], dtype=np.uint8)
    if second in RANK_RUNS and sorted(first) == sorted(SUITS.upper()):
        suits = [SUITS.upper().index(letter) for letter in first]
        return np.array([rank * 4 + suit for suit in suits for rank in RANK_RUNS[second]], dtype=np.uint8)
    return None


def _new_deck() -> np.ndarray:
    runs = ((3, range(13)), (1, range(13)), (0, range(12, -1, -1)), (2, range(12, -1, -1)))
    return np.array([rank * 4 + suit for suit, ranks in runs for rank in ranks], dtype=np.uint8)


def parse_order(text: str) -> np.ndarray:
    """uint8 (52,): the card at each place of a named order. Raises BadInput with the ways to write one.

    "ours" (ids 0..51), "new-deck", SUITS-RANKS ("SHDC-A2K": all spades A..K first), RANKS-SUITS ("A2K-SHDC": the
    four aces first) with ranks A2K, 2KA (ace high), KQA or AK2 (downwards), or 52 cards written out.
    """
    word = text.strip()
    if word.lower() in ("ours", "sorted", ""):
        return np.arange(52, dtype=np.uint8)
    if word.lower() == "new-deck":
        return _new_deck()
    first, dash, second = word.upper().partition("-")
    if dash:
        order = _pattern(first, second)
        if order is not None:
            return order
    if len(word.replace(",", " ").split()) == 52:
        return np.array(parse_cards(word), dtype=np.uint8)
    raise BadInput(f"'{text}' is no order of the pack; {HINT}, new-deck, or 52 cards")


def usual_orders() -> dict[str, np.ndarray]:
    """The start orders that programs really use, likeliest first: 24 suit orders x 4 rank runs x 2 loops + new-deck.

    193 orders; whoever tries them all must count them.
    """
    usual = ("CDHS", "SHDC", "HDCS", "SHCD", "HCDS", "DCHS", "CSHD", "SDCH", "HSDC", "DHCS")
    every = ["".join(p) for p in permutations("CDHS")]
    suits = [*usual, *(text for text in every if text not in usual)]
    names = []
    for runs in (("A2K", "2KA"), ("KQA", "AK2")):
        names += [f"{suit}-{run}" for run in runs for suit in suits]
        names += [f"{run}-{suit}" for run in runs for suit in suits]
    orders = {name: parse_order(name) for name in names}
    orders["new-deck"] = _new_deck()
    return orders


def reference_order(reference: str, deck_size: int) -> tuple[str, np.ndarray, str]:
    """--ref as written -> ("new" | "prev" | "none", the start order, words). Raises BadInput."""
    identity = np.arange(deck_size, dtype=np.uint8)
    kind, _, order = reference.partition(":")
    if kind not in ("new", "prev", "none") or (order and kind != "new"):
        raise BadInput(f"--ref '{reference}' is not known; write new, new:ORDER (such as new:SHDC-A2K), prev or none")
    if kind == "prev":
        return kind, identity, "against the deck before"
    if kind == "none":
        return kind, identity, "no start order taken; the tests that need one are left out"
    if not order:
        usual = "Ac Ad Ah As 2c .. Ks" if deck_size == 52 else f"0 1 .. {deck_size - 1}"
        return kind, identity, f"start order {usual}; if yours is another, say --ref new:ORDER, prev or none"
    if deck_size != 52:
        raise BadInput("--ref new:ORDER needs a deck of 52 cards")
    return kind, parse_order(order), f"start order {order}"


def order_text(order: np.ndarray) -> str:
    """An order written as cards."""
    return " ".join(RANKS[card // 4] + SUITS[card % 4] for card in order.tolist())
