"""The floor automaton: every floor that can be reached, and what each class of card does to it, in one table look-up.

A floor is counted by rank, with the komi apart unless it lies there as a plain 7 (komi_on_floor = seven). The table is a
compiled twin of the readable capture code, which judges it exhaustively in the tests.

A row is 64 bytes: 14 entries of 32 bits, one for each class of card that may be played (ranks A..K as 0..12, the komi as
13), then the 52-bit set of all cards whose rank lies on the floor. An entry, from its lowest bit: the floor cards taken
(5 bits), rare (1: it scores or wants a closer look), the next row (19, so that masked it is an offset in bytes), the kind
of play (3), a mark that the exact cards need a closer look (1).
"""

from __future__ import annotations

import hashlib
import os
from functools import lru_cache
from itertools import combinations_with_replacement, permutations
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from .cards import KOMI
from .jit import (
    JIT_ON,
    cache_folder,
    call_address,
    callback,
    callback_address,
    kernel,
    load_i64,
    load_u32,
    piece,
    popcount,
    strategy_entry,
)
from .rules import RuleSet

LAY, CAPTURE, SWEEP, BASRA, KOMI_BASRA, JACK_BASRA = range(6)
CLASSES = 14
JACK_CLASS, KOMI_CLASS = 10, 13
TAKEN, RARE, NEXT_SHIFT, NEXT, KIND_SHIFT, LOOK = 31, 32, 6, ((1 << 19) - 1) << 6, 25, 1 << 28
PRESENT = 56  # byte offset of the set of cards whose rank is present
KOMI_BIT = 1 << 39  # in a floor's code: 3 bits a rank for ranks 0..12, then the komi
MAX_ROWS = 1 << 19
_SLOTS = 1 << 20

# The options that the table depends on; everything else (points, target ...) is scored from the kinds.
TABLE_OPTIONS = (
    "jack_basra", "komi_power", "komi_basra", "komi_on_lone_jack", "jack_on_lone_komi", "komi_on_floor",
    "floor_banned", "floor_ban_action",
)  # fmt: skip


class FloorTable(NamedTuple):
    """The automaton of a rule set; the arrays must outlive every kernel that was given their addresses."""

    rows: np.ndarray  # uint32 (1 + n, 16), 64-byte aligned; row 0 is a header, floors start at row 1 (the empty floor)
    codes: np.ndarray  # int64 (n,): the counted floor of each row
    starts: np.ndarray  # uint32 (105 * 105,): the row of a first floor by its two pairs of classes
    pairs: np.ndarray  # uint8 (256,): the number of an unordered pair of classes, at 16 * one + other

    @property
    def base(self) -> int:
        """The address of the empty floor's row."""
        return int(self.rows.ctypes.data) + 64

    def start(self, classes: list[int]) -> int:
        """The row number of a first floor of four classes."""
        one, other = (int(self.pairs[16 * classes[k] + classes[k + 1]]) for k in (0, 2))
        return int(self.starts[one * 105 + other])


def class_of(card: int) -> int:
    """The class 0..13 of a card: its rank, the komi apart."""
    return KOMI_CLASS if card == KOMI else card // 4


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
def _order_key(used):  # type: ignore[no-untyped-def]
    """A number that is larger when the sorted list of card ids comes first: more of the lower rank."""
    key = 0
    for rank in range(9):
        key = key * 8 + ((used >> (5 * rank)) & 31)
    return key


@piece
def _best_sums(have, plain_sevens, komi, value, needs, sizes, firsts, stack):  # type: ignore[no-untyped-def]
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
def _count(code, rank):  # type: ignore[no-untyped-def]
    return (code >> (3 * rank)) & 7


@piece
def _size(code):  # type: ignore[no-untyped-def]
    total = (code >> 39) & 1
    for rank in range(13):
        total += _count(code, rank)
    return total


@piece
def _number_fields(code):  # type: ignore[no-untyped-def]
    """The number cards below ten in 5-bit fields, the komi among the sevens."""
    have = 0
    for rank in range(9):
        have |= _count(code, rank) << (5 * rank)
    return have + (((code >> 39) & 1) << 30)


