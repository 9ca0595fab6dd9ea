"""A real Dask scheduler with two worker processes on loopback: the same digest, also when a worker is killed in the middle.

Resume and extend go there too.
"""

from __future__ import annotations

import socket
import subprocess
import sys
import time

import pytest
from child_runs import bytes_of, fresh, pressed_at
from click.testing import CliRunner

from basra_sim.cli import cli
from basra_sim.errors import BadInput
from basra_sim.records.run_folder import read_manifest
from basra_sim.runs import playing
from basra_sim.runs.extending import extend
from basra_sim.runs.run_settings import Settings
from basra_sim.runs.running import run

distributed = pytest.importorskip("distributed")
MINE = "from basra_sim.view import lowest\n\n\ndef choose(view):\n    return lowest(view.hand)\n"


def dask(*words):
    return subprocess.Popen([sys.executable, "-m", "dask", *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


@pytest.fixture(scope="module")
def cluster():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = f"tcp://127.0.0.1:{port}"
    processes = [dask("scheduler", "--host", "127.0.0.1", "--port", str(port), "--no-dashboard")]
    processes += [dask("worker", address, "--nthreads", "1", "--no-nanny", "--no-dashboard") for _ in range(2)]
    try:
        with distributed.Client(address, timeout=60) as client:
            client.wait_for_workers(2, timeout=60)
        yield address, processes[1:]
    finally:
        for process in processes:
            process.kill()
            process.wait()


@pytest.mark.slow
def test_the_same_bytes_and_a_worker_may_die(tmp_path, cluster):
    address, workers = cluster
    mine = tmp_path / "mine.py"
    mine.write_text(MINE)
    field, asked = ["random", "greedy", str(mine)], {"games": 6_000, "seed": 4, "chunk_pairs": 128, "records": "rounds"}
    here, there, killed = (tmp_path / name for name in ("here", "there", "killed"))
    for folder in (here, there, killed):
        folder.mkdir()
    run(field, Settings(**asked), folder=here)
    assert run(field, Settings(**asked, backend="dask", scheduler=address), folder=there).error is None
    assert bytes_of(here) == bytes_of(there)

    absorb, count = playing.Playing._absorb, [0]

    def and_kill(self, chunk):
        count[0] += 1
        if count[0] == 10:
            workers[0].kill()
        absorb(self, chunk)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(playing.Playing, "_absorb", and_kill)
        outcome = run(field, Settings(**asked, backend="dask", scheduler=address), folder=killed)
    assert outcome.error is None and workers[0].wait(10) != 0
    assert bytes_of(killed) == bytes_of(here)


@pytest.mark.slow
@pytest.mark.parametrize("records", ["none", "games"])
def test_a_run_is_taken_up_there_and_becomes_longer(tmp_path, cluster, records):
    """Stopped here, resumed and extended on the cluster, by the verbs: the bytes of runs that were played here."""
    address, _ = cluster
    mine = tmp_path / "mine.py"
    mine.write_text(MINE)
    field, asked = ["random", str(mine)], {"seed": 4, "chunk_pairs": 64, "records": records}
    folder = tmp_path / "x"
    folder.mkdir()
    with pressed_at(5):
        run(field, Settings(**asked, games=2_000), folder=folder)

    def there(*words):
        return CliRunner().invoke(cli, [*words, "--backend", "dask", "--scheduler", address], standalone_mode=False)

    here = fresh(tmp_path, "here", field, **asked, games=2_000)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(playing, "play", None)  # nothing is played here
        assert there("resume", str(folder)).return_value == 0
        assert bytes_of(folder) == bytes_of(here)
        assert there("extend", str(folder), "--games", "3000", "--add", "greedy").return_value == 0
    assert bytes_of(folder) == bytes_of(fresh(tmp_path, "longer", [*field, "greedy"], **asked, games=3_000))


def test_what_is_missing_is_said(tmp_path):
    with pytest.raises(BadInput, match="needs --scheduler ADDRESS"):
        run(["random", "greedy"], Settings(games=10, backend="dask"))
    with pytest.raises(BadInput, match="goes with --backend dask"):
        run(["random", "greedy"], Settings(games=10, scheduler="tcp://127.0.0.1:1"))
    folder = fresh(tmp_path, "x", ["random", "greedy"], games=10, seed=1)
    with pytest.raises(BadInput, match="needs --scheduler ADDRESS"):
        extend(folder, games=20, backend="dask")
    assert read_manifest(folder)["complete"]
    started = time.monotonic()
    with pytest.raises(BadInput, match="no Dask scheduler answers"):
        run(["random", "greedy"], Settings(games=10, backend="dask", scheduler="tcp://127.0.0.1:1"))
    assert time.monotonic() - started < 60
