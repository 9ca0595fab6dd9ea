"""Everything the tests need to know of a log, counted in one pass with flat memory: `tally(chunks)` -> `Tally`."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from math import factorial

import numpy as np

from .tally_loops import guess_decks, tally_decks

PERMUTATION_NAMES = (
    "rising", "descents", "inversions", "footrule", "fixed", "cycles", "parity", "lis", "successions",
)  # fmt: skip
FACE_NAMES = (
    "runs", "like-suit", "like-rank", "first-hand-jacks", "leader-jacks", "floor-jacks", "jack-spread", "komi-jacks",
    "hand-pairs", "floor-pairs", "coupon",
)  # fmt: skip
FACE_WIDTH = 256
GUESSED_DECKS = 65_536
KEPT_HASHES = 1 << 21
CHUNK = 16_384


@dataclass
class Sample:
    """Fingerprints of decks for the search for repeats; when there are too many, a known share of them.

    Decks are kept by a hash of their first cards, so all copies of a deck are kept or none; level s keeps 1 in 2^s.
    """

    prefixes: list[np.ndarray] = field(default_factory=list)
    hashes: list[np.ndarray] = field(default_factory=list)
    numbers: list[np.ndarray] = field(default_factory=list)
    level: int = 0
    kept: int = 0

    @staticmethod
    def _chosen(prefixes: np.ndarray, level: int) -> np.ndarray:
        if not level:
            return np.ones(len(prefixes), dtype=bool)
        chosen: np.ndarray = (prefixes * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(64 - level) == 0
        return chosen

    def add(self, prefixes: np.ndarray, hashes: np.ndarray, first_number: int) -> None:
        """Take the fingerprints of decks first_number, first_number + 1, ..."""
        numbers = np.arange(first_number, first_number + len(prefixes))
        chosen = self._chosen(prefixes, self.level)
        self.prefixes.append(prefixes[chosen])
        self.hashes.append(hashes[chosen])
        self.numbers.append(numbers[chosen])
        self.kept += int(chosen.sum())
        while self.kept > KEPT_HASHES:
            self.level += 1
            everything = self.joined()
            chosen = self._chosen(everything[0], self.level)
            self.prefixes, self.hashes, self.numbers = ([part[chosen]] for part in everything)
            self.kept = int(chosen.sum())

    def joined(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(prefixes, hashes, deck numbers) of the kept decks, in the order of the log."""
        if not self.prefixes:
            return np.empty(0, np.uint64), np.empty(0, np.uint64), np.empty(0, np.int64)
        return np.concatenate(self.prefixes), np.concatenate(self.hashes), np.concatenate(self.numbers)


