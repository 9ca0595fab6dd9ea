"""Decks out of tables: one deck a row, one deck a cell, one card a row (long form), or places under card headers."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Callable, Iterator

from .byte_blocks import ByteSource
from .deck_log import Block, Findings, Gather
from .deck_reader import BadDeck, Reader
from .table_layout import Layout


def headed(row: list[str], most: int = 60) -> str:
    """A header as text, cut where it is long."""
    text = ", ".join(row)
    return text if len(text) <= most else text[: most - 4] + " ..."


def _row_deck(layout: Layout, reader: Reader, row: list[str]) -> list[int]:
    if layout.kind == "places":
        return _from_places(layout, row, reader.size)
    cells = [row[c] for c in layout.columns if c < len(row)]
    return reader.deck(" ".join(cells))


def _from_places(layout: Layout, row: list[str], size: int) -> list[int]:
    """Cells are the places of the cards that head the columns."""
    try:
        places = [int(row[c]) for c in layout.columns]
    except (ValueError, IndexError):
        raise BadDeck("a place is missing or no integer") from None
    base = min(places)
    if sorted(places) != list(range(base, base + size)) or base not in (0, 1):
        raise BadDeck(f"the places are not {size} different ones")
    deck = [0] * size
    for card, place in enumerate(places):
        deck[place - base] = card
    return deck


def _rows(source: ByteSource, layout: Layout) -> Iterator[tuple[int, list[str], bool]]:
    """(line number, cells, is the last line cut off) for every row, header included."""
    before = 0
    for block, was_cut in source.line_blocks():
        text = block.decode("utf-8", "replace")
        rows = csv.reader(io.StringIO(text, newline=""), delimiter=layout.delimiter)
        last = block.count(b"\n")
        for row in rows:
            if any(cell.strip() for cell in row):
                yield before + rows.line_num, row, was_cut and rows.line_num == last
        before += last


def read_table(source: ByteSource, layout: Layout, reader: Reader, findings: Findings) -> Iterator[Block]:
    """Decks of a table with one deck a row or cell."""
    gather = Gather(layout.label is not None)
    seen_header = layout.header is None
    for number, row, cut_off in _rows(source, layout):
        if not seen_header:
            seen_header = True
            findings.note(f"line {number} is a header: {headed(row)}")
            continue
        if row[0].startswith("#"):
            findings.note("comment lines starting with # left out")
            continue
        try:
            deck = _row_deck(layout, reader, row)
        except BadDeck as bad:
            findings.reject(number, f"the last line is cut off ({bad})" if cut_off and bad.is_short else str(bad))
            continue
        yield from gather.add(deck, row[layout.label] if layout.label is not None and layout.label < len(row) else "")
    yield from gather.rest()


def read_long(source: ByteSource, layout: Layout, reader: Reader, findings: Findings) -> Iterator[Block]:
    """Decks of a long table: rows of one game together, ordered by the place column when there is one."""
    gather = Gather(layout.label is not None)
    seen_header = layout.header is None
    rows: list[tuple[int, list[str]]] = []
    for number, row, _ in _rows(source, layout):
        if not seen_header:
            seen_header = True
            findings.note(f"line {number} is a header: {headed(row)}")
            continue
        if len(row) <= max(layout.columns):
            findings.reject(number, f"{len(row)} column(s) instead of {layout.width}")
            continue
        if rows and _new_deck(layout, rows, row, reader.size):
            yield from _long_deck(layout, rows, reader, findings, gather)
            rows = []
        rows.append((number, row))
    if rows:
        yield from _long_deck(layout, rows, reader, findings, gather)
    yield from gather.rest()


def _new_deck(layout: Layout, rows: list[tuple[int, list[str]]], row: list[str], size: int) -> bool:
    if layout.group is None:
        return len(rows) == size
    return rows[0][1][layout.group] != row[layout.group]


def _long_deck(
    layout: Layout, rows: list[tuple[int, list[str]]], reader: Reader, findings: Findings, gather: Gather
) -> Iterator[Block]:
    first = rows[0][0]
    try:
        if layout.place is not None:
            rows = sorted(rows, key=_place_key(layout.place))
            places = [row[layout.place] for _, row in rows]
            if len(set(places)) < len(places):
                twice = next(place for place, count in Counter(places).items() if count > 1)
                raise BadDeck(f"place {twice} is given more than once in one deck")
        deck = reader.deck(" ".join(row[c] for _, row in rows for c in layout.columns))
    except BadDeck as bad:
        findings.reject(first, f"the deck that starts here: {bad}")
        return
    yield from gather.add(deck, rows[0][1][layout.label] if layout.label is not None else "")


def _place_key(column: int) -> Callable[[tuple[int, list[str]]], int]:
    def key(numbered: tuple[int, list[str]]) -> int:
        try:
            return int(numbered[1][column])
        except ValueError:
            raise BadDeck(f"'{numbered[1][column]}' in line {numbered[0]} is no place") from None

    return key
