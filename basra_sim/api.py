"""The library in two calls: `basra_sim.run` plays, `basra_sim.load` reads a run folder; both give a Result (docs/api.md).

Everything else that the command line does has a module of its own.
"""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

# what plays or reads is imported where it is called: numba takes a second that reading a run does not need, pandas one that a
# score does not need

if TYPE_CHECKING:
    import pandas as pd

    from basra_sim.records.counters import RunTotals


class Result:
    """What a run brought: `summary` is what summary.json holds, `totals` the exact counters behind it, `folder` its files."""

    def __init__(self, summary: dict[str, Any], totals: RunTotals, folder: Path | None = None) -> None:
        self.summary, self.totals, self.folder = summary, totals, folder

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

    def frame(self, name: str) -> pd.DataFrame:
        """A table by name; BadInput, with the nearest names, for one that this run does not have."""
        from basra_sim.errors import BadInput, nearest

        frames = self.frames()
        if name not in frames:
            raise BadInput(f"no table '{name}': {nearest(name, list(frames)) or 'there are ' + ', '.join(frames)}")
        return frames[name]

    def frames(self) -> dict[str, pd.DataFrame]:
        """Every table by name: "ranking", "matches" (the rows of matches.csv), and those that `basra-sim analyze` shows.

        What opening floors are worth is told of runs with a folder and records="rounds".
        """
        return dict(self._frames)

    @cached_property
    def _frames(self) -> dict[str, pd.DataFrame]:
        import pandas as pd

        from basra_sim.analysis.tables.result_files import match_row
        from basra_sim.report.run_tables import run_tables

        ranking = [{name: value for name, value in row.items() if name != "roles"} for row in self.summary["ranking"]]
        matches = [match_row(match) for match in self.summary["matches"]]
        tables, _ = run_tables(self.totals, self.folder)
        return {"ranking": pd.DataFrame(ranking), "matches": pd.DataFrame(matches), **{t.name: t.frame for t in tables}}


def run(*strategies: Any, folder: str | Path | None = None, **settings: Any) -> Result:
    """Play every pair of strategies on game pairs and return the result.

    A strategy is a spec as on the command line ("greedy", "mine.py", "defensive:burn=-20"), a loaded strategy, a function
    `choose(view)` or any object with such a method. `settings` are the fields of basra_sim.runs.run_settings.Settings: games,
    seed, rules, set, unit, packs, jobs, records ... ; `folder` (new or empty) gets the files of the run. Raises BadInput for
    what cannot be played as asked, StrategyFault when a strategy breaks the rules, TypeError for a setting that there is not.
    """
    from basra_sim.analysis.tables.summary import summarize
    from basra_sim.records.run_folder import prepare_folder
    from basra_sim.runs import running

    where = prepare_folder(Path(folder)) if folder is not None else None
    outcome = running.run(strategies, folder=where, **settings)
    running.raise_error(outcome)
    return Result(outcome.summary or summarize(outcome.totals), outcome.totals, where)


play = run


def load(folder: str | Path) -> Result:
    """The result of a run from its folder, as `run` gave it. BadInput (one line) for what is no run folder or is damaged."""
    from basra_sim.analysis.tables.summary import summarize
    from basra_sim.records.run_folder import read_run

    totals = read_run(Path(folder))
    return Result(summarize(totals), totals, Path(folder))
