"""Why a card takes what it takes, in words for somebody who does not know the rules page.

Imports cards, rules and captures; writes no output.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from .captures import (
    KOMI_BIT,
    NUMBER_CARDS,
    RANK_SETS,
    Play,
    cards_that_total,
    groups,
    groups_as_rank,
    is_komi,
    komi_ranks,
    play,
    sweeps,
)
from .cards import JACK, JACKS, KOMI, QUEEN, card_text, members, rank_of, set_text
from .phrases import RANK_WORDS, count_of
from .rules import Kind, RuleSet

MOST_LISTED = 12


@dataclass(frozen=True)
class Explanation:
    """One play with its reasons; card sets are ints, `why` holds sentences."""

    rules: RuleSet
    floor: int
    card: int
    taken: int
    groups: tuple[int, ...]
    kind: Kind
    points: int
    why: tuple[str, ...]

    @property
    def left(self) -> int:
        """The floor after the play."""
        return self.floor & ~self.taken if self.taken else self.floor | 1 << self.card

    def to_dict(self) -> dict[str, Any]:
        """For JSON: cards as text, lowest id first."""
        return {
            "rules": self.rules.name,
            "floor": _texts(self.floor),
            "card": card_text(self.card),
            "captured": _texts(self.taken),
            "groups": [_texts(group) for group in self.groups],
            "left": _texts(self.left),
            "kind": self.kind.text,
            "points": self.points,
            "why": list(self.why),
        }


def explain(rules: RuleSet, floor: int, card: int) -> Explanation:
    """What `card` does on a floor (a card set) and why. Raises BadInput if the card lies there already."""
    result = play(rules, floor, card)
    why = [*_why_taken(rules, floor, card), *_why_scored(rules, floor, card, result.kind), *_pile(rules, card, result)]
    return Explanation(rules, floor, card, result.taken, groups(rules, floor, card), result.kind, result.points, tuple(why))


def group_text(group: int, card: int) -> str:
    """Why these cards are one group: "1 + 2 + 5 = 8", "the same rank", "the komi, which any card takes"."""
    ranks = [rank_of(other) for other in members(group)]
    if len(ranks) > 1:
        return " + ".join(map(str, ranks)) + f" = {sum(ranks)}"
    return "the same rank" if ranks == [rank_of(card)] else "the komi, which any card takes"


def _texts(card_set: int) -> list[str]:
    return set_text(card_set).split()


def _why_taken(rules: RuleSet, floor: int, card: int) -> Iterator[str]:
    name = card_text(card)
    if not floor:
        burned = ": a jack or komi is burned so" if sweeps(rules, card) else ""
        yield f"The floor is empty, so there is nothing to take and {name} is laid{burned}."
        return
    if is_komi(rules, card):
        yield "7d is the komi: it captures everything on the floor."
        return
    if rank_of(card) == JACK:
        yield f"{name} is a jack: it captures everything on the floor."
        return
    if rank_of(card) >= QUEEN:
        yield f"{name} has no number: it captures every floor card of its own rank, and is in no sum."
    else:
        plain = " (under these rules the komi plays as a plain 7)" if card == KOMI else ""
        yield (
            f"{name} is a number card{plain}: it captures every floor card of its rank, and groups of two or more "
            f"number cards that total {rank_of(card)}; no floor card serves twice."
        )
        yield from _why_these_sums(rules, floor, card)
    if floor & KOMI_BIT and rank_of(card) != rank_of(KOMI):
        yield _komi_on_floor(rules)
    if not groups(rules, floor, card):
        yield f"Nothing on the floor fits, so {name} is laid."
    else:
        yield "Capturing is not optional."


def _komi_on_floor(rules: RuleSet) -> str:
    if rules.komi_on_floor == "any":
        return "A komi (7d) on the floor can be captured by any card: it is a group of its own, and still a 7 in sums."
    return "Under these rules a komi (7d) on the floor is only a 7."


def _why_these_sums(rules: RuleSet, floor: int, card: int) -> Iterator[str]:
    pool = floor & NUMBER_CARDS & ~RANK_SETS[rank_of(card)]
    sums = list(islice(cards_that_total(pool, rank_of(card), alike=False), MOST_LISTED + 1))
    if not sums:
        return
    listed = ", ".join(f"({set_text(group)})" for group in sums[:MOST_LISTED])
    more = " and more" if len(sums) > MOST_LISTED else ""
    yield f"Groups that total {rank_of(card)}: {listed}{more}."
    if any(one & other for index, one in enumerate(sums) for other in sums[:index]):
        yield (
            "Some of them share a card, so not all can be taken: the groups with the most cards together are taken; "
            "among equals those whose cards come first in the order A 2 3 ... K (within a rank c d h s)."
        )


def _why_scored(rules: RuleSet, floor: int, card: int, kind: Kind) -> Iterator[str]:
    if kind == Kind.LAY:
        return
    if kind == Kind.CAPTURE:
        yield "It does not clear the floor, so it scores no basra."
        return
    if is_komi(rules, card):
        yield from _why_komi(rules, floor, kind)
    elif rank_of(card) == JACK:
        yield _why_jack(rules, floor, kind)
    else:
        yield "It captures the whole floor with a card that is not a jack: a basra."


def _why_jack(rules: RuleSet, floor: int, kind: Kind) -> str:
    if floor == KOMI_BIT:
        return f"A lone komi lies there; under these rules a jack on it scores {_scored(kind)}."
    if kind == Kind.JACK_BASRA:
        return f"{_jacks_alone(floor)} on the floor: a jack basra."
    if not floor & ~JACKS:
        return f"{_jacks_alone(floor)} on the floor; under these rules that scores nothing."
    return "A jack that clears the floor scores nothing, unless it takes a lone jack or komi where the rules pay for it."


def _jacks_alone(floor: int) -> str:
    return "A lone jack lies" if floor.bit_count() == 1 else "Jacks alone lie"


def _why_komi(rules: RuleSet, floor: int, kind: Kind) -> Iterator[str]:
    if floor.bit_count() == 1 and floor & JACKS:
        yield f"A lone jack lies there; under these rules the komi on it scores {_scored(kind)}."
        return
    if kind == Kind.JACK_BASRA:
        yield "It scores no komi basra and so is a plain jack: on jacks alone that is a jack basra under these rules."
        return
    scores, no = kind == Kind.KOMI_BASRA, "" if kind == Kind.KOMI_BASRA else "no "
    if rules.komi_basra == "wild":
        yield _why_wild(rules, floor, scores)
    elif rules.komi_basra == "sum_le_10":
        yield f"The komi scores a basra on number cards that total 10 or less: {no}basra here ({_total(floor)})."
    elif rules.komi_basra == "single_card":
        yield f"The komi scores a basra on exactly one card: {no}basra on {count_of(floor.bit_count(), 'card')}."
    elif rules.komi_basra == "any":
        yield "Under these rules the komi scores a basra on every floor that is not empty."
    else:
        yield "Under these rules the komi never scores a basra."


def _why_wild(rules: RuleSet, floor: int, scores: bool) -> str:
    if not scores:
        return (
            "Played as no card other than a jack would it capture this whole floor "
            "(one card; all queens; all kings; or number cards in groups of one total): no basra."
        )
    rank = komi_ranks(rules, floor)[0]
    parts = ", ".join(f"({set_text(group)})" for group in groups_as_rank(rules, floor, rank))
    return f"Played as {RANK_WORDS[rank]} it would capture the whole floor, {parts}: a komi basra."


def _total(floor: int) -> str:
    if floor & ~NUMBER_CARDS:
        return "not all are number cards"
    return f"total {sum(map(rank_of, members(floor)))}"


def _scored(kind: Kind) -> str:
    return {Kind.SWEEP: "nothing", Kind.BASRA: "a basra", Kind.KOMI_BASRA: "a komi basra"}.get(kind, "a jack basra")


def _pile(rules: RuleSet, card: int, result: Play) -> Iterator[str]:
    if not result.taken:
        return
    gained = result.taken | 1 << card
    yield f"The pile grows by {count_of(gained.bit_count(), 'card')}, {card_text(card)} itself included."
    values = rules.points_of_cards()
    paid = [f"{card_text(other)} {values[other]}" for other in members(gained) if values[other]]
    if paid:
        total = sum(values[other] for other in members(gained))
        yield f"Cards that count in the pile at the end of the round: {', '.join(paid)}; together {total}."
