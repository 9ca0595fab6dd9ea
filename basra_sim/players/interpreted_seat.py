"""A side whose cards plain Python chooses, called back by the engine: the same plays as compiled, a hundred times slower."""

from __future__ import annotations

import ctypes
import struct
from operator import index
from typing import Any

import numpy as np

from basra_sim.engine.jit.strategy_calls import RAISED, callback, callback_address
from basra_sim.engine.layouts import BURIED_AT, DESK_BYTES, KIND_BITS, KIND_FIELD, MARK_AT, PILE_AT, PLAYED_AT, SECRETS_AT
from basra_sim.engine.memory import Memory
from basra_sim.engine.rule_numbers import rule_numbers
from basra_sim.engine.sight import View
from basra_sim.engine.streams import SeatStream
from basra_sim.game.cards import ALL_CARDS
from basra_sim.game.rules import RuleSet

from .strategy import Strategy

NO_CARD = -3  # what a callback returns when the strategy gave something that is no card


class _DeskStream(SeatStream):
    """The seat's stream, whose words are copied in from the desk before a play and out after it: it reaches nothing else."""

    def __init__(self) -> None:
        self._words = [0, 0]


class Answer:
    """What a strategy gave instead of a card; its repr never fails."""

    def __init__(self, given: Any) -> None:
        try:
            self.text = repr(given)
        except Exception:
            self.text = f"an object of {type(given).__name__}"

    def __repr__(self) -> str:
        return self.text


_STREAM = struct.Struct("<QQ")
# a desk from its start: stream; pile, basras by kind and score; buried and stake
_OWN = struct.Struct(f"<QQ{PILE_AT - 16}xqqq{BURIED_AT - PILE_AT - 24}xqq")
_OTHER = struct.Struct("<qqq")  # the other desk from PILE_AT: pile, basras by kind, score
MARK = MARK_AT // 8
_new_view = tuple.__new__  # what View(...) calls in the end


def _unpacked(moment: int) -> tuple[int, int, int, int, int]:
    """(deal, ply, leading, captured_last, other_hand_size) of a moment, as view.py has it."""
    ply, leading, last = moment & 63, 1 - (moment & 1), moment >> 7
    captured_last = 0 if last == 0 else 1 if (last == 1) == (leading == 1) else 2
    return ply >> 3, ply, leading, captured_last, 3 + leading - ((ply & 7) >> 1)


_MOMENTS = tuple(_unpacked(moment) for moment in range(3 * 128))


class OpenRules(RuleSet):
    """The rules as a strategy that says CHEATS = True gets them: with the dealt hands of the round in `secrets`."""


