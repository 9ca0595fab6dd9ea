"""The strongest fair player here: expectation over hidden hands two plies deeper, joined with imagined open hands."""

from basra_sim.skill.deep import DeepWeights, joint_card
from basra_sim.skill.endgame import last_deal_card

SUMMARY = "looks four plies ahead without seeing through cards, and imagines open hands too"
DESCRIPTION = """The worth of a card is the sum of two estimates whose errors differ. The first looks at my card, his
answer, my next card and his next answer: his answers are chances counted exactly over the unseen cards (of the cards he
holds he plays the one that is best by the next ply from his side, or, by the share `fear`, against my hand), and my next
card is chosen knowing only what I will see, so there is no strategy fusion. The second, times `mix`, is that of pimc: the
mean of exact open play of the deal over hands that he may hold. The last deal is open and solved exactly. Budgets are
counts, so the same seed gives the same play anywhere."""
SOURCE = """Strategy fusion: Frank and Basin 1998. Mixing an information-set expectation with perfect-information sampling
is this project's own; measured in docs/ladder.md."""
STOCHASTIC = True
PARAMETERS = {
    "aim": (1, 0, 1, "1 the chance to win, 0 points"),
    "worlds": (60, 1, 100_000, "hands drawn for the second estimate where they are not listed"),
    "listed": (200, 1, 200_000, "at most so many hands are listed by class instead"),
    "mix": (0.5, 0.0, 10.0, "weight of the second estimate"),
    "jack": (12.0, -10.0, 40.0, "points that playing a jack gives up"),
    "komi": (8.0, -10.0, 40.0, "points that playing the komi gives up"),
    "his_jack": (12.0, -20.0, 60.0, "points that his playing a jack gives up"),
    "his_komi": (8.0, -10.0, 40.0, "points that his playing the komi gives up"),
    "again": (0.8, 0.0, 3.0, "share of my best capture after his last answer that counts"),
    "fear": (0.0, 0.0, 1.0, "share of his choice that goes by what I would do"),
}


def choose(view):
    p = view.parameters
    if view.deal == 5:
        return last_deal_card(view, p.aim)
    weights = DeepWeights(p.jack, p.komi, p.his_jack, p.his_komi, p.again, p.fear)
    return joint_card(view, p.aim, weights, p.mix, p.worlds, p.listed)
