"""What a strategy may see, and the helpers it may call: a public promise with a version.

A strategy is a function ``choose(view) -> card id``. The same file plays compiled or interpreted, so every helper here has
two bodies: plain Python on the readable capture code, and a compiled one on the floor automaton. Nothing that a player at
the table may not know is within a view's reach: not the stock, not the other hand, not the packs' stream.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from basra_sim.engine.jit.primitives import (
    JIT_ON,
    hot,
    load_i64,
    load_u8,
    load_u32,
    lowest,
    nth_card,
    overload,
    piece,
    popcount,
)
from basra_sim.engine.jit.straight_line import emitted
from basra_sim.game import captures
from basra_sim.game.cards import ALL_CARDS, KOMI
from basra_sim.game.rules import RuleSet

from .floors import KIND_SHIFT, LOOK, NEXT, PRESENT, TAKEN, look_closer
from .streams import draw_below, draw_unit

VIEW_VERSION = 1

# what a strategy imports
__all__ = [
    "BASRA", "CAPTURE", "JACK_BASRA", "KOMI", "KOMI_BASRA", "LAY", "SWEEP", "VIEW_VERSION", "Floor", "Outcome", "RuleNumbers",
    "View", "card_points", "count_rank", "first_floor", "floor_now", "is_komi", "lowest", "members", "nth_card", "outcome",
    "play_on", "played", "popcount", "random_below", "random_unit", "rank_of", "sweeps", "taken_cards",
]  # fmt: skip


class RuleNumbers(NamedTuple):
    """The rule set as numbers; an option with named values is the index of its value in the option's list."""

    target: int
    single_round: int
    majority_points: int
    majority_tie: int
    basra_points: int
    komi_basra_points: int
    jack_basra_points: int
    jack_basra: int
    komi_power: int
    komi_basra: int
    komi_on_lone_jack: int
    jack_on_lone_komi: int
    komi_on_floor: int
    floor_banned: int
    floor_ban_action: int
    bonus_cards: int  # the card set of all cards with card points


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


LAY, CAPTURE, SWEEP, BASRA, KOMI_BASRA, JACK_BASRA = range(6)

# ------------------------------------------------------------------------------------------------ memory of a side
# Bytes of the desk that the engine keeps for each side (0 a, 1 b). The other side's desk lies at address XOR DESK_BYTES.
DESK_BYTES = 1 << 15
(
    RNG_AT, PILE_AT, KINDS_AT, SCORE_AT, BASE_AT, RULES_AT, PARAMETERS_AT, BURIED_AT, STAKE_AT, CODES_AT,
    SIDE_AT, CHEATS_AT, SECRETS_AT, ANNEX_AT, OPENING_AT,
) = (
    0, 32, 40, 48, 56, 64, 72, 80, 88, 96, 104, 112, 120, 128, 136,
)  # fmt: skip
HISTORY_AT = 512  # 48 bytes: the cards this side played in the round, at their plies; NOT_KNOWN at those of a position without
NOT_KNOWN = 255
# Basras made in the round are counted by kind in fields of 10 bits in one word.
KIND_BITS, KIND_FIELD = 10, 1023
# Words of the rules block: RuleNumbers in order, then 52 words of card points.
CARD_POINTS_AT = 8 * len(RuleNumbers._fields)


@hot
def kinds_made(counts, kind):
    """How many basras of a kind a desk's word of kinds counts."""
    return (counts >> (KIND_BITS * kind)) & KIND_FIELD


@hot
def basra_points_of(counts, rules):
    """The points of the basras in a desk's word of kinds; `rules` is the address of the rules block."""
    return (
        kinds_made(counts, BASRA) * load_i64(rules + 32)
        + kinds_made(counts, KOMI_BASRA) * load_i64(rules + 40)
        + kinds_made(counts, JACK_BASRA) * load_i64(rules + 48)
    )


def _points_of(counts: Any, rules: Any) -> Any:
    """`basra_points_of` for code being written."""
    made = [(counts >> (KIND_BITS * kind)) & KIND_FIELD for kind in (BASRA, KOMI_BASRA, JACK_BASRA)]
    return made[0] * rules.load(32) + made[1] * rules.load(40) + made[2] * rules.load(48)