class InterpretedSeat:
    """A side of one worker's memory whose cards are chosen by plain Python. `fault` keeps what went wrong.

    An object is made anew for each game, so that no game depends on which others were played before it in this worker.
    """

    def __init__(self, strategy: Strategy, rules: RuleSet, memory: Memory, side: int) -> None:
        self._choose, self._factory = strategy.choose, strategy.factory
        self._parameters = strategy.parameters
        self._rules, self._numbers = rules, rule_numbers(rules)
        self._memory, self._scored = memory, 0
        self._raw = memory.desks.view(np.uint8).data.cast("B")
        self._own, self._other = side * DESK_BYTES, (1 - side) * DESK_BYTES
        self._cards, self._other_cards = (self._raw[desk + PLAYED_AT :] for desk in (self._own, self._other))
        self._history: tuple[int, ...] = ()  # of the round, as its last view had it
        self._marks = memory.desks[side : side + 1].view(np.int64).data
        self._stream = _DeskStream()
        self._bonus, self._target = self._numbers.bonus_cards, self._numbers.target
        self._points: dict[int, int] = {0: 0}
        self._cheats = strategy.card.cheats
        if self._cheats:
            self._rules = OpenRules(**rules.to_dict())
        self.fault: BaseException | None = None
        self.answer: Any = None
        self._made = callback(self._play)
        self.address = callback_address(self._made)

    def _play(self, hand: int, floor: int, row: int, seen: int, moment: int, desk: int) -> int:
        self._marks[MARK] += 1
        try:
            if self._factory is not None and moment & 63 < 2 and self._is_new_game():
                self._begin_game(self._factory())
            answer = self._answer(hand, floor, seen | hand, moment)
            return answer if type(answer) is int and 0 <= answer <= 51 else self._card(answer)
        except BaseException as error:
            self.fault = error
            return RAISED
        finally:
            self._marks[MARK] += 1

    def _card(self, answer: Any) -> int:
        """An answer that is not simply an int of 0..51: integers of numpy are cards too, True is none."""
        try:
            card = -1 if isinstance(answer, (bool, np.bool_)) else index(answer)
        except TypeError:
            card = -1
        if 0 <= card <= 51:
            return card
        self.answer = Answer(answer)
        return NO_CARD

    def _is_new_game(self) -> bool:
        """At the first ply of this side in a round: is it a game's first round? A game that goes on at 0-0 is none."""
        memory = self._memory
        scored, before = int(memory.role_points.sum()), self._scored
        self._scored = scored
        if any(_OTHER.unpack_from(self._raw, desk + PILE_AT)[2] for desk in (self._own, self._other)):
            return False  # one of the scores
        return self._rules.single_round or memory.get("rounds_played") == 0 or scored != before

    def _begin_game(self, made: Any) -> None:
        self._choose = made.choose
        if hasattr(made, "new_game"):
            made.new_game()

    def _answer(self, hand: int, floor: int, seen: int, moment: int) -> Any:
        """Ask for a card. Every play comes through here: two reads of the desks, no call that can be spared."""
        s0, s1, pile, kinds, score, buried, stake = _OWN.unpack_from(self._raw, self._own)
        other_pile, other_kinds, other_score = _OTHER.unpack_from(self._raw, self._other + PILE_AT)
        words = self._stream._words
        words[0], words[1] = s0, s1
        bonus, points, deal, ply, leading, captured_last, other_hand_size = self._bonus, self._points, *_MOMENTS[moment]
        if ply > 1:  # since this side was asked last, it and the other have played a card each
            history = self._history = (*self._history, self._cards[ply - 2], self._other_cards[ply - 1])
        else:
            history = self._history = (self._other_cards[0],) if ply else ()
        view = _new_view(View, (  # its fields in their order
            hand, floor, seen, ALL_CARDS & ~seen, buried, pile.bit_count(), other_pile.bit_count(), score, other_score,
            points[kinds] if kinds in points else self._count_points(kinds),
            points[other_kinds] if other_kinds in points else self._count_points(other_kinds),
            pile & bonus, other_pile & bonus, self._target, stake, deal, ply, leading, captured_last, other_hand_size,
            self._numbers, self._parameters, self._stream, self._rules, history,
        ))  # fmt: skip
        if self._cheats:
            object.__setattr__(self._rules, "secrets", self._secrets())
        answer = self._choose(view)
        if words[0] != s0 or words[1] != s1:
            _STREAM.pack_into(self._raw, self._own, *words)
        return answer

    def _secrets(self) -> tuple[int, ...]:
        """The dealt round: the leader's six hands, then the dealer's."""
        (at,) = struct.unpack_from("<q", self._raw, self._own + SECRETS_AT)
        return tuple((ctypes.c_int64 * 12).from_address(at))

    def _count_points(self, kinds: int) -> int:
        """The points of the basras in a desk's word of kinds, kept for the next time."""
        numbers = self._numbers
        ordinary, komi, jack = ((kinds >> (KIND_BITS * kind)) & KIND_FIELD for kind in (3, 4, 5))
        points = ordinary * numbers.basra_points + komi * numbers.komi_basra_points + jack * numbers.jack_basra_points
        self._points[kinds] = points
        return points
