"""`basra-sim strategies`: list, show, write and check strategies. Reads options, calls the library, prints."""

from __future__ import annotations

import shlex
import textwrap
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from basra_sim.cli.console import plain_table, print_json, show
from basra_sim.cli.shared_options import folders_option, form_option, set_option
from basra_sim.errors import STRATEGY_FAULT

if TYPE_CHECKING:
    from basra_sim.game.rules import RuleSet
    from basra_sim.players.player import Player
    from basra_sim.workshop.strategy_checks import Report

# the library is imported when a verb is called: --help is click alone


@click.group()
def strategies() -> None:
    """List, show, write and check strategies."""


@strategies.command("list", short_help="List every strategy that can be named.")
@folders_option
@form_option("table", "json")
def list_command(folders: tuple[str, ...], form: str) -> None:
    """List every strategy that can be named, and where it comes from.

    Searched are the folders given, those of BASRA_STRATEGIES, the built-in ones and installed packages, in this order; the
    first found wins. A file that fails to load is listed as broken, with the reason.
    """
    from basra_sim.players.catalogue import catalogue

    entries = catalogue(folders)
    if form == "json":
        print_json([entry.to_dict() for entry in entries])
        return
    table = plain_table("name", "flags", "from", "what it does", wrapping=2)
    for entry in entries:
        name = ", ".join([entry.name, *entry.aliases])
        text = f"broken: {entry.trouble}" if entry.trouble else entry.strategy.card.summary if entry.strategy else ""
        table.add_row(name, ", ".join(entry.flags), entry.place.where, text)
    show(table)


@strategies.command("show", short_help="Show the card of a strategy and its parameters.")
@click.argument("spec", metavar="NAME")
@click.option("--rules", default="egyptian-v2", show_default=True, metavar="PRESET|FILE.toml",
              help="The rule set whose parameters are shown.")
@set_option
@folders_option
@form_option("table", "json")
def show_command(spec: str, rules: str, set_: tuple[str, ...], folders: tuple[str, ...], form: str) -> None:
    """Show the card of a strategy: what it does, its parameters, its file, and whether it plays compiled.

    NAME may be a name, a path to a FILE.py, or either with :key=value,key=value. A strategy may have parameters of its own
    for a rule set; those that it plays with under --rules are shown, and what it has to make do with there.
    """
    from basra_sim.game.rule_files import load_rules
    from basra_sim.players.loading import load
    from basra_sim.players.player import prepare

    rule_set = load_rules(rules, set_)
    player = prepare(load(spec, folders)).under(rule_set)
    if form == "json":
        print_json(_card(player, rule_set))
    else:
        _show(player, rule_set)


@strategies.command("new", short_help="Write a commented strategy file that plays.")
@click.argument("name")
@click.option("--dir", "folder", default=".", show_default=True, metavar="DIR", help="The folder to write into.")
def new_command(name: str, folder: str) -> None:
    """Write NAME.py, a commented strategy that plays, to be changed into your own."""
    from basra_sim.players.template import write_strategy

    path = write_strategy(name, Path(folder))
    shown = path if path.is_absolute() else Path(".") / path
    here = f"./{shown}" if not path.is_absolute() and not str(shown).startswith("..") else str(shown)
    click.echo(f"Wrote {here}. Now:")
    click.echo(f"  basra-sim run {shlex.quote(here)} greedy --games 2000")
    click.echo(f"  basra-sim strategies check {shlex.quote(here)}")


@strategies.command("check", short_help="Play a strategy in every way that may show a fault.")
@click.argument("spec", metavar="STRATEGY")
@folders_option
@form_option("table", "json")
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
    from basra_sim.players.loading import load
    from basra_sim.workshop.strategy_checks import check

    report = check(load(spec, folders), games=games, seed=seed, seconds=seconds)
    if form == "json":
        print_json(report.to_dict())
    else:
        _print_report(report)
    return STRATEGY_FAULT if report.at_fault else 0


