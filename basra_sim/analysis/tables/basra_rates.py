"""Basra frequency: by kind, seat, deal, ply, the card that made it and the floor that the other left."""

from __future__ import annotations

import pandas as pd

from basra_sim.analysis.statistics.shares import Table, against_exposure, per_round, shares, totals
from basra_sim.records.counters import RunTotals

from .counter_frames import BASRAS, CAPTURES, faced_frame, plays_frame, rounds_frame

LAW = "as many as the group's share of the strategy's plays"
_BY_PLAYS = (
    ("basras_by_role", ("role",), "Basras a round, as leader and as dealer"),
    ("basras_by_deal", ("deal",), "Basras a round in each deal"),
    ("basras_by_ply", ("ply",), "Basras a round at each ply of a deal"),
    ("basras_by_deal_and_ply", ("deal", "ply"), "Basras a round at each ply of the round"),
)


def by_kind(run: RunTotals) -> Table:
    """Basras a round of each kind."""
    plays, rounds = plays_frame(run), rounds_frame(run)
    rows = [
        per_round(plays, ["strategy"], kind, rounds)[0].assign(kind=kind.replace("_", " ")) for kind in (*BASRAS, "basras")
    ]
    frame = pd.concat(rows, ignore_index=True).replace({"kind": {"basras": "all"}})
    frame.insert(1, "kind", frame.pop("kind"))
    return Table("basras_by_kind", "Basras a round, by kind", frame, "Over all rounds of the strategy.")


def by_play(run: RunTotals) -> list[Table]:
    """Basras of all kinds by role, deal, ply, and deal and ply."""
    plays, rounds = plays_frame(run), rounds_frame(run)
    tables = []
    for name, groups, title in _BY_PLAYS:
        frame, exposure = per_round(plays, ["strategy", *groups], "basras", rounds)
        tests = against_exposure(frame, exposure)
        note = "The leader plays first, then by turns: a rate is a round in the role whose ply it is." if "ply" in groups else ""
        tables.append(Table(name, title, frame, note, LAW, tests=tests))
    return tables


def by_card(run: RunTotals) -> Table:
    """Basras a round by the card that made them (the komi apart)."""
    faced, rounds = faced_frame(run), rounds_frame(run)
    frame, exposure = per_round(faced, ["strategy", "card"], "basras", rounds)
    tests = against_exposure(frame, exposure)
    return Table("basras_by_card", "Basras a round, by the card that made them", frame,
                 "The komi is the seven of diamonds; 7 are the other three.", LAW, tests=tests)  # fmt: skip


def by_floor(run: RunTotals) -> Table:
    """Basras a play by the number of cards on the floor that the other left."""
    faced = faced_frame(run)
    frame = shares(faced, ["strategy", "floor"], "basras", "plays", "plays")
    tests = against_exposure(frame, frame["of"].to_numpy())
    return Table("basras_by_floor", "Basras by the cards on the floor before the play", frame,
                 "A share of the plays with that many cards on the floor (23: 23 or more).", LAW, share=True,
                 tests=tests)  # fmt: skip


def plays_by_kind(run: RunTotals) -> Table:
    """What a play is: laid, captured, swept or a basra, as shares of all plays."""
    plays = plays_frame(run)
    rows = [
        shares(plays, ["strategy"], kind, "plays", "plays").assign(kind=kind.replace("_", " ")) for kind in ("lay", *CAPTURES)
    ]
    frame = pd.concat(rows, ignore_index=True)
    frame.insert(1, "kind", frame.pop("kind"))
    return Table("plays_by_kind", "What the plays were", frame,
                 "A share of all plays. A sweep clears the floor and scores nothing; a lay captures nothing.",
                 share=True)  # fmt: skip


def captures_by_deal(run: RunTotals) -> Table:
    """Share of plays that capture, by deal and role, and cards that go to the pile with them."""
    frame = shares(plays_frame(run), ["strategy", "deal"], "captures", "plays", "plays")
    tests = against_exposure(frame, frame["of"].to_numpy())
    return Table("captures_by_deal", "Plays that capture, by deal", frame, "A share of the plays of that deal.", LAW, share=True,
                 tests=tests)


def cards_held(run: RunTotals) -> Table:
    """Cards of each rank that a strategy was dealt, a round: a check that pairing shared the cards out evenly.

    Law: with the seats swapped on the same packs both sides of a match hold the same cards over a pair, but for rounds
    that only one of its two games had. Expected is therefore the mean of both sides of the match.
    """
    faced, rounds = faced_frame(run), rounds_frame(run)
    frame, _ = per_round(faced, ["strategy", "card"], "plays", rounds)
    frame["low"] = frame["high"] = float("nan")
    whole = totals(faced, ["match", "card"], ["plays"])
    sizes = rounds.groupby("match")["rounds"].sum()
    whole["rate"] = whole["plays"] / whole["match"].map(sizes)
    weights = rounds.groupby(["strategy", "match"], sort=False)["rounds"].sum().reset_index()
    merged = weights.merge(whole[["match", "card", "rate"]], on="match")
    merged["expected"] = merged["rate"] * merged["rounds"]
    mean = merged.groupby(["strategy", "card"])[["expected", "rounds"]].sum()
    likely = (mean["expected"] / mean["rounds"]).rename("likely").reset_index()
    frame["expected"] = frame[["strategy", "card"]].merge(likely, how="left", on=["strategy", "card"])["likely"].to_numpy()
    return Table("cards_held", "Cards played a round, by rank", frame,
                 "Every card in a hand is played. Both sides of a match get the same packs from both seats.",
                 "the mean of both sides of each match")  # fmt: skip
