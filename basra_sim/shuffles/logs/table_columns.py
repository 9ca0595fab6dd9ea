"""What the columns of a table hold: cards, ranks, places, games; by their names and by how their values run."""

from __future__ import annotations

import csv
from collections import Counter

from basra_sim.errors import BadInput, nearest

from .card_text import JOKER, RANK, SUIT, Vocabulary, normalise, pieces
from .deck_reader import CardReader

GROUPS = {"id"} | {
    word + end for word in ("game", "deck", "shuffle", "hand", "round", "match", "deal") for end in ("", "id", "no", "nr")
}
PLACES = {"pos", "position", "place", "index", "idx", "i", "order", "slot", "seq", "cardno", "cardnumber", "n", "nr"}
CARDS = {"card", "cards", "code", "cardid", "cardcode", "name", "cardname"}


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


def card_columns(header: list[str] | None, kinds: list[str]) -> list[list[int]]:
    """Candidates for the column(s) that hold one card a row: cards, rank and suit, or integers."""
    cards = [[c] for c, kind in enumerate(kinds) if kind == "card"]
    suits = [c for c, kind in enumerate(kinds) if kind == "suit"]
    names = [plain_name(name) for name in header] if header else [""] * len(kinds)
    ranks = [c for c, kind in enumerate(kinds) if kind == "rank" or names[c] in ("rank", "value", "face")]
    halves = [[ranks[-1], suits[0]]] if ranks and suits else []
    numbers = [[c] for c, kind in enumerate(kinds) if kind == "number"]
    numbers.sort(key=lambda columns: (names[columns[0]] not in CARDS, -columns[0]))
    return cards + halves + numbers


def heads_are_cards(header: list[str], reader: CardReader) -> list[int] | None:
    """Column numbers in the order of the cards 0..n-1 when the header names all cards of the pack; else None."""
    found: dict[int, int] = {}
    for column, name in enumerate(header):
        atoms = reader.atoms(name)
        if len(atoms) == 1 and isinstance(atoms[0], int) and atoms[0] in reader.whole:
            found[reader.index[atoms[0]]] = column
    return [found[card] for card in range(reader.size)] if len(found) == reader.size else None
