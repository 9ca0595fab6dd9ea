"""Find out how a table holds its decks: rows, cells, long form, or places under card headers."""

from __future__ import annotations

from collections import Counter
from typing import Protocol

from .card_text import Vocabulary, rank_marks
from .deck_reader import CardReader, LabelReader, NumberReader, Reader
from .table_logs import CARDS, ColumnKinds, Layout, find_label, heads_are_cards, long_columns, plain_name, table_of


class Samples(Protocol):
    """What is needed of formats.Sniffer."""

    size: int
    lines: list[str]
    vocabulary: Vocabulary

    def learn(self, texts: list[str]) -> None: ...
    def best_reader(self, texts: list[str], form: str | None = None) -> tuple[Reader | None, float]: ...


def find_layout(sniffer: Samples, by: str | None) -> tuple[Layout, Reader] | None:
    """The layout and the reader of a table; None when its cells hold no decks."""
    table = table_of(sniffer.lines)
    if table is None:
        return None
    delimiter, rows = table
    width = Counter(map(len, rows)).most_common(1)[0][0]
    header = rows[0] if _is_header(rows, sniffer) else None
    body = rows[1:] if header else rows
    if not body:
        return None
    layout_reader = _places(sniffer, delimiter, header, body) or _decks(sniffer, delimiter, header, body, width)
    if layout_reader is None:
        return None
    layout, reader = layout_reader
    layout.width = width
    if by is not None:
        layout.label = find_label(header, by, width)
    return layout, reader


def _is_header(rows: list[list[str]], sniffer: Samples) -> bool:
    """The first row names columns: it has words where the rows below have cards or numbers."""
    if len(rows) < 2:
        return False
    below = ColumnKinds(rows[1:], sniffer.size, sniffer.vocabulary)
    for column, cell in enumerate(rows[0]):
        kind = below.kinds[column] if column < below.width else "text"
        own = below.cell_kind(cell)
        if kind in ("card", "deck", "number", "rank", "suit") and own in ("text", "suit") and own != kind:
            return True
        if kind == "number" and own == "card":
            return True
    return False


def has_places(sniffer: Samples) -> bool:
    """True for a table whose header names the cards and whose cells are places."""
    table = table_of(sniffer.lines)
    return table is not None and len(table[1]) > 1 and _places(sniffer, table[0], table[1][0], table[1][1:]) is not None


def _places(sniffer: Samples, delimiter: str, header: list[str] | None, body: list[list[str]]) -> tuple[Layout, Reader] | None:
    if header is None or sniffer.size != 52:
        return None
    reader = CardReader(Vocabulary(set(rank_marks(" ".join(header).upper()))), list(range(52)))
    columns = heads_are_cards(header, reader)
    if columns is None or not all(row[c].strip().isdigit() for row in body[:5] for c in columns if c < len(row)):
        return None
    return Layout("places", delimiter, header, columns), reader


def _decks(
    sniffer: Samples, delimiter: str, header: list[str] | None, body: list[list[str]], width: int
) -> tuple[Layout, Reader] | None:
    kinds = ColumnKinds(body, sniffer.size, sniffer.vocabulary).kinds
    cells = [c for c, kind in enumerate(kinds) if kind == "deck"]
    if cells:
        return _fitted(sniffer, Layout("cell", delimiter, header, cells[:1]), body)
    cards = [c for c, kind in enumerate(kinds) if kind == "card"]
    if len(cards) >= 0.7 * sniffer.size and sniffer.size > 1 and len(cards) > 2:
        return _fitted(sniffer, Layout("row", delimiter, header, _of_one_deck(sniffer, body, cards)), body)
    numbers = [c for c, kind in enumerate(kinds) if kind in ("number", "rank", "card")]
    if width >= sniffer.size:
        wide = _wide_numbers(sniffer, delimiter, header, body, numbers)
        if wide:
            return wide
    return _long(sniffer, delimiter, header, body, kinds)


def _of_one_deck(sniffer: Samples, body: list[list[str]], cards: list[int]) -> list[int]:
    """The columns of the deck where one more looks like a card, such as a build "3d" before 52 cards."""
    runs = [cards[i : i + sniffer.size] for i in range(len(cards) - sniffer.size + 1)]
    if len(runs) < 2:
        return cards

    def share(columns: list[int]) -> float:
        return sniffer.best_reader([" ".join(row[c] for c in columns if c < len(row)) for row in body])[1]

    best = max(runs, key=share)
    return best if share(best) > 0 else cards


def _fitted(sniffer: Samples, layout: Layout, body: list[list[str]]) -> tuple[Layout, Reader] | None:
    texts = [" ".join(row[c] for c in layout.columns if c < len(row)) for row in body]
    sniffer.learn(texts)
    reader, _ = sniffer.best_reader(texts)
    return (layout, reader) if reader is not None else None


def _wide_numbers(
    sniffer: Samples, delimiter: str, header: list[str] | None, body: list[list[str]], numbers: list[int]
) -> tuple[Layout, Reader] | None:
    """The first run of n columns that are decks (integers or labels) in most rows: index columns stand outside."""
    width = max(map(len, body))
    best: tuple[float, Layout, Reader] | None = None
    for first in range(width - sniffer.size + 1):
        columns = list(range(first, first + sniffer.size))
        reader, share = sniffer.best_reader([" ".join(row[c] for c in columns if c < len(row)) for row in body])
        if reader is not None and share > (best[0] if best else 0.3):
            if isinstance(reader, LabelReader) and len(numbers) >= sniffer.size:
                continue
            best = (share, Layout("row", delimiter, header, columns), reader)
    return (best[1], best[2]) if best else None


def _long(
    sniffer: Samples, delimiter: str, header: list[str] | None, body: list[list[str]], kinds: list[str]
) -> tuple[Layout, Reader] | None:
    for columns in _card_columns(header, kinds):
        body_of_width = [row for row in body if len(row) == len(kinds)]
        group, place = long_columns(header, body_of_width, columns, sniffer.size)
        layout = Layout("long", delimiter, header, columns, group=group, place=place)
        texts = _sample_decks(body_of_width, layout, sniffer.size)
        if not texts:
            continue
        sniffer.learn(texts)
        reader, share = sniffer.best_reader(texts)
        if isinstance(reader, (CardReader, NumberReader)) and (share > 0 or kinds[columns[0]] == "card"):
            return layout, reader
    return None


def _card_columns(header: list[str] | None, kinds: list[str]) -> list[list[int]]:
    """Candidates for the column(s) that hold one card a row: cards, rank and suit, or integers."""
    cards = [[c] for c, kind in enumerate(kinds) if kind == "card"]
    suits = [c for c, kind in enumerate(kinds) if kind == "suit"]
    names = [plain_name(name) for name in header] if header else [""] * len(kinds)
    ranks = [c for c, kind in enumerate(kinds) if kind == "rank" or names[c] in ("rank", "value", "face")]
    halves = [[ranks[-1], suits[0]]] if ranks and suits else []
    numbers = [[c] for c, kind in enumerate(kinds) if kind == "number"]
    numbers.sort(key=lambda columns: (names[columns[0]] not in CARDS, -columns[0]))
    return cards + halves + numbers


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
