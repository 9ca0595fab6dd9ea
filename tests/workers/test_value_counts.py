"""The shipped value tables are what their recipe counts."""

from __future__ import annotations

import pytest

from basra_sim.game.rules import PRESETS
from basra_sim.skill import value_tables as values
from basra_sim.workers.value_counts import shipped_line, write_shipped

AGAIN = "basra_sim/skill/value_tables.json is not what is counted; if that was meant, run `make value-tables`: digests change"


def test_a_line_of_the_shipped_tables_is_counted_again():
    rules = PRESETS["egyptian-v1"]
    used = values.counts_of(rules)
    assert shipped_line(rules) in values.shipped_file().read_text("ascii").replace("},\n", "}\n").splitlines(), AGAIN
    assert values.counts_of(rules) is used  # counting leaves this process with what it had


@pytest.mark.slow
def test_the_shipped_tables_are_made_again_byte_for_byte(tmp_path):
    write_shipped(tmp_path / "tables.json")
    assert (tmp_path / "tables.json").read_bytes() == values.shipped_file().read_bytes(), AGAIN
