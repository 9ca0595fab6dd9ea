"""The digest that can be put down: against hashlib, cut anywhere."""

from __future__ import annotations

import hashlib
import json
import random

import numpy as np
import pytest

from basra_sim.records import digest
from basra_sim.records.counters import GAME_DTYPE
from basra_sim.records.digest import HashChain


def chain_of(data: bytes, block: int) -> str:
    """The definition, in one piece: state = SHA-256(state + block), then the rest and the length."""
    state, whole = bytes(32), len(data) // block * block
    for at in range(0, whole, block):
        state = hashlib.sha256(state + data[at : at + block]).digest()
    return hashlib.sha256(state + data[whole:] + len(data).to_bytes(16, "big")).hexdigest()


@pytest.mark.parametrize("length", [0, 1, 8191, 8192, 8193, 40_000])
def test_it_is_the_chain_of_its_definition(length):
    data = random.Random(length).randbytes(length)
    assert HashChain(data).hexdigest() == chain_of(data, 8192)


def test_saved_and_restored_anywhere():
    rng = random.Random(3)
    data = rng.randbytes(60_000)
    ours, at = HashChain(), 0
    while at < len(data):
        size = rng.choice([0, 1, 7, 63, 300, 3000, 20_000])
        ours.update(data[at : at + size])
        at += size
        ours = HashChain.restore(json.loads(json.dumps(ours.save())))
        assert ours.hexdigest() == chain_of(data[:at], 8192)


def test_a_match_has_one_digest_however_it_is_cut():
    games = np.zeros((300, 2), GAME_DTYPE)
    games["score_a"] = np.random.default_rng(1).integers(0, 200, (300, 2))
    whole = digest.Chain()
    whole.add(games)
    raw = games.tobytes()
    parts = [hashlib.sha256(raw[at : at + 64 * 112]).digest() for at in range(0, len(raw), 64 * 112)]
    assert whole.hexdigest() == chain_of(b"".join(parts), 32)  # the definition
    for size in (1, 50, 64, 100, 128):
        cut = digest.Chain()
        for at in range(0, 300, size):
            part = games[at : at + size]
            cut.add(part, digest.block_digests(part) if at % 64 == 0 else None)
            cut = digest.Chain.restore(json.loads(json.dumps(cut.save())))
        assert cut.hexdigest() == whole.hexdigest() and cut.pairs == 300


def test_marks_let_a_stretch_be_checked_alone():
    games = np.zeros((64 * 300, 2), GAME_DTYPE)
    games["score_a"] = np.random.default_rng(2).integers(0, 200, (64 * 300, 2))
    one, other = digest.Chain(), digest.Chain()
    one.add(games, digest.block_digests(games))
    for at in range(0, len(games), 1000):
        other.add(games[at : at + 1000])
    assert one.marks == other.marks and 32 <= len(one.marks) <= 64
    for before, after in zip(one.marks, one.marks[1:], strict=False):
        state = HashChain.restore(before["whole"])
        state.update(digest.block_digests(games[before["pairs"] : after["pairs"]]))
        assert state.save() == after["whole"]
