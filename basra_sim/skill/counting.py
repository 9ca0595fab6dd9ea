"""What the other may hold: exact chances over the unseen cards, every hand of them equally likely.

The other's cards are a draw without replacement from the unseen cards, so all chances here are hypergeometric.
"""

from __future__ import annotations

from basra_sim.engine.jit.compiling import hot, piece
from basra_sim.engine.jit.instructions import lowest, popcount
from basra_sim.engine.view_helpers import play_on

BASRA_KINDS = 3  # kinds from here on score


@hot
def falling(n, k):
    """n (n-1) ... (n-k+1) for k = 0..4; 0 where n < k."""
    if n < k:
        return 0
    product = 1
    for step in range(k):
        product *= n - step
    return product


@piece
def chance_of_none(unseen, matching, held):
    """The chance that a hand of `held` cards out of `unseen` has none of `matching` of them: C(u-m, h) / C(u, h)."""
    whole = falling(unseen, held)
    return falling(unseen - matching, held) / whole if whole > 0 else 1.0


@piece
def chance_of_some(view, card_set):
    """The chance that the other holds at least one card of a set."""
    return 1.0 - chance_of_none(popcount(view.unseen), popcount(view.unseen & card_set), view.other_hand_size)


@piece
def chance_of_rank(view, rank):
    """The chance that the other holds a card of a rank 1..13."""
    return chance_of_some(view, 0xF << (4 * (rank - 1)))


@piece
def clearing_cards(view, floor):
    """The unseen cards that would take everything from a floor that is not empty."""
    found = 0
    rest = view.unseen
    while rest != 0:
        card = lowest(rest)
        rest &= rest - 1
        what = play_on(view, floor, card)
        if what.taken > 0 and what.floor.cards == 0:
            found |= 1 << card
    return found


@piece
def basra_cards(view, floor):
    """The unseen cards that would score a basra on a floor."""
    found = 0
    rest = view.unseen
    while rest != 0:
        card = lowest(rest)
        rest &= rest - 1
        if play_on(view, floor, card).kind >= BASRA_KINDS:
            found |= 1 << card
    return found
