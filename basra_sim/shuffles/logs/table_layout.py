"""Find out how a table holds its decks: rows, cells, long form, or places under card headers."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from .card_text import Vocabulary, rank_marks
from .deck_reader import CardReader, LabelReader, NumberReader, Reader
from .first_lines import FirstLines
from .table_columns import ColumnKinds, card_columns, find_label, heads_are_cards, long_columns, table_of


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


def find_layout(lines: FirstLines, by: str | None) -> tuple[Layout, Reader] | None:
    """The layout and the reader of a table; None when its cells hold no decks."""
    table = table_of(lines.lines)
    if table is None:
        return None
    delimiter, rows = table
    width = Counter(map(len, rows)).most_common(1)[0][0]
    header = rows[0] if _is_header(rows, lines) else None
    body = rows[1:] if header else rows
    if not body:
        return None
    layout_reader = _places(lines, delimiter, header, body) or _decks(lines, delimiter, header, body, width)
    if layout_reader is None:
        return None
    layout, reader = layout_reader
    layout.width = width
    if by is not None:
        layout.label = find_label(header, by, width)
    return layout, reader


def _is_header(rows: list[list[str]], lines: FirstLines) -> bool:
    """The first row names columns: it has words where the rows below have cards or numbers."""
    if len(rows) < 2:
        return False
    below = ColumnKinds(rows[1:], lines.size, lines.vocabulary)
    for column, cell in enumerate(rows[0]):
        kind = below.kinds[column] if column < below.width else "text"
        own = below.cell_kind(cell)
        if kind in ("card", "deck", "number", "rank", "suit") and own in ("text", "suit") and own != kind:
            return True
        if kind == "number" and own == "card":
            return True
    return False


def has_places(lines: FirstLines) -> bool:
    """True for a table whose header names the cards and whose cells are places."""
    table = table_of(lines.lines)
    return table is not None and len(table[1]) > 1 and _places(lines, table[0], table[1][0], table[1][1:]) is not None


def _places(lines: FirstLines, delimiter: str, header: list[str] | None, body: list[list[str]]) -> tuple[Layout, Reader] | None:
    if header is None or lines.size != 52:
        return None
    reader = CardReader(Vocabulary(set(rank_marks(" ".join(header).upper()))), list(range(52)))
    columns = heads_are_cards(header, reader)
    if columns is None or not all(row[c].strip().isdigit() for row in body[:5] for c in columns if c < len(row)):
        return None
    return Layout("places", delimiter, header, columns), reader


def _decks(
    lines: FirstLines, delimiter: str, header: list[str] | None, body: list[list[str]], width: int
) -> tuple[Layout, Reader] | None:
    kinds = ColumnKinds(body, lines.size, lines.vocabulary).kinds
    cells = [c for c, kind in enumerate(kinds) if kind == "deck"]
    if cells:
        return _fitted(lines, Layout("cell", delimiter, header, cells[:1]), body)
    cards = [c for c, kind in enumerate(kinds) if kind == "card"]
    if len(cards) >= 0.7 * lines.size and lines.size > 1 and len(cards) > 2:
        return _fitted(lines, Layout("row", delimiter, header, _of_one_deck(lines, body, cards)), body)
    numbers = [c for c, kind in enumerate(kinds) if kind in ("number", "rank", "card")]
    if width >= lines.size:
        wide = _wide_numbers(lines, delimiter, header, body, numbers)
        if wide:
            return wide
    return _long(lines, delimiter, header, body, kinds)


def _of_one_deck(lines: FirstLines, body: list[list[str]], cards: list[int]) -> list[int]:
    """The columns of the deck where one more looks like a card, such as a build "3d" before 52 cards."""
    runs = [cards[i : i + lines.size] for i in range(len(cards) - lines.size + 1)]
    if len(runs) < 2:
        return cards

    def share(columns: list[int]) -> float:
        return lines.best_reader([" ".join(row[c] for c in columns if c < len(row)) for row in body])[1]

    best = max(runs, key=share)
    return best if share(best) > 0 else cards


def _fitted(lines: FirstLines, layout: Layout, body: list[list[str]]) -> tuple[Layout, Reader] | None:
    texts = [" ".join(row[c] for c in layout.columns if c < len(row)) for row in body]
    lines.learn(texts)
    reader, _ = lines.best_reader(texts)
    return (layout, reader) if reader is not None else None


def _wide_numbers(
    lines: FirstLines, delimiter: str, header: list[str] | None, body: list[list[str]], numbers: list[int]
) -> tuple[Layout, Reader] | None:
    """The first run of n columns that are decks (integers or labels) in most rows: index columns stand outside."""
    width = max(map(len, body))
    best: tuple[float, Layout, Reader] | None = None
    for first in range(width - lines.size + 1):
        columns = list(range(first, first + lines.size))
        reader, share = lines.best_reader([" ".join(row[c] for c in columns if c < len(row)) for row in body])
        if reader is not None and share > (best[0] if best else 0.3):
            if isinstance(reader, LabelReader) and len(numbers) >= lines.size:
                continue
            best = (share, Layout("row", delimiter, header, columns), reader)
    return (best[1], best[2]) if best else None


def _long(
    lines: FirstLines, delimiter: str, header: list[str] | None, body: list[list[str]], kinds: list[str]
) -> tuple[Layout, Reader] | None:
    for columns in card_columns(header, kinds):
        body_of_width = [row for row in body if len(row) == len(kinds)]
        group, place = long_columns(header, body_of_width, columns, lines.size)
        layout = Layout("long", delimiter, header, columns, group=group, place=place)
        texts = _sample_decks(body_of_width, layout, lines.size)
        if not texts:
            continue
        lines.learn(texts)
        reader, share = lines.best_reader(texts)
        if isinstance(reader, (CardReader, NumberReader)) and (share > 0 or kinds[columns[0]] == "card"):
            return layout, reader
    return None


def _sample_decks(body: list[list[str]], layout: Layout, size: int) -> list[str]:
    """The texts of the first whole decks of a long table."""
    groups: list[list[list[str]]] = []
    for row in body:
        new = not groups or (
            len(groups[-1]) == size if layout.group is None else groups[-1][0][layout.group] != row[layout.group]
        )
        if new:
            groups.append([])
        groups[-1].append(row)
    if len(groups) > 1 and len(groups[-1]) < size:
        groups.pop()
    return [" ".join(row[c] for row in group for c in layout.columns) for group in groups if len(group) >= 0.7 * size]
