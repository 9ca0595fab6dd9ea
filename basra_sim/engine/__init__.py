"""The compiled game: streams and the shuffle, the floor as an automaton, what a side sees, memory, and the kernels that play.

It imports the game, the row layouts of records and its own room jit, where alone numba is known; it never sees a file of a
run, a strategy's name or a statistic. In come a seed, a rule set and two addresses of strategies; out come rows and
counters.
"""
