"""The fast path for plain text logs: whole buffers of bytes to decks, bad lines left to the careful reader."""

from __future__ import annotations

import numpy as np

from basra_sim.engine.jit.compiling import kernel

from .deck_reader import CardReader, NumberReader

GOOD, BAD = 1, 2
_SEPARATOR, _IGNORED, _NEWLINE, _STRANGE = 64, 65, 66, 127
_SUIT = 32


def card_classes(reader: CardReader) -> np.ndarray | None:
    """uint8 (256,): rank 0..12, suit 32..35, separators; None when only the slow path reads these ranks."""
    vocabulary = reader.vocabulary
    if vocabulary.zero_based or vocabulary.marks & {"11", "12", "13", "14"}:
        return None
    table = np.full(256, _STRANGE, dtype=np.uint8)
    for mark, rank in vocabulary.ranks.items():
        if len(mark) == 1:
            table[ord(mark)] = table[ord(mark.lower())] = rank
    for index, suit in enumerate("CDHS"):
        table[ord(suit)] = table[ord(suit.lower())] = _SUIT + index
    table[[ord(mark) for mark in " ,;\t|\r"]] = _SEPARATOR
    table[[ord(mark) for mark in "[](){}\"'"]] = _IGNORED
    table[ord("\n")] = _NEWLINE
    return table


def number_table(reader: NumberReader) -> np.ndarray:
    """uint8 (128,): the card id of each integer, 255 where none."""
    table = np.full(128, 255, dtype=np.uint8)
    for number, card in reader.table.items():
        table[number] = card
    return table


@kernel
def card_line(buffer, place, table, decks, row):  # pragma: no cover - compiled
    """Read one line of cards into decks[row]: (place after it, cards, their set, is it odd, is it blank)."""
    rank, suit, count, seen, bad, blank = -1, -1, 0, np.int64(0), False, True
    while True:
        kind = table[buffer[place]]
        place += 1
        if kind == 66:
            break
        if kind == 65:
            blank = False
            continue
        if kind == 64:
            bad = bad or rank >= 0 or suit >= 0
            continue
        blank = False
        if kind < 32:
            bad = bad or rank >= 0
            rank = kind
            if buffer[place - 1] == 49 and buffer[place] == 48:  # "10"
                rank = 9
                place += 1
        elif kind < 64:
            bad = bad or suit >= 0
            suit = kind - 32
        else:
            bad = True
        if rank >= 0 and suit >= 0:
            card = np.int64(rank * 4 + suit)
            if count < decks.shape[1]:
                decks[row, count] = card
            seen |= np.int64(1) << card
            count += 1
            rank = suit = -1
    return place, count, seen, bad or rank >= 0 or suit >= 0, blank


@kernel
def scan_cards(buffer, start, stop, table, pack, decks, status, lines, offsets):  # pragma: no cover - compiled
    """Read whole lines of buffer[start:stop] (the last byte is a newline) into decks (rows, n).

    Each line that is not blank takes a row; status says GOOD or BAD; lines counts newlines before it from 0, offsets
    (rows + 1) where it begins. pack: 52-bit set of the cards of a deck. Returns (rows, newlines, bytes consumed).
    """
    rows, newline, place = 0, 0, start
    while place < stop and rows < decks.shape[0]:
        offsets[rows] = place
        place, count, seen, bad, blank = card_line(buffer, place, table, decks, rows)
        if not blank:
            status[rows] = 1 if not bad and count == decks.shape[1] and seen == pack else 2
            lines[rows] = newline
            rows += 1
        newline += 1
    return rows, newline, place - start


@kernel
def scan_numbers(buffer, start, stop, table, decks, status, lines, offsets):  # pragma: no cover - compiled
    """As scan_cards for integers 0..127; table gives the card of each number (255: none). A deck holds each id once."""
    rows, newline, place = 0, 0, start
    n = decks.shape[1]
    whole = (np.int64(1) << n) - 1
    while place < stop and rows < decks.shape[0]:
        offsets[rows] = place
        number, count, seen, bad, blank = -1, 0, np.int64(0), False, True
        while True:
            byte = buffer[place]
            place += 1
            if 48 <= byte <= 57:
                blank = False
                number = byte - 48 if number < 0 else min(number * 10 + byte - 48, 127)
                continue
            if number >= 0:
                card = table[number]
                if card < 64:
                    if count < n:
                        decks[rows, count] = card
                    seen |= np.int64(1) << np.int64(card)
                else:
                    bad = True
                count += 1
                number = -1
            if byte == 10:
                break
            if byte not in (32, 44, 59, 9, 124, 13, 91, 93, 40, 41):
                blank = False
                bad = True
        if not blank:
            status[rows] = 1 if not bad and count == n and seen == whole else 2
            lines[rows] = newline
            rows += 1
        newline += 1
    return rows, newline, place - start
