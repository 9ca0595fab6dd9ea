"""Recognise which form of deck log a source is (shuffle log formats) and build its reader."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from ..cards import TEXTS
from ..errors import BadInput
from .logs import CHUNK_DECKS, Block, DeckLog, Findings

FORMATS = ("tokens",)
_IDS = {text.lower(): card for card, text in enumerate(TEXTS)}


def recognise(
    source: str, *, format: str | None, mapping: str | None, deck_size: int, strict: bool, by: str | None
) -> DeckLog:
    """First version: plain tokens only."""
    findings = Findings(strict=strict, source=source)
    if source != "-" and not Path(source).exists():
        raise BadInput(f"there is no file {source}")

    def blocks() -> Iterator[Block]:
        stream = sys.stdin if source == "-" else open(source, encoding="utf-8-sig")  # noqa: SIM115
        rows: list[list[int]] = []
        for number, line in enumerate(stream, 1):
            row = [_IDS.get(word.lower(), 255) for word in line.replace(",", " ").split()]
            if sorted(row) != list(range(deck_size)):
                findings.reject(number, "not a deck")
                continue
            rows.append(row)
            if len(rows) == CHUNK_DECKS:
                yield np.array(rows, dtype=np.uint8), None
                rows = []
        if rows:
            yield np.array(rows, dtype=np.uint8), None

    return DeckLog(source, "tokens", "rank first", deck_size, findings, blocks, repeatable=source != "-")
