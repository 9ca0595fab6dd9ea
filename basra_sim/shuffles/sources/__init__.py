"""Decks from wherever the user says: a log, a built-in shuffle, a program, a Python function, the packs of a run.

Imports logs, generators and run folders; decks are written as text here too. In come commands, functions and folders; out come
decks, with what went wrong said.
"""
