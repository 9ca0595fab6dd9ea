"""The totals of a run out of its state: matches and their digests, its form, what its stopping rule found, forfeits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from basra_sim.analysis.statistics.sequential import Sprt
from basra_sim.records.counters import FORFEITS, MatchTotals, RunTotals
from basra_sim.records.digest import digest_of_matches

from .run_state import RunState
from .stopping import Watcher
from .tournament import Form


def fill(totals: RunTotals, state: RunState, extra: bytes, is_whole: bool) -> None:
    """Put what was played into the totals of a run; `extra` is what its digest covers beside the plan."""
    all_met = state.form.name in ("round-robin", "gauntlet")
    shown = [i for i, match in enumerate(state.matches) if match.pairs or all_met]
    totals.matches = [state.matches[i] for i in shown]
    totals.chains = [state.chains[i].save() for i in shown]
    totals.match_digests = [state.chains[i].hexdigest() for i in shown]
    totals.digest = digest_of_matches(state.plan.header() + extra, totals.match_digests)
    totals.seconds = state.seconds
    totals.complete = is_whole
    totals.notes = totals.notes + _fault_notes(state.matches)
    totals.design = _design(state.form, state.watcher, state.matches, [str(entry["name"]) for entry in totals.strategies])


def _design(form: Form, watcher: Watcher, matches: Sequence[MatchTotals], names: Sequence[str]) -> dict[str, Any]:
    """The form, the stopping rule and what it found; empty for a plain round robin."""
    design = form.describe(matches, names) or {}
    sprt, until = watcher.sprt, watcher.until
    if until is not None:
        design["until"] = until
    if sprt is not None:
        design["sprt"] = {"elo0": sprt.elo0, "elo1": sprt.elo1, "alpha": sprt.alpha, "beta": sprt.beta,
                          "lower": sprt.lower, "upper": sprt.upper}  # fmt: skip
        design["tests"] = [_test(sprt, match) for match in matches if match.pairs]
    if form.name == "adaptive" and form.history:  # from where one with more games goes on
        design["last"] = [[matches[m].name, first, stop] for m, first, stop in form.history[-1].tasks]
    if watcher or form.name == "adaptive":
        design["anytime"] = True  # the length of the run depended on its results
    return design


def _test(sprt: Sprt, match: MatchTotals) -> dict[str, Any]:
    counts = [int(c) for c in match.pair_scores]
    return {"match": match.name, "pairs": int(match.pairs), "ratio": sprt.ratio(counts),
            "verdict": sprt.verdict(counts)}  # fmt: skip


def _fault_notes(matches: Sequence[MatchTotals]) -> list[str]:
    """What forfeits mean for a run, one line each."""
    forfeits = sum((m.forfeits for m in matches), np.zeros((2, len(FORFEITS)), np.int64))
    notes = []
    if forfeits.sum():
        notes.append(f"{int(forfeits.sum()):,} games were forfeited by faults of strategies")
    if forfeits[:, FORFEITS.index("timeout")].sum():
        notes.append("--play-timeout is measured in CPU time and struck: the digest of this run depends on the machine")
    return notes
