"""Verbs to learn from: strategies, rules, explain, ladder, tune.

Each reads options, calls game, players or workshop, and prints; none imports another or another group. In come strategies, rules
and positions; out come cards, checks, rungs and better parameters.
"""
