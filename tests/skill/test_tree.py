"""Information-set tree search: its parts, its plays where the right card is known, and the same plays in plain Python."""

from __future__ import annotations

import random
from math import log2

import pytest
from open_hands_judge import random_position

from basra_sim.engine.work_memory import annex_of, got
from basra_sim.errors import BadInput
from basra_sim.game.rules import PRESETS
from basra_sim.players.loading import load
from basra_sim.players.player import prepare
from basra_sim.players.position import Desk
from basra_sim.skill.tree import log2_about, tree_card
from basra_sim.workshop.last_deal_regret import last_deal_regret


def test_the_logarithm_is_near_enough():
    assert log2_about(1) == 0
    assert all(abs(log2_about(n) - log2(n)) < 0.01 for n in [*range(1, 3000), 10**6, 2**40 + 12345])


def test_its_last_deal_loses_nothing():
    rules, base = PRESETS["egyptian-v2"], prepare(load("greedy"))
    found = last_deal_regret(prepare(load("ismcts:iterations=20,aim=0")), base, rules, 100, 3)
    assert found.decisions == 600 and found.points == 0
    assert last_deal_regret(prepare(load("ismcts:iterations=20")), base, rules, 100, 3).win == 0


@pytest.mark.parametrize("settings", ["iterations=150", "iterations=120,epsilon=0.4,aim=0", "iterations=80,exact=3,explore=40"])
def test_compiled_and_plain_python_grow_the_same_tree(settings):
    strategy, rng, asked = load(f"ismcts:{settings}"), random.Random(settings), 0
    player = prepare(strategy)
    for preset in ("egyptian-v2", "pagat"):
        for deal in (0, 1, 2, 3, 4, 4):
            position = random_position(rng, PRESETS[preset], deal, size=4 if deal == 0 else 3)
            try:
                compiled = Desk(player, position).ask()
            except BadInput:
                continue  # a floor that no play leads to
            asked += 1
            assert strategy.choose(position.view(strategy.parameters)) == compiled, position.to_text()
    assert asked >= 4


def test_every_iteration_is_counted_once_and_adds_a_node(monkeypatch):
    """The root's visits are the iterations, and every node's are those of its children and the one that made it."""
    from basra_sim.skill import tree

    kept = []
    monkeypatch.setattr(tree, "annex_of", lambda view: kept.append(annex_of(view)) or kept[-1])
    position = random_position(random.Random(3), PRESETS["egyptian-v2"], 3, size=4)
    tree_card(position.view(), 1, 300, 0, 10.0, 0.0, 0)
    annex = kept[0]
    words, visits, child_of, sibling_of = tree._WORDS, tree._VISITS, tree._CHILD, tree._SIBLING
    assert got(annex, visits) == 300

    def check(node: int, depth: int) -> int:
        nodes, visited, child = 1, 0, got(annex, words * node + child_of)
        while child:
            visited += got(annex, words * child + visits)
            assert got(annex, words * child + tree._AVAILABLE) >= got(annex, words * child + visits)
            nodes += check(child, depth + 1)
            child = got(annex, words * child + sibling_of)
        own = got(annex, words * node + visits)
        plies = 8 - (position.ply & 7)
        assert visited == (own if node == 0 else own - 1 if depth < plies else 0)
        return nodes

    nodes = check(0, 0)
    assert 100 < nodes <= 301
