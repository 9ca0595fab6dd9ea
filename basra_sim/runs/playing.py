"""A run while it is played: chunks in schedule order into counters, digests, records and the state on the disk.

Knows the form of the tournament and when to stop; prints nothing. Taken up again from a state, it ends as if never stopped.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np

from basra_sim.analysis.statistics.sequential import Sprt, anytime_interval
from basra_sim.errors import BasraError
from basra_sim.records.counters import FORFEITS, MatchTotals, RunTotals
from basra_sim.records.digest import Chain, digest_of_matches
from basra_sim.records.spool import Spool
from basra_sim.workers.chunks import Chunk, Progress, play_chunk
from basra_sim.workers.fault_words import fault_error
from basra_sim.workers.plan import Plan
from basra_sim.workers.threads import CHUNK_PAIRS, make_ready, play

from .interrupts import held
from .row_recording import EVERY, Recorder
from .stopping import Watcher
from .tournament import Form, Stage

CHUNK_SECONDS = 0.25  # a chunk is at most about so long: what a kill loses, and how often the live line changes
FIRST_CHUNK = 256
LIVE_SECONDS = 0.25

Known = tuple[MatchTotals, dict[str, Any]]  # the counters of a match and the state of its digest


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
        player: Callable[..., Chunk] | None = None,
        cluster: Callable[..., Iterator[Chunk]] | None = None,
    ) -> None:
        self.plan, self.form, self.watcher = plan, form, watcher
        self.jobs, self.records, self.chunk_pairs, self.extra = jobs, records, chunk_pairs, extra
        self.progress = progress or Progress()
        self.player, self.cluster = player or play_chunk, cluster
        self.matches = [plan.empty_totals(match) for match in range(len(plan.matches))]
        self.chains = [Chain() for _ in self.matches]
        self.waiting: dict[int, Known] = {}  # what a run that is extended has of matches that did not come up yet
        self.stopped: set[int] = set()  # matches that the watcher ended
        self.stage: Stage | None = None
        self.spool = Spool(folder) if folder is not None else None
        self.recorder: Recorder | None = None
        if records != "none" and folder is not None and self.spool is not None:
            names = [player.strategy.name for player in plan.players]
            self.recorder = Recorder(records, folder, self.spool, self.matches, names)
        self.seconds = 0.0
        self._pace: dict[int, float] = {}  # seconds a pair
        self._open: int | None = None  # the match whose counters are in the state
        self._live = 0.0

    # ------------------------------------------------------------------------------------------ going on
    def restore(self) -> bool:
        """Take up the state in the folder; False if nothing was saved yet."""
        loaded = self.spool.load() if self.spool else None
        if loaded is None:
            return False
        state, totals = loaded
        for index, chain in state["chains"]:
            self.chains[index] = Chain.restore(chain)
        for index, chain in state.get("waiting", []):
            self.waiting[index] = totals.pop(index), chain
        for index, m in totals.items():
            self.matches[index] = m
        self.form.history = [Stage.from_json(stage) for stage in state["history"]]
        self.stage = self.form.history[-1] if self.form.history else None
        self.stopped = set(state["stopped"])
        if self.recorder is not None:
            self.recorder.length, self.recorder.extends = state["records"], state.get("extends", False)
            self.recorder.due = [(match, earlier) for match, earlier in state.get("due", [])]
        self._open = state["match"]
        self.seconds = state["seconds"]
        self._count_games()
        return True

    def take_over(self, known: Mapping[str, Known], last: Stage | None) -> None:
        """Begin with what a shorter run, or a smaller field, has of matches on the same packs: by name, counters and chain.

        Each is taken when its turn comes, if the form lets it; `last` is the stage in which an adaptive tournament ended,
        which goes on from there.
        """
        for index, match in enumerate(self.matches):
            found = known.get(match.name)
            if found is not None:
                self.waiting[index] = found
                if self.spool is not None:
                    self.spool.put_away(index, found[0])
        if self.recorder is not None:
            self.recorder.extends = True
        if last is not None:
            for index in list(self.waiting):
                self._take(index)
            self.form.go_on(last, self.matches)
            self.stage = last = self.form.history[-1]
            if self.recorder is not None:
                self.recorder.schedule(EVERY, True)
                for task in last.tasks:
                    self.recorder.schedule(task[0], False)
        self._count_games()
        self._save()

    def put_back(self) -> bool:
        """Undo the extension of a run: its folder becomes what it was. False if this was none."""
        if self.spool is None or not self.spool.keeps_earlier():
            return False
        if self.recorder is not None:
            self.recorder.put_back()
        self.spool.put_back()
        self.spool.remove()
        return True

    def _take(self, index: int) -> None:
        self.matches[index], chain = self.waiting.pop(index)
        self.chains[index] = Chain.restore(chain)
        if self.watcher.has_ended([int(c) for c in self.matches[index].pair_scores]):
            self.stopped.add(index)

    def _count_games(self) -> None:
        self.progress.games = self.progress.before = 2 * sum(int(m.pairs) for m in self.matches)

    def _save(self) -> None:
        if self.spool is None:
            return
        recorder = self.recorder
        state = {
            "chains": [[i, chain.save()] for i, chain in enumerate(self.chains) if chain.pairs],
            "waiting": [[i, chain] for i, (_, chain) in sorted(self.waiting.items())],
            "history": [stage.to_json() for stage in self.form.history],
            "stopped": sorted(self.stopped),
            "records": recorder.length if recorder else 0,
            "due": recorder.due if recorder else [],
            "extends": bool(recorder and recorder.extends),
            "match": self._open,
            "seconds": self.seconds,
        }
        self.spool.save(state, {} if self._open is None else {self._open: self.matches[self._open]})

    # ------------------------------------------------------------------------------------------ playing
    def go(self) -> BaseException | None:
        """Play to the end; what stopped it before that, if anything did. The records hold all that was played, or are absent."""
        make_ready(self.plan)  # compiling and building tables is not playing
        started, before = time.perf_counter(), self.seconds
        error: BaseException | None = None
        with ExitStack() as stack:
            try:
                if self.recorder is not None:
                    self.recorder.open(stack, self.progress)
                while error is None and self._next_stage():
                    error = self._play_stage(started, before)
            except (KeyboardInterrupt, BasraError) as stop:
                error = stop
                self.progress.stop = True
            try:
                if self.recorder is not None:
                    self.recorder.finish()
            except BasraError as full:
                error = error or full
        self.seconds = before + time.perf_counter() - started
        return error

    def _next_stage(self) -> bool:
        if self.stage is not None and any(True for _ in self._left(self.stage)):
            return True
        with held():
            self.stage = self.form.next_stage(self.matches)
            for match, first, stop in self.stage.tasks if self.stage is not None else ():
                self._schedule(match, first, stop)
        return self.stage is not None

    def _schedule(self, match: int, first: int, stop: int) -> None:
        """The turn of a match has come: what is known of it is taken, unless that is more than is played here."""
        known = self.waiting.get(match)
        taken = known is not None and first == 0 and int(known[0].pairs) <= stop
        if taken:
            self._take(match)
            self.progress.add(2 * int(self.matches[match].pairs))
            self.progress.before += 2 * int(self.matches[match].pairs)
        elif known is not None and first == 0:
            del self.waiting[match]
            if self.spool is not None:
                self.spool.forget(match)
        if self.recorder is not None:
            self.recorder.schedule(match, taken)

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
            return FIRST_CHUNK if self.plan.is_compiled(match) else 16
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
            self.chains[chunk.match].add(chunk.games, chunk.blocks)
        if self.recorder is not None:
            self.recorder.add(chunk)
        self._tell(match)

    def _tell(self, match: MatchTotals) -> None:
        """The live line of the progress bar: an interval that may be watched."""
        now = time.monotonic()
        if now - self._live < LIVE_SECONDS or not match.pairs:
            return
        self._live = now
        e = anytime_interval([int(c) for c in match.pair_scores])
        if e.value is not None and e.low is not None and e.high is not None:
            self.progress.live = f"{match.name}: {e.value:.1%} ({e.low:.1%} to {e.high:.1%})"

    # ------------------------------------------------------------------------------------------ the end
    def fill(self, totals: RunTotals, error: BaseException | None) -> None:
        """Put what was played into the totals of the run."""
        all_met = self.form.name in ("round-robin", "gauntlet")
        shown = [i for i, match in enumerate(self.matches) if match.pairs or all_met]
        totals.matches = [self.matches[i] for i in shown]
        totals.chains = [self.chains[i].save() for i in shown]
        totals.match_digests = [self.chains[i].hexdigest() for i in shown]
        totals.digest = digest_of_matches(self.plan.header() + self.extra, totals.match_digests)
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
        if self.form.name == "adaptive" and self.form.history:  # from where one with more games goes on
            design["last"] = [[self.name_of(m), first, stop] for m, first, stop in self.form.history[-1].tasks]
        if self.watcher or self.form.name == "adaptive":
            design["anytime"] = True  # the length of the run depended on its results
        return design

    def name_of(self, index: int) -> str:
        """The name of a match."""
        return self.matches[index].name

    def _test(self, sprt: Sprt, match: MatchTotals) -> dict[str, Any]:
        counts = [int(c) for c in match.pair_scores]
        return {"match": match.name, "pairs": int(match.pairs), "ratio": sprt.ratio(counts),
                "verdict": sprt.verdict(counts)}  # fmt: skip
