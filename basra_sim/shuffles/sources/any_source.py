"""Decks from wherever the user says: a log, a built-in shuffle, a program, a Python function, the packs of a run."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from basra_sim.errors import BadInput
from basra_sim.shuffles.generators.built_in_shuffles import Generator
from basra_sim.shuffles.logs import DeckLog, read_decks

from .programs import read_command
from .python_functions import read_python
from .run_packs import RunPacks

DEFAULT_DECKS = 10_000


@dataclass(frozen=True)
class Asked:
    """Which decks the user asked for. Exactly one of source, algo, program, function."""

    source: str | None = None
    algo: str | None = None
    program: str | None = None
    function: str | None = None
    decks: int | None = None
    seed: int = 0
    start: str | None = None  # None: new for --algo and --py; nothing is told to a program
    deck_size: int = 52
    form: str | None = None
    mapping: str | None = None
    strict: bool = False


class Source:
    """Decks from anywhere: `chunks()` once, then `lines()` say what was read; `faces` whether suits and ranks are known."""

    def __init__(self, asked: Asked) -> None:
        given = [x for x in (asked.source, asked.algo, asked.program, asked.function) if x is not None]
        if len(given) != 1:
            what = "one source only" if given else "nothing to test"
            raise BadInput(f"{what}: give a file or -, or one of --algo, --cmd, --py")
        self.asked = asked
        self.faces = asked.deck_size == 52
        self.kept = np.empty((0, asked.deck_size), dtype=np.uint8)
        self.log = None if asked.algo is not None else self._open()
        if isinstance(self.log, DeckLog):
            self.faces = self.faces and self.log.faces_known

    def _open(self) -> DeckLog | RunPacks:
        a = self.asked
        if a.program is not None:
            return read_command(
                a.program, decks=a.decks or DEFAULT_DECKS, deck_size=a.deck_size, format=a.form, mapping=a.mapping,
                strict=a.strict, start=a.start,
            )  # fmt: skip
        if a.function is not None:
            return read_python(
                a.function, decks=a.decks or DEFAULT_DECKS, deck_size=a.deck_size, strict=a.strict, start=a.start or "new"
            )
        assert a.source is not None
        if Path(a.source).is_dir():
            if a.deck_size != 52:
                raise BadInput("the packs of a run have 52 cards; leave --deck-size out")
            return RunPacks(a.source, a.decks)
        return read_decks(a.source, format=a.form, mapping=a.mapping, deck_size=a.deck_size, strict=a.strict)

    def chunks(self) -> Iterator[np.ndarray]:
        """uint8 (m, deck_size) arrays."""
        a = self.asked
        if self.log is None:
            assert a.algo is not None
            yield from Generator(a.algo, a.seed, a.deck_size, a.start or "new").chunks(a.decks or DEFAULT_DECKS)
            return
        left = a.decks if a.decks is not None else None
        for decks in self.log.chunks():
            if left is not None:
                decks = decks[:left]
                left -= len(decks)
            yield decks
            if left == 0:
                return

    def keeping(self, most: int) -> Iterator[np.ndarray]:
        """`chunks()`, keeping the first `most` decks in `kept`."""
        for decks in self.chunks():
            if len(self.kept) < most:
                self.kept = np.concatenate([self.kept, decks[: most - len(self.kept)]])
            yield decks

    def lines(self) -> list[str]:
        """What was read, in words (complete after reading)."""
        a = self.asked
        if self.log is None:
            assert a.algo is not None
            decks = f"{a.decks or DEFAULT_DECKS:,} decks of {a.deck_size} cards"
            return [Generator(a.algo, a.seed, a.deck_size, a.start or "new").describe(), decks]
        return list(self.log.describe())
