# mypy: ignore-errors
"""The loop behind `shuffle watch`: evidence against a perfect shuffle that may be looked at after any deck."""

from __future__ import annotations

import numpy as np

from basra_sim.engine.jit.compiling import kernel
from basra_sim.shuffles.battery.tally_loops import face_counts, guess_hits, permutation_values


@kernel
def one_value(counts_row):
    """The value of a one-deck histogram, which is cleared."""
    for value in range(len(counts_row)):
        if counts_row[value]:
            counts_row[value] = 0
            return value
    return 0


@kernel
def add_outcome(log_e, counts, prior, chances, component, cell):
    """One more observation of a Dirichlet-multinomial e-process (Lindon & Malek, arXiv 2011.03567)."""
    total, whole = 0.0, 0.0
    for j in range(counts.shape[1]):
        total += counts[component, j]
        whole += prior[component, j]
    seen = (prior[component, cell] + counts[component, cell]) / (whole + total)
    log_e[component] += np.log(seen / chances[component, cell])
    counts[component, cell] += 1.0


@kernel
def log_mean(values, first, stop):
    """ln of the mean of exp(values[first:stop])."""
    top = values[first]
    for i in range(first, stop):
        top = max(top, values[i])
    if top == -np.inf:
        return top
    total = 0.0
    for i in range(first, stop):
        total += np.exp(values[i] - top)
    return top + np.log(total / (stop - first))


@kernel
def add_order(x, lag, spare, values, ratios, riffles, bins, prior, chances, counts, log_e):
    """Add an order x against the start order (lag 0) or the deck before (lag 1): riffles and the nine statistics."""
    permutation_values(x, spare, values)
    for k in range(len(ratios)):
        riffles[lag, k] += ratios[k, values[0]]
    for name in range(9):
        component = 9 * lag + name
        add_outcome(log_e, counts, prior, chances, component, bins[component, values[name]])


@kernel
def add_faces(deck, spare, faces, bins, prior, chances, counts, log_e):
    """Add the eleven values about suits, ranks, jacks and hands of a pack of 52."""
    for i in range(52):
        spare[deck[i]] = i
    face_counts(deck, spare, faces)
    for name in range(11):
        component = 18 + name
        add_outcome(log_e, counts, prior, chances, component, bins[component, one_value(faces[name])])


@kernel
def add_places(deck, places, place_counts, place_prior):
    """Add the card at each place to its e-process."""
    n = len(deck)
    seen = place_counts[0].sum()
    for i in range(n):
        card = deck[i]
        chance = (place_prior + place_counts[i, card]) / (n * place_prior + seen)
        places[i] += np.log(chance * n)
        place_counts[i, card] += 1.0


@kernel
def add_bets(hits, stakes, bets):
    """Let the guessers bet on every card but the last, each share of their fortune apart."""
    n = hits.shape[1]
    for guesser in range(3):
        for s in range(len(stakes)):
            for i in range(n - 1):
                gain = stakes[s] * (n - i) if hits[guesser, i] else 0.0
                bets[guesser * len(stakes) + s] += np.log(1.0 - stakes[s] + gain)


@kernel
def tell_groups(out, n, use_start, riffles, places, log_e, bets):
    """Write ln e of each group."""
    count = riffles.shape[1]
    out[0] = log_mean(riffles[0], 0, count) if use_start else 0.0
    out[1] = log_mean(riffles[1], 0, count)
    out[2] = log_mean(places, 0, n)
    out[3] = log_mean(log_e, 0, 9) if use_start else 0.0
    out[4] = log_mean(log_e, 9, 18)
    out[5] = log_mean(log_e, 18, 29) if n == 52 else 0.0
    out[6] = log_mean(bets, 0, len(bets))


@kernel
def watch_decks(decks, first, start_place, use_start, ratios, riffles, bins, prior, chances, counts, log_e, places, place_counts,
                place_prior, after, at_place, stakes, bets, groups):  # fmt: skip
    """Update the evidence with decks[first:], deck by deck.

    ratios (K, n + 1): ln likelihood ratios of k riffles by rising sequences; riffles (2, K): their sums, against the
    start order and the deck before; bins (C, W): value -> cell of component c (9 against the start order, 9 against the
    deck before, 11 faces); prior, chances, counts (C, J), log_e (C,): their e-processes; places (n,): e-processes of the
    card at each place, with place_counts (n, n) and prior place_prior each; stakes (S,): shares that the guessers bet;
    bets (3 S,): their fortunes; groups (rows, 7): out, ln e of each group after each deck.
    """
    n = decks.shape[1]
    x = np.empty(n, dtype=np.uint8)
    place = np.empty(n, dtype=np.int64)
    spare = np.empty(n, dtype=np.int64)
    values = np.empty(9, dtype=np.int64)
    hits = np.empty((3, n), dtype=np.int64)
    successor = np.empty(n + 1, dtype=np.int64)
    faces = np.zeros((11, 256), dtype=np.int64)
    for row in range(first, len(decks)):
        deck = decks[row]
        old = decks[max(0, row - 1)]
        if use_start:
            for i in range(n):
                x[i] = start_place[deck[i]]
            add_order(x, 0, spare, values, ratios, riffles, bins, prior, chances, counts, log_e)
        if row > 0:
            for i in range(n):
                place[old[i]] = i
            for i in range(n):
                x[i] = place[deck[i]]
            add_order(x, 1, spare, values, ratios, riffles, bins, prior, chances, counts, log_e)
        if n == 52:
            add_faces(deck, spare, faces, bins, prior, chances, counts, log_e)
        add_places(deck, places, place_counts, place_prior)
        guess_hits(deck, old, row > 0, after, at_place, successor, hits)
        add_bets(hits, stakes, bets)
        tell_groups(groups[row - first], n, use_start, riffles, places, log_e, bets)
