"""The shuffle check of a report: are the packs that a run was played with what a good shuffle gives?"""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd

from basra_sim import plots
from basra_sim.pages.page_parts import Picture, Section, Text
from basra_sim.records.counters import RunTotals

from .packs_check import Check, check_packs, packs_to_check


def shuffle_check(run: RunTotals, check: Check = check_packs) -> Section:
    """The first pack of each game pair, dealt again from the seed, through the quick battery of the shuffle lab."""
    section = Section("packs", "The packs")
    if run.unit == "packs":
        return section.add("The packs of this run were given by the user; basra-sim shuffle test FILE looks at them.")
    decks = packs_to_check(run.unit, [2 * m.pairs for m in run.matches])
    if not decks:
        return section.add("No pack was dealt.")
    found = check(run.seed, decks)
    pairs = max(m.pairs for m in run.matches)
    section.add(
        found["verdict"],
        Text(f"Tested: the first pack of {decks:,} of the {pairs:,} game pairs, dealt again from the seed. A test can only find "
             "a bias; it cannot prove that there is none.", "note"),
    )  # fmt: skip
    tests = pd.DataFrame(found["tests"], columns=["test", "log10_p"])
    section.add(Picture(
        "packs", "Strength of the evidence of each shuffle test",
        f"One bar a test; only beyond the dashed line would the whole battery call it a bias. {decks:,} packs.",
        partial(plots.p_values, tests, limit=found["limit"], decks=decks)))  # fmt: skip
    frame = _rising_frame(np.array(found["rising"]), np.array(found["law"]))
    if len(frame):
        section.add(Picture(
            "rising", "Rising sequences a pack against their law",
            f"A pack that is riffled too little has too few rising sequences: the bars would lie left of the line. "
            f"{decks:,} packs.",
            partial(plots.rising, frame, decks=decks)))  # fmt: skip
    return section


def _rising_frame(seen: np.ndarray, law: np.ndarray) -> pd.DataFrame:
    """Sequences, value, expected, where either is not nothing. law[k] is the share with k + 1 sequences."""
    total = float(seen.sum())
    if not total:
        return pd.DataFrame(columns=["sequences", "value", "expected"])
    sequences = np.arange(len(seen))  # decks with 0, 1, 2 ... of them
    expected = np.array([law[k - 1] if 1 <= k <= len(law) else 0.0 for k in sequences])
    frame = pd.DataFrame({"sequences": sequences, "value": seen / total, "expected": expected})
    return frame[(frame["value"] > 0) | (frame["expected"] > 1e-4)].reset_index(drop=True)
