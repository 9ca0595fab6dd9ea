"""`basra-sim shuffle seeds`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from .shuffle_options import json_option, print_json, print_lines

if TYPE_CHECKING:
    from basra_sim.shuffles.seeds.seed_search import Progress


@contextmanager
def _searching() -> Iterator[Progress | None]:
    """A callback that moves a bar on stderr; None where that is no terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    from basra_sim.cli.console import console

    columns = TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn()
    with Progress(*columns, console=console(stderr=True), transient=True) as bar:
        task = bar.add_task("searching", total=1.0)
        yield lambda share, words: bar.update(task, completed=share, description=words)


@click.command()
@click.argument("log", metavar="LOG|-")
@click.option("--prng", "generators", multiple=True, metavar="NAME",
              help="Only this generator (may be repeated); none: no search.")
@click.option("--seeds", default="usual", show_default=True, metavar="RANGE",
              help="usual, all, ms-of-day, small, unix or unix:DATE+-DAYS.")
@click.option("--start", metavar="ORDER",
              help="The order before the shuffle, such as SHDC-A2K (default: the usual ones are tried and counted).")
@click.option("--workers", type=click.IntRange(1), help="Threads (default: one a core).")
@click.option("--format", "form", help="Force the form of the log.")
@click.option("--map", "mapping", metavar="ORDER", help="What integers mean, such as CDHS-A2K.")
@click.option("--deck-size", default=52, show_default=True, type=click.IntRange(2, 52),
              help="Cards in a deck (seeds are searched for 52 only).")
@click.option("--strict", is_flag=True, help="Stop at the first bad deck.")
@json_option
@click.pass_context
def seeds(
    ctx: click.Context, log: str, generators: tuple[str, ...], form: str | None, mapping: str | None, deck_size: int,
    strict: bool, as_json: bool, **wanted: Any,
) -> None:  # fmt: skip
    """Audit the generator behind a log of your own: repeats, lags, and the seed itself where it can be found.

    Generators: java, borland, msvc, ansi, low, glibc, mt-modulo, mt-numpy, mt-python. Exit code 1 when something was
    found, 0 when not.

    \b
    basra-sim shuffle seeds decks.txt
    basra-sim shuffle seeds decks.txt --prng borland --seeds ms-of-day
    """
    from basra_sim.shuffles.logs import read_decks
    from basra_sim.shuffles.seeds.audit import audit
    from basra_sim.shuffles.seeds.audit_report import audit_lines

    source = read_decks(log, format=form, mapping=mapping, deck_size=deck_size, strict=strict)
    chosen = [name for name in generators if name != "none"] if generators else None
    with _searching() as progress:
        result = audit(source.chunks(), generators=chosen, faces_known=source.faces_known, progress=progress, **wanted)
    lines = audit_lines(result)
    if as_json:
        print_json({"conclusion": lines[0], "read": source.describe(), **result.as_dict()}, ensure_ascii=False)
    else:
        print_lines(*lines, "", "Read: " + "; ".join(source.describe()))
    ctx.exit(1 if result.found else 0)
