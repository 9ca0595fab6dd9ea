"""Watching a stream of decks with evidence that may be looked at after every one.

Imports laws, the battery's measures and the verdict's sources. In comes a stream; out come lines and an alarm.
"""
