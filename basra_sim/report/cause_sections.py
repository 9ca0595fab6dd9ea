"""The section on where results come from: points by source, basras by kind, deal, card, and the floor."""

from __future__ import annotations

from functools import partial
from typing import Any

import pandas as pd

from basra_sim import plots
from basra_sim.analysis.statistics.intervals import estimate_of
from basra_sim.analysis.statistics.shares import Table
from basra_sim.analysis.text.number_words import fixed, number, p_text
from basra_sim.pages.page_parts import Picture, Section, Text

from .ranked_rows import best_matches_first, ranked, rounds_each
from .result_grids import grid_of

Tables = dict[str, Table]


def where(summary: dict[str, Any], tables: Tables) -> Section:
    """Points by source, basras, floors; pictures first, tables folded below."""
    order = [row["strategy"] for row in summary["ranking"]]
    section = Section("where", "Where it comes from").add(_points_text(summary))
    return section.add(*_points(tables, order), *_basras(tables, order), *_floors(summary, tables, order), *_opening(tables))


def _points(tables: Tables, order: list[str]) -> list[Any]:
    """Points by source, the majority of cards, kinds of basra."""
    points = tables["points"].frame
    both = ranked(points[points["role"] == "both"], order)
    return [
        Picture("sources", "Points a round of each strategy, by source", _source_caption(both),
                partial(plots.sources, both, size=rounds_each(both))),
        grid_of(tables["points"], "Points a round, by source and role", across="source"),
        grid_of(tables["majority"], "The majority of cards: won, and nobody's"),
        grid_of(tables["basras_by_kind"], folded=False, across="kind"),
    ]  # fmt: skip


def _basras(tables: Tables, order: list[str]) -> list[Any]:
    """Basras by deal, ply and card."""
    deal = ranked(tables["basras_by_deal"].frame, order)
    ply = ranked(tables["basras_by_deal_and_ply"].frame, order)
    card = ranked(tables["basras_by_card"].frame, order)
    return [
        Picture("basras-by-deal", "Basras a round in each of the six deals", _deal_caption(deal),
                partial(plots.basras_by_deal, deal, size=rounds_each(deal))),
        Picture("basras-by-ply", "Basras at each of the 48 plies of a round",
                "Each ply belongs to one seat, the leader's are the odd ones: a zigzag within a deal is a difference between the "
                "seats. Bands are 95 % intervals.", partial(plots.basras_by_ply, ply, size=rounds_each(ply))),
        Picture("deal-by-ply", f"Basras in 100 rounds at each deal and ply, {order[0]}", _grid_caption(ply, order[0]),
                partial(plots.deal_by_ply, ply[ply["strategy"] == order[0]],
                        title=f"{plots.style.short(order[0])}: basras by deal and ply")),
        Picture("basras-by-card", "Basras a round by the card that made them", _card_caption(card, order[0]),
                partial(plots.basras_by_card, card, size=rounds_each(card))),
        grid_of(tables["basras_by_deal"]), grid_of(tables["basras_by_card"]), grid_of(tables["basras_by_floor"]),
        _p_note(tables["basras_by_deal"]),
    ]  # fmt: skip


def _floors(summary: dict[str, Any], tables: Tables, order: list[str]) -> list[Any]:
    """The floor through a round, and what was played on it."""
    floor = best_matches_first(tables["floor_through_round"].frame, summary)
    return [
        Picture("floor", "Mean number of floor cards before each ply of a round",
                _floor_caption(tables["basras_by_floor"].frame, order[0]), partial(plots.floor_through_round, floor)),
        grid_of(tables["floors_faced"]), grid_of(tables["first_plays"]), grid_of(tables["plays_by_kind"], across="kind"),
        grid_of(tables["captures_by_deal"]),
        grid_of(tables["cards_held"], "Cards played a round, by rank: pairing shares them out"),
    ]  # fmt: skip


def _points_text(summary: dict[str, Any]) -> str:
    """Who scores most, for the head of the sources."""
    rows = [row for row in summary["ranking"] if row["games"]]
    if not rows:
        return ""
    most = max(rows, key=lambda row: row["points_per_round"])
    return f"{most['strategy']} scores most: {number(estimate_of(most, 'points_per_round'))} points a round."


