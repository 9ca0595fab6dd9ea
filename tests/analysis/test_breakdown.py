"""Every analysis of a run of the compiled engine against games of the reference engine, counted ply by ply."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from judged import Judged, judged

from basra_sim.analysis.statistics.shares import Table
from basra_sim.analysis.tables.breakdown import analyze
from basra_sim.analysis.tables.chosen_groups import group
from basra_sim.engine.redealt import floor_dealer
from basra_sim.game.rules import PRESETS
from basra_sim.records.counters import RunTotals
from basra_sim.records.run_folder import read_run
from basra_sim.runs.running import run

BASRAS = ("basra", "komi_basra", "jack_basra")
PAIRS = 12


@pytest.fixture(scope="module", params=["egyptian-v2", "pagat"])
def case(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[RunTotals, dict[str, Table], Judged]:
    folder = tmp_path_factory.mktemp("run")
    run(["greedy", "first"], games=2 * PAIRS, seed=5, rules=request.param, folder=folder, records="rounds")
    totals = read_run(folder)
    tables, missing = analyze(totals, folder, floor_dealer(totals.seed, totals.rules))
    assert not missing
    return totals, {t.name: t for t in tables}, judged(PRESETS[request.param], PAIRS, 5, False)


def counts(table: Table, *by: str) -> dict[tuple, int]:
    return {tuple(row[name] for name in by): row["count"] for row in table.frame.to_dict("records") if row["count"]}


def tally(plies: pd.DataFrame, *by: str) -> dict[tuple, int]:
    return {(key if isinstance(key, tuple) else (key,)): int(n) for key, n in plies.groupby(list(by)).size().items()}


@pytest.mark.parametrize("name", ["role", "deal", "ply", "card", "floor"])
def test_basras_by(case: tuple, name: str) -> None:
    _, tables, truth = case
    made = truth.plies[truth.plies["kind"].isin(BASRAS)]
    assert counts(tables[f"basras_by_{name}"], "strategy", name) == tally(made, "strategy", name)


def test_denominators_and_expected(case: tuple) -> None:
    _, tables, truth = case
    plies, made = truth.plies, truth.plies[truth.plies["kind"].isin(BASRAS)]
    rounds = truth.rounds.groupby(["strategy", "role"]).size()
    for row in tables["basras_by_deal_and_ply"].frame.to_dict("records"):
        role = "leader" if row["ply"] % 2 == 0 else "dealer"
        assert row["of"] == rounds[row["strategy"], role]
        own = made[(made["strategy"] == row["strategy"]) & (made["deal"] == row["deal"]) & (made["ply"] == row["ply"])]
        assert row["count"] == len(own) and row["value"] == len(own) / row["of"]
    for row in tables["basras_by_card"].frame.to_dict("records"):
        mine = plies["strategy"] == row["strategy"]
        exposure = (plies["card"][mine] == row["card"]).mean()
        assert row["of"] == truth.rounds["strategy"].eq(row["strategy"]).sum()
        assert row["expected"] == pytest.approx((made["strategy"] == row["strategy"]).sum() * exposure / row["of"])


def test_kinds_of_plays_first_plays_and_captures(case: tuple) -> None:
    _, tables, truth = case
    plies = truth.plies.assign(kind=truth.plies["kind"].str.replace("_", " "))
    assert counts(tables["plays_by_kind"], "strategy", "kind") == tally(plies, "strategy", "kind")
    first = plies[(plies["deal"] == 0) & (plies["ply"] < 2)]
    assert counts(tables["first_plays"], "strategy", "role", "kind") == tally(first, "strategy", "role", "kind")
    assert counts(tables["captures_by_deal"], "strategy", "deal") == tally(plies[plies["kind"] != "lay"], "strategy", "deal")


def test_floors(case: tuple) -> None:
    _, tables, truth = case
    assert counts(tables["floors_faced"], "strategy", "floor") == tally(truth.plies, "strategy", "floor")
    means = truth.plies.groupby(["deal", "ply"])["floor"].mean()
    for row in tables["floor_through_round"].frame.to_dict("records"):
        assert row["value"] == pytest.approx(means[row["deal"], row["ply"]])


def test_cards_held(case: tuple) -> None:
    _, tables, truth = case
    assert counts(tables["cards_held"], "strategy", "card") == tally(truth.plies, "strategy", "card")


def test_points_by_source(case: tuple) -> None:
    totals, tables, truth = case
    points = {kind: totals.rules[f"{kind}_points"] for kind in BASRAS}
    frame = tables["points"].frame
    for (strategy, role), own in truth.rounds.groupby(["strategy", "role"]):
        rows = frame[(frame["strategy"] == strategy) & (frame["role"] == role)].set_index("source")["count"]
        plies = truth.plies[(truth.plies["strategy"] == strategy) & (truth.plies["role"] == role)]
        assert rows["majority"] == own["majority"].sum()
        for kind in BASRAS:
            assert rows[kind.replace("_", " ")] == points[kind] * (plies["kind"] == kind).sum()
        assert rows.get("cards", 0) == own["card_points"].sum()
        assert rows.sum() == own["points"].sum()
    both = frame[frame["role"] == "both"].groupby("strategy")["count"].sum()
    assert both.to_dict() == truth.rounds.groupby("strategy")["points"].sum().to_dict()


def test_results_by_seat_and_majority(case: tuple) -> None:
    _, tables, truth = case
    rounds, games = truth.rounds, truth.games
    won = rounds[rounds["points"] > rounds["other_points"]]
    assert counts(Table("", "", _only(tables["rounds_won"], "won")), "strategy", "role") == tally(won, "strategy", "role")
    level = rounds[rounds["points"] == rounds["other_points"]]
    assert counts(Table("", "", _only(tables["rounds_won"], "level")), "strategy", "role") == tally(level, "strategy", "role")
    better = games[games["points"] > games["other_points"]]
    assert counts(Table("", "", _only(tables["games_won"], "won")), "strategy", "role") == tally(better, "strategy", "role")
    for outcome, column in (("won", "won_majority"), ("nobody", "nobody")):
        chosen = tally(rounds[rounds[column]], "strategy", "role")
        assert counts(Table("", "", _only(tables["majority"], outcome)), "strategy", "role") == chosen


def _only(table: Table, outcome: str) -> pd.DataFrame:
    return table.frame[table.frame["outcome"] == outcome]


def test_lengths_and_margins(case: tuple) -> None:
    _, tables, truth = case
    one = truth.games[truth.games["strategy"] == "greedy"]
    assert counts(tables["lengths"], "rounds") == tally(one, "rounds")
    rounds = truth.rounds[truth.rounds["strategy"] == "greedy"]
    rounds = rounds.assign(margin=rounds["points"] - rounds["other_points"])
    assert counts(tables["round_margins"], "role", "points") == tally(rounds, "role", "margin")
    pairs = one.assign(margin=one["points"] - one["other_points"]).groupby("pair")["margin"].sum().reset_index()
    assert counts(tables["pair_margins"], "points") == tally(pairs, "margin")


def test_opening_floors(case: tuple) -> None:
    totals, tables, truth = case
    rounds = truth.rounds[truth.rounds["role"] == "leader"]
    cards = rounds["first_floor"].map(lambda mask: [c for c in range(52) if mask >> c & 1])
    margin = rounds["points"] - rounds["other_points"]
    ours = {
        "opening_pictures": cards.map(lambda some: sum(c // 4 >= 10 for c in some)),
        "opening_pips": cards.map(lambda some: sum(c // 4 + 1 for c in some if c < 40) // 5 * 5),
        "opening_basra_ranks": cards.map(lambda some: _basra_ranks(totals, some)),
    }
    for name, value in ours.items():
        frame = tables[name].frame.set_index("floor")
        assert frame["of"].to_dict() == value.value_counts().sort_index().to_dict()
        assert frame["count"].to_dict() == margin.groupby(value).sum().to_dict()
        assert frame["expected"].iloc[0] == pytest.approx(margin.mean())


def _basra_ranks(totals: RunTotals, floor: list[int]) -> int:
    from basra_sim.game.judge_captures import captured, kind_of
    from basra_sim.game.rules import RuleSet

    rules = RuleSet(**totals.rules)
    ranks = set()
    for card in range(52):
        if card in floor or card == 25:
            continue
        taken = captured(rules, floor, card)
        if kind_of(rules, floor, card, taken) >= 3:
            ranks.add(card // 4)
    return len(ranks)


@pytest.mark.parametrize("groups", ["", "strategy", "role", "opponent deal", "ply", "strategy role deal", "match ply deal"])
def test_groups_of_plays(case: tuple, groups: str) -> None:
    by = groups.split()
    totals, _, truth = case
    plies = truth.plies.assign(match="greedy vs first")
    for measure, kinds in (("captures", None), ("komi-basras", ("komi_basra",)), ("lays", ("lay",))):
        table = group(totals, by, measure).frame
        chosen = plies[plies["kind"] != "lay"] if kinds is None else plies[plies["kind"].isin(kinds)]
        if not by:
            assert table["count"].tolist() == [len(chosen)]
        else:
            found = {tuple(row[n] for n in by): row["count"] for row in table.to_dict("records") if row["count"]}
            assert found == tally(chosen, *by)


def test_groups_of_floors_and_rounds(case: tuple) -> None:
    totals, _, truth = case
    made = truth.plies[truth.plies["kind"].isin(BASRAS)]
    for by in (["card"], ["floor", "card"], ["opponent", "floor"]):
        table = group(totals, by).frame
        assert {tuple(r[n] for n in by): r["count"] for r in table.to_dict("records") if r["count"]} == tally(made, *by)
    points = group(totals, ["strategy", "role"], "points").frame.set_index(["strategy", "role"])["count"]
    assert points.to_dict() == truth.rounds.groupby(["strategy", "role"])["points"].sum().to_dict()
    cards = group(totals, ["strategy"], "cards").frame.set_index("strategy")["count"]
    assert cards.to_dict() == truth.rounds.groupby("strategy")["cards"].sum().to_dict()


def test_rows_over_several_row_groups_are_the_same(case: tuple, tmp_path: Path) -> None:
    """A pair that goes on in the next row group is still one pair."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    from basra_sim.analysis.tables.opening_floor import opening_worth

    totals, tables, truth = case
    rows = truth.rounds[truth.rounds["role"] == "leader"]
    table = pa.table({"match": pa.array(["greedy vs first"] * len(rows)).dictionary_encode(), "pair": pa.array(rows["pair"]),
                      "round": pa.array(rows["round"]), "points_leader": pa.array(rows["points"]),
                      "points_dealer": pa.array(rows["other_points"])})  # fmt: skip
    pq.write_table(table, tmp_path / "rounds.parquet", row_group_size=5)
    for one in opening_worth(totals, tmp_path, floor_dealer(totals.seed, totals.rules)):
        pd.testing.assert_frame_equal(one.frame, tables[one.name].frame)
    assert np.isfinite(tables["opening_pictures"].frame["value"]).all()
