"""A strategy as a value: what its file says of itself, its function, its parameters. Knows no file system and no engine."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import ModuleType
from typing import Any

from basra_sim.game.rules import RuleSet

from .parameters import Parameter
from .rule_sections import Section, Sections, nearest_section


@dataclass(frozen=True)
class Card:
    """What a strategy file says of itself; every field has a default, so that ten lines of Python are enough."""

    summary: str = ""
    description: str = ""
    source: str = ""
    stochastic: bool = False
    cheats: bool = False
    timed: str = ""  # the parameter under which, unless it is 0, it thinks by the clock
    aliases: tuple[str, ...] = ()
    parameters: dict[str, Parameter] = field(default_factory=dict)


@dataclass
class Strategy:
    """A loaded strategy with its parameters set. `choose` is the plain Python function or bound method."""

    name: str  # as in the run
    spec: str  # as asked for
    path: Path | None  # None for an object given to the library
    sha256: str
    card: Card
    choose: Callable[[Any], Any]
    parameters: Any  # a named tuple of numbers, those for the rules that it was made ready for
    module: ModuleType | None = None
    factory: Callable[[], Any] | None = None  # makes a fresh object for each game
    given: dict[str, float] = field(default_factory=dict)  # parameters that the user set, under any rules
    sections: Sections = ()  # its own numbers by rule set

    def under(self, rules: RuleSet) -> Strategy:
        """The same with its parameters for these rules: its own, those of the nearest rule set, those given by the user."""
        if not self.sections:
            return self
        own = nearest_section(self.sections, rules)[0].values
        defaults = {name: parameter.default for name, parameter in self.card.parameters.items()}
        return replace(self, parameters=self.parameters._replace(**{**defaults, **own, **self.given}))

    def with_given(self, values: dict[str, float]) -> Strategy:
        """The same with parameters set as by the user."""
        return replace(self, parameters=self.parameters._replace(**values), given={**self.given, **values})

    def stand_in(self, rules: RuleSet) -> Section | None:
        """The section of another rule set that has to serve under these, if any of its numbers are used."""
        if not self.sections:
            return None
        section, own = nearest_section(self.sections, rules)
        return None if own or set(section.values) <= set(self.given) else section

    def be_object(self, factory: Callable[[], Any]) -> None:
        """Play by an object with a `choose`, made anew by `factory` for each game."""
        self.factory, self.choose = factory, factory().choose

    @property
    def is_object(self) -> bool:
        """Whether it is an object with a `choose` method, which plays interpreted."""
        return self.factory is not None

    @property
    def by_the_clock(self) -> bool:
        """Whether its plays depend on how fast the machine is: the same seed need not give the same games again."""
        return bool(self.card.timed) and getattr(self.parameters, self.card.timed) != 0

    @property
    def uses_values(self) -> bool:
        """Whether its file imports from basra_sim.skill, so that the tables of the rule set must be at hand."""
        names = vars(self.module).values() if self.module else ()
        return any(str(getattr(value, "__module__", "")).startswith("basra_sim.skill") for value in names)

    def describe(self) -> dict[str, Any]:
        """What a manifest says of it."""
        return {
            "name": self.name,
            "summary": self.card.summary,
            "spec": self.spec,
            "file": str(self.path) if self.path else None,
            "sha256": self.sha256,
            "parameters": self.parameters._asdict(),
        }


def distinct_names(strategies: Sequence[Strategy]) -> None:
    """Give repeated names a number: `greedy`, `greedy#2`, in the order of the run."""
    counts: dict[str, int] = {}
    for strategy in strategies:
        counts[strategy.name] = counts.get(strategy.name, 0) + 1
        if counts[strategy.name] > 1:
            strategy.name = f"{strategy.name}#{counts[strategy.name]}"
