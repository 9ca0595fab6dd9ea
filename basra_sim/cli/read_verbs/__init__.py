"""Verbs that read runs and games: analyze, compare, ratings, report, show, replay."""
