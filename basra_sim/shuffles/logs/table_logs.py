"""CSV and other tables: one deck a row, one deck a cell, one card a row (long form), or places under card headers."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np

from basra_sim.errors import BadInput, nearest

from .byte_blocks import ByteSource
from .card_text import JOKER, RANK, SUIT, Vocabulary, normalise, pieces
from .deck_log import CHUNK_DECKS, Block, Findings
from .deck_reader import BadDeck, CardReader, Reader

GROUPS = {"id"} | {
    word + end for word in ("game", "deck", "shuffle", "hand", "round", "match", "deal") for end in ("", "id", "no", "nr")
}
PLACES = {"pos", "position", "place", "index", "idx", "i", "order", "slot", "seq", "cardno", "cardnumber", "n", "nr"}
CARDS = {"card", "cards", "code", "cardid", "cardcode", "name", "cardname"}


@dataclass
class Layout:
    """Which columns of a table hold what. kind: "row", "cell", "long" or "places"."""

    kind: str
    delimiter: str
    header: list[str] | None
    columns: list[int]
    group: int | None = None
    place: int | None = None
    label: int | None = None
    width: int = 0
    left_out: list[str] = field(default_factory=list)

    def describe(self) -> str:
        """The layout in words."""
        names = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}[self.delimiter]
        words = {
            "row": f"one deck a row in columns {self.columns[0] + 1} to {self.columns[-1] + 1}",
            "cell": f"one deck a row in column {self.columns[0] + 1}",
            "long": f"one card a row in column {' and '.join(str(c + 1) for c in self.columns)}",
            "places": "one column a card, cells are places",
        }[self.kind]
        if self.kind == "long":
            words += f", decks by column {self.group + 1}" if self.group is not None else ", decks by counting"
            words += f", places by column {self.place + 1}" if self.place is not None else ""
        return f"{words}, between {names}"


def table_of(lines: list[str]) -> tuple[str, list[list[str]]] | None:
    """The delimiter that gives rows of one width over 1, and the rows; None when none does."""
    best: tuple[int, str, list[list[str]]] | None = None
    for delimiter in ",;\t|":
        rows = [row for row in csv.reader(lines, delimiter=delimiter) if row]
        widths = Counter(len(row) for row in rows)
        width, count = widths.most_common(1)[0] if widths else (1, 0)
        if width > 1 and count >= 0.7 * len(rows) and (best is None or width > best[0]):
            best = (width, delimiter, rows)
    return (best[1], best[2]) if best else None


def plain_name(text: str) -> str:
    """A header name without case, blanks and underscores."""
    return "".join(letter for letter in text.lower() if letter.isalnum())


def headed(row: list[str], most: int = 60) -> str:
    """A header as text, cut where it is long."""
    text = ", ".join(row)
    return text if len(text) <= most else text[: most - 4] + " ..."


class ColumnKinds:
    """What the cells of each column of some sample rows are."""

    def __init__(self, rows: list[list[str]], size: int, vocabulary: Vocabulary) -> None:
        self.rows, self.size, self.vocabulary = rows, size, vocabulary
        self.width = max(map(len, rows)) if rows else 0
        self.kinds = [self._kind([row[c] for row in rows if c < len(row)]) for c in range(self.width)]

    def _kind(self, cells: list[str]) -> str:
        counts = Counter(self.cell_kind(cell) for cell in cells if cell.strip())
        if not counts:
            return "empty"
        kind, count = counts.most_common(1)[0]
        if counts["card"] and counts["card"] + counts["strange"] >= 0.9 * sum(counts.values()):
            return "card"
        if counts["number"] + counts["rank"] == sum(counts.values()):
            return "rank" if counts["rank"] > counts["number"] and "rank" in counts and counts["rank"] else "number"
        return kind if count >= 0.5 * sum(counts.values()) else "text"

    def cell_kind(self, cell: str) -> str:
        """One of card, deck, number, rank, suit, strange, text."""
        if cell.strip().lstrip("-").isdigit():
            return "number"
        atoms = [atom for piece in pieces(normalise(cell)) for atom in self.vocabulary.atoms(piece)]
        halves = sorted(atom for atom in atoms if isinstance(atom, int))
        if len(atoms) == len(halves) == 2 and RANK <= halves[0] < SUIT <= halves[1] < JOKER:  # not two ranks: 1.0, 10:12
            return "card"
        if len(atoms) == 1 and isinstance(atoms[0], int):
            atom = atoms[0]
            return "card" if 0 <= atom < RANK else "rank" if RANK <= atom < SUIT else "suit" if atom < JOKER else "strange"
        cards = sum(isinstance(atom, int) for atom in atoms)
        if self.size > 2 and cards >= 0.8 * self.size and cards >= 0.8 * len(atoms):
            return "deck"
        return "text"


def find_label(header: list[str] | None, by: str, width: int) -> int:
    """The column called `by`, or numbered by it from 1. Raises BadInput with the names there are."""
    names = header or []
    for column, name in enumerate(names):
        if plain_name(name) == plain_name(by):
            return column
    if by.isdigit() and 1 <= int(by) <= width:
        return int(by) - 1
    if not names:
        raise BadInput(f"the log has no header, so --by needs a column number 1..{width}, not '{by}'")
    hint = nearest(by, names) or f"there are {', '.join(names[:8])}{' ...' if len(names) > 8 else ''}"
    raise BadInput(f"no column '{by}'; {hint}")


def long_columns(
    header: list[str] | None, body: list[list[str]], card_columns: list[int], size: int
) -> tuple[int | None, int | None]:
    """(group column, place column) of a long table, by name or by how their values run."""
    width = max(map(len, body))
    others = [c for c in range(width) if c not in card_columns]
    names = [plain_name(name) for name in header] if header else []
    group = next((c for c in others if c < len(names) and names[c] in GROUPS), None)
    place = next((c for c in others if c < len(names) and names[c] in PLACES), None)
    first = [row for row in body[:size] if len(row) == width]
    if group is None:
        constant = [c for c in others if len({row[c] for row in first}) == 1 and c != place]
        changing = [c for c in constant if len({row[c] for row in body if len(row) == width}) > 1]
        group = next(iter(changing or constant), None)
    if place is None:
        numbers = [c for c in others if c != group and all(row[c].strip().isdigit() for row in first)]
        place = next((c for c in numbers if len({row[c] for row in first}) == len(first) > 1), None)
    return group, place


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


class Gather:
    """Collects decks (and labels) and gives blocks of CHUNK_DECKS."""

    def __init__(self, with_labels: bool) -> None:
        self.with_labels = with_labels
        self.decks: list[list[int]] = []
        self.labels: list[str] = []

    def add(self, deck: list[int], label: str = "") -> Iterator[Block]:
        """Take one deck; yields a block when full."""
        self.decks.append(deck)
        self.labels.append(label)
        if len(self.decks) >= CHUNK_DECKS:
            yield from self.rest()

    def rest(self) -> Iterator[Block]:
        """What has been collected."""
        if self.decks:
            yield np.array(self.decks, dtype=np.uint8), self.labels if self.with_labels else None
        self.decks, self.labels = [], []


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


def heads_are_cards(header: list[str], reader: CardReader) -> list[int] | None:
    """Column numbers in the order of the cards 0..n-1 when the header names all cards of the pack; else None."""
    found: dict[int, int] = {}
    for column, name in enumerate(header):
        atoms = reader.atoms(name)
        if len(atoms) == 1 and isinstance(atoms[0], int) and atoms[0] in reader.whole:
            found[reader.index[atoms[0]]] = column
    return [found[card] for card in range(reader.size)] if len(found) == reader.size else None
