"""The loops behind the built-in shuffles: one pass over one pack each, and the loop over packs.

Every shuffle works in place on `deck` (uint8, n cards); `spare` is room for n cards; `state` is 4 words of
xoshiro256++. Old generators (LCGs, java.util.Random) keep their own state in `old` (one uint64).
"""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from basra_sim.engine.jit.compiling import kernel
from basra_sim.engine.jit.instructions import multiply_high

U = np.uint64
MASK48 = np.uint64((1 << 48) - 1)
(
    FISHER_YATES, NAIVE, SATTOLO, SORT_RANDOM, SORT_KEYS, SWAPS, SWAPS_DISTINCT, RIFFLE, OVERHAND, PILES, TOP_TO_RANDOM,
    MODULO, LCG_HIGH, LCG_WORD, LCG_LOW, JAVA, SCALED15, MWC1616, STUCK, ANTI_CLUMP, PARTIAL,
    RESEED, MT19937,
) = range(23)  # fmt: skip


@kernel
def next_word(state):
    """xoshiro256++ (Blackman & Vigna): the next 64 bits."""
    total = state[0] + state[3]
    result = ((total << U(23)) | (total >> U(41))) + state[0]
    t = state[1] << U(17)
    state[2] ^= state[0]
    state[3] ^= state[1]
    state[1] ^= state[2]
    state[0] ^= state[3]
    state[2] ^= t
    state[3] = (state[3] << U(45)) | (state[3] >> U(19))
    return result


@kernel
def below(state, bound):
    """A number 0..bound-1 without bias (Lemire's multiply and reject), as int64."""
    limit = U(bound)
    word = next_word(state)
    low = word * limit
    if low < limit:
        floor = (U(0) - limit) % limit
        while low < floor:
            word = next_word(state)
            low = word * limit
    return multiply_high(word, limit)


@kernel
def fraction(state):
    """A float in [0, 1) with 53 random bits."""
    return float(next_word(state) >> U(11)) * (1.0 / 9007199254740992.0)


@kernel
def fisher_yates(deck, state):
    """The correct shuffle (Durstenfeld): swap place i with one of 0..i, from the last place down."""
    for i in range(len(deck) - 1, 0, -1):
        j = below(state, i + 1)
        card = deck[i]
        deck[i] = deck[j]
        deck[j] = card


@kernel
def binary_insertion(deck, state):
    """Sorting with a comparator that tosses a coin, as CPython and V8 sort fewer than 64 items."""
    for i in range(1, len(deck)):
        pivot = deck[i]
        left, right = 0, i
        while left < right:
            middle = (left + right) >> 1
            if next_word(state) >> U(63):
                right = middle
            else:
                left = middle + 1
        for place in range(i, left, -1):
            deck[place] = deck[place - 1]
        deck[left] = pivot


@kernel
def sort_by_keys(deck, spare, keys, state, values):
    """Give every card one of `values` keys and sort by it; equal keys keep their order."""
    n = len(deck)
    for i in range(n):
        key = below(state, values)
        place = i
        while place > 0 and keys[place - 1] > key:
            keys[place] = keys[place - 1]
            spare[place] = spare[place - 1]
            place -= 1
        keys[place] = key
        spare[place] = deck[i]
    deck[:] = spare


@kernel
def riffle(deck, spare, state):
    """One Gilbert-Shannon-Reeds riffle: a fair coin a card says which half it came from."""
    n = len(deck)
    word = next_word(state)
    cut = 0
    for i in range(n):
        cut += np.int64((word >> U(i)) & U(1))
    left, right = 0, cut
    for i in range(n):
        if (word >> U(i)) & U(1):
            spare[i] = deck[left]
            left += 1
        else:
            spare[i] = deck[right]
            right += 1
    deck[:] = spare


@kernel
def overhand(deck, spare, state, chance):
    """One overhand pass: cut at each gap with a chance, the packets come down in reversed order."""
    n = len(deck)
    end, out = n, n
    start = 0
    for gap in range(1, n + 1):
        if gap == n or fraction(state) < chance:
            end = gap
            out -= end - start
            for i in range(start, end):
                spare[out + i - start] = deck[i]
            start = end
    deck[:] = spare


