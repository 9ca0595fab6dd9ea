"""The ranking of a run: each strategy over all its matches against others. Reads match summaries, no counters.

Matches of a run share their packs, so their estimates depend on each other: intervals are combined conservatively.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .intervals import NOTHING, Estimate, combine, estimate_of, flat

RATES = ("points", "basras", "plain_basras", "komi_basras", "jack_basras", "cards")
ROLES = ("leader", "dealer")


def score_of(match: dict[str, Any], side: str) -> Estimate:
    """The score of a side of a match summary: a's, or one less a's."""
    value, low, high = estimate_of(match, "score_a")
    if side == "a":
        return Estimate(value, low, high)
    return Estimate(
        None if value is None else 1 - value, None if high is None else 1 - high, None if low is None else 1 - low
    )


def _mean(pairs: Sequence[tuple[float | None, int]]) -> float | None:
    total = sum(n for value, n in pairs if value is not None)
    return sum(value * n for value, n in pairs if value is not None) / total if total else None


def _role(entries: list[dict[str, Any]]) -> dict[str, Any]:
    """A strategy as leader, or as dealer, over its matches: rates a round, and games that it began so."""
    result: dict[str, Any] = {"rounds": sum(e["rounds"] for e in entries)}
    for key in ("points_per_round", "cards_per_round", "basras_per_round"):
        result[key] = _mean([(e[key], e["rounds"]) for e in entries])
    for key in ("games_begun", "wins", "draws", "losses"):
        result[key] = sum(e[key] for e in entries)
    weights = [e["games_begun"] for e in entries]
    score = combine([estimate_of(e, "score") for e in entries], weights) if entries else NOTHING
    return result | flat("score", score)


def _row(name: str, matches: Sequence[dict[str, Any]]) -> dict[str, Any]:
    own = [(m, "a" if m["a"] == name else "b") for m in matches if name in (m["a"], m["b"]) and not m["self_match"]]
    games = [m["games"] for m, _ in own]
    rounds = [m["rounds"] for m, _ in own]
    row: dict[str, Any] = {
        "strategy": name,
        "opponents": len(own),
        "games": sum(games),
        "rounds": sum(rounds),
        "wins": sum(m[f"wins_{side}"] for m, side in own),
        "draws": sum(m["draws"] for m, _ in own),
        "losses": sum(m["wins_b" if side == "a" else "wins_a"] for m, side in own),
    }
    row |= flat("score", combine([score_of(m, side) for m, side in own], games))
    for rate in RATES:
        key = f"{rate}_per_round"
        row |= flat(key, combine([estimate_of(m, f"{key}_{side}") for m, side in own], rounds))
    row["roles"] = {role: _role([m["roles"][side][role] for m, side in own]) for role in ROLES}
    return row


def ranking(names: Sequence[str], matches: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """A row a strategy, best score first; equal scores, and strategies without games, keep the order of the run.

    A strategy's matches against itself never count.
    """
    rows = [_row(name, matches) for name in names]
    rows.sort(key=lambda row: -1.0 if row["score"] is None else row["score"], reverse=True)  # sort is stable
    for index, row in enumerate(rows):
        earlier = rows[index - 1] if index else None
        same = earlier is not None and earlier["score"] == row["score"]
        row["rank"] = earlier["rank"] if same and earlier is not None else index + 1
    return rows


def seat_effect(matches: Sequence[dict[str, Any]]) -> Estimate:
    """Points a round of the leader minus those of the dealer, over all matches of a run."""
    if not matches:
        return NOTHING
    return combine([estimate_of(m, "seat_effect") for m in matches], [m["rounds"] for m in matches])
