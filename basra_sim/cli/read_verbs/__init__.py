"""Verbs that read runs and games: analyze, compare, ratings, report, show, replay.

Each reads options, calls the analysis, the reports or the replay, and prints; none imports another or another group. In come
run folders; out come tables, pages and games ply by ply.
"""
