"""The battery of tests: what is counted of decks, what each test measures, how it is judged, and what it names.

Imports laws and generators, never a log or a file. In come decks; out come judged rows, effects and culprits.
"""
