"""Runs `shuffle watch`: reads a stream as it comes and tells the evidence at each doubling and at the alarm."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..errors import BadInput
from .testing import reference_order
from .watch import Evidence, Watcher, odds_text


def _line(evidence: Evidence) -> str:
    group, height = max(evidence.groups.items(), key=lambda item: item[1])
    from_what = f" (most from {group})" if height > 1 else ""
    return f"{evidence.decks:>12,} decks: {evidence.odds()}{from_what}; highest so far {odds_text(evidence.best)}"


def watch_source(
    source: str,
    reference: str,
    alpha: float,
    stop: bool,
    every: int | None,
    tell: Callable[[str], None],
    *,
    form: str | None = None,
    mapping: str | None = None,
    deck_size: int = 52,
) -> bool:
    """Watch a log or stream; returns whether the alarm was passed. Raises BadInput for what cannot be read."""
    from .logs import read_decks

    kind, order, words = reference_order(reference, deck_size)
    log = read_decks(source, format=form, mapping=mapping, deck_size=deck_size)
    watcher = Watcher(deck_size, order if kind == "new" else None, alpha, log.faces_known)
    tell(f"watching {source}; {words}; alarm at {1 / alpha:,.0f}:1")
    following = every or 1
    for decks in log.chunks():
        at = 0
        while at < len(decks):
            step = decks[at : at + max(1, following - watcher.decks)]
            alarmed = watcher.alarm
            evidence = watcher.add(np.ascontiguousarray(step))
            at += len(step)
            if evidence.alarm and not alarmed:
                tell(f"{evidence.alarm:>12,} decks: ALARM, evidence of {1 / alpha:,.0f}:1 or more against a perfect shuffle")
                if stop:
                    tell(_line(evidence))
                    return True
            if watcher.decks >= following:
                tell(_line(evidence))
                following = watcher.decks + every if every else 2 * watcher.decks
    evidence = watcher.evidence()
    if not evidence.decks:
        raise BadInput(f"{source} holds no deck")
    tell(_line(evidence))
    if evidence.alarm:
        tell(f"Alarm at deck {evidence.alarm:,}: bias found. A perfect shuffle raises it in at most {alpha:g} of all streams.")
    else:
        tell(f"No alarm in {evidence.decks:,} decks; that is no proof of anything, only no evidence (yet).")
    return evidence.alarm > 0
