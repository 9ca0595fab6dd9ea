"""Verbs about strategies, positions and rules: strategies, explain, ladder, tune, rules."""
