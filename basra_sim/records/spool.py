"""What an unfinished run leaves on the disk so that it can go on: the lock, the state, the records so far.

All of it lies in DIR/unfinished and goes away when the run is whole. Knows records and bytes, no engine.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import struct
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from basra_sim.errors import BadInput, BasraError

from .counters import ARRAY_FIELDS, MatchTotals
from .disk import disk_errors, sync_folder, write_bytes
from .run_folder import COUNTS, MANIFEST, MATCHES, SUMMARY, TIMING, TOTALS, UNFINISHED, is_unfinished, read_manifest

LOCK, STATE, SAFE, RECORDS = "lock", "state.bin", "safe.bin", "records.bin"
EARLIER = "earlier"  # a folder: what an extended run was before
RESULTS = (TOTALS, COUNTS, MATCHES, TIMING, SUMMARY, MANIFEST)  # in the order in which they are written
SYNC_SECONDS = 1.0  # a power cut may lose so much; a killed process loses the chunk in flight only
_MAGIC = b"basra-sim state 1\n"
_HEAD = struct.Struct("<qqqq")  # match, first pair, bytes packed, rows


# ---------------------------------------------------------------------------------------------- the lock
class Lock:
    """At most one process plays a run folder. The system lets go of the lock when the process ends, however it ends."""

    def __init__(self, folder: Path) -> None:
        place = folder / UNFINISHED
        with disk_errors(place):
            place.mkdir(exist_ok=True)
            self._file: Any = (place / LOCK).open("a+")
        if not _take(self._file):
            self._file.seek(0)
            owner = self._file.read().strip()
            self._file.close()
            who = f"process {owner}" if owner else "another process"
            raise BadInput(f"{folder} is being played by {who}; wait for it, or stop it first")
        with contextlib.suppress(OSError):  # on a full disk others do not learn who it is
            self._file.truncate(0)
            self._file.write(str(os.getpid()))
            self._file.flush()

    def close(self) -> None:
        """Let go."""
        with contextlib.suppress(OSError):
            self._file.close()


def _take(file: Any) -> bool:
    try:
        if os.name == "posix":
            import fcntl  # there on this system alone, as msvcrt is on the other

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        else:
            import msvcrt

            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
    except OSError:
        return False
    return True


# ---------------------------------------------------------------------------------------------- counters as bytes
def pack_totals(m: MatchTotals) -> bytes:
    """All counters of a match as bytes."""
    head = json.dumps(m.sums()).encode()
    arrays = [np.ascontiguousarray(getattr(m, name), np.int64).tobytes() for name in ARRAY_FIELDS]
    return b"".join([struct.pack("<q", len(head)), head, *arrays])


def unpack_totals(data: bytes) -> MatchTotals:
    """The inverse of `pack_totals`."""
    (length,) = struct.unpack_from("<q", data)
    made = MatchTotals(**json.loads(data[8 : 8 + length]))
    at = 8 + length
    for name in ARRAY_FIELDS:
        array = getattr(made, name)
        array[...] = np.frombuffer(data, np.int64, array.size, at).reshape(array.shape)
        at += array.nbytes
    return made


def _seal(content: bytes) -> bytes:
    return _MAGIC + hashlib.sha256(content).digest() + content


def _open_sealed(path: Path) -> bytes | None:
    """The content of a sealed file, or None if it is not there or not whole."""
    try:
        data = path.read_bytes()
    except OSError:
        return None
    head = len(_MAGIC)
    content = data[head + 32 :]
    if data[:head] != _MAGIC or hashlib.sha256(content).digest() != data[head : head + 32]:
        return None
    return content


# ---------------------------------------------------------------------------------------------- the state
class Spool:
    """The unfinished part of a run folder, locked for this process.

    `save` is called after every chunk: it rewrites the state with the counters of the matches touched since they were
    last put away, by a part file and a rename, so that it is the old or the new one at any moment. Matches that are no
    longer being played are put away in files of their own, named by their number of pairs, never rewritten.
    """

    def __init__(self, folder: Path) -> None:
        self.folder, self.place = folder, folder / UNFINISHED
        self.lock = Lock(folder)
        self._synced = 0.0
        self._records: BinaryIO | None = None
        self._away: dict[int, int] = {}  # match -> pairs in its file

    # writing
    def put_away(self, index: int, totals: MatchTotals) -> None:
        """Write the counters of a match that will not change for some time."""
        write_bytes(self._match_file(index, totals.pairs), _seal(pack_totals(totals)))
        self._away[index] = int(totals.pairs)

    def forget(self, index: int) -> None:
        """What was put away of a match does not count."""
        self._away.pop(index, None)

    def _match_file(self, index: int, pairs: int) -> Path:
        return self.place / f"match-{index:05d}-{pairs}.bin"

    def save(self, state: dict[str, Any], touched: dict[int, MatchTotals]) -> None:
        """Write the state (JSON) and the counters of the `touched` matches; all others are put away."""
        if self._records is not None:
            with disk_errors(self.place / RECORDS):
                self._records.flush()
        away = {index: pairs for index, pairs in self._away.items() if index not in touched}
        parts = {index: pack_totals(m) for index, m in touched.items()}
        head = json.dumps({**state, "away": sorted(away.items()), "open": [[i, len(p)] for i, p in parts.items()]}).encode()
        content = _seal(struct.pack("<q", len(head)) + head + b"".join(parts.values()))
        now = time.monotonic()
        synced = now - self._synced > SYNC_SECONDS
        if synced:
            if self._records is not None:
                with disk_errors(self.place / RECORDS):
                    os.fsync(self._records.fileno())
            write_bytes(self.place / SAFE, content)
            self._synced = now
        path = self.place / STATE
        with disk_errors(path):
            part = path.with_name(STATE + ".part")
            part.write_bytes(content)
            os.replace(part, path)
        if synced:  # both states name the same files now: older ones may go
            keep = {self._match_file(index, pairs) for index, pairs in away.items()}
            for old in self.place.glob("match-*.bin"):
                if old not in keep:
                    old.unlink(missing_ok=True)

    def append_records(self, match: int, first_pair: int, rows: np.ndarray) -> int:
        """Add a chunk's rows; returns the length of the file, for the state."""
        from pyarrow import compress  # a fifth of a second, for runs with records alone

        if self._records is None:
            with disk_errors(self.place / RECORDS):
                self._records = (self.place / RECORDS).open("ab")
        raw = np.ascontiguousarray(rows).tobytes()
        packed = compress(raw, codec="lz4", asbytes=True) if raw else b""
        with disk_errors(self.place / RECORDS):
            self._records.write(_HEAD.pack(match, first_pair, len(packed), len(rows)) + packed)
        return self._records.tell()

    # reading
    def load(self) -> tuple[dict[str, Any], dict[int, MatchTotals]] | None:
        """The newest whole state and all counters, or None when nothing was saved yet."""
        for name in (STATE, SAFE):
            content = _open_sealed(self.place / name)
            loaded = None if content is None else self._unpack(content)
            if loaded is not None:
                return loaded
        return None

    def _unpack(self, content: bytes) -> tuple[dict[str, Any], dict[int, MatchTotals]] | None:
        (length,) = struct.unpack_from("<q", content)
        state = json.loads(content[8 : 8 + length])
        totals: dict[int, MatchTotals] = {}
        for index, pairs in state["away"]:
            data = _open_sealed(self._match_file(index, pairs))
            if data is None:
                return None
            totals[index] = unpack_totals(data)
        at = 8 + length
        for index, size in state["open"]:
            totals[index] = unpack_totals(content[at : at + size])
            at += size
        records = self.place / RECORDS
        if state.get("records", 0) > (records.stat().st_size if records.exists() else 0):
            return None
        self._away = dict(state["away"])
        return state, totals

    def records(self, length: int, dtype: np.dtype) -> Iterator[tuple[int, int, np.ndarray]]:
        """(match, first pair, rows) of each chunk in the first `length` bytes; what lies beyond is cut off."""
        from pyarrow import decompress  # as above

        path = self.place / RECORDS
        if not length:
            path.unlink(missing_ok=True)
            return
        with path.open("r+b") as file:
            file.truncate(length)
            while file.tell() < length:
                match, first, size, rows = _HEAD.unpack(file.read(_HEAD.size))
                raw = decompress(file.read(size), rows * dtype.itemsize, codec="lz4", asbytes=True) if rows else b""
                yield match, first, np.frombuffer(raw, dtype, rows)

    # what an extended run was before
    def keep_earlier(self) -> None:
        """Copy the tables of the folder, to be put back should the extension be impossible."""
        place = self.place / EARLIER
        with disk_errors(place):
            place.mkdir(exist_ok=True)
        for name in RESULTS:
            if (self.folder / name).exists():
                write_bytes(place / name, (self.folder / name).read_bytes())

    def keeps_earlier(self) -> bool:
        """Whether this run is the extension of another."""
        return (self.place / EARLIER / MANIFEST).exists()

    def put_back(self) -> None:
        """The tables from before; the manifest, which says that they are whole, at the end."""
        for name in RESULTS:
            if (self.place / EARLIER / name).exists():
                with disk_errors(self.folder / name):
                    os.replace(self.place / EARLIER / name, self.folder / name)

    # the end
    def close(self) -> None:
        """Let go of the folder; the run can be resumed."""
        if self._records is not None:
            with contextlib.suppress(OSError):
                self._records.close()
            self._records = None
        self.lock.close()

    def remove(self) -> None:
        """The run is whole: nothing of this is needed any more."""
        self.close()
        shutil.rmtree(self.place, ignore_errors=True)
        with contextlib.suppress(OSError):
            sync_folder(self.folder)


def check_resumable(folder: Path) -> None:
    """Say why a folder cannot be resumed."""
    if not folder.is_dir():
        raise BadInput(f"there is no folder {folder}; basra-sim runs lists run folders")
    if not is_unfinished(folder):
        if read_manifest(folder)["complete"]:
            raise BadInput(f"the run in {folder} is complete; basra-sim extend {folder} --games N plays more")
        raise BasraError(f"the run in {folder} stopped and left nothing to go on from; play it again with its command")
