"""Forms of a tournament: who meets whom, byes, ties, odd fields; that runs play them; stops that look at fixed points."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from basra_sim.analysis.statistics.sequential import Sprt, anytime_interval
from basra_sim.errors import BadInput
from basra_sim.records.counters import GAME_DTYPE
from basra_sim.records.run_folder import read_manifest
from basra_sim.runs.run_settings import Settings
from basra_sim.runs.running import run
from basra_sim.runs.stopping import Watcher, read_sprt, read_until
from basra_sim.runs.tournament import FORMS, Stage, make_form


class World:
    """Results made up: a match of i against j is won by the one with the greater strength; equal ones are level."""

    def __init__(self, form, strength):
        self.form, self.strength = form, strength
        self.results = [SimpleNamespace(pair_scores=np.zeros(5, int)) for _ in form.matches]
        self.stages = []

    def play(self):
        while (stage := self.form.next_stage(self.results)) is not None:
            self.stages.append([self.form.matches[m] for m, _, _ in stage.tasks])
            for m, first, stop in stage.tasks:
                one, other = self.form.matches[m]
                assert first == self.results[m].pair_scores.sum()
                gap = self.strength[one] - self.strength[other]
                self.results[m].pair_scores[4 if gap > 0 else 0 if gap < 0 else 2] += stop - first
            assert len(self.stages) < 1000
        return self


def places(world):
    return {row["player"]: row["place"] for row in world.form.standings(world.results)}


def test_round_robin_and_gauntlet():
    world = World(make_form("round-robin", 4, 10), [4, 3, 2, 1]).play()
    assert world.stages == [[(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]]
    assert World(make_form("gauntlet", 4, 10), [4, 3, 2, 1]).play().stages == [[(0, 1), (0, 2), (0, 3)]]


@pytest.mark.parametrize("players", range(2, 18))
def test_swiss_lets_nobody_meet_twice_and_finds_the_best(players):
    strength = [(7 * i) % players for i in range(players)] if players % 7 else list(range(players))
    world = World(make_form("swiss", players, 10), strength).play()
    met = [pair for stage in world.stages for pair in stage]
    assert len(met) == len(set(met)) and len(world.stages) == world.form.rounds()
    for stage, kept in zip(world.stages, world.form.history, strict=True):
        seated = [i for pair in stage for i in pair] + ([kept.bye] if players % 2 else [])
        assert sorted(seated) == list(range(players)) and (kept.bye is None) == (players % 2 == 0)
    byes = [stage.bye for stage in world.form.history if stage.bye is not None]
    assert len(byes) == len(set(byes))
    assert places(world)[int(np.argmax(strength))] == 1


def test_swiss_pairs_equals_and_shares_places():
    world = World(make_form("swiss", 8, 10), [8, 7, 6, 5, 4, 3, 2, 1]).play()
    assert world.stages[0] == [(0, 4), (1, 5), (2, 6), (3, 7)]
    assert world.stages[1][0] == (0, 1)  # winners meet
    level = World(make_form("swiss", 4, 10), [1, 1, 1, 1]).play()
    assert set(places(level).values()) == {1}


@pytest.mark.parametrize("players", range(2, 18))
def test_knockout(players):
    strength = list(range(players, 0, -1))
    world = World(make_form("knockout", players, 10), strength).play()
    assert sum(len(stage) for stage in world.stages) == players - 1
    assert len(world.stages) == (players - 1).bit_length()
    found = places(world)
    assert found[0] == 1 and found[1] == 2  # 1 and 2 of the seeding can meet in the final only
    shared = [1, 2, *(2 ** (k - 1).bit_length() // 2 + 1 for k in range(3, players + 1))]  # 3 3 5 5 5 5 9 ...
    assert sorted(found.values()) == shared


def test_a_level_knockout_match_is_played_on_and_then_goes_to_the_better_seed():
    world = World(make_form("knockout", 2, 10), [1, 1]).play()
    assert world.stages == [[(0, 1)]] * 4 and world.results[0].pair_scores.sum() == 40
    assert places(world) == {0: 1, 1: 2}


def test_adaptive_plays_what_is_not_decided():
    world = World(make_form("adaptive", 4, 1000), [3, 2, 1, 1]).play()
    pairs = [int(r.pair_scores.sum()) for r in world.results]
    level = world.form.matches.index((2, 3))
    assert pairs[level] > 10 * max(n for m, n in enumerate(pairs) if m != level)
    assert sum(pairs) == 6000  # two equals never get an order: everything is spent
    decided = World(make_form("adaptive", 3, 1000), [3, 2, 1]).play()
    assert sum(int(r.pair_scores.sum()) for r in decided.results) < 600
    twins = World(make_form("adaptive", 3, 1000, same=[2]), [3, 1, 1]).play()
    assert twins.results[2].pair_scores.sum() == 0


@pytest.mark.parametrize("name", FORMS)
def test_a_form_taken_up_again_goes_on_alike(name):
    strength = [3, 1, 4, 1, 5, 9, 2]
    whole = World(make_form(name, 7, 100), strength).play()
    half = World(make_form(name, 7, 100), strength)
    for stage in whole.form.history:
        half.form.history = [Stage.from_json(kept.to_json()) for kept in half.form.history]
        assert half.form.next_stage(half.results) == stage
        for m, first, stop in stage.tasks:
            gap = strength[half.form.matches[m][0]] - strength[half.form.matches[m][1]]
            half.results[m].pair_scores[4 if gap > 0 else 0 if gap < 0 else 2] += stop - first
    assert half.form.next_stage(half.results) is None


# ---------------------------------------------------------------------------------------------- in runs
EXPECTED = {"round-robin": 10, "gauntlet": 4, "swiss": 6, "knockout": 4}


@pytest.mark.parametrize("name", FORMS)
def test_a_run_plays_it_whatever_the_workers(tmp_path, name):
    digests = set()
    for jobs, chunk in ((1, 7), (2, 64), (1, None)):
        folder = tmp_path / f"{jobs}-{chunk}"
        folder.mkdir()
        outcome = run(
            ["random", "first", "greedy", "random", "greedy"],
            Settings(games=400, seed=3, tournament=name, jobs=jobs, chunk_pairs=chunk), folder=folder,
        )  # fmt: skip
        assert outcome.error is None and outcome.totals.complete
        digests.add((outcome.totals.digest, (folder / "matches.csv").read_bytes()))
        met = {(m.a, m.b) for m in outcome.totals.matches}
        if name in EXPECTED:
            assert len(met) == EXPECTED[name]
        assert outcome.totals.design.get("form", "round-robin") == name
        assert outcome.summary["anytime"] == (name == "adaptive")
    assert len(digests) == 1
    if name == "gauntlet":
        assert outcome.summary["ratings"]["problem"].startswith("a gauntlet has none")
        assert all("random" in pair for pair in met)


# ---------------------------------------------------------------------------------------------- stops
def test_the_watcher_looks_at_fixed_points():
    rng = np.random.default_rng(4)
    games = np.zeros((5000, 2), GAME_DTYPE)
    games["winner"] = rng.choice(3, (5000, 2), p=[0.55, 0.42, 0.03])
    half = np.array([2, 0, 1])[games["winner"]].sum(axis=1)
    for watcher in (Watcher(Sprt(0, 30), None), Watcher(None, 0.03)):
        ends = set()
        for size in (1, 50, 64, 999, 5000):
            at = 0
            while at < 5000:
                cut = watcher.cut(np.bincount(half[:at], minlength=5), games[at : at + size])
                if cut is not None:
                    ends.add(at + cut)
                    break
                at += size
        assert len(ends) == 1
        counts = np.bincount(half[: ends.pop()], minlength=5).tolist()
        assert watcher.is_done(counts)
        if watcher.until:
            assert anytime_interval(counts).half <= 0.03


@pytest.mark.parametrize("asked", [{"sprt": "elo0=0,elo1=40"}, {"until": "±4%"}])
def test_a_run_stops_by_itself_whatever_the_workers(tmp_path, asked):
    found = set()
    for jobs, chunk in ((1, 7), (2, 64), (2, None)):
        folder = tmp_path / f"{jobs}-{chunk}"
        folder.mkdir()
        asked_ = Settings(games=20_000, seed=3, jobs=jobs, chunk_pairs=chunk, records="games", **asked)
        outcome = run(["greedy", "random", "first"], asked_, folder=folder)
        assert outcome.totals.complete and outcome.summary["anytime"]
        assert all(m.games < 20_000 for m in outcome.totals.matches)
        found.add((outcome.totals.digest, (folder / "games.parquet").read_bytes()))
        if "sprt" in asked:
            assert [t["verdict"] for t in outcome.totals.design["tests"][:2]] == ["elo1", "elo1"]
        else:
            assert all((m["score_a_high"] - m["score_a_low"]) / 2 <= 0.04 for m in outcome.summary["matches"])
    assert len(found) == 1
    assert read_manifest(folder)["command"].count("--sprt" if "sprt" in asked else "--until") == 1


BAD_TESTS = ("", "elo0=0", "elo0=5,elo1=0", "elo0=0,elo1=x", "elo0=0,elo1=5,gamma=1", "elo0=0,elo1=5,alpha=.7")


@pytest.mark.parametrize("text", BAD_TESTS)
def test_tests_that_cannot_be_made(text):
    with pytest.raises(BadInput, match="--sprt") as error:
        read_sprt(text)
    assert "\n" not in str(error.value) and "elo1=5" in str(error.value)


def test_tests_and_widths_that_can():
    assert read_sprt("elo0=-2, elo1=5, beta=.1") == Sprt(-2, 5, 0.05, 0.1)
    assert read_until("±0.2%") == read_until("0.2%") == read_until("+-0.002") == pytest.approx(0.002)
    for text in ("", "x", "0", "-1%", "60%"):
        with pytest.raises(BadInput, match="--until"):
            read_until(text)


@pytest.mark.parametrize(
    "asked", [{"sprt": "elo0=0,elo1=5", "until": "1%"}, {"until": "1%", "tournament": "swiss"}, {"tournament": "league"}]
)
def test_what_does_not_go_together_is_refused(asked):
    with pytest.raises(BadInput):
        run(["random", "first"], Settings(**asked))
