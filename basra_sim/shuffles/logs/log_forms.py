"""Recognise which form of deck log a source is and build its reader; refuse clearly what is no order of cards."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial

from basra_sim.errors import BadInput, nearest

from . import json_logs as jsonlogs
from . import line_logs as linelogs
from . import table_layout as csvsniff
from . import table_logs as csvlogs
from .byte_blocks import ByteSource, open_source
from .card_text import RANK, Vocabulary, normalise, rank_marks
from .deck_log import Block, DeckLog, Findings
from .deck_reader import BadDeck, CardReader, LabelReader, NumberReader, Reader, label_pieces

FORMATS = ("cards", "integers", "labels", "csv", "json")
SAMPLE_LINES = 300

_NOT_ORDERS = (
    (re.compile(r'^\s*\[(?:Event|Deal|Site|Board|Dealer)\s+"', re.M), "a bridge PBN file"),
    (re.compile(r"^\s*(?:pn\|[^\n]*)?(?:qx\|\w+\|)?.*?\bmd\|\d", re.M), "a bridge LIN file"),
    (re.compile(r"^(?:\d\d){20,}\s*$"), "a bridge DUP/BRI file"),
)
_POKER = re.compile(r"^(?:\ufeff)?\s*(?:PokerStars|Full Tilt|Winamax|888poker|\*{3,}\s*\w+ Hand|variant\s*=\s*['\"])", re.M)


def refuse_hands(name: str, text: str) -> None:
    """Raises BadInput for logs that hold hands, not the order of a pack."""
    for pattern, what in _NOT_ORDERS:
        if pattern.search(text[:4000]):
            raise BadInput(
                f"{name} is {what}: it holds sorted hands, not the order of the pack, so no test here applies; "
                "give the cards in the order dealt"
            )
    if _POKER.search(text[:4000]):
        raise BadInput(
            f"{name} is a poker hand history: it shows some cards of each pack (hole cards only at showdowns), not its "
            "order; give all cards in the order dealt"
        )


class Sniffer:
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

    def card_reader(self, texts: list[str]) -> CardReader | None:
        """A reader of cards, when at least one of the texts holds about a deck of them."""
        probe = CardReader(self.vocabulary, list(range(52)))
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


def recognise(
    source: str | ByteSource,
    *,
    format: str | None,
    mapping: str | None,
    deck_size: int,
    strict: bool,
    by: str | None,
) -> DeckLog:
    """The log behind a source, ready to be read. Raises BadInput for what is empty, unreadable or no deck log."""
    if format is not None and format not in FORMATS:
        hint = nearest(format, list(FORMATS)) or f"formats are {', '.join(FORMATS)}"
        raise BadInput(f"no format '{format}'; {hint}")
    if not 2 <= deck_size <= 52:
        raise BadInput(f"a deck has 2 to 52 cards, not {deck_size}")
    stream = open_source(source) if isinstance(source, str) else source
    head = stream.head()
    if not head.strip():
        raise BadInput(f"{stream.name} is empty: no decks to test")
    findings = Findings(strict=strict, source=stream.name)
    if stream.encoding_note:
        findings.note(stream.encoding_note)
    sniffer = Sniffer(stream, deck_size, mapping)
    if format is None:
        refuse_hands(stream.name, sniffer.text)
    if not sniffer.lines:
        raise BadInput(f"{stream.name} holds only comments: no decks to test")
    for attempt in (_as_json, _as_lines, _as_table):
        log = attempt(sniffer, findings, format, by)
        if log is not None:
            return log
    raise BadInput(_unknown(sniffer, format, by))


def _unknown(sniffer: Sniffer, format: str | None, by: str | None) -> str:
    name, sample = sniffer.source.name, sniffer.lines[0].strip()[:60]
    numbers = label_pieces(sniffer.lines[0])
    if by is not None and _as_lines(sniffer, Findings(), format, None) is not None:
        return f"{name} has no columns, so --by {by} cannot split it; --by needs CSV columns or JSON objects"
    if all(number.isdigit() for number in numbers) and len(numbers) > 1:
        wanted = f"each of 0..{sniffer.size - 1} (or 1..{sniffer.size}) once"
        return f"{name} begins with {len(numbers)} integers: a deck of {sniffer.size} has {wanted}"
    if sample[0] in "[{" and format in (None, "json"):
        return f"{name} is JSON or a list without any list of {sniffer.size} cards in it; it begins '{sample}'"
    if sniffer.size == 52 and format is None:
        reader = CardReader(sniffer.vocabulary, list(range(52)))
        try:
            reader.deck(sniffer.lines[0])
        except BadDeck as bad:
            return f"{name} is no deck log that can be recognised: line 1: {bad}; --format forces a form"
    wanted = f"--format {format}" if format else "any known form"
    return f"{name} holds no deck of {sniffer.size} cards in {wanted}; it begins '{sample}'"


def _log(
    sniffer: Sniffer,
    findings: Findings,
    reader: Reader,
    layout: str,
    blocks: Callable[[], Iterator[Block]],
    by: str | None,
) -> DeckLog:
    if isinstance(reader, CardReader):
        if sniffer.mapping is not None:
            raise BadInput(f"{sniffer.source.name} is written as cards; --map is for integers, leave it out")
        mapping = sniffer.vocabulary.describe() or "cards as rank and suit"
        symbols = [reader.names[card] for card in reader.pack]
    elif isinstance(reader, NumberReader):
        known = f"as {sniffer.mapping}" if reader.faces_known else "of an unknown mapping (--map CDHS-A2K and the like names it)"
        mapping = f"integers {reader.base}..{reader.base + reader.size - 1} {known if reader.size == 52 else ''}".strip()
        symbols = [str(reader.base + i) for i in range(reader.size)]
    else:
        mapping, symbols = f"{reader.size} labels in sorted order", list(reader.labels)
    return DeckLog(
        source=sniffer.source.name,
        format=f"{reader.kind}, {layout}",
        mapping=mapping,
        deck_size=sniffer.size,
        findings=findings,
        blocks=blocks,
        faces_known=reader.faces_known and sniffer.size == 52,
        by=by,
        symbols=symbols,
        repeatable=not sniffer.source.is_pipe,
    )


def _as_json(sniffer: Sniffer, findings: Findings, format: str | None, by: str | None) -> DeckLog | None:
    if format not in (None, "json"):
        return None
    decks = jsonlogs.sample_decks(sniffer.source, sniffer.size)
    if not decks:
        return None
    texts = [" ".join(deck) for deck in decks]
    sniffer.learn(texts)
    reader, share = sniffer.best_reader(texts)
    if reader is None or (share == 0 and format is None and not _near_decks(sniffer, texts)):
        return None
    blocks = partial(jsonlogs.read_json, sniffer.source, reader, findings, by)
    return _log(sniffer, findings, reader, "JSON", blocks, by)


def _near_decks(sniffer: Sniffer, texts: list[str]) -> bool:
    """Texts with about as many cards as a deck: a log of bad decks is still a log."""
    probe = CardReader(sniffer.vocabulary, list(range(52)))
    counts = [sum(isinstance(atom, int) and (atom < RANK or atom >= 300) for atom in probe.atoms(text)) for text in texts]
    return sum(count >= 0.7 * sniffer.size for count in counts) >= 0.5 * len(counts)


def _as_lines(sniffer: Sniffer, findings: Findings, format: str | None, by: str | None) -> DeckLog | None:
    if format in ("json", "csv") or by is not None:
        return None
    reader, share = sniffer.best_reader(sniffer.lines, format)
    if isinstance(reader, NumberReader) and csvsniff.has_places(sniffer):
        return None
    if share > 0 and reader is not None:
        if share < 0.5 and format is None and csvsniff.find_layout(sniffer, None) is not None:
            return None
        return _plain_lines(sniffer, findings, reader, 0)
    per_line = _cards_per_line(sniffer)
    if per_line and (wrapped := _wrapped(sniffer, findings, per_line)):
        return wrapped
    if format is None and csvsniff.find_layout(sniffer, None) is not None:
        return None
    if skipped := _skipped_lines(sniffer, findings, format):
        return skipped
    if isinstance(reader, CardReader) and (format == "cards" or _near_decks(sniffer, sniffer.lines)):
        return _plain_lines(sniffer, findings, reader, 0)
    return None


def _plain_lines(sniffer: Sniffer, findings: Findings, reader: Reader, skip: int) -> DeckLog:
    reading = linelogs.LineReading(reader, findings, skip=skip)
    return _log(sniffer, findings, reader, "one deck a line", partial(_fresh_lines, sniffer.source, reading), None)


def _skipped_lines(sniffer: Sniffer, findings: Findings, format: str | None) -> DeckLog | None:
    """Lines that begin with a number or a name before the cards."""
    skip = _leading(sniffer)
    bare = [" ".join(linelogs.words(line)[skip:]) for line in sniffer.lines]
    vocabulary = sniffer.vocabulary
    sniffer.learn(bare)
    reader, share = sniffer.best_reader(bare, format)
    if not skip or reader is None or share <= 0.3:
        sniffer.vocabulary = vocabulary
        return None
    start = " ".join(linelogs.words(sniffer.lines[0])[:skip])
    findings.note(f"{skip} word(s) at the start of each line left out, such as '{start[:20]}'")
    return _plain_lines(sniffer, findings, reader, skip)


def _fresh_lines(source: ByteSource, reading: linelogs.LineReading) -> Iterator[Block]:
    reading.decks = reading.comments = reading.headers = 0
    return linelogs.read_lines(source, reading)


def _leading(sniffer: Sniffer) -> int:
    """How many words stand before the n cards of most lines ("12: 7d Ks ...", "Deck 3 ..."); 0 if that does not fit."""
    counts = Counter(len(linelogs.words(line)) - sniffer.size for line in sniffer.lines)
    extra, count = counts.most_common(1)[0]
    return extra if 0 < extra <= 4 and count >= 0.5 * len(sniffer.lines) else 0


def _cards_per_line(sniffer: Sniffer) -> int:
    """c when (nearly) every line holds c < n cards, c divides n and nothing else stands in it; else 0."""
    probe = CardReader(sniffer.vocabulary, list(range(52)))
    counts: Counter[int] = Counter()
    for line in sniffer.lines:
        atoms = probe.atoms(line)
        pure = all(isinstance(atom, int) and (atom < RANK or atom >= 300) for atom in atoms)
        numbers = label_pieces(normalise(line))
        counts[len(atoms) if pure else len(numbers) if all(n.isdigit() for n in numbers) else 0] += 1
    most, count = counts.most_common(1)[0]
    fits = 0 < most < sniffer.size and sniffer.size % most == 0 and count >= 0.8 * len(sniffer.lines)
    return most if fits and len(sniffer.lines) * most >= sniffer.size else 0


def _wrapped(sniffer: Sniffer, findings: Findings, per_line: int) -> DeckLog | None:
    need = sniffer.size // per_line
    groups = [" ".join(sniffer.lines[i : i + need]) for i in range(0, len(sniffer.lines) - need + 1, need)]
    reader, _ = sniffer.best_reader(groups)
    if reader is None:
        return None
    reading = linelogs.LineReading(reader, findings)
    words = "one card a line" if per_line == 1 else f"{per_line} cards a line"
    return _log(sniffer, findings, reader, words, partial(linelogs.read_wrapped, sniffer.source, reading, per_line), None)


def _as_table(sniffer: Sniffer, findings: Findings, format: str | None, by: str | None) -> DeckLog | None:
    if format in ("json", "cards", "integers", "labels"):
        return None
    found = csvsniff.find_layout(sniffer, by)
    if found is None:
        return None
    layout, reader = found
    read = csvlogs.read_long if layout.kind == "long" else csvlogs.read_table
    blocks = partial(read, sniffer.source, layout, reader, findings)
    return _log(sniffer, findings, reader, layout.describe(), blocks, by)
