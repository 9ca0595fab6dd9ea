"""Runs that get more games or more strategies: the bytes of a run asked for all at once, also when killed on the way."""

from __future__ import annotations

import os
import shutil
import signal
import time

import pytest
from child_runs import bytes_of, ended, fresh, in_child, kill, pressed_at, wait_for
from click.testing import CliRunner

from basra_sim.cli import cli
from basra_sim.errors import BadInput, StrategyFault
from basra_sim.records import spool as spools
from basra_sim.records.run_folder import read_manifest, read_run
from basra_sim.runs.extending import extend
from basra_sim.runs.playing import Playing
from basra_sim.runs.resuming import resume

FIELD = ["random", "first", "greedy"]
TWINS = ["defensive", "defensive:card_point=4", "first"]  # the first two play alike, so their order is never decided


CASES = {
    "round robin, rounded up": ({"games": 200}, {"games": 301}),
    "games of a gauntlet": ({"games": 200, "tournament": "gauntlet"}, {"games": 300}),
    "two more, one of them there already": ({"games": 140, "field": ["greedy", "first"]}, {"add": ["greedy", "random"]}),
    "a gauntlet against two more": ({"games": 140, "tournament": "gauntlet"}, {"add": ["greedy", "random"], "games": 200}),
    "swiss": ({"games": 140, "tournament": "swiss", "field": [*FIELD, "random"]}, {"games": 260}),
    "knockout": ({"games": 140, "tournament": "knockout"}, {"games": 260}),
    "adaptive, cut short in its first looks": ({"games": 128, "tournament": "adaptive", "field": TWINS}, {"games": 300}),
    "adaptive": ({"games": 400, "tournament": "adaptive", "field": TWINS}, {"games": 1200}),
    "until": ({"games": 300, "until": "8%"}, {"games": 1500}),
    "sprt": ({"games": 640, "sprt": "elo0=30,elo1=36", "field": [*FIELD, "random"]}, {"games": 1200}),
    "sprt and one more": ({"games": 640, "sprt": "elo0=30,elo1=36"}, {"add": ["first"]}),
}  # fmt: skip


@pytest.mark.parametrize(("case", "records"), [(case, ("games", "rounds")[k % 2]) for k, case in enumerate(CASES)])
def test_an_extended_run_is_the_longer_run(tmp_path, case, records):
    asked, more = CASES[case]
    field = asked.get("field", FIELD)
    asked = {"records": records, "seed": 5, "chunk_pairs": 16} | {k: v for k, v in asked.items() if k != "field"}
    folder = fresh(tmp_path, "x", field, **asked)
    outcome = extend(folder, **more)
    assert outcome.error is None and not outcome.left_out
    at_once = fresh(tmp_path, "y", [*field, *more.get("add", [])], **asked | {"games": more.get("games", asked["games"])})
    assert bytes_of(folder) == bytes_of(at_once)
    assert not (folder / spools.UNFINISHED).exists()
    with pytest.raises(BadInput):
        extend(folder, games=more.get("games", asked["games"]))


def played_by(monkeypatch):
    """Pairs that are played from now on, by the name of the match."""
    played = {}
    absorb = Playing._absorb

    def note(self, chunk):
        name = self.state.matches[chunk.match].name
        played[name] = played.get(name, 0) + len(chunk.games)
        absorb(self, chunk)

    monkeypatch.setattr(Playing, "_absorb", note)
    return played


def test_only_what_is_missing_is_played(tmp_path, monkeypatch):
    folder = fresh(tmp_path, "x", ["random", "first"], games=200, seed=5)
    played = played_by(monkeypatch)
    extend(folder, add=["greedy"], games=300)
    assert played == {"random vs first": 50, "random vs greedy": 150, "first vs greedy": 150}
    played.clear()
    extend(folder, games=400)
    assert set(played.values()) == {50} and len(played) == 3


def test_a_tournament_that_turns_out_otherwise_keeps_what_it_can(tmp_path, monkeypatch):
    """One pair says that random goes on to the final, a hundred say that first does."""
    field = ["greedy", "first", "random"]
    asked = {"seed": 5, "tournament": "knockout", "records": "games"}
    folder = fresh(tmp_path, "x", field, games=2, **asked)
    played = played_by(monkeypatch)
    outcome = extend(folder, games=200)
    assert outcome.left_out == ["greedy vs random"] and played == {"first vs random": 99, "greedy vs first": 100}
    assert bytes_of(folder) == bytes_of(fresh(tmp_path, "y", field, games=200, **asked))


