"""What search works on: the rules, the stakes and the aim of one decision, packed once so that every step stays cheap.

Compiled, a problem is an address on the side's slate; in plain Python it is an object. Both have the same functions here.

A tally is what both sides hold at a moment of the search: two halves of 32 bits, mine below and the other's above, each
with its cards in the low 8 bits and its points (majority apart) above them. `shift` says whose half: 0 mine, 32 the other's.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from basra_sim.engine.clock import thread_time
from basra_sim.engine.floor_table.floors import LOOK, NEXT, RARE, TAKEN, class_of, entry_of, kind_of_entry, look_closer
from basra_sim.engine.jit.compiling import JIT_ON, overload, piece
from basra_sim.engine.jit.instructions import lowest, popcount, put_word, real, stay_apart, word
from basra_sim.engine.jit.typed_memory import layout, place_in, record_at
from basra_sim.engine.layouts import RULES, SLATE_AT, row_at
from basra_sim.engine.sight import BASRA
from basra_sim.engine.view_helpers import Floor, card_points
from basra_sim.game import captures

from . import value_tables as values

_CARD_POINTS = place_in(RULES, "card_points") // 8
_VALUES = RULES.itemsize // 8  # words of the value tables, behind the rules
_POINTS_OF_KINDS = place_in(RULES, "basra_points") // 8 - BASRA
MINE, OTHERS, NOBODY = 0, 32, 64  # shifts; NOBODY has captured yet
POINTS = 8  # bits of cards below the points of a tally's half
HALF = (1 << 32) - 1
CARDS = 255
FOR_POINTS, FOR_WIN = 0, 1
ONE = 1 << 20  # a worth is a whole number: points, or percent of chances to win, times this
WIN_WEIGHT, POINT_WEIGHT = 100.0, 1.0 / 1024  # of chances to win and, among equal chances, of points


class Step(NamedTuple):
    """What a card does on a floor, as search wants it."""

    gain: int  # a tally's half to be added: cards and points
    floor: Floor


# ------------------------------------------------------------------------------------------------ plain Python
class Problem:
    """The twin of the words on the slate."""

    def __init__(self, view: Any, aim: int) -> None:
        self.rules = view.lookup
        self.points = self.rules.points_of_cards()
        self.bonus = view.rules.bonus_cards
        self.stake = view.majority_stake
        self.aim = aim
        self.leading = view.leading
        self.boundary = view.deal + 1
        self.my_score, self.other_score = view.my_score, view.other_score
        self.single, self.target = view.rules.single_round, view.target
        self.table = _floats(self.rules)
        self.slate = [0] * NOTES


_TABLES: dict[int, tuple[Any, list[float]]] = {}


def _floats(rules: Any) -> list[float]:
    """The rule set's table as Python floats, made again when other counts came into use."""
    table = values.block(rules)
    kept = _TABLES.get(id(table))
    if kept is None or kept[0] is not table:
        kept = _TABLES[id(table)] = (table, table.tolist())
    return kept[1]


def open_problem(view: Any, aim: int) -> Any:
    """Pack what a search from this view needs: `aim` is FOR_POINTS (difference of the round) or FOR_WIN (chance to win)."""
    return Problem(view, aim)


def step(problem: Any, floor: Floor, card: int) -> Step:
    """Play a card on a floor."""
    play = captures.play(problem.rules, floor.cards, card)
    if not play.taken:
        return Step(0, Floor(floor.cards | 1 << card, 0))
    points = play.points
    got = (play.taken | 1 << card) & problem.bonus
    while got:
        points += problem.points[lowest(got)]
        got &= got - 1
    return Step(play.taken.bit_count() + 1 | points << POINTS, Floor(floor.cards & ~play.taken, 0))


def bonus_of(problem: Any, card_set: int) -> int:
    """Card points of a set."""
    return sum(problem.points[card] for card in range(52) if card_set >> card & 1)


CLOCK = 380  # places on the slate that the clock is read into


def clock(problem: Any) -> int:
    """Nanoseconds of processor time of this thread."""
    return thread_time(0)


def takes(problem: Any, floor: Floor, card: int) -> bool:
    """Would a card capture anything on a floor?"""
    return step(problem, floor, card).gain != 0


def note(problem: Any, place: int, number: int) -> None:
    """Write a whole number on the slate, places 0..383."""
    problem.slate[place] = number


def noted(problem: Any, place: int) -> int:
    """Read it again."""
    number: int = problem.slate[place]
    return number


# ------------------------------------------------------------------------------------------------ compiled
# Words of the slate. `_NAMES` have accessors of both kinds: stake(problem) and so on.
_NAMES = (
    "base", "codes", "rules", "bonus", "stake", "aim", "leading", "boundary", "my_score", "other_score", "single", "target",
)  # fmt: skip

