"""How fast the program is on this machine: ratios measured in one run, medians, and what they were measured on.

Nothing here is a test. Timings of one process are CPU time of the thread, so that a busy neighbour counts less.
"""

from __future__ import annotations

import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

PAIRINGS = (("random", "random"), ("greedy", "greedy"), ("random", "greedy"))


@dataclass
class Line:
    """One row of the table: what was measured, the figure, the goal where there is one."""

    what: str
    figure: str
    goal: str = ""


def machine() -> str:
    """CPU, cores and versions, one line."""
    cpu = platform.processor() or platform.machine()
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                cpu = line.partition(":")[2].strip()
                break
    except OSError:
        pass
    return (
        f"{cpu}, {os.cpu_count()} cores; Python {platform.python_version()}, numba {version('numba')}, "
        f"numpy {version('numpy')}; load {os.getloadavg()[0]:.1f}"
    )


def _plan(one: str, other: str, games: int, interpret: bool = False) -> Any:
    from basra_sim.game.rules import PRESETS
    from basra_sim.players.loading import load
    from basra_sim.players.player import prepare
    from basra_sim.players.strategy import distinct_names
    from basra_sim.workers.plan import Plan

    strategies = [load(one), load(other)]
    distinct_names(strategies)
    players = [prepare(strategy, interpret) for strategy in strategies]
    return Plan(PRESETS["egyptian-v2"], 1, "game", games, players, [(0, 1)])


_PROGRESS: dict[int, Any] = {}  # by plan; the plans live as long as they are measured


def _chunk_rate(plan: Any, first: int, pairs: int) -> tuple[float, float]:
    """(rounds, games) a second of CPU for a chunk: playing, checking every card and all counters."""
    from basra_sim.workers.chunks import Progress, play_chunk

    progress = _PROGRESS.setdefault(id(plan), Progress())  # as in a run, where workers learn how far to play at a stretch
    started = time.thread_time()
    chunk = play_chunk(plan, 0, first, pairs, progress=progress)
    spent = time.thread_time() - started
    return chunk.totals.rounds / spent, chunk.totals.games / spent


def _other_program(program: str) -> dict[str, float]:
    """Rounds a second of another engine, which prints `engine,strategies,rounds_per_s,...` lines such as scalar,random-random."""
    done = subprocess.run([program, "0.15"], capture_output=True, text=True, check=True)
    rates = {}
    for line in done.stdout.splitlines()[1:]:
        engine, pairing, rounds, *_ = line.split(",")
        if engine == "scalar":
            rates[pairing] = float(rounds)
    return rates


def engine_lines(repetitions: int, against: str | None) -> Iterator[Line]:
    """One core: compiled strategies, the full view, the legality check and all counters."""
    plans = {f"{one}-{other}": _plan(one, other, 2) for one, other in PAIRINGS}
    ours: dict[str, list[float]] = {name: [] for name in plans}
    games: dict[str, list[float]] = {name: [] for name in plans}
    ratios: dict[str, list[float]] = {name: [] for name in plans}
    for plan in plans.values():
        _chunk_rate(plan, 0, 64)
    for repetition in range(repetitions):
        theirs = _other_program(against) if against else {}
        for name, plan in plans.items():
            # the first chunks warm caches and clock, as the other engine does before it is timed
            rates = [_chunk_rate(plan, 4096 * (8 * repetition + k), 4096) for k in range(8)][3:]
            rounds = statistics.median(rate[0] for rate in rates)
            ours[name].append(rounds)
            games[name].append(statistics.median(rate[1] for rate in rates))
            if name in theirs:
                ratios[name].append(rounds / theirs[name])
    for name in plans:
        text = f"{statistics.median(ours[name]) / 1e6:.2f} million rounds/s, {statistics.median(games[name]) / 1e3:,.0f}k games/s"
        if ratios[name]:
            text += f", {statistics.median(ratios[name]):.2f} of the other engine"
        yield Line(f"{name}, compiled, one core", text, ">= 0.65 of a scalar C++ engine")


def plain_line(repetitions: int) -> Line:
    """The compiled engine against the plain Python one (the judge), greedy against greedy."""
    from basra_sim.engine.streams import PACK, CardStream
    from basra_sim.game.judge import choose_greedy, play_round
    from basra_sim.game.rules import PRESETS

    rules = PRESETS["egyptian-v2"]
    greedy = choose_greedy(rules)
    plan = _plan("greedy", "greedy", 2)
    ratios = []
    for repetition in range(repetitions):
        started = time.thread_time()
        for pair in range(10):
            play_round(rules, CardStream(1, pair, repetition, PACK).pack(), 1, (greedy, greedy))
        plain = 10 / (time.thread_time() - started)
        ratios.append(_chunk_rate(plan, 4096 * repetition, 1024)[0] / plain)
    return Line("compiled engine / plain Python engine, greedy-greedy", f"{statistics.median(ratios):,.0f} x")


