"""From the text of one deck to card ids, or the reason why it is none. Slow and careful; fast_scan is the fast twin."""

from __future__ import annotations

from collections import Counter

import numpy as np

from basra_sim.errors import BadInput
from basra_sim.game.cards import TEXTS
from basra_sim.shuffles.generators.deck_orders import parse_order

from .card_text import JOKER, KNIGHT, RANK, Vocabulary, join_halves, normalise, pieces

KNIGHT_TEXT = "a Knight (Unicode U+1F0xC) stands between Jack and Queen: the Queen is the next code point, U+1F0xD"


class BadDeck(Exception):
    """One deck cannot be used; the text is the reason.

    `has_cards` is False for a line without any card, `is_short` True for a part of a deck.
    """

    def __init__(self, reason: str, has_cards: bool = True, is_short: bool = False) -> None:
        super().__init__(reason)
        self.has_cards, self.is_short = has_cards, is_short


def listed(names: list[str], limit: int = 4) -> str:
    """A short list of names: "7d, Ks and 3 more"."""
    more = f" and {len(names) - limit} more" if len(names) > limit else ""
    return ", ".join(names[:limit]) + more


def uneven(values: list[int], names: dict[int, str], size: int) -> str:
    """Why these values are not each of `names` once: how many, which twice, which missing."""
    counts = Counter(values)
    twice = [names.get(value, str(value)) for value, count in counts.items() if count > 1]
    missing = [name for value, name in names.items() if value not in counts]
    strange = [str(value) for value in counts if value not in names]
    parts = [f"{len(values)} cards instead of {size}"] if len(values) != size else []
    parts += [f"{listed(twice)} more than once"] if twice else []
    parts += [f"{listed(missing)} missing"] if missing else []
    parts += [f"{listed(strange)} not of this pack"] if strange else []
    return ", ".join(parts)


class CardReader:
    """Decks written as cards. pack: the ids that make a deck (all 52 unless the deck is smaller)."""

    kind = "cards"
    faces_known = True

    def __init__(self, vocabulary: Vocabulary, pack: list[int]) -> None:
        self.vocabulary = vocabulary
        self.pack = pack
        self.size = len(pack)
        self.names = {card: TEXTS[card] for card in pack}
        self.index = {card: place for place, card in enumerate(pack)}
        self.whole = set(pack)

    def atoms(self, text: str) -> list[int | str]:
        """Every atom of a line of text, halves joined."""
        found: list[int | str] = []
        for piece in pieces(normalise(text)):
            found.extend(self.vocabulary.atoms(piece))
        return found if all(isinstance(atom, int) and atom < RANK for atom in found) else join_halves(found)

    def deck(self, text: str) -> list[int]:
        """Ids in the order written. Raises BadDeck with the reason."""
        atoms = self.atoms(text)
        if len(atoms) == self.size and set(atoms) == self.whole:
            return [self.index[card] for card in atoms if isinstance(card, int)]
        reason, has_cards = self._fault(atoms, text)
        raise BadDeck(reason, has_cards, len(atoms) < self.size)

    def _fault(self, atoms: list[int | str], text: str) -> tuple[str, bool]:
        cards = [atom for atom in atoms if isinstance(atom, int) and 0 <= atom < RANK]
        jokers, knights = atoms.count(JOKER), atoms.count(KNIGHT)
        if knights:
            return f"{knights} Knight(s) among the cards: {KNIGHT_TEXT}", True
        if jokers:
            return f"{len(atoms)} cards with {jokers} joker(s): a Basra pack has none; leave them out of the log", True
        if not cards:
            texts = [atom for atom in atoms if isinstance(atom, str)]
            numbers = [text for text in texts if text.isdigit()] + [a for a in atoms if isinstance(a, int)]
            if atoms and 2 * len(numbers) > len(atoms) and len(atoms) > 5:
                return "numbers in a log of cards (mixed forms in one log)", True
            return f"no card in '{text.strip()[:40]}'", False
        strange = [str(atom) for atom in atoms if not isinstance(atom, int)]
        if strange:
            return f"'{strange[0][:20]}' is no card ({len(cards)} cards beside it)", len(cards) > len(strange)
        if len(cards) < len(atoms):
            return f"{len(atoms) - len(cards)} rank(s) or suit(s) without the other half", True
        return uneven(cards, self.names, self.size), True


class NumberReader:
    """Decks written as integers base..base+n-1; order gives the card of each number when the mapping is known."""

    kind = "integers"

    def __init__(self, base: int, size: int, mapping: str | None) -> None:
        self.base, self.size = base, size
        self.faces_known = mapping is not None and size == 52
        if mapping is not None and size != 52:
            raise BadInput(f"--map names the 52 cards, but the deck size is {size}; leave it out")
        order = parse_order(mapping) if mapping else np.arange(size, dtype=np.uint8)
        self.table = {base + i: int(card) for i, card in enumerate(order)}
        self.names = {number: str(number) for number in self.table}

    def deck(self, text: str) -> list[int]:
        """Ids in the order written. Raises BadDeck with the reason."""
        found = pieces(normalise(text))
        try:
            numbers = [int(piece) for piece in found]
        except ValueError:
            raise BadDeck(*self._text_fault(found)) from None
        if len(numbers) == self.size and set(numbers) == self.table.keys():
            return [self.table[number] for number in numbers]
        raise BadDeck(uneven(numbers, self.names, self.size), bool(numbers), len(numbers) < self.size)

    def _text_fault(self, found: list[str]) -> tuple[str, bool]:
        vocabulary = Vocabulary(set())
        cards = sum(isinstance(atom, int) and atom < RANK for piece in found for atom in vocabulary.atoms(piece))
        numbers = sum(piece.lstrip("-").isdigit() for piece in found)
        if 2 * cards > len(found) and cards > 5:
            return "cards in a log of integers (mixed forms in one log)", True
        strange = next(piece for piece in found if not piece.lstrip("-").isdigit())
        return f"'{strange[:20]}' is no integer ({numbers} integers beside it)", numbers > 0


class LabelReader:
    """Decks of any distinct words (A B C, letters, names), numbered in sorted order."""

    kind = "labels"
    faces_known = False

    def __init__(self, labels: list[str]) -> None:
        self.labels = sorted(labels)
        self.size = len(labels)
        self.table = {label: i for i, label in enumerate(self.labels)}
        self.names = dict(enumerate(self.labels))

    def deck(self, text: str) -> list[int]:
        """Ids in the order written. Raises BadDeck with the reason."""
        found = label_pieces(text, self.size)
        strange = [piece for piece in found if piece not in self.table]
        if strange:
            raise BadDeck(f"'{strange[0][:20]}' is none of the {self.size} labels of this log", len(strange) < len(found))
        ids = [self.table[piece] for piece in found]
        if len(ids) == self.size and len(set(ids)) == self.size:
            return ids
        raise BadDeck(uneven(ids, self.names, self.size), bool(ids), len(ids) < self.size)


Reader = CardReader | NumberReader | LabelReader


def label_pieces(text: str, size: int = 0) -> list[str]:
    """The words of a line of labels, brackets and quotes left out; one word of `size` letters is its letters."""
    words = text.translate(str.maketrans(",;|\t", "    ", "[](){}\"'")).split()
    return list(words[0]) if len(words) == 1 and len(words[0]) == size else words


def line_words(text: str) -> list[str]:
    """The words of a line, for counting and leaving out what stands before the cards."""
    return text.replace(",", " ").replace(";", " ").split()