# ---------------------------------------------------------------------------------------------- killed
def die_at(moment):
    """End this process at its nth rename of a file, before it or after it in turn."""
    replace, count = os.replace, [0]

    def dying(*names):
        count[0] += 1
        if count[0] == (moment + 1) // 2 and moment % 2:
            os.kill(os.getpid(), signal.SIGKILL)
        replace(*names)
        if count[0] == moment // 2:
            os.kill(os.getpid(), signal.SIGKILL)

    os.replace = dying


def finish(folder, **more):
    """What a user does after a kill: resume, or extend again where the extension had not begun."""
    if not read_manifest(folder)["complete"]:
        resume(folder)
    elif read_manifest(folder)["games_per_match"] < more["games"]:
        extend(folder, **more)


@pytest.mark.parametrize(
    ("asked", "field", "more"),
    [
        ({"records": "games"}, ["random", "first"], {"games": 300, "add": ["greedy"]}),
        ({"records": "rounds", "tournament": "knockout"}, FIELD, {"games": 300}),
        ({"records": "games", "tournament": "adaptive"}, TWINS, {"games": 400}),
    ],
    ids=["round robin", "knockout", "adaptive"],
)
def test_killed_at_any_rename_it_goes_on(tmp_path, monkeypatch, asked, field, more):
    """Moments at which the folder changes its state, each tried alone: before or after every few renames."""
    asked = {"games": 140, "seed": 5} | asked
    start = fresh(tmp_path, "start", field, **asked)
    wanted = bytes_of(fresh(tmp_path, "y", [*field, *more.get("add", [])], **asked | {"games": more["games"]}))
    monkeypatch.setattr(Playing, "_size", lambda self, match: 40)
    moment, step = 1, 9  # odd: before a rename and after one in turn
    while True:
        folder = tmp_path / str(moment)
        shutil.copytree(start, folder)

        def work(folder=folder, moment=moment):
            die_at(moment)
            extend(folder, **more)

        killed = ended(in_child(work)) == -signal.SIGKILL
        finish(folder, **more)
        assert bytes_of(folder) == wanted, f"killed at {moment}"
        if not killed:
            break
        shutil.rmtree(folder)
        moment += step
    assert moment > 30


def test_killed_again_and_again(tmp_path, monkeypatch):
    """kill -9 at random moments of an extension with records, and of what goes on with it."""
    asked = {"games": 400, "seed": 5, "records": "games"}
    folder = fresh(tmp_path, "x", FIELD, **asked)
    longer = fresh(tmp_path, "y", [*FIELD, "random"], **asked | {"games": 6000})
    monkeypatch.setattr(Playing, "_size", lambda self, match: 64)
    state = folder / spools.UNFINISHED / spools.STATE
    child = in_child(lambda: extend(folder, games=6000, add=["random"]))
    wait_for(lambda: not read_manifest(folder)["complete"])
    for wait in (0.05, 0.1, 0.01):
        time.sleep(wait)
        if not kill(child):
            break
        before = state.stat().st_mtime_ns
        child = in_child(lambda: resume(folder))
        wait_for(lambda before=before: not state.exists() or state.stat().st_mtime_ns != before)
    else:
        kill(child)
    finish(folder, games=6000)
    assert bytes_of(folder) == bytes_of(longer)


def test_ctrl_c_leaves_tables_and_rows_that_agree(tmp_path, monkeypatch):
    import pyarrow.parquet as pq

    folder = fresh(tmp_path, "x", FIELD, games=140, seed=5, records="games")
    with pressed_at(3), monkeypatch.context() as patch:
        patch.setattr(Playing, "_size", lambda self, match: 20)
        outcome = extend(folder, games=300)
    assert isinstance(outcome.error, KeyboardInterrupt) and outcome.resumable
    partial = read_run(folder)
    assert [m.games for m in partial.matches] == [220, 140, 140]
    rows = pq.read_table(folder / "games.parquet").to_pandas()
    assert rows["match"].value_counts().tolist() == [220, 140, 140]
    with pytest.raises(BadInput, match=r"resume .* first"):
        extend(folder, games=300)
    resume(folder)
    assert bytes_of(folder) == bytes_of(fresh(tmp_path, "y", FIELD, games=300, seed=5, records="games"))


