"""How a page is written, whatever stands in it: parts, the house style, HTML in one file, Markdown with pictures beside it.

It imports plots and nothing of runs, analyses or shuffles. In come sections of parts; out come text and files.
"""
