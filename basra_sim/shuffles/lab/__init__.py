"""What the other rooms serve for: comparing shuffles, what a shuffle does to Basra, calibration, bundled samples.

Imports all rooms of the shuffle lab, and runs' workers to play. In come sources; out come pages, tables and samples.
"""
