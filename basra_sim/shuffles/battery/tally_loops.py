# mypy: ignore-errors
"""The loops that count what the tests need, one pass over a chunk of decks; whole numbers only, so sums are exact.

A deck is uint8 (n,): the card at each place. Sets of cards are the bits of one uint64.
"""

from __future__ import annotations

import numpy as np

from basra_sim.engine.jit.compiling import kernel
from basra_sim.engine.jit.instructions import lowest, popcount

U = np.uint64
ONE = np.uint64(1)
# rows of a permutation histogram
RISING, DESCENTS, INVERSIONS, FOOTRULE, FIXED, CYCLES, PARITY, LIS, SUCCESSIONS = range(9)
# rows of a face histogram
(
    RUNS, LIKE_SUIT, LIKE_RANK, FIRST_HAND_JACKS, LEADER_JACKS, FLOOR_JACKS, JACK_SPREAD, KOMI_JACKS, HAND_PAIRS,
    FLOOR_PAIRS, COUPON,
) = range(11)  # fmt: skip
KOMI = 25
PREFIX = 8


@kernel
def count_cycles(x, rest):
    """Cycles of an order of the places in a set."""
    cycles = 0
    while rest:
        at = lowest(rest)
        cycles += 1
        while rest & (ONE << U(at)):
            rest &= ~(ONE << U(at))
            at = np.int64(x[at])
    return cycles


@kernel
def permutation_values(x, place, values):
    """The nine statistics of one order x (x[i] = start place of the card now at place i); fills `place`."""
    n = len(x)
    seen = U(0)
    tops = U(0)
    descents, inversions, footrule, fixed, successions = 0, 0, 0, 0, 0
    before = -2
    for i in range(n):
        card = np.int64(x[i])
        place[card] = i
        bit = ONE << U(card)
        inversions += popcount(seen >> U(card))
        seen |= bit
        footrule += abs(card - i)
        fixed += card == i
        descents += card < before
        successions += card == before + 1
        before = card
        # patience sorting: the lowest pile top above this card gives way to it
        above = tops & ~((bit << ONE) - ONE)
        tops = (tops ^ (above & (U(0) - above))) | bit
    rising = 1
    for card in range(n - 1):
        rising += place[card + 1] < place[card]
    cycles = count_cycles(x, seen)
    values[RISING] = rising
    values[DESCENTS] = descents
    values[INVERSIONS] = inversions
    values[FOOTRULE] = footrule
    values[FIXED] = fixed
    values[CYCLES] = cycles
    values[PARITY] = (n - cycles) & 1
    values[LIS] = popcount(tops)
    values[SUCCESSIONS] = successions


@kernel
def permutation_counts(x, place, values, table):
    """Add one order to the nine histograms; `place` and `values` are room to work in."""
    permutation_values(x, place, values)
    for row in range(9):
        table[row, values[row]] += 1


@kernel
def pairs_inside(deck, block):
    """Pairs of one rank among the four cards that are dealt together, block 0..12."""
    inside = 0
    for i in range(4 * block, 4 * block + 4):
        for j in range(4 * block, i):
            inside += (deck[i] >> 2) == (deck[j] >> 2)
    return inside


@kernel
def dealt_until_all_ranks(deck):
    """How many cards are dealt until every rank has been seen."""
    ranks, dealt = U(0), 0
    while ranks != U(0x1FFF):
        ranks |= ONE << U(deck[dealt] >> 2)
        dealt += 1
    return dealt


@kernel
def face_counts(deck, place, table):
    """Add one pack of 52 to the histograms about suits, ranks, jacks and the komi (Basra deals 4-4-4, then 4-4)."""
    runs, like_suit, like_rank = 1, 0, 0
    for i in range(1, 52):
        a, b = deck[i - 1], deck[i]
        runs += ((a + 1) & 2) != ((b + 1) & 2)
        like_suit += (a & 3) == (b & 3)
        like_rank += (a >> 2) == (b >> 2)
    first, last, leader, floor, hand, distance = 52, -1, 0, 0, 0, 0
    komi = place[KOMI]
    for jack in range(40, 44):
        at = place[jack]
        first = min(first, at)
        last = max(last, at)
        distance += abs(at - komi)
        block = at >> 2
        hand += block == 0
        floor += block == 2
        leader += block == 0 or (block > 2 and block & 1 == 1)
    pairs = 0
    for block in range(13):
        pairs += pairs_inside(deck, block)
    table[COUPON, dealt_until_all_ranks(deck)] += 1
    table[RUNS, runs] += 1
    table[LIKE_SUIT, like_suit] += 1
    table[LIKE_RANK, like_rank] += 1
    table[FIRST_HAND_JACKS, hand] += 1
    table[LEADER_JACKS, leader] += 1
    table[FLOOR_JACKS, floor] += 1
    table[JACK_SPREAD, last - first] += 1
    table[KOMI_JACKS, distance] += 1
    table[HAND_PAIRS, pairs] += 1
    table[FLOOR_PAIRS, pairs_inside(deck, 2)] += 1


@kernel
def order_number(x):
    """The Lehmer number 0..n!-1 of a small order."""
    n = len(x)
    number = 0
    for i in range(n):
        smaller = 0
        for j in range(i + 1, n):
            smaller += x[j] < x[i]
        number = number * (n - i) + smaller
    return number


@kernel
def tally_lag(deck, old, x, spare, values, lag_places, histogram):
    """Count a deck against an earlier one, whose places of the cards are `old`."""
    for i in range(len(deck)):
        x[i] = old[deck[i]]
        lag_places[x[i], i] += 1
    permutation_counts(x, spare, values, histogram)