@kernel
def deal_piles(deck, spare, keys, state, piles):
    """Deal into piles one card at a time, then stack the piles in random order, each turned as dealt (last on top)."""
    n = len(deck)
    for i in range(piles):
        j = below(state, i + 1)
        keys[i] = keys[j]
        keys[j] = i
    out = 0
    for i in range(piles):
        first = keys[i]
        last = first + ((n - 1 - first) // piles) * piles if first < n else -1
        place = last
        while place >= 0 and place >= first:
            spare[out] = deck[place]
            out += 1
            place -= piles
    deck[:] = spare


@kernel
def top_to_random(deck, state):
    """Put the top card in at a random place."""
    j = below(state, len(deck))
    card = deck[0]
    for i in range(j):
        deck[i] = deck[i + 1]
    deck[j] = card


@kernel
def java_next(old, bits):
    """java.util.Random.next(bits): a 48-bit linear congruential step."""
    old[0] = (old[0] * U(0x5DEECE66D) + U(0xB)) & MASK48
    return np.int64(old[0] >> U(48 - bits))


@kernel
def java_below(old, bound):
    """java.util.Random.nextInt(bound), bit for bit."""
    word = java_next(old, 31)
    if bound & (bound - 1) == 0:
        return (bound * word) >> 31
    value = word % bound
    while word - value + bound - 1 >= 2147483648:
        word = java_next(old, 31)
        value = word % bound
    return value


@kernel
def old_below(kind, old, bound, multiplier, increment):
    """A bounded number the way programs took it from a 32-bit LCG (or V8's MWC1616) of the day."""
    if kind == MWC1616:
        low = old[0] & U(0xFFFFFFFF)
        high = old[0] >> U(32)
        low = (U(18030) * (low & U(0xFFFF)) + (low >> U(16))) & U(0xFFFFFFFF)
        high = (U(30903) * (high & U(0xFFFF)) + (high >> U(16))) & U(0xFFFFFFFF)
        old[0] = (high << U(32)) | low
        word = ((high << U(16)) + (low & U(0xFFFF))) & U(0xFFFFFFFF)
        return np.int64((word * U(bound)) >> U(32))
    old[0] = (old[0] * multiplier + increment) & U(0xFFFFFFFF)
    if kind == LCG_HIGH:
        return np.int64((old[0] * U(bound)) >> U(32))
    if kind == LCG_WORD:
        return np.int64((old[0] >> U(16)) & U(0x7FFF)) % bound
    return np.int64(old[0] % U(bound))


@kernel
def old_fisher_yates(kind, deck, old, multiplier, increment):
    """Fisher-Yates driven by an old generator."""
    for i in range(len(deck) - 1, 0, -1):
        j = java_below(old, i + 1) if kind == JAVA else old_below(kind, old, i + 1, multiplier, increment)
        card = deck[i]
        deck[i] = deck[j]
        deck[j] = card


@kernel
def reseeding(deck, old):
    """Fisher-Yates that seeds its generator anew before every draw: within one seed all draws are the same number."""
    word = (old[0] + U(1)) * U(0x9E3779B97F4A7C15)
    word = (word ^ (word >> U(29))) * U(0xBF58476D1CE4E5B9)
    word ^= word >> U(32)
    for i in range(len(deck) - 1, 0, -1):
        j = multiply_high(word, U(i + 1))
        card = deck[i]
        deck[i] = deck[j]
        deck[j] = card


@kernel
def anti_clump(deck, state):
    """A fair shuffle, then equal ranks next to each other are parted by one swap with a random place."""
    fisher_yates(deck, state)
    n = len(deck)
    for i in range(1, n):
        if deck[i] >> 2 == deck[i - 1] >> 2:
            j = below(state, n)
            card = deck[i]
            deck[i] = deck[j]
            deck[j] = card


@kernel
def shuffle_once(kind, deck, spare, keys, state, old, a, p, multiplier, increment):
    """One shuffle of one pack, in place, of the kind numbered above; a and p are its parameters."""
    n = len(deck)
    if kind == FISHER_YATES:
        fisher_yates(deck, state)
    elif kind == RIFFLE:
        for _ in range(a):
            riffle(deck, spare, state)
    elif kind == SORT_RANDOM:
        for _ in range(a):
            binary_insertion(deck, state)
    elif kind == SORT_KEYS:
        sort_by_keys(deck, spare, keys, state, a)
    elif kind == OVERHAND:
        for _ in range(a):
            overhand(deck, spare, state, p)
    elif kind == PILES:
        deal_piles(deck, spare, keys, state, a)
    elif kind == ANTI_CLUMP:
        anti_clump(deck, state)
    elif kind == TOP_TO_RANDOM:
        for _ in range(a):
            top_to_random(deck, state)
    elif kind == PARTIAL:
        # only the first `a` places are shuffled again, the rest stays as it was
        fisher_yates(deck[:a], state)
    elif kind == STUCK:
        # the card at place a stays there, the others are shuffled fairly among themselves
        deck[a], deck[n - 1] = deck[n - 1], deck[a]
        fisher_yates(deck[: n - 1], state)
        deck[a], deck[n - 1] = deck[n - 1], deck[a]
    elif kind == RESEED:
        reseeding(deck, old)
    elif kind in (LCG_HIGH, LCG_WORD, LCG_LOW, JAVA, MWC1616):
        old_fisher_yates(kind, deck, old, multiplier, increment)
    else:
        swap_kinds(kind, deck, state, a)


@kernel
def swap_kinds(kind, deck, state, a):
    """The shuffles that are a row of swaps of two places."""
    n = len(deck)
    swaps = a if kind in (SWAPS, SWAPS_DISTINCT) else n
    for step in range(swaps):
        i = n - 1 - step
        if kind == NAIVE:
            i = step
            j = below(state, n)
        elif kind == SATTOLO:
            if i == 0:
                break
            j = below(state, i)
        elif kind == MODULO:
            j = below(state, a) % (i + 1)
        elif kind == SCALED15:
            # PHP's old rand(): 15 bits stretched over the range by a float product
            j = np.int64((i + 1) * (float(next_word(state) >> U(49)) / 32768.0))
        else:
            i = below(state, n)
            j = below(state, n)
            if kind == SWAPS_DISTINCT:
                while j == i:
                    j = below(state, n)
        card = deck[i]
        deck[i] = deck[j]
        deck[j] = card


@kernel
def shuffle_many(kind, out, start, previous, reuse, seeds, state, old, a, p, multiplier, increment):
    """Fill `out` (N, n). start: the order before each shuffle; reuse: shuffle the previous deck instead.

    seeds: N words that re-seed the old generator before each deck, or none to let it run on.
    """
    n = out.shape[1]
    spare = np.empty(n, dtype=np.uint8)
    keys = np.empty(max(n, a if kind == PILES else 0), dtype=np.int64)
    deck = previous.copy()
    for row in range(len(out)):
        if not reuse:
            deck[:] = start
        if len(seeds):
            old[0] = seeds[row]
        shuffle_once(kind, deck, spare, keys, state, old, a, p, multiplier, increment)
        out[row] = deck
    previous[:] = deck
