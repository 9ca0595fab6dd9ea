"""Three matches of reports/flagship played again: what meets whom does not depend on who else was there."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from basra_sim.runs.running import run

FLAGSHIP = Path(__file__).parents[2] / "reports" / "flagship"
AGAIN = "reports/flagship is not what this version plays; if that was meant, run `make flagship-report` (an hour)"


def matches_of(file: Path) -> dict[tuple[str, str], dict[str, str]]:
    """Rows by the two names, without the one column that all matches of the run go into."""
    rows = list(csv.DictReader(file.read_text("utf-8").splitlines()))
    return {(row["a"], row["b"]): {name: cell for name, cell in row.items() if name != "p_holm"} for row in rows}


@pytest.mark.slow
def test_three_matches_are_played_again_to_the_last_digit(tmp_path: Path) -> None:
    run(["first", "greedy", "defensive"], games=1000, seed=2026, rules="egyptian-v2", folder=tmp_path, jobs=1)
    made, kept = matches_of(tmp_path / "matches.csv"), matches_of(FLAGSHIP / "egyptian-v2-matches.csv")
    assert len(made) == 3
    for names, row in made.items():
        assert row == kept[names], f"{names}: {AGAIN}"