# ------------------------------------------------------------------------------------------------ what is printed
def _made_for(player: Player, rules: RuleSet) -> tuple[list[str], list[str]]:
    """The rule sets that a strategy has parameters for, and what it has to make do with under these rules."""
    from basra_sim.runs.preparing import fallback_notes

    return [section.name for section in player.strategy.sections], fallback_notes([player.strategy], rules)


def _card(player: Player, rules: RuleSet) -> dict[str, Any]:
    strategy = player.strategy
    card = asdict(strategy.card)
    card["parameters"] = {
        name: {**parameter._asdict(), "value": getattr(strategy.parameters, name)}
        for name, parameter in strategy.card.parameters.items()
    }
    made_for, notes = _made_for(player, rules)
    more = {"reproducible": not strategy.by_the_clock, "rules": rules.name, "parameters_made_for": made_for, "notes": notes}
    return {**strategy.describe(), **card, "mode": player.mode, "reason": player.reason, **more}


def _show(player: Player, rules: RuleSet) -> None:
    strategy, card = player.strategy, player.strategy.card
    show(f"{strategy.name}: {card.summary}" if card.summary else strategy.name)
    if card.description:
        show(f"\n{textwrap.fill(card.description, 78)}")
    rows = [
        ("aliases", ", ".join(card.aliases) or "none"),
        ("flags", ", ".join(flag for flag, is_so in _flags(player).items() if is_so) or "none"),
        ("repeats", _repeats(player)),
        ("source", card.source or "not given"),
        ("file", str(strategy.path)),
        ("sha256", strategy.sha256),
        ("plays", player.mode + (f": {player.reason}" if player.reason else "")),
    ]
    table = plain_table("", "", header=False)
    for row in rows:
        table.add_row(*row)
    show("")
    show(table)
    show("")
    made_for, notes = _made_for(player, rules)
    for note in notes:
        show(f"note: {note}")
    if not card.parameters:
        show("It has no parameters.")
        return
    if made_for:
        show(f"It has parameters for {', '.join(made_for)}. Those under {rules.name}:")
    table = plain_table("parameter", "value", "default", "range", "meaning")
    for name, parameter in card.parameters.items():
        value = getattr(strategy.parameters, name)
        table.add_row(name, f"{value}", f"{parameter.default}", f"{parameter.low} to {parameter.high}", parameter.meaning)
    show(table)
    example = next(iter(card.parameters))
    show(f"\nSet them as {strategy.spec.partition(':')[0]}:{example}={card.parameters[example].default} or with :@FILE.toml")


def _repeats(player: Player) -> str:
    """Whether the same seed gives the same games again."""
    strategy, timed = player.strategy, player.strategy.card.timed
    if strategy.by_the_clock:
        value = getattr(strategy.parameters, timed)
        return f"NOT reproducible: it thinks by the clock ({timed}={value}), and its plays depend on the machine"
    return "the same seed gives the same plays" + (f" while {timed} is 0" if timed else "")


def _flags(player: Player) -> dict[str, bool]:
    card = player.strategy.card
    return {"stochastic": card.stochastic, "cheats": card.cheats, "object": player.strategy.is_object}


def _print_report(report: Report) -> None:
    table = plain_table("", "", "", header=False)
    for finding in report.findings:
        table.add_row(finding.verdict.upper() if finding.verdict == "fault" else finding.verdict, finding.check, finding.text)
    show(f"Checks of {report.strategy.name}")
    show(table)
    faults = [finding for finding in report.findings if finding.verdict == "fault"]
    notes = [finding for finding in report.findings if finding.verdict == "note"]
    verdict = "The strategy is at fault." if faults else "No fault was found"
    if not faults:
        verdict += f"; {len(notes)} thing{'s' if len(notes) > 1 else ''} to note." if notes else "."
    show(verdict)
