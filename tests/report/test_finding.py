"""The finding in one sentence, for each kind of result; it never claims more than the interval does."""

from __future__ import annotations

import pytest
from made_runs import make_run, mirrored_match, random_match, random_run

from basra_sim.analysis.tables.summary import summarize
from basra_sim.report.finding import about, beats, of_run


def sentence(*matches: object, names: list[str], **more: object) -> str:
    return of_run(summarize(make_run(names, list(matches), **more)))  # type: ignore[arg-type]


def test_beats_beyond_doubt_and_says_by_how_much() -> None:
    summary = summarize(make_run(["weak", "strong"], [random_match("weak", "strong", 300, 1, edge=-6.0)]))
    text = of_run(summary)
    share = 100 * (1 - summary["matches"][0]["score_a"])
    assert text.startswith("strong beats weak beyond reasonable doubt: it won ") and "of 600 games" in text
    assert abs(float(text.split("won ")[1].split(" %")[0]) - share) < 0.51
    gap = -summary["matches"][0]["points_per_round_difference"]
    assert f"about {about(gap, 0.5)} more" in text or f"about {round(gap)} points a round more" in text


def test_no_difference_shown() -> None:
    text = sentence(random_match("x", "y", 200, 5), names=["x", "y"])
    assert text.startswith("No difference shown between") and text.endswith("which may be chance.")


def test_too_few_pairs() -> None:
    text = sentence(random_match("x", "y", 3, 5, edge=9.0), names=["x", "y"])
    assert "too few pairs to say more" in text and "beats" not in text


def test_level_by_construction() -> None:
    text = sentence(mirrored_match("greedy", "greedy#2", 40, 1), names=["greedy", "greedy#2"])
    assert "one strategy, and played level" in text and "%" not in text


def test_several() -> None:
    text = of_run(summarize(random_run(["strong", "middle", "weak"], 400, 2)))
    assert text.startswith("strong did best of 3: ") and "beat each of them beyond chance" in text


def test_several_undecided() -> None:
    matches = [random_match(a, b, 12, i) for i, (a, b) in enumerate([("x", "y"), ("x", "z"), ("y", "z")])]
    text = sentence(*matches, names=["x", "y", "z"])
    assert "may be chance" in text and "beyond" not in text


def test_nothing_played() -> None:
    from basra_sim.records.counters import MatchTotals

    assert sentence(MatchTotals("x", "y"), names=["x", "y"]) == "Nothing was played."


@pytest.mark.parametrize(("likelihood", "text"), [
    (1.0, "x beats y beyond reasonable doubt"), (0.9995, "x almost certainly beats y"), (0.98, "x very likely beats y"),
    (None, "x beats y"),
])  # fmt: skip
def test_words(likelihood: float | None, text: str) -> None:
    assert beats("x", "y", likelihood) == text


def test_points() -> None:
    assert about(17.24, 0.13) == "17 points a round"
    assert about(-1.04, 0.08) == "1.0 points a round"
    assert about(1.2, 3.0) == "1 point a round"
