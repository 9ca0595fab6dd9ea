"""The cache folder holds a folder for each version of the program's sources; those that nothing has used for long go away.

They can all be made again: what is removed under a process that still wants it costs that process time, nothing else.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import time
from pathlib import Path

STAMP = "used"  # a file in each folder; its time says when that was last in use
DAY = 86_400.0
KEPT_DAYS = 30
_OURS = re.compile(r"[0-9a-f]{16}(\.gone-\d+)?")  # the name of a version, and what is left where removing it was cut short


def note_use(folder: Path) -> None:
    """Note that a version's folder is in use; with that, at most once a day, `prune` its neighbours. Never fails."""
    stamp = folder / STAMP
    with contextlib.suppress(OSError):
        if stamp.exists() and abs(time.time() - stamp.stat().st_mtime) < DAY:
            return
        stamp.touch()
        prune(folder.parent, folder)


def prune(root: Path, own: Path) -> None:
    """Remove the folders directly in `root` that are named as a version and were not used for KEPT_DAYS; never `own`.

    Links, files and other names are left alone. Each is first given another name, which one process alone can do.
    """
    for path in root.iterdir():
        if path == own or not _OURS.fullmatch(path.name) or path.is_symlink() or not path.is_dir():
            continue
        if time.time() - _last_use(path) < KEPT_DAYS * DAY:
            continue
        gone = path.with_name(f"{path.name.partition('.')[0]}.gone-{os.getpid()}")
        try:
            os.rename(path, gone)
        except OSError:
            continue  # somebody else was first
        shutil.rmtree(gone, ignore_errors=True)


def _last_use(folder: Path) -> float:
    """The time of the stamp, of the folder itself if it has none; now if it is going away just then."""
    for path in (folder / STAMP, folder):
        with contextlib.suppress(OSError):
            return path.stat().st_mtime
    return time.time()
