"""Random streams: published answers of the generators, streams that never meet, packs that are uniform.

Statistics are exact or chi-square with both tails at one in a million, at fixed seeds: they fail for a reason or never.
"""

from __future__ import annotations

import math
from itertools import permutations

import numpy as np
import pytest
from judging import V2, compiled, judged, plan_of
from scipy.stats import binom, chi2

from basra_sim.engine.jit.compiling import kernel
from basra_sim.engine.jit.instructions import signed64
from basra_sim.engine.jit.instructions import unsigned as unsigned_word
from basra_sim.engine.layouts import card_stream_at, seat_stream_at
from basra_sim.engine.redealt import packs_of
from basra_sim.engine.streams import (
    BATCHES,
    FIRST_DEALER,
    FLOOR_BAN,
    GOLDEN,
    LIMITS,
    PACK,
    SEAT_0,
    SEAT_1,
    CardStream,
    SeatStream,
    card_draw_below,
    draw_below,
    draw_unit,
    mix64,
    shuffle_pack,
    xoroshiro_next,
    xoshiro_next,
)

ALPHA = 1e-6
PURPOSES = (PACK, FLOOR_BAN, FIRST_DEALER, SEAT_0, SEAT_1)

# first outputs of the authors' C programs for the states (1, 2, 3, 4) and (1, 2); splitmix64 for the seed 1234567
XOSHIRO256PP = (
    41943041, 58720359, 3588806011781223, 3591011842654386, 9228616714210784205,
    9973669472204895162, 14011001112246962877, 12406186145184390807, 15849039046786891736, 10450023813501588000,
)  # fmt: skip
XOROSHIRO128PP = (
    393217, 669327710093319, 1732421326133921491, 11394790081659126983, 9555452776773192676,
    3586421180005889563, 1691397964866707553, 10735626796753111697, 15216282715349408991, 14247243556711267923,
)  # fmt: skip
SPLITMIX64 = (
    6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821,
)  # fmt: skip


@kernel
def words_of_four(state, out):
    for k in range(len(out)):
        out[k] = signed64(xoshiro_next(card_stream_at(state)))


@kernel
def words_of_two(state, out):
    for k in range(len(out)):
        out[k] = signed64(xoroshiro_next(seat_stream_at(state)))


@kernel
def mixes(out, seed, golden):
    for k in range(len(out)):
        out[k] = signed64(mix64(unsigned_word(seed + (k + 1) * golden)))


@kernel
def draws(state, bounds, card_draws, seat_draws, units):
    """Numbers from one state: by the cards' generator, then by the seats' from words further on."""
    for k in range(len(bounds)):
        card_draws[k] = card_draw_below(card_stream_at(state), bounds[k])
        seat_draws[k] = draw_below(state + 32, bounds[k])
        units[k] = draw_unit(state + 32)


@kernel
def shuffle_many(packs, state):
    for k in range(packs.shape[0]):
        shuffle_pack(packs[k].ctypes.data, card_stream_at(state))


def unsigned(words) -> tuple[int, ...]:
    return tuple(int(word) & (1 << 64) - 1 for word in words)


def with_words(kind, words):
    stream = kind(0, 0, 0, 0)
    stream._words = list(words)
    return stream


def test_xoshiro_gives_the_published_words():
    state, out = np.array([1, 2, 3, 4], np.int64), np.zeros(10, np.int64)
    words_of_four(state.ctypes.data, out)
    assert unsigned(out) == XOSHIRO256PP
    stream = with_words(CardStream, [1, 2, 3, 4])
    assert tuple(stream.word() for _ in range(10)) == XOSHIRO256PP


def test_xoroshiro_gives_the_published_words():
    state, out = np.array([1, 2], np.int64), np.zeros(10, np.int64)
    words_of_two(state.ctypes.data, out)
    assert unsigned(out) == XOROSHIRO128PP
    stream = with_words(SeatStream, [1, 2])
    assert tuple(stream.word() for _ in range(10)) == XOROSHIRO128PP


@pytest.mark.filterwarnings("ignore:overflow")
def test_the_mixer_is_that_of_splitmix64():
    out = np.zeros(5, np.int64)
    with np.errstate(over="ignore"):
        mixes(out, np.int64(1234567), np.int64(GOLDEN - (1 << 64)))
    assert unsigned(out) == SPLITMIX64


