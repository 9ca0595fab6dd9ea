"""The packs of a run through the quick battery of the shuffle lab; on wish in a process beside, while something else is done.

As a module: `python -m basra_sim.report.packs_check SEED PACKS [SEED PACKS ...]` prints one line of JSON for each.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from basra_sim.errors import BasraError

CHECKED = 10_000  # packs at most: enough to see a place bias of a few percent, quick enough for every report
Check = Callable[[int, int], dict[str, Any]]


def check_packs(seed: int, packs: int) -> dict[str, Any]:
    """The first packs of so many game pairs, dealt again from the seed: a verdict, the tests, rising sequences and their law."""
    # what takes numba and scipy along is imported in the process that looks, not in the one that makes the report
    import numpy as np

    from basra_sim.engine.redealt import packs_of
    from basra_sim.shuffles.battery.outcomes import ALPHA, judge
    from basra_sim.shuffles.battery.tally import tally
    from basra_sim.shuffles.laws.permutation_laws import eulerian
    from basra_sim.shuffles.verdict.verdict_words import verdict_sentence

    counts = tally(iter([packs_of(seed, np.arange(packs), np.zeros(packs))]), 52, np.arange(52), 1)
    outcome = judge(counts, profile="quick")
    law = np.array(eulerian(52), float)
    return {
        "verdict": verdict_sentence(outcome),
        "tests": [[result.test.name, result.log10_p] for result in outcome.results],
        "limit": -float(np.log10(ALPHA / max(1, len(outcome.results)))),
        "rising": counts.histogram("rising").tolist(),  # packs with 0, 1, 2 ... rising sequences
        "law": (law / law.sum()).tolist(),  # the share of packs with 1, 2 ...
    }


def packs_to_check(unit: str, games: Sequence[int]) -> int:
    """How many packs of a run are looked at, from the games of its matches; none where the packs were given."""
    return 0 if unit == "packs" else min(max(games, default=0) // 2, CHECKED)


def processor_free() -> bool:
    """Whether a second process would have a processor for itself now; where the system does not say: there are two."""
    many = os.cpu_count() or 1
    try:
        return int(Path("/proc/loadavg").read_text().split()[3].partition("/")[0]) < many  # all that run, this process too
    except (OSError, ValueError, IndexError):
        return many > 1


class ChecksBeside:
    """`check_packs` for runs that a report will be made of, begun in a second process: it needs numba, a report does not.

    A context that is called like check_packs. What the process cannot tell, for whatever reason, is computed here; and all of it
    where every processor is busy, since a second process loads numpy and scipy once more.
    """

    def __init__(self, folders: Sequence[Path]) -> None:
        free = processor_free()  # before numpy is loaded: its threads run for a moment
        from basra_sim.records.run_folder import read_manifest

        self._asked: list[tuple[int, int]] = []
        for folder in folders:
            with contextlib.suppress(BasraError, KeyError, TypeError):  # who reads the whole run will say what is wrong
                manifest = read_manifest(folder)
                packs = packs_to_check(manifest["unit"], [match["games"] for match in manifest["matches"]])
                if packs and (manifest["seed"], packs) not in self._asked:
                    self._asked.append((manifest["seed"], packs))
        self._known: dict[tuple[int, int], dict[str, Any]] = {}
        self._process: subprocess.Popen[str] | None = None
        if self._asked and free:
            words = [str(number) for asked in self._asked for number in asked]
            with contextlib.suppress(OSError):
                self._process = subprocess.Popen(
                    [sys.executable, "-m", __name__, *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL, text=True,
                )  # fmt: skip

    def __call__(self, seed: int, packs: int) -> dict[str, Any]:
        said = self._process.stdout if self._process is not None else None
        while (seed, packs) in self._asked and said is not None:
            line = said.readline()
            try:
                self._known[self._asked.pop(0)] = json.loads(line)
            except ValueError:  # it is gone
                self._asked.clear()
        known = self._known.get((seed, packs))
        return check_packs(seed, packs) if known is None else known

    def __enter__(self) -> ChecksBeside:
        return self

    def __exit__(self, *_: object) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.communicate()


def main(words: Sequence[str]) -> None:
    """Print what check_packs says of each seed and number of packs."""
    numbers = [int(word) for word in words]
    for seed, packs in zip(numbers[::2], numbers[1::2], strict=True):
        print(json.dumps(check_packs(seed, packs)), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