def interpreted_line(repetitions: int) -> Line:
    """A trivial plain Python strategy against a compiled one, one core."""
    from basra_sim.game.rules import PRESETS
    from basra_sim.players.loading import load
    from basra_sim.players.player import prepare
    from basra_sim.players.python_objects import from_object
    from basra_sim.workers.plan import Plan

    class Lowest:
        def choose(self, view: Any) -> int:
            hand: int = view.hand
            return (hand & -hand).bit_length() - 1

    players = [prepare(from_object(Lowest(), "lowest")), prepare(load("greedy"))]
    plan = Plan(PRESETS["egyptian-v2"], 1, "game", 2, players, [(0, 1)])
    rates = [_chunk_rate(plan, 512 * repetition, 256)[1] for repetition in range(repetitions)]
    figure = f"{statistics.median(rates):,.0f} games/s"
    return Line("a trivial interpreted strategy against a compiled one", figure, ">= 4,000 games/s")


def jobs_line(repetitions: int, games: int) -> Line:
    """Wall time of the playing with one worker and with two, in turn."""
    from basra_sim.runs.running import run

    ratios = []
    for repetition in range(repetitions):
        seconds = [run(["random", "greedy"], games=games, seed=repetition, jobs=jobs).totals.seconds for jobs in (1, 2)]
        ratios.append(seconds[0] / seconds[1])
    return Line("--jobs 2 against --jobs 1", f"{statistics.median(ratios):.2f} x", ">= 1.8 x")


# ------------------------------------------------------------------------------------------------ whole commands
def command(arguments: list[str], cache: str | None = None) -> tuple[float, float]:
    """(wall seconds, peak memory in MB) of `basra-sim ...` as a process of its own."""
    environment = dict(os.environ)
    if cache:
        environment["NUMBA_CACHE_DIR"] = cache
    # its own process counts the peak memory of its one child
    script = (
        "import resource,subprocess,sys,time;t=time.perf_counter();"
        "code=subprocess.call([sys.executable,'-m','basra_sim',*sys.argv[1:]],stdout=subprocess.DEVNULL,stderr=subprocess.DEVNULL);"
        "print(time.perf_counter()-t,resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss/1024,code)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, *arguments], capture_output=True, text=True, env=environment, check=True
    )
    seconds, memory, code = done.stdout.split()
    if code != "0":
        raise RuntimeError(f"basra-sim {' '.join(arguments)} failed with exit code {code}")
    return float(seconds), float(memory)


_NEW_STRATEGY = """from basra_sim.view import lowest, outcome


def choose(view):
    card = lowest(view.hand)
    rest = view.hand & (view.hand - 1)
    if rest and outcome(view, card).taken < {n}:
        return lowest(rest)
    return card
"""


def command_lines(repetitions: int, full: bool) -> Iterator[Line]:
    """Whole commands, from the shell's point of view."""
    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder)
        count = iter(range(1_000_000))

        def run_command(*words: str, cache: str | None = None) -> tuple[float, float]:
            return command(["run", *words, "--seed", "1", "--quiet", "--out", str(here / f"run{next(count)}")], cache)

        first, _ = run_command("random", "greedy", "--games", "1000", cache=str(here / "cache"))
        later = statistics.median(
            run_command("random", "greedy", "--games", "1000", cache=str(here / "cache"))[0] for _ in range(repetitions)
        )
        yield Line("first run of 1,000 games after installation", f"{first:.1f} s", "<= 8 s")
        yield Line("later runs of 1,000 games", f"{later:.2f} s", "<= 1.5 s")
        yield _new_strategy_line(run_command, here, repetitions)
        if full:
            yield _big_line(run_command)


def _new_strategy_line(run_command: Callable[..., tuple[float, float]], here: Path, repetitions: int) -> Line:
    extra = []
    for number in range(repetitions):
        path = here / f"mine{number}.py"
        path.write_text(_NEW_STRATEGY.format(n=number + 1))
        fresh, _ = run_command(str(path), "greedy", "--games", "1000")
        again, _ = run_command(str(path), "greedy", "--games", "1000")
        extra.append(fresh - again)
    return Line("a new strategy file, first use", f"{statistics.median(extra):.2f} s more", "<= 0.6 s more")


def _big_line(run_command: Callable[..., tuple[float, float]]) -> Line:
    seconds, _ = run_command("random", "greedy", "--games", "10000000", "--jobs", "2")
    return Line("10 million games random-greedy, --jobs 2, whole command", f"{seconds:.1f} s", "<= 25 s")


def help_line(repetitions: int) -> Line:
    """`basra-sim --help` against `import click`."""

    def seconds(words: list[str]) -> float:
        started = time.perf_counter()
        subprocess.run([sys.executable, *words], capture_output=True, check=True)
        return time.perf_counter() - started

    ratios = [
        seconds(["-m", "basra_sim", "--help"]) / seconds(["-c", "import click"]) for _ in range(max(5, repetitions))
    ]
    return Line("basra-sim --help / python -c 'import click'", f"{statistics.median(ratios):.1f} x", "<= 3 x")


def lines(*, repetitions: int = 5, full: bool = False, against: str | None = None) -> Iterator[Line]:
    """Every row, as it is measured."""
    yield from engine_lines(2 * repetitions, against)
    yield plain_line(repetitions)
    yield interpreted_line(repetitions)
    yield jobs_line(repetitions, 1_000_000)
    yield from command_lines(max(1, repetitions // 2), full)
    yield help_line(repetitions)
