"""Packs that are looked at in a process beside are judged as they would be here, also when it fails."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from made_runs import random_run

from basra_sim.analysis.tables.result_files import write_results
from basra_sim.report import build, packs_check
from basra_sim.report.packs_check import ChecksBeside, check_packs, main, packs_to_check


@pytest.fixture
def two(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    monkeypatch.setattr(packs_check, "processor_free", lambda: True)


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
