"""Recognise which form of deck log a source is and build its reader; refuse clearly what is no order of cards."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial

from basra_sim.errors import BadInput, nearest

from .byte_blocks import ByteSource, open_source
from .deck_log import Block, DeckLog, Findings
from .deck_reader import BadDeck, CardReader, NumberReader, Reader, label_pieces, line_words
from .first_lines import FirstLines
from .json_logs import read_json, sample_decks
from .line_logs import LineReading, read_lines, read_wrapped
from .table_layout import find_layout, has_places
from .table_logs import read_long, read_table

FORMATS = ("cards", "integers", "labels", "csv", "json")

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


def read_decks(
    source: str | ByteSource,
    *,
    format: str | None = None,
    mapping: str | None = None,
    deck_size: int = 52,
    strict: bool = False,
    by: str | None = None,
) -> DeckLog:
    """Recognise a deck log and return it ready to be read.

    source: a path, "-" for standard input, or bytes from elsewhere. format: force one of FORMATS. mapping: how integers (or
    other marks) become cards, such as "CDHS-A2K". strict: stop at the first bad deck. by: a column whose values
    `labelled_chunks` yields. Raises BadInput for an empty or unreadable source and for what is not a deck log.
    """
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
    first = FirstLines(stream, deck_size, mapping)
    if format is None:
        refuse_hands(stream.name, first.text)
    if not first.lines:
        raise BadInput(f"{stream.name} holds only comments: no decks to test")
    for attempt in (_as_json, _as_lines, _as_table):
        log = attempt(first, findings, format, by)
        if log is not None:
            return log
    raise BadInput(_unknown(first, format, by))


def _unknown(first: FirstLines, format: str | None, by: str | None) -> str:
    name, sample = first.source.name, first.lines[0].strip()[:60]
    numbers = label_pieces(first.lines[0])
    if by is not None and _as_lines(first, Findings(), format, None) is not None:
        return f"{name} has no columns, so --by {by} cannot split it; --by needs CSV columns or JSON objects"
    if all(number.isdigit() for number in numbers) and len(numbers) > 1:
        wanted = f"each of 0..{first.size - 1} (or 1..{first.size}) once"
        return f"{name} begins with {len(numbers)} integers: a deck of {first.size} has {wanted}"
    if sample[0] in "[{" and format in (None, "json"):
        return f"{name} is JSON or a list without any list of {first.size} cards in it; it begins '{sample}'"
    if first.size == 52 and format is None:
        reader = first.any_cards()
        try:
            reader.deck(first.lines[0])
        except BadDeck as bad:
            return f"{name} is no deck log that can be recognised: line 1: {bad}; --format forces a form"
    wanted = f"--format {format}" if format else "any known form"
    return f"{name} holds no deck of {first.size} cards in {wanted}; it begins '{sample}'"


def _log(
    first: FirstLines,
    findings: Findings,
    reader: Reader,
    layout: str,
    blocks: Callable[[], Iterator[Block]],
    by: str | None,
) -> DeckLog:
    if isinstance(reader, CardReader):
        if first.mapping is not None:
            raise BadInput(f"{first.source.name} is written as cards; --map is for integers, leave it out")
        mapping = first.vocabulary.describe() or "cards as rank and suit"
        symbols = [reader.names[card] for card in reader.pack]
    elif isinstance(reader, NumberReader):
        known = f"as {first.mapping}" if reader.faces_known else "of an unknown mapping (--map CDHS-A2K and the like names it)"
        mapping = f"integers {reader.base}..{reader.base + reader.size - 1} {known if reader.size == 52 else ''}".strip()
        symbols = [str(reader.base + i) for i in range(reader.size)]
    else:
        mapping, symbols = f"{reader.size} labels in sorted order", list(reader.labels)
    return DeckLog(
        source=first.source.name,
        format=f"{reader.kind}, {layout}",
        mapping=mapping,
        deck_size=first.size,
        findings=findings,
        blocks=blocks,
        faces_known=reader.faces_known and first.size == 52,
        by=by,
        symbols=symbols,
        repeatable=not first.source.is_pipe,
    )


def _as_json(first: FirstLines, findings: Findings, format: str | None, by: str | None) -> DeckLog | None:
    if format not in (None, "json"):
        return None
    decks = sample_decks(first.source)
    if not decks:
        return None
    texts = [" ".join(deck) for deck in decks]
    first.learn(texts)
    reader, share = first.best_reader(texts)
    if reader is None or (share == 0 and format is None and not first.near_decks(texts)):
        return None
    blocks = partial(read_json, first.source, reader, findings, by)
    return _log(first, findings, reader, "JSON", blocks, by)


def _as_lines(first: FirstLines, findings: Findings, format: str | None, by: str | None) -> DeckLog | None:
    if format in ("json", "csv") or by is not None:
        return None
    reader, share = first.best_reader(first.lines, format)
    if isinstance(reader, NumberReader) and has_places(first):
        return None
    if share > 0 and reader is not None:
        if share < 0.5 and format is None and find_layout(first, None) is not None:
            return None
        return _plain_lines(first, findings, reader, 0)
    per_line = first.cards_per_line()
    if per_line and (wrapped := _wrapped(first, findings, per_line)):
        return wrapped
    if format is None and find_layout(first, None) is not None:
        return None
    if skipped := _skipped_lines(first, findings, format):
        return skipped
    if isinstance(reader, CardReader) and (format == "cards" or first.near_decks(first.lines)):
        return _plain_lines(first, findings, reader, 0)
    return None


def _plain_lines(first: FirstLines, findings: Findings, reader: Reader, skip: int) -> DeckLog:
    reading = LineReading(reader, findings, skip=skip)
    return _log(first, findings, reader, "one deck a line", partial(_fresh_lines, first.source, reading), None)


def _skipped_lines(first: FirstLines, findings: Findings, format: str | None) -> DeckLog | None:
    """Lines that begin with a number or a name before the cards."""
    skip = first.words_before()
    bare = [" ".join(line_words(line)[skip:]) for line in first.lines]
    vocabulary = first.vocabulary
    first.learn(bare)
    reader, share = first.best_reader(bare, format)
    if not skip or reader is None or share <= 0.3:
        first.vocabulary = vocabulary
        return None
    start = " ".join(line_words(first.lines[0])[:skip])
    findings.note(f"{skip} word(s) at the start of each line left out, such as '{start[:20]}'")
    return _plain_lines(first, findings, reader, skip)


def _fresh_lines(source: ByteSource, reading: LineReading) -> Iterator[Block]:
    reading.decks = reading.comments = reading.headers = 0
    return read_lines(source, reading)


def _wrapped(first: FirstLines, findings: Findings, per_line: int) -> DeckLog | None:
    need = first.size // per_line
    groups = [" ".join(first.lines[i : i + need]) for i in range(0, len(first.lines) - need + 1, need)]
    reader, _ = first.best_reader(groups)
    if reader is None:
        return None
    reading = LineReading(reader, findings)
    told = "one card a line" if per_line == 1 else f"{per_line} cards a line"
    return _log(first, findings, reader, told, partial(read_wrapped, first.source, reading, per_line), None)


def _as_table(first: FirstLines, findings: Findings, format: str | None, by: str | None) -> DeckLog | None:
    if format in ("json", "cards", "integers", "labels"):
        return None
    found = find_layout(first, by)
    if found is None:
        return None
    layout, reader = found
    read = read_long if layout.kind == "long" else read_table
    blocks = partial(read, first.source, layout, reader, findings)
    return _log(first, findings, reader, layout.describe(), blocks, by)
