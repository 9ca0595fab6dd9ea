"""The game on the table: cards, the rules and their options, what a card takes and why, packs, games as text, and the judge.

It imports nothing of the house but errors; everything above may import it, save that the judge (judge, judge_captures)
never sees what it judges. In come rules, packs and cards played; out come captures, points and sentences.
"""
