"""What all tests share: commands run in this process, strategy files written on the spot. This folder is importable, so that
helper modules such as `engines` may lie beside it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent
from typing import NamedTuple

import pytest


class Said(NamedTuple):
    """What a command left behind."""

    code: int
    out: str
    err: str


@pytest.fixture
def basra_sim(monkeypatch, capsys, tmp_path) -> Callable[..., Said]:
    """Run `basra-sim ARGS` in tmp_path; gives the exit code and what was printed."""
    from basra_sim.cli import main

    monkeypatch.chdir(tmp_path)

    def call(*args: object) -> Said:
        monkeypatch.setattr(sys, "argv", ["basra-sim", *map(str, args)])
        capsys.readouterr()
        with pytest.raises(SystemExit) as stopped:
            main()
        printed = capsys.readouterr()
        return Said(int(stopped.value.code or 0), printed.out, printed.err)

    return call


@pytest.fixture
def write(tmp_path) -> Callable[[str, str], Path]:
    """Write a strategy file into tmp_path: name and text."""

    def make(name: str, text: str) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(dedent(text), encoding="utf-8")
        return path

    return make
