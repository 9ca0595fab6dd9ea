"""The built-in shuffles, correct and flawed, their loops, orders of a pack, and how well they mix.

Imports laws and the engine's packs and policy. In come a name and a seed; out come decks.
"""
