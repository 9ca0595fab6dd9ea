"""The list of built-in shuffles: how each is written, what it does and what is wrong with it; no compiled loop is needed."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache

from basra_sim.errors import BadInput, nearest
from basra_sim.shuffles.shipped import DATA

SEED_POLICIES = {
    "32": "a random 32-bit number for every deck",
    "48": "a random 48-bit number for every deck (java only)",
    "ms": "the milliseconds of the day for every deck (86.4 million seeds)",
    "unix": "the time in whole seconds, games a few seconds to minutes apart",
    "seq": "0, 1, 2, ... for the decks",
    "stream": "seeded once (32 bits), then one generator runs on",
}
ALIASES = {
    "fy": "fisher-yates",
    "fair": "fisher-yates",
    "fy-mod256": "modulo:256",
    "fy-mod32768": "modulo:32768",
    "byte%k": "modulo:256",
}


@dataclass(frozen=True)
class Algorithm:
    """One built-in shuffle: how it is written, what it does, what is wrong with it, and what to expect."""

    name: str
    usage: str
    what: str
    flaw: str
    found: bool  # whether distribution tests can find the flaw at all
    default: tuple[str, ...] = ()
    case: bool = False  # a fixture for a known public case rather than a way to shuffle


@cache
def algorithms() -> dict[str, Algorithm]:
    """The list, by name, in the order of data/shuffles.toml."""
    entries = tomllib.loads((DATA / "shuffles.toml").read_text("utf-8")).items()
    return {name: Algorithm(name, **{**fields, "default": tuple(fields["default"])}) for name, fields in entries}


def parse_spec(text: str) -> tuple[Algorithm, list[str]]:
    """A shuffle as written ("riffle:7") -> its entry and parameters, defaults filled in. Raises BadInput."""
    word = ALIASES.get(text.strip().lower(), text.strip().lower())
    name, _, rest = word.partition(":")
    algorithm = algorithms().get(name)
    if algorithm is None:
        hint = nearest(name, [*algorithms(), *ALIASES])
        raise BadInput(f"no built-in shuffle '{text}'; {hint or '`basra-sim shuffle list` shows them'}")
    given = [part.strip() for part in rest.split(",")] if rest else []
    allowed = max(len(algorithm.default), 2 if name == "swaps" else 0)
    if len(given) > allowed or any(not part for part in given):
        raise BadInput(f"'{text}' is not how it is written; write {algorithm.usage}")
    return algorithm, given + list(algorithm.default[len(given) :])
