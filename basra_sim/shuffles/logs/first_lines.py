"""The first lines of a log, and which reader takes most of them for decks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from .byte_blocks import ByteSource
from .card_text import RANK, Vocabulary, normalise, rank_marks
from .deck_reader import BadDeck, CardReader, LabelReader, NumberReader, Reader, label_pieces, line_words

SAMPLE_LINES = 300


class FirstLines:
    """What the first lines of a log look like."""

    def __init__(self, source: ByteSource, size: int, mapping: str | None) -> None:
        self.source, self.size, self.mapping = source, size, mapping
        text = source.head().decode("utf-8", "replace")
        if not source.head_is_all and "\n" in text:
            text = text[: text.rfind("\n")]
        self.text = text
        self.lines = [line for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n") if line.strip()]
        self.lines = [line for line in self.lines if not line.lstrip().startswith(("#", "//"))][:SAMPLE_LINES]
        self.vocabulary = Vocabulary(set())
        self.learn(self.lines)

    def learn(self, texts: list[str]) -> None:
        """Settle what 0 and 1 mean from the ranks that these texts use; texts with about a deck count alone."""
        found = [rank_marks(normalise(text)) for text in texts[:80]]
        decks = [marks for marks in found if len(marks) >= 0.7 * self.size]
        self.vocabulary = Vocabulary(set().union(*(decks or found)))

    def any_cards(self) -> CardReader:
        """A reader of cards of the whole pack, by the marks that have been seen."""
        return CardReader(self.vocabulary, list(range(52)))

    def card_reader(self, texts: list[str]) -> CardReader | None:
        """A reader of cards, when at least one of the texts holds about a deck of them."""
        probe = self.any_cards()
        decks = []
        for text in texts:
            cards = [atom for atom in probe.atoms(text) if isinstance(atom, int) and 0 <= atom < RANK]
            if len(set(cards)) == self.size == len(cards):
                decks.append(tuple(sorted(cards)))
        if self.size == 52:
            return probe
        return CardReader(self.vocabulary, list(Counter(decks).most_common(1)[0][0])) if decks else None

    def number_reader(self, texts: list[str]) -> NumberReader | None:
        """A reader of integers, base 0 or 1 as seen in the texts; None when no text is a permutation."""
        bases: Counter[int] = Counter()
        for text in texts:
            words = label_pieces(normalise(text))
            if len(words) == self.size and all(word.isdigit() for word in words):
                base = min(map(int, words))
                if sorted(map(int, words)) == list(range(base, base + self.size)):
                    bases[base] += 1
        base = bases.most_common(1)[0][0] if bases else -1
        return NumberReader(base, self.size, self.mapping) if base in (0, 1) else None

    def label_reader(self, texts: list[str]) -> LabelReader | None:
        """A reader of arbitrary words, when texts repeat one set of `size` words; None otherwise."""
        words = [label_pieces(text, self.size) for text in texts]
        sets = Counter(frozenset(found) for found in words if len(found) == len(set(found)) == self.size)
        return LabelReader(list(sets.most_common(1)[0][0])) if sets else None

    def share(self, reader: Reader, texts: list[str]) -> float:
        """The share of the texts that this reader takes for decks."""
        good = 0
        for text in texts:
            try:
                reader.deck(text)
                good += 1
            except BadDeck:
                pass
        return good / len(texts) if texts else 0.0

    def best_reader(self, texts: list[str], form: str | None = None) -> tuple[Reader | None, float]:
        """The reader (cards, integers, then labels for small packs) that takes most of the texts."""
        makers: dict[str, Callable[[list[str]], Reader | None]] = {
            "cards": self.card_reader,
            "integers": self.number_reader,
        }
        if self.size != 52 or form == "labels":
            makers["labels"] = self.label_reader
        if form in makers:
            makers = {form: makers[form]}
        best: tuple[Reader | None, float] = (None, -1.0)
        for make in makers.values():
            reader = make(texts)
            if reader is not None and (share := self.share(reader, texts)) > best[1] + 1e-9:
                best = (reader, share)
        return best

    def near_decks(self, texts: list[str]) -> bool:
        """Texts with about as many cards as a deck: a log of bad decks is still a log."""
        probe = self.any_cards()
        counts = [sum(isinstance(atom, int) and (atom < RANK or atom >= 300) for atom in probe.atoms(text)) for text in texts]
        return sum(count >= 0.7 * self.size for count in counts) >= 0.5 * len(counts)

    def words_before(self) -> int:
        """How many words stand before the n cards of most lines ("12: 7d Ks ...", "Deck 3 ..."); 0 if that does not fit."""
        counts = Counter(len(line_words(line)) - self.size for line in self.lines)
        extra, count = counts.most_common(1)[0]
        return extra if 0 < extra <= 4 and count >= 0.5 * len(self.lines) else 0

    def cards_per_line(self) -> int:
        """c when (nearly) every line holds c < n cards, c divides n and nothing else stands in it; else 0."""
        probe = self.any_cards()
        counts: Counter[int] = Counter()
        for line in self.lines:
            atoms = probe.atoms(line)
            pure = all(isinstance(atom, int) and (atom < RANK or atom >= 300) for atom in atoms)
            numbers = label_pieces(normalise(line))
            counts[len(atoms) if pure else len(numbers) if all(n.isdigit() for n in numbers) else 0] += 1
        most, count = counts.most_common(1)[0]
        fits = 0 < most < self.size and self.size % most == 0 and count >= 0.8 * len(self.lines)
        return most if fits and len(self.lines) * most >= self.size else 0