def _write_view(hand: Any, floor: Any, row: Any, seen: Any, moment: Any, desk: Any, parameters: Any) -> View:
    """The view of the side whose desk is given, as code: loads that a strategy does not use vanish.

    `moment` packs ply (6 bits), leading (1) and who captured last (0 nobody, 1 leader, 2 dealer).
    """
    other = desk ^ DESK_BYTES
    rules = desk.load(RULES_AT)
    numbers = [rules.load(8 * number) for number in range(len(RuleNumbers._fields))]
    pile, other_pile = desk.load(PILE_AT), other.load(PILE_AT)
    ply = moment & 63
    leading = (moment >> 6) & 1
    last = moment >> 7
    return View(
        hand=hand,
        floor=floor,
        seen=seen,
        unseen=ALL_CARDS & ~seen,
        buried=desk.load(BURIED_AT),
        my_pile=pile.bit_count(),
        other_pile=other_pile.bit_count(),
        my_score=desk.load(SCORE_AT),
        other_score=other.load(SCORE_AT),
        my_round_points=_points_of(desk.load(KINDS_AT), rules),
        other_round_points=_points_of(other.load(KINDS_AT), rules),
        my_bonus_cards=pile & numbers[-1],
        other_bonus_cards=other_pile & numbers[-1],
        target=numbers[0],
        majority_stake=desk.load(STAKE_AT),
        deal=ply >> 3,
        ply=ply,
        leading=leading,
        captured_last=(last & 1) * (2 - leading) + (last >> 1) * (1 + leading),
        other_hand_size=3 + leading - ((ply & 7) >> 1),
        rules=RuleNumbers(*numbers),
        parameters=parameters,
        rng=desk + RNG_AT,
        lookup=Lookup(row, desk.load(BASE_AT), desk.load(CODES_AT), rules, desk.load(SECRETS_AT)),
        history=desk,
    )


view_at = emitted(_write_view, View, {"rules": RuleNumbers, "lookup": Lookup}, carried="parameters") if JIT_ON else _write_view


def rule_numbers(rules: RuleSet) -> RuleNumbers:
    """A rule set as numbers (interpreted views carry it; the rules block of the kernels holds the same)."""
    points = rules.points_of_cards()
    bonus = sum(1 << card for card in range(52) if points[card])
    return RuleNumbers._make([*(rules.code(name) for name in RuleNumbers._fields[:-1]), bonus])


# ------------------------------------------------------------------------------------------------ helpers of strategies
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
        return lambda view, card: load_i64(view.lookup.rules + CARD_POINTS_AT + 8 * card)

    @overload(random_below)
    def _typed_random_below(rng, bound):
        return lambda rng, bound: draw_below(rng, bound)

    @overload(random_unit)
    def _typed_random_unit(rng):
        return lambda rng: draw_unit(rng)


def _compiled_play_on(view, floor, card):
    card_class = 13 if card == KOMI else card >> 2
    entry = load_u32(floor.row + 4 * card_class)
    kind = (entry >> KIND_SHIFT) & 7
    base = view.lookup.base
    row = base + (entry & NEXT)
    cards = (floor.cards | (1 << card)) & load_i64(row + PRESENT)
    if entry & LOOK:
        cards, kind = look_closer(floor.cards, card_class, entry, base, view.lookup.codes)
    points = 0
    if kind >= BASRA:
        points = load_i64(view.lookup.rules + 8 * (kind + 1))
    return Outcome(kind, points, entry & TAKEN, Floor(cards, row))


def _compiled_played(view, ply):
    if ply < 0 or ply >= view.ply:  # the desks still hold an earlier round's cards there
        return -1
    other = (ply ^ view.leading ^ 1) & 1  # the leader plays the even plies
    card = load_u8((view.history ^ (DESK_BYTES * other)) + HISTORY_AT + ply)
    return -1 if card == NOT_KNOWN else card


def _compiled_first_floor(view):
    cards = view.seen & ~view.hand
    for ply in range(view.ply):
        card = played(view, ply)
        if card < 0:
            cards = -1
            break
        cards &= ~(1 << card)
    return Floor(cards, load_i64(view.history + OPENING_AT))
