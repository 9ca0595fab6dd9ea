"""The dispersion that analyses assume is not below the one that games have (docs/analysis.md has the full table)."""

from __future__ import annotations

import math

import pytest
from dispersion import measure

from basra_sim.analysis.statistics.shares import DISPERSION


@pytest.mark.slow
def test_dispersion_is_on_the_safe_side() -> None:
    chunks = 800
    found = measure(chunks)
    noise = 4 * math.sqrt(2 / chunks)  # a variance over so many chunks, four standard errors
    assert max(max(values) for values in found.values()) < DISPERSION * (1 + noise)
    single = found["one ply of one deal"]
    assert sum(single) / len(single) == pytest.approx(1.0, abs=0.02)
    assert max(single) < 1 + 1.25 * noise
