"""What whole runs cost on this machine: taking one up again, its records, its memory, and the order of a field.

Rows for `basra-sim bench`, in the way of bench.py: ratios are measured in turn, figures are medians.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from basra_sim.runs.playing import Playing
from basra_sim.runs.preparing import plan_run
from basra_sim.runs.run_settings import Settings
from basra_sim.runs.tournament import FIRST_LOOK, Adaptive, Form, Results, Stage

from .bench import Line, command

SLACK = 8192  # games that are left to play when a run is killed for the sake of resuming it
POLL_SECONDS = 0.01


def _plural(games: int) -> str:
    return f"{games // 1_000_000} million games" if games % 1_000_000 == 0 else f"{games:,} games"


# ------------------------------------------------------------------------------------------------ resuming
_KILLED = """import os, signal, sys
from pathlib import Path
from basra_sim.runs.running import run
from basra_sim.workers.chunks import Progress

class Killed(Progress):
    def add(self, games):
        super().add(games)
        if self.games >= int(sys.argv[2]):
            os.kill(os.getpid(), signal.SIGKILL)

run(["random", "greedy"], games=int(sys.argv[1]), seed=1, records=sys.argv[3], folder=Path(sys.argv[4]), progress=Killed())
"""


def resume(games: int, records: str, folder: Path) -> tuple[float, float]:
    """Seconds until a run that was killed SLACK games before its end plays on, and until it is whole, by the clock.

    Both from the start of `basra-sim resume`: the interpreter, the compiled code and the records so far included.
    """
    folder.mkdir()
    words = [str(games), str(games - SLACK), records, str(folder)]
    killed = subprocess.run([sys.executable, "-c", _KILLED, *words], capture_output=True)
    if killed.returncode != -9:
        raise RuntimeError(f"the run to be killed ended with {killed.returncode}: {killed.stderr.decode()[-300:]}")
    state = folder / "unfinished" / "state.bin"
    saved = state.stat().st_mtime_ns
    started = time.perf_counter()
    program = [sys.executable, "-m", "basra_sim", "resume", str(folder), "--jobs", "1", "--quiet"]
    with subprocess.Popen(program, stdout=subprocess.DEVNULL) as child:
        while child.poll() is None and state.exists() and state.stat().st_mtime_ns == saved:
            time.sleep(POLL_SECONDS / 10)
        playing = time.perf_counter() - started
    if child.returncode != 0:
        raise RuntimeError(f"basra-sim resume failed with exit code {child.returncode}")
    return playing, time.perf_counter() - started


def resume_lines(repetitions: int, games: int) -> Iterator[Line]:
    """A large run taken up again, and in turn one of a hundredth of the games, which costs what a start costs."""
    for records in ("none", "games", "rounds"):
        large, small = [], []
        for _ in range(repetitions):
            with tempfile.TemporaryDirectory() as folder:
                large.append(resume(games, records, Path(folder) / "large"))
                small.append(resume(games // 100, records, Path(folder) / "small"))
        playing, whole = (statistics.median(seconds) for seconds in zip(*large, strict=True))
        start = statistics.median(seconds for seconds, _ in small)
        what = f"resume a run of {_plural(games)} near its end, --records {records}"
        yield Line(what, f"plays on after {playing:.2f} s, whole after {whole:.2f} s ({games // 100:,} games: {start:.2f} s)")


# ------------------------------------------------------------------------------------------------ records
def record_lines(repetitions: int, games: int = 400_000) -> Iterator[Line]:
    """What records cost in time, of the whole command and of the playing alone, and on the disk."""
    kinds = ("none", "games", "rounds")
    whole: dict[str, list[float]] = {kind: [] for kind in kinds}
    playing: dict[str, list[float]] = {kind: [] for kind in kinds}
    size: dict[str, float] = {}
    for _ in range(repetitions):
        with tempfile.TemporaryDirectory() as folder:
            for kind in kinds:
                out = Path(folder) / kind
                words = ["run", "random", "greedy", "--games", str(games), "--seed", "1", "--jobs", "1", "--quiet"]
                whole[kind].append(command([*words, "--records", kind, "--out", str(out)])[0])
                playing[kind].append(json.loads((out / "timing.json").read_text())["seconds"])
                if kind != "none":
                    size[kind] = (out / f"{kind}.parquet").stat().st_size / games
    for kind, goal in (("games", "<= 1.10 x"), ("rounds", "")):
        text = ", ".join(
            f"{statistics.median(a / b for a, b in zip(seconds[kind], seconds['none'], strict=True)):.2f} x {what}"
            for seconds, what in ((whole, "whole command"), (playing, "playing"))
        )
        yield Line(f"--records {kind} against none, {_plural(games)}", text, goal)
    yield Line("games.parquet", f"{size['games']:.2f} bytes a game", "<= 6 bytes")
    yield Line("rounds.parquet", f"{size['rounds']:.2f} bytes a game")


# ------------------------------------------------------------------------------------------------ memory
def _status(pid: int) -> tuple[int, float]:
    """(parent, peak memory in MB) of a process; (0, 0) if it is gone."""
    try:
        lines = dict(line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines() if ":" in line)
        return int(lines["PPid"]), int(lines["VmHWM"].split()[0]) / 1024
    except (OSError, KeyError, ValueError):
        return 0, 0.0


def peaks(arguments: list[str]) -> tuple[float, float]:
    """Peak memory in MB of `basra-sim ...` itself and of the largest of its worker processes (0: it had none). Linux alone.

    The system's own account, read while they live: what it says of a process that has ended counts its parent's memory too.
    """
    own = workers = 0.0
    program = [sys.executable, "-m", "basra_sim", *arguments]
    with subprocess.Popen(program, stdout=subprocess.DEVNULL) as child:
        while child.poll() is None:
            own = max(own, _status(child.pid)[1])
            for entry in Path("/proc").iterdir():
                if entry.name.isdigit():
                    parent, memory = _status(int(entry.name))
                    workers = max(workers, memory if parent == child.pid else 0.0)
            time.sleep(POLL_SECONDS)
    if child.returncode != 0:
        raise RuntimeError(f"basra-sim {' '.join(arguments)} failed with exit code {child.returncode}")
    return own, workers


def memory_of_run(games: int, records: str, cells: bool = False, jobs: int = 2) -> tuple[float, float]:
    """`peaks` of a run of real games; with `cells`, of one whose strategies play in processes of their own."""
    with tempfile.TemporaryDirectory() as folder:
        mine = Path(folder) / "mine.py"
        mine.write_text("from basra_sim.view import lowest\n\n\ndef choose(view):\n    return lowest(view.hand)\n")
        field = [str(mine), "greedy", "--on-fault", "forfeit"] if cells else ["random", "greedy"]
        words = ["run", *field, "--games", str(games), "--seed", "1", "--records", records, "--jobs", str(jobs), "--quiet"]
        return peaks([*words, "--out", str(Path(folder) / "run")])


def memory_lines(games: int) -> Iterator[Line]:
    """Memory is flat: so many games take no more than a tenth of them."""
    if not Path("/proc/self/status").exists():
        return
    for records in ("none", "games", "rounds"):
        (small, _), (large, _) = (memory_of_run(some, records) for some in (games // 10, games))
        text = f"{small:.0f} and {large:.0f} MB, {large / small:.2f} x"
        what = f"peak memory, {games // 10:,} and {games:,} games, --records {records}"
        yield Line(what, text, "<= 250 MB, <= 1.10 x" if records == "none" else "<= 1.10 x")
    few, many = games // 100, games // 10
    (small, worker), (large, larger) = (memory_of_run(some, "none", cells=True) for some in (few, many))
    text = f"{small:.0f} and {large:.0f} MB, {large / small:.2f} x; "
    text += f"a worker {worker:.0f} and {larger:.0f} MB, {larger / worker:.2f} x"
    yield Line(f"the same where strategies play in processes of their own, {few:,} and {many:,} games", text, "<= 1.10 x")


# ------------------------------------------------------------------------------------------------ the order of a field
# a field whose order is known: all play greedy's card, but so many times in a hundred one at random
_SLIPPING = """from basra_sim.view import lowest, nth_card, outcome, popcount, random_below

