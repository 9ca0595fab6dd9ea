"""Where results and points come from: rounds and games won by seat, points a round by source, the card majority."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from scipy.special import chdtrc

from basra_sim.analysis.statistics.shares import Table, evenness, shares, totals
from basra_sim.records.counters import RunTotals

from .counter_frames import plays_frame, rounds_frame


def results_by_seat(run: RunTotals) -> list[Table]:
    """Rounds won by role, and games won by the role in their first round."""
    rounds = rounds_frame(run)
    tables = []
    for name, won, level, of, title in (
        ("rounds_won", "rounds_won", "rounds_level", "rounds", "Rounds won, as leader and as dealer"),
        ("games_won", "wins", "draws", "games", "Games won, by the role in their first round"),
    ):
        rows = [
            shares(rounds, ["strategy", "role"], column, of, of, dispersion=1.0).assign(outcome=outcome)
            for outcome, column in (("won", won), ("level", level))
        ]
        frame = pd.concat(rows, ignore_index=True)
        frame.insert(2, "outcome", frame.pop("outcome"))
        frame = frame[(frame["outcome"] == "won") | (frame["count"] > 0)].reset_index(drop=True)
        tables.append(Table(name, title, frame, f"A share of the {of} in that role; level ones are not won.", share=True))
    return tables


def _majority_points(run: RunTotals, rounds: pd.DataFrame) -> pd.Series | None:
    """Points for the majority in each row of `rounds`, or None where only the rest tells (carried majorities)."""
    worth = int(run.rules.get("majority_points", 0))
    tie = run.rules.get("majority_tie", "none")
    if tie == "carry":
        return None
    won = rounds["majority_won"] + (rounds["majority_level"] if tie == "each" else 0)
    return won * worth


def points_by_source(run: RunTotals) -> Table:
    """Points a round from the majority, each kind of basra and, in rules that have them, cards in the pile.

    Basras and majorities are counted, card points are what remains; where a level majority is carried on, that remainder
    is the majority's (with card points: of both together).
    """
    rounds = rounds_frame(run)
    plays = plays_frame(run)
    keys = ["strategy", "role"]
    sums = totals(rounds.assign(won=_majority_points(run, rounds)), keys, ["rounds", "points", "won"])
    made = totals(plays, keys, ["basra", "komi_basra", "jack_basra"])
    sums = sums.merge(made, on=keys)
    points = {f"{kind} basra".strip(): sums[f"{column}"] * int(run.rules.get(f"{column}_points", 0))
              for kind, column in (("", "basra"), ("komi", "komi_basra"), ("jack", "jack_basra"))}  # fmt: skip
    rest = sums["points"] - sum(points.values())
    carried = run.rules.get("majority_tie", "none") == "carry"
    has_cards = bool(run.rules.get("card_points"))
    if carried:
        points["majority and cards" if has_cards else "majority"] = rest
    else:
        points["majority"] = sums["won"]
        if has_cards:
            points["cards"] = rest - sums["won"]
    rows: list[dict[str, Any]] = []
    both = sums.assign(role="both").groupby("strategy", sort=False)["rounds"].sum()
    for source in ("majority", "majority and cards", "cards", "basra", "komi basra", "jack basra"):
        if source not in points:
            continue
        for strategy, size in both.items():
            own = sums["strategy"] == strategy
            rows.append({"strategy": strategy, "source": source, "role": "both",
                         "count": int(points[source][own].sum()), "of": int(size)})  # fmt: skip
        rows += [
            {"strategy": s, "source": source, "role": role, "count": int(p), "of": int(n)}
            for s, role, p, n in zip(sums["strategy"], sums["role"], points[source], sums["rounds"], strict=True)
        ]
    frame = pd.DataFrame(rows).assign(per="rounds", low=np.nan, high=np.nan, expected=np.nan)
    frame.insert(6, "value", frame["count"] / frame["of"])
    note = "Points a round. The sums are exact; intervals of the totals are in the ranking, those of basras in their own table."
    return Table("points", "Where the points come from", frame, note)


def majority(run: RunTotals) -> Table:
    """How often the majority of cards is won, lost and nobody's, by role; and what it would be if the role were nothing.

    Law: a strategy leads one game of each pair and deals the other on the same packs, so that a role without effect
    would give it the same share in both.
    """
    rounds = rounds_frame(run)
    frame = shares(rounds, ["strategy", "role"], "majority_won", "rounds", "rounds", dispersion=1.0)
    level = shares(rounds, ["strategy", "role"], "majority_level", "rounds", "rounds", dispersion=1.0)
    frame = pd.concat([frame.assign(outcome="won"), level.assign(outcome="nobody")], ignore_index=True)
    frame.insert(2, "outcome", frame.pop("outcome"))
    tests = []
    for (strategy, outcome), own in frame.groupby(["strategy", "outcome"], sort=False):
        share = own["count"].sum() / own["of"].sum() if own["of"].sum() else np.nan
        frame.loc[own.index, "expected"] = share
        likely = own["of"].to_numpy(float) * share
        # two shares: chi-square of won and not won in both roles
        rest = own["of"].to_numpy(float)
        test = evenness(
            np.concatenate([own["count"], rest - own["count"]]), np.concatenate([likely, rest - likely]), dispersion=1.0
        )
        tests.append({"strategy": strategy, "outcome": outcome, **_one_degree(test)})
    worth = run.rules.get("majority_points", 0)
    note = f"A share of the rounds in that role. More than half of the 52 cards is worth {worth} points."
    law = "the same share as leader and as dealer"
    return Table("majority", "How the card majority falls", frame, note, law, share=True, tests=tests)


def _one_degree(test: dict[str, Any]) -> dict[str, Any]:
    """A two-by-two table has one degree of freedom."""
    if test["chi_square"] is None:
        return test
    return test | {"degrees": 1, "p": float(chdtrc(1, test["chi_square"]))}
