"""Most points now, then most cards now, then the lowest card."""

from basra_sim.view import lowest, outcome

SUMMARY = "takes the most points now, then the most cards"
DESCRIPTION = """Plays the card that scores most by this very ply; among equals the one that captures the most floor cards; among
those the lowest card id. It never looks at what it leaves behind."""
SOURCE = "The rules of this project: one of the two strategies that fix results across implementations."


def choose(view):
    best = -1
    best_worth = -1
    rest = view.hand
    while rest != 0:
        card = lowest(rest)
        rest &= rest - 1
        what = outcome(view, card)
        worth = what.points * 64 + what.taken
        if worth > best_worth:
            best, best_worth = card, worth
    return best