@piece
def _taken_by_number(code, rank, needs, sizes, firsts, stack):  # type: ignore[no-untyped-def]
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
def _taken(code, card_class, komi_sweeps, needs, sizes, firsts, stack):  # type: ignore[no-untyped-def]
    """The code of the floor cards that a card of a class takes (rules 5 to 9)."""
    if card_class == JACK_CLASS or (card_class == KOMI_CLASS and komi_sweeps):
        return code
    rank = 6 if card_class == KOMI_CLASS else card_class
    if rank > 9:
        return (_count(code, rank) << (3 * rank)) | (code & KOMI_BIT)
    return _taken_by_number(code, rank, needs, sizes, firsts, stack)


@piece
def _is_only(code, rank):  # type: ignore[no-untyped-def]
    return code != 0 and (code & ~(7 << (3 * rank))) == 0


@piece
def _komi_scores(code, komi_basra, takes_all):  # type: ignore[no-untyped-def]
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
def _kind_of_sweep(code, card_class, options, takes_all):  # type: ignore[no-untyped-def]
    """What a play that takes the whole non-empty floor is (rules 7 to 11). `options` are the indices of _options."""
    if card_class == JACK_CLASS:
        if code == KOMI_BIT:
            return JACK_BASRA if options[4] == 0 else (BASRA if options[4] == 1 else SWEEP)
        lone = _is_only(code, 10) and _count(code, 10) == 1
        if options[0] == 2 or not _is_only(code, 10) or (options[0] == 0 and not lone):
            return SWEEP
        return JACK_BASRA
    if card_class == KOMI_CLASS and options[1] == 0:
        if _is_only(code, 10) and _count(code, 10) == 1:
            return JACK_BASRA if options[3] == 0 else (KOMI_BASRA if options[3] == 1 else SWEEP)
        return KOMI_BASRA if _komi_scores(code, options[2], takes_all) else SWEEP
    return BASRA


@piece
def _entry_without_next(code, card_class, taken, options, takes_all):  # type: ignore[no-untyped-def]
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
def _slot_of(code, keys):  # type: ignore[no-untyped-def]
    """The place of a code in the open-addressing hash, or the free place where it belongs."""
    slot = ((code * 0x9E3779B97F4A7C1) >> 24) & (_SLOTS - 1)
    while keys[slot] != -1 and keys[slot] != code:
        slot = (slot + 1) & (_SLOTS - 1)
    return slot


@kernel
def _close(first, options, needs, sizes, firsts, keys, ids, codes, entries):  # type: ignore[no-untyped-def]
    """Close the automaton over the first floors. Fills codes and entries (n, 14), int64; returns n, or -1 if too many."""
    stack = np.zeros(64, np.int64)
    takes = np.zeros(CLASSES, np.int64)
    komi_sweeps = options[1] == 0
    merged = options[5] == 1
    count = 0
    for code in first:
        slot = _slot_of(code, keys)
        if keys[slot] == -1:
            keys[slot] = code
            ids[slot] = count
            codes[count] = code
            count += 1
    done = 0
    while done < count:
        code = codes[done]
        takes_all = False  # would some card other than a jack take this whole floor?
        for card_class in range(CLASSES):
            takes[card_class] = _taken(code, card_class, komi_sweeps, needs, sizes, firsts, stack)
            if card_class != JACK_CLASS and card_class != KOMI_CLASS and takes[card_class] == code:
                takes_all = True
        for card_class in range(CLASSES):
            is_komi = card_class == KOMI_CLASS
            rank = 6 if is_komi else card_class
            limit = 3 if rank == 6 and not merged else 4
            laid = KOMI_BIT if is_komi and not merged else 1 << (3 * rank)
            lies = (code >> 39) & 1 if is_komi and not merged else _count(code, rank)
            taken = takes[card_class]
            if lies >= (1 if is_komi and not merged else limit):
                entries[done, card_class] = -1  # all such cards lie here already: cannot be played
                continue
            following = code - taken if taken != 0 else code + laid
            slot = _slot_of(following, keys)
            if keys[slot] == -1:
                if count == MAX_ROWS - 2:
                    return -1
                keys[slot] = following
                ids[slot] = count
                codes[count] = following
                count += 1
            what = _entry_without_next(code, card_class, taken, options, takes_all)
            entries[done, card_class] = what | (ids[slot] << NEXT_SHIFT)
        done += 1
    return count


