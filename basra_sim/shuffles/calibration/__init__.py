"""What keeps the tests honest: false alarms and power of each, logs of known public cases, and the tables that are shipped.

Imports the battery, the generators and the verdict. In come a seed and minutes; out come pages, sample logs and tables.
"""
