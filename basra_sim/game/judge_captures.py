"""The judge's own captures and scoring: the rules page in plain Python, cards in lists, captures found by trying all.

It imports cards and rules only; it must know nothing of captures or the compiled engine, because it judges them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import product

from .cards import JACK, KING, KOMI, QUEEN, TEN, rank_of
from .rules import Kind, RuleSet


def captured(rules: RuleSet, floor: Sequence[int], card: int) -> list[int]:
    """The floor cards that a card captures, sorted (rules 5 to 9)."""
    if rank_of(card) == JACK or (card == KOMI and rules.komi_power == "sweep"):
        return sorted(floor)
    komi_is_loose = KOMI in floor and rules.komi_on_floor == "any"
    taken = [other for other in floor if rank_of(other) == rank_of(card)]
    rest = sorted(other for other in floor if other not in taken and not (komi_is_loose and other == KOMI))
    if komi_is_loose and KOMI not in taken:
        taken.append(KOMI)  # any card takes it; in `_best_sum_ranks` it may serve in a sum as well as alone
    if rank_of(card) <= TEN:
        counts = tuple(sum(rank_of(other) == rank for other in rest) for rank in range(1, TEN + 1))
        may_use_komi = komi_is_loose and rank_of(card) != rank_of(KOMI)
        for rank in _best_sum_ranks(counts, rank_of(card), may_use_komi):
            lowest = next(other for other in rest if rank_of(other) == rank)
            rest.remove(lowest)
            taken.append(lowest)
    return sorted(taken)


@lru_cache(maxsize=1 << 20)
def _best_sum_ranks(counts: tuple[int, ...], total: int, may_use_komi: bool) -> list[int]:
    """Ranks of the most cards that divide into groups of `total`, a loose komi (a 7) joining or not.

    `counts` are floor cards of ranks 1..10 besides a loose komi, none of rank `total`. Every selection is tried. Of a
    rank the lowest ids are taken, so among equally many cards the sorted list of ranks that comes first is the sorted
    list of card ids that comes first.
    """
    best: list[int] = []
    for chosen in product(*(range(count + 1) for count in counts[: total - 1])):
        ranks = [rank for rank, count in enumerate(chosen, start=1) for _ in range(count)]
        if (-len(ranks), ranks) < (-len(best), best) and (
            divides(ranks, total) or (may_use_komi and divides([*ranks, 7], total))
        ):
            best = ranks
    return best


def divides(ranks: Sequence[int], total: int) -> bool:
    """Whether cards of these ranks divide into groups that each total `total`; no cards do."""
    groups, left_over = divmod(sum(ranks), total)
    return left_over == 0 and _fit(tuple(sorted(ranks, reverse=True)), (total,) * groups)


@lru_cache(maxsize=1 << 20)
def _fit(ranks: tuple[int, ...], rooms: tuple[int, ...]) -> bool:
    if not ranks:
        return True
    for place, room in enumerate(rooms):
        if room >= ranks[0] and room not in rooms[:place]:
            left = (*rooms[:place], room - ranks[0], *rooms[place + 1 :])
            if _fit(ranks[1:], tuple(sorted(left))):
                return True
    return False


def kind_of(rules: RuleSet, floor: Sequence[int], card: int, taken: Sequence[int]) -> Kind:
    """What the ply is: laid, a capture, a sweep or a basra (rules 8, 10, 11, 12)."""
    if not taken:
        return Kind.LAY
    if len(taken) < len(floor):
        return Kind.CAPTURE
    if card == KOMI and rules.komi_power == "sweep":
        return _kind_of_komi_sweep(rules, floor)
    if rank_of(card) == JACK:
        return _kind_of_jack_sweep(rules, floor)
    return Kind.BASRA


def _kind_of_komi_sweep(rules: RuleSet, floor: Sequence[int]) -> Kind:
    ranks = [rank_of(card) for card in floor]
    if ranks == [JACK]:
        if rules.komi_on_lone_jack == "jack_basra":
            return Kind.JACK_BASRA
        return Kind.KOMI_BASRA if rules.komi_on_lone_jack == "basra" else Kind.SWEEP
    numbers_only = all(rank <= TEN for rank in ranks)
    scores = False
    if rules.komi_basra == "wild":
        scores = (
            len(ranks) == 1
            or all(rank == QUEEN for rank in ranks)
            or all(rank == KING for rank in ranks)
            or (numbers_only and any(divides(ranks, total) for total in range(1, 11)))
        )
    elif rules.komi_basra == "sum_le_10":
        scores = numbers_only and sum(ranks) <= 10
    elif rules.komi_basra == "single_card":
        scores = len(ranks) == 1
    elif rules.komi_basra == "any":
        scores = True
    if scores:
        return Kind.KOMI_BASRA
    return _kind_of_jack_sweep(rules, floor)


def _kind_of_jack_sweep(rules: RuleSet, floor: Sequence[int]) -> Kind:
    if list(floor) == [KOMI]:
        if rules.jack_on_lone_komi == "jack_basra":
            return Kind.JACK_BASRA
        return Kind.BASRA if rules.jack_on_lone_komi == "basra" else Kind.SWEEP
    only_jacks = all(rank_of(card) == JACK for card in floor)
    if only_jacks and rules.jack_basra == "all_jacks":
        return Kind.JACK_BASRA
    if only_jacks and rules.jack_basra == "lone_jack" and len(floor) == 1:
        return Kind.JACK_BASRA
    return Kind.SWEEP
