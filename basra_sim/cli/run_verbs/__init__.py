"""Verbs that play or take up runs: run, resume, extend, verify, runs, plan, bench."""
