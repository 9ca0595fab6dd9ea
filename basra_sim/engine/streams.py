"""Random streams named by (run seed, pair, round, purpose) and by nothing else, and the shuffle.

The streams of the cards are xoshiro256++ generators, those of the seats the lighter xoroshiro128++ (Blackman and Vigna
2021, "Scrambled linear pseudorandom number generators"). A state is a one-to-one function of (pair, round, purpose) under a
seed, so that no two streams of a run share one. The classes `CardStream` and `SeatStream` are the plain Python twins of the
kernels' functions and give the same numbers.
"""

from __future__ import annotations

from collections.abc import MutableSequence
from typing import Any

import numpy as np

from .jit.compiling import hot, piece
from .jit.instructions import MASK64, byte, multiply_high, put_byte, put_word, unsigned
from .layouts import seat_stream_at

# What a stream is for. Seats own the strategies' streams, so a strategy that draws numbers cannot move the cards.
PACK, FLOOR_BAN, FIRST_DEALER, SEAT_0, SEAT_1 = range(5)
PURPOSES = 8  # room for more without moving the streams that exist

GOLDEN = 0x9E3779B97F4A7C15
KEY_PAIR, KEY_ROUND = 0x6A09E667F3BCC909, 0xBB67AE8584CAA73B

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
_L0, _L1, _L2, _L3, _L4 = map(np.uint64, LIMITS)  # as compiled code compares them: unsigned


# ---------------------------------------------------------------------------------------------- words, as unsigned numbers
@hot
def _rotate(word, count):
    return ((word << count) | (word >> (64 - count))) & MASK64


@hot
def mix64(word):
    """The finalizer of splitmix64 (Steele, Lea, Flood 2014): one-to-one on unsigned words."""
    word = ((word ^ (word >> 30)) * 0xBF58476D1CE4E5B9) & MASK64
    word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) & MASK64
    return word ^ (word >> 31)


@hot
def xoshiro_next(stream):
    """The next word of a stream of the cards: xoshiro256++ (Blackman, Vigna 2021)."""
    s0, s1, s2, s3 = stream.s0, stream.s1, stream.s2, stream.s3
    s2 ^= s0
    s3 ^= s1
    stream.s0 = s0 ^ s3
    stream.s1 = s1 ^ s2
    stream.s2 = s2 ^ ((s1 << 17) & MASK64)
    stream.s3 = _rotate(s3, 45)
    return (_rotate((s0 + (s3 ^ s1)) & MASK64, 23) + s0) & MASK64


@hot
def xoroshiro_next(stream):
    """The next word of a seat's stream: xoroshiro128++ (Blackman, Vigna 2021)."""
    s0, s1 = stream.s0, stream.s1
    mixed = s1 ^ s0
    stream.s0 = _rotate(s0, 49) ^ mixed ^ ((mixed << 21) & MASK64)
    stream.s1 = _rotate(mixed, 28)
    return (_rotate((s0 + s1) & MASK64, 17) + s0) & MASK64


# ---------------------------------------------------------------------------------------------- opening a stream
@piece
def seed_keys(seed):
    """The two words that a run seed contributes to the name of every stream."""
    return mix64(unsigned(seed) ^ unsigned(KEY_PAIR)), mix64(unsigned(seed) ^ unsigned(KEY_ROUND))


@piece
def hash_pair(pair_key, pair):
    """One-to-one in the pair: the first half of a stream's name."""
    return mix64((pair_key + unsigned(pair) * GOLDEN) & MASK64)


@piece
def _hash_round(round_key, round_, purpose):
    """One-to-one in (round, purpose): the second half. States are hashes of first + k * second, k = 1, 2 ..."""
    return mix64((round_key + unsigned(round_ * PURPOSES + purpose) * GOLDEN) & MASK64)


