"""The verbs of the shuffle lab: `basra-sim shuffle list|gen|test|compare|watch|game|plan|odds|mix|seeds|samples|calibrate`.

Each reads options, calls one room of the lab and prints; they share options, and import no other group. In come words of the
command line; out come verdicts, decks, tables and exit codes.
"""
