"""What a report has done by other processes is what it would have done itself, also when they fail."""

from __future__ import annotations

import gc
import os
import sys
from functools import partial
from pathlib import Path

import pytest
from made_runs import random_run

from basra_sim.analysis.tables.result_files import write_results
from basra_sim.cli.report_files import collecting_rarely
from basra_sim.pages import forked_drawing as halves
from basra_sim.pages.forked_drawing import in_halves
from basra_sim.report import build, packs_check
from basra_sim.report.packs_check import ChecksBeside, check_packs, main, packs_to_check

JOBS = [partial("piece {}".format, number) for number in range(7)]
needs_fork = pytest.mark.skipif(sys.platform != "linux", reason="nothing is forked here")


@pytest.fixture
def two(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    monkeypatch.setattr(packs_check, "processor_free", lambda: True)


@pytest.mark.parametrize("many", [0, 1, 3, 4, 7])
def test_the_pieces_stand_in_their_order(two: None, many: int) -> None:
    assert in_halves(JOBS[:many]) == [f"piece {number}" for number in range(many)]


@needs_fork
def test_half_of_the_pieces_come_from_a_fork(two: None) -> None:
    told: list[int] = []
    makers = in_halves([lambda: str(os.getpid())] * 6, told.append)
    assert makers[::2] == [str(os.getpid())] * 3 and str(os.getpid()) not in makers[1::2]
    assert told == [1, 3, 5]


@needs_fork
@pytest.mark.parametrize("fate", ["dies", "hangs"])
def test_what_a_fork_fails_at_is_done_here(two: None, monkeypatch: pytest.MonkeyPatch, fate: str) -> None:
    own = os.getpid()
    monkeypatch.setattr(halves, "PATIENCE_SECONDS", 0.2)

    def job() -> str:
        if os.getpid() != own:
            os.kill(os.getpid(), 9 if fate == "dies" else 19)
        return "done"

    assert in_halves([job] * 5) == ["done"] * 5


@needs_fork
def test_an_error_is_an_error_whoever_meets_it(two: None) -> None:
    def bad() -> str:
        raise ZeroDivisionError("the picture")

    for place in (0, 1):
        jobs = list(JOBS)
        jobs[place] = bad
        with pytest.raises(ZeroDivisionError, match="the picture"):
            in_halves(jobs)
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)  # no child was left behind


def test_one_processor_does_all_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 1)
    monkeypatch.delattr(os, "fork", raising=False)
    assert in_halves(JOBS) == [f"piece {number}" for number in range(7)]


@pytest.fixture
def folders(tmp_path: Path) -> list[Path]:
    for seed in (3, 4):
        (tmp_path / str(seed)).mkdir()
        write_results(tmp_path / str(seed), random_run(["a", "b"], 30, seed))
    return [tmp_path / "3", tmp_path / "4"]


def test_packs_checked_beside_are_those_checked_here(two: None, folders: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    own = build(folders)
    monkeypatch.setattr(packs_check, "check_packs", None)  # all must come from the other process
    with ChecksBeside(folders) as check:
        beside = build(folders, check=check)
    texts = [[one.text for s in part.sections if s.name == "packs" for one in s.parts if hasattr(one, "text")]
             for report in (own, beside) for part in report.parts]  # fmt: skip
    assert texts[:2] == texts[2:] and texts[0]


def test_without_the_other_process_packs_are_checked_here(two: None, folders: list[Path], tmp_path: Path) -> None:
    with ChecksBeside([*folders, tmp_path / "no run"]) as check:
        assert check._process is not None
        check._process.kill()
        assert check(3, 30) == check_packs(3, 30)
        assert check(99, 10) == check_packs(99, 10)  # was not asked for


def test_busy_processors_get_no_second_process(folders: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 1)
    assert not packs_check.processor_free()
    with ChecksBeside(folders) as check:
        assert check._process is None and check(3, 30) == check_packs(3, 30)
    monkeypatch.setattr(os, "cpu_count", lambda: 1_000_000)
    assert packs_check.processor_free()


def test_a_line_for_each_pack_check(capsys: pytest.CaptureFixture[str]) -> None:
    main(["5", "20", "6", "20"])
    assert len(capsys.readouterr().out.splitlines()) == 2


def test_how_many_packs() -> None:
    assert packs_to_check("game", [40, 60]) == 30 and packs_to_check("round", []) == 0
    assert packs_to_check("packs", [40]) == 0 and packs_to_check("game", [10**7]) == packs_check.CHECKED


def test_garbage_is_looked_for_as_before_once_the_report_is_made() -> None:
    """Otherwise whoever makes reports and goes on would keep what refers to itself in a circle."""
    before, frozen = gc.get_threshold(), gc.get_freeze_count()
    with pytest.raises(ValueError, match="stopped"), collecting_rarely():
        assert gc.get_threshold() != before
        raise ValueError("stopped")
    assert gc.get_threshold() == before and gc.get_freeze_count() <= frozen
