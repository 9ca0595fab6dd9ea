"""The wheel, installed where nothing of this checkout is: it lists its strategies, explains rules, plays and replays."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.slow


def command(*words: object, **more):
    result = subprocess.run([*map(str, words)], capture_output=True, text=True, timeout=600, check=False, **more)
    assert result.returncode == 0, f"{words}: {result.stdout[-2000:]}{result.stderr[-2000:]}"
    return result.stdout


def sources() -> list[Path]:
    """What a wheel is built of: the files of the checkout, without what was built or played in it."""
    tops = ["pyproject.toml", "README.md", "LICENSE", "CHANGELOG.md"]
    found = [ROOT / name for name in tops if (ROOT / name).exists()]
    for folder in ("basra_sim", "strategies"):
        found += [path for path in (ROOT / folder).rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    return found


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    """Built from a copy, so that nothing is left in the checkout."""
    copy, out = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("wheel")
    for path in sources():
        target = copy / path.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, target)
    new_enough = "import setuptools, sys; sys.exit(int(setuptools.__version__.split('.')[0]) < 77)"
    have_setuptools = subprocess.run([sys.executable, "-c", new_enough], capture_output=True, check=False).returncode == 0
    isolation = ["--no-build-isolation"] if have_setuptools else []  # otherwise pip fetches it
    command(sys.executable, "-m", "pip", "wheel", "--no-deps", "--quiet", *isolation, "-w", out, copy)
    return next(out.glob("basra_sim-*.whl"))


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory) -> Path:
    """The folder of the commands of a new environment: this wheel, and the libraries of this one beside it."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=False, symlinks=True)
    purelib = Path(sysconfig.get_path("purelib", "venv", {"base": str(folder), "platbase": str(folder)}))
    (purelib / "libraries.pth").write_text(sysconfig.get_path("purelib") + "\n")
    python = folder / "bin" / "python"
    command(sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--no-deps", "--force-reinstall", wheel)
    return folder / "bin"


def surroundings(folder: Path) -> dict[str, str]:
    """Without anything that leads back to the checkout, and with a cache of its own."""
    drop = ("PYTHONPATH", "BASRA_STRATEGIES", "VIRTUAL_ENV")
    return {k: v for k, v in os.environ.items() if k not in drop} | {"XDG_CACHE_HOME": str(folder / "cache")}


def test_the_wheel_holds_every_file(wheel):
    inside = set(zipfile.ZipFile(wheel).namelist())
    names = [path.relative_to(ROOT).as_posix() for path in sources()]
    wanted = {name if name.startswith("basra_sim/") else f"basra_sim/{name}" for name in names if "/" in name}
    assert sorted(wanted - inside) == []
    assert not [name for name in inside if name.startswith(("tests", "strategies/", "docs"))]


def test_it_plays_where_it_is_installed(installed, tmp_path):
    env = surroundings(tmp_path)
    where = command(installed / "python", "-c", "import basra_sim; print(basra_sim.__file__)", cwd=tmp_path, env=env).strip()
    assert Path(where).is_relative_to(installed.parent)
    listed = command(installed / "basra-sim", "strategies", "list", cwd=tmp_path, env=env)
    for path in (ROOT / "strategies").glob("*.py"):
        if not path.name.startswith("_"):
            assert path.stem.replace("_", "-") in listed or "uniform" in path.stem
    words = ["run", "random", "greedy", "--games", 200, "--seed", 4, "--out", "run", "--format", "json", "--quiet"]
    out = command(installed / "basra-sim", *words, cwd=tmp_path, env=env)
    summary = json.loads(out)
    here = json.loads(command(sys.executable, "-m", "basra_sim", *words[:-5], "--out", "here", *words[-3:], cwd=tmp_path))
    assert summary["digest"] == here["digest"]
    assert summary["games"] == 200
    manifest = json.loads((tmp_path / "run" / "manifest.json").read_text())
    assert all(Path(entry["file"]).is_relative_to(installed.parent) for entry in manifest["strategies"])
    assert "result: seat" in command(installed / "basra-sim", "show", "run", "--pair", 2, cwd=tmp_path, env=env)
    assert "egyptian-v2" in command(installed / "basra-sim", "rules", "list", cwd=tmp_path, env=env)
    command(installed / "basra-sim", "shuffle", "list", cwd=tmp_path, env=env)


def test_it_plays_where_nothing_can_be_written_to_the_cache(installed, tmp_path):
    """A read-only home: compiled each time, and all the same."""
    env = surroundings(tmp_path) | {"XDG_CACHE_HOME": "/proc/no-cache"}
    words = ["run", "first", "greedy", "--games", 20, "--seed", 4, "--out", "run", "--format", "json", "--quiet"]
    assert json.loads(command(installed / "basra-sim", *words, cwd=tmp_path, env=env))["games"] == 20
