"""A position as text: what one player sees before a ply. Read it, check it, and ask strategies about it.

One ``word: values`` a line or between semicolons, for example
``hand: 7d Jc 3h; floor: 5c 6d; unseen: 2c 2d Kh; deal: 5; piles: 20 21; leading: yes``.
"""

from __future__ import annotations

import ctypes
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from basra_sim.engine.floor_table.floors import class_of
from basra_sim.engine.floor_table.kept_tables import load_table
from basra_sim.engine.layouts import KIND_BITS, NOT_KNOWN
from basra_sim.engine.memory import Memory
from basra_sim.engine.rule_numbers import rule_numbers
from basra_sim.engine.sight import View
from basra_sim.engine.streams import SEAT_0, SeatStream
from basra_sim.errors import BadInput, nearest
from basra_sim.game import captures
from basra_sim.game.cards import ALL_CARDS, cards_text, parse_cards, set_text, to_set
from basra_sim.game.rule_files import load_rules
from basra_sim.game.rules import RuleSet, kind_points
from basra_sim.skill import value_tables as values

from .player import Player, parameter_words

WORDS = (
    "rules", "set", "hand", "floor", "gone", "unseen", "deal", "leading", "piles", "mine", "scores", "points", "last", "stake",
    "buried", "played", "seed",
)  # fmt: skip


@dataclass(frozen=True)
class Position:
    """What the player to move sees. Card sets are ints; pairs are (mine, the other's)."""

    rules: RuleSet
    hand: int
    floor: int
    unseen: int
    deal: int  # 0..5
    leading: bool
    piles: tuple[int, int]
    scores: tuple[int, int] = (0, 0)
    points: tuple[int, int] = (0, 0)  # of basras in this round
    last: int = 0  # who captured last: 0 nobody, 1 me, 2 the other
    seed: int = 0
    mine: int | None = None  # card set of my pile, where it is known which cards of those gone I took
    stake: int | None = None  # points that more cards bring in this round; None: as the rules say, nothing carried
    buried: int = 0  # card set: turned up for the first floor and put back into the stock
    history: tuple[int, ...] = ()  # the cards played in this round, in their order; empty where that is not known
    notes: tuple[str, ...] = field(default=())

    @property
    def ply(self) -> int:
        """0..47: follows from the deal, the cards in hand and who leads."""
        return 8 * self.deal + 2 * (4 - self.hand.bit_count()) + (0 if self.leading else 1)

    @property
    def held(self) -> int:
        """Cards in the other's hand."""
        return self.hand.bit_count() if self.leading else self.hand.bit_count() - 1

    @property
    def pile_sets(self) -> tuple[int, int]:
        """Card sets of both piles. Where it is not known which side took which card, the lowest ids are taken to be mine."""
        if self.mine is not None:
            return self.mine, ALL_CARDS & ~(self.hand | self.floor | self.unseen | self.mine)
        gone = [card for card in range(52) if not (self.hand | self.floor | self.unseen) >> card & 1]
        return to_set(gone[: self.piles[0]]), to_set(gone[self.piles[0] :])

    @property
    def first_floor(self) -> int:
        """Card set: the floor before the first ply; -1 where the history is not known."""
        if self.ply != len(self.history):
            return -1
        return ALL_CARDS & ~(self.hand | self.unseen | to_set(self.history))

    @property
    def majority_stake(self) -> int:
        """Points that more cards bring in this round, carried ones included."""
        return self.rules.majority_points if self.stake is None else self.stake

    @property
    def is_open(self) -> bool:
        """Whether the unseen cards are the other's hand: the last deal."""
        return self.deal == 5

    def view(self, parameters: Any = ()) -> View:
        """The view for plain Python strategies."""
        bonus = rule_numbers(self.rules).bonus_cards
        return View(
            hand=self.hand, floor=self.floor, seen=ALL_CARDS & ~self.unseen, unseen=self.unseen, buried=self.buried,
            my_pile=self.piles[0], other_pile=self.piles[1], my_score=self.scores[0], other_score=self.scores[1],
            my_round_points=self.points[0], other_round_points=self.points[1],
            my_bonus_cards=self.pile_sets[0] & bonus, other_bonus_cards=self.pile_sets[1] & bonus, target=self.rules.target,
            majority_stake=self.majority_stake, deal=self.deal, ply=self.ply, leading=int(self.leading),
            captured_last=self.last, other_hand_size=self.held, rules=rule_numbers(self.rules), parameters=parameters,
            rng=SeatStream(self.seed, 0, 0, SEAT_0), lookup=self.rules, history=self.history,
        )  # fmt: skip

    def to_text(self) -> str:
        """The position as it is read."""
        lines = [f"rules: {self.rules.name}"] if self.rules.name != "egyptian-v2" else []
        lines += [f"hand: {set_text(self.hand)}", f"floor: {set_text(self.floor)}", f"unseen: {set_text(self.unseen)}"]
        lines += [f"deal: {self.deal}", f"leading: {'yes' if self.leading else 'no'}"]
        for name in ("piles", "scores", "points"):
            lines.append(f"{name}: {getattr(self, name)[0]} {getattr(self, name)[1]}")
        lines.append(f"last: {('nobody', 'me', 'other')[self.last]}")
        if self.mine is not None:
            lines.append(f"mine: {set_text(self.mine) or '-'}")
        if self.stake is not None and self.stake != self.rules.majority_points:
            lines.append(f"stake: {self.stake}")
        if self.buried:
            lines.append(f"buried: {set_text(self.buried)}")
        if self.history:
            lines.append(f"played: {cards_text(self.history)}")
        if self.seed:
            lines.append(f"seed: {self.seed}")
        return "\n".join(lines)


