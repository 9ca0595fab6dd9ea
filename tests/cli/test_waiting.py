"""What is shown to those that wait: on a terminal, unless quiet, and nothing of what is done at once."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

pty = pytest.importorskip("pty", reason="the system has no pseudo-terminals")

# waits on standard input, so that nothing depends on how long it takes
PROGRAM = """
import sys
from basra_sim.cli import waiting
waiting.DELAY_SECONDS = {delay}
with waiting.Waiting("reading", quiet={quiet}) as shown:
    shown(5, 1000, "drawing")
    sys.stdin.read(1)
    shown(1000, 1000)
print("done")
"""


def seen(until: str, delay: float = 0, quiet: bool = False) -> str:
    """What stands on the terminal when it says `until`, at the latest after the end of the program."""
    master, slave = pty.openpty()
    program = PROGRAM.format(delay=delay, quiet=quiet)
    environment = os.environ | {"TERM": "xterm", "PYTHONUTF8": "1", "COLUMNS": "80"}
    with subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=slave, env=environment
    ) as child:
        os.close(slave)
        text = b""
        if until:
            while until.encode() not in text:
                text += os.read(master, 4096)
        out, _ = child.communicate(b"x")
        assert out == b"done\n" and child.returncode == 0
        try:
            while more := os.read(master, 4096):
                text += more
        except OSError:
            pass  # the other end is closed
    os.close(master)
    return text.decode()


def test_what_is_done_and_how_far():
    text = seen("5 of 1,000")
    assert "drawing" in text


def test_quiet_and_what_is_done_at_once_show_nothing():
    assert seen("", quiet=True) == ""
    assert seen("", delay=3600) == ""


def test_nothing_where_nobody_watches():
    program = PROGRAM.format(delay=0, quiet=False)
    done = subprocess.run([sys.executable, "-c", program], input=b"x", capture_output=True, check=True)
    assert (done.stdout, done.stderr) == (b"done\n", b"")
