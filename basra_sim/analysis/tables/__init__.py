"""Tables from records: the summary of a run, the field as a whole, and each analysis as a frame.

Imports records, the game's rules and the statistics; no terminal and no plot. In come counters of runs; out come
dictionaries and frames with one row a group.
"""