# ------------------------------------------------------------------------------------------------ reading
def read_position(text: str, rules: RuleSet | None = None) -> Position:
    """A position from text; BadInput says in one line what does not fit. `rules` are used where the text names none."""
    found = _words(text)
    rule_set = _rules(found, rules)
    hand = _cards(found, "hand")
    floor = _cards(found, "floor") if "floor" in found else 0
    if not hand:
        raise BadInput("position: 'hand' is missing; write for example hand: 7d Jc")
    deal = _number(found, "deal", 0, 5, default=0)
    size = hand.bit_count()
    if size > 4:
        raise BadInput(f"position: a hand holds at most 4 cards, not {size}")
    leading = _yes(found, "leading")
    held = size if leading else size - 1
    unseen, gone = _hidden(found, hand, floor, deal, held)
    mine = _cards(found, "mine") if "mine" in found else None
    history: tuple[int, ...] = ()
    if "played" in found:
        history, took = _history(found, rule_set, floor | gone, hand | unseen, floor, leading)
        if mine not in (None, took):
            raise BadInput(f"position: what was played puts {set_text(took) or 'nothing'} into my pile, not what 'mine' lists")
        mine = took
    piles, notes = _piles(found, gone, mine)
    bonus = rule_numbers(rule_set).bonus_cards & gone
    if bonus and mine is None:
        notes = (*notes, f"who took {set_text(bonus)} is not known: the lowest of the cards gone are taken to be mine")
    last = {"nobody": 0, "me": 1, "other": 2}.get(found.get("last", "nobody" if not any(piles) else "me"), -1)
    if last < 0:
        raise BadInput(f"position: last: '{found['last']}' is not allowed; it is me, other or nobody")
    seed = _number(found, "seed", 0, (1 << 64) - 1, default=0)
    scores, points = (_two(found, name) for name in ("scores", "points"))
    for made in points:
        basra_counts(rule_set, made)
    stake = _number(found, "stake", 0, 10_000, default=rule_set.majority_points) if "stake" in found else None
    buried = _cards(found, "buried")
    return Position(
        rule_set, hand, floor, unseen, deal, leading, piles, scores, points, last, seed, mine, stake, buried, history, notes
    )


