"""Compiled code of versions that nobody uses any more goes away, and nothing else."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from basra_sim.engine.jit.pruning import DAY, KEPT_DAYS, STAMP, note_use, prune

OLD, FRESH = KEPT_DAYS + 1, KEPT_DAYS - 1


def version(root: Path, letter: str, days: float, stamp: bool = True, name: str = "") -> Path:
    """A folder of a version, last used so many days ago."""
    folder = root / (name or 16 * letter)
    (folder / "basra_sim_1").mkdir(parents=True)
    (folder / "basra_sim_1" / "engine.nbi").write_text("compiled")
    moment = time.time() - days * DAY
    if stamp:
        (folder / STAMP).touch()
        os.utime(folder / STAMP, (moment, moment))
    else:
        os.utime(folder, (moment, moment))
    return folder


def test_only_what_was_long_unused_goes(tmp_path):
    outside = tmp_path / "outside"
    version(outside, "0", OLD)
    root = tmp_path / "basra-sim"
    own = version(root, "f", OLD)
    gone = [
        version(root, "a", OLD), version(root, "b", OLD, stamp=False), version(root, "", OLD, name="c" * 16 + ".gone-77"),
    ]  # fmt: skip
    kept = [
        own, version(root, "d", FRESH), version(root, "e", FRESH, stamp=False), version(root, "", OLD, name="notes"),
        version(root, "", OLD, name="0123456789abcdef0"), version(root, "1", -OLD),
    ]  # fmt: skip
    (root / ("2" * 16)).write_text("a file")
    os.utime(root / ("2" * 16), (0, 0))
    (root / ("3" * 16)).symlink_to(outside / ("0" * 16), target_is_directory=True)
    prune(root, own)
    assert not any(path.exists() for path in gone)
    assert all((path / "basra_sim_1" / "engine.nbi").exists() for path in [*kept, outside / ("0" * 16)])
    assert sorted(path.name for path in root.iterdir()) == sorted([*(path.name for path in kept), "2" * 16, "3" * 16])


def test_use_is_noted_and_neighbours_are_looked_at_once_a_day(tmp_path):
    own, old = version(tmp_path, "f", 2), version(tmp_path, "a", OLD)
    note_use(own)
    assert not old.exists() and time.time() - (own / STAMP).stat().st_mtime < DAY / 2
    old = version(tmp_path, "a", OLD)
    note_use(own)
    assert old.exists()  # it was done today


def test_a_folder_that_cannot_be_written_is_no_error(tmp_path):
    note_use(tmp_path / "nowhere")
    own = version(tmp_path, "f", 2)
    own.chmod(0o500)
    note_use(own)
    own.chmod(0o700)


def test_many_processes_at_once(tmp_path):
    olds = [version(tmp_path, "", OLD, name=f"{k:016x}") for k in range(40)]
    own = version(tmp_path, "f", 2)
    arguments = f"Path({str(tmp_path)!r}), Path({str(own)!r})"
    program = f"from pathlib import Path; from basra_sim.engine.jit.pruning import prune; prune({arguments})"
    children = [subprocess.Popen([sys.executable, "-c", program], stderr=subprocess.PIPE) for _ in range(4)]
    assert [(child.communicate()[1], child.returncode) for child in children] == [(b"", 0)] * 4
    assert not any(old.exists() for old in olds) and [path.name for path in tmp_path.iterdir()] == [own.name]


@pytest.mark.skipif(sys.platform != "linux", reason="the cache folder is elsewhere")
def test_the_program_notes_use_of_its_own_folder_and_leaves_a_chosen_one_alone(tmp_path):
    old = version(tmp_path / "basra-sim", "a", OLD)
    usual = {key: value for key, value in os.environ.items() if key != "NUMBA_CACHE_DIR"}
    program = "from basra_sim.engine.jit import cache_folder, compiling; print(cache_folder.cache_folder())"

    def folder(**env: str) -> Path:
        done = subprocess.run([sys.executable, "-c", program], env=usual | env, capture_output=True, text=True, check=True)
        return Path(done.stdout.strip())

    chosen = tmp_path / "basra-sim" / "chosen"
    assert folder(NUMBA_CACHE_DIR=str(chosen), XDG_CACHE_HOME=str(tmp_path)) == chosen
    assert old.exists() and not (chosen / STAMP).exists()
    own = folder(XDG_CACHE_HOME=str(tmp_path))
    assert own.parent == old.parent and (own / STAMP).exists() and not old.exists()
