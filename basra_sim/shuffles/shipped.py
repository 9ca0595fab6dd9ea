"""Where the files lie that the shuffle lab ships: exact laws, models of every flaw, the list of shuffles, sample logs."""

from __future__ import annotations

from pathlib import Path

DATA = Path(__file__).parent / "data"
