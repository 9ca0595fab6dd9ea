"""Pure functions of numbers and arrays: intervals on game pairs, sequential tests, ratings, equilibria, sample sizes.

Imports nothing of the house but each other, and never a file or a record. In come counts of pairs; out come estimates with
intervals.
"""
