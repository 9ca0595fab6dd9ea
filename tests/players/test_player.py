"""One file, two ways to play: every shipped strategy gives the same games compiled and interpreted, however they are cut."""

from __future__ import annotations

import numpy as np
import pytest

from basra_sim.engine.jit.instructions import lowest
from basra_sim.engine.rule_numbers import RuleNumbers
from basra_sim.engine.sight import View
from basra_sim.errors import StrategyFault
from basra_sim.game.rules import PRESETS, RuleSet
from basra_sim.players.loading import load
from basra_sim.players.player import prepare
from basra_sim.players.python_objects import from_object
from basra_sim.players.strategy_files import builtin_folder, files_in
from basra_sim.runs.running import raise_error, run

# searches are a thousand times slower in plain Python: a small budget here, or (tests/skill) single positions
SMALL = {"pimc": "pimc:worlds=2,listed=8", "clairvoyant": "clairvoyant:deals=1"}
SHIPPED = [SMALL.get(path.stem, path.stem) for path in files_in(builtin_folder()) if path.stem not in ("best", "ismcts")]

READS_ALL = """
from basra_sim.view import (
    card_points, count_rank, first_floor, floor_now, is_komi, lowest, members, nth_card, outcome, play_on, played, popcount,
    random_below, random_unit, rank_of, sweeps, taken_cards,
)


def everything(view):
    total = {fields} + first_floor(view).cards % 1009
    for ply in range(-1, 49):
        total = total * 3 % 1000003 + played(view, ply)
    for card in members(view.hand):
        what = outcome(view, card)
        total = total * 31 + what.kind + 7 * what.points + 11 * what.taken + 13 * what.floor.cards
        total += 17 * taken_cards(view, card) + card_points(view, card) + rank_of(card) + sweeps(view, card) + is_komi(card)
        total += count_rank(view.unseen, rank_of(card)) + popcount(view.seen)
        for other in members(view.unseen & 0x8080808080808):
            then = play_on(view, what.floor, other)
            total = (total * 37 + then.points + then.floor.cards) % 1000003
        total = total % 1000003
    return total + random_below(view.rng, 1000) + int(1000 * random_unit(view.rng))


def choose(view):
    return nth_card(view.hand, everything(view) % popcount(view.hand))
"""


def digest(*given, **asked) -> str:
    outcome = run(list(given), **{"games": 40, "seed": 5, **asked})
    raise_error(outcome)
    return outcome.totals.digest


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_strategies_compile_and_play_the_same_interpreted(name):
    assert prepare(load(name)).mode == "compiled"
    rules = ["egyptian-v2", "cafe", "pagat", "lebanese"]
    thinks = load(name).uses_values  # weighs hundreds of answers a play: a few rounds say as much as games of the others
    for number, preset in enumerate(rules[:: 2 if ":" in name else 1]):
        asked = {"rules": preset, "games": 2 if thinks else 12, "unit": "game" if number % 2 and not thinks else "round"}
        assert digest(name, "greedy", **asked) == digest(name, "greedy", interpret=True, **asked), preset


def test_every_field_and_helper_is_the_same_both_ways(write):
    """A strategy whose card depends on each field of the view, each rule number and each helper."""
    fields = [name for name in View._fields if name not in ("rules", "parameters", "rng", "lookup", "history")]
    terms = [f"{2 * number + 3} * (view.{name} % 1009)" for number, name in enumerate(fields)]
    terms += [f"{2 * number + 5} * (view.rules.{name} % 1013)" for number, name in enumerate(RuleNumbers._fields)]
    path = write("reads_all.py", READS_ALL.replace("{fields}", " + ".join(terms)))
    assert prepare(load(str(path))).mode == "compiled"
    for preset in PRESETS:
        asked = {"rules": preset, "games": 4, "set": ["majority_tie=carry"]}
        assert digest(str(path), "random", **asked) == digest(str(path), "random", interpret=True, **asked)


def test_compiled_numbers_are_not_kept_past_their_file(write):
    """numba's cache knows nothing of files that a strategy reads when it is loaded."""
    text = """
    import pathlib
    from basra_sim.view import nth_card, popcount
    NUMBER = int(pathlib.Path(__file__).with_name("number.txt").read_text())


    def choose(view):
        return nth_card(view.hand, min(NUMBER, popcount(view.hand) - 1))
    """
    import sys

    found = []
    for number in "03":
        path = write("mine.py", text)
        write("number.txt", number)
        for name in [name for name in sys.modules if "strategy_mine" in name]:
            del sys.modules[name]  # as in a new process
        assert prepare(load(str(path))).mode == "compiled"
        found.append((digest(str(path), "greedy"), digest(str(path), "greedy", interpret=True)))
    assert found[0][0] == found[0][1] != found[1][0] == found[1][1]


