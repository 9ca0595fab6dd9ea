"""plan, odds, mix and seeds as a user calls them: output, JSON, exit codes, bad input in one line."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

from basra_sim.cli import main


def shuffle(*arguments: str, stdin: str | None = None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "basra_sim", "shuffle", *arguments]
    return subprocess.run(command, input=stdin, capture_output=True, text=True, timeout=120)


def test_mix_prints_the_published_row() -> None:
    done = shuffle("mix", "riffle")
    assert done.returncode == 0
    column = [line.split()[1] for line in done.stdout.splitlines()[1:11]]
    assert column == ["1.000", "1.000", "1.000", "1.000", "0.924", "0.614", "0.334", "0.167", "0.085", "0.043"]
    rows = json.loads(shuffle("mix", "top", "-k", "205", "--json").stdout)
    assert rows[0]["total_variation"] == pytest.approx(0.126, abs=0.001)
    assert "/" in rows[0]["total_variation_exact"]


def test_odds_and_plan() -> None:
    done = shuffle("odds", "3 jacks of 4 in 24 of 52")
    assert done.returncode == 0 and "0.248584" in done.stdout
    assert json.loads(shuffle("plan", "--bias", "5%", "--json").stdout)["rows"][0]["decks_needed"] == 2322


def test_seeds_of_a_log(tmp_path: Path) -> None:
    path = tmp_path / "log.txt"
    assert shuffle("gen", "java:seq", "-n", "30", "-o", str(path)).returncode == 0
    done = shuffle("seeds", str(path), "--prng", "java", "--start", "ours")
    assert done.returncode == 1
    assert "each seed +1 from the one before" in done.stdout
    assert "48 bits of the 225.6" in " ".join(done.stdout.split())
    assert "\x1b" not in done.stdout
    assert [line for line in done.stdout.splitlines() if line.startswith("Deck ")][:2] == ["Deck 1: seed 0", "Deck 2: seed 1"]


def test_seeds_of_nothing_special_from_a_pipe() -> None:
    decks = shuffle("gen", "fisher-yates", "-n", "200").stdout
    done = shuffle("seeds", "-", "--prng", "none", "--json", stdin=decks)
    assert (done.returncode, done.stderr) == (0, "")
    told = json.loads(done.stdout)
    assert told["conclusion"].startswith("Nothing found in 200 decks") and told["seeds"] == []


@pytest.mark.parametrize(
    "arguments",
    [
        ("plan",),
        ("plan", "-n", "5", "--bias", "1%"),
        ("odds", "five jacks"),
        ("mix", "wash"),
        ("mix", "riffle", "-k", "x"),
        ("mix", "riffle", "-k", "900000"),
        ("seeds", "no-such-file.txt"),
        ("seeds", "-"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(
    arguments: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["basra-sim", "shuffle", *arguments])
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"")))
    with pytest.raises(SystemExit) as done:
        main()
    said = capsys.readouterr()
    assert done.value.code == 2
    assert said.out == ""
    assert len(said.err.strip().splitlines()) == 1
    assert said.err.startswith("basra-sim: ")
