"""Deck logs in every form that somebody has: bytes to lines, lines to decks, with everything odd counted and nothing skipped.

Imports the orders of a pack and the engine's policy for the fast path; `read_decks` is the way in. In come files and pipes; out
come blocks of decks and findings.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .deck_log import DeckLog as DeckLog
    from .log_forms import read_decks as read_decks

__all__ = ["DeckLog", "read_decks"]


def __getattr__(name: str) -> Any:
    """Both names are imported on use, so that the verbs' options do not wait for numba."""
    if name == "read_decks":
        from .log_forms import read_decks

        return read_decks
    if name == "DeckLog":
        from .deck_log import DeckLog

        return DeckLog
    raise AttributeError(f"module 'basra_sim.shuffles.logs' has no attribute '{name}'")
