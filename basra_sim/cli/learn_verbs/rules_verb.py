"""`basra-sim rules`: list, show and explain rule sets."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

import click

from basra_sim.cli.console import plain_table, print_json, show
from basra_sim.cli.shared_options import form_option

if TYPE_CHECKING:
    from basra_sim.game.reasons import Explanation
    from basra_sim.game.rules import RuleSet

# `rules` names its rule set by an argument, or asks for it in words of its own; other verbs have those of shared_options.py
set_option = click.option(
    "--set", "settings", multiple=True, metavar="OPTION=VALUE", help="Change one rule option; may be given many times."
)
rules_option = click.option(
    "--rules", "rules_spec", default="egyptian-v2", show_default=True, metavar="PRESET|FILE",
    help="A preset (see `basra-sim rules list`) or a .toml file.",
)  # fmt: skip
# the library is imported when a verb is called: --help is click alone


@click.group()
def rules() -> None:
    """List, show and explain rule sets."""


@rules.command("list")
@form_option("table", "json")
def list_command(form: str) -> None:
    """List the presets and where each differs from the default.

    The options themselves are in `basra-sim rules show egyptian-v2`.
    """
    from basra_sim.game.options import value_text
    from basra_sim.game.rules import PRESET_SUMMARIES, PRESETS

    default = PRESETS["egyptian-v2"]
    if form == "json":
        print_json([{"preset": n, "summary": PRESET_SUMMARIES[n], "options": r.to_dict()} for n, r in PRESETS.items()])
        return
    table = plain_table("preset", "what it is, and what differs from egyptian-v2", wrapping=2)
    for name, preset in PRESETS.items():
        changes = [f"{option}={value_text(value)}" for option, value in preset.differences(default).items()]
        table.add_row(name, "\n".join([PRESET_SUMMARIES[name], *(f"  {change}" for change in changes)]))
    show(table)


@rules.command("show")
@click.argument("rules_spec", metavar="PRESET|FILE")
@set_option
@form_option("table", "json", "toml")
def show_command(rules_spec: str, settings: tuple[str, ...], form: str) -> None:
    """Show every option of a rule set: its value, what it means, where it differs from egyptian-v2.

    With --format toml it prints a file that can be changed and given back to --rules.
    """
    from basra_sim.game.rule_files import load_rules, to_toml

    chosen = load_rules(rules_spec, settings)
    if form == "json":
        print_json({"name": chosen.name, "digest": chosen.digest(), "options": chosen.to_dict()})
    elif form == "toml":
        click.echo(to_toml(chosen), nl=False)
    else:
        _show(chosen)


@rules.command("explain")
@click.argument("floor")
@click.argument("card")
@rules_option
@set_option
@form_option("text", "json")
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
        print_json(result.to_dict())
    else:
        show(_explanation(result))


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
    return textwrap.fill(sentence, 78, initial_indent="- ", subsequent_indent="  ", break_on_hyphens=False)


def _show(chosen: RuleSet) -> None:
    from basra_sim.game.options import value_text
    from basra_sim.game.phrases import count_of
    from basra_sim.game.rules import OPTIONS, PRESETS

    default = PRESETS["egyptian-v2"]
    differs = chosen.differences(default)
    table = plain_table("", "option", "value", "what it means", wrapping=2)
    for name, option in OPTIONS.items():
        value = getattr(chosen, name)
        note = f" (egyptian-v2: {value_text(getattr(default, name))})" if name in differs else ""
        text = value_text(value).replace(",", ", ")
        table.add_row("*" if name in differs else "", name, text, option.means(value) + note)
    show(f"Rule set {chosen.name}")
    if differs:
        show(f"* differs from egyptian-v2: {count_of(len(differs), 'option')}")
    show("")
    show(table)
    show("")
    show("A value is changed with --set OPTION=VALUE. The values of each option:")
    for name, option in OPTIONS.items():
        show(_hanging(f"{name}: {option.allowed}"))
