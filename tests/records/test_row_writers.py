"""games.parquet and rounds.parquet: columns, content, the same bytes for any chunk size, size, a full disk."""

from __future__ import annotations

import errno
import hashlib
import os
import random

import numpy as np
import pyarrow.parquet as pq
import pytest
from made_runs import random_game

from basra_sim.errors import BasraError
from basra_sim.records.counters import GAME_DTYPE, ROUND_DTYPE
from basra_sim.records.row_writers import ROW_GROUP, GamesWriter, RoundsWriter

GAME_COLUMNS = [
    "match", "pair", "game", "a_seat", "first_dealer", "rounds", "winner", "score_a", "score_b", "cards_a", "cards_b",
    "basras_a", "basras_b", "komi_basras_a", "komi_basras_b", "jack_basras_a", "jack_basras_b",
]  # fmt: skip
ROUND_COLUMNS = [
    "match", "pair", "game", "round", "leader", "dealer", "points_leader", "points_dealer", "cards_leader",
    "cards_dealer", "basras_leader", "basras_dealer", "komi_basras_leader", "komi_basras_dealer",
    "jack_basras_leader", "jack_basras_dealer",
]  # fmt: skip


def realistic_games(n, seed):
    """Games with about the spread of real ones: n drawn out of a thousand different ones, shuffled."""
    rng = random.Random(seed)
    few = np.zeros(1000, GAME_DTYPE)
    for row in few:
        rounds = random_game(rng, rng.randrange(2), 0.5, False)
        for side, name in enumerate("ab"):
            row[f"score_{name}"] = sum(r.points[side] for r in rounds)
            row[f"cards_{name}"] = sum(r.cards[side] for r in rounds)
            for field, events in (("basras", "basras"), ("komi_basras", "komi"), ("jack_basras", "jack")):
                row[f"{field}_{name}"] = sum(getattr(r, events)[side] for r in rounds)
        row["rounds"] = len(rounds)
        row["winner"] = int(row["score_b"] > row["score_a"])
        row["first_dealer"] = 1 - rounds[0].leader
    games = few[np.random.default_rng(seed).integers(0, 1000, n)]
    games["a_seat"] = np.arange(n) & 1
    return games


def write_games(path, games, chunk):
    writer = GamesWriter(path, ["p vs q", "p vs r"])
    half = len(games) // 2
    for match, part in (("p vs q", games[:half]), ("p vs r", games[half:])):
        for start in range(0, len(part), chunk):
            writer.append(match, start // 2, part[start : start + chunk])
    writer.close()
    return path.read_bytes()


def test_games_are_the_same_bytes_for_any_chunk_and_small(tmp_path):
    games = realistic_games(200_000, 1)
    written = {hashlib.sha256(write_games(tmp_path / f"{c}.parquet", games, c)).hexdigest() for c in (998, 65_536, 10**6)}
    assert len(written) == 1
    assert (tmp_path / "998.parquet").stat().st_size <= 6 * len(games)
    file = pq.ParquetFile(tmp_path / "998.parquet")
    sizes = [file.metadata.row_group(i).num_rows for i in range(file.num_row_groups)]
    assert sizes == [ROW_GROUP] * 3 + [200_000 - 3 * ROW_GROUP]
    assert file.schema_arrow.metadata[b"format_version"] == b"1"


def test_games_hold_what_was_given(tmp_path):
    games = realistic_games(4000, 2)
    games["winner"][:3] = [0, 1, 2]
    games["first_dealer"][:2] = [0, 1]
    write_games(tmp_path / "games.parquet", games, 300)
    frame = pq.read_table(tmp_path / "games.parquet").to_pandas()
    assert list(frame.columns) == GAME_COLUMNS
    assert frame["match"].astype(str).tolist() == ["p vs q"] * 2000 + ["p vs r"] * 2000
    assert frame["pair"].tolist() == [i // 2 for i in range(2000)] * 2
    assert frame["game"].tolist() == [0, 1] * 2000
    assert frame["winner"].astype(str).tolist()[:3] == ["a", "b", "draw"]
    assert frame["first_dealer"].astype(str).tolist()[:2] == ["a", "b"]
    for name in GAME_COLUMNS[7:]:
        assert (frame[name].to_numpy() == games[name]).all(), name


def test_rounds_hold_what_was_given(tmp_path):
    rng = np.random.default_rng(3)
    rounds = np.zeros(70_000, ROUND_DTYPE)
    for name in ROUND_DTYPE.names:
        rounds[name] = rng.integers(0, 30, len(rounds))
    rounds["leader"] &= 1
    rounds["pair"] = np.arange(len(rounds)) // 6 + 2**40
    bytes_seen = set()
    for chunk in (777, 70_000):
        path = tmp_path / f"{chunk}.parquet"
        with RoundsWriter(path, ["p vs p#2", "q vs p"], ["p", "p#2", "q"]) as writer:
            for start in range(0, len(rounds), chunk):
                writer.append("q vs p", "q", "p", rounds[start : start + chunk])
        bytes_seen.add(path.read_bytes())
    assert len(bytes_seen) == 1
    frame = pq.read_table(path).to_pandas()
    assert list(frame.columns) == ROUND_COLUMNS
    leads = rounds["leader"] == 0
    assert ((frame["leader"] == "q") == leads).all() and ((frame["dealer"] == "p") == leads).all()
    assert set(frame["match"].astype(str)) == {"q vs p"}
    for name in ("pair", "game", "round", *ROUND_COLUMNS[6:]):
        assert (frame[name].to_numpy() == rounds[name]).all(), name


def test_no_rows_make_a_readable_file_and_abort_none(tmp_path):
    GamesWriter(tmp_path / "empty.parquet", ["p vs q"]).close()
    assert pq.read_table(tmp_path / "empty.parquet").num_rows == 0
    writer = GamesWriter(tmp_path / "gone.parquet", ["p vs q"])
    writer.append("p vs q", 0, np.zeros(10, GAME_DTYPE))
    assert not (tmp_path / "gone.parquet").exists()  # only a whole file has the name
    writer.abort()
    writer.close()
    assert [p.name for p in tmp_path.iterdir()] == ["empty.parquet"]


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full on this system")
def test_a_full_disk_is_one_clear_line(tmp_path):
    (tmp_path / "games.parquet.part").symlink_to("/dev/full")
    with pytest.raises(BasraError) as error:
        GamesWriter(tmp_path / "games.parquet", ["p vs q"])
    assert "no space left on the disk" in str(error.value) and "\n" not in str(error.value)
    assert list(tmp_path.iterdir()) == []


def test_a_disk_that_fills_up_later_is_one_clear_line(tmp_path, monkeypatch):
    writer = GamesWriter(tmp_path / "games.parquet", ["p vs q"])

    def full(*_, **__):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(writer._writer, "write_table", full)
    with pytest.raises(BasraError, match="no space left on the disk"):
        writer.append("p vs q", 0, np.zeros(ROW_GROUP, GAME_DTYPE))
    writer.abort()
    assert list(tmp_path.iterdir()) == []
