"""Compiled searches for the seed behind one deck: all seeds of the old 32-bit generators, the state of java.util.Random.

A deck dealt by a Fisher-Yates shuffle gives back the numbers that were drawn, one for each bound 52, 51 .. 2. Many
hypotheses (start orders, directions) are tried in one pass: `heads` maps the first three draws to a slice of `members`,
the hypotheses that begin so; `draws` (H, 51) holds the whole rows.
"""

from __future__ import annotations

import numpy as np

from basra_sim.engine.jit.compiling import kernel

U = np.uint64
HIGH, WORD, LOW = range(3)  # how a bounded number is taken from a 32-bit LCG; see shuffle_loops.old_below
MOST_HITS = 4096


@kernel
def lcg_draw(form, state, bound):
    """A number below bound from one 32-bit state word."""
    if form == 0:
        return np.int64((state * U(bound)) >> U(32))
    if form == 1:
        return np.int64((state >> U(16)) & U(0x7FFF)) % bound
    return np.int64(state % U(bound))


@kernel
def lcg_goes_on(form, multiplier, increment, state, draws, row):
    """Whether the draws of a row after its first three follow from a state."""
    for k in range(3, draws.shape[1]):
        state = (state * multiplier + increment) & U(0xFFFFFFFF)
        if lcg_draw(form, state, 52 - k) != draws[row, k]:
            return False
    return True


@kernel
def search_lcg(form, multiplier, increment, first, last, heads, members, draws, hits):
    """Every seed in [first, last): those whose draws equal a whole row of `draws`. Fills hits (n, 2): seed, hypothesis."""
    found = 0
    mask = U(0xFFFFFFFF)
    for seed in range(first, last):
        state = (U(seed) * multiplier + increment) & mask
        if form == 0:
            a = np.int64((state * U(52)) >> U(32))
            state = (state * multiplier + increment) & mask
            b = np.int64((state * U(51)) >> U(32))
            state = (state * multiplier + increment) & mask
            c = np.int64((state * U(50)) >> U(32))
        elif form == 1:
            a = np.int64(np.uint32((state >> U(16)) & U(0x7FFF)) % np.uint32(52))
            state = (state * multiplier + increment) & mask
            b = np.int64(np.uint32((state >> U(16)) & U(0x7FFF)) % np.uint32(51))
            state = (state * multiplier + increment) & mask
            c = np.int64(np.uint32((state >> U(16)) & U(0x7FFF)) % np.uint32(50))
        else:
            a = np.int64(np.uint32(state) % np.uint32(52))
            state = (state * multiplier + increment) & mask
            b = np.int64(np.uint32(state) % np.uint32(51))
            state = (state * multiplier + increment) & mask
            c = np.int64(np.uint32(state) % np.uint32(50))
        head = (a * 51 + b) * 50 + c
        if heads[head] == heads[head + 1]:
            continue
        for place in range(heads[head], heads[head + 1]):
            row = members[place]
            if found < hits.shape[0] and lcg_goes_on(form, multiplier, increment, state, draws, row):
                hits[found, 0] = seed
                hits[found, 1] = row
                found += 1
    return found


JAVA_A, JAVA_C, MASK48 = U(0x5DEECE66D), U(0xB), U((1 << 48) - 1)


@kernel
def java_low_bits(draws, found):
    """The low 21 bits of the states (before the first draw) that agree with the low bits of the draws of one row.

    For an even bound that is no power of two the draw's low bit is bit 17 of the state, for multiples of 4, 8 and 16
    the next ones; they depend on the low 18, 19, 20 and 21 bits alone. Fills `found`; returns how many.
    """
    count = 0
    for low in range(1 << 18):
        if not java_agrees(U(low), draws, 18):
            continue
        for middle in range(8):
            candidate = U(low) | (U(middle) << U(18))
            if java_agrees(candidate, draws, 21) and count < found.shape[0]:
                found[count] = candidate
                count += 1
    return count


