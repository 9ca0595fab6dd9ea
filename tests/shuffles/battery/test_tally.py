"""Counts of a log equal slow Python, however it is cut and with or without compiling."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
from permutation_twins import STATISTICS

from basra_sim.shuffles.battery.tally import FACE_NAMES, PERMUTATION_NAMES, Tallier, tally
from basra_sim.shuffles.generators.built_in_shuffles import Generator


def slow_faces(deck):
    rank, suit = [c // 4 for c in deck], [c % 4 for c in deck]
    red = [s in (1, 2) for s in suit]
    jacks = [i for i, c in enumerate(deck) if c // 4 == 10]
    komi = deck.index(25)
    blocks = [rank[4 * b : 4 * b + 4] for b in range(13)]
    pairs = [sum(b[i] == b[j] for i in range(4) for j in range(i)) for b in blocks]
    leader_places = {*range(4), *(p for d in range(5) for p in range(12 + 8 * d, 16 + 8 * d))}
    return {
        "runs": 1 + sum(red[i] != red[i + 1] for i in range(51)),
        "like-suit": sum(suit[i] == suit[i + 1] for i in range(51)),
        "like-rank": sum(rank[i] == rank[i + 1] for i in range(51)),
        "first-hand-jacks": sum(j < 4 for j in jacks),
        "leader-jacks": sum(j in leader_places for j in jacks),
        "floor-jacks": sum(8 <= j < 12 for j in jacks),
        "jack-spread": max(jacks) - min(jacks),
        "komi-jacks": sum(abs(j - komi) for j in jacks),
        "hand-pairs": sum(pairs),
        "floor-pairs": pairs[2],
        "coupon": next(k for k in range(53) if len(set(rank[:k])) == 13),
    }


def test_counts_equal_slow_python():
    decks = Generator("riffle:4", 3).decks(60)
    order = Generator("fisher-yates", 9).decks(1)[0]
    counts = tally([decks], 52, order)
    place = np.argsort(order)
    rows = decks.tolist()
    for lag in range(3):
        pairs = [(None, row) for row in rows] if lag == 0 else list(zip(rows, rows[lag:], strict=False))
        relative = [[int(place[c]) if old is None else old.index(c) for c in new] for old, new in pairs]
        for name in PERMUTATION_NAMES:
            values = [STATISTICS[name](x) for x in relative]
            assert np.array_equal(counts.histogram(name, lag)[: max(values) + 1], np.bincount(values)), (name, lag)
        if lag:
            table = np.zeros((52, 52), dtype=int)
            for x in relative:
                table[x, range(52)] += 1
            assert np.array_equal(counts.lag_places[lag - 1], table)
    for name in FACE_NAMES:
        values = [slow_faces(row)[name] for row in rows]
        assert np.array_equal(counts.face(name)[: max(values) + 1], np.bincount(values)), name
    assert counts.places[decks[:, 7], 7].min() >= 1 and counts.places.sum() == 60 * 52
    assert counts.neighbours[rows[0][3], rows[0][4]] >= 1 and counts.neighbours.sum() == 60 * 51


def test_counts_do_not_depend_on_chunks_or_threads():
    decks = Generator("naive", 4).decks(40_000)
    whole = tally([decks], 52, workers=1)
    cut = Tallier(52, workers=3)
    for start in range(0, len(decks), 1237):
        cut.add(decks[start : start + 1237])
    parts = cut.finish()
    for name in whole.ARRAYS:
        assert np.array_equal(getattr(whole, name), getattr(parts, name)), name
    assert all(np.array_equal(a, b) for a, b in zip(whole.sample.joined(), parts.sample.joined(), strict=True))


def test_without_compiling_the_counts_are_the_same():
    """NUMBA_DISABLE_JIT=1: generators and counting loops as plain Python."""
    code = (
        "import numpy as np, hashlib; from basra_sim.shuffles.generators.built_in_shuffles import Generator;"
        "from basra_sim.shuffles.battery.tally import tally; d = Generator('riffle:3', 4).decks(12);"
        "t = tally([d], 52, workers=1);"
        "print(hashlib.sha256(b''.join(getattr(t, name).tobytes() for name in t.ARRAYS) + d.tobytes()).hexdigest())"
    )
    told = [
        subprocess.run(
            [sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, check=True,
            env={**os.environ, "NUMBA_DISABLE_JIT": off},
        ).stdout
        for off in ("0", "1")
    ]  # fmt: skip
    assert told[0] == told[1]
