"""A whole run: what is asked, which matches are played and how far, when to stop, and runs taken up again, extended or verified.

It imports workers, players, records and the statistics that stopping needs; nothing below it knows that runs exist. In come
settings or a run's folder; out come counters, digests and the files of the folder.
"""