@kernel
def java_agrees(low, draws, bits):
    """Whether a state's low bits can have made these draws."""
    state = low
    for k in range(51):
        bound = 52 - k
        state = (state * JAVA_A + JAVA_C) & MASK48
        if bound & 1 or bound & (bound - 1) == 0:
            continue
        power = bound & -bound
        known = min(power, 1 << (bits - 17))
        if np.int64(state >> U(17)) & (known - 1) != draws[k] & (known - 1):
            return False
    return True


@kernel
def search_java(low, first, last, draws, hits):
    """States hi * 2^21 + low for hi in [first, last) whose draws equal the row; fills hits with states before the draws."""
    found = 0
    for high in range(first, last):
        start = (U(high) << U(21)) | low
        state = start
        same = True
        for k in range(51):
            bound = 52 - k
            state = (state * JAVA_A + JAVA_C) & MASK48
            word = np.int64(state >> U(17))
            if bound & (bound - 1) == 0:
                value = (bound * word) >> 31
            else:
                value = word % bound
            if value != draws[k]:
                same = False
                break
        if same and found < hits.shape[0]:
            hits[found] = start
            found += 1
    return found


MT_WORDS, MT_OUTPUTS = 406, 8  # words of the state that the first 8 outputs need
LANES = 64
MODULO, MASKED, BITS = range(3)  # out % k; out & mask, again if too large (numpy); the top bits, again (CPython)


@kernel
def temper(word):
    """The output transform of MT19937."""
    word ^= word >> np.uint32(11)
    word ^= (word << np.uint32(7)) & np.uint32(0x9D2C5680)
    word ^= (word << np.uint32(15)) & np.uint32(0xEFC60000)
    return word ^ (word >> np.uint32(18))


@kernel
def mt_output(words, k, lane):
    """Output k (before any word is renewed twice) of the generators whose states are the columns of `words`."""
    joined = (words[k, lane] & np.uint32(0x80000000)) | (words[k + 1, lane] & np.uint32(0x7FFFFFFF))
    twisted = words[k + 397, lane] ^ (joined >> np.uint32(1))
    if joined & np.uint32(1):
        twisted ^= np.uint32(0x9908B0DF)
    return temper(twisted)


@kernel
def mt_seed_plain(words, first):
    """init_genrand for LANES seeds from `first` on (std::mt19937, mt_srand of PHP, numpy.random.seed)."""
    lanes = words.shape[1]
    for lane in range(lanes):
        words[0, lane] = np.uint32(first + lane)
    for i in range(1, MT_WORDS):
        for lane in range(lanes):
            before = words[i - 1, lane]
            words[i, lane] = np.uint32(1812433253) * (before ^ (before >> np.uint32(30))) + np.uint32(i)


@kernel
def mt_seed_array(words, base, first):
    """init_by_array([seed]) for LANES seeds (CPython's random.seed); base: the 624 words of init_genrand(19650218)."""
    lanes = words.shape[1]
    seeds = np.empty(lanes, dtype=np.uint32)
    for lane in range(lanes):
        seeds[lane] = np.uint32(first + lane)
        words[0, lane] = base[0]
    for i in range(1, 625):
        # the 624th step falls on word 1 again, with the last word as word 0
        row = i if i < 624 else 1
        start = base[i] if i < 624 else np.uint32(0)
        if i == 624:
            words[0, :] = words[623, :]
        for lane in range(lanes):
            before = words[row - 1, lane]
            own = start if i < 624 else words[1, lane]
            mixed = np.uint32((before ^ (before >> np.uint32(30))) * np.uint32(1664525))
            words[row, lane] = np.uint32(np.uint32(own ^ mixed) + seeds[lane])
    for i in range(2, 625):
        row = i if i < 624 else 1
        if i == 624:
            words[0, :] = words[623, :]
        for lane in range(lanes):
            before = words[row - 1, lane]
            mixed = np.uint32((before ^ (before >> np.uint32(30))) * np.uint32(1566083941))
            words[row, lane] = np.uint32(np.uint32(words[row, lane] ^ mixed) - np.uint32(row))
    words[0, :] = np.uint32(0x80000000)


