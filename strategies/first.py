"""The lowest card id in hand, always: a fixed point of comparison."""

from basra_sim.view import lowest

SUMMARY = "plays the lowest card in hand"
DESCRIPTION = """Plays the card with the lowest id (aces before twos, clubs before diamonds), whatever lies on the floor.
Useless as a player and useful as a fixed point: it never draws a number and gives the same rounds in every correct program."""
SOURCE = "The rules of this project: one of the two strategies that fix results across implementations."


def choose(view):
    return lowest(view.hand)
