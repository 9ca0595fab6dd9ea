"""All strategies that can be named, each loaded and described; what fails to load is listed with the reason."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from basra_sim.errors import BasraError

from .loading import load
from .strategy import Strategy
from .strategy_files import Place, places


@dataclass
class Entry:
    """One strategy of the catalogue. `strategy` is None and `trouble` says why when it is broken."""

    name: str
    aliases: tuple[str, ...]
    place: Place
    strategy: Strategy | None
    trouble: str

    @property
    def flags(self) -> list[str]:
        """What a reader should know at a glance."""
        if self.strategy is None:
            return ["broken"]
        card = self.strategy.card
        marks = {"stochastic": card.stochastic, "cheats": card.cheats, "object": self.strategy.is_object,
                 "by the clock": self.strategy.by_the_clock}  # fmt: skip
        return [mark for mark, is_so in marks.items() if is_so]

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        card = self.strategy.card if self.strategy else None
        return {
            "name": self.name,
            "aliases": list(self.aliases),
            "summary": card.summary if card else "",
            "flags": self.flags,
            "where": self.place.where,
            "file": str(self.place.path) if self.place.path else None,
            "broken": self.trouble or None,
        }


def catalogue(folders: Sequence[str | Path] = ()) -> list[Entry]:
    """Every strategy by the search order; a file stands once, under its own name, with its aliases."""
    found: dict[Any, tuple[str, Place, list[str]]] = {}
    for name, place in places(folders).items():
        key = place.path or name
        if key in found:
            found[key][2].append(name)
        else:
            found[key] = (name, place, [])
    return [_entry(name, place, aliases) for name, place, aliases in found.values()]


def _entry(name: str, place: Place, aliases: list[str]) -> Entry:
    strategy, trouble = None, place.trouble
    if place.path is not None:
        try:
            strategy = load(str(place.path))
        except BasraError as error:
            trouble = str(error).removeprefix(f"strategy file {place.path} ").removeprefix(f"strategy file {place.path}: ")
    return Entry(name, tuple(aliases), place, strategy, trouble)
