"""The generators that the seed search knows, in plain Python: the judge of the compiled search, and their words.

`draws(seed, bounds)` gives the bounded numbers a program would take, one for each bound.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

BOUNDS = tuple(range(52, 1, -1))
Draws = Callable[[int, Sequence[int]], list[int]]


@dataclass(frozen=True)
class Model:
    """A generator and the way a bounded number is taken from it; bits: what its seed can hold."""

    name: str
    words: str
    bits: int
    draws: Draws
    family: str  # which kernel searches it: lcg, java, mt, mt-array, glibc
    parameters: tuple[int, ...] = ()


def lcg_states(seed: int, multiplier: int, increment: int) -> Iterator[int]:
    """The 32-bit states after the seed."""
    state = seed
    while True:
        state = (state * multiplier + increment) & 0xFFFFFFFF
        yield state


def _lcg(form: int, multiplier: int, increment: int) -> Draws:
    def draws(seed: int, bounds: Sequence[int]) -> list[int]:
        states = lcg_states(seed, multiplier, increment)
        take = (
            lambda state, bound: state * bound >> 32,
            lambda state, bound: (state >> 16 & 0x7FFF) % bound,
            lambda state, bound: state % bound,
        )[form]
        return [take(next(states), bound) for bound in bounds]

    return draws


JAVA_A, JAVA_C, MASK48 = 0x5DEECE66D, 0xB, (1 << 48) - 1


def java_state_of(seed: int) -> int:
    """The state that `new Random(seed)` begins with."""
    return (seed ^ JAVA_A) & MASK48


def java_seed_of(state: int) -> int:
    """The seed (48 bits) of `new Random` that begins with a state; its own inverse."""
    return (state ^ JAVA_A) & MASK48


def java_run(state: int, bounds: Sequence[int]) -> tuple[list[int], int]:
    """(java.util.Random.nextInt for each bound, the state afterwards), bit for bit."""
    result = []
    for bound in bounds:
        while True:
            state = (state * JAVA_A + JAVA_C) & MASK48
            word = state >> 17
            if bound & (bound - 1) == 0:
                value = bound * word >> 31
                break
            value = word % bound
            if word - value + bound - 1 < 1 << 31:
                break
        result.append(value)
    return result, state


def _java(seed: int, bounds: Sequence[int]) -> list[int]:
    return java_run(java_state_of(seed), bounds)[0]


def _mt_words(seed: int) -> Iterator[int]:
    generator = np.random.RandomState(seed)
    while True:
        yield from generator.randint(0, 2**32, size=128, dtype=np.uint32).tolist()


def _mt_modulo(seed: int, bounds: Sequence[int]) -> list[int]:
    return [word % bound for word, bound in zip(_mt_words(seed), bounds, strict=False)]


def _mt_masked(seed: int, bounds: Sequence[int]) -> list[int]:
    words = _mt_words(seed)
    result = []
    for bound in bounds:
        mask = (1 << (bound - 1).bit_length()) - 1
        while (value := next(words) & mask) >= bound:
            pass
        result.append(value)
    return result


def _python(seed: int, bounds: Sequence[int]) -> list[int]:
    generator = random.Random(seed)
    result = []
    for bound in bounds:
        bits = bound.bit_length()
        while (value := generator.getrandbits(bits)) >= bound:
            pass
        result.append(value)
    return result


def glibc_start(seed: int) -> list[int]:
    """r_0 .. r_30 of srand(seed)."""
    word = seed or 1
    if word >= 1 << 31:
        word -= 1 << 32
    words = [word]
    for _ in range(30):
        words.append(16807 * words[-1] % 2147483647)
    return words


def _glibc(seed: int, bounds: Sequence[int]) -> list[int]:
    words = [word & 0xFFFFFFFF for word in glibc_start(seed)]
    words += words[:3]
    for i in range(34, 344 + len(bounds)):
        words.append((words[i - 3] + words[i - 31]) & 0xFFFFFFFF)
    return [(words[344 + k] >> 1) % bound for k, bound in enumerate(bounds)]


@cache
def glibc_coefficients(outputs: int = 8) -> np.ndarray:
    """uint32 (outputs, 31): rand() number k is (coefficients[k] . r mod 2^32) >> 1."""
    rows = [np.eye(31, dtype=np.uint32)[i] for i in range(31)]
    rows += [rows[i].copy() for i in range(3)]
    for i in range(34, 344 + outputs):
        rows.append(rows[i - 3] + rows[i - 31])
    return np.array(rows[344:], dtype=np.uint32)


MODELS: dict[str, Model] = {
    model.name: model
    for model in (
        Model("java", "java.util.Random, Collections.shuffle", 48, _java, "java"),
        Model("borland", "32-bit LCG of Delphi and Turbo Pascal, Random(k)", 32, _lcg(0, 134775813, 1), "lcg", (0, 134775813, 1)),
        Model("msvc", "rand() % k of Microsoft C", 31, _lcg(1, 214013, 2531011), "lcg", (1, 214013, 2531011)),
        Model("ansi", "rand() % k of the ANSI C example", 31, _lcg(1, 1103515245, 12345), "lcg", (1, 1103515245, 12345)),
        Model("low", "ANSI C's LCG, whole word % k", 32, _lcg(2, 1103515245, 12345), "lcg", (2, 1103515245, 12345)),
        Model("glibc", "rand() % k of glibc after srand", 32, _glibc, "glibc"),
        Model("mt-modulo", "mt19937() % k (std::mt19937; PHP's mt_srand and shuffle)", 32, _mt_modulo, "mt", (0,)),
        Model("mt-numpy", "numpy.random.seed and shuffle", 32, _mt_masked, "mt", (1,)),
        Model("mt-python", "Python's random.seed(n) and shuffle", 32, _python, "mt-array", (2,)),
    )
}  # fmt: skip


def draws_of(places: Sequence[int], upwards: bool) -> list[int]:
    """The numbers that a Fisher-Yates shuffle drew, for bounds n, n-1 .. 2.

    places[i]: the start place of the card that ended at place i. Downwards: swap place i with one of 0..i from the
    last on; upwards: swap place i with i + one of 0..n-i-1 from the first on.
    """
    n = len(places)
    now = list(range(n))
    where = list(range(n))
    result = []
    steps = range(n - 1) if upwards else range(n - 1, 0, -1)
    for i in steps:
        j = where[places[i]]
        result.append(j - i if upwards else j)
        now[i], now[j] = now[j], now[i]
        where[now[i]], where[now[j]] = i, j
    return result


def deal(draws: Sequence[int], order: Sequence[int], upwards: bool) -> list[int]:
    """The deck that these draws make of an order: the inverse of `draws_of`."""
    deck = list(order)
    n = len(deck)
    for k, value in enumerate(draws):
        i = k if upwards else n - 1 - k
        j = i + value if upwards else value
        deck[i], deck[j] = deck[j], deck[i]
    return deck
