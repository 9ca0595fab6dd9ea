"""`basra-sim shuffle watch`."""

from __future__ import annotations

from typing import Any

import click

from .shuffle_options import format_option, map_option, print_lines, size_option


@click.command()
@click.argument("source", default="-")
@click.option("--ref", "reference", default="new", show_default=True, metavar="new[:ORDER]|none", help="The start order.")
@click.option("--alpha", default=0.001, show_default=True, type=click.FloatRange(1e-12, 0.5),
              help="Chance of an alarm, over a whole stream, when the shuffle is perfect.")
@click.option("--stop", is_flag=True, help="Stop at the alarm.")
@click.option("--every", type=click.IntRange(1), help="Report every so many decks [at each doubling].")
@size_option
@format_option
@map_option
@click.pass_context
def watch(ctx: click.Context, source: str, reference: str, alpha: float, stop: bool, every: int | None, **options: Any) -> None:
    """Watch a stream of decks (-, or a file); the evidence may be looked at, and the watch stopped, at any time.

    \b
    myapp --deal | basra-sim shuffle watch -
    basra-sim shuffle gen riffle:7 -n 100 | basra-sim shuffle watch - --stop

    Evidence of 1000:1 comes in at most 1 of 1000 whole streams of a perfect shuffle, however often one looks. Exit
    code 1 when the alarm was passed, 0 when not.
    """
    from basra_sim.shuffles.watch.watching import watch_source

    if reference.startswith("prev"):
        raise click.UsageError("--ref prev is not needed: the deck before is always looked at; write new, new:ORDER or none")
    alarm = watch_source(source, reference, alpha, stop, every, print_lines, **options)
    ctx.exit(1 if alarm else 0)