def test_draws_are_those_of_the_plain_twins():
    bounds = np.array([1, 2, 3, 4, 7, 52, 1000, 2**31, 3 * 2**59, 2**61 - 1] * 20, np.int64)
    cards, seat = CardStream(5, 6, 7, PACK), SeatStream(5, 6, 7, SEAT_1)
    state = np.array([*cards._words, *seat._words], np.uint64).view(np.int64)
    card_draws, seat_draws, units = np.zeros(200, np.int64), np.zeros(200, np.int64), np.zeros(200)
    draws(state.ctypes.data, bounds, card_draws, seat_draws, units)
    for k, bound in enumerate(bounds.tolist()):
        assert (card_draws[k], seat_draws[k], units[k]) == (cards.below(bound), seat.below(bound), seat.unit())
        assert 0 <= card_draws[k] < bound
        assert 0.0 <= units[k] < 1.0


def test_packs_are_those_of_the_plain_twin():
    pairs, rounds = np.array([0, 1, 2, 10**9, 10**15]), np.array([0, 3, 1, 70, 99_999])
    for seed in (0, 1, 2**63, 2**64 - 1):
        packs = packs_of(seed, pairs, rounds)
        for pack, pair, number in zip(packs.tolist(), pairs.tolist(), rounds.tolist(), strict=True):
            assert pack == CardStream(seed, pair, number, PACK).pack()


def test_no_two_streams_share_a_state():
    states = set()
    count = 0
    for seed in (0, 1, 2, 3, 1 << 32, (1 << 63) + 1, (1 << 64) - 1):
        for pair in (*range(40), 2**31, 2**32, 10**12):
            for number in (*range(12), 64, 99_999):
                for purpose in PURPOSES:
                    states.add(tuple(CardStream(seed, pair, number, purpose)._words))
                    count += 1
    assert len(states) == count
    # nor a word of it, which would be a pattern (64-bit words by chance: once in 10**10 such tests)
    words = [word for state in states for word in state]
    assert len(set(words)) == len(words)
    assert all(any(state) for state in states)


def test_streams_of_neighbours_have_nothing_in_common():
    """Half the bits differ between the first words of streams whose names differ in one place."""
    base = (11, 4, 2, 0)
    for place in range(4):
        differing = 0
        for step in range(1, 201):
            name = list(base)
            name[place] += step
            one = CardStream(*base).word()
            other = CardStream(*name).word()
            differing += (one ^ other).bit_count()
        assert ALPHA < binom.cdf(differing, 200 * 64, 0.5) < 1 - ALPHA, place


def check_uniform(counts: np.ndarray, expected: float | np.ndarray, freedom: int, scale: float = 1.0) -> None:
    statistic = scale * float(((counts - expected) ** 2 / expected).sum())
    assert ALPHA < chi2.cdf(statistic, freedom) < 1 - ALPHA, statistic


