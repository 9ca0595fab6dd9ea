"""A rough check asked for apart: do the decks, written as Lehmer codes, pack smaller than those of perfect shuffles?

Weak, and only for gross structure; its law is simulated at the same number of decks and enters no verdict.
"""

from __future__ import annotations

import zlib

import numpy as np

MOST_DECKS = 2_000
PERFECT_LOGS = 199


def lehmer_codes(decks: np.ndarray) -> np.ndarray:
    """uint8 (m, n): for each place how many later cards are lower, independent and uniform on a perfect shuffle."""
    codes = np.zeros_like(decks)
    for i in range(decks.shape[1] - 1):
        codes[:, i] = (decks[:, i + 1 :] < decks[:, i : i + 1]).sum(axis=1)
    return codes


def packed_size(decks: np.ndarray) -> int:
    """Bytes that zlib needs for the Lehmer codes."""
    return len(zlib.compress(lehmer_codes(decks).tobytes(), 9))


def compression_line(decks: np.ndarray, seed: int = 1) -> str:
    """The check in words, for at most MOST_DECKS decks, uint8 (m, n)."""
    decks = decks[:MOST_DECKS]
    own = packed_size(decks)
    rng = np.random.default_rng(seed)
    base = np.tile(np.arange(decks.shape[1], dtype=np.uint8), (len(decks), 1))
    perfect = sorted(packed_size(rng.permuted(base, axis=1)) for _ in range(PERFECT_LOGS))
    smaller = sum(size <= own for size in perfect)
    larger = sum(size >= own for size in perfect)
    p = min(1.0, 2 * (min(smaller, larger) + 1) / (PERFECT_LOGS + 1))
    return (
        f"compression: the first {len(decks):,} decks pack to {own:,} bytes, {PERFECT_LOGS} perfect logs to {perfect[0]:,} to "
        f"{perfect[-1]:,} (p = {p:.2g}, at least {2 / (PERFECT_LOGS + 1):.2g}; a weak check, not part of the verdict)"
    )
