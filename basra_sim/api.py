"""The library in one call: `from basra_sim import play`. Everything else that the command line does has its own module."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from basra_sim.records.counters import RunTotals


class Result:
    """What a run brought: `summary` is what summary.json holds, `totals` the exact counters behind it."""

    def __init__(self, summary: dict[str, Any], totals: RunTotals) -> None:
        self.summary, self.totals = summary, totals

    @property
    def games(self) -> int:
        """Games played (rounds with unit="round")."""
        return int(self.summary["games"])

    @property
    def digest(self) -> str:
        """SHA-256 over the inputs and the results: the same inputs give the same."""
        return str(self.summary["digest"])

    def match(self, a: str, b: str) -> dict[str, Any]:
        """The match between two strategies, from a's side or from b's, as summary.json tells it. KeyError if there is none."""
        for match in self.summary["matches"]:
            if {match["a"], match["b"]} == {a, b}:
                return dict(match)
        raise KeyError(f"{a} and {b} did not meet")

    def score(self, a: str, b: str) -> float:
        """a's share of the games against b, 0..1; a draw counts half."""
        match = self.match(a, b)
        share = float(match["score_a"])
        return share if match["a"] == a else 1 - share

    def table(self) -> str:
        """The tables that `basra-sim run` prints."""
        from basra_sim.analysis.text.rendering import render

        return render(self.summary, "table")


def play(*strategies: Any, folder: str | Path | None = None, **settings: Any) -> Result:
    """Play every pair of strategies on game pairs and return the result.

    A strategy is a spec as on the command line ("greedy", "mine.py", "defensive:burn=-20"), a loaded strategy, a function
    `choose(view)` or any object with such a method. `settings` are the fields of basra_sim.runs.running.Settings: games, seed,
    rules, set, unit, packs, jobs, records ... ; `folder` (new or empty) gets the files of the run. Raises BadInput for what
    cannot be played as asked and StrategyFault when a strategy breaks the rules.
    """
    from basra_sim.analysis.tables.summary import summarize
    from basra_sim.records.run_folder import prepare_folder
    from basra_sim.runs.running import raise_error, run

    where = prepare_folder(Path(folder)) if folder is not None else None
    outcome = run(strategies, folder=where, **settings)
    raise_error(outcome)
    return Result(outcome.summary or summarize(outcome.totals), outcome.totals)
