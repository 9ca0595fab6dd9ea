"""`analyze --by`: one measure in groups of one's own choosing, as far as the counters of a run know them together."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from basra_sim.analysis.statistics.shares import Table, per_round, shares, totals
from basra_sim.errors import BadInput, nearest
from basra_sim.records.counters import RunTotals

from .counter_frames import faced_frame, plays_frame, rounds_frame

# measure -> (column, frame it is counted in, one of which it is a share; "" for a sum a round)
_PLAYS = {
    "basras": "basras", "plain-basras": "basra", "komi-basras": "komi_basra", "jack-basras": "jack_basra",
    "captures": "captures", "sweeps": "sweep", "lays": "lay",
}  # fmt: skip
_ROUNDS = {"rounds-won": ("rounds_won", "rounds"), "majority": ("majority_won", "rounds"), "games-won": ("wins", "games")}
_SUMS = ("points", "cards")
MEASURES = (*_PLAYS, *_ROUNDS, *_SUMS)
_MATCH = ("strategy", "opponent", "match")
GROUPS_OF_PLAYS = (*_MATCH, "role", "deal", "ply")
GROUPS_OF_FLOORS = (*_MATCH, "floor", "card")
GROUPS_OF_ROUNDS = (*_MATCH, "role")
ALL_GROUPS = tuple(dict.fromkeys((*GROUPS_OF_PLAYS, *GROUPS_OF_FLOORS)))


def _check(by: Sequence[str], measure: str) -> None:
    if measure not in MEASURES:
        raise BadInput(f"--measure {measure}: {nearest(measure, list(MEASURES)) or 'it is one of ' + ', '.join(MEASURES)}")
    for name in by:
        if name not in ALL_GROUPS:
            raise BadInput(f"--by {name}: {nearest(name, list(ALL_GROUPS)) or 'groups are ' + ', '.join(ALL_GROUPS)}")
    if len(set(by)) < len(by):
        raise BadInput(f"--by {','.join(by)}: a group stands there twice")
    if measure not in _PLAYS:
        wrong = [name for name in by if name not in GROUPS_OF_ROUNDS]
        if wrong:
            known = ", ".join(GROUPS_OF_ROUNDS)
            raise BadInput(f"--measure {measure} is counted a round: group it by {known}, not by {wrong[0]}")
    elif {"floor", "card"} & set(by) and {"role", "deal", "ply"} & set(by):
        raise BadInput(
            f"--by {','.join(by)}: a run counts plays by role, deal and ply, and by floor and card, but not all together; "
            "choose groups of one kind"
        )


def group(run: RunTotals, by: Sequence[str], measure: str = "basras") -> Table:
    """One measure in groups: events a round where they are plays (or a play, for groups by floor), shares of rounds or games.

    Raises BadInput for groups that are not counted together. Without "strategy" all strategies are added up.
    """
    _check(by, measure)
    by = list(by)
    rounds = rounds_frame(run)
    title = f"{measure.replace('-', ' ')} by {', '.join(by)}" if by else measure.replace("-", " ")
    title = title[0].upper() + title[1:]
    if measure in _PLAYS:
        frame = faced_frame(run) if {"floor", "card"} & set(by) else plays_frame(run)
        if "floor" in by:
            table = shares(frame, by, _PLAYS[measure], "plays", "plays")
            return Table(measure, title, table, "A share of the plays in each group.", share=True)
        dispersion = 1.0 if {"deal", "ply"} <= set(by) else 1.5  # one play a round: nothing depends on anything
        table, _ = per_round(frame, by, _PLAYS[measure], rounds, dispersion)
        return Table(measure, title, table, "A round; groups by ply a round in the role of that ply.")
    if measure in _ROUNDS:
        column, of = _ROUNDS[measure]
        return Table(measure, title, shares(rounds, by, column, of, of, dispersion=1.0), f"A share of the {of}.", share=True)
    sums = totals(rounds, by, [measure, "rounds"]).rename(columns={measure: "count", "rounds": "of"})
    sums = sums.assign(per="rounds", value=sums["count"] / sums["of"], low=float("nan"), high=float("nan"), expected=float("nan"))
    return Table(measure, title, pd.DataFrame(sums), "A round; exact sums, no interval (matches.csv has those of matches).")
