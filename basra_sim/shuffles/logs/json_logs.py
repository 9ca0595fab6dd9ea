"""JSON logs: arrays of decks, one object a line, deckofcardsapi answers, nested data; read in pieces, flat memory."""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterator
from typing import Any

from basra_sim.errors import BadInput

from .byte_blocks import ByteSource
from .deck_log import Block, Findings, Gather
from .deck_reader import BadDeck, Reader

_DECODER = json.JSONDecoder()
_RANK_KEYS = ("rank", "value", "face", "number", "r")
_SUIT_KEYS = ("suit", "suite", "colour", "color", "s")
_CARD_KEYS = ("code", "card", "name", "id", "text")
MOST_PENDING = 256 << 20


def card_text(item: Any) -> str | None:
    """The text of one JSON card (string, integer, object with rank and suit or code, [rank, suit]); None if none."""
    if isinstance(item, str):
        return item
    if isinstance(item, bool) or item is None:
        return None
    if isinstance(item, int):
        return str(item)
    if isinstance(item, dict):
        keys = {str(key).lower(): value for key, value in item.items()}
        rank = next((keys[key] for key in _RANK_KEYS if key in keys), None)
        suit = next((keys[key] for key in _SUIT_KEYS if key in keys), None)
        if rank is not None and suit is not None:
            return f"{rank} {suit}"
        found = next((keys[key] for key in _CARD_KEYS if key in keys), rank)
        return str(found) if isinstance(found, (str, int)) else None
    if _is_pair(item):
        return f"{item[0]} {item[1]}"
    return None


def decks_in(value: Any, label: str = "", by: str | None = None) -> Iterator[tuple[list[str], str]]:
    """Every list of cards in a JSON value (card texts), with the value of the key `by` nearest above it."""
    if isinstance(value, dict):
        if by is not None and by in value:
            label = str(value[by])
        for key, inner in value.items():
            if isinstance(inner, str) and key != by and len(inner) > 60:
                yield [inner], label
            elif isinstance(inner, (list, dict)):
                yield from decks_in(inner, label, by)
    elif isinstance(value, list) and value:
        texts = [card_text(item) for item in value]
        if all(text is not None for text in texts) and not _holds_decks(value):
            yield [text for text in texts if text is not None], label
        else:
            for inner in value:
                yield from decks_in(inner, label, by)
    elif isinstance(value, str):
        yield [value], label


def _holds_decks(value: list[Any]) -> bool:
    """A list of texts that are decks themselves (["7dKs...", ...])."""
    return all(isinstance(item, str) and len(item) > 60 for item in value)


class Values:
    """Successive JSON values of a text that arrives in pieces: lines, or the items of one top-level array."""

    def __init__(self, name: str) -> None:
        self.name, self.text, self.place, self.line = name, "", 0, 1
        self.begun = False

    def feed(self, text: str, last: bool) -> Iterator[tuple[int, Any]]:
        """(line number, value) for all that is complete. Raises BadInput where the text stops being JSON."""
        self.text = self.text[self.place :] + text
        self.place = 0
        while True:
            self._skip()
            if self.place >= len(self.text):
                return
            if self._enters_array():
                continue
            try:
                value, end = _DECODER.raw_decode(self.text, self.place)
            except json.JSONDecodeError as error:
                if not last and len(self.text) - self.place < MOST_PENDING:
                    return
                raise Broken(self.line, error.msg) from None
            if not last and end >= len(self.text) - 1 and isinstance(value, int):
                return
            line = self.line
            self.line += self.text.count("\n", self.place, end)
            self.place = end
            yield line, value

    def _skip(self) -> None:
        text, place = self.text, self.place
        while place < len(text) and text[place] in " \t\r\n,;]":
            self.line += text[place] == "\n"
            place += 1
        self.place = place

    def _enters_array(self) -> bool:
        """Step into a top-level array of decks, so that it need not be held whole."""
        if self.begun or self.text[self.place] != "[":
            self.begun = True
            return False
        inner = self.text[self.place + 1 : self.place + 2000].lstrip()[:1]
        self.begun = True
        if inner in ("[", "{") and not self._is_one_deck():
            self.place += 1
            return True
        return False

    def _is_one_deck(self) -> bool:
        """[{"rank":..}, ...] alone is a deck; [{"cards": [...]}, ...] and [[...], ...] are many."""
        try:
            first, _ = _DECODER.raw_decode(self.text, self.text.index("[", self.place) + 1 + self._blank())
        except json.JSONDecodeError:
            return False
        return (card_text(first) is not None and next(decks_in(first), None) is None) or _is_pair(first)

    def _blank(self) -> int:
        inside = self.text[self.place + 1 :]
        return len(inside) - len(inside.lstrip())


def _is_pair(value: Any) -> bool:
    """[7, "D"]: a rank and a suit, of which one is a text."""
    return isinstance(value, list) and len(value) == 2 and {type(v) for v in value} in ({str}, {str, int})


class Broken(Exception):
    """The text is not JSON from this line on."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(reason)
        self.line = line


def values_of(source: ByteSource) -> Iterator[tuple[int, Any]]:
    """All JSON values of a source with the lines they start in."""
    values = Values(source.name)
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    for chunk in source.chunks():
        yield from values.feed(decoder.decode(chunk), False)
    yield from values.feed(decoder.decode(b"", True), True)


def read_json(source: ByteSource, reader: Reader, findings: Findings, by: str | None) -> Iterator[Block]:
    """Decks of a JSON log, lists that cannot be decks (names, scores) left alone."""
    gather = Gather(by is not None)
    found_any = False
    try:
        for line, value in values_of(source):
            for texts, label in decks_in(value, by=by):
                try:
                    deck = reader.deck(" ".join(texts))
                except BadDeck as bad:
                    if bad.has_cards or (len(texts) == reader.size and not found_any):
                        findings.reject(line, str(bad))
                    continue
                found_any = True
                yield from gather.add(deck, label)
    except Broken as broken:
        findings.reject(broken.line, f"the JSON is cut off or broken from here ({broken})")
    yield from gather.rest()


def sample_decks(source: ByteSource) -> list[list[str]] | None:
    """Card texts of the first decks of a JSON log (from its head); None when the head is not JSON."""
    text = source.head().decode("utf-8", "ignore").lstrip()
    if text[:1] not in ("[", "{", '"'):
        return None
    values = Values(source.name)
    decks: list[list[str]] = []
    try:
        for _, value in values.feed(text, source.head_is_all):
            decks += [texts for texts, _ in decks_in(value)]
    except Broken:
        if not decks:
            return None
    if not decks and not source.head_is_all:
        if text[1:200].lstrip()[:1] in ("[", "{", '"'):
            return _whole(source)
        return None
    return decks


def _whole(source: ByteSource) -> list[list[str]] | None:
    """A single large object: decks can only be seen when it is read to its end."""
    if source.is_pipe:
        raise BadInput(f"{source.name} starts a large JSON value; save it to a file, or write one deck a line")
    try:
        for _, value in values_of(source):
            decks = [texts for texts, _ in decks_in(value)]
            if decks:
                return decks[:200]
    except Broken:
        return None
    return None
