"""`basra-sim shuffle list|gen`: the built-in shuffles."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from .shuffle_options import json_option, print_json, print_lines, size_option


@click.command("list")
@json_option
def list_command(as_json: bool) -> None:
    """List the built-in shuffles, each with its known flaw.

    Parameters stand after a colon: riffle:7, overhand:20,0.2, lcg:borland,ms.
    """
    from basra_sim.shuffles.generators.shuffle_list import SEED_POLICIES, algorithms

    if as_json:
        print_json([vars(a) for a in algorithms().values()])
        return
    for a in algorithms().values():
        unseen = "" if a.found or a.name in ("fisher-yates", "engine") else "; tests of decks alone seldom see it"
        print_lines(a.usage, f"  {a.what}", f"  flaw: {a.flaw}{unseen}")
    print_lines("", "SEEDS", *(f"  {name}: {words}" for name, words in SEED_POLICIES.items()))


@click.command()
@click.argument("algo")
@click.option("-n", "--decks", default=1000, show_default=True, type=click.IntRange(1), help="How many decks.")
@click.option("--seed", default=0, show_default=True, type=click.IntRange(0), help="Same seed, same bytes.")
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="File to write (default: print).")
@click.option("--start", default="new", show_default=True, metavar="new|prev|ORDER", help="The order before each shuffle.")
@size_option
def gen(algo: str, decks: int, seed: int, output: Path | None, start: str, deck_size: int) -> None:
    """Print decks of a built-in shuffle, one a line, first card first.

    \b
    basra-sim shuffle gen naive -n 500 --seed 1 -o naive.txt
    basra-sim shuffle gen riffle:3 -n 300 --start prev | basra-sim shuffle test - --ref prev
    """
    from basra_sim.shuffles.generators.built_in_shuffles import Generator
    from basra_sim.shuffles.sources.deck_text import write_decks

    generator = Generator(algo, seed, deck_size, start)
    stream: Any = _opened(output) if output else sys.stdout.buffer
    try:
        write_decks(generator.chunks(decks), stream)
        stream.flush()
    finally:
        if output:
            stream.close()


def _opened(path: Path) -> Any:
    """A file to write. Raises BadInput when that cannot be."""
    from basra_sim.errors import BadInput

    try:
        return path.open("wb")
    except OSError as error:
        raise BadInput(f"cannot write {path}: {error.strerror}") from error
