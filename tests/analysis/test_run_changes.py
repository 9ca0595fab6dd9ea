"""Two runs: paired changes against the pairs themselves, Holm, what differs, what cannot be compared."""

from __future__ import annotations

import csv
import io
import json

import numpy as np
import pytest
from click.testing import CliRunner
from made_runs import random_run

from basra_sim.analysis.tables.run_changes import (
    apart_score,
    compare,
    paired_points,
    paired_score,
    score_changes,
    turned,
    why_not,
)
from basra_sim.cli import cli
from basra_sim.errors import BadInput
from basra_sim.records.counters import GROUPS, MatchTotals
from basra_sim.records.run_folder import read_run
from basra_sim.runs.run_settings import Settings
from basra_sim.runs.running import run

TEXT = "from basra_sim.view import lowest\n\n\ndef choose(view):\n    return lowest(view.hand){more}\n"
BETTER = """from basra_sim.view import lowest, outcome


def choose(view):
    rest = view.hand
    while rest != 0:
        card = lowest(rest)
        rest &= rest - 1
        if outcome(view, card).taken > 0:
            return card
    return lowest(view.hand)
"""


def match(half_points, margins, rounds):
    m = MatchTotals("x", "y")
    n = len(half_points)
    m.pairs, m.games = n, 2 * n
    group = np.arange(n) % GROUPS
    for column, values in enumerate((half_points, margins, rounds)):
        m.group_sums[:, column] = np.bincount(group, weights=values, minlength=GROUPS)
    m.pair_scores[...] = np.bincount(half_points, minlength=5)
    m.pair_sums[11] = int(np.sum(half_points))
    return m


def test_up_to_512_pairs_it_is_the_paired_t_test():
    from scipy.stats import ttest_rel

    rng = np.random.default_rng(1)
    before = rng.integers(0, 5, 300)
    after = np.clip(before + rng.integers(-1, 3, 300), 0, 4)
    ones = np.full(300, 2)
    value, p = paired_score(match(before, ones, ones), match(after, ones, ones))
    theirs = ttest_rel(after / 4, before / 4)
    ends = theirs.confidence_interval(0.95)
    assert value == pytest.approx((float((after - before).mean()) / 4, ends.low, ends.high))
    assert p == pytest.approx(theirs.pvalue)
    points, points_p = paired_points(match(before, 10 * before, ones), match(after, 10 * after, ones))
    assert points.value == pytest.approx(20 * value.value) and points_p == pytest.approx(p)


def test_intervals_hold_the_truth_as_often_as_they_say():
    rng = np.random.default_rng(2)
    inside = {"paired": 0, "apart": 0}
    for _ in range(400):
        luck = rng.random((2, 3000))
        before, after = (2 * (row < share).sum(axis=0) for row, share in ((luck, 0.5), (luck, 0.53)))
        fresh = 2 * (rng.random((2, 3000)) < 0.53).sum(axis=0)
        ones = np.full(3000, 2)
        for name, method, second in (("paired", paired_score, after), ("apart", apart_score, fresh)):
            e, _ = method(match(before, ones, ones), match(second, ones, ones))
            inside[name] += e.low <= 0.03 <= e.high
            assert name == "apart" or e.half < 0.006  # the same luck: a third of the width
    assert all(0.92 <= count / 400 <= 0.98 for count in inside.values())


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    root = tmp_path_factory.mktemp("runs")
    mine = root / "mine.py"
    made = {}
    for name, text, seed in (("one", TEXT.format(more=""), 5), ("same", TEXT.format(more="  # as before"), 5),
                             ("better", BETTER, 5), ("other", BETTER, 6)):  # fmt: skip
        mine.write_text(text)
        made[name] = root / name
        made[name].mkdir()
        run(["greedy", "first", str(mine)], Settings(games=1000, seed=seed), folder=made[name])
    return made


def test_before_and_after_a_change(runs):
    found = compare(read_run(runs["one"]), read_run(runs["better"]))
    assert found["same_packs"] and len(found["changes"]) == 1 and "mine: its file changed" in found["changes"][0]
    rows = {row["match"]: row for row in found["matches"]}
    assert rows["greedy vs first"]["identical"] and not rows["greedy vs first"]["score_changed"]
    assert rows["first vs mine"]["score_changed"] and rows["first vs mine"]["score_change"] < -0.1
    assert rows["first vs mine"]["points_changed"] and rows["first vs mine"]["points_change_high"] < 0


def test_a_comment_changes_nothing(runs):
    found = compare(read_run(runs["one"]), read_run(runs["same"]))
    assert all(row["identical"] and row["score_p"] is None for row in found["matches"])


def test_other_packs_are_said(runs):
    found = compare(read_run(runs["better"]), read_run(runs["other"]))
    assert not found["same_packs"] and "seeds are 5 and 6" in found["why_not"]
    assert not any(row["paired"] or row["score_changed"] for row in found["matches"])


def test_the_verb(runs, tmp_path):
    def ask(*words):
        return CliRunner().invoke(cli, ["compare", *map(str, words)], standalone_mode=False)

    text = ask(runs["one"], runs["better"]).output
    assert "identical play" in text and "its file changed" in text and "*" in text
    assert json.loads(ask(runs["one"], runs["better"], "--format", "json").output)["same_packs"] is True
    rows = list(csv.DictReader(io.StringIO(ask(runs["one"], runs["better"], "--format", "csv").output)))
    assert [row["identical"] for row in rows] == ["true", "false", "false"]
    elsewhere = tmp_path / "x"
    elsewhere.mkdir()
    run(["random", "greedy"], Settings(games=100, seed=1), folder=elsewhere)
    assert isinstance(ask(runs["one"], elsewhere).exception, BadInput)
    assert isinstance(ask(runs["one"], tmp_path / "none").exception, BadInput)


def test_changes_are_those_that_were_put_in() -> None:
    one, same, other = (random_run(["a", "b", "c"], 400, seed=5) for _ in range(3))
    match = other.matches[0]  # a against b: let a win ten more half points in every group of pairs
    match.group_sums[:, 0] += 2
    match.pair_sums[11] += 2 * len(match.group_sums)
    assert why_not([one, same, other]) is None
    found = {(change.strategy, change.run): change for change in score_changes([one, same, other])}
    gain = 2 * len(match.group_sums) / 4 / 800  # two matches of 400 pairs each
    a, b, c = (found[name, 2] for name in "abc")
    assert a.change.value == pytest.approx(gain) and b.change.value == pytest.approx(-gain) and c.change.value == 0
    assert all(found[name, 1].change.value == 0 and not found[name, 1].beyond_chance for name in "abc")


def test_changes_of_equal_strategies_stay_within_chance() -> None:
    """Of 40 pairs of runs that differ by chance alone about one in twenty has a change that Holm lets stand."""
    struck = 0
    for seed in range(40):
        runs = [random_run(["a", "b", "c"], 60, seed=1000 * (2 * seed + k)) for k in (0, 1)]
        for one in runs:
            one.seed = 1
        struck += any(change.beyond_chance for change in score_changes(runs))
    assert struck <= 6  # more would come by chance once in 300 times


def test_orders_that_are_turned_around() -> None:
    decided = [{("a", "b"): True, ("a", "c"): True}, {("a", "b"): False}, {("a", "c"): True, ("a", "b"): False}]
    assert turned(decided) == [("a", "b", [0], [1, 2])]
