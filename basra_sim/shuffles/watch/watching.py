"""Runs `shuffle watch`: reads a stream as it comes and tells the evidence at each doubling and at the alarm."""

from __future__ import annotations

from collections.abc import Callable
from math import log

import numpy as np

from basra_sim.errors import BadInput
from basra_sim.shuffles.generators.deck_orders import reference_order
from basra_sim.shuffles.logs import read_decks

from .running_evidence import Evidence, Watcher, odds_text

SOME = log(1.5)  # less is no evidence


def _line(evidence: Evidence) -> str:
    group, height = max(evidence.groups.items(), key=lambda item: item[1])
    from_what = f", most from {group}" if height > 1 else ""
    higher = evidence.best > SOME and odds_text(evidence.best) != odds_text(evidence.log_e)
    highest = f" (highest so far {odds_text(evidence.best)})" if higher else ""
    return f"{evidence.decks:>12,} decks: {odds_text(evidence.log_e)}{highest}{from_what}"


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
    kind, order, words = reference_order(reference, deck_size)
    log = read_decks(source, format=form, mapping=mapping, deck_size=deck_size)
    watcher = Watcher(deck_size, order if kind == "new" else None, alpha, log.faces_known)
    tell(f"watching {source}: odds against a perfect shuffle, alarm at {1 / alpha:,.0f}:1")
    tell(words)
    following = every or 1
    for decks in log.chunks():
        at = 0
        while at < len(decks):
            step = decks[at : at + max(1, following - watcher.decks)]
            at += len(step)
            alarmed = _take(watcher, step, tell)
            if alarmed and stop:
                tell(_line(watcher.evidence()))
                return True
            if watcher.decks >= following:
                tell(_line(watcher.evidence()))
                following = watcher.decks + every if every else 2 * watcher.decks
    return _end(watcher, source, tell)


def _take(watcher: Watcher, decks: np.ndarray, tell: Callable[[str], None]) -> bool:
    """Take decks; whether the alarm was passed among them."""
    before = watcher.alarm
    evidence = watcher.add(np.ascontiguousarray(decks))
    if evidence.alarm and not before:
        odds = f"{1 / watcher.alpha:,.0f}:1"
        tell(f"{evidence.alarm:>12,} decks: ALARM, evidence of {odds} or more against a perfect shuffle")
        return True
    return False


def _end(watcher: Watcher, source: str, tell: Callable[[str], None]) -> bool:
    """The last words of a watch; whether there was an alarm."""
    evidence = watcher.evidence()
    if not evidence.decks:
        raise BadInput(f"{source} holds no deck")
    tell(_line(evidence))
    if evidence.alarm:
        share = f"at most {watcher.alpha:g} of all streams"
        tell(f"Alarm at deck {evidence.alarm:,}: bias found. A perfect shuffle raises it in {share}.")
    else:
        tell(f"No alarm in {evidence.decks:,} decks; that is no proof of anything, only no evidence (yet).")
    return evidence.alarm > 0
