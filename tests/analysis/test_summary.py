"""The summary of runs made by hand, whose numbers can be worked out on paper."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_runs import Round, count_match, make_run, mirrored_match, random_match, random_run, strategy

from basra_sim.analysis.tables.summary import same_strategy, summarize, summarize_match
from basra_sim.records.counters import MatchTotals

LEADS, DEALS = 0, 1  # `leader` of a round: a leads, or b leads and a deals


def hand_made(repeat: int = 4) -> MatchTotals:
    """Three pairs, `repeat` times each. Games of a: won 110-50, won 120-90; won 110-0, lost 40-150; lost, lost."""
    pairs = [
        (
            [Round(LEADS, (60, 30), (30, 22), (2, 0), (1, 0)), Round(DEALS, (50, 20), (28, 24), (2, 2))],
            [Round(DEALS, (120, 90), (27, 25), (9, 6), (0, 0), (0, 1))],
        ),
        ([Round(LEADS, (110, 0), (40, 12), (8, 0))], [Round(DEALS, (40, 150), (26, 26), (4, 12), (0, 0), (0, 1))]),
        ([Round(DEALS, (0, 110), (10, 42), (0, 8))], [Round(LEADS, (0, 110), (10, 42), (0, 8))]),
    ]
    return count_match("x", "y", pairs * repeat)


def test_a_match_by_hand():
    m = summarize_match(hand_made())
    assert (m["games"], m["pairs"], m["rounds"]) == (24, 12, 28)
    assert (m["wins_a"], m["draws"], m["wins_b"]) == (12, 0, 12)
    assert m["pair_scores"] == [4, 0, 4, 0, 4]
    assert m["score_a"] == 0.5 and m["score_a_low"] == pytest.approx(1 - m["score_a_high"])
    # points of a in the seven rounds: 60 50 120 110 40 0 0; of b: 30 20 90 0 150 110 110
    assert m["points_per_round_a"] == pytest.approx(380 / 7)
    assert m["points_per_round_b"] == pytest.approx(510 / 7)
    assert m["points_per_round_difference"] == pytest.approx(-130 / 7)
    assert m["basras_per_round_a"] == pytest.approx((2 + 2 + 9 + 8 + 4 + 1) / 7)
    assert m["plain_basras_per_round_a"] == pytest.approx(25 / 7)
    assert m["komi_basras_per_round_a"] == pytest.approx(1 / 7)
    assert m["jack_basras_per_round_b"] == pytest.approx(2 / 7)
    assert m["cards_per_round_a"] == pytest.approx((30 + 28 + 27 + 40 + 26 + 10 + 10) / 7)
    assert m["cards_per_round_a"] + m["cards_per_round_b"] == pytest.approx(52)
    # leaders: 60 20 90 110 150 110 0; dealers: 30 50 120 0 40 0 110
    assert m["seat_effect"] == pytest.approx((540 - 350) / 7)
    assert m["elo"] == 0.0 and m["elo_low"] == pytest.approx(-m["elo_high"])
    assert m["los"] == pytest.approx(0.5)
    assert m["games_by_length"] == {"1": 20, "2": 4}
    assert m["rounds_per_game"] == pytest.approx(28 / 24)


def test_roles_by_hand():
    roles = summarize_match(hand_made(1))["roles"]
    leader, dealer = roles["a"]["leader"], roles["a"]["dealer"]
    assert (leader["rounds"], dealer["rounds"]) == (3, 4)
    assert leader["points_per_round"] == pytest.approx((60 + 110 + 0) / 3)
    assert dealer["points_per_round"] == pytest.approx((50 + 120 + 40 + 0) / 4)
    assert leader["cards_per_round"] == pytest.approx((30 + 40 + 10) / 3)
    assert leader["basras_per_round"] == pytest.approx((2 + 1 + 8) / 3)
    assert dealer["basras_per_round"] == pytest.approx((2 + 9 + 4) / 4)
    # games that a began as leader: won, won, lost; as dealer: won, lost, lost
    assert [leader[k] for k in ("games_begun", "wins", "draws", "losses")] == [3, 2, 0, 1]
    assert [dealer[k] for k in ("games_begun", "wins", "draws", "losses")] == [3, 1, 0, 2]
    assert roles["b"]["dealer"]["wins"] == 1 and roles["b"]["leader"]["wins"] == 2
    assert roles["b"]["leader"]["points_per_round"] == pytest.approx((20 + 90 + 150 + 110) / 4)


def test_margin_saved_by_pairing_by_hand():
    # pair margins +90 (60 + 30), 0 (110 - 110), -220; game margins 60, 30, 110, -110, -110, -110
    saved = summarize_match(hand_made(1))["variance_reduction"]
    mean, games = -130 / 3, (60, 30, 110, -110, -110, -110)
    pair = sum((x - mean) ** 2 for x in (90, 0, -220)) / 2
    game = sum((x + 130 / 6) ** 2 for x in games) / 5
    assert saved["margin"] == pytest.approx(1 - pair / (2 * game))
    # half points of pairs 4, 2, 0 (variance 4); of games 2 2 2 0 0 0 (variance 1.2)
    assert saved["score"] == pytest.approx(1 - 4 / 2.4)


def test_no_effect_shows_none():
    m = summarize_match(random_match("x", "y", 400, seed=11))
    assert m["score_a_low"] < 0.5 < m["score_a_high"]
    assert m["points_per_round_difference_low"] < 0 < m["points_per_round_difference_high"]
    assert m["seat_effect_low"] < 0 < m["seat_effect_high"]
    assert abs(m["variance_reduction"]["score"]) < 0.15


def test_an_effect_shows():
    m = summarize_match(random_match("x", "y", 400, seed=11, edge=2.0))
    assert m["score_a_low"] > 0.5 and m["los"] > 0.999 and m["elo_low"] > 0


def test_totals_add_up_in_the_ranking():
    s = summarize(random_run(["p", "q", "r", "s"], 40))
    for row in s["ranking"]:
        assert row["wins"] + row["draws"] + row["losses"] == row["games"] == 240
        assert row["score"] == pytest.approx((row["wins"] + row["draws"] / 2) / row["games"])
    assert sum(row["score"] for row in s["ranking"]) == pytest.approx(2.0)  # four strategies, each game shares out 1
    assert [row["rank"] for row in s["ranking"]] == [1, 2, 3, 4]
    assert s["games"] == 480 and s["games_per_second"] == 240
    first = s["ranking"][0]["strategy"]
    own = [(m, "a" if m["a"] == first else "b") for m in s["matches"] if first in (m["a"], m["b"])]
    points = sum(m[f"points_per_round_{side}"] * m["rounds"] for m, side in own)
    assert s["ranking"][0]["points_per_round"] == pytest.approx(points / sum(m["rounds"] for m, _ in own))


def test_draws_count_half_and_are_never_losses():
    level = Round(LEADS, (30, 30), (26, 26), (3, 3))
    s = summarize(make_run(["x", "y"], [count_match("x", "y", [([level], [level])] * 12)], unit="round"))
    m = s["matches"][0]
    assert (m["wins_a"], m["draws"], m["wins_b"], m["score_a"]) == (0, 24, 0, 0.5)
    assert m["pair_scores"] == [0, 0, 12, 0, 0]
    assert m["score_a_low"] < 0.5 < m["score_a_high"]  # alike pairs never close the interval
    assert m["points_per_round_a_low"] is None  # nothing varies: nothing to say
    assert m["variance_reduction"] == {"score": None, "margin": None}


def test_a_strategy_against_itself_is_level_and_never_ranked():
    both = ["greedy", "greedy#2"]
    s = summarize(make_run(both, [mirrored_match(*both, 30, 3)]))
    m = s["matches"][0]
    assert m["level"] and m["self_match"] and m["los"] is None
    assert m["wins_a"] == m["wins_b"] and m["score_a"] == 0.5
    assert m["points_per_round_difference"] == 0
    assert m["variance_reduction"]["score"] == 1.0  # all of it
    assert [(r["games"], r["score"]) for r in s["ranking"]] == [(0, None), (0, None)]
    assert s["notes"] == []
    s = summarize(make_run(both, [random_match(*both, 30, 3)]))
    assert not s["matches"][0]["level"] and "not level" in s["notes"][0]


def test_same_file_with_other_parameters_is_another_strategy():
    one = strategy("deep", "lib/deep.py:depth=1", "h")
    assert same_strategy(one, strategy("deep#2", "lib/deep.py:depth=1", "h"))
    assert not same_strategy(one, strategy("deep:depth=2", "lib/deep.py:depth=2", "h"))
    assert not same_strategy(one, strategy("deep", "lib/deep.py:depth=1", "other hash"))


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 12), st.integers(1, 1000), st.booleans())
def test_there_is_never_a_nan(pairs, seed, single):
    s = summarize(random_run(["p", "q"], pairs, seed, single, seconds=0.0))
    json.dumps(s, allow_nan=False)
    m = s["matches"][0]
    assert s["games_per_second"] is None
    assert (m["score_a_low"] is None) == (pairs < 10)
    assert m["wins_a"] + m["draws"] + m["wins_b"] == m["games"]


def test_nothing_in_the_summary_but_two_fields_depends_on_time():
    one = summarize(random_run(["p", "q"], 20, seconds=1.0))
    two = summarize(random_run(["p", "q"], 20, seconds=2.0))
    different = {key for key in one if one[key] != two[key]}
    assert different == {"seconds", "games_per_second"}