def _words(text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for part in text.replace(";", "\n").splitlines():
        line = part.partition("#")[0].strip()
        if not line:
            continue
        word, colon, rest = line.partition(":")
        word = word.strip().lower()
        if not colon or word not in WORDS:
            hint = nearest(word, list(WORDS)) or f"it knows {', '.join(WORDS)}"
            raise BadInput(f"position: '{line}' begins with no known word and a colon; {hint}")
        if word in found:
            raise BadInput(f"position: '{word}' is given twice")
        found[word] = rest.strip()
    return found


def _rules(found: dict[str, str], rules: RuleSet | None) -> RuleSet:
    if "rules" in found or "set" in found:
        name, _, more = found.get("rules", "egyptian-v2").partition(" with ")
        return load_rules(name, [*more.split(), *found.get("set", "").split()])
    return rules or load_rules("egyptian-v2")


def _cards(found: dict[str, str], word: str) -> int:
    text = found.get(word, "")
    return 0 if text in ("-", "none", "empty") else to_set(parse_cards(text))


def _hidden(found: dict[str, str], hand: int, floor: int, deal: int, held: int) -> tuple[int, int]:
    """(unseen, gone): one of them may be given, both if they fit, none if no card is gone."""
    known = {"hand": hand, "floor": floor}
    for word in ("gone", "unseen"):
        if word in found:
            known[word] = _cards(found, word)
    names = list(known)
    for index, one in enumerate(names):
        for other in names[:index]:
            if known[one] & known[other]:
                raise BadInput(f"position: {set_text(known[one] & known[other])} is both in '{other}' and in '{one}'")
    hidden = held + 8 * (5 - deal)
    if "unseen" in known:
        unseen = known["unseen"]
    else:
        unseen = ALL_CARDS & ~(hand | floor | known.get("gone", 0))
    gone = ALL_CARDS & ~(hand | floor | unseen)
    if "gone" in known and gone != known["gone"]:
        raise BadInput("position: hand, floor, gone and unseen together are not the whole pack; leave out gone or unseen")
    if unseen.bit_count() != hidden:
        raise BadInput(
            f"position: in deal {deal} with {hand.bit_count()} cards in hand {hidden} cards are unseen "
            f"({held} of the other, {8 * (5 - deal)} in the stock), but the text leaves {unseen.bit_count()}; "
            "list them as 'unseen', or those in the piles as 'gone'"
        )
    return unseen, gone


def _piles(found: dict[str, str], cards: int, mine: int | None) -> tuple[tuple[int, int], tuple[str, ...]]:
    """Sizes of both piles out of the cards gone, of which `mine` are known to be in my pile."""
    gone = cards.bit_count()
    if mine is not None and mine & ~cards:
        raise BadInput(f"position: {set_text(mine & ~cards)} cannot be in my pile: not gone, but held, unseen or on the floor")
    own = None if mine is None else (mine.bit_count(), gone - mine.bit_count())
    if "piles" in found:
        piles = _two(found, "piles")
        if sum(piles) != gone:
            raise BadInput(f"position: the piles hold {piles[0]} + {piles[1]} cards, but {gone} cards are gone")
        if own not in (None, piles):
            what = "'mine' lists" if "mine" in found else "what was played puts into my pile"
            raise BadInput(f"position: {what} {own[0]} cards, but my pile holds {piles[0]}")
        return piles, ()
    half = gone // 2
    return own or (gone - half, half), ((f"piles not given: taken as {gone - half} and {half}",) if gone and not own else ())


def _history(
    found: dict[str, str], rules: RuleSet, played: int, held: int, floor: int, leading: bool
) -> tuple[tuple[int, ...], int]:
    """(cards in the order played, card set of my pile), where they lead to this floor; `played` are they and the first floor."""
    text = found["played"]
    cards = () if text in ("", "-", "none") else tuple(parse_cards(text))
    ply = played.bit_count() - 4
    if len(cards) != ply:
        raise BadInput(f"position: 'played' lists {len(cards)} cards, but this is ply {ply}: so many were played before it")
    if to_set(cards) & held:
        raise BadInput(f"position: {set_text(to_set(cards) & held)} cannot have been played: in my hand or unseen")
    lies = played & ~to_set(cards)
    mine = 0
    for number, card in enumerate(cards):
        taken = captures.play(rules, lies, card).taken
        if taken and (number % 2 == 0) == leading:
            mine |= taken | 1 << card
        lies = lies & ~taken if taken else lies | 1 << card
    if lies != floor:
        left = set_text(lies) or "nothing"
        raise BadInput(f"position: what was played leaves {left} on the floor, not {set_text(floor) or 'nothing'}")
    return cards, mine


def _two(found: dict[str, str], word: str) -> tuple[int, int]:
    parts = found.get(word, "0 0").replace("-", " ").replace(",", " ").split()
    if len(parts) != 2 or not all(part.isdigit() for part in parts):
        raise BadInput(f"position: {word}: '{found[word]}' is not two numbers, mine and the other's")
    return int(parts[0]), int(parts[1])


def _number(found: dict[str, str], word: str, low: int, high: int, default: int) -> int:
    text = found.get(word, str(default))
    if not text.isdigit() or not low <= int(text) <= high:
        raise BadInput(f"position: {word}: '{text}' is not a whole number from {low} to {high}")
    return int(text)


def _yes(found: dict[str, str], word: str) -> bool:
    text = found.get(word, "yes").lower()
    if text not in ("yes", "no"):
        raise BadInput(f"position: {word}: '{text}' is yes or no")
    return text == "yes"


def basra_counts(rules: RuleSet, points: int) -> int:
    """Basras worth these points as a desk counts them; BadInput if no basras add up to them."""
    worth = kind_points(rules)
    for jacks in range(points // worth[5] + 1 if worth[5] else 1):
        rest = points - jacks * worth[5]
        for kind in (3, 4):
            if rest == 0 or (worth[kind] and rest % worth[kind] == 0):
                number = rest // worth[kind] if rest else 0
                return (number << (KIND_BITS * kind)) + (jacks << (KIND_BITS * 5))
    raise BadInput(f"position: no basras are worth {points} points under these rules")


# ------------------------------------------------------------------------------------------------ asking
def ask(player: Player, position: Position) -> int:
    """The card that a strategy plays there; compiled strategies are called as the engine calls them."""
    strategy = player.strategy.under(position.rules)
    if player.entry is None:
        chosen: int = strategy.choose(position.view(strategy.parameters))
        return chosen
    return Desk(player, position).ask()


class Desk:
    """A side's memory set to a position, for a compiled strategy."""

    def __init__(self, player: Player, position: Position) -> None:
        self.player, self.position = player, position
        table = load_table(position.rules)
        self.memory = Memory(position.rules, table, 1)
        self.memory.give_values(values.block(position.rules))
        self.memory.give_parameters(0, parameter_words(player.strategy.under(position.rules).parameters))
        self.row = table.base + 64 * _row(table, position.rules, position.floor)
        known = position.first_floor >= 0
        opening = 64 * _row(table, position.rules, position.first_floor) if known else 0
        desks = self.memory.desks
        desks["pile"], desks["score"] = position.pile_sets, position.scores
        desks["kinds"] = [basra_counts(position.rules, points) for points in position.points]
        desks["buried"], desks["stake"] = position.buried, position.majority_stake
        desks["opening"] = table.base + opening
        played = desks["played"]
        played[:] = NOT_KNOWN
        for ply, card in enumerate(position.history if known else ()):
            played[(ply ^ position.leading ^ 1) & 1, ply] = card
        stream = SeatStream(position.seed, 0, 0, SEAT_0)
        desks["s0"][0], desks["s1"][0] = stream._words

    def ask(self) -> int:
        """Call the strategy's compiled entry."""
        call = ctypes.CFUNCTYPE(ctypes.c_int64, *([ctypes.c_int64] * 6))(self.player.entry.address)
        position = self.position
        last = 0 if position.last == 0 else (1 if (position.last == 1) == position.leading else 2)
        moment = position.ply | last << 7
        seen = ALL_CARDS & ~position.unseen
        return int(call(position.hand, position.floor, self.row, seen, moment, self.memory.desks.ctypes.data))


def _row(table: Any, rules: RuleSet, floor: int) -> int:
    """The row of a floor in the automaton; BadInput if no play leads to it."""
    code = 0
    merged = rules.komi_on_floor == "seven"
    rest = floor
    while rest:
        card_class = class_of((rest & -rest).bit_length() - 1)
        rest &= rest - 1
        code += (1 << 18 if merged else 1 << 39) if card_class == 13 else 1 << (3 * card_class)
    found = np.flatnonzero(table.codes == code)
    if not len(found):
        raise BadInput(f"position: no play leads to the floor {set_text(floor)} under these rules")
    return int(found[0])
