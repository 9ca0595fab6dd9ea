"""The shuffle lab: laws, generators, logs, sources, battery, verdict, seeds, watch, and on top comparisons and calibration.

It imports the engine's packs and policy, and workers only to play on a shuffle's packs; no run's statistics. In come decks
from anywhere; out come verdicts with evidence, effect sizes and what so many decks could have shown.
"""
