"""One ply and the exact expectation of the answer to it; nothing tuned."""

from basra_sim.skill.policy import PLAIN, one_ply_card

SUMMARY = "one ply and the other's exact expected answer"
DESCRIPTION = """Weighs each card by what it takes and scores less the exact expectation of the other's best answer, over
all hands that he may hold, each equally likely: his answers are sorted once and the chance that the i-th is the first he
holds is a hypergeometric one. Cards are priced by what they do for the majority (the rule set's table). No weights, no
further look."""
SOURCE = "One-ply expectimax; the sorted-list expectation is exact and needs no enumeration of hands."
PARAMETERS = {"aim": (0, 0, 1, "1 the chance to win, 0 points")}


def choose(view):
    return one_ply_card(view, view.parameters.aim, PLAIN)
