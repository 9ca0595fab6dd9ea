"""`basra-sim rules`: list, show and explain rule sets; the options --rules and --set that other verbs share."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from basra_sim.game.reasons import Explanation
    from basra_sim.game.rules import RuleSet

F = TypeVar("F", bound=Callable[..., Any])

set_option = click.option(
    "--set", "settings", multiple=True, metavar="OPTION=VALUE", help="Change one rule option; may be given many times."
)


def rule_options(command: F) -> F:
    """Add --rules and --set, as the arguments `rules_spec` and `settings` for `basra_sim.game.rules.load_rules`."""
    spec = click.option(
        "--rules",
        "rules_spec",
        default="egyptian-v2",
        show_default=True,
        metavar="PRESET|FILE",
        help="A preset (see `basra-sim rules list`) or a .toml file.",
    )
    return spec(set_option(command))


@click.group()
def rules() -> None:
    """List, show and explain rule sets."""


@rules.command("list")
@click.option(
    "--format", "form", type=click.Choice(["table", "json"]), default="table", show_default=True, help="What is printed."
)
def list_command(form: str) -> None:
    """List the presets and where each differs from the default.

    The options themselves are in `basra-sim rules show egyptian-v2`.
    """
    from basra_sim.game.options import value_text
    from basra_sim.game.rules import PRESET_SUMMARIES, PRESETS

    default = PRESETS["egyptian-v2"]
    if form == "json":
        _print_json([{"preset": n, "summary": PRESET_SUMMARIES[n], "options": r.to_dict()} for n, r in PRESETS.items()])
        return
    table = _table("preset", "what it is, and what differs from egyptian-v2")
    for name, preset in PRESETS.items():
        changes = [f"{option}={value_text(value)}" for option, value in preset.differences(default).items()]
        table.add_row(name, "\n".join([PRESET_SUMMARIES[name], *(f"  {change}" for change in changes)]))
    _print(table)


@rules.command("show")
@click.argument("rules_spec", metavar="PRESET|FILE")
@set_option
@click.option(
    "--format", "form", type=click.Choice(["table", "json", "toml"]), default="table", show_default=True, help="What is printed."
)
def show_command(rules_spec: str, settings: tuple[str, ...], form: str) -> None:
    """Show every option of a rule set: its value, what it means, where it differs from egyptian-v2.

    With --format toml it prints a file that can be changed and given back to --rules.
    """
    from basra_sim.game.rule_files import load_rules

    chosen = load_rules(rules_spec, settings)
    if form == "json":
        _print_json({"name": chosen.name, "digest": chosen.digest(), "options": chosen.to_dict()})
    elif form == "toml":
        click.echo(_toml(chosen), nl=False)
    else:
        _show(chosen)


@rules.command("explain")
@click.argument("floor")
@click.argument("card")
@rule_options
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True, help="What is printed.")
def explain_command(floor: str, card: str, rules_spec: str, settings: tuple[str, ...], form: str) -> None:
    """Explain one play: what CARD takes from FLOOR, in which groups, why, and what it scores.

    FLOOR is the cards on the table in one argument, such as "Ac 2d 3h 5s", or "" when it is empty. A card is a rank
    (A 2-9 T J Q K, or 10) and a suit (c d h s).
    """
    from basra_sim.game.cards import parse_card, parse_cards, to_set
    from basra_sim.game.reasons import explain
    from basra_sim.game.rule_files import load_rules

    result = explain(load_rules(rules_spec, settings), to_set(parse_cards(floor)), parse_card(card))
    if form == "json":
        _print_json(result.to_dict())
    else:
        _print(_explanation(result))


def _explanation(result: Explanation) -> str:
    from basra_sim.game.captures import sweeps
    from basra_sim.game.cards import card_text, set_text
    from basra_sim.game.phrases import count_of
    from basra_sim.game.reasons import group_text

    kind = result.kind.text.replace("_", " ")
    lines = [
        f"rules   {result.rules.name}",
        f"floor   {set_text(result.floor) or '(empty)'}",
        f"played  {card_text(result.card)}",
        "",
        f"takes   {set_text(result.taken) or 'nothing'}",
    ]
    if not sweeps(result.rules, result.card):
        lines += [f"  group {set_text(group)}: {group_text(group, result.card)}" for group in result.groups]
    lines += [
        f"leaves  {set_text(result.left) or '(an empty floor)'}",
        f"kind    {kind}",
        f"scores  {count_of(result.points, 'point')} at once",
        "",
        "why",
        *(_hanging(sentence) for sentence in result.why),
    ]
    return "\n".join(lines)


def _hanging(sentence: str) -> str:
    import textwrap

    return textwrap.fill(sentence, 78, initial_indent="- ", subsequent_indent="  ", break_on_hyphens=False)


def _show(chosen: RuleSet) -> None:
    from basra_sim.game.options import value_text
    from basra_sim.game.phrases import count_of
    from basra_sim.game.rules import OPTIONS, PRESETS

    default = PRESETS["egyptian-v2"]
    differs = chosen.differences(default)
    table = _table("", "option", "value", "what it means")
    for name, option in OPTIONS.items():
        value = getattr(chosen, name)
        note = f" (egyptian-v2: {value_text(getattr(default, name))})" if name in differs else ""
        text = value_text(value).replace(",", ", ")
        table.add_row("*" if name in differs else "", name, text, option.means(value) + note)
    _print(f"Rule set {chosen.name}")
    if differs:
        _print(f"* differs from egyptian-v2: {count_of(len(differs), 'option')}")
    _print("")
    _print(table)
    _print("")
    _print("A value is changed with --set OPTION=VALUE. The values of each option:")
    for name, option in OPTIONS.items():
        _print(_hanging(f"{name}: {option.allowed}"))


def _toml(chosen: RuleSet) -> str:
    from basra_sim.game.rules import OPTIONS

    lines = [f"# {chosen.name}"]
    for name, option in OPTIONS.items():
        value = getattr(chosen, name)
        if name == "card_points":
            continue
        text = str(value).lower() if isinstance(value, (bool, int)) else f'"{value}"'
        lines.append(f"{name} = {text}  # {option.allowed}")
    lines += ["", "[card_points]  # " + OPTIONS["card_points"].meaning]
    lines += [f'"{key}" = {value}' for key, value in chosen.card_points.items()]
    return "\n".join(lines) + "\n"


def _table(*columns: str) -> Any:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for number, column in enumerate(columns):
        table.add_column(column, no_wrap=number < len(columns) - 2, overflow="fold")
    return table


def _print(what: Any) -> None:
    from basra_sim.cli.console import console

    console().print(what, soft_wrap=isinstance(what, str))


def _print_json(what: Any) -> None:
    import json

    click.echo(json.dumps(what, indent=2))
