"""Information-set Monte Carlo tree search of the current deal, for one observer."""

from basra_sim.skill.endgame import last_deal_card
from basra_sim.skill.tree import tree_card

SUMMARY = "grows one tree of plays over many imagined hands of the other"
DESCRIPTION = """Each of `iterations` imagines a fair hand of the other, walks down one tree keyed by the cards played (UCB1,
counting how often a card could have been played), adds a node, plays the deal out greedily by points (a random card with
chance `epsilon`), the last `exact` plies with open cards, and values the deal's end by the rule set's table. It plays the
most visited card. Unlike pimc, both sides' choices in the tree cannot depend on cards that they do not see. The last deal
is open and played as tuned-endgame plays it. Budgets are counts, so the same seed gives the same play anywhere, unless `ms`
is set."""
SOURCE = """Cowling, Powley and Whitehouse 2012 (single-observer ISMCTS); rewards and playouts: Di Palma and Lanzi 2018
(arXiv:1807.06813)."""
STOCHASTIC = True
TIMED = "ms"
PARAMETERS = {
    "aim": (1, 0, 1, "1 the chance to win, 0 points"),
    "iterations": (1000, 1, 1_000_000, "hands imagined a decision"),
    "explore": (10.0, 0.0, 1000.0, "how much cards seldom tried are favoured, in points or percent of chances to win"),
    "epsilon": (0.0, 0.0, 1.0, "share of plays at random when a deal is played out"),
    "exact": (4, 0, 8, "at most so many last plies of the deal are solved with open cards instead of played out"),
    "ms": (0, 0, 60_000, "milliseconds of processor time a decision, instead of iterations; 0 off; not reproducible"),
}


def choose(view):
    p = view.parameters
    if view.deal == 5:
        return last_deal_card(view, p.aim, 1)
    return tree_card(view, p.aim, p.iterations, p.ms, p.explore, p.epsilon, p.exact)