NOTES_AT, NOTES = 128, 384  # where the places of `note` begin, and how many there are
_BASE, _CODES, _RULES = range(3)
problem_at = record_at(layout(NOTES_AT, **{name: (8 * number, np.int64) for number, name in enumerate(_NAMES)}))


def _field(name: str) -> Any:
    place = _NAMES.index(name)

    def get(problem: Any) -> int:
        number: int = getattr(problem, name)
        return number

    get.__name__ = name
    if JIT_ON:

        @overload(get)
        def typed(problem):
            return lambda problem: word(problem, place)

    return get


bonus_cards, stake, aim_of, leading, boundary = map(_field, ("bonus", "stake", "aim", "leading", "boundary"))
my_score, other_score, single, target = map(_field, ("my_score", "other_score", "single", "target"))


def table_at(problem: Any, place: int) -> float:
    """A word of the rule set's value table."""
    number: float = problem.table[place]
    return number


@piece
def _rare(problem, floor, card_class, entry, left):
    """(points scored at once, exact cards left) of a capture that scores or whose cards need a closer look; compiled only."""
    stay_apart()
    kind = kind_of_entry(entry)
    if entry & LOOK:
        left, kind = look_closer(floor, card_class, entry, word(problem, _BASE), word(problem, _CODES))
    points = word(word(problem, _RULES), _POINTS_OF_KINDS + kind) if kind >= BASRA else 0
    return points, left


if JIT_ON:

    @overload(open_problem)
    def _typed_open_problem(view, aim):
        def opened(view, aim):
            address = view.rng + SLATE_AT
            problem = problem_at(address)
            problem.base, problem.codes, problem.rules = view.lookup.base, view.lookup.codes, view.lookup.rules
            problem.bonus, problem.stake, problem.aim = view.rules.bonus_cards, view.majority_stake, aim
            problem.leading, problem.boundary = view.leading, view.deal + 1
            problem.my_score, problem.other_score = view.my_score, view.other_score
            problem.single, problem.target = view.rules.single_round, view.target
            return address

        return opened

    @overload(step)
    def _typed_step(problem, floor, card):
        def stepped(problem, floor, card):
            card_class = class_of(card)
            entry = entry_of(floor.row, card_class)
            row = word(problem, _BASE) + (entry & NEXT)
            both = floor.cards | (1 << card)
            left = both & row_at(row).present
            taken = entry & TAKEN
            if taken == 0:
                return Step(0, Floor(left, row))
            gain = taken + 1
            if entry & RARE:
                points, left = _rare(problem, floor.cards, card_class, entry, left)
                gain += points << POINTS
            got = both & ~left & bonus_cards(problem)
            if got:
                gain += bonus_of(problem, got) << POINTS
            return Step(gain, Floor(left, row))

        return stepped

    @overload(takes)
    def _typed_takes(problem, floor, card):
        return lambda problem, floor, card: entry_of(floor.row, class_of(card)) & TAKEN != 0

    @overload(note)
    def _typed_note(problem, place, number):
        def written(problem, place, number):
            put_word(problem + NOTES_AT, place, number)

        return written

    @overload(noted)
    def _typed_noted(problem, place):
        return lambda problem, place: word(problem + NOTES_AT, place)

    @overload(clock)
    def _typed_clock(problem):
        return lambda problem: thread_time(problem + NOTES_AT + 8 * CLOCK)

    @overload(bonus_of)
    def _typed_bonus_of(problem, card_set):
        def bonus(problem, card_set):
            stay_apart()
            rules = word(problem, _RULES)
            points = 0
            while card_set != 0:
                points += word(rules, _CARD_POINTS + lowest(card_set))
                card_set &= card_set - 1
            return points

        return bonus

    @overload(table_at)
    def _typed_table_at(problem, place):
        return lambda problem, place: real(word(problem, _RULES), _VALUES + place)


# ------------------------------------------------------------------------------------------------ both
@piece
def tally_of(view):
    """What both sides hold now."""
    mine = view.my_round_points
    other = view.other_round_points
    if view.rules.bonus_cards != 0:
        mine += _bonus_in_view(view, view.my_bonus_cards)
        other += _bonus_in_view(view, view.other_bonus_cards)
    return view.my_pile | (mine << POINTS) | ((view.other_pile | (other << POINTS)) << 32)


@piece
def _bonus_in_view(view, card_set):
    points = 0
    while card_set != 0:
        points += card_points(view, lowest(card_set))
        card_set &= card_set - 1
    return points


@piece
def last_of(view):
    """Who captured last, as a shift."""
    return NOBODY if view.captured_last == 0 else (MINE if view.captured_last == 1 else OTHERS)