# ---------------------------------------------------------------------------------------------- what cannot be
def test_a_fault_in_an_extension_leaves_the_run_as_it_was(tmp_path, monkeypatch):
    bad = tmp_path / "bad.py"
    bad.write_text("def choose(view):\n    return 52\n")
    asked = {"games": 140, "seed": 5, "records": "games", "on_fault": "stop"}
    folder = fresh(tmp_path, "x", ["random", "first"], **asked)
    before = bytes_of(folder)
    outcome = extend(folder, games=200, add=[str(bad)])
    assert isinstance(outcome.error, StrategyFault) and outcome.put_back and not outcome.resumable
    assert bytes_of(folder) == before and not (folder / spools.UNFINISHED).exists()
    result = CliRunner().invoke(cli, ["extend", str(folder), "--add", str(bad)], standalone_mode=False)
    assert result.return_value == 3 and f"nothing was added, {folder} is as it was" in result.stderr
    extend(folder, games=200)
    assert bytes_of(folder) == bytes_of(fresh(tmp_path, "y", ["random", "first"], **asked | {"games": 200}))


@pytest.mark.parametrize(
    ("asked", "more", "text"),
    [
        ({}, {}, "say what to add"),
        ({}, {"games": 100}, "already has 140 games"),
        ({}, {"games": 139}, "already has 140 games"),
        ({}, {"add": ["gredy"]}, "greedy"),
        ({"tournament": "swiss"}, {"add": ["greedy"]}, "rounds are drawn from the whole field; start a new run"),
        ({"tournament": "knockout"}, {"add": ["greedy"]}, "bracket is drawn from the whole field; start a new run"),
        ({"tournament": "adaptive"}, {"add": ["greedy"]}, "depends on every match; start a new run"),
        ({"tournament": "adaptive"}, {"games": 1000}, "by its own rule: every order is decided"),
        ({"tournament": "adaptive", "games": 80}, {"games": 1000}, "too short for 64 pairs"),
        ({"sprt": "elo0=0,elo1=200"}, {"games": 1000}, "by its own rule, --sprt elo0=0,elo1=200, in every match"),
        ({"until": "20%"}, {"games": 1000}, "by its own rule, --until 20%, in every match"),
    ],
)
def test_what_cannot_be_extended_says_so(tmp_path, asked, more, text):
    folder = fresh(tmp_path, "x", ["random", "greedy"], **{"games": 140, "seed": 5} | asked)
    before = bytes_of(folder)
    with pytest.raises(BadInput, match=text) as error:
        extend(folder, **more)
    assert "\n" not in str(error.value) and bytes_of(folder) == before


def test_rows_that_are_not_all_there_are_not_added_to(tmp_path):
    folder = fresh(tmp_path, "x", ["random", "greedy"], games=140, seed=5, records="games")
    other = fresh(tmp_path, "y", ["random", "greedy"], games=160, seed=5, records="games")
    shutil.copy(other / "games.parquet", folder / "games.parquet")
    with pytest.raises(BadInput, match="has 160 rows and not 140"):
        extend(folder, games=200)
    (folder / "games.parquet").unlink()
    with pytest.raises(BadInput, match="is missing or damaged"):
        extend(folder, games=200)


def test_packs_that_were_given_cannot_become_more(tmp_path):
    from basra_sim.game.cards import card_text

    path = tmp_path / "packs.txt"
    path.write_text(" ".join(card_text(card) for card in range(52)) + "\n")
    folder = fresh(tmp_path, "x", ["random", "greedy"], packs=str(path), seed=1)
    with pytest.raises(BadInput, match="there are no more games to add"):
        extend(folder, games=100)
    extend(folder, add=["first"])
    assert bytes_of(folder) == bytes_of(fresh(tmp_path, "y", ["random", "greedy", "first"], packs=str(path), seed=1))
