"""Random streams named by (run seed, pair, round, purpose) and by nothing else, and the shuffle.

The streams of the cards are xoshiro256++ generators, those of the seats the lighter xoroshiro128++ (Blackman and Vigna
2021, "Scrambled linear pseudorandom number generators"). A state is a one-to-one function of (pair, round, purpose) under a
seed, so that no two streams of a run share one. The classes `CardStream` and `SeatStream` are the plain Python twins of the
kernels' functions and give the same numbers.
"""

from __future__ import annotations

from collections.abc import MutableSequence
from typing import Any

from basra_sim.engine.jit.primitives import (
    MASK64,
    add_wrapped,
    hot,
    load_u8,
    mix64,
    multiply_high,
    multiply_low,
    piece,
    shift_right,
    store_i64,
    store_u8,
    unsigned_below,
    xoroshiro_next,
    xoshiro_next,
)

# What a stream is for. Seats own the strategies' streams, so a strategy that draws numbers cannot move the cards.
PACK, FLOOR_BAN, FIRST_DEALER, SEAT_0, SEAT_1 = range(5)
PURPOSES = 8  # room for more without moving the streams that exist

GOLDEN = 0x9E3779B97F4A7C15 - (1 << 64)
KEY_PAIR = 0x6A09E667F3BCC909
KEY_ROUND = 0xBB67AE8584CAA73B - (1 << 64)

# The 51 draws of a shuffle come out of five 64-bit words (Brackett-Rozinsky and Lemire 2024, "Batched ranged random
# integer generation"): bounds 52..44, 43..34, 33..23, 22..9, 8..2. A word whose remainder falls below 2**64 mod
# (product of its bounds) would be biased; it is met once in about 500 packs and starts the pack again.
BATCHES = ((52, 9), (43, 10), (33, 11), (22, 14), (8, 7))


def _rejection_bound(highest: int, count: int) -> int:
    product = 1
    for bound in range(highest, highest - count, -1):
        product *= bound
    return (1 << 64) % product


LIMITS = tuple(_rejection_bound(*batch) for batch in BATCHES)
_H0, _H1, _H2, _H3, _H4 = (highest for highest, _ in BATCHES)
_L0, _L1, _L2, _L3, _L4 = LIMITS


@piece
def seed_keys(seed):
    """The two words that a run seed contributes to the name of every stream."""
    return mix64(seed ^ KEY_PAIR), mix64(seed ^ KEY_ROUND)


@piece
def hash_pair(pair_key, pair):
    """One-to-one in the pair: the first half of a stream's name."""
    return mix64(add_wrapped(pair_key, multiply_low(pair, GOLDEN)))


@piece
def _hash_round(round_key, round_, purpose):
    """One-to-one in (round, purpose): the second half. States are hashes of first + k * second, k = 1, 2 ..."""
    return mix64(add_wrapped(round_key, multiply_low(round_ * PURPOSES + purpose, GOLDEN)))


@piece
def open_card_stream(state, hashed_pair, round_key, round_, purpose):
    """Put a stream of the cards at its start: writes four words at the address `state`."""
    total = hashed_pair
    step = _hash_round(round_key, round_, purpose)
    for k in range(4):
        total = add_wrapped(total, step)
        store_i64(state + 8 * k, mix64(total))


@piece
def open_seat_stream(state, hashed_pair, round_key, round_, purpose):
    """Put the stream of a seat at its start: writes two words at the address `state`."""
    step = _hash_round(round_key, round_, purpose)
    total = add_wrapped(hashed_pair, step)
    store_i64(state, mix64(total))
    store_i64(state + 8, mix64(add_wrapped(total, step)))


@piece
def card_draw_below(state, bound):
    """A uniform integer in 0..bound-1 from a stream of the cards: a word, rejection as in Lemire 2019."""
    limit = ((1 << 62) % bound) * 4 % bound  # 2**64 mod bound
    while True:
        word = xoshiro_next(state)
        if not unsigned_below(multiply_low(word, bound), limit):
            return multiply_high(word, bound)


@hot
def draw_below(state, bound):
    """A uniform integer in 0..bound-1 (1 <= bound < 2**61) from a seat's stream: a word, rejection as in Lemire 2019."""
    word = xoroshiro_next(state)
    low = multiply_low(word, bound)
    if unsigned_below(low, bound):
        limit = ((1 << 62) % bound) * 4 % bound  # 2**64 mod bound
        while unsigned_below(low, limit):
            word = xoroshiro_next(state)
            low = multiply_low(word, bound)
    return multiply_high(word, bound)


