"""What a strategy sees: the view's fields, and the code that makes a view at a side's desk.

Nothing that a player at the table may not know is within a view's reach: not the stock, not the other hand, not the stream of
the packs.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from basra_sim.game.cards import ALL_CARDS

from .jit.compiling import JIT_ON, hot
from .jit.straight_line import Fields, emitted
from .layouts import DESK, DESK_BYTES, KIND_BITS, KIND_FIELD, RULES
from .rule_numbers import RuleNumbers

VIEW_VERSION = 1
LAY, CAPTURE, SWEEP, BASRA, KOMI_BASRA, JACK_BASRA = range(6)
# A moment is a number: the ply (6 bits, and one that is free) and who captured last.
LEADER_TOOK_LAST, DEALER_TOOK_LAST = 128, 256


class View(NamedTuple):
    """What the player to move knows. Card sets are 52-bit integers; "my" and "other" are seen from this seat."""

    hand: int  # card set: the cards I hold
    floor: int  # card set: the cards on the floor
    seen: int  # card set: every card I have seen that cannot come again (my cards, the floor, all cards played)
    unseen: int  # card set: all the others; they are in the other hand or in the stock
    buried: int  # card set: cards turned up for the first floor and put back into the stock in everybody's sight
    my_pile: int  # cards in my pile
    other_pile: int
    my_score: int  # points in the game before this round
    other_score: int
    my_round_points: int  # points of basras made in this round so far
    other_round_points: int
    my_bonus_cards: int  # card set: cards with card points in my pile
    other_bonus_cards: int
    target: int  # the score that ends the game
    majority_stake: int  # points that more cards will bring in this round, carried ones included
    deal: int  # 0..5
    ply: int  # 0..47
    leading: int  # 1 if I play first in each deal of this round, else 0 (I am the dealer)
    captured_last: int  # 1 me, 2 the other, 0 nobody yet
    other_hand_size: int  # cards the other holds
    rules: RuleNumbers
    parameters: Any  # the strategy's own parameters, by name
    rng: Any  # this seat's random stream of this round: for random_below and random_unit
    lookup: Any  # for the helpers only
    history: Any = ()  # for `played` only: the cards played in this round, in their order; empty where not known


class Lookup(NamedTuple):
    """How compiled helpers reach the floor automaton."""

    row: int  # address of the floor's row
    base: int  # address of the empty floor's row
    codes: int  # address of the counted floors
    rules: int  # address of the rule numbers and the points of each card
    secrets: int = 0  # address of the dealt round for a strategy that says CHEATS = True, 0 for all others


@hot
def kinds_made(counts, kind):
    """How many basras of a kind a desk's word of kinds counts."""
    return (counts >> (KIND_BITS * kind)) & KIND_FIELD


@hot
def basra_points_of(counts, rules):
    """The points of the basras in a desk's word of kinds; `rules` is the record of the rules."""
    return (
        kinds_made(counts, BASRA) * rules.basra_points
        + kinds_made(counts, KOMI_BASRA) * rules.komi_basra_points
        + kinds_made(counts, JACK_BASRA) * rules.jack_basra_points
    )


def _write_view(hand: Any, floor: Any, row: Any, shown: Any, moment: Any, desk: Any, parameters: Any) -> View:
    """The view of the side whose desk is given, as code: loads that a strategy does not use vanish.

    `moment` packs ply and who captured last (0 nobody, 1 leader, 2 dealer); `shown` is what both sides have seen.
    """
    mine, other = Fields(desk, DESK), Fields(desk ^ DESK_BYTES, DESK)
    rules = Fields(mine.rules, RULES)
    numbers = RuleNumbers(*(getattr(rules, name) for name in RuleNumbers._fields))
    pile, other_pile = mine.pile, other.pile
    ply = moment & 63
    leading = 1 - (ply & 1)  # the leader plays the even plies
    seen = shown | hand
    last = moment >> 7
    return View(
        hand=hand,
        floor=floor,
        seen=seen,
        unseen=ALL_CARDS & ~seen,
        buried=mine.buried,
        my_pile=pile.bit_count(),
        other_pile=other_pile.bit_count(),
        my_score=mine.score,
        other_score=other.score,
        my_round_points=basra_points_of(mine.kinds, rules),
        other_round_points=basra_points_of(other.kinds, rules),
        my_bonus_cards=pile & numbers.bonus_cards,
        other_bonus_cards=other_pile & numbers.bonus_cards,
        target=numbers.target,
        majority_stake=mine.stake,
        deal=ply >> 3,
        ply=ply,
        leading=leading,
        captured_last=(last & 1) * (2 - leading) + (last >> 1) * (1 + leading),
        other_hand_size=3 + leading - ((ply & 7) >> 1),
        rules=numbers,
        parameters=parameters,
        rng=desk,
        lookup=Lookup(row, mine.base, mine.codes, mine.rules, mine.secrets),
        history=desk,
    )


view_at = emitted(_write_view, View, {"rules": RuleNumbers, "lookup": Lookup}, carried="parameters") if JIT_ON else _write_view
