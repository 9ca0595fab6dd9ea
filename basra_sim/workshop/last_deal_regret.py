"""What last-deal plays cost against exact play: rounds are played, then every decision of a side is solved again.

In the last deal nothing is hidden that cannot be counted, so regret needs no model: it is the best exact value less that of
the card that was played.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from basra_sim.engine.floor_table.kept_tables import load_table
from basra_sim.engine.jit.compiling import kernel, piece
from basra_sim.engine.jit.instructions import byte, lowest, put_word
from basra_sim.engine.view_helpers import Floor
from basra_sim.game.cards import ALL_CARDS
from basra_sim.game.rules import RuleSet
from basra_sim.players.player import Player
from basra_sim.skill import value_tables as values
from basra_sim.skill.endgame import INFINITE, solve
from basra_sim.skill.problem import FOR_POINTS, FOR_WIN, MINE, NOBODY, ONE, OTHERS, WIN_WEIGHT, step
from basra_sim.workers.fault_words import fault_error
from basra_sim.workers.plan import Plan
from basra_sim.workers.value_counts import HISTORY_BYTES, classes_of
from basra_sim.workers.worker import Worker

_PROBLEM_WORDS = 512
_STAKE, _AIM, _LEADING, _BOUNDARY, _SINGLE = 4, 5, 6, 7, 10


@dataclass
class Regret:
    """Last-deal decisions with a choice of worth, and what they lost on average."""

    decisions: int
    points: float  # points of the round a decision
    points_half_width: float
    win: float  # chance to win the round a decision
    win_half_width: float


@kernel
def _regrets(problem, history, floors, rows, first_round, rounds, leading, out):
    """Regrets of one role's last-deal decisions, 4 words a round at `out`; -1 where there was nothing to choose."""
    for number in range(rounds):
        at = history + HISTORY_BYTES * (first_round + number)
        floor = Floor(floors[first_round + number], rows[first_round + number])
        hand, other = _last_hands(at, leading)
        tally = 0
        last = NOBODY
        for ply in range(48):
            mine = 1 - (ply & 1) == leading
            card = byte(at, ply)
            if ply >= 40 and mine:
                regret = _regret(problem, ply, hand, other, floor, tally, last, card)
                put_word(out, 4 * number + ((ply - 40) >> 1), regret)
            shift = MINE if mine else OTHERS
            done = step(problem, floor, card)
            tally += done.gain << shift
            last = shift if done.gain != 0 else last
            floor = done.floor
            if ply >= 40:
                hand &= ~(1 << card)
                other &= ~(1 << card)


@piece
def _last_hands(at, leading):
    """What this role and the other hold when the last deal begins: the cards that they will play in it."""
    hand = 0
    other = 0
    for ply in range(40, 48):
        bit = 1 << byte(at, ply)
        if 1 - (ply & 1) == leading:
            hand |= bit
        else:
            other |= bit
    return hand, other


@piece
def _regret(problem, ply, hand, other, floor, tally, last, card):
    """The best exact value of a hand's cards less that of the card played; -1 where there is one card only."""
    if not hand & (hand - 1):
        return -1
    best = -INFINITE
    got = 0
    rest = hand
    while rest != 0:
        option = lowest(rest)
        rest &= rest - 1
        done = step(problem, floor, option)
        took = MINE if done.gain != 0 else last
        value = -solve(
            problem, 47 - ply, other, hand ^ (1 << option), done.floor, tally + done.gain, took, OTHERS, -INFINITE, INFINITE
        )  # fmt: skip
        best = max(best, value)
        if option == card:
            got = value
    return best - got


def _problem(rules: RuleSet, worker: Worker, aim: int, leading: int) -> np.ndarray:
    table = load_table(rules)
    words = np.zeros(_PROBLEM_WORDS, np.int64)
    block = worker.memory.rules_block
    words[:4] = table.base, table.codes.ctypes.data, block.ctypes.data, block[15]
    words[_STAKE], words[_AIM], words[_LEADING], words[_BOUNDARY], words[_SINGLE] = rules.majority_points, aim, leading, 6, 1
    return words


def last_deal_regret(player: Player, opponent: Player, rules: RuleSet, pairs: int, seed: int) -> Regret:
    """Regret of a player's last-deal decisions in `pairs` pairs of single rounds against an opponent."""
    rules = replace(rules, single_round=True)
    plan = Plan(rules, seed, "round", 2 * pairs, [player, opponent], [(0, 1)])
    table = load_table(rules)
    worker = Worker(plan, 0, table, pairs, False)
    worker.memory.give_values(values.block(rules))
    history = worker.memory.keep_history(2 * pairs)
    _, fault = worker.play(0, pairs)
    if fault is not None:
        raise fault_error(plan, 0, fault)
    floors = np.full(2 * pairs, ALL_CARDS, np.int64)
    for ply in range(48):
        floors ^= np.int64(1) << history[:, ply].astype(np.int64)
    rows = np.array([table.base + 64 * table.start(classes_of(int(cards))) for cards in floors], np.int64)
    found: list[list[np.ndarray]] = [[], []]
    for aim in (FOR_POINTS, FOR_WIN):
        for game in range(2):  # side a leads the first round of each pair
            leading = 1 - game
            problem = _problem(rules, worker, aim, leading)
            own = np.ascontiguousarray(history[game::2])
            out = np.full(4 * pairs, -1, np.int64)
            _regrets(
                problem.ctypes.data, own.ctypes.data, np.ascontiguousarray(floors[game::2]),
                np.ascontiguousarray(rows[game::2]), 0, pairs, leading, out.ctypes.data,
            )  # fmt: skip
            found[aim].append(out[out >= 0] / ONE)
    points, win = (np.concatenate(part) for part in found)
    win = np.round(win / WIN_WEIGHT, 2)  # without the trace of points that breaks ties
    spread = [1.96 * float(x.std(ddof=1)) / len(x) ** 0.5 for x in (points, win)]
    return Regret(len(points), float(points.mean()), spread[0], float(win.mean()), spread[1])
