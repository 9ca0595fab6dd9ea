"""Rebuilds the shipped tables of exact laws: `python -m basra_sim.shuffles.calibration.shipped_tables` (about a minute)."""

from __future__ import annotations

import json
from pathlib import Path

from basra_sim.shuffles.battery.likeliest_flaw import build_table
from basra_sim.shuffles.laws import permutation_laws as laws
from basra_sim.shuffles.shipped import DATA


def build(folder: Path = DATA) -> None:
    """Write longest_increasing.json (counts as text), block_pairs.json (probabilities) and models.npz into a folder."""
    table = {str(n): [str(count) for count in laws.derive_longest_increasing(n)] for n in range(1, 53)}
    (folder / "longest_increasing.json").write_text(json.dumps(table, indent=0) + "\n", "ascii")
    pairs = laws.derive_block_pairs()
    (folder / "block_pairs.json").write_text(json.dumps([float(p) for p in pairs.pmf], indent=0) + "\n", "ascii")
    build_table(folder / "models.npz")


if __name__ == "__main__":
    build()
