"""No fair strategy's play changes when cards that it cannot see are reshuffled; the same position gives the same play."""

from __future__ import annotations

import random

import numpy as np
import pytest
from open_hands_judge import random_position

from basra_sim.engine.floor_table.kept_tables import load_table
from basra_sim.errors import BadInput
from basra_sim.game.rule_files import load_rules
from basra_sim.game.rules import PRESETS
from basra_sim.players.loading import load
from basra_sim.players.player import prepare
from basra_sim.players.position import Desk
from basra_sim.workers.plan import Plan
from basra_sim.workers.worker import Worker
from basra_sim.workshop.ladder import shipped

RULES = load_rules("egyptian-v2", ["single_round=true"])
SMALL = {"pimc": "pimc:worlds=6,listed=40", "best": "best:worlds=6,listed=40", "ismcts": "ismcts:iterations=60"}
FAIR = [SMALL.get(name, name) for name in shipped()]


def plays_of(player, pack: np.ndarray, seed: int = 1) -> np.ndarray:
    """The 48 cards that a player plays against itself on one pack, which it leads from seat 0."""
    plan = Plan(RULES, seed, "packs", 2, [player, player], [(0, 1)], pack.reshape(1, 52))
    worker = Worker(plan, 0, load_table(RULES), 1, False)
    history = worker.memory.keep_history(2)
    worker.play(0, 1)
    return history[0, :48].copy()


def hidden_places(deal: int) -> np.ndarray:
    """Places of the pack that the leader has not seen when a deal begins: the dealer's hand of the deal and the stock."""
    dealer = np.arange(4, 8) if deal == 0 else np.arange(8 + 8 * deal, 12 + 8 * deal)
    return np.concatenate([dealer, np.arange(12 + 8 * deal, 52)])


def packs(number: int) -> list[np.ndarray]:
    """Packs whose first floor needs no card put back."""
    rng, found = np.random.default_rng(4), []
    while len(found) < number:
        pack = rng.permutation(52).astype(np.uint8)
        if not any(card >> 2 == 10 or card == 25 for card in pack[8:12]):
            found.append(pack)
    return found


def differences(name: str, number: int) -> tuple[int, int]:
    """(plays that changed, plays compared) when the hidden cards are reshuffled at the start of each deal."""
    player, rng = prepare(load(name)), np.random.default_rng(5)
    changed = compared = 0
    for pack in packs(number):
        truth = plays_of(player, pack)
        for deal in range(6):
            other, places = pack.copy(), hidden_places(deal)
            other[places] = rng.permutation(other[places])
            plays = plays_of(player, other)
            changed += int(plays[8 * deal] != truth[8 * deal])
            compared += 1
            # the stock alone: everything in this deal must stay as it was
            stock = np.arange(12 + 8 * deal if deal else 12, 52)
            if len(stock):
                other = pack.copy()
                other[places[4:]] = rng.permutation(other[places[4:]])
                assert (plays_of(player, other)[: 8 * deal + 8] == truth[: 8 * deal + 8]).all() or name.startswith("clair")
                compared += 8 * deal + 8
    return changed, compared


@pytest.mark.parametrize("name", FAIR)
def test_hidden_cards_do_not_matter(name):
    changed, compared = differences(name, 12)
    assert changed == 0 and compared > 1000


def test_the_check_sees_a_cheat():
    changed, _ = differences("open-hand", 12)
    assert changed > 3


@pytest.mark.parametrize("name", FAIR)
def test_the_same_seed_gives_the_same_play(name):
    player = prepare(load(name))
    for pack in packs(3):
        assert (plays_of(player, pack) == plays_of(player, pack)).all()
        if not player.strategy.card.stochastic:
            assert (plays_of(player, pack) == plays_of(player, pack, seed=99)).all()


@pytest.mark.parametrize("name", [name for name in FAIR if load(name).uses_values])
def test_positions_are_played_the_same_compiled_and_in_plain_python(name):
    strategy, rng = load(name), random.Random(9)
    player = prepare(strategy)
    for preset in ("egyptian-v2", "pagat"):
        for deal in (0, 2, 4, 4, 5):
            position = random_position(rng, PRESETS[preset], deal, size=4 if deal == 0 else 2)
            try:
                compiled = Desk(player, position).ask()
            except BadInput:
                continue  # a floor that no play leads to
            assert strategy.choose(position.view(strategy.under(position.rules).parameters)) == compiled, position.to_text()


def test_a_fair_strategy_that_reaches_for_secrets_fails(tmp_path):
    file = tmp_path / "peeks.py"
    file.write_text(
        "from basra_sim.skill.secrets import other_hand_now\nfrom basra_sim.view import lowest\n\n\n"
        "def choose(view):\n    return lowest(view.hand) + 0 * other_hand_now(view)\n"
    )
    from basra_sim.errors import StrategyFault
    from basra_sim.runs.running import raise_error, run

    for interpret in (False, True):
        with pytest.raises(StrategyFault, match="CHEATS"):
            raise_error(run([str(file), "greedy"], games=2, seed=1, interpret=interpret))
