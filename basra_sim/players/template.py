"""The file that `basra-sim strategies new` writes: a working strategy whose comments explain the contract."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from basra_sim.errors import BadInput

TEMPLATE = '''"""{title}: takes points, then cards; lays what the other can use least. Change it into your own."""

from basra_sim.view import count_rank, lowest, outcome, rank_of

# A strategy is this file: a function choose(view) that returns a card id of its hand. Its name is the file's name.
#
# A card is a number 0..51, (rank - 1) * 4 + suit: ranks ace 1 .. ten 10, jack 11, queen 12, king 13; suits c d h s.
# A card set is an integer with bit `card` set for each card in it.
#
# What the view holds (all whole numbers; "my" and "other" are seen from your seat):
#   hand, floor                        card sets: your cards, the cards on the table
#   seen, unseen                       card sets: all cards you have seen; all others (other hand and stock)
#   buried                             card set: turned up for the first floor and put back into the stock
#   my_pile, other_pile                how many cards each has captured
#   my_score, other_score, target      points in the game before this round; what ends the game
#   my_round_points, other_round_points     points of basras in this round so far
#   my_bonus_cards, other_bonus_cards  card sets: captured cards with points of their own (some rule sets have them)
#   majority_stake                     points for more than half of the cards in this round
#   deal, ply                          0..5 and 0..47; eight plies are a deal, four cards each
#   leading                            1 if you play first in each deal, 0 if you are the dealer
#   captured_last                      1 you, 2 the other, 0 nobody yet (takes what lies on the floor at the end)
#   other_hand_size                    how many cards the other holds
#   rules                              the rule set as numbers: rules.basra_points, rules.majority_points ...
#   parameters                         your own numbers, declared in PARAMETERS below
#   rng                                your own random numbers; the only ones with which a run can be repeated
#
# What helps (from basra_sim.view import ...):
#   outcome(view, card)                what a card does now: .kind, .points (at once), .taken (how many), .floor (left)
#   taken_cards(view, card)            the card set that it takes now
#   play_on(view, floor, card)         the same on another floor, such as outcome(view, card).floor
#   played(view, ply)                  the history of the round: the card of an earlier ply; -1 from view.ply on
#   first_floor(view)                  the floor before all of them
#   members(set), lowest(set), popcount(set), nth_card(set, n), count_rank(set, rank), rank_of(card)
#   is_komi(card), sweeps(view, card), card_points(view, card)
#   random_below(view.rng, n), random_unit(view.rng)
#
# Plain numbers, tuples and loops are compiled and play a million games a minute; what cannot be compiled (dicts, classes,
# other libraries) plays as plain Python, a hundred times slower, with the same results. Nothing may be remembered between
# plays. `basra-sim strategies check` tries all of that.

SUMMARY = "takes points, then cards; lays what the other can use least"
DESCRIPTION = "Plays the card with the most points, then the most cards; lays a rank of which few cards are still about."
SOURCE = "a first try"
PARAMETERS = {{"fear": (1.0, 0.0, 10.0, "how much each unseen card of a rank counts against laying it")}}


def choose(view):
    best, best_worth = -1, -1e9
    rest = view.hand
    while rest != 0:
        card = lowest(rest)
        rest &= rest - 1  # without its lowest card
        what = outcome(view, card)
        worth = 10.0 * what.points + what.taken
        if what.taken == 0:
            worth -= view.parameters.fear * count_rank(view.unseen, rank_of(card))
        if worth > best_worth:
            best, best_worth = card, worth
    return best
'''


def write_strategy(name: str, folder: Path) -> Path:
    """Write the template as NAME.py into a folder and return its path. BadInput for a bad name or a file that is there."""
    stem = name.removesuffix(".py")
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_-]*", stem):
        raise BadInput(f"'{name}' cannot name a strategy: use letters, digits, - and _, a letter first; --dir gives the folder")
    if stem in sys.stdlib_module_names or stem in ("numpy", "numba", "basra_sim"):
        raise BadInput(f"'{stem}' is the name of a Python module, which a file {stem}.py would hide; choose another name")
    if not folder.is_dir():
        raise BadInput(f"--dir {folder}: there is no such folder")
    path = folder / f"{stem}.py"
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(TEMPLATE.format(title=stem))
    except FileExistsError:
        raise BadInput(f"{path} is there already, and is not overwritten; choose another name") from None
    except OSError as error:
        raise BadInput(f"{path} cannot be written: {error.strerror}") from None
    return path
