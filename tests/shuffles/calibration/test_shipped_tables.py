"""The shipped tables of exact laws and of flaws are what derives them."""

from __future__ import annotations

import zlib

import numpy as np
import pytest

from basra_sim.shuffles.calibration.shipped_tables import build
from basra_sim.shuffles.shipped import DATA

AGAIN = "basra_sim/shuffles/data is not what is derived; if that was meant, run `make shuffle-tables`"
PACKED_WITH = "1.2.13"  # the zlib that models.npz was packed with; another may pack the same numbers otherwise


@pytest.mark.slow
def test_the_shipped_tables_are_made_again_byte_for_byte(tmp_path):
    build(tmp_path)
    same = ["longest_increasing.json", "block_pairs.json", *(["models.npz"] if zlib.ZLIB_RUNTIME_VERSION == PACKED_WITH else [])]
    for name in same:
        assert (tmp_path / name).read_bytes() == (DATA / name).read_bytes(), f"{name}: {AGAIN}"
    with np.load(tmp_path / "models.npz") as made, np.load(DATA / "models.npz") as shipped:
        assert made.files == shipped.files
        for name in made.files:
            assert made[name].tobytes() == shipped[name].tobytes(), f"models.npz, {name}: {AGAIN}"