@kernel
def _count_visits(entries, starts, visits, rounds):  # type: ignore[no-untyped-def]
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


# ------------------------------------------------------------------------------------------------ building and keeping
def _options(rules: RuleSet) -> np.ndarray:
    """The table's options as indices into the lists of allowed values."""
    order = {
        "jack_basra": ("lone_jack", "all_jacks", "never"),
        "komi_power": ("sweep", "none"),
        "komi_basra": ("wild", "sum_le_10", "single_card", "any", "never"),
        "komi_on_lone_jack": ("jack_basra", "basra", "none"),
        "jack_on_lone_komi": ("jack_basra", "basra", "none"),
        "komi_on_floor": ("any", "seven"),
    }
    return np.array([values.index(getattr(rules, name)) for name, values in order.items()], np.int64)


def floor_classes(rules: RuleSet) -> list[int]:
    """The classes that may lie on the first floor."""
    banned: set[int] = set()
    if rules.floor_ban_action != "leave" and rules.floor_banned != "none":
        banned = {JACK_CLASS} if rules.floor_banned == "jacks" else {JACK_CLASS, KOMI_CLASS}
    return [card_class for card_class in range(CLASSES) if card_class not in banned]


def _first_floors(rules: RuleSet) -> dict[tuple[int, ...], int]:
    """Every multiset of four classes that may be the first floor -> its code."""
    merged = rules.komi_on_floor == "seven"
    found = {}
    for four in combinations_with_replacement(floor_classes(rules), 4):
        if any(four.count(c) > (1 if c == KOMI_CLASS else 3 if c == 6 else 4) for c in four):
            continue
        code = 0
        for c in four:
            code += (1 << 18 if merged else KOMI_BIT) if c == KOMI_CLASS else 1 << (3 * c)
        found[four] = code
    return found


def _pair_numbers() -> np.ndarray:
    pairs = np.zeros(256, np.uint8)
    number = 0
    for one in range(CLASSES):
        for other in range(one, CLASSES):
            pairs[16 * one + other] = pairs[16 * other + one] = number
            number += 1
    return pairs


def _start_rows(first: dict[tuple[int, ...], int], row_of: dict[int, int], pairs: np.ndarray) -> np.ndarray:
    starts = np.zeros(105 * 105, np.uint32)
    for four, code in first.items():
        for p in set(permutations(four)):
            starts[int(pairs[16 * p[0] + p[1]]) * 105 + int(pairs[16 * p[2] + p[3]])] = row_of[code]
    return starts


def _present_set(codes: np.ndarray, merged: bool) -> np.ndarray:
    present = np.zeros(len(codes), np.int64)
    for rank in range(13):
        suits = 0xD if rank == 6 and not merged else 0xF
        present |= np.where((codes >> (3 * rank)) & 7 > 0, suits << (4 * rank), 0)
    return present | np.where(codes & KOMI_BIT != 0, 1 << KOMI, 0)


def build_table(rules: RuleSet) -> FloorTable:
    """Build the automaton of a rule set (about half a second once compiled)."""
    first = _first_floors(rules)
    options = _options(rules)
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
    rows = np.zeros((count + 1, 16), np.uint32)
    rows[1:, :CLASSES] = entries
    rows[1:, 14:] = _present_set(codes, rules.komi_on_floor == "seven").view(np.uint32).reshape(-1, 2)
    # header: what a jack on a lone komi makes where the table cannot tell the komi from another seven
    rows[0, 0] = (JACK_BASRA, BASRA, SWEEP)[options[4]]
    rows[0, 1] = options[5]  # is the komi merged into the sevens on the floor?
    pairs = _pair_numbers()
    row_of = {int(code): row for row, code in enumerate(codes[: 1 + count])}
    return FloorTable(_aligned(rows), codes, _start_rows(first, row_of, pairs), pairs)


