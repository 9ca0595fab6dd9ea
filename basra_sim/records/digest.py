"""Digests that can be put down and taken up again, for runs that are resumed. Knows bytes, nothing of games.

hashlib cannot save its state, so what is hashed is cut into blocks of a fixed length and chained:
state = SHA-256(state + block). The state between two blocks is 32 bytes, whatever came before.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from typing import Any

import numpy as np

BLOCK_BYTES = 8192
DIGEST_BYTES = 32


class HashChain:
    """A chain of SHA-256 over blocks of so many bytes: the same for the same bytes, however they are handed over."""

    def __init__(self, start: bytes = b"", block: int = BLOCK_BYTES) -> None:
        self._block = block
        self._state = bytes(DIGEST_BYTES)
        self._rest = b""
        self.length = 0
        self.update(start)

    def update(self, data: Any) -> None:
        """Take in bytes, or anything with a buffer."""
        given = memoryview(data).cast("B") if len(data) else memoryview(b"")
        self.length += len(given)
        if self._rest:
            need = self._block - len(self._rest)
            self._rest += bytes(given[:need])
            given = given[need:]
            if len(self._rest) < self._block:
                return
            self._state = hashlib.sha256(self._state + self._rest).digest()
        whole = len(given) // self._block * self._block
        for at in range(0, whole, self._block):
            block = hashlib.sha256(self._state)
            block.update(given[at : at + self._block])
            self._state = block.digest()
        self._rest = bytes(given[whole:])

    def hexdigest(self) -> str:
        """The digest of everything so far; more may follow."""
        return hashlib.sha256(self._state + self._rest + self.length.to_bytes(16, "big")).hexdigest()

    def save(self) -> dict[str, Any]:
        """The state, for `restore`."""
        return {"state": self._state.hex(), "rest": base64.b64encode(self._rest).decode(), "length": self.length,
                "block": self._block}  # fmt: skip

    @classmethod
    def restore(cls, saved: dict[str, Any]) -> HashChain:
        """A chain that goes on where another was saved."""
        made = cls(block=int(saved["block"]))
        made._state, made._rest = bytes.fromhex(saved["state"]), base64.b64decode(saved["rest"])
        made.length = int(saved["length"])
        return made


BLOCK_PAIRS = 64
MOST_MARKS = 64


def as_bytes(rows: np.ndarray) -> np.ndarray:
    """The bytes of structured rows, not copied where they lie together."""
    return np.ascontiguousarray(rows).reshape(-1).view(np.uint8)


def block_digests(games: np.ndarray) -> bytes:
    """The SHA-256 of each whole block of BLOCK_PAIRS pairs of `games` (pairs, 2), one after another."""
    raw = as_bytes(games)
    size = BLOCK_PAIRS * 2 * games.dtype.itemsize
    return b"".join(hashlib.sha256(raw[at : at + size].data).digest() for at in range(0, len(raw) // size * size, size))


class Chain:
    """The digest of one match, whatever else is played: a chain over those of blocks of 64 pairs, then of what is left.

    Workers hash the blocks, and more pairs can be added to a match long after. `marks` are states on the way, 32 to 64 of
    them at even distances, so that any stretch between two can be checked without playing what lies before it.
    """

    def __init__(self) -> None:
        self.pairs = 0
        self.marks: list[dict[str, Any]] = []
        self._whole = HashChain(block=DIGEST_BYTES)
        self._rest = b""
        self._spacing = 1  # blocks from mark to mark

    def add(self, games: np.ndarray, blocks: bytes | None = None) -> None:
        """The next pairs, GAME_DTYPE (pairs, 2); `blocks` are their `block_digests` if already known."""
        if not self._rest and blocks is not None:
            self._take(blocks)
            left = games[len(blocks) // 32 * BLOCK_PAIRS :]
            self._rest = np.ascontiguousarray(left).tobytes()
        else:
            raw = self._rest + np.ascontiguousarray(games).tobytes()
            size = BLOCK_PAIRS * 2 * games.dtype.itemsize
            whole = len(raw) // size * size
            for at in range(0, whole, size):
                self._take(hashlib.sha256(raw[at : at + size]).digest())
            self._rest = raw[whole:]
        self.pairs += len(games)

    def _take(self, blocks: bytes) -> None:
        """Digests of whole blocks, stopping for a mark where one is due."""
        while blocks:
            due = self._spacing - self._whole.length // 32 % self._spacing
            part, blocks = blocks[: 32 * due], blocks[32 * due :]
            self._whole.update(part)
            done = self._whole.length // 32
            if done % self._spacing == 0:
                self.marks.append({"pairs": done * BLOCK_PAIRS, "whole": self._whole.save()})
                if len(self.marks) > MOST_MARKS:
                    self._spacing *= 2
                    self.marks = [mark for mark in self.marks if mark["pairs"] // BLOCK_PAIRS % self._spacing == 0]

    def hexdigest(self) -> str:
        """The digest of the match so far."""
        last = HashChain.restore(self._whole.save())
        if self._rest:
            last.update(hashlib.sha256(self._rest).digest())
        return last.hexdigest()

    def save(self) -> dict[str, Any]:
        """The state, for `restore`."""
        rest = base64.b64encode(self._rest).decode()
        return {"pairs": self.pairs, "whole": self._whole.save(), "rest": rest, "spacing": self._spacing, "marks": self.marks}

    @classmethod
    def restore(cls, saved: dict[str, Any]) -> Chain:
        """A chain that goes on where another was saved."""
        made = cls()
        made.pairs = int(saved["pairs"])
        made._whole = HashChain.restore(saved["whole"])
        made._rest = base64.b64decode(saved["rest"])
        made._spacing, made.marks = int(saved["spacing"]), list(saved["marks"])
        return made


def digest_of_matches(header: bytes, digests: Sequence[str]) -> str:
    """One digest of the digests of all matches: that of a run which more was added to, whatever was played first."""
    return hashlib.sha256(header + "".join(digests).encode()).hexdigest()
