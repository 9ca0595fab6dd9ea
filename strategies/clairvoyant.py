"""An oracle that knows the whole pack, and solves the round."""

from basra_sim.skill.par import known_card
from basra_sim.view import lowest

SUMMARY = "cheats: knows the whole pack and solves the rest of the round exactly"
DESCRIPTION = """Looks at all hands of the round, those to come included, and plays the minimax of the points of the rest of
the round with open cards: alpha-beta within each deal, and a table of the states between deals, which are no more than the
floor, the difference in cards and who captured last, because points add up. Against itself it makes the pack's par. With
`deals` below 6 it looks so many deals ahead, this one included, and values what follows by the rule set's table. No fair
player can do this: it is the ceiling, and is left out of rankings unless asked for."""
SOURCE = """Double-dummy analysis as in bridge; the same was solved for Pasur, with open cards on known packs, by Baghal 2025
(arXiv:2508.06559). The states between deals as table keys are this project's own."""
CHEATS = True
PARAMETERS = {"deals": (6, 1, 6, "how many deals it looks ahead, this one included")}


def choose(view):
    if view.hand & (view.hand - 1) == 0:
        return lowest(view.hand)
    return known_card(view, view.parameters.deals)[0]
