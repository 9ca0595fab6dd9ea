"""The built-in shuffles: the correct one and the ways programs and hands get it wrong, each with its known flaw.

`Generator("riffle:7", seed=1)`: its `chunks(count)` yields uint8 arrays (n, deck_size), the same
bytes for the same seed, whatever the chunk size.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from basra_sim.engine.redealt import packs_of
from basra_sim.errors import BadInput

from . import shuffle_loops as k
from .collected_piles import collected_shuffles
from .deck_orders import parse_order
from .shuffle_list import SEED_POLICIES, parse_spec

CHUNK = 16_384
LCGS = {"borland": (134775813, 1), "msvc": (214013, 2531011), "ansi": (1103515245, 12345), "low": (1103515245, 12345)}
OLD = ("lcg", "java", "mwc1616", "mt19937", "reseed")


def _whole(text: str, spec: str, low: int, high: int) -> int:
    try:
        value = int(text)
    except ValueError:
        value = low - 1
    if not low <= value <= high:
        raise BadInput(f"'{text}' in '{spec}' must be a whole number {low}..{high}")
    return value


def _chance(text: str, spec: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0.0 < value <= 1.0:
        raise BadInput(f"'{text}' in '{spec}' must be a chance above 0 and at most 1")
    return value


@dataclass
class _Plan:
    """What the kernel needs to know: its kind, parameters and seed policy."""

    kind: int
    a: int = 0
    p: float = 0.0
    multiplier: int = 0
    increment: int = 0
    policy: str = ""


def _old_plan(name: str, words: list[str], spec: str) -> _Plan:
    policy = words[-1]
    if policy not in SEED_POLICIES or (policy == "48" and name != "java"):
        known = ", ".join(SEED_POLICIES)
        raise BadInput(f"no seed policy '{policy}' in '{spec}'; there are {known} (48 for java only)")
    if name != "lcg":
        if policy == "stream" and name in ("reseed", "mt19937"):
            raise BadInput(f"'{spec}': {name} is seeded for every deck; choose another seed policy than stream")
        kinds = {"java": k.JAVA, "mwc1616": k.MWC1616, "mt19937": k.MT19937, "reseed": k.RESEED}
        return _Plan(kinds[name], policy=policy)
    if words[0] not in LCGS:
        raise BadInput(f"no LCG '{words[0]}' in '{spec}'; there are {', '.join(LCGS)}")
    kind = {"borland": k.LCG_HIGH, "low": k.LCG_LOW}.get(words[0], k.LCG_WORD)
    multiplier, increment = LCGS[words[0]]
    return _Plan(kind, multiplier=multiplier, increment=increment, policy=policy)


def _plan(spec: str, deck_size: int) -> _Plan:
    algorithm, words = parse_spec(spec)
    name = algorithm.name
    if name in OLD:
        return _old_plan(name, words, spec)
    simple = {
        "fisher-yates": k.FISHER_YATES, "naive": k.NAIVE, "sattolo": k.SATTOLO, "scaled15": k.SCALED15,
        "anti-clump": k.ANTI_CLUMP, "forked": k.FISHER_YATES, "engine": k.FISHER_YATES,
    }  # fmt: skip
    if name in simple:
        return _Plan(simple[name])
    if name == "swaps":
        if len(words) > 1 and words[1] != "distinct":
            raise BadInput(f"'{spec}' is not how it is written; write {algorithm.usage}")
        return _Plan(k.SWAPS_DISTINCT if len(words) > 1 else k.SWAPS, _whole(words[0], spec, 0, 1_000_000))
    if name == "overhand":
        return _Plan(k.OVERHAND, _whole(words[0], spec, 0, 100_000), _chance(words[1], spec))
    kinds = {
        "sort-random": (k.SORT_RANDOM, 1, 1000), "sort-keys": (k.SORT_KEYS, 1, 2**62), "riffle": (k.RIFFLE, 0, 10_000),
        "collected": (k.RIFFLE, 0, 10_000),
        "piles": (k.PILES, 1, deck_size), "top-to-random": (k.TOP_TO_RANDOM, 0, 1_000_000),
        "modulo": (k.MODULO, 1, 2**62), "stuck": (k.STUCK, 0, deck_size - 1), "partial": (k.PARTIAL, 0, deck_size),
    }  # fmt: skip
    kind, low, high = kinds[name]
    return _Plan(kind, _whole(words[0], spec, low, high))


class Generator:
    """A built-in shuffle with its seed: `chunks(count)` yields decks, `describe()` says what it is.

    start: "new" (cards 0..n-1 in order before every shuffle), "prev" (the deck as the last shuffle left it) or an
    order such as "SHDC-A2K". Raises BadInput for an unknown shuffle or parameter.
    """

    def __init__(self, spec: str, seed: int = 0, deck_size: int = 52, start: str = "new") -> None:
        if not 2 <= deck_size <= 52:
            raise BadInput(f"a deck has 2 to 52 cards here, not {deck_size}")
        self.spec, self.seed, self.deck_size, self.start = spec, seed, deck_size, start
        self.algorithm = parse_spec(spec)[0]
        self.plan = _plan(spec, deck_size)
        self.reuse = start == "prev"
        self.order = self._start_order()
        if self.algorithm.name in ("collected", "engine") and deck_size != 52:
            raise BadInput(f"{self.algorithm.name} is a shuffle of the pack of 52, not of {deck_size} cards")

    def _start_order(self) -> np.ndarray:
        if self.start in ("new", "prev"):
            return np.arange(self.deck_size, dtype=np.uint8)
        if self.deck_size != 52:
            raise BadInput("a start order of cards needs a deck of 52; use --start new or prev")
        return parse_order(self.start)

    def describe(self) -> str:
        """The shuffle in one line of words."""
        starts = {"new": "a new deck", "prev": "the deck before"}
        start = "" if self.algorithm.name in ("collected", "engine") else f", each from {starts.get(self.start, self.start)}"
        return f"built-in shuffle {self.spec} ({self.algorithm.what}){start}, seed {self.seed}"

    def chunks(self, count: int, chunk: int = CHUNK) -> Iterator[np.ndarray]:
        """uint8 arrays (at most `chunk`, deck_size), `count` decks in all."""
        sequence = np.random.SeedSequence(self.seed)
        state, old = sequence.generate_state(4, np.uint64), np.zeros(1, dtype=np.uint64)
        seeds = _Seeds(self.plan, np.random.default_rng(sequence.spawn(1)[0]), old)
        previous = self.order.copy()
        distinct = count
        if self.algorithm.name == "forked":
            distinct = -(-count // _whole(parse_spec(self.spec)[1][0], self.spec, 1, 10_000))
        made = 0
        kept: list[np.ndarray] = []
        while made < distinct:
            decks = np.empty((min(chunk, distinct - made), self.deck_size), dtype=np.uint8)
            self._fill(decks, made, previous, seeds, state, old)
            made += len(decks)
            if distinct < count:
                kept.append(decks)
            yield decks
        if made < count:
            yield from _again(np.concatenate(kept), count - made, chunk)

    def _fill(
        self, decks: np.ndarray, made: int, previous: np.ndarray, seeds: _Seeds, state: np.ndarray, old: np.ndarray
    ) -> None:
        """The next decks, after `made` of them."""
        plan = self.plan
        if self.algorithm.name == "mt19937":
            _python_shuffles(decks, self.order, previous, self.reuse, seeds.take(len(decks)))
        elif self.algorithm.name == "collected":
            collected_shuffles(decks, previous, state, plan.a, made > 0)
        elif self.algorithm.name == "engine":
            _engine_packs(decks, self.seed, made)
        else:
            k.shuffle_many(
                plan.kind, decks, self.order, previous, self.reuse, seeds.take(len(decks)), state, old,
                plan.a, plan.p, np.uint64(plan.multiplier), np.uint64(plan.increment),
            )  # fmt: skip

    def decks(self, count: int) -> np.ndarray:
        """All `count` decks in one uint8 array (count, deck_size)."""
        parts = list(self.chunks(count))
        return np.concatenate(parts) if parts else np.empty((0, self.deck_size), dtype=np.uint8)


def _python_shuffles(decks: np.ndarray, order: np.ndarray, previous: np.ndarray, reuse: bool, seeds: np.ndarray) -> None:
    """Python's own random.Random(seed).shuffle for every deck (a Mersenne Twister)."""
    for row, seed in enumerate(seeds.tolist()):
        deck = (previous if reuse else order).tolist()
        random.Random(seed).shuffle(deck)
        decks[row] = deck
        previous[:] = deck


