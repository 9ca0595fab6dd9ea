"""Builds the floor automaton of a rule set: closes it over every first floor, with a compiled twin of the capture code.

floors.py says what a row holds. The readable capture code judges what is built here, exhaustively, in the tests.
"""

from __future__ import annotations

from itertools import combinations_with_replacement, permutations

import numpy as np

from basra_sim.engine.jit.compiling import kernel, piece
from basra_sim.engine.layouts import CLASSES
from basra_sim.engine.sight import BASRA, CAPTURE, JACK_BASRA, KOMI_BASRA, SWEEP
from basra_sim.game.cards import KOMI
from basra_sim.game.rules import RuleSet

from .floors import (
    JACK_CLASS,
    KIND_SHIFT,
    KOMI_BIT,
    KOMI_CLASS,
    LOOK,
    MAX_ROWS,
    NEXT,
    NEXT_SHIFT,
    RARE,
    FloorTable,
    floor_classes,
    pair_numbers,
    table_options,
    table_rows,
)

_SLOTS = 1 << 20


# ------------------------------------------------------------------------------------------------ sums
def _partitions(total: int, largest: int) -> list[list[int]]:
    """All ways to write a total as a sum of parts up to `largest`, at most four of a part (there are four suits)."""
    if total == 0:
        return [[]]
    found = [[part, *rest] for part in range(min(total, largest), 0, -1) for rest in _partitions(total - part, part)]
    return [parts for parts in found if all(parts.count(part) <= 4 for part in parts)]


