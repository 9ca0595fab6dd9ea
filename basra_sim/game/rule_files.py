"""Rule sets as people give them: a preset's name or a TOML file, changed by settings OPTION=VALUE."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from basra_sim.errors import BadInput, nearest

from .card_points import card_points_key
from .rules import OPTIONS, PRESETS, RuleSet


def load_rules(spec: str, settings: Sequence[str] = ()) -> RuleSet:
    """A rule set from a preset's name or a TOML file, changed by settings ``OPTION=VALUE``.

    The file holds options by name, may start from ``preset = "..."`` (egyptian-v2 unless said) and may hold a table
    ``[card_points]``. A setting ``card_points.J=1`` changes one entry, ``card_points=J:1,2c:2`` all of them.
    Everything is checked together at the end, so settings may be given in any order. Raises BadInput.
    """
    values = _preset_or_file(spec)
    given: set[str] = set()
    for setting in settings:
        name, equals, text = setting.partition("=")
        name = name.strip()
        if not equals:
            raise BadInput(f"'{setting}' sets nothing; write OPTION=VALUE, such as target=51")
        option, _, entry = name.partition(".")
        option = option.lower().replace("-", "_")
        name = f"card_points.{card_points_key(entry)}" if entry and option == "card_points" else option
        _refuse_unknown(option if not entry or option == "card_points" else f"{option}.{entry}", "")
        if name in given:
            raise BadInput(f"{name} is set twice")
        given.add(name)
        if "." in name:
            values["card_points"] = {**values["card_points"], **_one_entry(name, text)}
        else:
            values[option] = OPTIONS[option].read(text)
    return RuleSet(**values)


def _one_entry(name: str, text: str) -> dict[str, int]:
    try:
        return {name.partition(".")[2]: int(text)}
    except ValueError:
        raise BadInput(f"{name}: '{text}' is not allowed; give a whole number of 0 or more") from None


def _refuse_unknown(option: str, where: str) -> None:
    if option not in OPTIONS:
        hint = nearest(option, list(OPTIONS)) or "the options are " + ", ".join(OPTIONS)
        raise BadInput(f"{where}no rule option '{option}'; {hint}")


def _preset_or_file(spec: str) -> dict[str, Any]:
    name = spec.strip()
    if name.lower().replace("_", "-") in PRESETS:
        return PRESETS[name.lower().replace("_", "-")].to_dict()
    path = Path(name)
    if path.suffix.lower() == ".toml" or path.is_file():
        return _read_file(path)
    hint = nearest(name.lower(), list(PRESETS)) or "the presets are " + ", ".join(PRESETS)
    raise BadInput(f"no rule set '{spec}'; {hint} (or give the path of a .toml file)")


def _read_file(path: Path) -> dict[str, Any]:
    import tomllib

    try:
        content = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise BadInput(f"{path}: not a text file in UTF-8") from None
    except tomllib.TOMLDecodeError as error:
        raise BadInput(f"{path}: not TOML: {error}") from None
    return _values_of_table(content, str(path))


def _values_of_table(content: dict[str, Any], where: str) -> dict[str, Any]:
    """All options, from a table of some of them that may start from a preset."""
    base = content.get("preset", "egyptian-v2")
    if not isinstance(base, str) or base not in PRESETS:
        hint = nearest(str(base), list(PRESETS)) or "the presets are " + ", ".join(PRESETS)
        raise BadInput(f"{where}: no preset '{base}'; {hint}")
    values = PRESETS[base].to_dict()
    for name, value in content.items():
        if name == "preset":
            continue
        _refuse_unknown(name, f"{where}: ")
        try:
            values[name] = OPTIONS[name].check(value)
        except BadInput as error:
            raise BadInput(f"{where}: {error}") from None
    return values


def rules_of_table(content: dict[str, Any], where: str) -> RuleSet:
    """The rule set of a table as in a file of rules: options by name, ``preset`` among them. BadInput begins with `where`."""
    values = _values_of_table(content, where)
    try:
        return RuleSet(**values)
    except BadInput as error:
        raise BadInput(f"{where}: {error}") from None


def to_toml(rules: RuleSet) -> str:
    """A file that `load_rules` reads, with what each option may be."""
    lines = [f"# {rules.name}"]
    for name, option in OPTIONS.items():
        value = getattr(rules, name)
        if name == "card_points":
            continue
        text = str(value).lower() if isinstance(value, (bool, int)) else f'"{value}"'
        lines.append(f"{name} = {text}  # {option.allowed}")
    lines += ["", "[card_points]  # " + OPTIONS["card_points"].meaning]
    lines += [f'"{key}" = {value}' for key, value in rules.card_points.items()]
    return "\n".join(lines) + "\n"
