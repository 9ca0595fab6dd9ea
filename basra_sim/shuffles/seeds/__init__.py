"""The audit of a generator behind a log of one's own: repeats, lags, and the search for the seed itself.

Imports the orders of a pack and the engine's policy. In come decks in their order; out come findings and seeds.
"""
