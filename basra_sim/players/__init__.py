"""Strategies as files: found, loaded, given their parameters, compiled or interpreted, shown a position, described.

It imports the engine, the game and (for value tables) skill, never a run. In come names, paths and parameter texts; out
come players that a worker can seat.
"""
