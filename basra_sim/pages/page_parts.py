"""What a report is made of, whatever it is written as: sections of paragraphs, lists, tables and pictures. Plain data."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from basra_sim.plots.style import Figure

Progress = Callable[[int, int, str], None]  # (done, of, what is being done), for who waits


def unheard(done: int, of: int, what: str) -> None:
    """The progress of what nobody waits for."""


@dataclass
class Text:
    """A paragraph; `kind` is "", "note" (small) or "warning"."""

    text: str
    kind: str = ""
    is_text: bool = True


@dataclass
class Code:
    """Something to copy: a command, a digest."""

    text: str
    is_code: bool = True


@dataclass
class Bullets:
    """A list of sentences."""

    items: list[str]
    is_list: bool = True


@dataclass
class Grid:
    """A table: the first `words` columns hold words, the others numbers; `folded` ones are closed at first."""

    caption: str
    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    words: int = 1
    folded: bool = False
    is_grid: bool = True


@dataclass
class Picture:
    """A plot with what it shows in words (`alt`) and what to see in it (`caption`). `draw` makes the figure."""

    name: str
    alt: str
    caption: str
    draw: Callable[[], Figure]
    is_picture: bool = True


@dataclass
class Section:
    """A heading and what stands under it."""

    name: str  # for links: letters and hyphens
    title: str
    parts: list[Any] = field(default_factory=list)

    def add(self, *parts: Any) -> Section:
        """Append parts, leaving out None; strings are paragraphs."""
        self.parts += [Text(part) if isinstance(part, str) else part for part in parts if part]
        return self


@dataclass
class Part:
    """The report of one run."""

    name: str
    title: str
    finding: str
    sections: list[Section]
    incomplete: bool = False


@dataclass
class Report:
    """One file: a title, an overview when there are several runs, and a part for each run."""

    title: str
    parts: list[Part]
    finding: str = ""  # over all runs
    overview: list[Section] = field(default_factory=list)
    version: str = ""

    def placed(self) -> list[tuple[str, Picture]]:
        """Every picture with the place it is in, in the order of the page: "overview" or "run1", "run2" ..."""
        places = [("overview", self.overview)] + [(f"run{number}", part.sections) for number, part in enumerate(self.parts, 1)]
        return [
            (place, one) for place, sections in places for section in sections for one in section.parts
            if isinstance(one, Picture)
        ]  # fmt: skip

    def pictures(self) -> int:
        """How many pictures there are to be drawn."""
        return len(self.placed())
