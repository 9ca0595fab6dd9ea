"""The judge: the compiled engine against plain Python written from the rules page, record for record and card by card."""

from __future__ import annotations

import random
from concurrent.futures import ProcessPoolExecutor

import numpy as np
import pytest
from judging import V2, compare, compiled, plan_of, shipped

from basra_sim.engine.floor_table import kept_tables as table
from basra_sim.game.rule_files import load_rules
from basra_sim.game.rules import OPTIONS, PRESETS, RuleSet

# every shipped strategy that draws no random numbers; those that think are slow in plain Python and play fewer rounds
SMALL = {"clairvoyant": "clairvoyant:deals=1"}
DETERMINISTIC = [SMALL.get(name, name) for name in shipped(deterministic=True)]
SIMPLE = [name for name in DETERMINISTIC if name in ("first", "greedy", "defensive")]
THINKING = [name for name in DETERMINISTIC if name not in SIMPLE]
RING = list(zip(SIMPLE, [*SIMPLE[1:], SIMPLE[0]], strict=True))  # each meets two others
QUICK_ROUNDS, SLOW_ROUNDS, SLOW_THINKING_ROUNDS = 2_000, 20_000, 200


@pytest.mark.parametrize("preset", PRESETS)
def test_rounds_of_deterministic_strategies(preset):
    """2,000 rounds in all, spread over presets and meetings."""
    rounds = 0
    for name in THINKING:
        rounds += compare(plan_of(PRESETS[preset], (name, "greedy"), seed=3, unit="round", pairs=2), counters=True)
    pairs = -(-(QUICK_ROUNDS // len(PRESETS) + 1 - rounds) // (2 * len(RING)))
    for number, meeting in enumerate(RING):
        rounds += compare(plan_of(PRESETS[preset], meeting, seed=4, unit="round", pairs=pairs), 1000 * number, counters=True)
    assert rounds >= QUICK_ROUNDS / len(PRESETS)


def _slow_part(part: tuple[str, str, str, int, int]) -> int:
    preset, one, other, first, pairs = part
    return compare(plan_of(PRESETS[preset], (one, other), seed=5, unit="round", pairs=pairs), first, pairs)


@pytest.mark.slow
@pytest.mark.parametrize("preset", PRESETS)
def test_twenty_thousand_rounds_of_each_deterministic_strategy(preset):
    """10,000 rounds a meeting in a ring of three are 20,000 of each."""
    size = 250
    parts = [(preset, *two, first, size) for two in RING for first in range(0, SLOW_ROUNDS // 4, size)]
    parts += [(preset, name, "greedy", first, 20) for name in THINKING for first in range(0, SLOW_THINKING_ROUNDS // 2, 20)]
    plan_of(PRESETS[preset], DETERMINISTIC)  # compiled once, before the processes
    with ProcessPoolExecutor(2) as pool:
        rounds = sum(pool.map(_slow_part, parts))
    assert rounds == len(RING) * SLOW_ROUNDS // 2 + len(THINKING) * SLOW_THINKING_ROUNDS


@pytest.mark.parametrize("preset", PRESETS)
def test_whole_games_with_every_field_of_the_view(preset):
    """A strategy that hashes all that it sees meets greedy: dealers, scores, carried points, streams, helpers."""
    plan = plan_of(PRESETS[preset], ("every-field:salt=11", "greedy"), seed=6, pairs=2)
    assert compare(plan, 50, 2, counters=True) > 8


def random_rules(draw: random.Random) -> RuleSet:
    """Any value of each option with named values, any points: what contradicts itself is mended."""
    values = {name: draw.choice(option.choices) for name, option in OPTIONS.items() if option.choices}
    values["single_round"] = draw.random() < 0.2
    if values["komi_power"] == "none":
        values |= {"komi_basra": "never", "komi_on_lone_jack": "none"}
    for name in ("basra_points", "komi_basra_points", "jack_basra_points"):
        values[name] = draw.choice([0, 1, 10, 25, 30])
    values["majority_points"] = draw.choice([3, 27, 30])
    values["target"] = draw.choice([1, 31, 101, 250])
    cards = draw.sample(["A", "J", "2c", "Td", "7d", "K", "7"], draw.randint(0, 3))
    values["card_points"] = {card: draw.randint(1, 4) for card in cards}
    return RuleSet(**values)


@pytest.fixture
def tables_not_kept(monkeypatch):
    """Tables of rule sets that nobody plays are not left in the cache folder."""
    monkeypatch.setattr(table, "_keep", lambda path, made: None)
    before = set(table._TABLES)
    yield
    for key in set(table._TABLES) - before:
        del table._TABLES[key]


SPECIAL = (
    "komi_on_floor=seven jack_on_lone_komi=jack_basra jack_basra=all_jacks",
    "komi_on_floor=seven jack_on_lone_komi=basra floor_banned=none majority_tie=carry",
    "floor_banned=none komi_basra=any komi_on_lone_jack=none jack_basra=all_jacks majority_tie=each",
    "floor_ban_action=leave komi_basra=never jack_on_lone_komi=none",
    "floor_ban_action=random floor_banned=jacks dealer_rotation=fixed first_dealer=seat1",
    "first_dealer=seat0 majority_tie=carry target=400",
)


@pytest.mark.parametrize("settings", SPECIAL)
def test_house_rules(settings, tables_not_kept):
    plan = plan_of(load_rules("egyptian-v2", settings.split()), ("every-field", "every-field:salt=3"), seed=8, pairs=2)
    assert compare(plan, counters=True) > 4


@pytest.mark.parametrize("number", range(8))
def test_random_rule_sets(number, tables_not_kept):
    rules = random_rules(random.Random(number))
    compare(plan_of(rules, ("every-field", "greedy"), seed=number, pairs=2), 7, 2, counters=True)


@pytest.mark.slow
@pytest.mark.parametrize("number", range(100, 160))
def test_many_random_rule_sets(number, tables_not_kept):
    rules = random_rules(random.Random(number))
    compare(plan_of(rules, ("every-field", "greedy"), seed=number, pairs=40), 7, 40, counters=True)


def test_majority_ties_are_met_and_carried():
    """Rounds end 26-26 often enough here; the majority of the next round is then worth more, in both engines."""
    rules = RuleSet(majority_tie="carry", target=1000)
    plan = plan_of(rules, ("first", "first"), seed=3, pairs=3)
    assert compare(plan, counters=True) > 50
    rounds = compiled(plan).rounds
    ties = rounds["cards_leader"] == 26
    after = np.flatnonzero(ties[:-1] & (rounds["round"][1:] > 0) & ~ties[1:]) + 1
    assert len(after) > 0
    more = np.where(rounds["cards_leader"] > 26, rounds["points_leader"], rounds["points_dealer"])
    assert (more[after] >= 60).all()


def test_a_seed_beyond_63_bits():
    compare(plan_of(V2, ("every-field", "greedy"), seed=(1 << 64) - 1, pairs=2))


def test_pairs_far_out():
    compare(plan_of(V2, ("every-field", "greedy"), seed=9, pairs=2), 10**12, 2)


def test_given_packs_with_a_random_ban():
    packs = np.array([[*range(8), 40, 41, 25, 42, *(c for c in range(8, 52) if c not in (40, 41, 25, 42))]] * 3, np.uint8)
    plan = plan_of(PRESETS["cafe"], ("every-field", "greedy"), unit="packs", packs=packs, pairs=3)
    assert compare(plan, counters=True) == 6
