"""Files that are whole or not there: atomic writing, JSON as it stands in files, one clear line where the disk is full.

Reads back what it wrote, and refuses what a newer program wrote. Knows no run.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from basra_sim.errors import BadInput, BasraError

from .counters import FORMAT_VERSION

_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


@contextlib.contextmanager
def disk_errors(path: Path) -> Iterator[None]:
    """Turn a full disk, or a place that cannot be written, into one clear line."""
    try:
        yield
    except OSError as error:
        if error.errno in _FULL:
            raise BasraError(
                f"cannot write {path}: no space left on the disk; free some, or choose another place with --out"
            ) from error
        raise BasraError(f"cannot write {path}: {os.strerror(error.errno) if error.errno else error}") from error


def sync_folder(folder: Path) -> None:
    """Make renames in a folder survive a power cut, where the system can."""
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def write_bytes(path: Path, content: bytes) -> None:
    """Write a file so that at any moment it is the old one or the new one: a part file, fsync, rename."""
    part = path.with_name(path.name + ".part")
    with disk_errors(path):
        try:
            with part.open("wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            os.replace(part, path)
            sync_folder(path.parent)
        except BaseException:
            part.unlink(missing_ok=True)
            raise


def json_text(data: Any) -> str:
    """JSON as it stands in files: two blanks of indent, ASCII, no NaN (a ValueError), a newline at the end."""
    return json.dumps(data, indent=2, allow_nan=False, ensure_ascii=True) + "\n"


def write_json(path: Path, data: Any) -> None:
    """Write `json_text` atomically."""
    write_bytes(path, json_text(data).encode("ascii"))


def check_version(version: Any, path: Path) -> None:
    """Refuse a file of a newer format version (older ones load), or of none."""
    try:
        number = int(version)
    except (TypeError, ValueError):
        raise BadInput(f"{path} was not written by basra-sim: it has no format version") from None
    if number > FORMAT_VERSION:
        raise BadInput(
            f"{path} has format version {number}, this basra-sim reads up to {FORMAT_VERSION}; update basra-sim"
        )


def read_json(path: Path) -> dict[str, Any]:
    """The object in a JSON file of a run folder. BadInput (one line) for what is none, is damaged or is newer."""
    try:
        data = json.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        raise BadInput(
            f"{path.parent} is no run folder (it has no {path.name}); basra-sim runs lists run folders"
        ) from None
    except (OSError, ValueError) as error:
        raise BadInput(f"{path} cannot be read: {getattr(error, 'strerror', None) or 'it is damaged'}") from error
    if not isinstance(data, dict):
        raise BadInput(f"{path} cannot be read: it holds no JSON object")
    check_version(data.get("format_version"), path)
    return data
