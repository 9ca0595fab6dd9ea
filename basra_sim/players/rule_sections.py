"""Parameters by rule set: a parameter file may hold a section for each rule set that it has numbers for.

    [pagat.rules]            # as in a file of rules: the options that differ from egyptian-v2's, or preset = "pagat"
    majority_points = 3
    [pagat.parameters]
    jack = 3.1

Rule sets whose rounds are the same (skill/values.round_key: all but the target and who deals) share a section. One without
a section of its own gets the nearest: that of the rule set with the fewest other differences, the first in the file among
equals.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from basra_sim.errors import BadInput
from basra_sim.game.rule_files import rules_of_table
from basra_sim.game.rules import RuleSet
from basra_sim.skill.value_tables import NOT_OF_A_ROUND, round_key

from .parameters import Parameter, numbers, read_file


class Section(NamedTuple):
    """Numbers for one rule set, by parameter."""

    name: str
    rules: RuleSet
    values: dict[str, float]


Sections = tuple[Section, ...]


def own_sections(path: Path, named: str | None, parameters: dict[str, Parameter]) -> tuple[Sections, dict[str, float]]:
    """What `read_sections` finds beside a strategy file: in the file `named` there; if "", in NAME.toml, should there be one."""
    beside = path.parent / str(named) if named else path.with_suffix(".toml")
    if named and not beside.is_file():
        raise BadInput(f"strategy file {path}: PARAMETER_FILE names {beside}, which is not there")
    return read_sections(beside, parameters, str(path)) if named is not None and beside.is_file() else ((), {})


def read_sections(file: Path, parameters: dict[str, Parameter], spec: str) -> tuple[Sections, dict[str, float]]:
    """(sections, numbers for every rule set) of a parameter file: it has one or the other. BadInput names what is wrong."""
    content = read_file(file, spec)
    where = f"{spec}: parameter file {file}"
    parts = {name: part for name, part in content.items() if isinstance(part, dict) and isinstance(part.get("parameters"), dict)}
    if not parts:
        inner = content.get("parameters", content)
        if not isinstance(inner, dict):
            raise BadInput(f"{where} holds no table of names and numbers")
        return (), numbers(parameters, inner, spec)
    others = [name for name in content if name not in parts]
    if others:
        raise BadInput(f"{where}: '{others[0]}' stands beside sections for rule sets; each needs a table [NAME.parameters]")
    return tuple(_section(name, part, parameters, where) for name, part in parts.items()), {}


def _section(name: str, part: dict[str, Any], parameters: dict[str, Parameter], where: str) -> Section:
    others = [key for key in part if key not in ("rules", "parameters")]
    rules = part.get("rules")
    if others or not isinstance(rules, dict):
        wrong = f"[{name}.{others[0]}] is no part of it" if others else f"[{name}.rules] is missing"
        raise BadInput(f"{where}: {wrong}; a section is [{name}.rules] and [{name}.parameters]")
    return Section(name, rules_of_table(rules, f"{where}: [{name}.rules]"), numbers(parameters, part["parameters"], where))


def nearest_section(sections: Sections, rules: RuleSet) -> tuple[Section, bool]:
    """The section that serves under these rules, and whether it was made for them."""
    key = round_key(rules)
    for section in sections:
        if round_key(section.rules) == key:
            return section, True
    return min(sections, key=lambda section: len(_differences(rules, section.rules))), False


def _differences(rules: RuleSet, other: RuleSet) -> list[str]:
    return [name for name in rules.differences(other) if name not in NOT_OF_A_ROUND]


def section_text(rules: RuleSet, values: dict[str, float]) -> str:
    """A section for these rules as TOML, named after them."""
    options = {name: value for name, value in rules.differences(RuleSet()).items() if name not in NOT_OF_A_ROUND}
    name = RuleSet(**{**rules.to_dict(), **{option: getattr(RuleSet(), option) for option in NOT_OF_A_ROUND}}).name
    quoted = name if all(c.isalnum() or c in "-_" for c in name) else f'"{name}"'
    lines = [f"[{quoted}.rules] # {round_key(rules)}", *(f"{option} = {_toml(value)}" for option, value in options.items())]
    lines += [f"[{quoted}.parameters]", *(f"{parameter} = {value!r}" for parameter, value in values.items())]
    return "\n".join(lines) + "\n"


def _toml(value: Any) -> str:
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, int):
        return str(value)
    return "{ " + ", ".join(f'"{card}" = {points}' for card, points in dict(value).items()) + " }"