@hot
def draw_unit(state):
    """A uniform float in [0, 1) with 53 bits from a seat's stream."""
    return shift_right(xoroshiro_next(state), 11) * (1.0 / (1 << 53))


@hot
def _draw_batch(pack, state, highest, lowest):
    """Fisher-Yates steps for places highest-1 down to lowest-1 out of one word; returns the word's remainder."""
    word = xoshiro_next(state)
    for bound in range(highest, lowest - 1, -1):
        place = multiply_high(word, bound)
        word = multiply_low(word, bound)
        here = load_u8(pack + bound - 1)
        store_u8(pack + bound - 1, load_u8(pack + place))
        store_u8(pack + place, here)
    return word


@piece
def shuffle_pack(pack, state):
    """Write a uniformly shuffled pack, 52 bytes, at the address `pack`; index 0 is the top."""
    while True:
        for place in range(52):
            store_u8(pack + place, place)
        biased = unsigned_below(_draw_batch(pack, state, _H0, _H1 + 1), _L0)
        biased |= unsigned_below(_draw_batch(pack, state, _H1, _H2 + 1), _L1)
        biased |= unsigned_below(_draw_batch(pack, state, _H2, _H3 + 1), _L2)
        biased |= unsigned_below(_draw_batch(pack, state, _H3, _H4 + 1), _L3)
        biased |= unsigned_below(_draw_batch(pack, state, _H4, 2), _L4)
        if not biased:
            return


def signed64(seed: int) -> int:
    """A seed 0..2**64-1 as the signed 64-bit integer that the kernels take."""
    seed &= MASK64
    return seed - (1 << 64) if seed >> 63 else seed


class _Stream:
    """A named stream in plain Python: the judge of the kernels' streams, and what interpreted engines draw from."""

    _n_words = 4

    def __init__(self, seed: int, pair: int, round_: int, purpose: int) -> None:
        first = _mix(_mix((seed & MASK64) ^ (KEY_PAIR & MASK64)) + pair * GOLDEN)
        second = _mix(_mix((seed & MASK64) ^ (KEY_ROUND & MASK64)) + (round_ * PURPOSES + purpose) * GOLDEN)
        self._words = [_mix(first + (k + 1) * second) for k in range(self._n_words)]

    def word(self) -> int:
        """The next 64-bit word, 0..2**64-1."""
        raise NotImplementedError

    def below(self, bound: int) -> int:
        """A uniform integer in 0..bound-1."""
        limit = (1 << 64) % bound
        while True:
            product = self.word() * bound
            if product & MASK64 >= limit:
                return product >> 64

    def unit(self) -> float:
        """A uniform float in [0, 1) with 53 bits."""
        return (self.word() >> 11) * (1.0 / (1 << 53))


class SeatStream(_Stream):
    """A seat's stream: xoroshiro128++."""

    _n_words = 2

    def word(self) -> int:
        """The next 64-bit word, 0..2**64-1."""
        s0, s1 = self._words
        s1 ^= s0
        self._words[:] = _rotate(s0, 49) ^ s1 ^ ((s1 << 21) & MASK64), _rotate(s1, 28)
        return (_rotate((s0 + (s1 ^ s0)) & MASK64, 17) + s0) & MASK64


class CardStream(_Stream):
    """A stream of the cards: xoshiro256++."""

    def word(self) -> int:
        """The next 64-bit word, 0..2**64-1."""
        s0, s1, s2, s3 = self._words
        result = (_rotate((s0 + s3) & MASK64, 23) + s0) & MASK64
        s2 ^= s0
        s3 ^= s1
        self._words[:] = s0 ^ s3, s1 ^ s2, s2 ^ ((s1 << 17) & MASK64), _rotate(s3, 45)
        return result

    def pack(self) -> list[int]:
        """A shuffled pack: 52 card ids, the top card first."""
        while True:
            pack = list(range(52))
            remainders = [self._batch(pack, highest, count) for highest, count in BATCHES]
            if all(word >= limit for word, limit in zip(remainders, LIMITS, strict=True)):
                return pack

    def _batch(self, pack: MutableSequence[Any], highest: int, count: int) -> int:
        word = self.word()
        for bound in range(highest, highest - count, -1):
            product = word * bound
            place, word = product >> 64, product & MASK64
            pack[bound - 1], pack[place] = pack[place], pack[bound - 1]
        return word


def _rotate(word: int, count: int) -> int:
    return ((word << count) | (word >> (64 - count))) & MASK64


def _mix(z: int) -> int:
    """The finalizer of splitmix64 (Steele, Lea, Flood 2014)."""
    z &= MASK64
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK64
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK64
    return z ^ (z >> 31)
