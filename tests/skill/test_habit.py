"""Reading a habit from plays, the best answer to it, and traps in the last deal."""

from __future__ import annotations

import random

import numpy as np
import pytest
from open_hands_judge import Judge, random_position

from basra_sim.engine.floor_table.kept_tables import load_table
from basra_sim.engine.jit.instructions import lowest
from basra_sim.engine.view_helpers import Floor
from basra_sim.engine.work_memory import annex_of
from basra_sim.game import captures
from basra_sim.game.cards import ALL_CARDS, cards_text, members, parse_cards, set_text, to_set
from basra_sim.game.rule_files import load_rules
from basra_sim.players.loading import load
from basra_sim.players.player import prepare
from basra_sim.players.position import Position, read_position
from basra_sim.runs.running import raise_error, run
from basra_sim.skill.greed import most_now
from basra_sim.skill.habit import (
    ANSWERS,
    NONE,
    TAKES_MOST,
    TAKES_MOST_LOWEST,
    Habits,
    answer_habits,
    chance_of,
    draw_worlds,
    read_round,
)
from basra_sim.skill.problem import FOR_POINTS, ONE, noted, open_problem
from basra_sim.workers.plan import Plan
from basra_sim.workers.worker import Worker

RULES = load_rules("egyptian-v2", ["single_round=true"])
HABITS = Habits(lowest=0.2, any=0.1, slip=0.02, share=0.55, least=0.05)


def rounds_of(me: str, other: str, number: int, seed: int = 3) -> np.ndarray:
    """The cards of rounds in the order of play, me leading in each."""
    players = [prepare(load(me)), prepare(load(other))]
    worker = Worker(Plan(RULES, seed, "round", 2 * number, players, [(0, 1)]), 0, load_table(RULES), number, False)
    history = worker.memory.keep_history(2 * number)
    worker.play(0, number)
    return history[::2, :48].astype(int)


