"""An oracle that sees the other hand, and solves the deal."""

from basra_sim.skill.endgame import known_hand_card
from basra_sim.skill.secrets import other_hand_now

SUMMARY = "cheats: sees the other hand and solves the deal exactly"
DESCRIPTION = """Looks at the cards that the other holds and plays the deal perfectly against them (alpha-beta on the floor
automaton), valuing the deal's end by the rule set's table; of equally good cards it plays the one that gains most from a
reply that takes the most at once. No fair player can do this: it is the ceiling of what knowing
the other's hand is worth, and is left out of rankings unless asked for."""
SOURCE = "The 'cheating' players of Di Palma and Lanzi 2018 (arXiv:1807.06813)."
CHEATS = True
PARAMETERS = {"aim": (1, 0, 1, "1 the chance to win, 0 points")}


def choose(view):
    return known_hand_card(view, other_hand_now(view), view.parameters.aim, 1)
