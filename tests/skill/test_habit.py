"""Reading a habit from plays, the best answer to it, and traps in the last deal."""

from __future__ import annotations

import random
from itertools import permutations

import numpy as np
import pytest
from open_hands_judge import Judge, random_position

from basra_sim.analysis.tables.summary import summarize
from basra_sim.engine.floors import load_table
from basra_sim.engine.sight import Floor, View, floor_now, lowest, outcome
from basra_sim.engine.work_memory import annex_of
from basra_sim.game import captures
from basra_sim.game.cards import ALL_CARDS, cards_text, members, parse_cards, set_text, to_set
from basra_sim.game.rule_files import load_rules
from basra_sim.players.loading import load
from basra_sim.players.position import Position, read_position
from basra_sim.players.ready import prepare
from basra_sim.runs.running import raise_error, run
from basra_sim.skill.endgame import INFINITE, known_hand_card, value_of
from basra_sim.skill.greed import LOWEST, most_now, number_of_orders, play_out
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


# ------------------------------------------------------------------------------------------------ what brings most
def test_the_lowest_card_that_brings_most_is_what_greedy_plays():
    rng, greedy = random.Random(1), load("greedy")
    for _ in range(300):
        view = random_position(rng, RULES, rng.randrange(6)).view()
        best = most_now(view, floor_now(view), view.hand)
        assert lowest(best) == greedy.choose(view)
        most = {card: (outcome(view, card).points, outcome(view, card).taken) for card in members(view.hand)}
        assert set(members(best)) == {card for card in most if most[card] == max(most.values())}


def test_chances_of_the_cards_of_a_hand_add_up_to_one():
    hand = to_set(parse_cards("3c 7h Jd Ks"))
    for best in (hand, to_set(parse_cards("7h")), to_set(parse_cards("3c Jd"))):
        for kind in (NONE, TAKES_MOST_LOWEST, TAKES_MOST):
            total = sum(chance_of(card, hand, best, kind, HABITS) for card in members(hand))
            assert total == pytest.approx(1, abs=1e-12)


def test_every_order_of_a_hand_is_played_out_once():
    rng = random.Random(2)
    for size in (1, 2, 3, 4):
        position = random_position(rng, RULES, 5, size)
        view = position.view()
        problem = open_problem(view, FOR_POINTS)
        lines = [play_out(view, problem, order, view.unseen, LOWEST)[1] for order in range(number_of_orders(size))]
        judge = Judge(RULES)
        expected = [_played_out(position, judge, order) for order in permutations(members(view.hand))]
        assert sorted(line // ONE for line in lines) == sorted(expected)


def _played_out(position: Position, judge: Judge, order: tuple[int, ...]) -> int:
    """Points of the round, mine less the other's, where I play in this order and he takes most, lowest card among equals."""
    floor, other, line = position.floor, position.unseen, []
    for card in order:
        line.append((0, card))
        floor = _after(judge, floor, card)
        if other:
            answer = _greedy_card(judge, floor, other)
            line.append((1, answer))
            floor = _after(judge, floor, answer)
            other ^= 1 << answer
    return _worth(position, judge, tuple(line))


def _after(judge: Judge, floor: int, card: int) -> int:
    """The floor that a card leaves."""
    taken, _ = judge.play(floor, card)
    return floor & ~taken if taken else floor | 1 << card


def _greedy_card(judge: Judge, floor: int, hand: int) -> int:
    """The card that brings most, by the reference captures; the lowest of equals."""
    return max(members(hand), key=lambda c: (judge.play(floor, c)[1], judge.play(floor, c)[0].bit_count(), -c))


def _worth(position: Position, judge: Judge, line: tuple) -> int:
    """Points of the round, mine less the other's, after a line of (0 I or 1 he, card) to the end of the last deal."""
    floor, last = position.floor, position.last
    cards, points = list(position.piles), list(position.points)
    for side, card in line:
        taken, scored = judge.play(floor, card)
        points[side] += scored
        if taken:
            cards[side] += taken.bit_count() + 1
            last = side + 1
        floor = _after(judge, floor, card)
    if last:
        cards[last - 1] += floor.bit_count()
    majority = RULES.majority_points
    return points[0] - points[1] + (majority if cards[0] > cards[1] else -majority if cards[0] < cards[1] else 0)


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
        floor = _after(judge, floor, card)
        line = (*line, (0, card))
        if other:
            answer = _greedy_card(judge, floor, other)
            floor = _after(judge, floor, answer)
            line = (*line, (1, answer))
            other ^= 1 << answer
        groups.setdefault(tuple(c for side, c in line if side), []).append((floor, other, line))
    for group in groups.values():
        mine = position.hand & ~to_set(c for side, c in group[0][2] if not side)
        if not mine:
            total += sum(_worth(position, judge, line) for _, _, line in group)
        else:
            total += max(_best_plan(position, judge, [(*world, card) for world in group]) for card in members(mine))
    return total


# ------------------------------------------------------------------------------------------------ traps
def test_a_trap_costs_nothing_against_the_best_play_and_gains_most_against_greed():
    rng, other_cards = random.Random(7), 0
    for _ in range(400):
        position = random_position(rng, RULES, 5)
        view = position.view()
        problem = open_problem(view, FOR_POINTS)
        values = {card: value_of(problem, view, card, view.unseen, -INFINITE) for card in members(view.hand)}
        chosen = known_hand_card(view, view.unseen, FOR_POINTS, 1)
        plain = known_hand_card(view, view.unseen, FOR_POINTS, 0)
        assert values[chosen] == values[plain] == max(values.values())
        other_cards += chosen != plain
        size = view.hand.bit_count()
        gains: dict[int, int] = {}
        for order in range(number_of_orders(size)):
            card = list(members(view.hand))[order % size]
            worth = play_out(view, problem, order, view.unseen, LOWEST)[1]
            gains[card] = max(worth, gains.get(card, -INFINITE))
        assert gains[chosen] >= max(gains[card] for card in gains if _first_of_its_kind(view, card, values))
    assert other_cards > 30


def _first_of_its_kind(view: View, card: int, values: dict[int, int]) -> bool:
    """Is a card as good as the best, and none with a lower id of the hand is the same for every rule?"""
    alike = view.hand & ~(1 << 25) & 0xF << (card & ~3) if card != 25 else 1 << 25
    return values[card] == max(values.values()) and lowest(alike) == card


def test_traps_win_more_rounds_against_a_player_who_errs():
    """On the same 3,000 pairs; the gain is about five points of a hundred, with a standard error below one."""
    wins = []
    for traps in (0, 1):
        outcome = run([f"tuned-endgame:traps={traps}", "greedy"], games=6000, unit="round", seed=11)
        raise_error(outcome)
        wins.append(summarize(outcome.totals)["matches"][0]["score_a"])
    assert wins[1] - wins[0] > 0.02


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
