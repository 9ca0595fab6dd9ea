"""What a deck log is once it is recognised: chunks of card ids, with findings counted and nothing skipped.

Cards are ``(rank - 1) * 4 + suit`` (ranks A 2..9 T J Q K, suits c d h s); place 0 is the first card of a line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np

from basra_sim.errors import BadInput

CHUNK_DECKS = 50_000
KEPT_REASONS = 8
Block = tuple[np.ndarray, "list[str] | None"]


@dataclass(frozen=True)
class Rejection:
    """One deck that was not counted: the line (or record) number in the source and why."""

    line: int
    reason: str
    unit: str = "line"

    def __str__(self) -> str:
        return f"{self.unit} {self.line}: {self.reason}"


@dataclass
class Findings:
    """What reading has found so far; filled while chunks are read, complete when they are."""

    strict: bool = False
    source: str = ""
    read: int = 0
    rejected: int = 0
    reasons: list[Rejection] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def reject(self, line: int, reason: str, unit: str = "line") -> None:
        """Count a bad deck; under strict reading stop at once. Raises BadInput if strict."""
        self.rejected += 1
        rejection = Rejection(line, reason, unit)
        if len(self.reasons) < KEPT_REASONS:
            self.reasons.append(rejection)
        if self.strict:
            raise BadInput(f"{self.source}, {rejection} (--strict stops at the first bad deck)")

    def note(self, text: str) -> None:
        """Something the reader did that the user should know (a header skipped, a BOM); said once."""
        if text not in self.notes:
            self.notes.append(text)


@dataclass
class DeckLog:
    """A log that has been recognised but not yet read: iterate `chunks()` once (files: as often as you like).

    format: short name such as "tokens"; mapping: in words, how its marks became cards; faces_known: False when
    the cards are integers of an unknown mapping, so that tests about jacks or the 7d would be meaningless;
    symbols: for deck_size != 52 the text of card i of the log.
    """

    source: str
    format: str
    mapping: str
    deck_size: int
    findings: Findings
    blocks: Callable[[], Iterator[Block]]
    faces_known: bool = True
    by: str | None = None
    symbols: list[str] | None = None
    repeatable: bool = True
    _begun: bool = False

    @property
    def rejected(self) -> int:
        """Decks not counted so far (complete once chunks() is exhausted)."""
        return self.findings.rejected

    @property
    def reasons(self) -> list[Rejection]:
        """The first few rejections, with line numbers."""
        return self.findings.reasons

    @property
    def decks_read(self) -> int:
        """Decks yielded so far."""
        return self.findings.read

    @property
    def notes(self) -> list[str]:
        """Headers skipped, BOMs, comments and the like, in words."""
        return self.findings.notes

    def describe(self) -> list[str]:
        """Lines of plain text that say what was understood (complete after reading)."""
        lines = [f"{self.source}: {self.format}; {self.mapping}"]
        if self.decks_read or self.rejected:
            lines.append(f"{self.decks_read:,} decks of {self.deck_size} cards, {self.rejected:,} rejected")
        lines += [str(reason) for reason in self.reasons]
        if self.rejected > len(self.reasons):
            lines.append(f"... and {self.rejected - len(self.reasons):,} more")
        return lines + self.notes

    def chunks(self) -> Iterator[np.ndarray]:
        """uint8 arrays (n, deck_size) of card ids, in the order of the log, at most CHUNK_DECKS rows each."""
        for decks, _ in self.labelled_chunks():
            yield decks

    def labelled_chunks(self) -> Iterator[Block]:
        """As `chunks`, each with the column values asked for by `by=` (one text a deck), else None."""
        if self._begun and not self.repeatable:
            raise BadInput(f"{self.source} can be read only once; save it to a file first")
        self._begun = True
        self.findings.read, self.findings.rejected = 0, 0
        self.findings.reasons.clear()
        for decks, labels in self.blocks():
            if len(decks):
                self.findings.read += len(decks)
                yield decks, labels
        if not self.findings.read:
            first = f": {self.reasons[0]}" if self.reasons else ""
            raise BadInput(f"{self.source} holds no deck of {self.deck_size} cards{first}")

    def all(self, limit: int | None = None) -> np.ndarray:
        """All decks (or the first `limit`) in one array (n, deck_size); for small logs."""
        parts, count = [], 0
        for decks in self.chunks():
            parts.append(decks)
            count += len(decks)
            if limit is not None and count >= limit:
                break
        return np.concatenate(parts)[:limit]


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