def _aligned(rows: np.ndarray) -> np.ndarray:
    """A copy of the rows that starts at a multiple of 64 bytes, so that a row is one cache line."""
    room = np.empty(rows.nbytes + 64, np.uint8)
    shift = -room.ctypes.data % 64
    result = room[shift : shift + rows.nbytes].view(np.uint32).reshape(rows.shape)
    result[:] = rows
    return result


def table_key(rules: RuleSet) -> str:
    """A name for the table of a rule set, equal for rule sets that share it."""
    text = ",".join(str(getattr(rules, option)) for option in TABLE_OPTIONS)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def load_table(rules: RuleSet) -> FloorTable:
    """The automaton of a rule set: from memory, from the cache folder, or built and kept."""
    return _load(table_key(rules), rules)


_TABLES: dict[str, FloorTable] = {}


def _load(key: str, rules: RuleSet) -> FloorTable:
    if key in _TABLES:
        return _TABLES[key]
    path = cache_folder() / f"floors-{key}.npz"
    table = _read(path)
    if table is None:
        table = build_table(rules)
        _keep(path, table)
    _TABLES[key] = _ready(table)
    return table


def _read(path: Path) -> FloorTable | None:
    try:
        with np.load(path) as kept:
            return FloorTable(_aligned(kept["rows"]), kept["codes"], kept["starts"], kept["pairs"])
    except (OSError, ValueError, KeyError, EOFError):
        return None  # not there, or cut short: it is built again


def _keep(path: Path, table: FloorTable) -> None:
    """Write to a name of our own, then rename: two processes may build at once. Nothing is lost where it cannot be kept."""
    own = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    try:
        with open(own, "wb") as file:
            np.savez(file, rows=table.rows, codes=table.codes, starts=table.starts, pairs=table.pairs)
        os.replace(own, path)
    except OSError:
        own.unlink(missing_ok=True)


# ------------------------------------------------------------------------------------------------ the exact cards
def exact_floor(floor, code, merged, _3, _4, _5):  # type: ignore[no-untyped-def]
    """The exact cards left of `floor` when a capture makes it `code`: of each rank the lowest ids are taken.

    A komi that is not merged into the sevens is taken by every capture, so it goes first. It is needed about once in a
    hundred plies and called by address, so that it does not crowd the kernels.
    """
    if merged == 0:
        floor &= ~(1 << KOMI)
    left = 0
    for rank in range(13):
        cards = floor & (0xF << (4 * rank))
        for _ in range(popcount(cards) - ((code >> (3 * rank)) & 7)):
            cards &= cards - 1
        left |= cards
    return left


@lru_cache(maxsize=1)
def _exact_floor_function() -> tuple[Any, int]:
    """The compiled function (kept alive) and its address."""
    if JIT_ON:
        made = strategy_entry(exact_floor)
        return made, made.address
    made = callback(exact_floor)
    return made, callback_address(made)


def _ready(table: FloorTable) -> FloorTable:
    """Fill in the header's word that differs from process to process."""
    table.rows[0, 8:10] = np.array([_exact_floor_function()[1]], np.int64).view(np.uint32)
    return table


@piece
def look_closer(floor, card_class, entry, base, codes):  # type: ignore[no-untyped-def]
    """The exact cards left and the kind where a table entry bears the mark LOOK (a capture, always)."""
    kind = (entry >> KIND_SHIFT) & 7
    code = load_i64(codes + ((entry & NEXT) >> (NEXT_SHIFT - 3)))
    if card_class == JACK_CLASS and floor == 1 << KOMI:
        kind = load_u32(base - 64)  # a jack on a lone komi, merged into the sevens
    return call_address(load_i64(base - 32), floor, code, load_u32(base - 60), 0, 0, 0), kind
