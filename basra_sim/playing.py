"""A run while it is played: chunks in schedule order into counters, digest, records and the state on the disk.

Knows the form of the tournament and when to stop; prints nothing. Taken up again from a state, it ends as if never stopped.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np

from .analysis.sequential import Sprt, anytime_interval
from .digest import Chain, HashChain, as_bytes, digest_of_matches
from .errors import BadInput, BasraError
from .files import match_name
from .interrupts import held
from .records import FORFEITS, GAME_DTYPE, ROUND_DTYPE, MatchTotals, RunTotals
from .simulate import CHUNK_PAIRS, Chunk, Plan, Progress, fault_error, make_ready, match_totals, play, play_chunk
from .spool import Spool
from .tournament import Form, Stage

CHUNK_SECONDS = 0.25  # a chunk is at most about so long: what a kill loses, and how often the live line changes
FIRST_CHUNK = 256
LIVE_SECONDS = 0.25


class Watcher:
    """Stops a match when its test is decided or its interval is narrow enough, looking at fixed numbers of pairs.

    The looks depend on the number of pairs alone, so the answer is the same whatever order chunks finish in.
    """

    def __init__(self, sprt: Sprt | None, until: float | None) -> None:
        self.sprt, self.until = sprt, until

    def __bool__(self) -> bool:
        return self.sprt is not None or self.until is not None

    @staticmethod
    def next_look(pairs: int) -> int:
        """The number of pairs at which to look next: every 32, and later every 32nd part."""
        step = max(32, pairs // 1024 * 32)
        return (pairs // step + 1) * step

    def is_done(self, counts: Sequence[int]) -> bool:
        """Whether there is nothing more to play for."""
        if self.sprt is not None and self.sprt.verdict(counts) is not None:
            return True
        if self.until is not None:
            half = anytime_interval(counts).half
            return half is not None and half <= self.until
        return False

    def cut(self, before: np.ndarray, games: np.ndarray) -> int | None:
        """How many of these pairs (GAME_DTYPE (pairs, 2)) are still played, or None if the match goes on after them."""
        half_points = np.array([2, 0, 1])[games["winner"]].sum(axis=1)
        start = int(before.sum())
        look = self.next_look(start)
        while look <= start + len(games):
            counts = before + np.bincount(half_points[: look - start], minlength=5)
            if self.is_done([int(c) for c in counts]):
                return look - start
            look = self.next_look(look)
        return None


def read_sprt(text: str) -> Sprt:
    """ "elo0=0,elo1=5[,alpha=.05,beta=.05]"; BadInput says what is wrong with it."""
    form = "write --sprt elo0=0,elo1=5[,alpha=.05,beta=.05]"
    values: dict[str, float] = {}
    for part in text.split(","):
        name, equals, number = (word.strip() for word in part.partition("="))
        if not equals or name not in ("elo0", "elo1", "alpha", "beta") or name in values:
            raise BadInput(f"--sprt {text}: '{part}' is no part of it; {form}")
        try:
            values[name] = float(number)
        except ValueError:
            raise BadInput(f"--sprt {text}: '{number}' is no number; {form}") from None
    if not {"elo0", "elo1"} <= set(values):
        raise BadInput(f"--sprt {text}: elo0 and elo1 are needed; {form}")
    test = Sprt(**values)
    if not -1000 <= test.elo0 < test.elo1 <= 1000:
        raise BadInput(f"--sprt {text}: elo0 must be below elo1, both from -1000 to 1000; {form}")
    if not (0 < test.alpha < 0.5 and 0 < test.beta < 0.5):
        raise BadInput(f"--sprt {text}: alpha and beta must lie between 0 and 0.5; {form}")
    return test


def read_until(text: str) -> float:
    """ "±0.2%", "+-0.2%" or "0.2%": the half-width of the interval of the score; as a share. BadInput if it is none."""
    number = text.strip().removeprefix("±").removeprefix("+-").removeprefix("+/-").strip()
    try:
        value = float(number.removesuffix("%"))
    except ValueError:
        value = -1.0
    if number.endswith("%"):
        value /= 100
    if not 1e-5 <= value < 0.5:
        raise BadInput(f"--until {text}: give the half-width of the interval in percent of games, such as 0.2%")
    return value


class Playing:
    """Plays a plan in the form of a tournament. `totals` are those of all matches of the form, in its order."""

    def __init__(
        self,
        plan: Plan,
        form: Form,
        watcher: Watcher,
        *,
        jobs: int = 1,
        records: str = "none",
        folder: Path | None = None,
        chunk_pairs: int | None = None,
        progress: Progress | None = None,
        extra: bytes = b"",
        extended: bool = False,
        player: Callable[..., Chunk] | None = None,
        cluster: Callable[..., Iterator[Chunk]] | None = None,
    ) -> None:
        self.plan, self.form, self.watcher = plan, form, watcher
        self.jobs, self.records, self.folder, self.chunk_pairs = jobs, records, folder, chunk_pairs
        self.progress = progress or Progress()
        self.player, self.extended, self.cluster = player or play_chunk, extended, cluster
        self.matches: list[MatchTotals] = match_totals(plan)
        self.chains = [Chain() for _ in self.matches]
        self.digest = HashChain(plan.header() + extra)
        self.stopped: set[int] = set()  # matches that the watcher ended
        self.stage: Stage | None = None
        self.spool = Spool(folder) if folder is not None else None
        self.seconds = 0.0
        self._pace: dict[int, float] = {}  # seconds a pair
        self._open: int | None = None  # the match whose counters are in the state
        self._records_length = 0
        self._writer: Any = None
        self._live = 0.0

    # ------------------------------------------------------------------------------------------ going on
    def restore(self) -> bool:
        """Take up the state in the folder; False if nothing was saved yet."""
        loaded = self.spool.load() if self.spool else None
        if loaded is None:
            return False
        state, totals = loaded
        self.digest = HashChain.restore(state["digest"])
        for index, chain in state["chains"]:
            self.chains[index] = Chain.restore(chain)
        for index, m in totals.items():
            self.matches[index] = m
        self.form.history = [Stage.from_json(stage) for stage in state["history"]]
        self.stage = self.form.history[-1] if self.form.history else None
        self.stopped = set(state["stopped"])
        self._records_length = state["records"]
        self._open = state["match"]
        self.seconds = state["seconds"]
        self.progress.games = 2 * sum(int(m.pairs) for m in self.matches)
        return True

    def take_over(self, known: dict[str, tuple[MatchTotals, dict[str, Any]]]) -> None:
        """Begin with what another run has counted of matches on the same packs: by name, counters and chain."""
        for index, match in enumerate(self.matches):
            found = known.get(match_name(match.a, match.b))
            if found is not None:
                self.matches[index], self.chains[index] = found[0], Chain.restore(found[1])
                if self.spool is not None:
                    self.spool.put_away(index, self.matches[index])
        self.progress.games = 2 * sum(int(m.pairs) for m in self.matches)
        self._save()

    def _save(self) -> None:
        if self.spool is None:
            return
        state = {
            "digest": self.digest.save(),
            "chains": [[i, chain.save()] for i, chain in enumerate(self.chains) if chain.pairs],
            "history": [stage.to_json() for stage in self.form.history],
            "stopped": sorted(self.stopped),
            "records": self._records_length,
            "match": self._open,
            "seconds": self.seconds,
        }
        self.spool.save(state, {} if self._open is None else {self._open: self.matches[self._open]})

    # ------------------------------------------------------------------------------------------ playing
    def go(self) -> BaseException | None:
        """Play to the end; what stopped it before that, if anything did. The records are then complete or absent."""
        make_ready(self.plan)  # compiling and building tables is not playing
        started, before = time.perf_counter(), self.seconds
        error: BaseException | None = None
        with ExitStack() as stack:
            try:
                self._open_records(stack)
                while error is None and self._next_stage():
                    error = self._play_stage(started, before)
            except (KeyboardInterrupt, BasraError) as stop:
                error = stop
                self.progress.stop = True
            if self._writer is not None:
                self._writer.close()
        self.seconds = before + time.perf_counter() - started
        return error

    def _next_stage(self) -> bool:
        if self.stage is not None and any(True for _ in self._left(self.stage)):
            return True
        self.stage = self.form.next_stage(self.matches)
        if self.stage is not None and self.form.name not in ("round-robin", "gauntlet"):
            self.digest.update(json.dumps(self.stage.to_json(), sort_keys=True).encode())
        return self.stage is not None

    def _left(self, stage: Stage) -> Iterator[tuple[int, int, int]]:
        """(match, first pair, stop) of what is not yet played of a stage."""
        for match, first, stop in stage.tasks:
            at = max(first, int(self.matches[match].pairs))
            if at < stop and match not in self.stopped:
                yield match, at, stop

    def _tasks(self, stage: Stage) -> Iterator[tuple[int, int, int]]:
        """Chunks of a stage, as long as CHUNK_SECONDS once it is known how fast the match goes."""
        for match, at, stop in list(self._left(stage)):
            while at < stop and match not in self.stopped:
                size = min(self._size(match), stop - at)
                yield match, at, size
                at += size

    def _size(self, match: int) -> int:
        if self.chunk_pairs is not None:
            return self.chunk_pairs
        pace = self._pace.get(match)
        if pace is None:
            return FIRST_CHUNK if all(self.plan.players[i].entry is not None for i in self.plan.matches[match]) else 16
        size = int(min(CHUNK_PAIRS, max(1, CHUNK_SECONDS / max(pace, 1e-9))))
        return size // 64 * 64 if size >= 64 else size

    def _play_stage(self, started: float, before: float) -> BaseException | None:
        assert self.stage is not None
        self.progress.stop = False  # the last stage's generator has set it
        tasks, want_rounds = self._tasks(self.stage), self.records == "rounds"
        if self.cluster is not None:
            chunks = self.cluster(tasks, want_rounds, self.progress)
        else:
            chunks = play(
                self.plan, jobs=self.jobs, want_rounds=want_rounds, progress=self.progress, tasks=tasks, player=self.player
            )
        for chunk in chunks:
            if chunk.match in self.stopped:
                continue  # it was under way when the match was decided
            with held():  # half a chunk in the counters, the digest or the records would be wrong for good
                self._absorb(chunk)
                self.seconds = before + time.perf_counter() - started
                self._save()
            if chunk.fault is not None:
                return fault_error(self.plan, chunk.match, chunk.fault)
        return None

    def _absorb(self, chunk: Chunk) -> None:
        match = self.matches[chunk.match]
        if len(chunk.games):
            self._pace[chunk.match] = chunk.seconds / len(chunk.games)
        if self.watcher:
            cut = self.watcher.cut(match.pair_scores, chunk.games)
            if cut is not None:
                self.stopped.add(chunk.match)
                if cut < len(chunk.games):
                    want_rounds = self.records == "rounds"
                    chunk = self.player(self.plan, chunk.match, chunk.first_pair, cut, want_rounds=want_rounds)
        if self.spool is not None and self._open is not None and self._open != chunk.match:
            self.spool.put_away(self._open, self.matches[self._open])
        self._open = chunk.match
        match.add(chunk.totals)
        if len(chunk.games):
            self.digest.update(as_bytes(chunk.games))
            self.chains[chunk.match].add(chunk.games, chunk.blocks)
        self._record(chunk)
        self._tell(match)

    def _tell(self, match: MatchTotals) -> None:
        """The live line of the progress bar: an interval that may be watched."""
        now = time.monotonic()
        if now - self._live < LIVE_SECONDS or not match.pairs:
            return
        self._live = now
        e = anytime_interval([int(c) for c in match.pair_scores])
        if e.value is not None and e.low is not None and e.high is not None:
            self.progress.live = f"{match_name(match.a, match.b)}: {e.value:.1%} ({e.low:.1%} to {e.high:.1%})"

    # ------------------------------------------------------------------------------------------ the end
    def fill(self, totals: RunTotals, error: BaseException | None) -> None:
        """Put what was played into the totals of the run."""
        all_met = self.form.name in ("round-robin", "gauntlet")
        shown = [i for i, match in enumerate(self.matches) if match.pairs or all_met]
        totals.matches = [self.matches[i] for i in shown]
        totals.chains = [self.chains[i].save() for i in shown]
        totals.match_digests = [self.chains[i].hexdigest() for i in shown]
        totals.matches_digest = digest_of_matches(self.plan.header(), totals.match_digests)
        totals.digest = totals.matches_digest if self.extended else self.digest.hexdigest()
        totals.seconds = self.seconds
        totals.complete = error is None
        totals.notes = totals.notes + self._fault_notes()
        totals.design = self._design([str(entry["name"]) for entry in totals.strategies])

    def _fault_notes(self) -> list[str]:
        forfeits = sum((m.forfeits for m in self.matches), np.zeros((2, len(FORFEITS)), np.int64))
        notes = []
        if forfeits.sum():
            notes.append(f"{int(forfeits.sum()):,} games were forfeited by faults of strategies")
        if forfeits[:, FORFEITS.index("timeout")].sum():
            notes.append("--play-timeout is measured in CPU time and struck: the digest of this run depends on the machine")
        return notes

    def _design(self, names: Sequence[str]) -> dict[str, Any]:
        """The form, the stopping rule and what it found; empty for a plain round robin."""
        design = self.form.describe(self.matches, names) or {}
        sprt, until = self.watcher.sprt, self.watcher.until
        if until is not None:
            design["until"] = until
        if sprt is not None:
            design["sprt"] = {"elo0": sprt.elo0, "elo1": sprt.elo1, "alpha": sprt.alpha, "beta": sprt.beta,
                              "lower": sprt.lower, "upper": sprt.upper}  # fmt: skip
            design["tests"] = [self._test(sprt, match) for match in self.matches if match.pairs]
        if self.watcher or self.form.name == "adaptive":
            design["anytime"] = True  # the length of the run depended on its results
        return design

    def _test(self, sprt: Sprt, match: MatchTotals) -> dict[str, Any]:
        counts = [int(c) for c in match.pair_scores]
        return {"match": match_name(match.a, match.b), "pairs": int(match.pairs), "ratio": sprt.ratio(counts),
                "verdict": sprt.verdict(counts)}  # fmt: skip

    # ------------------------------------------------------------------------------------------ records
    def _open_records(self, stack: ExitStack) -> None:
        """Open the Parquet file of the records, and fill it with what was played before."""
        if self.records == "none" or self.folder is None:
            return
        from .parquet import GamesWriter, RoundsWriter

        names = [match_name(match.a, match.b) for match in self.matches]
        if self.records == "games":
            self._writer = stack.enter_context(GamesWriter(self.folder / "games.parquet", names))
        else:
            strategies = [player.strategy.name for player in self.plan.players]
            self._writer = stack.enter_context(RoundsWriter(self.folder / "rounds.parquet", names, strategies))
        if self.spool is not None:
            dtype = GAME_DTYPE if self.records == "games" else ROUND_DTYPE
            read = 0
            for match, first, rows in self.spool.records(self._records_length, dtype):
                self._write(match, first, rows)
                read += len(rows)
                self.progress.live = f"{read:,} records read back"

    def _write(self, match: int, first_pair: int, rows: np.ndarray) -> None:
        m = self.matches[match]
        if self.records == "games":
            self._writer.append(match_name(m.a, m.b), first_pair, rows)
        else:
            self._writer.append(match_name(m.a, m.b), m.a, m.b, rows)

    def _record(self, chunk: Chunk) -> None:
        if self._writer is None:
            return
        rows = chunk.games.reshape(-1) if self.records == "games" else chunk.rounds
        self._write(chunk.match, chunk.first_pair, rows)
        if self.spool is not None:
            self._records_length = self.spool.append_records(chunk.match, chunk.first_pair, rows)
