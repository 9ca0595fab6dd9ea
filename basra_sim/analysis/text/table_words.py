"""The words of tables, whatever they are printed on: cells of analyses, groups, and what it means to be level."""

from __future__ import annotations

import math
from typing import Any

from .number_words import NA, decimals_for, fixed

LEVEL = "level by construction"
LEVEL_NOTE = (
    "Level by construction: the same strategy on both sides. The second game of a pair mirrors the first, so every "
    "pair ends level whatever the strategy plays; no luck is left to measure and no interval is needed."
)


def cell_text(row: Any, share: bool, plus_minus: str) -> str:
    """"0.476 ±0.008", or in percent for shares; as many digits as the interval warrants."""
    scale = 100 if share else 1
    value = row["value"]
    if value is None or not math.isfinite(value):
        return NA
    half = (row["high"] - row["low"]) / 2 * scale
    if not math.isfinite(half) or half <= 0:
        return fixed(value * scale, 1 if share else 2)
    digits = decimals_for(half)
    digits = min(digits, 4) if half >= 5e-5 else digits
    return f"{fixed(value * scale, digits)} {plus_minus}{fixed(half, digits)}"


def expected_text(row: Any, share: bool) -> str:
    """The value under the law, with the digits of the value beside it; "–" where there is no law."""
    expected = row["expected"]
    if expected is None or not math.isfinite(expected):
        return "–"
    scale = 100 if share else 1
    half = (row["high"] - row["low"]) / 2 * scale
    return fixed(expected * scale, min(decimals_for(half), 4) if math.isfinite(half) and half > 0 else 2)


def group_text(name: str, value: Any) -> str:
    """A group as people count it: deals and plies from 1."""
    if isinstance(value, str):
        return value
    return str(int(value) + 1) if name in ("deal", "ply") else f"{int(value):,}"