@kernel
def accepted(form, word, bound):
    """The draw below a bound of 33..52 from one output, or -1 when the program would take another output."""
    if form == MODULO:
        return np.int64(np.uint32(word) % np.uint32(bound))
    # six bits for all bounds here: the low ones by a mask, or the top ones by getrandbits
    value = np.int64(word) & 63 if form == MASKED else np.int64(word) >> 26
    return value if value < bound else -1


@kernel
def candidate_rows(form, words, lane, values, heads, members, draws, seed, hits, found):
    """Compare one generator's first outputs with all rows; candidates (to be verified) go to hits."""
    count, k = 0, 0
    while count < 3 and k < MT_OUTPUTS:
        value = accepted(form, mt_output(words, k, lane), 52 - count)
        k += 1
        if value >= 0:
            values[count] = value
            count += 1
    if count < 3:
        return found
    head = (values[0] * 51 + values[1]) * 50 + values[2]
    if heads[head] == heads[head + 1]:
        return found
    while k < MT_OUTPUTS:
        value = accepted(form, mt_output(words, k, lane), 52 - count)
        k += 1
        if value >= 0:
            values[count] = value
            count += 1
    for place in range(heads[head], heads[head + 1]):
        row = members[place]
        same = True
        for m in range(3, count):
            if values[m] != draws[row, m]:
                same = False
                break
        if same and found < hits.shape[0]:
            hits[found, 0] = seed
            hits[found, 1] = row
            found += 1
    return found


@kernel
def search_mt(by_array, base, form, first, last, heads, members, draws, hits):
    """Seeds in [first, last) whose first outputs fit a row; all must be verified afterwards."""
    words = np.zeros((624, LANES), dtype=np.uint32)
    values = np.empty(MT_OUTPUTS, dtype=np.int64)
    found = 0
    seed = first
    while seed < last:
        if by_array:
            mt_seed_array(words, base, seed)
        else:
            mt_seed_plain(words, seed)
        for lane in range(min(LANES, last - seed)):
            found = candidate_rows(form, words, lane, values, heads, members, draws, seed + lane, hits, found)
        seed += LANES
    return found


@kernel
def glibc_state(seed, start):
    """Fill `start` (31,) with r_0 .. r_30 of srand(seed), which takes the seed as a signed int, and 1 for 0."""
    word = seed - 4294967296 if seed >= 2147483648 else max(seed, 1)
    start[0] = np.uint32(word)
    for i in range(1, 31):
        word = 16807 * word % 2147483647
        start[i] = np.uint32(word)


@kernel
def glibc_draw(coefficients, start, k):
    """The k-th draw, below 52 - k."""
    total = np.uint32(0)
    for i in range(31):
        total += coefficients[k, i] * start[i]
    return np.int64((U(total) & U(0xFFFFFFFF)) >> U(1)) % (52 - k)


@kernel
def search_glibc(coefficients, first, last, heads, members, draws, hits):
    """Seeds of glibc's srand whose rand() % k fits a row in its first 8 draws; to be verified afterwards.

    coefficients (8, 31): the k-th rand() is (sum of coefficient * r_i mod 2^32) >> 1, r_0 = seed, r_i = 16807 r_(i-1)
    mod 2^31 - 1.
    """
    found = 0
    start = np.empty(31, dtype=np.uint32)
    for seed in range(first, last):
        glibc_state(seed, start)
        head = np.int64(0)
        rows_first, rows_last = 0, 0
        for k in range(8):
            value = glibc_draw(coefficients, start, k)
            if k < 3:
                head = head * (52 - k) + value
                if k == 2:
                    rows_first, rows_last = heads[head], heads[head + 1]
                    if rows_first == rows_last:
                        break
                continue
            # narrow the candidates by keeping only rows that agree so far
            any_left = False
            for place in range(rows_first, rows_last):
                if members[place] >= 0 and draws[members[place], k] == value:
                    any_left = True
            if not any_left:
                rows_last = rows_first
                break
        for place in range(rows_first, rows_last):
            if found < hits.shape[0]:
                hits[found, 0] = seed
                hits[found, 1] = members[place]
                found += 1
    return found
