"""What is drawn by two processes is what one would have drawn, also when the other fails."""

from __future__ import annotations

import os
import sys
from functools import partial

import pytest

from basra_sim.pages import forked_drawing
from basra_sim.pages.forked_drawing import in_halves

JOBS = [partial("piece {}".format, number) for number in range(7)]
needs_fork = pytest.mark.skipif(sys.platform != "linux", reason="nothing is forked here")


@pytest.fixture
def two(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 2)


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
    monkeypatch.setattr(forked_drawing, "PATIENCE_SECONDS", 0.2)

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