@piece
def open_card_stream(stream, hashed_pair, round_key, round_, purpose):
    """Put a stream of the cards (a CARD_STREAM record) at its start."""
    step = _hash_round(round_key, round_, purpose)
    first = (hashed_pair + step) & MASK64
    second = (first + step) & MASK64
    third = (second + step) & MASK64
    stream.s0, stream.s1, stream.s2 = mix64(first), mix64(second), mix64(third)
    stream.s3 = mix64((third + step) & MASK64)


@piece
def open_seat_stream(stream, hashed_pair, round_key, round_, purpose):
    """Put the stream of a seat (a SEAT_STREAM record, or a desk) at its start."""
    step = _hash_round(round_key, round_, purpose)
    first = (hashed_pair + step) & MASK64
    stream.s0, stream.s1 = mix64(first), mix64((first + step) & MASK64)


# ---------------------------------------------------------------------------------------------- draws
@hot
def _bias_limit(bound):
    return unsigned(((1 << 62) % bound) * 4 % bound)  # 2**64 mod bound


@piece
def card_draw_below(stream, bound):
    """A uniform integer in 0..bound-1 from a stream of the cards: a word, rejection as in Lemire 2019."""
    limit = _bias_limit(bound)
    while True:
        word = xoshiro_next(stream)
        if (word * unsigned(bound)) & MASK64 >= limit:
            return multiply_high(word, bound)


@hot
def draw_below(state, bound):
    """A uniform integer in 0..bound-1 (1 <= bound < 2**61) from a seat's stream: a word, rejection as in Lemire 2019."""
    stream = seat_stream_at(state)
    word = xoroshiro_next(stream)
    low = (word * unsigned(bound)) & MASK64
    if low < unsigned(bound):
        limit = _bias_limit(bound)
        while low < limit:
            word = xoroshiro_next(stream)
            low = (word * unsigned(bound)) & MASK64
    return multiply_high(word, bound)


@hot
def draw_unit(state):
    """A uniform float in [0, 1) with 53 bits from a seat's stream."""
    return (xoroshiro_next(seat_stream_at(state)) >> 11) * (1.0 / (1 << 53))


@hot
def _draw_batch(pack, stream, highest, lowest):
    """Fisher-Yates steps for places highest-1 down to lowest-1 out of one word; returns the word's remainder."""
    word = xoshiro_next(stream)
    for bound in range(highest, lowest - 1, -1):
        place = multiply_high(word, bound)
        word = (word * unsigned(bound)) & MASK64
        here = byte(pack, bound - 1)
        put_byte(pack, bound - 1, byte(pack, place))
        put_byte(pack, place, here)
    return word


@piece
def shuffle_pack(pack, stream):
    """Write a uniformly shuffled pack, 52 bytes, at the address `pack`; index 0 is the top."""
    while True:
        for place in range(6):  # eight cards at a time: 0..7 as bytes, then 8..15 ...
            put_word(pack, place, 0x0706050403020100 + place * 0x0808080808080808)
        for place in range(48, 52):
            put_byte(pack, place, place)
        biased = _draw_batch(pack, stream, _H0, _H1 + 1) < _L0
        biased |= _draw_batch(pack, stream, _H1, _H2 + 1) < _L1
        biased |= _draw_batch(pack, stream, _H2, _H3 + 1) < _L2
        biased |= _draw_batch(pack, stream, _H3, _H4 + 1) < _L3
        biased |= _draw_batch(pack, stream, _H4, 2) < _L4
        if not biased:
            return


class _Stream:
    """A named stream in plain Python: the judge of the kernels' streams, and what interpreted engines draw from."""

    _n_words = 4

    def __init__(self, seed: int, pair: int, round_: int, purpose: int) -> None:
        first = mix64((mix64((seed & MASK64) ^ KEY_PAIR) + pair * GOLDEN) & MASK64)
        second = mix64((mix64((seed & MASK64) ^ KEY_ROUND) + (round_ * PURPOSES + purpose) * GOLDEN) & MASK64)
        self._words = [mix64((first + (k + 1) * second) & MASK64) for k in range(self._n_words)]

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
