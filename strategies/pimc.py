"""Perfect-information Monte Carlo: imagine the other's hand, solve the deal, take the card that is best on average."""

from basra_sim.skill.endgame import last_deal_card
from basra_sim.skill.worlds import average_card
from basra_sim.view import lowest

SUMMARY = "imagines the other's hands and solves the deal in each of them"
DESCRIPTION = """For each hand that the other may hold it plays the rest of the deal with open cards exactly (alpha-beta on
the floor automaton), values the deal's end by the rule set's table, and plays the card with the best mean. While there are
at most `listed` hands it takes all of them, one for each class of hands that no rule tells apart, with its weight;
otherwise it draws `worlds` of them, or with `ms` as many as it can solve in that time. The last deal is open and played as
tuned-endgame plays it. Budgets are counts, so the same seed gives the same play anywhere, unless `ms` is set."""
SOURCE = "Levy 1989 and Ginsberg 2001 (GIB) for bridge; why it works: Long, Sturtevant, Buro and Furtak 2010."
STOCHASTIC = True
TIMED = "ms"
PARAMETERS = {
    "aim": (1, 0, 1, "1 the chance to win, 0 points"),
    "worlds": (200, 1, 100_000, "hands drawn where they are not listed"),
    "listed": (500, 1, 200_000, "at most so many hands are listed by class instead"),
    "ms": (0, 0, 60_000, "milliseconds of processor time for drawing hands, instead of a count; 0 off; not reproducible"),
}


def choose(view):
    p = view.parameters
    if view.hand & (view.hand - 1) == 0:
        return lowest(view.hand)
    if view.deal == 5:
        return last_deal_card(view, p.aim, 1)
    return average_card(view, p.aim, p.worlds, p.listed, p.ms)
