"""A card of the hand at random, each equally likely."""

from basra_sim.view import nth_card, popcount, random_below

SUMMARY = "plays any card of the hand, each equally likely"
DESCRIPTION = """Draws one of its cards from its own random stream. The floor of every ranking: a strategy that does not beat it
clearly has not understood the game."""
SOURCE = "The usual baseline of every study of a card game."
ALIAS = "random"
STOCHASTIC = True


def choose(view):
    return nth_card(view.hand, random_below(view.rng, popcount(view.hand)))
