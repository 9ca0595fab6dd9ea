"""Write a golden playthrough: python tests/playthroughs/write.py NAME RULES SEAT0 SEAT1 FIRST-PACK FIRST-DEALER.

Packs are the lines of tests/data/packs.txt from FIRST-PACK (0-based) on. Read the file before you commit it: it is the
reader who says that the game is right, the tests only hold every engine to it.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path

from basra_sim.game.cards import parse_cards
from basra_sim.game.judge import choose_first, choose_greedy
from basra_sim.game.notation import parse_rules_name, record_game, write_game

HERE = Path(__file__).parent
PACKS = HERE.parent / "data" / "packs.txt"


def main(name: str, rules_name: str, seat0: str, seat1: str, first_pack: str, first_dealer: str) -> None:
    rules = parse_rules_name(rules_name)
    packs = [parse_cards(line) for line in PACKS.read_text().splitlines()]
    choosers = {"first": choose_first(rules), "greedy": choose_greedy(rules)}
    places = random.Random(int(first_pack))
    game = record_game(
        rules,
        (seat0, seat1),
        lambda number: packs[(int(first_pack) + number) % len(packs)],
        int(first_dealer),
        (choosers[seat0], choosers[seat1]),
        ban_draws=lambda number: places.randrange,
        facts=[("first pack", f"line {int(first_pack) + 1} of packs.txt")],
    )
    (HERE / f"{name}.txt").write_text(write_game(game))


if __name__ == "__main__":
    main(*sys.argv[1:])
