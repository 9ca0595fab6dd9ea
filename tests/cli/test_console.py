"""What a terminal gets: no escape codes when piped or with NO_COLOR, ASCII where it is not UTF-8, 80 columns when piped."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

PROGRAM = """
from rich.table import Table
from basra_sim.cli.console import console
out = console()
table = Table("a", "b")
table.add_row("[red]x", "y")
out.print(table, style="bold red")
out.print("50 % ±0.4 – né …", style="red")
out.print(out.width)
"""


def output(**env):
    kept = {k: v for k, v in os.environ.items() if k in ("PATH", "SYSTEMROOT", "HOME")}
    done = subprocess.run([sys.executable, "-c", PROGRAM], env=kept | env, capture_output=True, check=True)
    assert done.stderr == b""
    return done.stdout


def test_piped_utf8_is_plain_and_eighty_wide():
    text = output(PYTHONUTF8="1").decode("utf-8")
    assert "\x1b" not in text and "±0.4 – né …" in text and "[red]x" in text and text.endswith("80\n")


@pytest.mark.parametrize("env", [{"LC_ALL": "C"}, {"PYTHONIOENCODING": "ascii"}])
def test_no_utf8_means_ascii_that_can_be_read(env):
    text = output(**env).decode("ascii")
    assert "+/-0.4 - n? ..." in text and "[red]x" in text


def test_colour_is_for_terminals_and_no_color_wins():
    assert b"\x1b[" in output(PYTHONUTF8="1", FORCE_COLOR="1", TERM="xterm-256color")
    assert b"\x1b" not in output(PYTHONUTF8="1", FORCE_COLOR="1", TERM="xterm-256color", NO_COLOR="1")


def test_columns_are_obeyed():
    assert output(PYTHONUTF8="1", COLUMNS="132").endswith(b"132\n")
