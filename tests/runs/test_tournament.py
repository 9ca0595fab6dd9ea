"""Forms of a tournament: who meets whom, byes, ties, odd fields; and that runs play them."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from basra_sim.runs.run_settings import Settings
from basra_sim.runs.running import run
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
