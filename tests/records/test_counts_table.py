"""counts.parquet: counters of any content come back, and the table is one that others can read."""

from __future__ import annotations

import numpy as np
import pyarrow.parquet as pq
from hypothesis import given, settings
from hypothesis import strategies as st
from made_runs import Round, count_match, make_run, same_totals

from basra_sim.records.counters import ARRAY_FIELDS, MatchTotals
from basra_sim.records.counts_table import COLUMNS, TABLES, counts_bytes, read_counts

# a pair of single rounds: x leads and makes two basras and a komi basra, 50-20; then y leads, 40-10, a basra each
SAMPLE = [([Round(0, (50, 20), (30, 22), (2, 0), (1, 0))], [Round(1, (10, 40), (22, 30), (1, 1))])]


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 2**32), st.floats(0.001, 0.9))
def test_any_counters_survive_the_parquet_file(tmp_path_factory, seed, density):
    rng = np.random.default_rng(seed)
    matches = [MatchTotals("p", "q"), MatchTotals("r", "p"), MatchTotals("q", "q#2", margin_unit=3)]
    for m in matches:
        for name in ARRAY_FIELDS:
            array = getattr(m, name)
            array[...] = rng.integers(1, 2**60, array.shape) * (rng.random(array.shape) < density)
    path = tmp_path_factory.mktemp("counts") / "counts.parquet"
    path.write_bytes(counts_bytes(matches))
    back = [MatchTotals(m.a, m.b, margin_unit=m.margin_unit) for m in matches]
    read_counts(path, back)
    assert all(same_totals(x, y) for x, y in zip(back, matches, strict=True))


def test_counts_are_tidy(tmp_path):
    run = make_run(["x", "y"], [count_match("x", "y", SAMPLE)])
    (tmp_path / "counts.parquet").write_bytes(counts_bytes(run.matches))
    frame = pq.read_table(tmp_path / "counts.parquet").to_pandas()
    assert tuple(frame.columns) == COLUMNS and set(frame["table"].astype(str)) == set(TABLES) - {"group_margins", "forfeits"}
    plays = frame[frame["table"] == "plays"]
    basras = plays[plays["kind"].astype(str).str.endswith("basra")]
    assert basras.groupby("strategy", observed=True)["count"].sum().to_dict() == {"x": 4, "y": 1}
    assert basras["taken"].sum() == 10
    assert (plays["role"] == "dealer").tolist() == (plays["ply"] % 2 == 1).tolist()  # the dealer plays plies 1 3 5 7
    assert basras.groupby("role", observed=True)["count"].sum().to_dict() == {"leader": 4, "dealer": 1}
    points = frame[frame["table"] == "points"].set_index(["strategy", "role"])["count"]
    assert points["x", "leader"] == 50 and points["x", "dealer"] == 10
    assert points["y", "dealer"] == 20 and points["y", "leader"] == 40
    margins = frame[frame["table"] == "round_margins"].set_index("role")["value"]
    assert margins["leader"] == 30 and margins["dealer"] == -30
    assert frame[frame["table"] == "pair_margins"]["value"].tolist() == [0]
    assert frame[frame["table"] == "lengths"]["value"].tolist() == [1]
