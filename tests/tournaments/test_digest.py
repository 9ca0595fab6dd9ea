"""The digest that can be put down: against hashlib, cut anywhere."""

from __future__ import annotations

import hashlib
import json
import random

import numpy as np
import pytest

from basra_sim import digest
from basra_sim.digest import Sha256
from basra_sim.records import GAME_DTYPE


@pytest.fixture(params=["chosen", "loop"], autouse=True)
def way(request, monkeypatch):
    """Each test by the way that is chosen here, and by the loop that is everywhere."""
    if request.param == "loop":
        monkeypatch.setattr(digest, "_taker", lambda: digest._by_loop)


@pytest.mark.parametrize("length", [0, 1, 55, 56, 63, 64, 65, 119, 120, 1000, 4096])
def test_it_is_sha256(length):
    data = random.Random(length).randbytes(length)
    assert Sha256(data).hexdigest() == hashlib.sha256(data).hexdigest()


def test_published_vectors():
    # FIPS 180-4 examples
    assert Sha256(b"abc").hexdigest() == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    assert Sha256(b"").hexdigest() == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


def test_saved_and_restored_anywhere():
    rng = random.Random(3)
    data = rng.randbytes(20_000)
    ours, at = Sha256(), 0
    while at < len(data):
        size = rng.choice([0, 1, 7, 63, 64, 65, 300, 3000])
        ours.update(data[at : at + size])
        at += size
        ours = Sha256.restore(json.loads(json.dumps(ours.save())))
        assert ours.hexdigest() == hashlib.sha256(data[:at]).hexdigest()


def test_a_match_has_one_digest_however_it_is_cut():
    games = np.zeros((300, 2), GAME_DTYPE)
    games["score_a"] = np.random.default_rng(1).integers(0, 200, (300, 2))
    whole = digest.Chain()
    whole.add(games)
    raw = games.tobytes()
    parts = [hashlib.sha256(raw[at : at + 64 * 112]).digest() for at in range(0, len(raw), 64 * 112)]
    assert whole.hexdigest() == hashlib.sha256(b"".join(parts)).hexdigest()  # the definition
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
        state = Sha256.restore(before["whole"])
        state.update(digest.block_digests(games[before["pairs"] : after["pairs"]]))
        assert state.save() == after["whole"]
