"""Decks as text: one deck a line, card texts (or numbers for packs of another size) with blanks between."""

from __future__ import annotations

from collections.abc import Iterable
from typing import BinaryIO

import numpy as np

from basra_sim.game.cards import TEXTS


def deck_lines(decks: np.ndarray) -> bytes:
    """The lines of some decks, uint8 (m, n), each ended by a newline."""
    n = decks.shape[1]
    names = [text if n == 52 else str(card) for card, text in enumerate(TEXTS)]
    if n < 52 or any(len(name) != 2 for name in names):
        return "".join(" ".join(names[card] for card in deck) + "\n" for deck in decks.tolist()).encode("ascii")
    table = np.frombuffer("".join(f"{name} " for name in names).encode("ascii"), dtype=np.uint8).reshape(52, 3)
    lines = table[decks].reshape(len(decks), 3 * n)
    lines[:, -1] = ord("\n")
    return lines.tobytes()


def write_decks(chunks: Iterable[np.ndarray], stream: BinaryIO) -> int:
    """Write all decks; returns how many."""
    written = 0
    for decks in chunks:
        stream.write(deck_lines(decks))
        written += len(decks)
    return written
