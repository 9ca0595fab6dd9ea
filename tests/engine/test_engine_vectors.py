"""The plays and rounds with known results (tests/data), as the compiled engine plays them and as a strategy sees them."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest
from judging import V2, compiled, plan_of
from test_engine_table import codes_of, told

from basra_sim.engine.floor_table.kept_tables import load_table
from basra_sim.engine.jit.compiling import JIT_ON
from basra_sim.engine.rule_numbers import rule_numbers
from basra_sim.engine.sight import View
from basra_sim.engine.view_helpers import Floor, play_on
from basra_sim.game.cards import members, parse_card, parse_cards, set_text, to_set
from basra_sim.game.rules import PRESETS

DATA = Path(__file__).parents[1] / "data"


def rows_of(name: str) -> list[dict[str, str]]:
    with (DATA / name).open() as lines:
        return list(csv.DictReader(line for line in lines if not line.startswith("#")))


def seen(rules):
    fields = dict.fromkeys(View._fields, 0)
    return View(**{**fields, "rules": rule_numbers(rules), "lookup": rules})


def test_plays_as_an_interpreted_strategy_sees_them():
    plays = rows_of("plays.csv")
    for row in plays:
        rules = PRESETS[row["preset"]]
        floor, card = to_set(parse_cards(row["floor"])), parse_card(row["play"])
        what = play_on(seen(rules), Floor(floor, 0), card)
        taken = floor & ~what.floor.cards
        found = (set_text(taken), int(what.kind), what.points, what.taken)
        kind = ("lay", "capture", "sweep", "basra", "komi_basra", "jack_basra").index(row["kind"])
        assert found == (row["captured"], kind, int(row["points"]), len(row["captured"].split())), row
    assert len(plays) == 672


@pytest.mark.skipif(not JIT_ON, reason="play_on is the readable code itself without JIT")
@pytest.mark.parametrize("preset", PRESETS)
def test_plays_as_a_compiled_strategy_sees_them(preset):
    """Every play on a floor that can be reached; the others (noted in the file) exist in no table."""
    rules, made = PRESETS[preset], load_table(PRESETS[preset])
    row_of = {int(code): number for number, code in enumerate(made.codes)}
    plays = [row for row in rows_of("plays.csv") if row["preset"] == preset]
    floors = [to_set(parse_cards(row["floor"])) for row in plays]
    codes = codes_of(rules, floors).tolist()
    here = [k for k, code in enumerate(codes) if code in row_of]
    result = told(
        rules, made, [row_of[codes[k]] for k in here], [floors[k] for k in here],
        [parse_card(plays[k]["play"]) for k in here],
    )  # fmt: skip
    for k, (kind, points, taken, left, _) in zip(here, result.tolist(), strict=True):
        row = plays[k]
        wanted = ("lay", "capture", "sweep", "basra", "komi_basra", "jack_basra").index(row["kind"])
        captured = parse_cards(row["captured"])
        assert (kind, points, taken) == (wanted, int(row["points"]), len(captured)), row
        after = floors[k] & ~to_set(captured) if captured else floors[k] | 1 << parse_card(row["play"])
        assert left == after, row
    assert len(here) >= 90, f"{len(here)} of {len(plays)} floors can be reached"


@pytest.mark.parametrize("two", [("first", "first"), ("greedy", "greedy"), ("first", "greedy"), ("greedy", "first")])
def test_rounds_of_given_packs(two):
    """Each pack is a pair of rounds in which seat 0 leads, so the file's rounds of dealer 1 are found as they stand,
    and those of dealer 0 with the seats renamed."""
    packs = np.array([parse_cards(line) for line in (DATA / "packs.txt").read_text().splitlines()], np.uint8)
    played = compiled(plan_of(V2, two, unit="packs", packs=packs, pairs=len(packs)))
    found = 0
    for row in rows_of("rounds.csv"):
        dealer = int(row["dealer"])
        leader, other = row[f"seat{1 - dealer}"], row[f"seat{dealer}"]
        for game, leads, deals in ((0, *two), (1, *reversed(two))):
            if (leader, other) != (leads, deals):
                continue
            record = played.rounds[2 * (int(row["pack"]) - 1) + game]
            assert record["leader"] == game
            for role, seat in (("leader", 1 - dealer), ("dealer", dealer)):
                assert record[f"points_{role}"] == int(row[f"points{seat}"]), row
                assert record[f"cards_{role}"] == int(row[f"cards{seat}"]), row
                assert record[f"basras_{role}"] + record[f"komi_basras_{role}"] == int(row[f"basras{seat}"]), row
                assert record[f"jack_basras_{role}"] == int(row[f"jack_basras{seat}"]), row
            found += 1
    assert found >= 2 * len(packs)


def test_members_agree_with_parsing():
    assert list(members(to_set(parse_cards("Ac 7d Ks")))) == [0, 25, 51]
