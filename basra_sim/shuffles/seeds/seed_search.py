"""The search for the seed behind a deck: hypotheses about its start order, seed ranges, threads, verification."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

import numpy as np

from basra_sim.errors import BadInput

from . import seed_loops as k
from .seed_models import BOUNDS, MODELS, Model, deal, draws_of, glibc_coefficients, java_seed_of

FULL_BITS = 225.581  # log2 52!
PIECE = 1 << 24  # seeds in one task
Progress = Callable[[float, str], None]
Range = tuple[int, int, str]  # first seed, last seed + 1, in words


@dataclass(frozen=True)
class Hypothesis:
    """How the deck may have come from the drawn numbers."""

    order: str
    start: tuple[int, ...]
    reversed: bool
    upwards: bool
    deck: int = 0  # which of the decks it explains

    def words(self) -> str:
        """For the report."""
        loop = "first place upwards" if self.upwards else "last place downwards"
        return f"start order {self.order}, shuffled from the {loop}{', dealt from the end' if self.reversed else ''}"


@dataclass
class Table:
    """All hypotheses of one deck (or of a few, in one pass) as the kernels want them."""

    decks: list[list[int]]
    hypotheses: list[Hypothesis]
    draws: np.ndarray
    heads: np.ndarray
    members: np.ndarray


def make_table(*parts: tuple[np.ndarray, dict[str, np.ndarray]]) -> Table:
    """Every (order, direction, loop) whose draws could have made a deck of 52; parts: (deck, orders) for deck 0, 1 ..."""
    hypotheses, rows = [], []
    for number, (deck, orders) in enumerate(parts):
        for name, order in orders.items():
            places = np.empty(52, dtype=np.int64)
            places[order] = np.arange(52)
            for backwards in (False, True):
                sequence = places[deck[::-1] if backwards else deck].tolist()
                for upwards in (False, True):
                    hypotheses.append(Hypothesis(name, tuple(order.tolist()), backwards, upwards, number))
                    rows.append(draws_of(sequence, upwards))
    draws = np.array(rows, dtype=np.int64)
    head = (draws[:, 0] * 51 + draws[:, 1]) * 50 + draws[:, 2]
    heads = np.zeros(52 * 51 * 50 + 1, dtype=np.int64)
    heads[1:] = np.bincount(head, minlength=52 * 51 * 50).cumsum()
    decks = [deck.tolist() for deck, _ in parts]
    return Table(decks, hypotheses, draws, heads, np.argsort(head, kind="stable"))


@dataclass(frozen=True)
class Hit:
    """A seed that makes the deck exactly. For java `seed` is that of new Random(seed) and `state` comes before the draws."""

    model: Model
    seed: int
    hypothesis: Hypothesis
    deck: int = 0

    def makes(self, deck: Sequence[int]) -> bool:
        """The judge: the plain Python model makes exactly this deck."""
        made = deal(self.model.draws(self.seed, BOUNDS), self.hypothesis.start, self.hypothesis.upwards)
        return list(deck) == (made[::-1] if self.hypothesis.reversed else made)


@dataclass
class Tried:
    """One search that was made, for the report: what was tried counts."""

    model: Model
    seeds: int
    what: str
    hypotheses: int
    seconds: float
    hits: list[Hit] = field(default_factory=list)


def seed_ranges(text: str, model: Model, now: datetime | None = None) -> list[Range]:
    """The seeds to try: "all", "ms-of-day", "small", "unix" (since 2000) or "unix:DATE+-DAYS"; [first, last) and words.

    Raises BadInput for anything else. "usual" means all where that takes no more than a minute (the LCGs), else
    the small numbers, the milliseconds of a day, and the last year's seconds.
    """
    if model.family == "java":
        return [(0, 1 << 27, "all 2^48 states")]
    now = now or datetime.now(UTC)
    ready = {
        "all": [(0, 1 << 31, "all 2^32 seeds (bit 31 changes nothing)") if model.bits == 31 else (0, 1 << 32, "all 2^32 seeds")],
        "ms-of-day": [(0, 86_400_000, "milliseconds of a day")],
        "small": [(0, 1 << 24, "0 to 2^24")],
        "unix": [(946_684_800, int(now.timestamp()) + 86_400, "seconds since 2000")],
    }
    year = (int(now.timestamp()) - 366 * 86_400, int(now.timestamp()) + 86_400, "seconds of the last year")
    if text == "usual":
        return ready["all"] if model.family == "lcg" else [*ready["ms-of-day"], year]
    if text in ready:
        return ready[text]
    if text.startswith("unix:"):
        return [_days_around(text)]
    raise BadInput(f"--seeds '{text}' is not known; write usual, all, ms-of-day, small, unix or unix:2024-05-01+-3 (days)")


def ranges_after(model: Model, seed: int, seeds: str) -> list[list[Range]]:
    """Where the seed of the next deck is looked for once one is known: a few narrow places first, then everywhere."""
    if model.family == "java":
        return [seed_ranges("all", model)]
    near = [(max(0, seed - (1 << 24)), min(1 << 32, seed + (1 << 24)), "near the last seed")]
    day = [seed_ranges("ms-of-day", model)] if seed < 86_400_000 else []
    return [near, *day, seed_ranges(seeds, model)]


def _days_around(text: str) -> Range:
    date, _, days = text[5:].partition("+-")
    try:
        middle = datetime.fromisoformat(date).replace(tzinfo=UTC)
        width = timedelta(days=float(days.removesuffix("d") or 1))
    except ValueError:
        raise BadInput(f"--seeds '{text}' should be like unix:2024-05-01+-3 (a date and days around it)") from None
    first, last = middle - width, middle + width + timedelta(days=1)
    return int(first.timestamp()), int(last.timestamp()), f"seconds of {first:%Y-%m-%d} to {last:%Y-%m-%d}"


def _pieces(first: int, last: int, size: int) -> Iterator[tuple[int, int]]:
    for begin in range(first, last, size):
        yield begin, min(begin + size, last)


def _task(model: Model, table: Table, first: int, last: int) -> list[tuple[int, int]]:
    """(seed, hypothesis) candidates of one piece, by the compiled search."""
    hits = np.zeros((k.MOST_HITS, 2), dtype=np.int64)
    if model.family == "lcg":
        form, multiplier, increment = model.parameters
        found = k.search_lcg(
            form, np.uint64(multiplier), np.uint64(increment), first, last, table.heads, table.members, table.draws, hits
        )
    elif model.family == "glibc":
        found = k.search_glibc(glibc_coefficients(), first, last, table.heads, table.members, table.draws, hits)
    else:
        found = k.search_mt(
            model.family == "mt-array", _python_base(), model.parameters[0], first, last,
            table.heads, table.members, table.draws, hits,
        )  # fmt: skip
    return [(int(seed), int(row)) for seed, row in hits[:found]]


def _python_base() -> np.ndarray:
    """The 624 words of init_genrand(19650218), from which init_by_array starts."""
    words = [19650218]
    for i in range(1, 624):
        words.append((1812433253 * (words[-1] ^ words[-1] >> 30) + i) & 0xFFFFFFFF)
    return np.array(words, dtype=np.uint32)


def search(
    table: Table,
    model: Model,
    seeds: str | list[Range] = "usual",
    workers: int | None = None,
    progress: Progress | None = None,
) -> Tried:
    """All seeds of a model that make a deck of the table under any of its hypotheses; hits are verified by the Python model."""
    begin = time.perf_counter()
    ranges = seed_ranges(seeds, model) if isinstance(seeds, str) else seeds
    total = sum(last - first for first, last, _ in ranges)
    what = " and ".join(words for _, _, words in ranges)
    tried = Tried(model, total if model.family != "java" else 1 << 48, what, len(table.hypotheses), 0.0)
    if model.family == "java":
        candidates = _java_candidates(table, progress)
    else:
        candidates = _pooled(model, table, ranges, total, workers, progress)
    for seed, row in candidates:
        hypothesis = table.hypotheses[row]
        hit = Hit(model, seed, hypothesis, hypothesis.deck)
        if hit.makes(table.decks[hypothesis.deck]):
            tried.hits.append(hit)
    tried.seconds = time.perf_counter() - begin
    return tried


def _pooled(
    model: Model, table: Table, ranges: list[Range], total: int, workers: int | None, progress: Progress | None
) -> list[tuple[int, int]]:
    size = PIECE if model.family == "lcg" else PIECE >> 4
    pieces = [piece for first, last, _ in ranges for piece in _pieces(first, last, size)]
    candidates: list[tuple[int, int]] = []
    done = 0
    with ThreadPoolExecutor(workers or os.cpu_count() or 2) as pool:
        try:
            for found, (first, last) in zip(pool.map(lambda p: _task(model, table, *p), pieces), pieces, strict=True):
                candidates += found
                done += last - first
                if progress:
                    progress(done / total, model.words)
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
    return candidates


def _java_candidates(table: Table, progress: Progress | None) -> list[tuple[int, int]]:
    """Low bits first for every hypothesis, then the 2^27 upper parts of the few that are left."""
    result = []
    low = np.zeros(4096, dtype=np.uint64)
    hits = np.zeros(64, dtype=np.uint64)
    rows = len(table.hypotheses)
    for row in range(rows):
        for candidate in low[: k.java_low_bits(table.draws[row], low)].copy():
            found = k.search_java(candidate, 0, 1 << 27, table.draws[row], hits)
            result += [(java_seed_of(int(state)), row) for state in hits[:found]]
        if progress:
            progress((row + 1) / rows, MODELS["java"].words)
    return result


def seed_meaning(hit: Hit) -> str:
    """What a seed looks like: a time of day, a date, a small number."""
    seed = hit.seed
    parts = [f"{seed:,}"]
    if 1_000_000 <= seed < 86_400_000:
        seconds, thousandths = divmod(seed, 1000)
        clock = f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}.{thousandths:03}"
        parts.append(f"{clock} as milliseconds of a day")
    if 946_684_800 <= seed < 4_102_444_800:
        parts.append(f"{datetime.fromtimestamp(seed, UTC):%Y-%m-%d %H:%M:%S} UTC as a time in seconds")
    if hit.model.family == "java" and 946_684_800_000 <= seed < 4_102_444_800_000:
        parts.append(f"{datetime.fromtimestamp(seed / 1000, UTC):%Y-%m-%d %H:%M:%S} UTC as a time in milliseconds")
    return ", ".join(parts)
