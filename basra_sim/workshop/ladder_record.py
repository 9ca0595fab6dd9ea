"""The ladder that docs/ladder.md shows: what a seed fixes in one file, what a machine took in another, and the table of both.

`python -m basra_sim.workshop.ladder_record figures` (or `times`) measures one of them again, in the folder docs.
"""

from __future__ import annotations

import json
import os
import platform
import sys
from datetime import date
from pathlib import Path
from typing import Any

from basra_sim.game.rule_files import load_rules

from .ladder import HEADERS, Ladder, Rung, decision_time, measure, to_markdown

FIGURES, TIMES, PAGE = "ladder.json", "ladder-times.json", "ladder.md"


def figures_text(ladder: Ladder) -> str:
    """The figures as JSON, without the times: the same bytes for the same seed on every machine."""
    content = ladder.to_dict()
    for rung in content["rungs"]:
        del rung["microseconds"]
    return _json(content)


def times_text(ladder: Ladder, machine: str, day: str) -> str:
    """Microseconds a decision of each rung as JSON, and where and when they were measured."""
    microseconds = {rung.strategy: round(rung.microseconds, 4) for rung in ladder.rungs}
    return _json({"machine": machine, "date": day, "microseconds": microseconds})


def recorded(folder: Path) -> Ladder:
    """The ladder of a folder, out of both files."""
    content = json.loads((folder / FIGURES).read_text("utf-8"))
    took = json.loads((folder / TIMES).read_text("utf-8"))["microseconds"]
    rungs = [Rung(**rung, microseconds=took[rung["strategy"]]) for rung in content.pop("rungs")]
    return Ladder(**content, rungs=rungs)


def with_table(page: str, ladder: Ladder) -> str:
    """The page with the table of this ladder in the place of the one that it has."""
    before, head, after = page.partition("| " + " | ".join(HEADERS) + " |\n")
    assert head, "the page has no table of a ladder"
    return before + to_markdown(ladder) + after[after.index("\n\n") + 1 :]


def write_figures(folder: Path) -> None:
    """Measure the ladder that the page shows: all shipped strategies, full size, seed 1. The times stay as they are."""
    found = measure(size="full", cheats=True, seed=1, tell=lambda text: print(text, file=sys.stderr))
    (folder / FIGURES).write_text(figures_text(found), "utf-8")


def write_times(folder: Path) -> None:
    """Measure what a decision of each recorded rung takes here and now."""
    ladder = recorded(folder)
    for rung in ladder.rungs:
        rung.microseconds = decision_time(rung.strategy, load_rules(ladder.rules), ladder.seed)
    machine = f"{platform.processor() or platform.machine()}, {os.cpu_count()} cores, {platform.system()}"
    (folder / TIMES).write_text(times_text(ladder, machine, f"{date.today()}"), "utf-8")


def write_table(folder: Path) -> None:
    """Put the table of what is recorded into the page."""
    page = folder / PAGE
    page.write_text(with_table(page.read_text("utf-8"), recorded(folder)), "utf-8")


def _json(content: dict[str, Any]) -> str:
    return json.dumps(content, indent=1) + "\n"


if __name__ == "__main__":
    {"figures": write_figures, "times": write_times}[sys.argv[1]](Path("docs"))
    write_table(Path("docs"))
