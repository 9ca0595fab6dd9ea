"""Plays and whole rounds with known results, each row of the data files."""

import csv
from pathlib import Path

import pytest
from engines import ENGINES
from rule_cases import PLAY_JUDGES, V2

from basra_sim.game.cards import parse_cards
from basra_sim.game.judge import choose_first, choose_greedy
from basra_sim.game.rules import PRESETS

DATA = Path(__file__).parents[1] / "data"


def rows(name):
    with (DATA / name).open() as lines:
        return list(csv.DictReader(line for line in lines if not line.startswith("#")))


@PLAY_JUDGES
def test_every_play_of_the_file(played):
    plays = rows("plays.csv")
    wrong = [
        (row, result)
        for row in plays
        if (result := played(PRESETS[row["preset"]], row["floor"], row["play"]))
        != (row["captured"], row["kind"], int(row["points"]))
    ]
    assert not wrong
    assert len(plays) == 672


@pytest.mark.parametrize("engine", ENGINES.values(), ids=ENGINES)
def test_every_round_of_the_file(engine):
    packs = [parse_cards(line) for line in (DATA / "packs.txt").read_text().splitlines()]
    choosers = {"first": choose_first(V2), "greedy": choose_greedy(V2)}
    rounds = rows("rounds.csv")
    for row in rounds:
        seats = (choosers[row["seat0"]], choosers[row["seat1"]])
        result = engine(V2, packs[int(row["pack"]) - 1], int(row["dealer"]), seats)
        for seat in (0, 1):
            basras = result.basras[seat] + result.komi_basras[seat]
            found = (result.points[seat], result.cards[seat], basras, result.jack_basras[seat])
            assert found == tuple(int(row[f"{name}{seat}"]) for name in ("points", "cards", "basras", "jack_basras")), row
    assert len(rounds) == 360
