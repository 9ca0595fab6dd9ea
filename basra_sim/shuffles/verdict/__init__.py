"""One source tested from beginning to end, and the verdict as sentences, terminal text and files.

Imports the battery, sources, logs, plots and pages. In comes a source of decks; out comes a report in its fixed order.
"""
