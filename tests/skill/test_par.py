"""Par: the round of a known pack, against plain minimax over the last two deals, and against its own play."""

from __future__ import annotations

import ctypes
import random

import numpy as np
import pytest
from open_hands_judge import Judge, random_position

from basra_sim.engine.floor_table.kept_tables import load_table
from basra_sim.engine.jit.strategy_calls import strategy_entry
from basra_sim.engine.layouts import DEAL_BYTES
from basra_sim.engine.sight import view_at
from basra_sim.errors import BadInput
from basra_sim.game.cards import members
from basra_sim.game.rule_files import load_rules
from basra_sim.game.rules import PRESETS
from basra_sim.players.interpreted_seat import OpenRules
from basra_sim.players.loading import load
from basra_sim.players.player import Player, prepare
from basra_sim.players.position import Desk, Position
from basra_sim.skill.par import known_card
from basra_sim.skill.problem import ONE
from basra_sim.workers.plan import Plan
from basra_sim.workers.worker import Worker

SINGLE = load_rules("egyptian-v2", ["single_round=true"])


def two_deals(rng: random.Random, rules, size: int) -> tuple[Position, list[int]]:
    """A position of the fifth deal and the twelve hands of the round, those of the deals before left empty."""
    position = random_position(rng, rules, 4, size=size)
    cards = list(members(position.unseen))
    rng.shuffle(cards)
    now, rest = cards[: position.held], cards[position.held :]
    parts = [sum(1 << card for card in part) for part in (now, rest[:4], rest[4:])]
    mine = [0, 0, 0, 0, position.hand, parts[1]]
    others = [0, 0, 0, 0, parts[0], parts[2]]
    return position, mine + others if position.leading else others + mine


def points_to_come(position: Position, hands: list[int], judge: Judge) -> dict[int, int]:
    """Points of mine less the other's from now to the round's end after each card, by minimax over all orders of play."""
    mine, others = (0, 6) if position.leading else (6, 0)
    points, play, majority = judge.points, judge.play, position.rules.majority_points

    def worth(deal, held, floor, lead, last, mover):
        if not held[0] and not held[1]:
            if deal == 5:
                if last is not None:
                    lead += floor.bit_count() * (1 if last == 0 else -1)
                rest = sum(points[card] for card in members(floor)) * (0 if last is None else 1 if last == 0 else -1)
                return rest + (majority if lead > 0 else -majority if lead < 0 else 0)
            held, mover = [hands[mine + 5], hands[others + 5]], 0 if position.leading else 1
            deal = 5
        found = [after(deal, held, floor, lead, last, mover, card) for card in members(held[mover])]
        return max(found) if mover == 0 else min(found)

    def after(deal, held, floor, lead, last, mover, card):
        taken, scored = play(floor, card)
        held = [hand & ~(1 << card) for hand in held]
        sign, made = 1 if mover == 0 else -1, 0
        if taken:
            got = taken | 1 << card
            made = sign * (scored + sum(points[each] for each in members(got)))
            lead, floor, last = lead + sign * got.bit_count(), floor & ~taken, mover
        else:
            floor |= 1 << card
        return made + worth(deal, held, floor, lead, last, 1 - mover)

    lead, last = position.piles[0] - position.piles[1], {0: None, 1: 0, 2: 1}[position.last]
    held = [hands[mine + 4] & position.hand, hands[others + 4]]
    return {card: after(4, held, position.floor, lead, last, 0, card) for card in members(position.hand)}


