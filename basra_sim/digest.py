"""SHA-256 that can be put down and taken up again: the digest of a run that is resumed. Knows bytes, nothing of games.

hashlib cannot save its state. The C library behind it can, where Python was linked with it; elsewhere a compiled loop of
FIPS 180-4 does the same at a fifth of the speed. Which one is decided by trying it against hashlib.
"""

from __future__ import annotations

import base64
import ctypes
import hashlib
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from .jit import kernel, piece


def _primes(count: int) -> list[int]:
    found: list[int] = []
    number = 2
    while len(found) < count:
        if all(number % p for p in found):
            found.append(number)
        number += 1
    return found


def _root_bits(prime: int, power: int) -> int:
    """The first 32 bits of the fraction of a prime's square or cube root, exactly."""
    target = prime << (32 * power)
    low, high = 0, 1 << 40
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if middle**power <= target else (low, middle - 1)
    return low & 0xFFFFFFFF


START = np.array([_root_bits(p, 2) for p in _primes(8)], np.uint32)
ROUNDS = np.array([_root_bits(p, 3) for p in _primes(64)], np.uint32)


@piece
def _turn(x, count):
    return (x >> np.uint32(count)) | (x << np.uint32(32 - count))


@kernel
def _compress(state, data, rounds):
    """Take the 64-byte blocks of `data` (uint8) into the state (8 words)."""
    w = np.empty(64, np.uint32)
    for block in range(len(data) // 64):
        at = 64 * block
        for k in range(16):
            w[k] = (
                (np.uint32(data[at + 4 * k]) << np.uint32(24))
                | (np.uint32(data[at + 4 * k + 1]) << np.uint32(16))
                | (np.uint32(data[at + 4 * k + 2]) << np.uint32(8))
                | np.uint32(data[at + 4 * k + 3])
            )
        for k in range(16, 64):
            x, y = w[k - 15], w[k - 2]
            s0 = _turn(x, 7) ^ _turn(x, 18) ^ (x >> np.uint32(3))
            s1 = _turn(y, 17) ^ _turn(y, 19) ^ (y >> np.uint32(10))
            w[k] = np.uint32(w[k - 16] + s0 + w[k - 7] + s1)
        a, b, c, d, e, f, g, h = state[0], state[1], state[2], state[3], state[4], state[5], state[6], state[7]
        for k in range(64):
            s1 = _turn(e, 6) ^ _turn(e, 11) ^ _turn(e, 25)
            choice = (e & f) ^ (~e & g)
            t1 = np.uint32(h + s1 + choice + rounds[k] + w[k])
            s0 = _turn(a, 2) ^ _turn(a, 13) ^ _turn(a, 22)
            most = (a & b) ^ (a & c) ^ (b & c)
            h, g, f, e, d, c, b, a = g, f, e, np.uint32(d + t1), c, b, a, np.uint32(t1 + s0 + most)
        state[0] += a
        state[1] += b
        state[2] += c
        state[3] += d
        state[4] += e
        state[5] += f
        state[6] += g
        state[7] += h


class _Context(ctypes.Structure):
    """SHA256_CTX of OpenSSL."""

    _fields_ = (
        ("h", ctypes.c_uint32 * 8), ("low", ctypes.c_uint32), ("high", ctypes.c_uint32), ("data", ctypes.c_uint32 * 16),
        ("num", ctypes.c_uint), ("size", ctypes.c_uint), ("spare", ctypes.c_uint32 * 16),
    )  # fmt: skip


def _by_loop(state: np.ndarray, data: np.ndarray) -> None:
    with np.errstate(over="ignore"):
        _compress(state, data, ROUNDS)


def _by_library() -> Callable[[np.ndarray, np.ndarray], None]:
    """The same by OpenSSL; raises where it cannot be had."""
    import _hashlib

    library = ctypes.CDLL(_hashlib.__file__)  # its symbols include those of the libcrypto it is linked with
    begin, update = library.SHA256_Init, library.SHA256_Update
    update.argtypes = (ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t)

    def take(state: np.ndarray, data: np.ndarray) -> None:
        context = _Context()
        begin(ctypes.byref(context))
        context.h[:] = [int(word) for word in state]
        update(ctypes.byref(context), data.ctypes.data, len(data))
        state[:] = context.h[:]

    return take


@lru_cache(maxsize=1)
def _taker() -> Callable[[np.ndarray, np.ndarray], None]:
    """The fastest that is right here: each is tried on a message of 119 bytes, which pads to two blocks."""
    message = bytes(range(119))
    padded = np.frombuffer(message + b"\x80" + (8 * 119).to_bytes(8, "big"), np.uint8)
    try:
        take, state = _by_library(), START.copy()
        take(state, padded)
        if "".join(f"{int(word):08x}" for word in state) == hashlib.sha256(message).hexdigest():
            return take
    except (ImportError, OSError, AttributeError, TypeError):
        pass
    return _by_loop


class Sha256:
    """Like hashlib.sha256, and with a state that is JSON."""

    def __init__(self, start: bytes = b"") -> None:
        self._state = START.copy()
        self._rest = b""
        self.length = 0
        self.update(start)

    def update(self, data: Any) -> None:
        """Take in bytes, or anything with a buffer."""
        given = np.frombuffer(data, np.uint8) if len(data) else np.zeros(0, np.uint8)
        self.length += len(given)
        if self._rest:
            need = 64 - len(self._rest)
            self._rest += given[:need].tobytes()
            given = given[need:]
            if len(self._rest) < 64:
                return
            self._take(np.frombuffer(self._rest, np.uint8))
            self._rest = b""
        whole = len(given) // 64 * 64
        if whole:
            self._take(np.ascontiguousarray(given[:whole]))
        self._rest = given[whole:].tobytes()

    def _take(self, data: np.ndarray) -> None:
        _taker()(self._state, data)

    def hexdigest(self) -> str:
        """The digest of everything so far; more may follow."""
        last = Sha256.__new__(Sha256)
        last._state, last._rest, last.length = self._state.copy(), self._rest, self.length
        bits = 8 * self.length
        last.update(b"\x80" + bytes(-(self.length + 9) % 64) + bits.to_bytes(8, "big"))
        return "".join(f"{int(word):08x}" for word in last._state)

    def save(self) -> dict[str, Any]:
        """The state, for `restore`."""
        words = [int(word) for word in self._state]
        return {"words": words, "rest": base64.b64encode(self._rest).decode(), "length": self.length}

    @classmethod
    def restore(cls, saved: dict[str, Any]) -> Sha256:
        """A digest that goes on where another was saved."""
        made = cls()
        made._state = np.array(saved["words"], np.uint32)
        made._rest = base64.b64decode(saved["rest"])
        made.length = int(saved["length"])
        return made


# ---------------------------------------------------------------------------------------------- a match
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
    """The digest of one match, whatever else is played: a SHA-256 over those of blocks of 64 pairs, then of what is left.

    Workers hash the blocks, and more pairs can be added to a match long after. `marks` are states on the way, 32 to 64 of
    them at even distances, so that any stretch between two can be checked without playing what lies before it.
    """

    def __init__(self) -> None:
        self.pairs = 0
        self.marks: list[dict[str, Any]] = []
        self._whole = Sha256()
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
        last = Sha256.restore(self._whole.save())
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
        made._whole = Sha256.restore(saved["whole"])
        made._rest = base64.b64decode(saved["rest"])
        made._spacing, made.marks = int(saved["spacing"]), list(saved["marks"])
        return made


def digest_of_matches(header: bytes, digests: Sequence[str]) -> str:
    """One digest of the digests of all matches: that of a run which more was added to, whatever was played first."""
    return hashlib.sha256(header + "".join(digests).encode()).hexdigest()
