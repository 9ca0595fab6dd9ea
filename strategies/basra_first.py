"""A basra if there is one, else the most cards; ties by chance."""

from basra_sim.view import BASRA, lowest, outcome, random_below

SUMMARY = "makes a basra if it can, else takes the most cards"
DESCRIPTION = """Plays a card that scores a basra of any kind, the one worth most where there are several. Otherwise it plays the
card that captures the most floor cards. Between equals it draws one by chance, so that it has no habit of laying low cards
first. It never looks at what it leaves behind: basras are mostly given away, not missed."""
SOURCE = "The third rung of the usual ladder of simple strategies for fishing games: first the bonus, then the count."
STOCHASTIC = True


def choose(view):
    best = -1
    best_worth = -1
    equals = 0
    rest = view.hand
    while rest != 0:
        card = lowest(rest)
        rest &= rest - 1
        what = outcome(view, card)
        worth = what.taken
        if what.kind >= BASRA:
            worth += 64 * (1 + what.points)
        if worth > best_worth:
            best, best_worth, equals = card, worth, 1
        elif worth == best_worth:
            equals += 1
            if random_below(view.rng, equals) == 0:  # each of the equals is kept with the same chance
                best = card
    return best
