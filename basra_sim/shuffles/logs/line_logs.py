"""Logs of plain text lines: one deck a line, or decks wrapped over several lines. Fast where fast_scan can read them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from . import fast_scan as scan
from .byte_blocks import ByteSource
from .card_text import plain_bytes
from .deck_log import CHUNK_DECKS, Block, Findings
from .deck_reader import BadDeck, CardReader, LabelReader, NumberReader, Reader, line_words

MOST_HEADERS = 5


@dataclass
class LineReading:
    """The state of reading lines: which reader, what was set aside, and where the findings go."""

    reader: Reader
    findings: Findings
    skip: int = 0
    decks: int = 0  # above 0 once a deck has been seen: no header after that
    comments: int = 0
    headers: int = 0

    def line(self, number: int, text: str, cut_off: bool) -> list[int] | None:
        """One line that is not blank: its deck, or None after a note (comment, header) or a rejection."""
        if text.lstrip().startswith(("#", "//")):
            self.comments += 1
            return None
        try:
            deck = self.reader.deck(" ".join(line_words(text)[self.skip :]) if self.skip else text)
        except BadDeck as bad:
            if not bad.has_cards and not self.decks and self.headers < MOST_HEADERS and not cut_off:
                self.headers += 1
                self.findings.note(f"line {number} holds no card and was taken as a header: '{text.strip()[:40]}'")
            elif cut_off and bad.is_short:
                self.findings.reject(number, f"the last line is cut off ({bad})")
            else:
                self.findings.reject(number, str(bad))
            return None
        self.decks += 1
        return deck

    def finish(self) -> None:
        """Say what was set aside."""
        if self.comments:
            self.findings.note(f"{self.comments:,} comment line(s) starting with # or // left out")


def read_lines(source: ByteSource, reading: LineReading) -> Iterator[Block]:
    """Decks of a log with one deck a line, in chunks. Blank lines are nothing."""
    scanner = _fast_scan(reading)
    number = 0
    for block, was_cut in source.line_blocks():
        if scanner is None:
            yield from _slow_block(block, was_cut, number, reading)
            number += block.count(b"\n")
        else:
            for decks, lines in scanner.decks(block, was_cut, number):
                yield decks, None
                number += lines
    reading.finish()


def _slow_block(block: bytes, was_cut: bool, number: int, reading: LineReading) -> Iterator[Block]:
    lines = block.decode("utf-8", "replace").split("\n")[:-1]
    rows = []
    for index, text in enumerate(lines):
        if text.strip():
            deck = reading.line(number + index + 1, text, was_cut and index == len(lines) - 1)
            if deck is not None:
                rows.append(deck)
    if rows:
        yield np.array(rows, dtype=np.uint8), None


class FastScan:
    """Plain lines of cards or integers by the compiled scan, what it cannot take left to the careful reader line by line."""

    def __init__(self, reading: LineReading, reader: CardReader | NumberReader, table: np.ndarray) -> None:
        self.reading, self.reader, self.table = reading, reader, table
        names = reader.pack if isinstance(reader, CardReader) else []
        self.pack = sum(1 << card for card in names)
        self.renumber = np.zeros(64, dtype=np.uint8)
        self.renumber[names] = range(len(names))
        self.plain = len(names) == 52 or not names

    def decks(self, block: bytes, was_cut: bool, before: int) -> Iterator[tuple[np.ndarray, int]]:
        """(decks, lines read) pairs of a block with `before` lines before it."""
        block = plain_bytes(block)
        buffer, place = np.frombuffer(block, dtype=np.uint8), 0
        most = min(CHUNK_DECKS, block.count(b"\n") + 1)
        status, lines = np.empty(most, dtype=np.uint8), np.empty(most, dtype=np.int64)
        offsets = np.empty(most + 1, dtype=np.int64)
        while place < len(block):
            decks = np.zeros((most, self.reader.size), dtype=np.uint8)
            rows, newlines, used = self._scan(buffer, place, decks, status, lines, offsets)
            good = status[:rows] == scan.GOOD
            if not self.plain:
                decks[:rows] = self.renumber[decks[:rows] & 63]
            first_good = int(np.argmax(good)) if good.any() else rows
            for row in np.flatnonzero(~good):
                self.reading.decks += int(row > first_good)
                stop = block.index(b"\n", offsets[row])
                text = block[offsets[row] : stop].decode("utf-8", "replace")
                deck = self.reading.line(before + int(lines[row]) + 1, text, was_cut and stop == len(block) - 1)
                if deck is not None:
                    decks[row] = deck
                    good[row] = True
            self.reading.decks += int(first_good < rows)
            yield (decks[:rows] if good.all() else decks[:rows][good]), newlines
            place += used
            before += newlines

    def _scan(self, buffer: np.ndarray, place: int, decks: np.ndarray, *found: np.ndarray) -> tuple[int, int, int]:
        """(rows, newlines, bytes used) of the lines from a place on; found: status, lines and offsets of the rows."""
        if isinstance(self.reader, CardReader):
            told = scan.scan_cards(buffer, place, len(buffer), self.table, self.pack, decks, *found)
        else:
            told = scan.scan_numbers(buffer, place, len(buffer), self.table, decks, *found)
        rows, newlines, used = told
        return rows, newlines, used


def _fast_scan(reading: LineReading) -> FastScan | None:
    """The compiled scan of a log; None when it cannot read that."""
    reader = reading.reader
    if reading.skip or isinstance(reader, LabelReader):
        return None
    table = scan.card_classes(reader) if isinstance(reader, CardReader) else scan.number_table(reader)
    return FastScan(reading, reader, table) if table is not None else None


def read_wrapped(source: ByteSource, reading: LineReading, per_line: int) -> Iterator[Block]:
    """Decks over several lines (one card a line, 13 a line ...): a blank line or n cards end a deck."""
    parts: list[str] = []
    rows: list[list[int]] = []
    number = first = 0
    need = -(-reading.reader.size // per_line)
    for block, was_cut in source.line_blocks():
        for text in block.decode("utf-8", "replace").split("\n")[:-1]:
            number += 1
            blank = not text.strip(" \r\t-=")
            if not blank and text.lstrip().startswith(("#", "//")):
                reading.comments += 1
                continue
            if not blank:
                first = first or number
                parts.append(text)
            if parts and (blank or len(parts) == need):
                _wrapped_deck(parts, first, reading, rows, False)
                parts, first = [], 0
        if rows:
            yield np.array(rows, dtype=np.uint8), None
            rows = []
        if was_cut and parts:
            break
    if parts:
        _wrapped_deck(parts, first, reading, rows, True)
    if rows:
        yield np.array(rows, dtype=np.uint8), None
    reading.finish()


def _wrapped_deck(parts: list[str], first: int, reading: LineReading, rows: list[list[int]], cut_off: bool) -> None:
    try:
        rows.append(reading.reader.deck(" ".join(parts)))
    except BadDeck as bad:
        prefix = "the last deck is cut off: " if cut_off else f"{len(parts)} lines from here are no deck: "
        reading.findings.reject(first, prefix + str(bad))