def _engine_packs(decks: np.ndarray, seed: int, first: int) -> None:
    """The first packs of game pairs first, first + 1, ... as the simulator shuffles them."""
    pairs = np.arange(first, first + len(decks))
    decks[:] = packs_of(seed, pairs, np.zeros(len(decks), dtype=np.int64))


def _again(decks: np.ndarray, count: int, chunk: int) -> Iterator[np.ndarray]:
    """The same decks over and over, as workers with a copied generator give them."""
    place = 0
    while count > 0:
        part = decks[place : place + min(chunk, count)]
        count -= len(part)
        place = (place + len(part)) % len(decks)
        yield part.copy()


class _Seeds:
    """Seeds for the old generators, deck after deck, by policy."""

    def __init__(self, plan: _Plan, rng: np.random.Generator, old: np.ndarray) -> None:
        self.policy, self.rng, self.given = plan.policy, rng, 0
        self.kind = plan.kind
        self.clock = 1_700_000_000 + int(rng.integers(0, 31_536_000))
        if self.policy == "stream":
            old[0] = self._scramble(rng.integers(1, 2**32, size=1, dtype=np.uint64))[0]

    def _scramble(self, seeds: np.ndarray) -> np.ndarray:
        if self.kind == k.JAVA:
            return (seeds ^ np.uint64(0x5DEECE66D)) & np.uint64((1 << 48) - 1)
        if self.kind == k.MWC1616:
            # both halves from the one seed, neither may be zero
            return (seeds << np.uint64(32)) | (seeds ^ np.uint64(0x5A5A5A5A)) | np.uint64(1)
        return seeds & np.uint64(0xFFFFFFFF)

    def take(self, count: int) -> np.ndarray:
        """uint64 (count,): the state words before each deck, or none when the generator just runs on."""
        if self.policy in ("", "stream"):
            return np.empty(0, dtype=np.uint64)
        if self.policy == "seq":
            seeds = np.arange(self.given, self.given + count, dtype=np.uint64)
            self.given += count
        elif self.policy == "unix":
            gaps = self.rng.integers(0, 120, size=count).cumsum()
            seeds = (self.clock + gaps).astype(np.uint64)
            self.clock = int(seeds[-1])
        else:
            high = {"32": 2**32, "48": 2**48, "ms": 86_400_000}[self.policy]
            seeds = self.rng.integers(0, high, size=count, dtype=np.uint64)
        return self._scramble(seeds)
