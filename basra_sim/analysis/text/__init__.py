"""Summaries and tables as text for a terminal, with rich, as CSV or as JSON.

Imports tables and statistics for their words and numbers, and computes nothing. In come summaries and frames; out come
strings.
"""
