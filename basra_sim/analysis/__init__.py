"""What the records of a run say, in three rooms: statistics (pure functions), tables (from records) and text (for a terminal).

It imports records and the game's words, never the engine, players or runs. In come counters and rows; out come estimates
with intervals, frames and printed tables.
"""
