"""What a run leaves behind: the rows and counters declared once, their digest, and the files of a run's folder.

It imports errors alone and knows no engine and no statistics; the engine takes its row layouts from here, everybody else
reads runs through it. In come rows, counters and plain dictionaries; out come JSON, CSV and Parquet files, and the same
read back.
"""
