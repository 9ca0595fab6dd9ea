"""The report of a shuffle test as plain data, in its fixed order; terminal, JSON, HTML and pictures are made from it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from basra_sim.game.cards import TEXTS
from basra_sim.shuffles.battery import effect_sizes as effects
from basra_sim.shuffles.battery.outcomes import BATTERY_VERSION, FOUND, POWER, Outcome, Result
from basra_sim.shuffles.battery.tally import Tally
from basra_sim.version import __version__

from . import verdict_words as wording


@dataclass
class Report:
    """Everything a reader gets, in the order of reading."""

    sentence: str
    read: list[str]
    seen: list[str]
    effects: list[str]
    rows: list[dict[str, Any]]
    heat: np.ndarray
    noise: np.ndarray
    counts: np.ndarray
    heat_labels: list[str]
    repeats: list[str]
    limits: list[str]
    command: str
    outcome: Outcome
    culprit: list[str] = field(default_factory=list)
    confirm: list[str] = field(default_factory=list)

    def to_dict(self) -> dict[str, Any]:
        """For --json: plain numbers and texts."""
        outcome = self.outcome
        return {
            "verdict": outcome.verdict,
            "sentence": self.sentence,
            "exit_code": outcome.exit_code,
            "decks": outcome.decks,
            "deck_size": outcome.n,
            "profile": outcome.profile,
            "reference": outcome.reference,
            "battery_version": BATTERY_VERSION,
            "version": __version__,
            "alpha": outcome.alpha,
            "read": self.read,
            "could_have_been_seen": self.seen,
            "effects": self.effects,
            "looks_like": self.culprit,
            "confirm": self.confirm,
            "tests": self.rows,
            "not_run": outcome.skipped,
            "repeats": self.repeats,
            "limits": self.limits,
            "command": self.command,
        }


def row_of(result: Result) -> dict[str, Any]:
    """One row of the table; effects have their 95 % interval, `could_see` is at 80 % power over the whole battery."""
    m = result.measure
    low, high = m.interval
    return {
        "test": result.test.name,
        "title": result.test.title,
        "group": result.test.group,
        "kind": m.kind,
        "seen": m.value,
        "low": low,
        "high": high,
        "expected": m.expected,
        "could_see": result.could_see,
        "decks": m.count,
        "z": m.z,
        "p": result.p,
        "log10_p": result.log10_p,
        "log10_p_holm": result.log10_holm,
        "tail": m.tails.side,
        "too_even": wording.is_too_even(result),
        "verdict": result.verdict,
        "catches": result.test.catches,
    }


def place_noise(tally: Tally) -> np.ndarray:
    """(n, n) card (in the start order) x place: how many noise standard deviations each count is off."""
    n, decks = tally.n, max(1, tally.decks)
    counts = tally.places[tally.order]
    expected = decks / n
    z: np.ndarray = (counts - expected) / np.sqrt(expected * (1 - 1 / n))
    return z


def grouped_noise(tally: Tally, groups: int = 13) -> np.ndarray:
    """(groups, groups) the same for bands of cards and bands of places, with the exact noise of a band."""
    n = tally.n
    groups = min(groups, n)
    edges = np.linspace(0, n, groups + 1).round().astype(int)
    size = np.diff(edges)
    counts = np.add.reduceat(np.add.reduceat(tally.places[tally.order], edges[:-1], axis=0), edges[:-1], axis=1)
    share = size[:, None] * size[None, :] / n
    # hypergeometric: how many of `rows` cards lie in `columns` places
    variance = share * (1 - size[:, None] / n) * (n - size[None, :]) / max(1, n - 1)
    decks = max(1, tally.decks)
    z: np.ndarray = (counts - decks * share) / np.sqrt(np.maximum(variance, 1e-12) * decks)
    return z


def card_labels(tally: Tally, faces: bool) -> list[str]:
    """The cards in the start order, as text (numbers when they have no faces)."""
    if faces and tally.n == 52:
        return [TEXTS[card] for card in tally.order]
    return [str(int(card)) for card in tally.order]


def effect_lines(outcome: Outcome, tally: Tally) -> list[str]:
    """The effect of the shuffle in game terms."""
    lines = [effect.text() for effect in effects.game_effects(outcome, tally)]
    guesser = effects.best_guesser(tally)
    if guesser is not None:
        lines.append(guesser.text())
    if tally.n == 52 or outcome.reference != "none":
        lags = [(1, "the deck before")] if outcome.reference != "new" else [(0, "the start order"), (1, "the deck before")]
        for lag, against in lags:
            histogram = tally.histogram("rising", lag)
            if histogram.sum() and tally.n >= 8:
                lines.append(wording.riffle_line(effects.riffle_equivalent(histogram, tally.n), against))
    return lines


def build(
    outcome: Outcome, tally: Tally, *, read: list[str], command: str, culprit: list[str] | None = None, faces: bool = True
) -> Report:
    """Put the report together. read: what was read, in words; culprit: lines of `likeliest_flaw.culprit_lines`."""
    named = culprit or []
    return Report(
        sentence=wording.verdict_sentence(outcome, named[0] if named and outcome.verdict == FOUND else ""),
        read=read,
        seen=[
            *wording.seen_lines(outcome),
            f"(each with {100 * POWER:.0f} % power at level {outcome.alpha:g} over the whole battery)",
        ],
        effects=effect_lines(outcome, tally),
        rows=[row_of(result) for result in outcome.results],
        heat=grouped_noise(tally),
        noise=place_noise(tally),
        counts=tally.places[tally.order],
        heat_labels=card_labels(tally, faces),
        repeats=wording.repeat_lines(effects.repeated_decks(tally), tally.decks),
        limits=wording.limit_lines(outcome),
        command=command,
        outcome=outcome,
        culprit=named,
    )
