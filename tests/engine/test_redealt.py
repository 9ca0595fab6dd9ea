"""Packs and opening floors dealt again are those of the plain streams and of the reference engine, under every ban."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from basra_sim.engine.redealt import floor_dealer, packs_of
from basra_sim.engine.streams import FLOOR_BAN, PACK, CardStream
from basra_sim.game.cards import members
from basra_sim.game.judge import choose_first, play_round
from basra_sim.game.rules import PRESETS, RuleSet

LEAVE = replace(PRESETS["egyptian-v2"], floor_ban_action="leave")
RULES = {**PRESETS, "leave": LEAVE, "nothing banned": replace(PRESETS["egyptian-v2"], floor_banned="none")}
PAIRS = np.repeat(np.arange(20), 2)
ROUNDS = np.tile(np.arange(2), 20)


def test_packs() -> None:
    for seed in (0, 7, (1 << 64) - 1):
        for pack, pair, number in zip(packs_of(seed, PAIRS, ROUNDS), PAIRS, ROUNDS, strict=True):
            assert pack.tolist() == CardStream(seed, int(pair), int(number), PACK).pack()


@pytest.mark.parametrize("name", RULES)
def test_opening_floors(name: str) -> None:
    rules: RuleSet = RULES[name]
    floors = floor_dealer(7, rules.to_dict())(PAIRS, ROUNDS)
    for floor, pair, number in zip(floors, PAIRS.tolist(), ROUNDS.tolist(), strict=True):
        ban = CardStream(7, pair, number, FLOOR_BAN)
        choosers = (choose_first(rules), choose_first(rules))
        played = play_round(rules, CardStream(7, pair, number, PACK).pack(), 1, choosers, ban_draw=ban.below)
        assert sorted(floor.tolist()) == sorted(members(played.first_floor))
