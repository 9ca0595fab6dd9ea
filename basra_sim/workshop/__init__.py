"""What plays in order to learn: checks of a strategy, the ladder, tuning, weighing positions and games, regret, benchmarks.

It imports runs, workers, players and skill; shuffles and reports are other rooms. In come strategies, positions or games;
out come findings, rungs, better parameters and what each card was worth.
"""
