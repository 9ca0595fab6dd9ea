"""Deck logs in every form that somebody has: bytes to lines, lines to decks, with everything odd counted and nothing skipped.

Imports the orders of a pack and the engine's policy for the fast path. In come files and pipes; out come blocks of decks
and findings.
"""