@dataclass
class Tally:
    """Exact counts of a log of `decks` decks of n cards; what each array holds is said in tally_loops."""

    n: int
    order: np.ndarray
    decks: int = 0
    places: np.ndarray = field(default_factory=lambda: np.empty(0))
    neighbours: np.ndarray = field(default_factory=lambda: np.empty(0))
    opening: np.ndarray = field(default_factory=lambda: np.empty(0))
    lag_places: np.ndarray = field(default_factory=lambda: np.empty(0))
    histograms: np.ndarray = field(default_factory=lambda: np.empty(0))
    faces: np.ndarray = field(default_factory=lambda: np.empty(0))
    cells: np.ndarray = field(default_factory=lambda: np.empty(0))
    guesses: np.ndarray = field(default_factory=lambda: np.empty(0))
    sample: Sample = field(default_factory=Sample)

    ARRAYS = ("places", "neighbours", "opening", "lag_places", "histograms", "faces", "cells", "guesses")

    def __post_init__(self) -> None:
        n = self.n
        shapes: dict[str, tuple[int, ...]] = {
            "places": (n, n), "neighbours": (n, n), "opening": (n, n), "lag_places": (2, n, n),
            "histograms": (3, 9, n * n // 2 + n + 2), "faces": (11, FACE_WIDTH),
            "cells": (factorial(n) if n <= 6 else 0,), "guesses": (3, n + 1),
        }  # fmt: skip
        for name, shape in shapes.items():
            if getattr(self, name).size == 0:
                setattr(self, name, np.zeros(shape, dtype=np.int64))

    def histogram(self, name: str, lag: int = 0) -> np.ndarray:
        """How many decks had the value 0, 1, 2, ... of a permutation statistic; lag 0 = against the start order."""
        row: np.ndarray = self.histograms[lag, PERMUTATION_NAMES.index(name)]
        return row

    def face(self, name: str) -> np.ndarray:
        """How many decks had the value 0, 1, 2, ... of a face statistic."""
        row: np.ndarray = self.faces[FACE_NAMES.index(name)]
        return row

    def pairs_of_decks(self, lag: int) -> int:
        """How many decks have a deck `lag` before them."""
        return max(0, self.decks - lag)

    def absorb(self, other: Tally) -> None:
        """Add the counts of another tally of the same kind (fingerprints are not merged)."""
        self.decks += other.decks
        for name in self.ARRAYS:
            getattr(self, name).__iadd__(getattr(other, name))


def _rechunk(chunks: Iterable[np.ndarray], size: int) -> Iterator[np.ndarray]:
    """The same decks in chunks of at most `size`."""
    for chunk in chunks:
        for start in range(0, len(chunk), size):
            yield np.ascontiguousarray(chunk[start : start + size])


def _count(part: Tally, decks: np.ndarray, first: int, start_place: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    fresh = len(decks) - first
    prefixes, hashes = np.empty(fresh, dtype=np.uint64), np.empty(fresh, dtype=np.uint64)
    tally_decks(
        decks, first, start_place, part.places, part.neighbours, part.opening, part.lag_places, part.histograms,
        part.faces, part.cells, prefixes, hashes,
    )  # fmt: skip
    part.decks += fresh
    return prefixes, hashes


class Tallier:
    """Counts chunks as they come, on `workers` threads; the result does not depend on how many or how it is cut."""

    def __init__(self, n: int, order: np.ndarray | None = None, workers: int = 2) -> None:
        self.n = n
        self.order = np.arange(n, dtype=np.uint8) if order is None else order.astype(np.uint8)
        self.start_place = np.argsort(self.order).astype(np.uint8)
        self.parts = [Tally(n, self.order) for _ in range(max(1, workers))]
        self.free = deque(range(len(self.parts)))
        self.waiting: deque[tuple[int, int, Future[tuple[np.ndarray, np.ndarray]]]] = deque()
        self.pool = ThreadPoolExecutor(len(self.parts)) if workers > 1 else None
        self.after, self.at_place = np.zeros((n, n), dtype=np.int64), np.zeros((n, n), dtype=np.int64)
        self.guesses = np.zeros((3, n + 1), dtype=np.int64)
        self.past = np.empty((0, n), dtype=np.uint8)
        self.sample = Sample()
        self.taken = 0

    def add(self, chunk: np.ndarray) -> None:
        """Count more decks, uint8 (m, n), each an order of the n cards."""
        for decks in _rechunk([chunk], CHUNK):
            self._add(decks)

    def _add(self, decks: np.ndarray) -> None:
        first = len(self.past)
        seen = np.concatenate([self.past, decks])
        if self.pool is None:
            self.sample.add(*_count(self.parts[0], seen, first, self.start_place), self.taken)
        else:
            if not self.free:
                self._collect()
            part = self.free.popleft()
            job = self.pool.submit(_count, self.parts[part], seen, first, self.start_place)
            self.waiting.append((part, self.taken, job))
        if self.taken < GUESSED_DECKS:
            stop = first + GUESSED_DECKS - self.taken
            guess_decks(seen[:stop], first, self.after, self.at_place, self.guesses)
        self.taken += len(decks)
        self.past = seen[-2:]

    def _collect(self) -> None:
        part, number, job = self.waiting.popleft()
        self.sample.add(*job.result(), number)
        self.free.append(part)

    def finish(self) -> Tally:
        """All counts so far."""
        while self.waiting:
            self._collect()
        if self.pool is not None:
            self.pool.shutdown()
        result = self.parts[0]
        for part in self.parts[1:]:
            result.absorb(part)
        result.guesses = self.guesses
        result.sample = self.sample
        return result


def tally(chunks: Iterable[np.ndarray], n: int, order: np.ndarray | None = None, workers: int = 2) -> Tally:
    """Count a whole log. chunks: uint8 (m, n) arrays; order: the start order of the reference tests."""
    counter = Tallier(n, order, workers)
    for chunk in chunks:
        counter.add(chunk)
    return counter.finish()
