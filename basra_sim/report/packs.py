"""The shuffle check of a report: are the packs that a run was played with what a good shuffle gives?"""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd

from ..records import RunTotals
from .model import Picture, Section, Text

CHECKED = 10_000  # packs at most: enough to see a place bias of a few percent, quick enough for every report


def shuffle_check(run: RunTotals, most: int = CHECKED) -> Section:
    """The first pack of each game pair, dealt again from the seed, through the quick battery of the shuffle lab."""
    section = Section("packs", "The packs")
    if run.unit == "packs":
        return section.add("The packs of this run were given by the user; basra-sim shuffle test FILE looks at them.")
    pairs = max((m.pairs for m in run.matches), default=0)
    decks = min(pairs, most)
    if not decks:
        return section.add("No pack was dealt.")
    from .. import plots
    from ..dealt import packs_of
    from ..shuffles.battery import ALPHA, judge
    from ..shuffles.laws import eulerian
    from ..shuffles.statistics import tally
    from ..shuffles.wording import verdict_sentence

    counts = tally(iter([packs_of(run.seed, np.arange(decks), np.zeros(decks))]), 52, np.arange(52), 1)
    outcome = judge(counts, profile="quick")
    section.add(
        verdict_sentence(outcome),
        Text(f"Tested: the first pack of {decks:,} of the {pairs:,} game pairs, dealt again from the seed. A test can only find "
             "a bias; it cannot prove that there is none.", "note"),
    )  # fmt: skip
    tests = pd.DataFrame([{"test": r.test.name, "log10_p": r.log10_p} for r in outcome.results])
    limit = -float(np.log10(ALPHA / max(1, len(tests))))
    section.add(Picture(
        "packs", "Strength of the evidence of each shuffle test",
        f"One bar a test; only beyond the dashed line would the whole battery call it a bias. {decks:,} packs.",
        partial(plots.p_values, tests, limit=limit, decks=decks)))  # fmt: skip
    seen = counts.histogram("rising")
    law = np.array(eulerian(52), float)
    law /= law.sum()
    frame = _rising_frame(seen, law)
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
