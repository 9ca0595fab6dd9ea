"""What only cheating strategies see: the other hand and the hands to come. For a strategy without CHEATS = True it fails.

The engine gives the address of the dealt round to a side only if its file declares that it cheats; every other view holds 0.
"""

from __future__ import annotations

from typing import Any

from basra_sim.engine.jit.compiling import JIT_ON, overload, piece
from basra_sim.engine.jit.instructions import word


def _dealt(view: Any, place: int) -> int:
    """The dealt hand at a place: the leader's hands are 0..5, the dealer's 6..11."""
    hands = getattr(view.lookup, "secrets", None)
    if not hands:
        raise ValueError("only a strategy that says CHEATS = True may look at hidden cards")
    hand: int = hands[place]
    return hand


if JIT_ON:

    @overload(_dealt)
    def _typed_dealt(view, place):
        def dealt(view, place):
            if view.lookup.secrets == 0:
                raise ValueError("only a strategy that says CHEATS = True may look at hidden cards")
            return word(view.lookup.secrets, place)

        return dealt


@piece
def my_hand_of(view, deal):
    """The hand that I am dealt in a deal 0..5."""
    return _dealt(view, deal if view.leading else deal + 6)


@piece
def other_hand_of(view, deal):
    """The hand that the other is dealt in a deal 0..5."""
    return _dealt(view, deal + 6 if view.leading else deal)


@piece
def other_hand_now(view):
    """The cards that the other holds at this moment."""
    return other_hand_of(view, view.deal) & view.unseen
