"""The version of the program, for all that writes it down. Imports nothing."""

__version__ = "0.1.0"
