"""The process that a guard may kill: it plays chunks with strategies that nobody vouches for. Run as a module.

Requests come by standard input and answers go by a pipe of their own; what strategies print goes nowhere.
"""

from __future__ import annotations

import mmap
import os
import pickle
import select
import signal
import struct
import sys
import time
from pathlib import Path
from typing import Any, BinaryIO

LENGTH = struct.Struct("<q")
MORE_BYTES = 2 << 30  # what strategies may take of memory beyond what the program itself needs


def send(file: BinaryIO, message: Any) -> None:
    """Write a message."""
    data = pickle.dumps(message, protocol=5)
    file.write(LENGTH.pack(len(data)) + data)
    file.flush()


def receive(file: BinaryIO) -> Any:
    """Read a message; EOFError when the other side is gone."""
    head = file.read(LENGTH.size)
    if len(head) < LENGTH.size:
        raise EOFError
    (length,) = LENGTH.unpack(head)
    data = file.read(length)
    if len(data) < length:
        raise EOFError
    return pickle.loads(data)


def _limit_memory() -> None:
    try:
        import resource

        pages = int(Path("/proc/self/statm").read_text().split()[0])
        most = pages * resource.getpagesize() + MORE_BYTES
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
    except (ImportError, OSError, ValueError):
        pass  # not everywhere; then a greedy strategy is met by the system


def _serve(plan: Any, room: Any, requests: BinaryIO, answers: BinaryIO) -> None:
    """Play what is asked for until the other side goes away."""
    from .forfeits import play_forgiving  # not before the pipes are out of reach: see main

    _limit_memory()
    while True:
        try:
            task, known, want_rounds = receive(requests)
        except EOFError:
            os._exit(0)
        chunk = play_forgiving(plan, *task, want_rounds=want_rounds, known=known, room=room)
        if chunk.fault is not None:
            chunk.fault.error = chunk.fault.answer = None  # what a strategy raised need not be fit to travel
        send(answers, chunk)


def _fork_servers(plan: Any, room: Any, requests: BinaryIO, answers: BinaryIO, notices: BinaryIO) -> None:
    """Serve by a fork of this process; when it dies, say so and make another: loading and compiling are paid for once."""
    parent = os.getppid()
    while True:
        alive, held = os.pipe()  # its end shows at once that the child is gone
        child = os.fork()
        if child == 0:
            os.close(alive)
            try:
                _serve(plan, room, requests, answers)
            finally:
                os._exit(1)
        os.close(held)
        send(notices, ("begun", child))
        while True:
            select.select([alive], [], [], 1.0)
            done, status = os.waitpid(child, os.WNOHANG)
            if os.getppid() != parent:  # the run is gone
                if not done:
                    os.kill(child, signal.SIGKILL)
                os._exit(0)
            if done:
                break
            time.sleep(0.001)
        os.close(alive)
        send(notices, ("died", os.waitstatus_to_exitcode(status)))


def main() -> None:
    """Make the plan that was sent ready, then serve."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    requests = os.fdopen(os.dup(0), "rb")
    answers = os.fdopen(os.dup(1), "wb")
    notices = os.fdopen(os.dup(2), "wb")
    nowhere = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(nowhere, number)
    sys.stdin = open(os.devnull)  # noqa: SIM115
    sent, room_path = receive(requests)
    # loaded now that the pipes are out of reach: what a library prints while it is loaded would be no message
    import numpy as np

    from basra_sim.engine.floor_table.kept_tables import load_table

    from .portable_plan import plan_of

    with open(room_path, "r+b") as file:
        room = np.frombuffer(mmap.mmap(file.fileno(), 0), np.uint8)
    plan = plan_of(sent, watched=True)
    load_table(plan.rules)
    send(answers, "ready")
    if hasattr(os, "fork"):
        _fork_servers(plan, room, requests, answers, notices)
    send(notices, ("begun", os.getpid()))
    _serve(plan, room, requests, answers)


if __name__ == "__main__":
    main()
