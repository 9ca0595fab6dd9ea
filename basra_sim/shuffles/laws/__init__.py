"""Exact laws of permutation statistics, riffles and hands under a perfect shuffle, and tails that stay exact far out.

Imports errors and the shipped tables alone; knows no log and no test. In come sizes and values; out come probabilities.
"""