def _opening(tables: Tables) -> list[Any]:
    """What the opening floor is worth, where the run can tell."""
    found = [tables[name] for name in ("opening_pictures", "opening_basra_ranks", "opening_pips") if name in tables]
    if not found:
        return []
    mean = fixed(float(found[0].frame["expected"].iloc[0]), 1, signed=True)
    rounds = f"{int(found[0].frame['of'].sum()):,} rounds"
    part = found[0].note.partition("Read: ")[2].partition(", from")[0]  # where not all rounds were read
    text = (
        "What the opening floor is worth to the leader: points of the leader minus points of the dealer, a round, by what lay on "
        f"the floor. Over all floors it is {mean}; what a floor is worth is the difference to that ({part or rounds})."
    )
    return [Text(text), *(grid_of(table) for table in found)]


def _floor_caption(frame: pd.DataFrame, name: str) -> str:
    own = frame[frame["strategy"] == name].set_index("floor")["count"]
    text = "A round opens with four cards. The fewer cards the other leaves, the more often one card takes them all"
    if not own.sum():
        return text + "."
    share = own.reindex([1, 2]).sum() / own.sum()
    return f"{text}: {fixed(100 * float(share), 0)} % of the basras of {name} were made on one or two cards."


def _source_caption(frame: pd.DataFrame) -> str:
    rows = frame.groupby("source", sort=False)["value"]
    wide = (rows.max() - rows.min()).sort_values(ascending=False)
    if frame["strategy"].nunique() < 2 or wide.iloc[0] <= 0:
        return "Each bar is one strategy; the number at its end is the sum. The points are exact sums over all rounds."
    most = {"majority": "the majority of cards", "cards": "card points"}.get(str(wide.index[0]), f"{wide.index[0]}s")
    return (
        f"Each bar is one strategy; the number at its end is the sum. They differ most in {most}: by "
        f"{fixed(float(wide.iloc[0]), 1)} points a round between the extremes."
    )


def _deal_caption(frame: pd.DataFrame) -> str:
    first = frame["strategy"].iloc[0]
    rows = frame[frame["strategy"] == first].set_index("deal")
    own = rows["value"]
    most, least = int(own.idxmax()), int(own.idxmin())
    if not rows["low"][most] > rows["high"][least]:
        return f"The deals of {first} do not differ beyond their 95 % intervals (the lines); dotted: if every deal were alike."
    return (
        f"{first} makes most in deal {most + 1} and fewest in deal {least + 1}. Lines are 95 % intervals; dotted: if every "
        "deal were alike."
    )


def _grid_caption(frame: pd.DataFrame, name: str) -> str:
    own = frame[frame["strategy"] == name]
    top = own.sort_values("value", kind="stable").iloc[-1]
    if not top["low"] > own["value"].mean():
        return f"Dark: often. Too few rounds to say at which ply {name} makes most."
    often = fixed(100 * float(top["value"]), 1)
    return (
        f"Dark: often. {name} makes most at ply {int(top['ply']) + 1} of deal {int(top['deal']) + 1}: in {often} of 100 rounds "
        "in that role."
    )


def _card_caption(frame: pd.DataFrame, name: str) -> str:
    own = frame[(frame["strategy"] == name) & (frame["expected"] > 0)]
    if not len(own):
        return "A round has four cards of each rank; the komi is one of the sevens."
    times = own["value"] / own["expected"]
    top = own.assign(times=times).sort_values("times", kind="stable").iloc[-1]
    if not top["low"] > top["expected"]:
        return "A round has four cards of each rank, one of the sevens is the komi. Too few basras to say which card makes most."
    return (
        f"A round has four cards of each rank, one of the sevens is the komi. Played by {name}, the {_card_word(top['card'])} "
        f"makes a basra {fixed(float(top['times']), 1)} times as often as its share of the plays would give."
    )


def _card_word(card: str) -> str:
    return {"komi": "komi", "A": "ace", "T": "10", "J": "jack", "Q": "queen", "K": "king"}.get(card, card)


def _p_note(table: Table) -> Text | None:
    told = [f"{test['strategy']} {p_text(test['p'])}" for test in table.tests if test["p"] is not None][:6]
    if not told:
        return None
    return Text(
        f"If all deals were alike for a strategy, differences as large would have these probabilities: {'; '.join(told)}.", "note"
    )
