"""Chunks of a match played: by threads, in processes that can be killed, or on other machines; and what is counted of them.

It imports players, the engine and records, and knows nothing of forms, files of a run or statistics. In come a plan and
pairs to play; out come chunks of exact results in schedule order, whoever played them.
"""