class KnownDesk(Desk):
    """A desk whose player knows the twelve hands of the round."""

    def __init__(self, player, position: Position, hands: list[int]) -> None:
        super().__init__(player, position)
        self.dealt = np.zeros(DEAL_BYTES // 8, np.int64)
        self.dealt[:12] = hands
        self.memory.desks["secrets"][0] = self.dealt.ctypes.data


@pytest.mark.parametrize(("preset", "number"), [("egyptian-v2", 16), ("pagat", 8), ("jawaker", 6)])
def test_two_deals_are_played_as_plain_minimax_has_it(preset, number):
    rules, rng = PRESETS[preset], random.Random(f"par {preset}")
    player, judge, compiled = prepare(load("clairvoyant")), Judge(rules), 0
    for count in range(number):
        position, hands = two_deals(rng, rules, 3 if count == 0 else 2)
        truth = points_to_come(position, hands, judge)
        best = min(card for card, value in truth.items() if value == max(truth.values()))
        known = OpenRules(**rules.to_dict())
        object.__setattr__(known, "secrets", tuple(hands))
        card, worth = known_card(position.view()._replace(lookup=known), 6)
        assert (card, worth) == (best, truth[best] * ONE), position.to_text()
        try:
            assert KnownDesk(player, position, hands).ask() == best, position.to_text()
            compiled += 1
        except BadInput as error:
            assert "no play leads to the floor" in str(error)
    assert compiled > number // 3


def par_entry(hand, floor, row, seen, moment, desk):
    """What the round brings from here on, in points."""
    return known_card(view_at(hand, floor, row, seen, moment, desk, 0), 6)[1] // ONE


def par_of(pack: np.ndarray) -> int:
    """The leader's points less the dealer's under best play of both, all cards open."""
    sets = [sum(1 << int(card) for card in pack[place : place + 4]) for place in range(0, 52, 4)]
    leader, dealer, floor = [sets[0], *sets[3::2]], [sets[1], *sets[4::2]], sets[2]
    position = Position(SINGLE, leader[0], floor, (1 << 52) - 1 & ~leader[0] & ~floor, 0, True, (0, 0))
    player = Player(load("clairvoyant"), strategy_entry(par_entry), "")
    desk = KnownDesk(player, position, leader + dealer)
    call = ctypes.CFUNCTYPE(ctypes.c_int64, *([ctypes.c_int64] * 6))(player.entry.address)
    seen = leader[0] | floor
    return int(call(leader[0], floor, desk.row, seen, 1 << 6, desk.memory.desks.ctypes.data))


def margins(one: str, other: str, packs: np.ndarray) -> np.ndarray:
    """int (packs, 2): the leader's margin where `one` leads and where `other` does."""
    players = [prepare(load(one)), prepare(load(other))]
    worker = Worker(Plan(SINGLE, 1, "packs", 2 * len(packs), players, [(0, 1)], packs), 0, load_table(SINGLE), len(packs), True)
    done, fault = worker.play(0, len(packs))
    assert done == len(packs) and fault is None
    rounds = worker.memory.rounds[: 2 * len(packs)]
    return (rounds["points_leader"] - rounds["points_dealer"]).reshape(-1, 2)


def test_par_is_what_it_makes_against_itself_and_the_least_it_makes_against_others():
    rng, packs = np.random.default_rng(6), []
    while len(packs) < 24:
        pack = rng.permutation(52).astype(np.uint8)
        if not any(card >> 2 == 10 or card == 25 for card in pack[8:12]):
            packs.append(pack)
    pars = np.array([par_of(pack) for pack in packs])
    assert len(set(pars.tolist())) > 6
    assert (margins("clairvoyant", "clairvoyant", np.array(packs)) == pars[:, None]).all()
    for other in ("greedy", "tuned-endgame", "open-hand"):
        leads, deals = margins("clairvoyant", other, np.array(packs)).T
        assert (leads >= pars).all() and (deals <= pars).all(), other
        assert (leads > pars).any() and (deals < pars).any()


def test_what_was_played_before_changes_no_card():
    """The table that it keeps holds the last rounds: alone and after them, the same plays."""
    rng = np.random.default_rng(7)
    packs = np.array([rng.permutation(52).astype(np.uint8) for _ in range(6)])
    together = margins("clairvoyant", "greedy", packs)
    alone = [margins("clairvoyant", "greedy", packs[k : k + 1]) for k in range(6)]
    assert (np.concatenate(alone) == together).all()


def test_a_nearer_horizon_is_weaker_than_the_whole_round():
    rng = np.random.default_rng(8)
    packs = np.array([rng.permutation(52).astype(np.uint8) for _ in range(150)])
    leads, deals = margins("clairvoyant", "clairvoyant:deals=1", packs).T
    assert (leads - deals).mean() > 5  # points a pair; the spread of a mean over 150 pairs is about 2