@kernel
def tally_places(deck, start_place, places, x):
    """Count the cards at their places and fill `x`, the order against the start order; returns (first cards, hash)."""
    word, head = U(0), U(0)
    for i in range(len(deck)):
        card = np.int64(deck[i])
        places[card, i] += 1
        word = (word + U(card + 1)) * U(0x9E3779B97F4A7C15)
        word ^= word >> U(32)
        if i < PREFIX:
            head = (head << U(6)) | U(card)
        x[i] = start_place[card]
    return head, word


@kernel
def tally_decks(
    decks, first, start_place, places, neighbours, opening, lag_places, histograms, faces, cells, prefixes, hashes
):
    """Count decks[first:]; decks before `first` (at most two) are only the past of the lag tests.

    places (n, n) card x place; neighbours (n, n) card x next card; opening (n, n) first x second card; lag_places
    (2, n, n); histograms (3, 9, W): against the start order, the deck before, the deck two before; faces (11, W);
    cells (n!,) for at most 6 cards, else empty; prefixes, hashes (len(decks) - first,) uint64.
    """
    n = decks.shape[1]
    x = np.empty(n, dtype=np.uint8)
    spare = np.empty(n, dtype=np.int64)
    values = np.empty(9, dtype=np.int64)
    past = np.empty((3, n), dtype=np.int64)
    for row in range(len(decks)):
        deck = decks[row]
        place = past[row % 3]
        for i in range(n):
            place[deck[i]] = i
        if row < first:
            continue
        prefixes[row - first], hashes[row - first] = tally_places(deck, start_place, places, x)
        for i in range(1, n):
            neighbours[deck[i - 1], deck[i]] += 1
        opening[deck[0], deck[1]] += 1
        permutation_counts(x, spare, values, histograms[0])
        if len(cells):
            cells[order_number(x)] += 1
        if n == 52:
            face_counts(deck, place, faces)
        for lag in range(1, 3):
            if row >= lag:
                tally_lag(deck, past[(row - lag) % 3], x, spare, values, lag_places[lag - 1], histograms[lag])


@kernel
def guess_hits(deck, old, has_old, after, at_place, successor, hits):
    """Which cards of a deck three guessers name right; then they learn it. Nobody names a card already seen.

    after (n, n): how often a card followed another so far; at_place (n, n): how often it lay at a place; old: the deck
    before; successor (n + 1,): room; hits (3, n): 1 where right, guessing by neighbour, by place, by the deck before.
    """
    n = len(deck)
    if has_old:
        successor[n] = old[0]
        for i in range(1, n):
            successor[old[i - 1]] = old[i]
        successor[old[n - 1]] = old[0]
    unseen = (ONE << U(n)) - ONE
    for i in range(n):
        best, best_place = -1, -1
        guess, guess_place = 0, 0
        rest = unseen
        while rest:
            card = lowest(rest)
            rest &= rest - ONE
            count = after[deck[i - 1], card] if i > 0 else at_place[0, card]
            if count > best:
                best, guess = count, card
            if at_place[i, card] > best_place:
                best_place, guess_place = at_place[i, card], card
        card = np.int64(deck[i])
        old_guess = lowest(unseen)
        if has_old:
            follower = successor[np.int64(deck[i - 1]) if i > 0 else n]
            if unseen & (ONE << U(follower)):
                old_guess = follower
        hits[0, i] = guess == card
        hits[1, i] = guess_place == card
        hits[2, i] = old_guess == card
        unseen &= ~(ONE << U(card))
    at_place[0, deck[0]] += 1
    for i in range(1, n):
        after[deck[i - 1], deck[i]] += 1
        at_place[i, deck[i]] += 1


@kernel
def guess_decks(decks, first, after, at_place, table):
    """Play the guessing game on decks[first:], learning as it goes; table (3, n + 1): a histogram of right guesses each."""
    n = decks.shape[1]
    successor = np.empty(n + 1, dtype=np.int64)
    hits = np.empty((3, n), dtype=np.int64)
    for row in range(first, len(decks)):
        guess_hits(decks[row], decks[max(0, row - 1)], row > 0, after, at_place, successor, hits)
        for guesser in range(3):
            right = 0
            for i in range(n):
                right += hits[guesser, i]
            table[guesser, right] += 1


@kernel
def deck_features(decks, waves, widest, out):
    """Features of decks[1:], row by row, for the models of likeliest_flaw; the start order is 0..n-1.

    waves (w, n): smooth functions over places; widest: neighbours are told apart up to this distance. out (len(decks)
    - 1, F): 9 statistics, 9 against the deck before, w*w places, 2*widest neighbours, w*w against the deck before.
    """
    n = decks.shape[1]
    w = len(waves)
    x = np.empty(n, dtype=np.uint8)
    spare = np.empty(n, dtype=np.int64)
    values = np.empty(9, dtype=np.int64)
    place = np.empty(n, dtype=np.int64)
    for row in range(1, len(decks)):
        feature = out[row - 1]
        feature[:] = 0.0
        old = decks[row - 1]
        for i in range(n):
            place[old[i]] = i
        for part in range(2):
            for i in range(n):
                x[i] = decks[row, i] if part == 0 else place[decks[row, i]]
            permutation_values(x, spare, values)
            feature[9 * part : 9 * part + 9] = values
            base = 18 if part == 0 else 18 + w * w + 2 * widest
            for i in range(n):
                for a in range(w):
                    for b in range(w):
                        feature[base + w * a + b] += waves[a, x[i]] * waves[b, i]
        for i in range(1, n):
            step = np.int64(decks[row, i]) - np.int64(decks[row, i - 1])
            if -widest <= step <= widest:
                feature[18 + w * w + (step + widest if step < 0 else step + widest - 1)] += 1.0
