"""The kernels as plain Python, in a process of its own: the same tests, and the same games as compiled.

NUMBA_BOUNDSCHECK is no third mode here: the kernels work on raw addresses, which it does not watch. What it would find,
an answer of a strategy used before it is checked and a buffer that is too small, has tests in test_engine_plain.py.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from basra_sim.engine.floor_table.kept_tables import load_table
from basra_sim.game.rules import PRESETS

HERE = Path(__file__).parent


@pytest.mark.skipif(bool(os.environ.get("NUMBA_DISABLE_JIT")), reason="it is what this starts")
def test_the_engine_without_compiling():
    for preset in ("cafe", "lebanese"):
        load_table(PRESETS[preset])  # kept in the cache, where the other process finds them
    result = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", str(HERE / "test_engine_plain.py")],
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"}, capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert result.returncode == 0, result.stdout[-3000:]
    assert " passed" in result.stdout or "100%" in result.stdout
