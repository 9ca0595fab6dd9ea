"""What a compiled engine must also do as plain Python: this file runs in both, and its coverage is that of the kernels.

`NUMBA_DISABLE_JIT=1 python -m pytest tests/engine/test_engine_plain.py` (or `make coverage`) runs it without compiling.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from judging import V2, compare, compiled, judged, plan_of

from basra_sim.engine import layouts as at
from basra_sim.engine.floor_table.kept_tables import load_table, table_key
from basra_sim.engine.jit.compiling import JIT_ON
from basra_sim.engine.jit.strategy_calls import RAISED
from basra_sim.game.rule_files import load_rules
from basra_sim.game.rules import PRESETS, RuleSet
from basra_sim.players.interpreted_seat import NO_CARD
from basra_sim.records.counters import MAX_FLOOR
from basra_sim.workers.fault_words import fault_error
from basra_sim.workers.worker import Worker

SETTINGS = (
    "target=51",
    "majority_tie=carry target=200 first_dealer=seat0",
    "majority_tie=each dealer_rotation=fixed first_dealer=seat1",
    "card_points=J:1,A:2,2c:7 target=61",
    "basra_points=1 jack_basra_points=10000 majority_points=9999",  # margins beyond the histograms
    "single_round=true",
)


def is_ready(rules: RuleSet) -> bool:
    """Without compiling, the builder of tables takes minutes: only those that are shipped or kept are used then."""
    from basra_sim.engine.floor_table import kept_tables as table

    key = table_key(rules)
    return JIT_ON or table.read_shipped(key) is not None or table._read(table.cache_folder() / f"floors-{key}.npz") is not None


@pytest.mark.parametrize("settings", SETTINGS)
def test_games_as_the_judge_plays_them(settings):
    compare(plan_of(load_rules("egyptian-v2", settings.split()), ("every-field", "greedy"), seed=41, pairs=1), counters=True)


@pytest.mark.parametrize("preset", ["cafe", "lebanese"])
def test_presets_as_the_judge_plays_them(preset):
    if not is_ready(PRESETS[preset]):
        pytest.skip("this table is not in the cache")
    rules = replace(PRESETS[preset], target=21)
    compare(plan_of(rules, ("every-field", "random"), seed=5, pairs=3), 2, 3, counters=True)


def test_given_packs():
    # two jacks and the komi turned up for the floor, one of them again from the bottom
    pack = [*range(8), 40, 41, 25, 42, *(card for card in range(8, 52) if card not in (40, 41, 25, 42))]
    compare(plan_of(V2, ("every-field", "greedy"), packs=np.array([pack, pack[::-1]], np.uint8), pairs=2), counters=True)


def test_banned_cards_put_back_at_random():
    """All five banned cards among the first that are turned up; their places come from a stream of their own."""
    if not is_ready(PRESETS["cafe"]):
        pytest.skip("this table is not in the cache")
    pack = [*range(8), 40, 41, 25, 42, 43, *(card for card in range(8, 52) if card not in (40, 41, 25, 42, 43))]
    plan = plan_of(PRESETS["cafe"], ("first", "greedy"), seed=4, packs=np.array([pack] * 3, np.uint8), pairs=3)
    compare(plan, counters=True)
    first_cards = {tuple(cards) for cards in compiled(plan).cards.tolist()}
    assert len(first_cards) > 2  # the pairs differ, although the packs do not


@pytest.mark.parametrize("tie", ["none", "carry", "each"])
def test_a_level_count(tie):
    """26-26: found by the judge, then counted by both under each rule."""
    rules = RuleSet(majority_tie=tie, single_round=True)
    plan = plan_of(rules, ("first", "first"), seed=1, unit="round", pairs=100)
    level = next(pair for pair in range(100) if judged(plan, pair, 0).result.rounds[0].majority_winner is None)
    compare(plan, level, 1, counters=True)
    played = compiled(plan, level, 1)
    assert played.rounds["cards_leader"].tolist() == [26, 26]
    scored = played.totals.plays[..., 3:].sum(axis=(0, 1, 2, 3)) @ [10, 10, 30]
    points = played.rounds["points_leader"].sum() + played.rounds["points_dealer"].sum()
    assert points - scored == (4 * 30 if tie == "each" else 0)  # two rounds, two seats


@pytest.mark.parametrize("answer", [52, -1, -2, -3, -5, 10**18, -(10**18), 2**63 - 1, -(2**63), 64 + 8])
@pytest.mark.parametrize("interpret", [False, True], ids=["compiled", "interpreted"])
def test_answers_that_are_no_card(answer, interpret, tmp_path):
    """The fault names side, seat, game, ply and hand, whatever number comes back; nothing is read or written with it."""
    (tmp_path / "wrong.py").write_text(
        "from basra_sim.view import lowest\n"
        f"def choose(view):\n    return {answer} if view.ply == 10 and view.leading == 1 else lowest(view.hand)\n"
    )
    plan = plan_of(V2, ("greedy", str(tmp_path / "wrong.py")), seed=3, unit="round", pairs=2, interpret=interpret)
    worker = Worker(plan, 0, load_table(plan.rules), 2, False)
    done, fault = worker.play(0, 2)
    assert done == 0
    # in single rounds seat 0 leads: side b in the second game
    place = (fault.pair, fault.game, fault.round, fault.ply)
    assert (fault.code, fault.side, fault.seat, place) == (at.BAD_CARD, 1, 0, (0, 1, 0, 10))
    assert fault.hand.bit_count() == 3
    if interpret or not JIT_ON:
        assert (fault.card, str(fault.answer)) == (NO_CARD, str(answer))
    else:
        assert fault.card == answer
    assert f"returned {answer}, which is no card" in str(fault_error(plan, 0, fault))
    assert "pair 0, game 1, round 0, ply 10 (deal 1)" in str(fault_error(plan, 0, fault))
    again = worker.play(0, 2)[1]  # the worker is as good as new
    assert (again.ply, again.game) == (fault.ply, fault.game)


@pytest.mark.parametrize("interpret", [False, True], ids=["compiled", "interpreted"])
@pytest.mark.parametrize("wrong", ["25 if not view.hand >> 25 & 1 else 26", "lowest(view.floor)", "lowest(view.unseen)"])
def test_cards_that_are_not_held(wrong, interpret, tmp_path):
    """One that is somewhere, one of the floor, one that was never seen."""
    (tmp_path / "wrong.py").write_text(
        "from basra_sim.view import lowest\n"
        f"def choose(view):\n    return ({wrong}) if view.ply > 3 and view.floor != 0 else lowest(view.hand)\n"
    )
    plan = plan_of(V2, (str(tmp_path / "wrong.py"), "first"), seed=3, interpret=interpret)
    done, fault = Worker(plan, 0, load_table(plan.rules), 1, False).play(0, 1)
    assert done == 0
    assert not fault.hand >> fault.card & 1
    assert "which it does not hold (its hand: " in str(fault_error(plan, 0, fault))


def test_answers_of_any_whole_number_type_are_taken():
    def choose(view):
        return np.uint8(view.hand.bit_length() - 1)

    def plain(view):
        return view.hand.bit_length() - 1

    one, two = (compiled(plan_of(V2, (f, "first"), seed=2, pairs=1)) for f in (choose, plain))
    assert np.array_equal(one.cards, two.cards)


@pytest.mark.parametrize("answer", [True, None, "7d", 3.0, [3], np.True_, 2**70, -(2**70)], ids=repr)
def test_answers_of_other_types_are_faults(answer):
    plan = plan_of(V2, (lambda view: answer, "first"), seed=2)
    done, fault = Worker(plan, 0, load_table(plan.rules), 1, False).play(0, 1)
    assert (done, fault.card) == (0, NO_CARD)
    assert "which is no card" in str(fault_error(plan, 0, fault))


def test_an_exception_is_a_fault_with_its_words():
    def choose(view):
        raise LookupError("no idea\nat all")

    plan = plan_of(V2, (choose, "first"), seed=2)
    done, fault = Worker(plan, 0, load_table(plan.rules), 1, False).play(0, 1)
    assert (done, fault.card) == (0, RAISED)
    text = str(fault_error(plan, 0, fault))
    assert "raised LookupError: no idea" in text
    assert "\n" not in text


def test_long_games_outgrow_their_buffers():
    """More rounds than are kept for the second game, and more records than were foreseen."""
    rules = RuleSet(target=2400 if JIT_ON else 1600)
    plan = plan_of(rules, ("every-field", "first"), seed=8)
    rounds = compare(plan, counters=True)
    assert rounds > (2 if JIT_ON else 1) * at.KEPT_DEALS
    worker = Worker(plan, 0, load_table(rules), 1, True)
    before = len(worker.memory.rounds)
    assert worker.play(0, 1) == (1, None)
    assert len(worker.memory.rounds) > before


def test_a_history_with_no_room_left_is_cut_not_overrun():
    plan = plan_of(V2, ("first", "greedy"), seed=8, pairs=2)
    worker = Worker(plan, 0, load_table(V2), 2, True)
    history = worker.memory.keep_history(3)
    beyond = history.copy()
    worker.play(0, 2)
    assert worker.memory.get("history_left") == 0
    assert (history[:, :48].sum(axis=1) > beyond[:, :48].sum(axis=1)).all()


@pytest.mark.skipif(not JIT_ON, reason="100,000 rounds")
def test_a_game_without_end_is_ended():
    rules = RuleSet(target=1_000_000, majority_points=0, basra_points=0, komi_basra_points=0, jack_basra_points=1)
    plan = plan_of(rules, ("first", "greedy"), seed=8)
    done, fault = Worker(plan, 0, load_table(rules), 1, False).play(0, 1)
    assert (done, fault.code) == (0, at.NO_END)
    assert "no end after 100,000 rounds" in str(fault_error(plan, 0, fault))


@pytest.mark.parametrize("preset", PRESETS)
def test_no_floor_is_larger_than_its_counter(preset):
    """So that every floor size has a cell of its own, and no counter is written beside its place."""
    if not is_ready(PRESETS[preset]):
        pytest.skip("this table is not in the cache")
    codes = load_table(PRESETS[preset]).codes
    sizes = sum((codes >> (3 * rank)) & 7 for rank in range(13)) + (codes >> 39 & 1)
    assert sizes.max() < MAX_FLOOR <= at.FACED_SIZES
