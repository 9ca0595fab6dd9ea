"""What a shuffle does to Basra: exact expectations, no effect where there is none."""

from __future__ import annotations

import json

import numpy as np
import pytest
from click.testing import CliRunner

from basra_sim.cli.shuffle_verbs.shuffle_verb import shuffle
from basra_sim.errors import BadInput
from basra_sim.shuffles.battery.outcomes import FOUND
from basra_sim.shuffles.comparisons.game_effect import effect_on_game, play_packs
from basra_sim.shuffles.generators.built_in_shuffles import Generator


def line(effect, what):
    return next(row for row in effect.lines if row.what.startswith(what))


def test_perfect_packs_change_nothing_and_expectations_are_exact():
    effect = effect_on_game(Generator("fisher-yates", 12).decks(1500), ("greedy", "greedy"), seed=5)
    assert effect.verdict != FOUND
    assert line(effect, "jacks to the leader").perfect == pytest.approx(4 * 24 / 52)
    assert line(effect, "jacks in first hand").perfect == pytest.approx(0.3077, abs=1e-4)
    assert line(effect, "pairs in hands").perfect == pytest.approx(13 * 6 * 3 / 51)


def test_a_collected_deck_changes_the_game():
    effect = effect_on_game(Generator("collected:3", 1).decks(1500), ("greedy", "greedy"), seed=5)
    assert effect.verdict == FOUND and "changes the game" in effect.sentence()
    assert line(effect, "pairs in hands").verdict == FOUND
    assert line(effect, "basras").here > line(effect, "basras").perfect


def test_every_pack_is_played_twice_with_the_seats_swapped():
    packs = Generator("fisher-yates", 3).decks(50)
    rounds = play_packs(packs, ("greedy", "first"), 1)
    assert np.bincount(rounds["pair"]).tolist() == [2] * 50
    assert sorted(rounds["leader"][rounds["pair"] == 7].tolist()) == [0, 1]
    assert (rounds["cards_leader"] + rounds["cards_dealer"] == 52).all()


def test_command(tmp_path):
    words = ["game", "--algo", "naive", "-n", "200", "--json"]
    first, second = (CliRunner().invoke(shuffle, [*words, "-j", jobs]) for jobs in ("1", "2"))
    assert first.output == second.output and json.loads(first.output)["packs"] == 200
    with pytest.raises(BadInput, match="name two strategies"):
        CliRunner().invoke(shuffle, ["game", "--algo", "naive", "--players", "a,b,c"], catch_exceptions=False)
