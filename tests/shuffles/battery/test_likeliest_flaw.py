"""The flaw behind a log is named, and no innocent log is accused."""

from __future__ import annotations

import pytest

from basra_sim.shuffles.battery.likeliest_flaw import culprit_lines, suspects
from basra_sim.shuffles.battery.tally import tally
from basra_sim.shuffles.generators.built_in_shuffles import Generator


@pytest.mark.parametrize(
    ("spec", "start", "decks"),
    [
        ("naive", "new", 450), ("sattolo", "new", 20), ("sort-random:1", "new", 400), ("riffle:4", "prev", 200),
        ("modulo:256", "new", 4000),
    ],
)  # fmt: skip
def test_the_culprit_is_named(spec, start, decks):
    counts = tally(Generator(spec, 99, 52, start).chunks(decks), 52)
    best = suspects(counts)[0]
    assert (best.spec, best.start) == (spec, start)
    assert best.fit > 1e-4
    assert any("likelier than a perfect shuffle" in line for line in culprit_lines(counts, "new"))


def test_an_innocent_log_names_nobody():
    counts = tally(Generator("fisher-yates", 99).chunks(5000), 52)
    assert suspects(counts)[0].spec == "fisher-yates"
