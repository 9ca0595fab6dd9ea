"""Decks from running code: a program of any language (`--cmd`) or a Python function (`--py`), with what can go wrong said."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from basra_sim.errors import BadInput
from basra_sim.shuffles.generators.deck_orders import order_text, parse_order
from basra_sim.shuffles.logs import DeckLog, read_decks
from basra_sim.shuffles.logs.byte_blocks import LONGEST_WAIT, ByteSource
from basra_sim.shuffles.logs.deck_log import Block

SAME_AFTER = 20  # so many equal decks in a row are no shuffle: the chance is 52! ** -19
LONGEST_SILENCE = 30.0  # seconds
COMPARED = 1 << 20  # bytes of the first start kept, to see whether later starts print the same
SMALL_OUTPUT = 4096  # a start that prints a few decks may repeat by chance of its clock seed: MOST_SAME_RUNS decide
MOST_SAME_RUNS = 20


class ProgramStream:
    """The standard output of a program as a byte stream; started again when it ends, until a start repeats the last.

    Raises BadInput when it dies, prints nothing or falls silent.
    """

    def __init__(self, command: str, silence: float, feed: bytes | None = None) -> None:
        self.command, self.silence, self.feed = command, silence, feed
        self.starts = 0
        self.notes: list[str] = []
        self._first = bytearray()
        self._same_runs = 0
        self._ended = False
        self._start()

    def _start(self) -> None:
        self.starts += 1
        self._size, self._end = 0, b"\n"
        self._held, self._repeats = bytearray(), True
        self._stderr = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the run
        wants_input = subprocess.PIPE if self.feed is not None else subprocess.DEVNULL
        self._process = subprocess.Popen(
            self.command, shell=True, stdin=wants_input, stdout=subprocess.PIPE, stderr=self._stderr, start_new_session=True
        )
        if self.feed is not None:
            threading.Thread(target=self._feed, args=(self._process, self.feed), daemon=True).start()

    @staticmethod
    def _feed(process: subprocess.Popen[bytes], feed: bytes) -> None:
        assert process.stdin is not None
        try:
            process.stdin.write(feed)
            process.stdin.close()
        except OSError:  # the program has stopped reading: its own right
            pass

    def fileno(self) -> int:
        """For select."""
        assert self._process.stdout is not None
        return self._process.stdout.fileno()

    def read1(self, size: int) -> bytes:
        """Some bytes; b"" when the program has ended for good. Raises BadInput as the class says."""
        while not self._ended:
            if not select.select([self], [], [], self.silence)[0]:
                self._fell_silent()
            data = os.read(self.fileno(), min(size, 1 << 20))
            fresh = self._new_part(data) if data else self._finish_run()
            if fresh:
                return fresh
        return b""

    def _fell_silent(self) -> None:
        told = "nothing" if self.starts == 1 and not self._size else "nothing more"
        self.close()
        raise BadInput(
            f"{self.command} printed {told} for {self.silence:g} s: it waits, or does not flush its output after each deck"
        )

    def _new_part(self, data: bytes) -> bytes:
        """What may be handed on: a later start is held back while it repeats the first, byte for byte."""
        self._size += len(data)
        self._end = data[-1:]
        if self.starts == 1:
            self._first += data[: COMPARED - len(self._first)]
            return data
        if not self._repeats:
            return data
        self._held += data
        compared = self._held[:COMPARED]
        if self._first.startswith(compared) and len(self._held) < COMPARED:
            return b""
        self._repeats = self._first == compared
        if self._repeats:  # a long output, the same again: enough has been seen
            self._end_as_repeated()
            return b""
        return self._release()

    def _release(self) -> bytes:
        held, self._held = bytes(self._held), bytearray()
        return held

    def _end_as_repeated(self) -> None:
        self.notes.append("each start of the program prints the same, so only the first start was read")
        self.close()

    def _finish_run(self) -> bytes:
        """End of one run: complain, end for good, or start again. Returns what was held back and a missing newline."""
        code = self._process.wait()
        said = self._last_words()
        self._shut()
        if self.starts == 1 and not self._size:
            if code:
                raise BadInput(f"{self.command} ended with exit code {code} before it printed a deck{said}")
            raise BadInput(f"{self.command} ended without printing anything; it must print decks, one a line{said}")
        if code:
            self.notes.append(f"the program ended with exit code {code} after {self._size:,} bytes of output{said}")
        same = self.starts > 1 and self._repeats and len(self._held) == len(self._first)
        self._same_runs = self._same_runs + 1 if same else 0
        if same and (len(self._first) > SMALL_OUTPUT or self._same_runs >= MOST_SAME_RUNS):
            self._end_as_repeated()
            return b""
        rest = self._release() + (b"" if self._end == b"\n" or not self._size else b"\n")
        if code or not self._size or self.feed is not None:
            self._ended = True
        else:
            self._start()
        return rest

    def _last_words(self) -> str:
        self._stderr.seek(0)
        lines = self._stderr.read()[-2000:].decode("utf-8", "replace").strip().splitlines()
        return f": {lines[-1].strip()[:160]}" if lines else ""

    def _shut(self) -> None:
        if self._process.stdout is not None:
            self._process.stdout.close()
        self._stderr.close()

    def close(self) -> None:
        """Stop the program and everything it started."""
        self._ended = True
        if self._process.poll() is None:
            try:
                os.killpg(self._process.pid, signal.SIGTERM)
                self._process.wait(timeout=2)
            except subprocess.TimeoutExpired:
                os.killpg(self._process.pid, signal.SIGKILL)
                self._process.wait()
            except ProcessLookupError:
                pass
        self._shut()

    def __enter__(self) -> ProgramStream:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Dialogue(ProgramStream):
    """A program that is told an order and answers with it shuffled, line by line; each answer is the next order."""

    patience = 0.0

    def __init__(self, command: str, silence: float, first: bytes) -> None:
        self._next: bytes = first
        super().__init__(command, silence, feed=b"")

    @staticmethod
    def _feed(process: subprocess.Popen[bytes], feed: bytes) -> None:
        """Nothing at the start: each order is written when the last has been answered."""

    def read1(self, size: int) -> bytes:
        """The answers of a tenth of a second. Raises BadInput as ProgramStream."""
        answers = bytearray()
        until = time.monotonic() + LONGEST_WAIT
        while time.monotonic() < until:
            answer = self._ask(size)
            answers += answer
            if not answer:
                break
        return bytes(answers)

    def _ask(self, size: int) -> bytes:
        stdin = self._process.stdin
        assert stdin is not None
        try:
            stdin.write(self._next)
            stdin.flush()
        except (OSError, ValueError):  # it has ended, which reading will tell
            pass
        answer = b""
        while not answer.endswith(b"\n"):
            more = super().read1(size)
            if not more:
                break
            answer += more
        self._next = answer
        return answer


def read_command(
    command: str,
    *,
    decks: int = 10_000,
    deck_size: int = 52,
    format: str | None = None,
    mapping: str | None = None,
    strict: bool = False,
    start: str | None = None,
    silence: float = LONGEST_SILENCE,
) -> DeckLog:
    """The decks that a program prints, at most `decks` of them; it is started again while it gives new ones.

    start: None (nothing on its standard input), "prev" (told its last answer, line by line) or an order as in
    deck_orders.parse_order (told that order `decks` times). Raises BadInput when the program dies, prints nothing, falls
    silent for `silence` seconds, or prints one deck over and over.
    """
    order = _start_texts(start, deck_size).encode() + b"\n" if start is not None else b""
    streams: list[ProgramStream] = []

    def opener() -> Any:
        feed = order * decks if start is not None else None
        streams.append(Dialogue(command, silence, order) if start == "prev" else ProgramStream(command, silence, feed))
        return streams[-1]

    log = read_decks(
        ByteSource(command, opener, is_pipe=True), format=format, mapping=mapping, deck_size=deck_size, strict=strict
    )
    inner = log.blocks
    return replace(log, blocks=lambda: _until_closed(limited(inner(), decks, command, log), streams[-1], log), repeatable=False)


def _until_closed(blocks: Iterator[Block], stream: ProgramStream, log: DeckLog) -> Iterator[Block]:
    """The blocks, and at their end, whatever ends them, the program closed and what it did noted."""
    try:
        yield from blocks
    finally:
        stream.close()
        for note in stream.notes:
            log.findings.note(note)
        if stream.starts > 1:
            log.findings.note(f"the program was started {stream.starts:,} times")


def _start_texts(start: str, deck_size: int) -> str:
    if deck_size == 52:
        return order_text(parse_order("ours" if start in ("new", "prev") else start))
    return " ".join(map(str, range(deck_size)))


def limited(blocks: Iterator[Block], decks: int, name: str, log: DeckLog) -> Iterator[Block]:
    """The first `decks` of the blocks. Raises BadInput for one deck over and over, or bad lines without end."""
    count = 0
    first: np.ndarray | None = None
    same = 0
    for block, labels in blocks:
        block = block[: decks - count]
        if first is None and len(block):
            first = block[0].copy()
        if first is not None and same == count:
            equal = (block == first).all(axis=1)
            same += len(block) if equal.all() else int(np.argmin(equal))
        count += len(block)
        if same == count >= SAME_AFTER:
            raise BadInput(f"{name} gave the same deck {same} times in a row: it does not shuffle, or seeds alike each time")
        if not count and log.findings.rejected > 1000:
            raise BadInput(f"{name} gives no decks: {log.findings.rejected:,} lines and none is one; {log.findings.reasons[0]}")
        yield block, labels
        if count >= decks:
            return
    if same == count >= 2:
        raise BadInput(f"{name} gave the same deck all {count} times: it does not shuffle, or seeds alike each time")
    if 0 < count < decks:
        log.findings.note(f"only {count:,} of the {decks:,} decks asked for were given")
