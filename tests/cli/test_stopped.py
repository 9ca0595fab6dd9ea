"""Ctrl-C, a reader that goes away, terminals of every kind: what the run command does then."""

from __future__ import annotations

import contextlib
import json
import os
import pty
import re
import signal
import subprocess
import time

import pyarrow.parquet as pq
import pytest
from running import COMMAND, call, environment, left_behind, only_line

LONG = ["run", "random", "greedy", "--games", "400000000", "--seed", "3", "--out", "out"]


def interrupt(words, folder, after):
    """Start a command, wait until it has kept a chunk of games, press Ctrl-C: (code, stdout, stderr, seconds to stop)."""
    process = subprocess.Popen(
        [*COMMAND, *words], cwd=folder, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        deadline = time.monotonic() + 90
        while not (folder / "out" / "unfinished" / "state.bin").exists():
            assert process.poll() is None, process.communicate()
            assert time.monotonic() < deadline
            time.sleep(0.02)
        time.sleep(after)
        process.send_signal(signal.SIGINT)
        pressed = time.monotonic()
        out, err = process.communicate(timeout=60)
    finally:
        process.kill()
    return process.returncode, out, err, time.monotonic() - pressed


@pytest.mark.parametrize(
    "more",
    [["--jobs", "1"], ["--jobs", "2", "--records", "games"], ["--jobs", "2", "--interpret", "--records", "rounds"]],
    ids=["one worker", "two workers", "interpreted"],
)
def test_ctrl_c(more, tmp_path):
    """Partial tables on stdout, exit code 130, every file written, and no worker that goes on."""
    code, out, err, seconds = interrupt([*LONG, "--quiet", *more], tmp_path, 0.3)
    assert code == 130
    lines = err.splitlines()
    assert len(lines) == 1
    assert lines[0].startswith("basra-sim: interrupted")
    assert "INCOMPLETE" in out
    assert seconds < 30
    folder = tmp_path / "out"
    manifest = json.loads((folder / "manifest.json").read_text())
    summary = json.loads((folder / "summary.json").read_text())
    assert manifest["complete"] is False
    assert 0 < summary["games"] < 400_000_000
    assert {"matches.csv", "counts.parquet", "timing.json"} <= {path.name for path in folder.iterdir()}
    for name in ("games", "rounds"):
        if name in more:
            rows = pq.read_table(folder / f"{name}.parquet").num_rows
            assert rows == summary["games" if name == "games" else "rounds"]


def test_ctrl_c_before_anything_is_played(here, tmp_path, monkeypatch):
    from basra_sim.runs import running as run

    def pressed(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(run, "plan_run", pressed)
    result = here("run", "greedy", "first", "--games", 2)
    assert only_line(result) == "interrupted"
    assert result.returncode == 130
    assert left_behind(tmp_path) == []


@pytest.mark.parametrize("form", ["table", pytest.param("json", marks=pytest.mark.slow)])
def test_a_reader_that_goes_away(form, tmp_path):
    """Exit code 0, nothing on stderr, all files there."""
    process = subprocess.Popen(
        [*COMMAND, "run", "greedy", "first", "--games", "20", "--out", "out", "--quiet", "--format", form],
        cwd=tmp_path, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    process.stdout.close()  # before anything is printed
    assert process.stderr.read() == ""
    assert process.wait(60) == 0
    assert (tmp_path / "out" / "summary.json").exists()


def test_a_fault_is_told_even_when_the_reader_went_away(tmp_path):
    (tmp_path / "wrong.py").write_text("def choose(view):\n    return 52")
    process = subprocess.Popen(
        [*COMMAND, "run", "./wrong.py", "first", "--games", "20", "--out", "out", "--quiet"],
        cwd=tmp_path, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    process.stdout.close()
    assert "returned 52" in process.stderr.read()
    assert process.wait(60) == 3


@pytest.mark.parametrize("settings", [{"LC_ALL": "C"}, {"PYTHONIOENCODING": "ascii"}], ids=str)
def test_a_terminal_that_is_not_utf8(settings, tmp_path):
    """Plain ASCII on both streams, also where a strategy's name is not."""
    (tmp_path / "grün.py").write_text("def choose(view):\n    return (view.hand & -view.hand).bit_length() - 1")
    result = subprocess.run(
        [*COMMAND, "run", "./grün.py", "greedy", "--games", "41", "--seed", "2", "--out", "out"],
        cwd=tmp_path, env=environment(**settings), capture_output=True, timeout=120, check=False,
    )  # fmt: skip
    assert result.returncode == 0, result.stderr
    assert result.stdout.isascii()
    assert result.stderr.isascii()
    assert b"greedy" in result.stdout
    assert b"\x1b" not in result.stdout + result.stderr
    wrong = call("run", "./nicht-grün.py", "greedy", cwd=tmp_path, **settings)
    assert only_line(wrong).isascii()


def at_a_terminal(words, folder, **settings) -> str:
    """What a command writes to a terminal of 100 columns, stdout and stderr together."""
    leader, follower = pty.openpty()
    process = subprocess.Popen(
        [*COMMAND, *words], cwd=folder, env=environment(TERM="xterm-256color", COLUMNS="100", **settings),
        stdin=follower, stdout=follower, stderr=follower,
    )  # fmt: skip
    os.close(follower)
    parts = []
    with contextlib.suppress(OSError):  # the terminal closes with its last writer
        while part := os.read(leader, 65536):
            parts.append(part)
    os.close(leader)
    assert process.wait(60) == 0
    return b"".join(parts).decode()


def test_colours_and_the_bar_only_at_a_terminal(tmp_path):
    words = ["run", "greedy", "first", "--games", "21", "--seed", "2"]
    shown = at_a_terminal([*words, "--out", "a"], tmp_path)
    assert "\x1b[1m" in shown
    assert re.search(r"\d of 22 games", shown)
    assert "note: 21 games a match rounded up to 22" in shown
    quiet = at_a_terminal([*words, "--out", "c", "--quiet"], tmp_path, NO_COLOR="1")
    assert not re.search(r"\d of 22 games", quiet)
    assert "note:" not in quiet
    assert not any(f"\x1b[{code}m" in quiet for code in range(30, 38))
    piped = call(*words, "--out", "d", cwd=tmp_path)
    assert "\x1b" not in piped.stdout + piped.stderr
    assert piped.stderr == "note: 21 games a match rounded up to 22: they are played in pairs with the seats swapped\n"


def test_forms(here, tmp_path):
    """JSON is what summary.json holds; CSV what matches.csv holds; nothing else goes to stdout."""
    one = here("run", "greedy", "first", "--games", 20, "--seed", 2, "--format", "json", "--out", "one")
    assert json.loads(one.stdout) == json.loads((tmp_path / "one" / "summary.json").read_text())
    two = here("run", "greedy", "first", "--games", 20, "--seed", 2, "--format", "csv", "--out", "two")
    assert two.stdout == (tmp_path / "two" / "matches.csv").read_text()
    assert (tmp_path / "one" / "matches.csv").read_bytes() == (tmp_path / "two" / "matches.csv").read_bytes()


def test_folders_never_collide(here, tmp_path):
    for _ in range(3):
        assert here("run", "greedy", "first", "--games", 2, "--seed", 2, "--quiet").returncode == 0
    names = left_behind(tmp_path / "reports")
    assert len(names) == 3
    assert [name.endswith(("greedy-vs-first-seed2", "seed2-2", "seed2-3")) for name in names] == [True] * 3


def test_a_seed_that_is_drawn_is_told(here):
    result = here("run", "greedy", "first", "--games", 2, "--quiet")
    command = [line for line in result.stdout.splitlines() if "basra-sim run greedy first --games 2 --seed" in line]
    seed = command[0].split()[-1]
    assert f"Seed {seed}" in result.stdout
    again = here("run", "greedy", "first", "--games", 2, "--seed", seed, "--quiet")

    def digest(text: str) -> str:
        return next(word for word in text.split() if len(word) == 64)

    assert digest(result.stdout) == digest(again.stdout)
