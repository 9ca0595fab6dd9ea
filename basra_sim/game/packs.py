"""Pack files: one pack a line, 52 cards from the top, `#` comments. Imports cards and errors only."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from basra_sim.errors import BadInput

from .cards import TEXTS, cards_text, parse_card


def read_packs(path: str | Path) -> np.ndarray:
    """The packs of a file as uint8 (n, 52). BadInput names the line and the card that is missing, doubled or no card."""
    try:
        lines = Path(path).read_text(encoding="utf-8-sig").splitlines()
    except UnicodeDecodeError:
        raise BadInput(f"{path} is not a text file; write a pack a line, such as '9s Kd 4h ...'") from None
    except OSError as error:
        raise BadInput(f"pack file {path} cannot be read: {error.strerror}") from None
    packs = []
    for number, line in enumerate(lines, 1):
        words = line.partition("#")[0].replace(",", " ").split()
        if words:
            packs.append(_pack(words, f"{path} line {number}"))
    if not packs:
        raise BadInput(f"pack file {path} holds no pack; write 52 cards a line")
    return np.array(packs, np.uint8)


def _pack(words: list[str], where: str) -> list[int]:
    try:
        cards = [parse_card(word) for word in words]
    except BadInput as error:
        raise BadInput(f"{where}: {error}") from None
    doubled = sorted({card for card in cards if cards.count(card) > 1})
    missing = sorted(set(range(52)) - set(cards))
    if doubled or missing or len(cards) != 52:
        parts = [f"{cards_text(doubled)} more than once"] if doubled else []
        parts += [f"{_some(missing)} missing"] if missing else []
        raise BadInput(f"{where} is no pack of 52 cards: {len(cards)} cards, {', '.join(parts)}")
    return cards


def _some(cards: list[int]) -> str:
    shown = " ".join(TEXTS[card] for card in cards[:8])
    return shown if len(cards) <= 8 else f"{shown} and {len(cards) - 8} more"
