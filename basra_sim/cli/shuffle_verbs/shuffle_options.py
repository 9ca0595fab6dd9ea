"""What the verbs of the shuffle lab share: options, and how they print lines and JSON."""

from __future__ import annotations

from typing import Any

import click

# exit codes of a verdict, where 2 is bad input
EXITS = {"found": 1, "weak": 0, "none found": 0, "too few decks": 3}
size_option = click.option("--deck-size", default=52, show_default=True, type=click.IntRange(2, 52), help="Cards in a deck.")
format_option = click.option("--format", "form", metavar="FORMAT", help="Force the format of a log.")
map_option = click.option("--map", "mapping", metavar="ORDER", help="How numbers become cards, such as CDHS-A2K.")
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


def print_lines(*lines: str) -> None:
    """Lines of text, folded to the width of the terminal."""
    # as in every verb, imports stand inside: `--help` must cost click alone
    from basra_sim.cli.console import console
    from basra_sim.shuffles.verdict.folded_lines import say

    say(console(), *lines)


def print_json(value: Any, ensure_ascii: bool = True) -> None:
    """A value as JSON."""
    import json

    click.echo(json.dumps(value, indent=2, ensure_ascii=ensure_ascii))
