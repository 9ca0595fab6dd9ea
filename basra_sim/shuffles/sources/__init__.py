"""Decks that are not in a log: from a program, a Python function or the packs of a run; and decks written as text.

Imports logs and generators. In come commands, functions and folders; out come decks with what went wrong said.
"""
