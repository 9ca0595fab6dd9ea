"""The same inputs give the same digest and the same bytes, however the work is cut up and whoever does it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from judging import STRATEGIES

from basra_sim.runs.run_settings import Settings
from basra_sim.runs.running import run

THREE = ("every-field", "greedy", "random")
SAME = ("matches.csv", "counts.parquet", "totals.json", "games.parquet", "rounds.parquet")


def play(folder: Path, strategies=THREE, **settings):
    """(digest, bytes of the files that hold no time) of a run in a new folder."""
    folder.mkdir()
    asked = {"games": 60, "seed": 77, "records": "games", "strategies": [STRATEGIES], "on_fault": "stop"} | settings
    outcome = run(strategies, Settings(**asked), folder=folder)
    assert outcome.error is None, outcome.error
    files = {name: (folder / name).read_bytes() for name in SAME if (folder / name).exists()}
    return outcome.totals.digest, files


@pytest.fixture(scope="module")
def usual(tmp_path_factory):
    """The run that the others are compared with: one worker, one chunk a match."""
    folder = tmp_path_factory.mktemp("usual")
    return {records: play(folder / records, records=records, chunk_pairs=4096) for records in ("games", "rounds")}


@pytest.mark.parametrize("jobs", [1, 2, 8])
@pytest.mark.parametrize(("chunk_pairs", "records"), [(1, "rounds"), (7, "games"), (None, "rounds"), (None, "games")])
def test_workers_and_chunks(jobs, chunk_pairs, records, usual, tmp_path):
    assert play(tmp_path / "run", jobs=jobs, chunk_pairs=chunk_pairs, records=records) == usual[records]


@pytest.mark.parametrize("jobs", [pytest.param(1, marks=pytest.mark.slow), 2])
def test_processes_that_forgive_faults(jobs, tmp_path):
    """Strategies that are not built in play in processes of their own there: the games are the same."""
    _, files = play(tmp_path / "one", games=40, records="rounds")
    _, forgiving = play(tmp_path / "two", games=40, records="rounds", on_fault="forfeit", jobs=jobs, chunk_pairs=8)
    assert files == forgiving


def test_interpreted(usual, tmp_path):
    digest, files = play(tmp_path / "one", games=6, records="rounds")
    interpreted = play(tmp_path / "two", games=6, records="rounds", interpret=True, jobs=2, chunk_pairs=1)
    assert interpreted == (digest, files)


def test_what_is_recorded_does_not_matter(usual, tmp_path):
    digest = usual["games"][0]
    assert usual["rounds"][0] == digest
    assert play(tmp_path / "none", records="none")[0] == digest
    assert usual["games"][1]["matches.csv"] == usual["rounds"][1]["matches.csv"]
    assert usual["games"][1]["counts.parquet"] == usual["rounds"][1]["counts.parquet"]


def start(folder: Path, *words: str, **env: str) -> subprocess.Popen:
    command = [sys.executable, "-m", "basra_sim", "run", "every-field", "greedy", "--strategies", str(STRATEGIES), "--seed", "9"]
    command += ["--format", "json", "--out", str(folder), "--quiet", "--records", "rounds", *words]
    return subprocess.Popen(command, env=os.environ | env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def outcome_of(process: subprocess.Popen, folder: Path):
    out, err = process.communicate(timeout=240)
    assert process.returncode == 0, err
    return json.loads(out)["digest"], {name: (folder / name).read_bytes() for name in SAME if (folder / name).exists()}


def test_two_processes_at_once_and_one_without_compiling(tmp_path):
    """Even those that share the cache folder; and the kernels as plain Python."""
    words = ("--games", "4")
    settings = [("a", {}), ("b", {}), ("c", {"NUMBA_DISABLE_JIT": "1"})]
    started = [(start(tmp_path / name, *words, **env), tmp_path / name) for name, env in settings]
    one, two, plain = (outcome_of(process, folder) for process, folder in started)
    assert one == two == plain


def test_the_digest_covers_every_input(tmp_path):
    """It changes with the seed, the rules, the games, the unit, a strategy's file and its parameters."""
    mine = tmp_path / "mine.py"
    text = "from basra_sim.view import lowest\nPARAMETERS = {'x': (1, 0, 9, 'nothing')}\n"
    text += "def choose(view):\n    return lowest(view.hand)\n"
    mine.write_text(text)
    changes = {
        "nothing": {},
        "seed": {"seed": 78},
        "games": {"games": 22},
        "a rule": {"set": ["target=51"]},
        "the rules": {"rules": "egyptian-v1"},
        "the unit": {"unit": "round"},
        "order": {"strategies_": ("greedy", str(mine))},
        "a parameter": {"strategies_": (f"{mine}:x=2", "greedy")},
    }
    digests = {}
    for name, change in changes.items():
        settings = {"games": 20, "records": "none"} | change
        strategies = settings.pop("strategies_", (str(mine), "greedy"))
        digests[name] = play(tmp_path / name, strategies, **settings)[0]
    mine.write_text(text + "# a comment\n")
    digests["the file"] = play(tmp_path / "the file", (str(mine), "greedy"), games=20, records="none")[0]
    assert len(set(digests.values())) == len(digests), digests
    mine.write_text(text)
    assert play(tmp_path / "again", (str(mine), "greedy"), games=20, records="none")[0] == digests["nothing"]


def test_an_odd_number_of_games_is_rounded_up(tmp_path):
    outcome = run(("greedy", "first"), Settings(games=21, seed=3))
    assert outcome.totals.matches[0].games == 22
    assert any("21 games a match rounded up to 22" in note for note in outcome.totals.notes)


class Remembering:
    """Plays by what it did in the game so far; a new game must find it as new, whoever played before."""

    def __init__(self):
        self.plays = 0

    def choose(self, view):
        self.plays += 1
        cards = [card for card in range(52) if view.hand >> card & 1]
        return cards[self.plays % len(cards)]


def test_an_object_that_remembers_plays_alike_in_any_chunk(tmp_path):
    def digest(**settings):
        return run((Remembering(), "greedy"), Settings(games=24, seed=5, **settings)).totals.digest

    assert digest() == digest(chunk_pairs=1) == digest(chunk_pairs=5, jobs=2)


def test_python_random_changes_nothing_but_its_own_plays(tmp_path):
    """The packs are those of the seed; the run is one of many, and says which strategy made it so only by its check."""
    (tmp_path / "dice.py").write_text(
        "import random\ndef choose(view):\n    return random.choice([c for c in range(52) if view.hand >> c & 1])\n"
    )
    one = run((str(tmp_path / "dice.py"), "greedy"), Settings(games=10, seed=5, unit="round"))
    two = run((str(tmp_path / "dice.py"), "greedy"), Settings(games=10, seed=5, unit="round"))
    assert one.totals.matches[0].games == two.totals.matches[0].games == 10
    assert one.totals.strategies[0]["mode"] == "interpreted"