@pytest.mark.parametrize("source", ["one stream", "a stream a pack"])
def test_packs_are_uniform(source):
    n = 120_000
    if source == "one stream":
        state = np.array([1, 2, 3, 4], np.int64)
        packs = np.zeros((n, 52), np.uint8)
        shuffle_many(packs, state.ctypes.data)
    else:
        packs = packs_of(7, np.arange(n) // 4, np.arange(n) % 4)
    # each card in each place: 51 x 51 degrees of freedom, once scaled for packs that hold each card once
    places = np.zeros((52, 52), np.int64)
    for place in range(52):
        places[place] = np.bincount(packs[:, place], minlength=52)
    check_uniform(places, n / 52, 51 * 51, 51 / 52)
    # which card lies under which: 52 x 51 pairs, each in one pack of 52; the mean of the statistic is 52 x 51 x 51/52
    below = np.bincount(packs[:, :-1].astype(np.int64).ravel() * 52 + packs[:, 1:].ravel(), minlength=52 * 52)
    pairs = below.reshape(52, 52)[~np.eye(52, dtype=bool)]
    assert below.reshape(52, 52).trace() == 0
    check_uniform(pairs, n / 52, 51 * 51)
    # the order of four cards among themselves: 24 orders
    where = np.argsort(packs, axis=1)
    for four in ([0, 1, 2, 3], [25, 40, 41, 51]):
        order = np.argsort(where[:, four], axis=1)
        counts = np.array([(order == np.array(p)).all(axis=1).sum() for p in permutations(range(4))])
        check_uniform(counts, n / 24, 23)
    # cards in their first place: Poisson(1) but for 10**-60
    fixed = np.bincount((packs == np.arange(52)).sum(axis=1), minlength=6)
    cells = np.array([*fixed[:5], fixed[5:].sum()])
    chances = np.array([math.exp(-1) / math.factorial(k) for k in range(5)])
    chances = np.array([*chances, 1 - chances.sum()])
    check_uniform(cells, n * chances, 5)
    # an odd permutation is as likely as an even one
    odd = sum(parity(pack) for pack in packs[:4000].tolist())
    assert ALPHA < binom.cdf(odd, 4000, 0.5) < 1 - ALPHA


def parity(pack: list[int]) -> int:
    cycles, left = 0, set(range(52))
    while left:
        cycles += 1
        place = left.pop()
        while pack[place] in left:
            place = pack[place]
            left.remove(place)
    return (52 - cycles) % 2


def test_packs_of_different_pairs_and_rounds_are_independent():
    """The same card in the same place of two packs: once in 52, whatever the neighbours."""
    n = 40_000
    for pairs, rounds in ((np.arange(n), np.zeros(n, np.int64)), (np.zeros(n, np.int64), np.arange(n))):
        packs = packs_of(3, pairs, rounds)
        same = int((packs[:-1] == packs[1:]).sum())
        # the matches of two packs have mean 1 and variance 1; neighbours are independent in pairs
        z = (same - (n - 1)) / math.sqrt(n - 1)
        assert abs(z) < 5.5


def test_a_pack_is_52_bytes_and_nothing_beyond_is_touched():
    room = np.full((3, 64), 0xEE, np.uint8)
    state = np.arange(1, 5)
    shuffle_many(room[:, 4:], state.ctypes.data)
    assert [sorted(row[4:56].tolist()) for row in room] == [list(range(52))] * 3
    assert (room[:, :4] == 0xEE).all() and (room[:, 56:] == 0xEE).all()


def test_the_shuffle_draws_every_batch_evenly_and_rejects_as_it_must():
    for (highest, count), limit in zip(BATCHES, LIMITS, strict=True):
        product = math.prod(range(highest - count + 1, highest + 1))
        assert limit == 2**64 % product < product < 2**64
    assert sum(count for _, count in BATCHES) + 1 == 52
    assert [h for h, _ in BATCHES] == [52 - sum(c for _, c in BATCHES[:k]) for k in range(len(BATCHES))]


@kernel
def seat_words(state, out):
    for k in range(len(out)):
        out[k] = draw_below(state, 6)


def test_bounded_draws_are_uniform():
    state, out = np.array([8, 9], np.int64), np.zeros(600_000, np.int64)
    seat_words(state.ctypes.data, out)
    check_uniform(np.bincount(out, minlength=6), 100_000, 5)


# ------------------------------------------------------------------------------------------------ whose stream is whose
def packs_met(two, pairs=6, seed=12, **more) -> list[tuple[tuple[int, ...], ...]]:
    """The hands and first floors of the rounds that both of these matches play, as the engine dealt them."""
    plan = plan_of(V2, two, seed=seed, pairs=pairs, unit="round", **more)
    played = compiled(plan)
    leaders = [tuple(sorted(cards[0::2])) for cards in played.cards.tolist()]
    return list(zip(leaders, played.rounds["pair"].tolist(), strict=True))


def test_the_cards_are_the_same_in_every_match():
    """Whatever the strategies are and draw: the leader's 24 cards of each round are the same set."""
    wanted = packs_met(("first", "greedy"))
    for two in (("random", "random"), ("greedy", "random"), ("every-field", "every-field:salt=2"), ("first", "first")):
        assert packs_met(two) == wanted
    assert packs_met(("first", "greedy"), seed=13) != wanted


def python_random(view):
    import random

    return random.choice([card for card in range(52) if view.hand >> card & 1])


def many_draws(view):
    from basra_sim.engine.jit.instructions import lowest
    from basra_sim.engine.view_helpers import random_below

    for _ in range(view.ply):
        random_below(view.rng, 10)
    return lowest(view.hand)


def test_a_strategy_that_draws_never_moves_the_cards():
    """Nor one that uses Python's own `random`, nor the stream of the other seat."""
    wanted = packs_met(("first", "greedy"))
    assert packs_met((python_random, "greedy")) == wanted
    assert packs_met((many_draws, "random")) == wanted
    quiet = compiled(plan_of(V2, ("random", "first"), seed=2, pairs=4, unit="round"))
    noisy = compiled(plan_of(V2, ("random", many_draws), seed=2, pairs=4, unit="round"))
    # `many_draws` plays as `first` does: its draws do not reach the other's stream
    assert np.array_equal(quiet.cards, noisy.cards)


def test_a_view_holds_no_way_to_the_cards():
    """The random numbers of a strategy's view are those of its seat, and its stream knows no other name."""
    streams = []

    def spy(view):
        streams.append(view.rng)
        return (view.hand & -view.hand).bit_length() - 1

    judged(plan_of(V2, (spy, spy), pairs=1), 0, 0)
    for stream in streams:
        held = vars(stream) if hasattr(stream, "__dict__") else {}
        assert set(held) <= {"_words"}, held
