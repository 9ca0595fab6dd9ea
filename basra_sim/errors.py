"""Errors that a user can mend, with their exit codes; one line each, never a traceback."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

# The one table of exit codes (docs/exit-codes.md): shuffle verdicts have their own meaning for 1 and 3.
DONE, FAILED, BAD_INPUT, STRATEGY_FAULT, INTERRUPTED = 0, 1, 2, 3, 130


class BasraError(Exception):
    """Something failed; `str(error)` is one line that says what, where and what to do."""

    exit_code = FAILED


class BadInput(BasraError):
    """The user asked for something that cannot be done as asked."""

    exit_code = BAD_INPUT


class UnfitLibrary(BasraError):
    """A library that the program needs is of a version that it was not tried with."""


class StrategyFault(BasraError):
    """A strategy raised, returned no card or a card that it does not hold."""

    exit_code = STRATEGY_FAULT


def nearest(word: str, known: list[str]) -> str:
    """A hint such as "did you mean greedy, random?" for a misspelt word, or "" when nothing is near."""
    import difflib  # for errors alone, and the command line imports this file first

    close = difflib.get_close_matches(word, known, n=3, cutoff=0.5)
    return f"did you mean {', '.join(close)}?" if close else ""


def one_line(error: BaseException, path: Path | None = None) -> str:
    """An exception as "NameError: name 'x' is not defined (line 12)", the line of the strategy's own file."""
    import traceback  # for errors alone, as above

    text = traceback.format_exception_only(error)[-1].strip().splitlines()[0]
    own = str(path.resolve()) if path else ""
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if path and frame.filename == own]
    if isinstance(error, SyntaxError) and error.filename == own:
        lines = [error.lineno]
    return f"{text} (line {lines[-1]})" if lines and lines[-1] else text
