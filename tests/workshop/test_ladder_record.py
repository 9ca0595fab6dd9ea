"""The ladder in docs: its page shows what is recorded, and what is recorded is measured again."""

from __future__ import annotations

from pathlib import Path

import pytest

from basra_sim.workshop.ladder import measure
from basra_sim.workshop.ladder_record import FIGURES, PAGE, figures_text, recorded, with_table

DOCS = Path(__file__).parents[2] / "docs"
AGAIN = "docs/ladder.json is not what this version measures; if that was meant, run `make ladder` and read docs/ladder.md"


def test_the_page_shows_what_is_recorded():
    page = (DOCS / PAGE).read_text("utf-8")
    assert with_table(page, recorded(DOCS)) == page, "docs/ladder.md and what is recorded differ: run `make ladder`"


def test_the_figures_are_written_as_they_were_read_and_hold_no_times():
    ladder = recorded(DOCS)
    for rung in ladder.rungs:
        rung.microseconds *= 2
    assert figures_text(ladder) == (DOCS / FIGURES).read_text("utf-8")


@pytest.mark.slow
def test_the_lowest_rungs_are_measured_again_byte_for_byte():
    """Five rungs meet one another and nobody above them; all of it takes twelve minutes: make ladder."""
    names = ["uniform", "first", "basra-first", "greedy", "defensive"]
    made = figures_text(measure(size="full", names=names, seed=1))
    assert (DOCS / FIGURES).read_text("utf-8").startswith(made.removesuffix("\n ]\n}\n")), AGAIN
