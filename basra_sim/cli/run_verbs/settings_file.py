"""The settings file of `basra-sim run`: defaults for its options, and who plays."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import click

from basra_sim.errors import BadInput, nearest

# what a settings file may hold, and of which type
CONFIG: dict[str, type] = {
    "games": int, "seed": int, "rules": str, "set": list, "unit": str, "packs": str, "jobs": int, "out": str, "format": str,
    "records": str, "interpret": bool, "strategies": list, "quiet": bool, "players": list, "tournament": str, "sprt": str,
    "until": str, "on_fault": str, "play_timeout": float, "backend": str, "scheduler": str,
    "report": bool,
}  # fmt: skip
TYPE_WORDS = {
    int: "a whole number", float: "a number", str: "a text in quotes", bool: "true or false",
    list: 'a list of texts, as ["a", "b"]',
}  # fmt: skip


def _has_type(item: Any, wanted: type) -> bool:
    if wanted is list:
        return isinstance(item, list) and all(isinstance(one, str) for one in item)
    if wanted is float:
        return isinstance(item, (int, float)) and not isinstance(item, bool)
    return isinstance(item, wanted) and not (wanted is int and isinstance(item, bool))


def read_config(ctx: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    """Take the defaults of all options from a settings file; what is given on the command line wins."""
    if value is None:
        return None
    try:
        content = tomllib.loads(Path(value).read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise BadInput(f"settings file {value} cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise BadInput(f"settings file {value} is not TOML: {error}") from None
    for key, item in content.items():
        if key not in CONFIG:
            hint = nearest(key, list(CONFIG)) or f"it may hold {', '.join(CONFIG)}"
            raise BadInput(f"settings file {value}: unknown setting '{key}': {hint}")
        wanted = CONFIG[key]
        if not _has_type(item, wanted):
            raise BadInput(f"settings file {value}: {key} must be {TYPE_WORDS[wanted]}, not {item!r}")
    renamed = {"format": "form", "set": "set_", "strategies": "folders"}
    ctx.default_map = {renamed.get(key, key): item for key, item in content.items() if key != "players"}
    ctx.meta["players"] = content.get("players", [])
    return value
