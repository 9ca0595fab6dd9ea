"""The strongest fair player here: expectation over hidden hands, imagined open hands, and the other's habits."""

from basra_sim.skill.deep import Budget, DeepWeights, joint_card
from basra_sim.skill.endgame import last_deal_card
from basra_sim.skill.habit import Habits

SUMMARY = "looks four plies ahead without seeing through cards, imagines open hands, and reads the other's habits"
DESCRIPTION = """The worth of a card is the sum of two estimates whose errors differ. The first looks at my card, his
answer, my next card and his next answer: his answers are chances counted exactly over the unseen cards (of the cards he
holds he plays the one that is best by the next ply from his side, or, by the share `fear`, against my hand), and my next
card is chosen knowing only what I will see, so there is no strategy fusion. The second, times `mix`, is that of pimc: the
mean of exact open play of the deal over hands that he may hold.
It also reads what he has played in this round. Of the deals that are over it is known what he held, so each of his choices
speaks for or against two habits: he takes the most at once, and among equals plays the lowest card, or any. By their
chances hands are drawn that explain his plays of this deal, and what a card is worth against the habit is mixed in. Nothing
is carried from one round to the next. The last deal is open and solved exactly; of equally good cards it plays the one that
gains most from a reply that takes the most at once. Budgets are counts, so the same seed gives the same play anywhere,
unless `ms` is set."""
SOURCE = """Strategy fusion: Frank and Basin 1998. Inferring a hand from captures that were not made: Culbertson 1952; answering a
model of the other: Lisy and Bowling 2017 (arXiv:1612.07547). Mixing an information-set expectation with
perfect-information sampling is this project's own. Measured in docs/ladder.md."""
STOCHASTIC = True
TIMED = "ms"
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
    "ms": (0, 0, 60_000, "milliseconds of processor time for drawing hands, instead of a count; 0 off; not reproducible"),
    "read": (60, 0, 1000, "hands drawn by the other's habit, where he seems to have one; 0: his plays are not read"),
    "tries": (1000, 1, 100_000, "draws for them, at most"),
    "lowest": (0.2, 0.0, 0.49, "chance before the round that he takes most at once, and the lowest card among equals"),
    "any": (0.1, 0.0, 0.49, "chance before the round that he takes most at once, and any card among equals"),
    "slip": (0.02, 0.001, 0.5, "share of plays in which such a player does otherwise"),
    "share": (0.55, 0.01, 0.99, "share of plays in which another player happens to do the same"),
    "least": (0.05, 0.0, 1.0, "below this chance of a habit it is forgotten"),
}


def choose(view):
    p = view.parameters
    if view.deal == 5:
        return last_deal_card(view, p.aim, 1)
    weights = DeepWeights(p.jack, p.komi, p.his_jack, p.his_komi, p.again, p.fear)
    budget = Budget(p.worlds, p.listed, p.ms, p.read, p.tries)
    habits = Habits(p.lowest, p.any, p.slip, p.share, p.least)
    return joint_card(view, p.aim, weights, p.mix, budget, habits)
