"""The real command in a process of its own, as a user calls it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

COMMAND = [sys.executable, "-m", "basra_sim"]


def environment(**changes: str | None) -> dict[str, str]:
    """The surroundings of a command: none of the settings that change what it prints, then `changes`."""
    dull = ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "LC_ALL", "PYTHONIOENCODING", "PYTHONUTF8", "BASRA_STRATEGIES")
    values = {key: value for key, value in os.environ.items() if key not in dull}
    values |= {key: value for key, value in changes.items() if value is not None}
    for key, value in changes.items():
        if value is None:
            values.pop(key, None)
    return values


def call(*words: Any, cwd: Path, **env: str | None) -> subprocess.CompletedProcess[str]:
    """Run `basra-sim WORDS` in a folder; text comes back as UTF-8."""
    return subprocess.run(
        [*COMMAND, *map(str, words)], cwd=cwd, env=environment(**env), capture_output=True, text=True, encoding="utf-8",
        errors="surrogateescape", timeout=120, check=False,
    )  # fmt: skip


def only_line(result: subprocess.CompletedProcess[str]) -> str:
    """The one line of an error: on stderr, naming the program, no traceback, nothing on stdout."""
    lines = result.stderr.splitlines()
    assert len(lines) == 1, result.stderr
    assert lines[0].startswith("basra-sim: "), result.stderr
    assert "Traceback" not in result.stderr
    return lines[0].removeprefix("basra-sim: ")


def left_behind(folder: Path) -> list[str]:
    """What a command left in its folder."""
    return sorted(path.name for path in folder.iterdir())
