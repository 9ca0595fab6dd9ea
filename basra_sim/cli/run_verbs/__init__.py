"""Verbs that play or take up runs: run, resume, extend, verify, runs, plan, bench.

Each reads options, calls one room of the library and prints; they share a bar, an outcome and options, and import no other group.
In come words of the command line; out come run folders, tables and exit codes.
"""
