"""What a card takes from a floor and what it scores, as the rules page says it: the readable truth, card by card.

Imports only cards, errors and rules. The compiled engine's table is tested against this module.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from basra_sim.errors import BadInput

from .cards import ACE, JACK, JACKS, KING, KOMI, QUEEN, TEN, card_text, members, rank_of
from .rules import Kind, RuleSet, kind_points

RANK_SETS = (0, *(0xF << 4 * (rank - 1) for rank in range(ACE, KING + 1)))  # indexed by rank
NUMBER_CARDS = sum(RANK_SETS[ACE : TEN + 1])
KOMI_BIT = 1 << KOMI


class Play(NamedTuple):
    """What one card does: the card set of floor cards it takes, the kind of ply, the points it scores at once."""

    taken: int
    kind: Kind
    points: int


@lru_cache(maxsize=1 << 18)
def play(rules: RuleSet, floor: int, card: int) -> Play:
    """What `card` does on a floor (a card set): rules 5 to 12. Raises BadInput if the card lies there already."""
    if floor >> card & 1:
        raise BadInput(f"{card_text(card)} lies on the floor already, so it cannot be played")
    taken = _union(groups(rules, floor, card))
    kind = _kind(rules, floor, card, taken)
    return Play(taken, kind, kind_points(rules)[kind])


def groups(rules: RuleSet, floor: int, card: int) -> tuple[int, ...]:
    """The disjoint groups of floor cards (card sets) that `card` takes, () when it takes nothing.

    A sweep by a jack or the komi is one group. Several groupings may make the same union; this is one of them.
    """
    if sweeps(rules, card):
        return (floor,) if floor else ()
    return groups_as_rank(rules, floor, rank_of(card))


def sweeps(rules: RuleSet, card: int) -> bool:
    """Whether the card captures everything: a jack (rule 7), or the komi unless it is a plain 7 (rule 8)."""
    return rank_of(card) == JACK or is_komi(rules, card)


def is_komi(rules: RuleSet, card: int) -> bool:
    """Whether the card is the komi and plays as such."""
    return card == KOMI and rules.komi_power == "sweep"


def groups_as_rank(rules: RuleSet, floor: int, rank: int) -> tuple[int, ...]:
    """The groups that a number card, king or queen of this rank takes (rules 5, 6 and 9)."""
    same_rank = tuple(1 << card for card in members(floor & RANK_SETS[rank]))
    rest = floor & ~RANK_SETS[rank]
    komi_alone = rest & KOMI_BIT if rules.komi_on_floor == "any" else 0
    if rank in (QUEEN, KING):
        return same_rank + ((komi_alone,) if komi_alone else ())
    pool = rest & NUMBER_CARDS
    sums = _best_sums(pool, rank)
    if komi_alone:  # as a group of its own, unless it serves better as a 7 in a sum
        sums = _better((komi_alone, *_best_sums(pool & ~KOMI_BIT, rank)), sums)
    return same_rank + sums


def _kind(rules: RuleSet, floor: int, card: int, taken: int) -> Kind:
    if not taken:
        return Kind.LAY
    if taken != floor:
        return Kind.CAPTURE
    if is_komi(rules, card):
        return _komi_kind(rules, floor)
    if rank_of(card) == JACK:
        return _jack_kind(rules, floor)
    return Kind.BASRA


def _jack_kind(rules: RuleSet, floor: int) -> Kind:
    """What a jack scores on a floor that is not empty (rule 11)."""
    if floor == KOMI_BIT:
        return {"jack_basra": Kind.JACK_BASRA, "basra": Kind.BASRA, "none": Kind.SWEEP}[rules.jack_on_lone_komi]
    jacks_only = not floor & ~JACKS
    scores = {"lone_jack": jacks_only and floor.bit_count() == 1, "all_jacks": jacks_only, "never": False}
    return Kind.JACK_BASRA if scores[rules.jack_basra] else Kind.SWEEP


def _komi_kind(rules: RuleSet, floor: int) -> Kind:
    """What the komi scores on a floor that is not empty (rules 8 and 11)."""
    if floor.bit_count() == 1 and floor & JACKS:
        return {"jack_basra": Kind.JACK_BASRA, "basra": Kind.KOMI_BASRA, "none": Kind.SWEEP}[rules.komi_on_lone_jack]
    if _komi_scores(rules, floor):
        return Kind.KOMI_BASRA
    return _jack_kind(rules, floor)  # "otherwise it is a plain jack": matters for jack_basra = all_jacks


def _komi_scores(rules: RuleSet, floor: int) -> bool:
    if rules.komi_basra == "wild":
        return bool(komi_ranks(rules, floor))
    if rules.komi_basra == "sum_le_10":
        return not floor & ~NUMBER_CARDS and sum(map(rank_of, members(floor))) <= 10
    if rules.komi_basra == "single_card":
        return floor.bit_count() == 1
    return rules.komi_basra == "any"


def komi_ranks(rules: RuleSet, floor: int) -> list[int]:
    """The ranks, not the jack, as which the komi would capture the whole floor (rule 8)."""
    others = [rank for rank in range(ACE, KING + 1) if rank != JACK]
    return [rank for rank in others if _union(groups_as_rank(rules, floor, rank)) == floor]


# -- sums: the union of disjoint groups with the most cards --------------------------------------------------------


def _union(some_groups: tuple[int, ...]) -> int:
    return sum(some_groups)  # they are disjoint


def _better(one: tuple[int, ...], other: tuple[int, ...]) -> tuple[int, ...]:
    """The groups with more cards together; among equals, whose sorted list of card ids comes first."""
    a, b = _union(one), _union(other)
    if a.bit_count() != b.bit_count():
        return one if a.bit_count() > b.bit_count() else other
    first_difference = (a ^ b) & -(a ^ b)
    return other if first_difference & b else one


@lru_cache(maxsize=1 << 18)
def _best_sums(pool: int, total: int) -> tuple[int, ...]:
    """The best disjoint groups of two or more cards of the pool that each total `total`; () if there is none.

    Cards of one rank are alike in sums, and the lower id wins a tie: so a rank is used from its lowest card up, and
    when the lowest card of the pool stays on the floor, its whole rank stays.
    """
    if not pool:
        return ()
    lowest = pool & -pool
    rank = rank_of(lowest.bit_length() - 1)
    if rank >= total:  # every card left is at least as high
        return ()
    best = _best_sums(pool & ~RANK_SETS[rank], total)
    for others in cards_that_total(pool ^ lowest, total - rank):
        group = lowest | others
        best = _better((group, *_best_sums(pool & ~group, total)), best)
    return best


def cards_that_total(pool: int, total: int, *, alike: bool = True) -> Iterator[int]:
    """The card sets of the pool that total `total`, each rank used from its lowest card up if its cards are `alike`."""
    if total == 0:
        yield 0
        return
    if not pool:
        return
    lowest = pool & -pool
    rank = rank_of(lowest.bit_length() - 1)
    if rank > total:
        return
    for others in cards_that_total(pool ^ lowest, total - rank, alike=alike):
        yield lowest | others
    yield from cards_that_total(pool & ~(RANK_SETS[rank] if alike else lowest), total, alike=alike)
