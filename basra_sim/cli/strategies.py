"""`basra-sim strategies`: list, show, write and check strategies. Reads options, calls the library, prints."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from ..checks import Report
    from ..players import Player

FORMATS = click.Choice(["table", "json"])
folders_option = click.option(
    "--strategies", "folders", multiple=True, metavar="DIR", help="A folder with more strategies; may be repeated."
)
form_option = click.option("--format", "form", type=FORMATS, default="table", show_default=True, help="What is printed.")


@click.group()
def strategies() -> None:
    """List, show, write and check strategies."""


@strategies.command("list", short_help="List every strategy that can be named.")
@folders_option
@form_option
def list_command(folders: tuple[str, ...], form: str) -> None:
    """List every strategy that can be named, and where it comes from.

    Searched are the folders given, those of BASRA_STRATEGIES, the built-in ones and installed packages, in this order; the
    first found wins. A file that fails to load is listed as broken, with the reason.
    """
    from ..catalogue import catalogue

    entries = catalogue(folders)
    if form == "json":
        _print_json([entry.to_dict() for entry in entries])
        return
    table = _table("name", "flags", "from", "what it does")
    for entry in entries:
        name = ", ".join([entry.name, *entry.aliases])
        text = f"broken: {entry.trouble}" if entry.trouble else entry.strategy.card.summary if entry.strategy else ""
        table.add_row(name, ", ".join(entry.flags), entry.place.where, text)
    _print(table)


@strategies.command("show", short_help="Show the card of a strategy and its parameters.")
@click.argument("spec", metavar="NAME")
@folders_option
@form_option
def show_command(spec: str, folders: tuple[str, ...], form: str) -> None:
    """Show the card of a strategy: what it does, its parameters, its file, and whether it plays compiled.

    NAME may be a name, a path to a FILE.py, or either with :key=value,key=value.
    """
    from ..players import prepare
    from ..registry import load

    player = prepare(load(spec, folders))
    if form == "json":
        _print_json(_card(player))
    else:
        _show(player)


@strategies.command("new", short_help="Write a commented strategy file that plays.")
@click.argument("name")
@click.option("--dir", "folder", default=".", show_default=True, metavar="DIR", help="The folder to write into.")
def new_command(name: str, folder: str) -> None:
    """Write NAME.py, a commented strategy that plays, to be changed into your own."""
    from ..template import write_strategy

    path = write_strategy(name, Path(folder))
    shown = path if path.is_absolute() else Path(".") / path
    here = f"./{shown}" if not path.is_absolute() and not str(shown).startswith("..") else str(shown)
    click.echo(f"Wrote {here}. Now:")
    click.echo(f"  basra-sim run {_quoted(here)} greedy --games 2000")
    click.echo(f"  basra-sim strategies check {_quoted(here)}")


@strategies.command("check", short_help="Play a strategy in every way that may show a fault.")
@click.argument("spec", metavar="STRATEGY")
@folders_option
@form_option
@click.option("-n", "--games", type=click.IntRange(min=2), default=100, show_default=True, help="Games per preset and opponent.")
@click.option("-s", "--seed", type=click.IntRange(0, (1 << 64) - 1), default=1, show_default=True, help="Seed of all packs.")
@click.option(
    "--seconds",
    type=click.FloatRange(min=0, min_open=True),
    default=20.0,
    show_default=True,
    help="No check takes much longer; a slow strategy is checked on fewer games, and that is said.",
)
def check_command(spec: str, folders: tuple[str, ...], form: str, games: int, seed: int, seconds: float) -> int:
    """Play a strategy in every way that may show a fault, and say what was found.

    \b
    legal       every card is one of the hand, under every preset
    repeatable  same seed, same plays, whatever was played before, in another process too
    blind       no play changes when the cards that it cannot see are reshuffled
    modes       compiled and interpreted give the same games
    speed       time a play

    The exit code is 3 if the strategy is at fault.
    """
    from ..checks import check
    from ..errors import STRATEGY_FAULT
    from ..registry import load

    report = check(load(spec, folders), games=games, seed=seed, seconds=seconds)
    if form == "json":
        _print_json(report.to_dict())
    else:
        _print_report(report)
    return STRATEGY_FAULT if report.at_fault else 0


# ------------------------------------------------------------------------------------------------ what is printed
def _card(player: Player) -> dict[str, Any]:
    from dataclasses import asdict

    strategy = player.strategy
    card = asdict(strategy.card)
    card["parameters"] = {
        name: {**parameter._asdict(), "value": getattr(strategy.parameters, name)}
        for name, parameter in strategy.card.parameters.items()
    }
    return {**strategy.describe(), **card, "mode": player.mode, "reason": player.reason}


def _show(player: Player) -> None:
    strategy, card = player.strategy, player.strategy.card
    _print(f"{strategy.name}: {card.summary}" if card.summary else strategy.name)
    if card.description:
        _print(f"\n{_wrapped(card.description)}")
    rows = [
        ("aliases", ", ".join(card.aliases) or "none"),
        ("flags", ", ".join(flag for flag, is_so in _flags(player).items() if is_so) or "none"),
        ("source", card.source or "not given"),
        ("file", str(strategy.path)),
        ("sha256", strategy.sha256),
        ("plays", player.mode + (f": {player.reason}" if player.reason else "")),
    ]
    table = _table("", "", header=False)
    for row in rows:
        table.add_row(*row)
    _print("")
    _print(table)
    _print("")
    if not card.parameters:
        _print("It has no parameters.")
        return
    table = _table("parameter", "value", "default", "range", "meaning")
    for name, parameter in card.parameters.items():
        value = getattr(strategy.parameters, name)
        table.add_row(name, f"{value}", f"{parameter.default}", f"{parameter.low} to {parameter.high}", parameter.meaning)
    _print(table)
    example = next(iter(card.parameters))
    _print(f"\nSet them as {strategy.spec.partition(':')[0]}:{example}={card.parameters[example].default} or with :@FILE.toml")


def _flags(player: Player) -> dict[str, bool]:
    card = player.strategy.card
    return {"stochastic": card.stochastic, "cheats": card.cheats, "object": player.strategy.is_object}


def _print_report(report: Report) -> None:
    table = _table("", "", "", header=False)
    for finding in report.findings:
        table.add_row(finding.verdict.upper() if finding.verdict == "fault" else finding.verdict, finding.check, finding.text)
    _print(f"Checks of {report.strategy.name}")
    _print(table)
    faults = [finding for finding in report.findings if finding.verdict == "fault"]
    notes = [finding for finding in report.findings if finding.verdict == "note"]
    verdict = "The strategy is at fault." if faults else "No fault was found"
    if not faults:
        verdict += f"; {len(notes)} thing{'s' if len(notes) > 1 else ''} to note." if notes else "."
    _print(verdict)


def _quoted(path: str) -> str:
    import shlex

    return shlex.quote(path)


def _wrapped(text: str) -> str:
    import textwrap

    return textwrap.fill(text, 78)


def _table(*columns: str, header: bool = True) -> Any:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold", show_header=header)
    for number, column in enumerate(columns):
        table.add_column(column, no_wrap=number < len(columns) - 1 and column != "from", overflow="fold")
    return table


def _print(what: Any) -> None:
    from .console import console

    console().print(what, soft_wrap=isinstance(what, str))


def _print_json(what: Any) -> None:
    import json

    click.echo(json.dumps(what, indent=2))
