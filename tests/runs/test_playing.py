"""A Ctrl-C at any moment leaves whole chunks: files that agree with each other, and a run that can be taken up again."""

from __future__ import annotations

import os
import signal
import threading

import pandas as pd
import pytest

from basra_sim.records import row_writers as parquet
from basra_sim.records.run_folder import read_run
from basra_sim.runs import playing, run_state
from basra_sim.runs import row_recording as recording
from basra_sim.runs.playing import held
from basra_sim.runs.resuming import resume
from basra_sim.runs.run_settings import Settings
from basra_sim.runs.running import run


def press() -> None:
    os.kill(os.getpid(), signal.SIGINT)


def test_a_held_interrupt_comes_at_the_end():
    done = []
    with pytest.raises(KeyboardInterrupt), held():
        press()
        done.append("all of it")
    assert done == ["all of it"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_nothing_is_held_where_the_program_has_a_handler_of_its_own():
    seen = []
    before = signal.signal(signal.SIGINT, lambda *_: seen.append(True))
    try:
        with held():
            press()
            assert seen == [True]
    finally:
        signal.signal(signal.SIGINT, before)


def test_nothing_is_held_in_another_thread():
    failed = []

    def work() -> None:
        try:
            with held():
                pass
        except BaseException as error:
            failed.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert failed == []


def test_an_exception_goes_first_and_the_handler_comes_back():
    with pytest.raises(ValueError), held():
        raise ValueError
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


PLACES = [(recording.Recorder, "add"), (playing.Playing, "_tell"), (run_state.RunState, "save"), (parquet.GamesWriter, "_flush")]


@pytest.mark.parametrize(("owner", "name"), PLACES, ids=[name for _, name in PLACES])
@pytest.mark.parametrize("when", ["before", "after"])
def test_the_files_agree_wherever_it_strikes(owner, name, when, monkeypatch, tmp_path):
    """Ctrl-C just before or after each step in which a chunk is taken in; then the rest is played."""
    monkeypatch.setattr(parquet, "ROW_GROUP", 64)  # so that the records are written on the way
    whole = tmp_path / "whole"
    whole.mkdir()
    wanted = run(("greedy", "random"), Settings(games=400, seed=5, records="games", chunk_pairs=20), folder=whole)
    step, calls = getattr(owner, name), []

    def struck(*words):
        calls.append(None)
        if len(calls) == 3 and when == "before":
            press()
        result = step(*words)
        if len(calls) == 3 and when == "after":
            press()
        return result

    folder = tmp_path / "run"
    folder.mkdir()
    monkeypatch.setattr(owner, name, struck)
    outcome = run(("greedy", "random"), Settings(games=400, seed=5, records="games", chunk_pairs=20), folder=folder)
    assert isinstance(outcome.error, KeyboardInterrupt)
    games = pd.read_parquet(folder / "games.parquet")
    match = read_run(folder).matches[0]
    assert 0 < match.games == len(games) < 400
    assert games["rounds"].sum() == match.rounds
    assert games["pair"].tolist() == [k // 2 for k in range(len(games))]
    monkeypatch.setattr(owner, name, step)
    assert resume(folder).totals.digest == wanted.totals.digest
    for file in ("games.parquet", "counts.parquet", "matches.csv"):
        assert (folder / file).read_bytes() == (whole / file).read_bytes()
