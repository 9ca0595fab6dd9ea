"""One shuffle against another: two logs or the parts of one, a change along a log, and what a shuffle does to Basra.

Imports all rooms of the shuffle lab but the calibration, and the workers to play. In come logs and other sources of decks; out
come differences with intervals and a verdict.
"""
