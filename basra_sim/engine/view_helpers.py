"""The helpers that a strategy may call.

Each has two bodies that do the same: plain Python on the readable capture code, and a compiled one on the floor automaton.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from basra_sim.engine.floor_table.floors import LOOK, NEXT, TAKEN, class_of, entry_of, kind_of_entry, look_closer
from basra_sim.game import captures
from basra_sim.game.cards import KOMI

from .jit.compiling import JIT_ON, hot, overload, piece
from .jit.instructions import byte, lowest, popcount, word
from .jit.typed_memory import place_in
from .layouts import DESK_BYTES, NOT_KNOWN, PLAYED_AT, RULES, desk_at, row_at, rules_at
from .sight import BASRA
from .streams import draw_below, draw_unit

_POINTS_OF_KINDS = place_in(RULES, "basra_points") // 8 - BASRA  # the rules' points of a kind stand in the kinds' order


class Floor(NamedTuple):
    """A floor that helpers can play on: the cards, and where compiled helpers find them in the automaton."""

    cards: int  # card set
    row: int  # 0 when interpreted


class Outcome(NamedTuple):
    """What a card does on a floor."""

    kind: int  # 0 lay, 1 capture, 2 sweep, 3 basra, 4 komi basra, 5 jack basra
    points: int  # scored at once
    taken: int  # how many floor cards it takes
    floor: Floor  # the floor it leaves


def floor_now(view: Any) -> Floor:
    """The floor as it lies, to be played on."""
    return Floor(view.floor, 0)


def play_on(view: Any, floor: Floor, card: int) -> Outcome:
    """What `card` (any card not on that floor) would do on a floor: kind, points, floor cards taken, the floor it leaves."""
    play = captures.play(view.lookup, floor.cards, card)
    after = floor.cards & ~play.taken if play.taken else floor.cards | 1 << card
    return Outcome(int(play.kind), play.points, popcount(play.taken), Floor(after, 0))


def played(view: Any, ply: int) -> int:
    """The card that was played at an earlier ply of this round, by whichever side was to move then.

    -1 for a ply that has not been played, and for every ply of a position from text that does not tell what was played.
    """
    card: int = view.history[ply] if 0 <= ply < len(view.history) else -1
    return card


def first_floor(view: Any) -> Floor:
    """The floor before ply 0, to be played on with what `played` tells; its cards are -1 where that is not known."""
    cards = view.seen & ~view.hand
    for ply in range(view.ply):
        card = played(view, ply)
        if card < 0:
            return Floor(-1, 0)
        cards &= ~(1 << card)
    return Floor(cards, 0)


def card_points(view: Any, card: int) -> int:
    """The card points of a card under the rule set (0 for most)."""
    points: int = view.lookup.points_of_cards()[card]
    return points


def random_below(rng: Any, bound: int) -> int:
    """A uniform integer in 0..bound-1 from the seat's own stream: ``random_below(view.rng, 4)``."""
    number: int = rng.below(bound)
    return number


def random_unit(rng: Any) -> float:
    """A uniform float in [0, 1) from the seat's own stream."""
    number: float = rng.unit()
    return number


@hot
def outcome(view, card):
    """What a card of mine would do now."""
    return play_on(view, floor_now(view), card)


@hot
def taken_cards(view, card):
    """The card set of floor cards that a card of mine would take now."""
    return view.floor & ~play_on(view, floor_now(view), card).floor.cards


@hot
def rank_of(card):
    """The rank 1..13 of a card (11 jack, 12 queen, 13 king)."""
    return (card >> 2) + 1


@hot
def is_komi(card):
    """Is it the seven of diamonds?"""
    return card == KOMI


@hot
def sweeps(view, card):
    """Does a card take the whole floor whatever lies there? The jacks, and the komi where it has its power."""
    return card >> 2 == 10 or (card == KOMI and view.rules.komi_power == 0)


@hot
def count_rank(card_set, rank):
    """How many cards of a rank 1..13 a set holds."""
    return popcount(card_set & (0xF << (4 * (rank - 1))))


@piece
def members(card_set):
    """The cards of a set, lowest id first: ``for card in members(view.hand)``."""
    while card_set != 0:
        yield lowest(card_set)
        card_set &= card_set - 1


if JIT_ON:

    @overload(floor_now)
    def _typed_floor_now(view):
        return lambda view: Floor(view.floor, view.lookup.row)

    @overload(play_on)
    def _typed_play_on(view, floor, card):
        return _compiled_play_on

    @overload(played)
    def _typed_played(view, ply):
        return _compiled_played

    @overload(first_floor)
    def _typed_first_floor(view):
        return _compiled_first_floor

    @overload(card_points)
    def _typed_card_points(view, card):
        return lambda view, card: rules_at(view.lookup.rules).card_points[card]

    @overload(random_below)
    def _typed_random_below(rng, bound):
        return lambda rng, bound: draw_below(rng, bound)

    @overload(random_unit)
    def _typed_random_unit(rng):
        return lambda rng: draw_unit(rng)


def _compiled_play_on(view, floor, card):
    card_class = class_of(card)
    entry = entry_of(floor.row, card_class)
    kind = kind_of_entry(entry)
    row = view.lookup.base + (entry & NEXT)
    cards = (floor.cards | (1 << card)) & row_at(row).present
    if entry & LOOK:
        cards, kind = look_closer(floor.cards, card_class, entry, view.lookup.base, view.lookup.codes)
    points = 0
    if kind >= BASRA:
        points = word(view.lookup.rules, _POINTS_OF_KINDS + kind)
    return Outcome(kind, points, entry & TAKEN, Floor(cards, row))


def _compiled_played(view, ply):
    if ply < 0 or ply >= view.ply:  # the desks still hold an earlier round's cards there
        return -1
    other = (ply ^ view.leading ^ 1) & 1  # the leader plays the even plies
    card = byte((view.history ^ (DESK_BYTES * other)) + PLAYED_AT, ply)
    return -1 if card == NOT_KNOWN else card


def _compiled_first_floor(view):
    cards = view.seen & ~view.hand
    for ply in range(view.ply):
        card = played(view, ply)
        if card < 0:
            cards = -1
            break
        cards &= ~(1 << card)
    return Floor(cards, desk_at(view.history).opening)