@piece
def worth_now(problem, tally):
    """What a tally is worth to me in the middle of the deal, the cards still held left out of account.

    FOR_POINTS: expected points of mine minus the other's, times ONE; FOR_WIN: WIN_WEIGHT times the chance to win (draws
    half) plus POINT_WEIGHT times those points, times ONE. A whole number.
    """
    return _worth_at(problem, tally, boundary(problem) - 1, 0.0)


@piece
def worth_settled(problem, tally, last, floor):
    """The same when the deal has been played out and leaves a floor.

    After the last deal the floor goes to whoever captured last and the worth is exact. Before it the floor's size is worth
    some points to the leader, who plays next.
    """
    at = boundary(problem)
    left = popcount(floor.cards)
    if at < 6:
        points = table_at(problem, values.FLOOR + at * values.FLOOR_SIZES + min(left, values.FLOOR_SIZES - 1))
        return _worth_at(problem, tally, at, points if leading(problem) else -points)
    if last != NOBODY and left != 0:
        rest = floor.cards & bonus_cards(problem)
        if rest != 0:
            left += bonus_of(problem, rest) << POINTS
        tally += left << last
    return _worth_at(problem, tally, at, 0.0)


@piece
def _worth_at(problem, tally, at, more_points):
    """The worth of a tally at a boundary, with some points more expected."""
    stay_apart()
    mine = tally & HALF
    other = tally >> 32
    lead = (mine & CARDS) - (other & CARDS)
    led = leading(problem)
    place = at * values.CARD_CELLS + values.CARD_ZERO + (lead if led else -lead)
    more = table_at(problem, (values.MORE if led else values.FEWER) + place)
    fewer = table_at(problem, (values.FEWER if led else values.MORE) + place)
    mine >>= POINTS
    other >>= POINTS
    most = stake(problem)
    points = mine - other + (more - fewer) * most + more_points
    if aim_of(problem) == FOR_POINTS:
        return int(points * ONE)
    same = 1.0 - more - fewer
    chance = 0.0
    if more > 0.0:
        chance += more * _win_chance(problem, at, mine + most, other, more_points)
    if fewer > 0.0:
        chance += fewer * _win_chance(problem, at, mine, other + most, more_points)
    if same > 0.0:
        chance += same * _win_chance(problem, at, mine, other, more_points)
    return int((WIN_WEIGHT * chance + POINT_WEIGHT * points) * ONE)


@piece
def _win_chance(problem, at, mine, other, more_points):
    """The chance to win round or game with these points of the round at a boundary, no majority to come."""
    stay_apart()
    if single(problem):
        return _ahead(problem, at, mine - other, more_points)
    return _game(problem, at, mine + my_score(problem), other + other_score(problem), more_points)


@piece
def _ahead(problem, at, points, more_points):
    """The chance to end a single round ahead with this lead in points."""
    unit = table_at(problem, values.UNIT)
    cell = points // int(unit)
    led = leading(problem)
    if not led:
        cell = -cell
        more_points = -more_points
    chance = _ahead_cell(problem, at, cell)
    if more_points > 0.0:
        chance += more_points / unit * (_ahead_cell(problem, at, cell + 1) - chance)
    elif more_points < 0.0:
        chance -= more_points / unit * (_ahead_cell(problem, at, cell - 1) - chance)
    return chance if led else 1.0 - chance


@piece
def _ahead_cell(problem, at, cell):
    cell = min(values.POINT_ZERO, max(-values.POINT_ZERO, cell))
    return table_at(problem, values.AHEAD + at * values.POINT_CELLS + values.POINT_ZERO + cell)


@piece
def _game(problem, at, mine, other, more_points):
    """The chance to win the game with these scores at a boundary."""
    led = leading(problem)
    size = int(table_at(problem, values.GAME_SIZE))
    if at == 6:
        if mine >= target(problem) or other >= target(problem):
            if mine == other:
                return table_at(problem, values.TIE_LED if led else values.TIE_DEALT)
            return 1.0 if mine > other else 0.0
        cell = int(table_at(problem, values.GAME_CELL))
        return table_at(problem, values.GAME + (led * size + mine // cell) * size + other // cell)
    wide = int(table_at(problem, values.TOTAL_SIZE))
    cell = int(table_at(problem, values.TOTAL_CELL))
    start = values.GAME + 2 * size * size + ((at * 2 + led) * wide) * wide + min(wide - 1, other // cell)
    row = min(wide - 1, mine // cell)
    chance = table_at(problem, start + row * wide)
    if more_points > 0.0:
        chance += more_points / cell * (table_at(problem, start + min(wide - 1, row + 1) * wide) - chance)
    elif more_points < 0.0:
        chance -= more_points / cell * (table_at(problem, start + max(0, row - 1) * wide) - chance)
    return chance
