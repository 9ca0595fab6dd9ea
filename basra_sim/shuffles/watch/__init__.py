"""Watching a stream of decks with evidence that may be looked at after every one.

Imports laws, orders, logs and the battery's loops and measures. In comes a stream; out come lines and an alarm.
"""
