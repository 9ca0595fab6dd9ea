"""Write the golden playthroughs: all that stand in GAMES, or those that are named: python tests/playthroughs/write.py [NAME ...].

Read a new file before you commit it: it is the reader who says that the game is right, the tests only hold every engine to it.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path
from typing import NamedTuple

from basra_sim.game.cards import parse_cards
from basra_sim.game.judge import choose_first, choose_greedy
from basra_sim.game.notation import parse_rules_name, record_game, write_game

HERE = Path(__file__).parent
PACKS = HERE.parent / "data" / "packs.txt"


class Game(NamedTuple):
    """What is played: packs are the lines of packs.txt from `first_pack` (0-based) on, round and round."""

    rules: str
    seat0: str
    seat1: str
    first_pack: int
    first_dealer: int


GAMES = {
    "cafe-greedy-greedy": Game("cafe", "greedy", "greedy", 18, 0),
    "carry-to-151-greedy-first": Game("egyptian-v2 with target=151 majority_tie=carry", "greedy", "first", 7, 0),
    "egyptian-v2-greedy-greedy": Game("egyptian-v2", "greedy", "greedy", 59, 1),
    "jawaker-greedy-first": Game("jawaker", "greedy", "first", 15, 0),
    "lebanese-first-greedy": Game("lebanese", "first", "greedy", 1, 1),
    "pagat-greedy-greedy": Game("pagat", "greedy", "greedy", 18, 0),
}


def written(game: Game) -> str:
    """The game as text, played by the judge."""
    rules = parse_rules_name(game.rules)
    packs = [parse_cards(line) for line in PACKS.read_text().splitlines()]
    choosers = {"first": choose_first(rules), "greedy": choose_greedy(rules)}
    places = random.Random(game.first_pack)
    played = record_game(
        rules,
        (game.seat0, game.seat1),
        lambda number: packs[(game.first_pack + number) % len(packs)],
        game.first_dealer,
        (choosers[game.seat0], choosers[game.seat1]),
        ban_draws=lambda number: places.randrange,
        facts=[("first pack", f"line {game.first_pack + 1} of packs.txt")],
    )
    return write_game(played)


if __name__ == "__main__":
    for name in sys.argv[1:] or GAMES:
        (HERE / f"{name}.txt").write_text(written(GAMES[name]))
