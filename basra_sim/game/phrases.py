"""Words for numbers of things, shared by everything that writes sentences."""

from __future__ import annotations

RANK_WORDS = (
    "", "an ace", "a 2", "a 3", "a 4", "a 5", "a 6", "a 7", "an 8", "a 9", "a ten", "a jack", "a queen", "a king",
)  # fmt: skip


def count_of(number: int, thing: str, things: str | None = None) -> str:
    """``(1, "card") -> "1 card"``, ``(2, "basra") -> "2 basras"``."""
    return f"{number} {thing if number == 1 else things or thing + 's'}"