PARAMETERS = {"slips": (0, 0, 100, "plays in a hundred that are at random")}
STOCHASTIC = True


def choose(view):
    if random_below(view.rng, 100) < view.parameters.slips:
        return nth_card(view.hand, random_below(view.rng, popcount(view.hand)))
    best, best_worth = -1, -1
    rest = view.hand
    while rest != 0:
        card = lowest(rest)
        rest &= rest - 1
        what = outcome(view, card)
        worth = what.points * 64 + what.taken
        if worth > best_worth:
            best, best_worth = card, worth
    return best
"""
SLIPS = range(0, 40, 5)
MOST_GAMES = 2_000_000  # a match, should an order never be decided


class Even(Adaptive):
    """A round robin in the same steps as an adaptive tournament, until by the same rule every order is decided."""

    def _next(self, results: Sequence[Results]) -> Stage | None:
        played = int(results[0].pair_scores.sum())
        if (self.history and all(self.is_decided(result) for result in results)) or played >= self.pairs:
            return None
        more = FIRST_LOOK if not self.history else max(FIRST_LOOK, played // 4 // 64 * 64)
        return Stage([(match, played, played + more) for match in range(len(self.matches))])


def games_to_order(folder: Path, seed: int, even: bool) -> tuple[int, int]:
    """(games, orders that are wrong) when all 28 orders of a field of eight are decided, together with 95 %.

    Decided as in `Adaptive`: a p-value, valid however often it is looked at, of at most 0.05 / 28.
    """
    path = folder / "slipping.py"
    path.write_text(_SLIPPING)
    prepared = plan_run(
        [f"{path}:slips={slips}" for slips in SLIPS], Settings(games=MOST_GAMES, seed=seed, tournament="adaptive")
    )
    form: Form = Even("round-robin", len(SLIPS), MOST_GAMES // 2) if even else prepared.form
    playing = Playing(prepared.plan, form, prepared.watcher)
    error = playing.go()
    if error is not None:
        raise error
    wrong = sum(form.leader(playing.state.matches, one, other) != one for one, other in form.matches)
    return sum(int(match.games) for match in playing.state.matches), wrong


def order_line(seeds: int) -> Line:
    """Games that an adaptive tournament and a round robin need to order a field of eight at equal certainty."""
    with tempfile.TemporaryDirectory() as folder:
        found = [[games_to_order(Path(folder), seed, even) for even in (True, False)] for seed in range(1, seeds + 1)]
    even, adaptive = ([row[k][0] for row in found] for k in (0, 1))
    ratio = statistics.median(one / other for one, other in zip(even, adaptive, strict=True))
    wrong = sum(games[1] for row in found for games in row)
    return Line(
        f"games to order a field of eight at 95 %, round robin and adaptive, {seeds} seeds",
        f"{statistics.median(even):,.0f} and {statistics.median(adaptive):,.0f}: {ratio:.2f} x; wrong orders: {wrong}",
    )


def lines(*, repetitions: int = 2, full: bool = False) -> Iterator[Line]:
    """Every row, as it is measured; `full` takes ten times the games."""
    games = 10_000_000 if full else 1_000_000
    yield from record_lines(repetitions)
    yield from resume_lines(1 if full else repetitions, games)
    yield from memory_lines(games)
    yield order_line(2 * repetitions + 1)