# -- objects and functions -----------------------------------------------------------------------------------------
class Remembers:
    """Plays by the number of its plays in the game."""

    made = 0

    def __init__(self) -> None:
        type(self).made += 1
        self.plays = 0

    def choose(self, view) -> int:
        self.plays += 1
        cards = [card for card in range(52) if view.hand >> card & 1]
        return cards[self.plays * 7 % 5 % len(cards)]


class Told(Remembers):
    """The same, but it is one object that is told of a new game."""

    def __init__(self) -> None:
        super().__init__()
        self.plays = 10**6

    def new_game(self) -> None:
        self.plays = 0


def test_an_object_plays_the_same_however_games_are_cut():
    for made in (Remembers, Remembers()):
        cuts = ((1, 1), (7, 2), (4096, 1))
        assert len({digest(made, "random", games=60, chunk_pairs=size, jobs=jobs) for size, jobs in cuts}) == 1


def test_an_object_is_told_of_each_game():
    def results(made):
        match = run([made, "greedy"], games=60, seed=5).totals.matches[0]
        return match.pair_scores.tolist(), match.pair_sums

    assert results(Told()) == results(Remembers())


@pytest.mark.parametrize("unit", ["game", "round"])
def test_a_new_object_for_each_game_and_not_for_each_round(unit):
    """Few rounds score under these rules, so that many games go on at 0-0."""
    rules = RuleSet(majority_points=0, basra_points=0, komi_basra_points=0, jack_basra_points=30, target=30)
    Remembers.made = 0
    outcome = run([Remembers, "greedy"], games=20, seed=2, rules=rules, unit=unit)
    raise_error(outcome)
    assert Remembers.made == 20 + 1  # and one when it was loaded
    assert (outcome.totals.matches[0].rounds > 40) == (unit == "game")


def test_an_object_against_itself_is_level():
    match = run([Remembers, Remembers], games=100, seed=3).totals.matches[0]
    assert match.pair_scores.tolist() == [0, 0, 50, 0, 0]


def test_a_class_in_a_file(write):
    path = write(
        "mine.py",
        """
        class Strategy:
            def __init__(self):
                self.cards = []

            def choose(self, view):
                self.cards.append(view.hand.bit_count())
                return (view.hand & -view.hand).bit_length() - 1
        """,
    )
    player = prepare(load(str(path)))
    assert player.mode == "interpreted"
    assert "it is an object that may remember" in player.reason
    assert digest(str(path), "greedy") != ""
    mine = run([str(path), "greedy"], games=40, seed=5).totals.matches[0]
    assert mine.pair_sums == run(["first", "greedy"], games=40, seed=5).totals.matches[0].pair_sums


def test_functions_and_integers_of_numpy():
    def mine(view):
        return np.int64(lowest(view.hand))

    one, other = (run([first, "greedy"], games=40, seed=5).totals.matches[0] for first in (mine, "first"))
    assert one.pair_sums == other.pair_sums
    assert one.a == "mine"


def test_what_an_object_is_is_in_the_digest():
    class Weighted:
        def __init__(self, weight):
            self.weight = weight

        def choose(self, view):
            return (view.hand & -view.hand).bit_length() - 1

    hashes = {from_object(Weighted(weight)).sha256 for weight in (1, 2, 2)}
    assert len(hashes) == 2


def test_an_object_that_fails_in_its_game_is_at_fault():
    class Fragile:
        count = 0

        def __init__(self):
            Fragile.count += 1
            if Fragile.count > 5:
                raise RuntimeError("no more")

        def choose(self, view):
            return (view.hand & -view.hand).bit_length() - 1

    outcome = run([Fragile, "greedy"], games=40, seed=5)
    with pytest.raises(StrategyFault, match="strategy Fragile raised RuntimeError: no more, in match Fragile - greedy"):
        raise_error(outcome)


def test_interpreting_is_asked_for_and_said():
    totals = run(["greedy", "first"], games=2, seed=1, interpret=True).totals
    assert [strategy["mode"] for strategy in totals.strategies] == ["interpreted", "interpreted"]
    assert totals.notes == ["all strategies play interpreted: --interpret was given"]
