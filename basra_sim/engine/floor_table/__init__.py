"""The floor as an automaton: what a row of its table says, how a rule set's table is built, and where it is kept.

Imports the layouts, the policy of compiling and the game's rules; the readable captures judge it in the tests. In comes a
rule set; out comes a table of rows, and what an entry of it means.
"""