def position_of(cards: np.ndarray, ply: int) -> Position:
    """What whoever plays at `ply` sees in a round of known cards."""
    played = [int(card) for card in cards[:ply]]
    hand = to_set(int(card) for card in cards[ply : 8 * (ply // 8 + 1) : 2])
    floor = ALL_CARDS & ~to_set(int(card) for card in cards)
    unseen = ALL_CARDS & ~(hand | floor | to_set(played))
    for card in played:
        taken = captures.play(RULES, floor, card).taken
        floor = floor & ~taken if taken else floor | 1 << card
    return read_position(
        f"hand: {set_text(hand)}; floor: {set_text(floor) or '-'}; unseen: {set_text(unseen)}; deal: {ply // 8}; "
        f"leading: {'no' if ply % 2 else 'yes'}; played: {cards_text(played) or '-'}",
        RULES,
    )


def chances(cards: np.ndarray, ply: int) -> tuple[float, float]:
    """How likely the two habits are to whoever plays at `ply`."""
    view = position_of(cards, ply).view()
    low, some, _ = read_round(view, open_problem(view, FOR_POINTS), HABITS)
    return low, some


def test_chances_of_the_cards_of_a_hand_add_up_to_one():
    hand = to_set(parse_cards("3c 7h Jd Ks"))
    for best in (hand, to_set(parse_cards("7h")), to_set(parse_cards("3c Jd"))):
        for kind in (NONE, TAKES_MOST_LOWEST, TAKES_MOST):
            total = sum(chance_of(card, hand, best, kind, HABITS) for card in members(hand))
            assert total == pytest.approx(1, abs=1e-12)


# ------------------------------------------------------------------------------------------------ reading
def test_greedy_is_recognised_and_strong_players_are_not():
    """By the fourth deal, over 40 rounds, seen by the leader; the lowest card among equals is greedy's own way."""
    greedy = [chances(cards, 24)[0] for cards in rounds_of("tuned", "greedy", 40)]
    assert min(greedy) > 0.5 and np.median(greedy) > 0.95
    strong = [sum(chances(cards, 24)) for cards in rounds_of("tuned", "tuned-endgame", 40)]
    assert np.median(strong) < 0.05


def test_nothing_is_believed_before_the_first_deal_is_over():
    cards = rounds_of("tuned", "greedy", 1)[0]
    for ply in range(8):
        assert chances(cards, ply) == pytest.approx((0.2, 0.1))


def test_hands_are_drawn_that_explain_his_plays():
    """With sharp habits no drawn hand holds a card that he would have played instead."""
    sharp = HABITS._replace(slip=1e-9)
    seen = 0
    for cards in rounds_of("tuned", "greedy", 12):
        view = position_of(cards, 20).view()  # the third deal, after two plays of his
        problem = open_problem(view, FOR_POINTS)
        annex = annex_of(view)
        found, _ = draw_worlds(view, problem, annex, sharp, 20, 400)
        for number in range(found):
            world = annex[number]
            hand, plies = world & ALL_CARDS, (17, 19)
            assert hand & ~view.unseen == 0 and hand.bit_count() == view.other_hand_size
            for ply in plies:
                held = hand | to_set(int(card) for card in cards[ply:20:2])
                before = position_of(cards, ply)
                best = most_now(view, Floor(before.floor, 0), held)
                assert best >> int(cards[ply]) & 1
                assert world >> 56 == TAKES_MOST or lowest(best) == cards[ply]
                seen += 1
    assert seen > 50


def test_without_a_history_nothing_is_read():
    view = random_position(random.Random(4), RULES, 3).view()
    assert view.history == ()
    assert draw_worlds(view, open_problem(view, FOR_POINTS), annex_of(view), HABITS, 20, 100) == (0, 1)


# ------------------------------------------------------------------------------------------------ the best answer
def test_the_answer_to_a_habit_is_the_best_plan_by_what_will_be_seen():
    """Against all plans: a plan gives my next card for each sequence of his answers seen so far, the same in every world."""
    rng, judge = random.Random(6), Judge(RULES)
    for number in range(12):
        size = (2, 3, 3, 4)[number % 4]
        position = random_position(rng, RULES, 5, size)
        others = list(members(ALL_CARDS & ~(position.hand | position.floor)))
        hands = [to_set(rng.sample(others, position.held)) for _ in range(5)]
        view = position.view()
        problem, annex = open_problem(view, FOR_POINTS), annex_of(view)
        for world, hand in enumerate(hands):
            annex[world] = hand | TAKES_MOST_LOWEST << 56
        answer_habits(view, problem, annex, len(hands))
        for place, card in enumerate(members(position.hand)):
            best = _best_plan(position, judge, [(position.floor, hand, (), card) for hand in hands])
            assert noted(problem, ANSWERS + place) // ONE == best, position.to_text()


def _best_plan(position: Position, judge: Judge, worlds: list) -> int:
    """The best sum over worlds: each is (floor before my card, his hand, (who, card) played so far, my card)."""
    groups: dict[tuple, list] = {}
    total = 0
    for floor, other, line, card in worlds:
        floor = judge.after(floor, card)
        line = (*line, (0, card))
        if other:
            answer = judge.greedy_card(floor, other)
            floor = judge.after(floor, answer)
            line = (*line, (1, answer))
            other ^= 1 << answer
        groups.setdefault(tuple(c for side, c in line if side), []).append((floor, other, line))
    for group in groups.values():
        mine = position.hand & ~to_set(c for side, c in group[0][2] if not side)
        if not mine:
            total += sum(judge.line_worth(position, line) for _, _, line in group)
        else:
            total += max(_best_plan(position, judge, [(*world, card) for world in group]) for card in members(mine))
    return total


READER = '''
from basra_sim.engine.work_memory import annex_of
from basra_sim.skill.habit import ANSWERS, Habits, answer_habits, draw_worlds
from basra_sim.skill.problem import noted, open_problem
from basra_sim.view import lowest


def choose(view):
    chosen = lowest(view.hand)
    if view.hand & (view.hand - 1) == 0:
        return chosen
    problem = open_problem(view, 0)
    annex = annex_of(view)
    found, _ = draw_worlds(view, problem, annex, Habits(0.3, 0.3, 0.1, 0.5, 0.0), 5, 30)
    if found > 0:
        answer_habits(view, problem, annex, found)
        best = noted(problem, ANSWERS)
        rest = view.hand
        place = ANSWERS
        while rest != 0:
            if noted(problem, place) > best:
                best, chosen = noted(problem, place), lowest(rest)
            rest &= rest - 1
            place += 1
    return chosen
'''


@pytest.mark.parametrize("preset", ["egyptian-v2", "pagat"])
def test_reading_is_the_same_compiled_and_in_plain_python(preset, tmp_path):
    path = tmp_path / "reader.py"
    path.write_text(READER)
    assert prepare(load(str(path))).mode == "compiled"
    digests = set()
    for interpret in (False, True):
        asked = {"games": 4, "unit": "round", "seed": 2, "rules": preset}
        outcome = run([str(path), "greedy"], interpret=interpret, **asked)
        raise_error(outcome)
        digests.add(outcome.totals.digest)
    assert len(digests) == 1
