"""Digits that the interval warrants, and words for what is nearly certain."""

from __future__ import annotations

from basra_sim.analysis.statistics.intervals import Estimate, score_interval
from basra_sim.analysis.text.number_words import (
    decimals_for,
    elo_text,
    fixed,
    number_span,
    percent,
    percent_half,
    percent_span,
    plural,
    probability,
)


def test_digits_follow_the_interval():
    # two significant digits of a half-width up to 3.5, one above
    assert [decimals_for(h) for h in (12, 4, 3.4, 1.0, 0.4, 0.34, 0.04, 0.012)] == [0, 0, 1, 1, 1, 2, 2, 3]
    assert percent_span(Estimate(0.62304, 0.6190, 0.6270)) == "62.3 % (61.9 to 62.7)"
    assert percent_span(Estimate(0.5, None, None)) == "50 % (n/a)"
    assert percent(Estimate(None)) == "n/a" and percent(Estimate(1.0, 0.9, 1.0)) == "100 %"
    assert percent_half(Estimate(0.5, 0.496, 0.504)) == "±0.4"
    assert percent_half(score_interval([0, 0, 10**9, 0, 0])) != "±0"
    assert number_span(Estimate(21.339, 21.28, 21.40)) == "21.34 (21.28 to 21.40)"
    assert number_span(Estimate(1.04, -0.5, 2.6), signed=True) == "+1.0 (-0.5 to +2.6)"
    assert fixed(-0.0001, 2) == "0.00" and fixed(float("nan"), 2) == "n/a" and fixed(12462, 0) == "12,462"


def test_words_for_certainty_and_elo():
    assert [probability(p) for p in (None, 0.99999, 0.0, 0.9986, 0.93, 0.5)] == [
        "n/a", ">99.99 %", "<0.01 %", "99.86 %", "93.0 %", "50 %",
    ]  # fmt: skip
    assert elo_text(Estimate(87.2, 82.1, 92.4)) == "+87 (+82 to +92)"
    assert elo_text(Estimate(None, 310.0, None)) == "n/a (+310 to ...)"
    assert elo_text(Estimate(338.0)) == "+338 (n/a)" and elo_text(Estimate(None)) == "n/a"
    assert [plural(1, "match"), plural(2, "match"), plural(1234, "game"), plural(2, "strategy")] == [
        "1 match", "2 matches", "1,234 games", "2 strategies",
    ]  # fmt: skip
