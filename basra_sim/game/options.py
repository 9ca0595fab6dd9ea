"""What an option of the rules is: what it may be, what it means in words, how its value is read and written.

Which options there are stands in rules.py. The named values of an option stand in the order of their integer encoding, 0 for
the first: kernels use these numbers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from basra_sim.errors import BadInput, nearest

from .card_points import CardPoints, read_card_points, shown, whole_number


@dataclass(frozen=True)
class Option:
    """One option: its name, what it is in words, and either a range, a few named values, yes/no or card points.

    `values` holds the named values in the order of their encoding, each with its meaning; `low` and `high` bound a
    number. `unit` is the word after a number.
    """

    name: str
    meaning: str
    values: Mapping[str, str] | None = None
    low: int | None = None
    high: int | None = None

    @property
    def choices(self) -> tuple[str, ...]:
        """The named values in order, () for numbers and card points."""
        return tuple(self.values or ())

    @property
    def allowed(self) -> str:
        """What may be given, in words."""
        if self.low is not None:
            return f"a whole number from {self.low} to {self.high}"
        if self.values is not None:
            return "one of " + ", ".join(self.values)
        return "ranks or cards and their points, as J:1,A:1,2c:2, or none"

    def check(self, value: object) -> object:
        """The value in its canonical form; BadInput that names the option and what is allowed."""
        if self.low is not None and self.high is not None:
            return whole_number(self.name, value, self.low, self.high)
        if self.name == "card_points":
            return CardPoints(value)  # type: ignore[arg-type]
        if self.is_yes_no:
            right = isinstance(value, bool)
        else:
            right = isinstance(value, str) and value in self.choices
        if not right:
            hint = nearest(str(value), list(self.choices))
            advice = f"give {self.allowed}" + (f" ({hint})" if hint else "")
            raise BadInput(f"{self.name}: {shown(value)} is not allowed; {advice}")
        return value

    @property
    def is_yes_no(self) -> bool:
        return self.choices == ("false", "true")

    def read(self, text: str) -> object:
        """A value written on the command line (``OPTION=VALUE``), checked."""
        word = text.strip()
        if self.low is not None:
            try:
                return self.check(int(word))
            except ValueError:
                return self.check(word)
        if self.name == "card_points":
            return read_card_points(word)
        word = word.lower().replace("-", "_")
        if self.is_yes_no and word in self.choices:
            return word == "true"
        return self.check(word)

    def means(self, value: object) -> str:
        """What this value of the option means, in words."""
        if self.values is not None:
            return self.values[value_text(value)]
        return self.meaning


def value_text(value: object) -> str:
    """A value as it is written after ``OPTION=``."""
    return str(value).lower() if isinstance(value, bool) else str(value)
