"""Lines folded to a width, as the shuffle lab prints everything; imports nothing of it, so that short answers come fast."""

from __future__ import annotations

from textwrap import TextWrapper

from rich.console import Console
from rich.text import Text


def fold(line: str, width: int) -> list[str]:
    """A line in parts of at most `width` letters, the later ones two further in; numbers keep their percent sign."""
    bare = line.lstrip(" ")
    indent = " " * (len(line) - len(bare))
    wrapper = TextWrapper(
        width=max(30, width - 1), initial_indent=indent, subsequent_indent=indent + "  ", break_on_hyphens=False,
        break_long_words=False,
    )  # fmt: skip
    return [part.replace("\u00a0", " ") for part in wrapper.wrap(bare.replace(" %", "\u00a0%"))] or [""]


def say(console: Console, *lines: str) -> None:
    """Print lines folded to the width of the console, the later parts of each a little further in."""
    for line in lines:
        for part in fold(line, console.width):
            console.print(Text(part), soft_wrap=True)
