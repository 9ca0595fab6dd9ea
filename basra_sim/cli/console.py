"""The one rich Console of every command: no colour when piped or NO_COLOR, ASCII where the terminal is not UTF-8.

Imports nothing of the package, and rich when something is printed with it: any verb may import this.
"""

from __future__ import annotations

import codecs
import contextlib
import json
import os
import sys
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

PIPED_WIDTH = 80

# What stands for a character that the stream cannot write. Texts that must keep their width use ASCII themselves.
_PLAIN = {
    "±": "+/-", "–": "-", "—": "-", "−": "-", "×": "x", "·": "*", "…": "...", "≤": "<=", "≥": ">=", "≠": "!=",
    "≈": "~", "→": "->", "←": "<-", "‘": "'", "’": "'", "“": '"', "”": '"', "•": "*", "½": "1/2", "\u00a0": " ",
    "\u202f": " ", "√": "sqrt", "σ": "sd", "♣": "c", "♦": "d", "♥": "h", "♠": "s", "✓": "ok", "✗": "x",
}  # fmt: skip
_HANDLER = "basra-plain"


def _plain(error: UnicodeError) -> tuple[str, int]:
    """A codec error handler: a near ASCII spelling where there is one, else a question mark."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(_PLAIN.get(c, "?") for c in error.object[error.start : error.end]), error.end


codecs.register_error(_HANDLER, _plain)


def _wants_ascii() -> bool:
    """`LC_ALL=C` asks for ASCII, although Python then writes UTF-8 by itself (PEP 540)."""
    explicit = os.environ.get("PYTHONIOENCODING") or os.environ.get("PYTHONUTF8") == "1"
    return not explicit and os.environ.get("LC_ALL") in ("C", "POSIX")


def make_streams_safe() -> None:
    """Let stdout and stderr write any text without failing, whatever their encoding. May be called again and again."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is None:
            continue
        encoding = (stream.encoding or "ascii").lower()
        if encoding.startswith("utf") and _wants_ascii():
            reconfigure(encoding="ascii", errors=_HANDLER)
        elif not encoding.startswith("utf") and stream.errors != _HANDLER:
            reconfigure(errors=_HANDLER)


def echo(text: str, *, err: bool = False, nl: bool = True) -> None:
    """Print plain text by the policies of this module: click's own echo would write UTF-8 to an ASCII stream."""
    make_streams_safe()
    click.echo(text, file=sys.stderr if err else sys.stdout, nl=nl)


def print_json(what: Any) -> None:
    """Print plain values as JSON, indented by two."""
    echo(json.dumps(what, indent=2))


def hush_stdout() -> None:
    """Let what is still written to stdout vanish."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def console(*, stderr: bool = False, width: int | None = None) -> Console:
    """A Console on stdout (or stderr) with the policies that all commands share.

    No escape codes when piped, with NO_COLOR or on a dumb terminal; boxes in ASCII when the stream is not UTF-8; 80
    columns when piped, unless COLUMNS says otherwise. Markup, emoji and highlighting are off: a strategy may be called
    "[red]". Wrap styled text in `rich.text.Text` or give `style=`.
    """
    from rich.console import Console

    class Piped(Console):
        def on_broken_pipe(self) -> None:
            raise  # rich would exit with code 1; the entry point knows what to do

    make_streams_safe()
    options: dict[str, Any] = {"highlight": False, "markup": False, "emoji": False}
    if os.environ.get("NO_COLOR"):
        options["color_system"] = None
    result = Piped(stderr=stderr, width=width, **options)
    if width is None and not result.is_terminal and not os.environ.get("COLUMNS", "").isdigit():
        result.width = PIPED_WIDTH
    return result


def plain_table(*columns: str, header: bool = True, wrapping: int = 1) -> Table:
    """An empty table without lines, whose last `wrapping` columns may break."""
    from rich.table import Table

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold", show_header=header)
    for number, column in enumerate(columns):
        table.add_column(column, no_wrap=number < len(columns) - wrapping, overflow="fold")
    return table


def show(what: Any) -> None:
    """Print a line, which is not broken, or a table."""
    console().print(what, soft_wrap=isinstance(what, str))
