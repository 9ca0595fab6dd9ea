"""What a run found, in one sentence that a player understands. Reads the summary; claims no more than it holds."""

from __future__ import annotations

from typing import Any

from basra_sim.analysis.statistics.intervals import Estimate, estimate_of
from basra_sim.analysis.statistics.ranking import score_of
from basra_sim.analysis.text.number_words import count, decimals_for, fixed, percent, plural

UNITS = {"game": "games", "round": "rounds", "packs": "rounds"}


def unit_of(summary: dict[str, Any]) -> str:
    """"games" or "rounds": what was won."""
    return UNITS[summary["unit"]]


def beats(better: str, worse: str, likelihood: float | None) -> str:
    """"x beats y", with how sure that is: by the likelihood (0.5..1) that x is the stronger."""
    if likelihood is not None and likelihood < 0.999999:
        return f"{better} {'almost certainly' if likelihood >= 0.999 else 'very likely'} beats {worse}"
    return f"{better} beats {worse}" + ("" if likelihood is None else " beyond reasonable doubt")


def about(value: float, half: float | None) -> str:
    """A number of points as one says it: no more digits than its interval warrants, at most one decimal."""
    digits = 0 if abs(value) >= 10 or (half is not None and half >= 1) else min(1, 1 if half is None else decimals_for(half))
    text = fixed(abs(value), digits)
    return f"{text} point{'' if text == '1' else 's'} a round"


def of_match(match: dict[str, Any], unit: str) -> str:
    """The finding of one match, the better strategy first."""
    score = estimate_of(match, "score_a")
    difference = estimate_of(match, "points_per_round_difference")
    better, worse, side = match["a"], match["b"], "a"
    if score.value is not None and score.value < 0.5:
        better, worse, side = worse, better, "b"
    if match["level"]:
        return (
            f"{match['a']} and {match['b']} are one strategy, and played level: with the same packs from both seats they must."
        )
    won = score_of(match, side)
    verb = "won" if not match["draws"] else "scored"
    share = f"{percent(won)} of {plural(match['games'], unit.removesuffix('s'))}"
    points = ""
    if difference.value is not None:
        gap = difference.value if side == "a" else -difference.value
        points = f"; about {about(gap, difference.half)} {'more' if gap >= 0 else 'fewer'}"
    if won.low is None:
        return f"{better} {verb} {share} against {worse}; too few pairs to say more."
    if won.low <= 0.5:
        return f"No difference shown between {better} and {worse}: {better} {verb} {share}, which may be chance."
    likelihood = match["los"] if side == "a" else None if match["los"] is None else 1 - match["los"]
    return f"{beats(better, worse, likelihood)}: it {verb} {share}{points}."


def _lead_over_field(best: dict[str, Any], matches: list[dict[str, Any]]) -> tuple[list[str], list[str], Estimate | None]:
    """(whom it beats, with whom nothing is decided, its worst match score)."""
    beaten, open_, closest = [], [], None
    for match in matches:
        side = "a" if match["a"] == best["strategy"] else "b"
        score = score_of(match, side)
        other = match["b" if side == "a" else "a"]
        decided = match.get("decided", True) is not False  # after Holm's correction, where the summary has it
        if decided and score.low is not None and score.low > 0.5:
            beaten.append(other)
        elif not (decided and score.high is not None and score.high < 0.5):
            open_.append(other)
        if score.value is not None and (closest is None or closest.value is None or score.value < closest.value):
            closest = score
    return beaten, open_, closest


def of_run(summary: dict[str, Any]) -> str:
    """The finding of a whole run."""
    unit = unit_of(summary)
    played = [match for match in summary["matches"] if match["games"]]
    if not played:
        return "Nothing was played."
    others = [match for match in played if not match["self_match"]]
    if len(played) == 1 or not others:
        return of_match(played[0], unit)
    if len(others) == 1:
        return of_match(others[0], unit)
    rows = [row for row in summary["ranking"] if row["games"]]
    best = rows[0]
    score = estimate_of(best, "score")
    own = [match for match in others if best["strategy"] in (match["a"], match["b"])]
    beaten, undecided, _ = _lead_over_field(best, own)
    share = f"{percent(score)} of {count(best['games'])} {unit} against {plural(best['opponents'], 'opponent')}"
    text = f"{best['strategy']} did best of {len(rows)}: {share}"
    if len(beaten) == len(own):
        text += ", and beat each of them beyond chance"
    elif undecided and len(undecided) <= 3:
        text += f"; against {' and '.join(undecided)} the difference may be chance"
    else:
        text += f"; it beat {len(beaten) or 'none'} of them beyond chance"
    gap = _points_over_field(best["strategy"], own)
    return text + (f"; about {about(gap, None)} {'more' if gap >= 0 else 'fewer'} than they." if gap is not None else ".")


def _points_over_field(name: str, matches: list[dict[str, Any]]) -> float | None:
    """Its points a round minus those of its opponents, over all its matches."""
    rounds = sum(match["rounds"] for match in matches)
    total = 0.0
    for match in matches:
        difference = match["points_per_round_difference"]
        if difference is None:
            return None
        total += match["rounds"] * (difference if match["a"] == name else -difference)
    return total / rounds if rounds else None
