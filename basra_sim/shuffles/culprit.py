"""Names the likeliest built-in flaw behind a log."""

from __future__ import annotations

from .statistics import Tally


def culprit_lines(tally: Tally, reference: str) -> list[str]:
    """Placeholder until the models are there."""
    return []
