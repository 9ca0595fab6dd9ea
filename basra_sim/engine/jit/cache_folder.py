"""Where compiled code and tables are kept: a folder named by a hash of everything that they are made of.

numba's own cache does not notice edits in *other* files, and a stale engine gives plausible wrong results; so the folder's name
changes with any edit of a source that compiled code is made of, with the numba version and with the bounds-check flag.
"""

from __future__ import annotations

import hashlib
import os
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path

from .pruning import note_use

HOUSE = Path(__file__).parents[2]
_CONSTANTS = ("cards.py", "counters.py")  # kernels use what they declare, though they speak of no compiling


@lru_cache(maxsize=1)
def sources_hash() -> str:
    """A hash of every source file that compiled code is made of: names the cache folder, and changes with any edit.

    Those are the files that speak of jit (kernels, pieces, instructions) and the few whose constants they use.
    """
    digest = hashlib.sha256(f"numba {version('numba')} bounds {os.environ.get('NUMBA_BOUNDSCHECK', '')}".encode())
    for path in sorted(HOUSE.rglob("*.py")):
        text = path.read_bytes()
        if b"jit" in text or path.name in _CONSTANTS:
            digest.update(str(path.relative_to(HOUSE)).encode() + b"\0" + text)
    return digest.hexdigest()[:16]


@lru_cache(maxsize=1)
def cache_folder() -> Path:
    """Where compiled code and tables live: NUMBA_CACHE_DIR if the user has set it, else the user's cache folder."""
    own = os.environ.get("NUMBA_CACHE_DIR")
    if own:
        return Path(own)
    import platformdirs  # costs a start where the user has set a folder

    return platformdirs.user_cache_path("basra-sim") / sources_hash()


def usable_folder() -> Path | None:
    """The folder, made if need be; None (compile each time) where nothing can be written."""
    folder = cache_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    if not os.access(folder, os.W_OK):
        return None
    if not os.environ.get("NUMBA_CACHE_DIR"):
        note_use(folder)
    return folder