def _sum_groups() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Every group that totals r, for r = 1..10: counts in fields of 5 bits a rank (rank A lowest), sizes, first index."""
    needs, sizes, firsts = [], [], [0, 0]
    for value in range(1, 11):
        for parts in _partitions(value, value - 1) if value > 1 else []:
            needs.append(sum(1 << (5 * (part - 1)) for part in parts))
            sizes.append(len(parts))
        firsts.append(len(needs))
    return np.array(needs, np.int64), np.array(sizes, np.int64), np.array(firsts, np.int64)


_NEEDS, _SIZES, _FIRSTS = _sum_groups()
_GUARDS = sum(16 << (5 * rank) for rank in range(9))


@piece
def _order_key(used):
    """A number that is larger when the sorted list of card ids comes first: more of the lower rank."""
    key = 0
    for rank in range(9):
        key = key * 8 + ((used >> (5 * rank)) & 31)
    return key


@piece
def _best_sums(have, plain_sevens, komi, value, needs, sizes, firsts, stack):
    """The union of disjoint groups totalling `value` with the most cards, ties to the list of ids that comes first.

    `have` counts the number cards in 5-bit fields, the komi among the sevens. A komi apart is taken in any case; groups
    use it only where the plain sevens are used up, and only then it adds no card of its own. Returns the counts taken,
    a komi apart included.
    """
    best, best_cards, best_key = 0, -1, 0
    used, cards, depth = 0, 0, 0
    index = firsts[value]
    end = firsts[value + 1]
    while True:
        sevens = (used >> 30) & 31
        alone = 1 if komi == 1 and sevens <= plain_sevens else 0
        total = used + (alone << 30)
        if cards + alone > best_cards or (cards + alone == best_cards and _order_key(total) > best_key):
            best, best_cards, best_key = total, cards + alone, _order_key(total)
        # the next group that still fits; a group may be taken more than once
        while True:
            while index < end and (((have | _GUARDS) - needs[index]) & _GUARDS) != _GUARDS:
                index += 1
            if index < end:
                break
            if depth == 0:
                return best
            depth -= 1
            index = stack[depth]
            have += needs[index]
            used -= needs[index]
            cards -= sizes[index]
            index += 1
        stack[depth] = index
        depth += 1
        have -= needs[index]
        used += needs[index]
        cards += sizes[index]


# ------------------------------------------------------------------------------------------------ one floor
@piece
def _count(code, rank):
    return (code >> (3 * rank)) & 7


@piece
def _size(code):
    total = (code >> 39) & 1
    for rank in range(13):
        total += _count(code, rank)
    return total


@piece
def _number_fields(code):
    """The number cards below ten in 5-bit fields, the komi among the sevens."""
    have = 0
    for rank in range(9):
        have |= _count(code, rank) << (5 * rank)
    return have + (((code >> 39) & 1) << 30)


@piece
def _taken_by_number(code, rank, needs, sizes, firsts, stack):
    """The code of what a number card takes: its own rank, sums, and a komi apart."""
    komi = (code >> 39) & 1
    below = _number_fields(code) & ((1 << (5 * rank)) - 1)
    in_reach = komi if rank > 6 else 0
    used = _best_sums(below, _count(code, 6), in_reach, rank + 1, needs, sizes, firsts, stack)
    taken = _count(code, rank) << (3 * rank)
    for low in range(rank):
        count = (used >> (5 * low)) & 31
        if low == 6 and in_reach == 1:
            count -= 1  # that one is the komi itself
        taken |= count << (3 * low)
    return taken | (komi << 39)


@piece
def _taken(code, card_class, komi_sweeps, needs, sizes, firsts, stack):
    """The code of the floor cards that a card of a class takes (rules 5 to 9)."""
    if card_class == JACK_CLASS or (card_class == KOMI_CLASS and komi_sweeps):
        return code
    rank = 6 if card_class == KOMI_CLASS else card_class
    if rank > 9:
        return (_count(code, rank) << (3 * rank)) | (code & KOMI_BIT)
    return _taken_by_number(code, rank, needs, sizes, firsts, stack)


@piece
def _is_only(code, rank):
    return code != 0 and (code & ~(7 << (3 * rank))) == 0


@piece
def _komi_scores(code, komi_basra, takes_all):
    """Does a komi that sweeps this non-empty floor (not a lone jack) make a basra? komi_basra: 0 wild .. 4 never."""
    if komi_basra == 0:
        return takes_all
    if komi_basra == 1:
        total = 0
        for rank in range(13):
            if rank > 9 and _count(code, rank) > 0:
                return False
            total += (rank + 1) * _count(code, rank)
        return total <= 10
    if komi_basra == 2:
        return _size(code) == 1
    return komi_basra == 3


@piece
def _jack_kind(code, jack_basra):
    """A jack, or a komi that is a plain jack, on a floor without a lone komi. jack_basra: 0 lone_jack, 1 all_jacks, 2 never."""
    if jack_basra == 2 or not _is_only(code, 10):
        return SWEEP
    return JACK_BASRA if jack_basra == 1 or _count(code, 10) == 1 else SWEEP


@piece
def _kind_of_sweep(code, card_class, options, takes_all):
    """What a play that takes the whole non-empty floor is (rules 7 to 11). `options` are those of table_options."""
    if card_class == JACK_CLASS:
        if code == KOMI_BIT:
            return JACK_BASRA if options[4] == 0 else (BASRA if options[4] == 1 else SWEEP)
        return _jack_kind(code, options[0])
    if card_class == KOMI_CLASS and options[1] == 0:
        if _is_only(code, 10) and _count(code, 10) == 1:
            return JACK_BASRA if options[3] == 0 else (KOMI_BASRA if options[3] == 1 else SWEEP)
        # rule 8: otherwise it is a plain jack
        return KOMI_BASRA if _komi_scores(code, options[2], takes_all) else _jack_kind(code, options[0])
    return BASRA


@piece
def _entry_without_next(code, card_class, taken, options, takes_all):
    """The taken, kind and look fields of an entry."""
    cards = _size(taken)
    if cards == 0:
        return 0
    kind = CAPTURE
    if taken == code:
        kind = _kind_of_sweep(code, card_class, options, takes_all)
    entry = cards | (kind << KIND_SHIFT)
    for rank in range(13):
        if 0 < _count(taken, rank) < _count(code, rank):
            entry |= LOOK | RARE  # some of a rank stay: which suits is for the exact cards to say
    merged = options[5] == 1
    if merged and card_class == JACK_CLASS and options[4] != 2 and code == 1 << 18:
        entry |= LOOK | RARE  # a lone seven may be the komi
    if kind >= BASRA:
        entry |= RARE
    return entry


@piece
def _slot_of(code, keys):
    """The place of a code in the open-addressing hash, or the free place where it belongs."""
    slot = ((code * 0x9E3779B97F4A7C1) >> 24) & (_SLOTS - 1)
    while keys[slot] != -1 and keys[slot] != code:
        slot = (slot + 1) & (_SLOTS - 1)
    return slot


@piece
def _numbered(code, keys, ids, codes, count):
    """(number of a floor, how many floors are known now): it gets the next number if it is new."""
    slot = _slot_of(code, keys)
    if keys[slot] == -1:
        keys[slot] = code
        ids[slot] = count
        codes[count] = code
        count += 1
    return ids[slot], count


@piece
def _following(code, card_class, taken, merged):
    """The floor after a play, or -1 where all such cards lie there already, so that none can be played."""
    rank = 6 if card_class == KOMI_CLASS else card_class
    if card_class == KOMI_CLASS and not merged:
        lies, most, laid = (code >> 39) & 1, 1, KOMI_BIT
    else:
        lies, most, laid = _count(code, rank), 3 if rank == 6 and not merged else 4, 1 << (3 * rank)
    if lies >= most:
        return -1
    return code - taken if taken != 0 else code + laid


@kernel
def _close(first, options, needs, sizes, firsts, keys, ids, codes, entries):
    """Close the automaton over the first floors. Fills codes and entries (n, 14), int64; returns n, or -1 if too many."""
    stack = np.zeros(64, np.int64)
    takes = np.zeros(CLASSES, np.int64)
    komi_sweeps, merged = options[1] == 0, options[5] == 1
    count = 0
    for code in first:
        _, count = _numbered(code, keys, ids, codes, count)
    done = 0
    while done < count:
        code = codes[done]
        takes_all = False  # would some card other than a jack take this whole floor?
        for card_class in range(CLASSES):
            takes[card_class] = _taken(code, card_class, komi_sweeps, needs, sizes, firsts, stack)
            if card_class != JACK_CLASS and card_class != KOMI_CLASS and takes[card_class] == code:
                takes_all = True
        for card_class in range(CLASSES):
            following = _following(code, card_class, takes[card_class], merged)
            if following < 0:
                entries[done, card_class] = -1
                continue
            number, count = _numbered(following, keys, ids, codes, count)
            if count > MAX_ROWS - 2:
                return -1
            what = _entry_without_next(code, card_class, takes[card_class], options, takes_all)
            entries[done, card_class] = what | (number << NEXT_SHIFT)
        done += 1
    return count


@kernel
def _count_visits(entries, starts, visits, rounds):
    """How often random play meets each floor: an ordering that keeps the busy rows together, nothing else."""
    state = 12345
    pack = np.arange(52)
    for _ in range(rounds):
        for place in range(51, 0, -1):
            state = (state * 6364136223846793005 + 1442695040888963407) & 0x7FFFFFFFFFFFFFFF
            other = (state >> 33) % (place + 1)
            pack[place], pack[other] = pack[other], pack[place]
        row = starts[(state >> 33) % len(starts)]
        for place in range(48):
            card_class = KOMI_CLASS if pack[place] == KOMI else pack[place] >> 2
            visits[row] += 1
            if entries[row, card_class] >= 0:
                row = (entries[row, card_class] & NEXT) >> NEXT_SHIFT


# ------------------------------------------------------------------------------------------------ the whole table
def _first_floors(rules: RuleSet) -> dict[tuple[int, ...], int]:
    """Every multiset of four classes that may be the first floor -> its code."""
    merged = rules.komi_on_floor == "seven"
    found: dict[tuple[int, ...], int] = {}
    for four in combinations_with_replacement(floor_classes(rules), 4):
        if any(four.count(c) > (1 if c == KOMI_CLASS else 3 if c == 6 else 4) for c in four):
            continue
        code = 0
        for c in four:
            code += (1 << 18 if merged else KOMI_BIT) if c == KOMI_CLASS else 1 << (3 * c)
        found[four] = code
    return found


def _start_rows(first: dict[tuple[int, ...], int], row_of: dict[int, int], pairs: np.ndarray) -> np.ndarray:
    starts = np.zeros(105 * 105, np.uint32)
    for four, code in first.items():
        for p in set(permutations(four)):
            starts[int(pairs[16 * p[0] + p[1]]) * 105 + int(pairs[16 * p[2] + p[3]])] = row_of[code]
    return starts


def build_table(rules: RuleSet) -> FloorTable:
    """Build the automaton of a rule set (about half a second once compiled)."""
    first = _first_floors(rules)
    options = table_options(rules)
    keys = np.full(_SLOTS, -1, np.int64)
    ids = np.zeros(_SLOTS, np.int64)
    codes = np.zeros(MAX_ROWS, np.int64)
    entries = np.zeros((MAX_ROWS, CLASSES), np.int64)
    seeds = np.array([0, *sorted(set(first.values()))], np.int64)
    count = _close(seeds, options, _NEEDS, _SIZES, _FIRSTS, keys, ids, codes, entries)
    if count < 0:
        raise MemoryError(f"more than {MAX_ROWS} floors can be reached under these rules")
    codes, entries = codes[:count].copy(), entries[:count]
    visits = np.zeros(count, np.int64)
    _count_visits(entries, np.arange(1, len(seeds)), visits, 100_000)
    visits[0] = visits.max() + 1  # the empty floor is row 0 of the floors
    order = np.argsort(-visits, kind="stable")
    place = np.empty(count, np.int64)
    place[order] = np.arange(count)
    entries = entries[order]
    playable = entries >= 0
    entries = np.where(playable, entries, 0)
    entries = np.where(playable, (entries & ~NEXT) | place[(entries & NEXT) >> NEXT_SHIFT] << NEXT_SHIFT, 0)
    codes = codes[order]
    rows = table_rows(entries, codes, ((JACK_BASRA, BASRA, SWEEP)[options[4]], options[5]))
    pairs = pair_numbers()
    row_of = {int(code): row for row, code in enumerate(codes[: 1 + count])}
    return FloorTable(rows, codes, _start_rows(first, row_of, pairs), pairs)
