"""Rebuilds the shipped tables of exact laws: `python -m basra_sim.shuffles.calibration.shipped_tables` (about two minutes)."""

from __future__ import annotations

import json

from basra_sim.shuffles.battery.likeliest_flaw import build_table
from basra_sim.shuffles.laws import permutation_laws as laws
from basra_sim.shuffles.shipped import DATA


def build(most: int = 52) -> None:
    """Write data/longest_increasing.json (counts as text) and data/block_pairs.json (probabilities)."""
    table = {str(n): [str(count) for count in laws.derive_longest_increasing(n)] for n in range(1, most + 1)}
    (DATA / "longest_increasing.json").write_text(json.dumps(table, indent=0) + "\n", "ascii")
    pairs = laws.derive_block_pairs()
    (DATA / "block_pairs.json").write_text(json.dumps([float(p) for p in pairs.pmf], indent=0) + "\n", "ascii")
    build_table(DATA / "models.npz")


if __name__ == "__main__":
    build()
