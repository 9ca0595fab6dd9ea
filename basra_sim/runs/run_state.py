"""How far a run has come: counters, digests and records, the stage of its tournament; and all that on the disk, to go on from.

Taken up again from there, a run ends as if it had never been stopped. Knows forms and when to stop, plays nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from basra_sim.records.counters import MatchTotals
from basra_sim.records.digest import Chain
from basra_sim.records.spool import Spool
from basra_sim.workers.chunks import Chunk, Progress
from basra_sim.workers.plan import Plan

from .row_recording import EVERY, Recorder
from .stopping import Watcher
from .tournament import Form, Stage

Known = tuple[MatchTotals, dict[str, Any]]  # the counters of a match and the state of its digest


class RunState:
    """`matches` are the counters of all matches of the form, in its order; with a `folder` the state lies there too."""

    def __init__(
        self, plan: Plan, form: Form, watcher: Watcher, progress: Progress, records: str = "none", folder: Path | None = None
    ) -> None:
        self.plan, self.form, self.watcher, self.progress = plan, form, watcher, progress
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
        self._open: int | None = None  # the match whose counters are in the state

    def add(self, chunk: Chunk) -> None:
        """Count the next chunk of a match, in the counters, the digest and the records."""
        match = self.matches[chunk.match]
        if self.spool is not None and self._open is not None and self._open != chunk.match:
            self.spool.put_away(self._open, self.matches[self._open])
        self._open = chunk.match
        match.add(chunk.totals)
        if len(chunk.games):
            self.chains[chunk.match].add(chunk.games, chunk.blocks)
        if self.recorder is not None:
            self.recorder.add(chunk)

    # ------------------------------------------------------------------------------------------ stages
    def next_stage(self) -> bool:
        """Whether anything is left to be played, in this stage or in the one that the form sets next."""
        if self.stage is not None and any(True for _ in self.left(self.stage)):
            return True
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

    def left(self, stage: Stage) -> Iterator[tuple[int, int, int]]:
        """(match, first pair, stop) of what is not yet played of a stage."""
        for match, first, stop in stage.tasks:
            at = max(first, int(self.matches[match].pairs))
            if at < stop and match not in self.stopped:
                yield match, at, stop

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
        self.save()

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
        """The counters and the digest that a match had before."""
        self.matches[index], chain = self.waiting.pop(index)
        self.chains[index] = Chain.restore(chain)
        if self.watcher.has_ended([int(c) for c in self.matches[index].pair_scores]):
            self.stopped.add(index)

    def _count_games(self) -> None:
        self.progress.games = self.progress.before = 2 * sum(int(m.pairs) for m in self.matches)

    def save(self) -> None:
        """Write the state down, after every chunk."""
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
