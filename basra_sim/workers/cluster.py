"""Chunks played on other machines through joblib's Dask backend. Needs the extra [cluster]; knows plans and chunks.

The same chunks come back in the same order, so the digest is the same. Workers need the same sources of basra-sim, which is
checked; strategies travel as names and text.
"""

from __future__ import annotations

import hashlib
import itertools
import pickle
from collections.abc import Iterable, Iterator
from typing import Any

from basra_sim.engine.jit.cache_folder import sources_hash
from basra_sim.errors import BadInput, BasraError

from .chunks import Chunk, Progress, play_chunk
from .guarded_matches import GuardedMatches
from .plan import Plan
from .portable_plan import PortablePlan, plan_of, portable

CONNECT_SECONDS = 5
TASKS_A_WORKER = 8  # of one batch: memory stays flat, and little time is lost between batches

_made: dict[str, tuple[Plan, Any]] = {}  # in a worker: plans that were made ready, the newest alone


def play_remote(packed: bytes, key: str, task: tuple[int, int, int], want_rounds: bool, forgiving: bool, timeout: float) -> Chunk:
    """What a worker does: make the plan that was sent ready, once, and play a chunk of it."""
    if key not in _made:
        sent: PortablePlan = pickle.loads(packed)
        _check_sources(sent)
        for _, old in _made.values():
            if old is not None:
                old.close()
        _made.clear()
        plan = plan_of(sent)
        player = None
        if forgiving:
            player = GuardedMatches(plan, sent.folders, sent.interpret, timeout)
        _made[key] = (plan, player)
    plan, player = _made[key]
    return (player or play_chunk)(plan, *task, want_rounds=want_rounds)


def _check_sources(sent: PortablePlan) -> None:
    if sent.engine != sources_hash():
        raise BasraError("a worker of the cluster has other sources of basra-sim than this machine; install the same everywhere")


class Cluster:
    """A Dask scheduler and its workers. Called with tasks, gives their chunks in order."""

    def __init__(self, address: str | None, plan: Plan, folders: Any, interpret: bool, forgiving: bool, timeout: float) -> None:
        if not address:
            raise BadInput("--backend dask needs --scheduler ADDRESS, such as tcp://127.0.0.1:8786")
        try:
            from dask.distributed import Client  # an extra that need not be there
        except ImportError:
            raise BadInput("--backend dask needs Dask: pip install 'basra-sim[cluster]'") from None
        try:
            self._client: Any = Client(address, timeout=CONNECT_SECONDS, set_as_default=True)
        except (OSError, ValueError, TimeoutError) as error:
            name = type(error).__name__
            raise BadInput(f"no Dask scheduler answers at {address} ({name}); start it: dask scheduler") from None
        self.workers = len(self._client.scheduler_info(n_workers=-1)["workers"])
        if not self.workers:
            self._client.close()
            raise BadInput(f"the Dask scheduler at {address} has no workers; start some: dask worker {address}")
        self._packed = pickle.dumps(portable(plan, folders, interpret))
        self._key = hashlib.sha256(self._packed).hexdigest() + str(forgiving)
        self._forgiving, self._timeout = forgiving, timeout

    def __call__(self, tasks: Iterable[tuple[int, int, int]], want_rounds: bool, progress: Progress) -> Iterator[Chunk]:
        """Play tasks (match, first pair, pairs); a worker that dies is no loss, its tasks go to others."""
        # half a second, and for clusters alone
        from joblib import Parallel, delayed, parallel_config

        waiting = iter(tasks)
        while batch := list(itertools.islice(waiting, TASKS_A_WORKER * self.workers)):
            with parallel_config(backend="dask"):
                chunks = Parallel(return_as="generator", batch_size=1)(
                    delayed(play_remote)(self._packed, self._key, task, want_rounds, self._forgiving, self._timeout)
                    for task in batch
                )
                for chunk in chunks:
                    progress.add(2 * len(chunk.games))
                    yield chunk
                    if chunk.fault is not None:
                        return

    def close(self) -> None:
        """Say good-bye; the scheduler and its workers go on."""
        self._client.close()
