# mypy: ignore-errors
"""The loop behind `shuffle watch`: evidence against a perfect shuffle that may be looked at after any deck."""

from __future__ import annotations

import numpy as np

from basra_sim.engine.jit.unsigned import kernel
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
        for lag in range(2):
            if (lag == 0 and not use_start) or (lag == 1 and row == 0):
                continue
            if lag == 1:
                for i in range(n):
                    place[old[i]] = i
            for i in range(n):
                x[i] = start_place[deck[i]] if lag == 0 else place[deck[i]]
            permutation_values(x, spare, values)
            for k in range(len(ratios)):
                riffles[lag, k] += ratios[k, values[0]]
            for name in range(9):
                component = 9 * lag + name
                add_outcome(log_e, counts, prior, chances, component, bins[component, values[name]])
        if n == 52:
            for i in range(n):
                spare[deck[i]] = i
            face_counts(deck, spare, faces)
            for name in range(11):
                component = 18 + name
                add_outcome(log_e, counts, prior, chances, component, bins[component, one_value(faces[name])])
        seen = place_counts[0].sum()
        for i in range(n):
            card = deck[i]
            chance = (place_prior + place_counts[i, card]) / (n * place_prior + seen)
            places[i] += np.log(chance * n)
            place_counts[i, card] += 1.0
        guess_hits(deck, old, row > 0, after, at_place, successor, hits)
        for guesser in range(3):
            for s in range(len(stakes)):
                for i in range(n - 1):
                    gain = stakes[s] * (n - i) if hits[guesser, i] else 0.0
                    bets[guesser * len(stakes) + s] += np.log(1.0 - stakes[s] + gain)
        out = groups[row - first]
        out[0] = log_mean(riffles[0], 0, len(ratios)) if use_start else 0.0
        out[1] = log_mean(riffles[1], 0, len(ratios))
        out[2] = log_mean(places, 0, n)
        out[3] = log_mean(log_e, 0, 9) if use_start else 0.0
        out[4] = log_mean(log_e, 9, 18)
        out[5] = log_mean(log_e, 18, 29) if n == 52 else 0.0
        out[6] = log_mean(bets, 0, len(bets))
