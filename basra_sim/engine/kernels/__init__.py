"""The kernels that play: a round is dealt, 48 plies are played, the round is counted, games and pairs are made of rounds.

Imports the layouts, streams, the floor table and the policy of compiling; its door is games.py. In comes the address of a
worker's context; out come rows and counters, written in place.
"""
