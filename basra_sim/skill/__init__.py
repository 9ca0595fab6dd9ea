"""What strong strategies share: counting, the exact last deal, worlds, habits, search, and tables of what a lead is worth.

Strategy files import it by these names; it imports the engine and the game, and plays nothing itself. In comes a view of
the table; out comes a card, or the worth of each.
"""
