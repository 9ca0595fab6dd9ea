"""Checks of a strategy: legal, repeatable, blind to hidden cards, the same compiled and interpreted, how fast.

Every check is a function of a `Subject` that returns findings; `check` runs them all. Nothing is printed here.
"""

from __future__ import annotations

import hashlib
import os
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from basra_sim.engine.floor_table.kept_tables import load_table
from basra_sim.errors import one_line
from basra_sim.game.rules import PRESETS, RuleSet
from basra_sim.players.loading import load
from basra_sim.players.player import Player, prepare
from basra_sim.players.source_text import foreign_imports, random_uses
from basra_sim.players.strategy import Strategy
from basra_sim.players.strategy_files import split_spec
from basra_sim.workers.fault_words import fault_error
from basra_sim.workers.plan import Plan
from basra_sim.workers.threads import play
from basra_sim.workers.worker import Worker

from .hidden_cards import hidden_cards
from .play_time import time_a_play

OK, FAULT, NOTE = "ok", "fault", "note"
OPPONENTS = ("random", "greedy")
MOST_ROUNDS_KEPT = 400  # of a pair, for comparing plays


@dataclass
class Finding:
    """What one check found: `verdict` is "ok", "fault" or "note"."""

    check: str
    verdict: str
    text: str


@dataclass
class Subject:
    """What is checked, and how much of it."""

    strategy: Strategy
    player: Player
    games: int  # per preset and opponent
    seed: int
    seconds: float  # at most so long per check, then it says how far it came
    opponents: list[Player] = field(default_factory=list)
    another_process: bool = True

    def deadline(self) -> float:
        """When the check that starts now should stop."""
        return time.perf_counter() + self.seconds

    def pairs(self, most: int) -> int:
        """Game pairs for a check that needs no more than `most`."""
        return max(1, min(most, self.games // 2))


@dataclass
class Report:
    """All findings on a strategy."""

    strategy: Strategy
    mode: str
    reason: str
    findings: list[Finding]

    @property
    def at_fault(self) -> bool:
        """Whether any check found the strategy at fault."""
        return any(finding.verdict == FAULT for finding in self.findings)

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {
            **self.strategy.describe(),
            "mode": self.mode,
            "reason": self.reason,
            "at_fault": self.at_fault,
            "findings": [vars(finding) for finding in self.findings],
        }


def check(strategy: Strategy, *, games: int = 100, seed: int = 1, seconds: float = 20.0, another_process: bool = True) -> Report:
    """Play a strategy in every way that may show a fault. `games` per preset and opponent; `seconds` bounds each check.

    `another_process` starts a second Python, which takes a few seconds, to see whether it plays the same there.
    A strategy that plays no legal card is not examined further, and one whose games cannot be repeated not compared.
    """
    player = prepare(strategy)
    subject = Subject(strategy, player, games, seed, seconds, [prepare(load(name)) for name in OPPONENTS], another_process)
    findings = [_mode(subject)]
    kept_state = random.getstate(), np.random.get_state()
    checks = _CHECKS
    if strategy.by_the_clock:
        text = f"it thinks by the clock ({strategy.card.timed} is set), so that no play need come again; not checked"
        findings.append(Finding("repeatable", NOTE, text))
        checks = tuple(one for one in _CHECKS if one not in _COMPARING)
    for one in checks:
        try:
            findings += one(subject)
        except _PlayFault as fault:
            findings.append(Finding("legal", FAULT, str(fault)))
        if findings and findings[-1].verdict == FAULT and findings[-1].check in ("legal", "repeatable"):
            break
    findings += _sources(subject, kept_state)
    return Report(strategy, player.mode, player.reason, findings)


# ------------------------------------------------------------------------------------------------ playing
class _PlayFault(Exception):
    """The strategy stopped a game of a check."""


def pair_record(worker: Worker, pair: int) -> bytes:
    """Everything that happened in a game pair, as bytes: both games' records and each card played."""
    history = worker.memory.keep_history(MOST_ROUNDS_KEPT)
    _, fault = worker.play(pair, 1)
    if fault is not None:
        raise _PlayFault(str(fault_error(worker.plan, worker.match, fault)))
    return worker.memory.games[:1].tobytes() + history.tobytes()


def _worker(rules: RuleSet, seed: int, player: Player, opponent: Player, packs: np.ndarray | None = None) -> Worker:
    unit = "game" if packs is None else "packs"
    plan = Plan(rules, seed, unit, 2, [player, opponent], [(0, 1)], packs)
    return Worker(plan, 0, load_table(rules), 1, False)


def _records(worker: Worker, pairs: Sequence[int], deadline: float) -> Iterator[tuple[int, bytes]]:
    for number, pair in enumerate(pairs):
        if number and time.perf_counter() > deadline:
            return
        yield pair, pair_record(worker, pair)


# ------------------------------------------------------------------------------------------------ the checks
def _mode(subject: Subject) -> Finding:
    if subject.player.mode == "compiled":
        return Finding("mode", OK, "plays compiled")
    return Finding("mode", NOTE, f"plays interpreted: {subject.player.reason}")


def _legal(subject: Subject) -> list[Finding]:
    """Whole games under every preset, against both opponents: each card must be one of the hand."""
    deadline, games, asked, rounds = subject.deadline(), 0, 0, 0
    for rules in PRESETS.values():
        for opponent in subject.opponents:
            pairs = subject.pairs(1 << 40)
            asked += 2 * pairs
            plan = Plan(rules, subject.seed, "game", 2 * pairs, [subject.player, opponent], [(0, 1)])
            for chunk in play(plan, chunk_pairs=256 if subject.player.mode == "compiled" else 1):
                games += chunk.totals.games
                rounds += chunk.totals.rounds
                if chunk.fault is not None:
                    raise _PlayFault(f"{fault_error(plan, 0, chunk.fault)} (rules {rules.name}, seed {subject.seed})")
                if time.perf_counter() > deadline:
                    break
    text = f"{games:,} games ({24 * rounds:,} plays) under {len(PRESETS)} presets against {' and '.join(OPPONENTS)}"
    short = f"; {asked:,} were asked for, time was up" if games < asked else ""
    return [Finding("legal", OK, f"{text}: every card was held{short}")]


_REMEMBERS = "it draws numbers from elsewhere than view.rng, or remembers something between games"


def _repeatable(subject: Subject) -> list[Finding]:
    """The same seed twice, the same games in another order, and again in another process."""
    rules, deadline = PRESETS["egyptian-v2"], subject.deadline()
    opponent = subject.opponents[0]

    def pass_over(pairs: Sequence[int]) -> dict[int, bytes]:
        return dict(_records(_worker(rules, subject.seed, subject.player, opponent), pairs, deadline))

    first = pass_over(range(subject.pairs(50)))
    for name, order in (("again", list(first)), ("in the reverse order", list(reversed(first)))):
        for pair, record in pass_over(order).items():
            if record != first[pair]:
                return [Finding("repeatable", FAULT, f"game pair {pair}, played {name}, went another way: {_REMEMBERS}")]
    where = "twice and in the reverse order"
    if subject.another_process and subject.strategy.path is not None:
        try:
            same = _in_another_process(subject, len(first)) == _digest(first)
        except (OSError, subprocess.SubprocessError, IndexError) as error:
            text = f"could not be compared with another process: {type(error).__name__}"
            return [Finding("repeatable", OK, f"{2 * len(first)} games {where}: the same plays"), Finding("process", NOTE, text)]
        if not same:
            text = "it depends on hash(), id(), the clock or the like"
            return [Finding("repeatable", FAULT, f"another process with the same seed played differently: {text}")]
        where += ", and in another process"
    return [Finding("repeatable", OK, f"{2 * len(first)} games {where}: the same plays")]


def _digest(records: dict[int, bytes]) -> str:
    digest = hashlib.sha256()
    for pair in sorted(records):
        digest.update(records[pair])
    return digest.hexdigest()


def _in_another_process(subject: Subject, pairs: int) -> str:
    """The digest of the same pairs from a new Python with another hash seed."""
    settings = split_spec(subject.strategy.spec)[1]
    spec = f"{subject.strategy.path}:{settings}" if settings else str(subject.strategy.path)
    code = f"from {__name__} import digest_of_pairs; print(digest_of_pairs({spec!r}, {subject.seed}, {pairs}))"
    hash_seed = "1" if os.environ.get("PYTHONHASHSEED") != "1" else "2"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
        capture_output=True,
        text=True,
        timeout=60 + 4 * subject.seconds,
        check=True,
    )
    return done.stdout.split()[-1]


def digest_of_pairs(spec: str, seed: int, pairs: int) -> str:
    """The digest of the first pairs of a strategy against the first opponent, for comparing processes."""
    worker = _worker(PRESETS["egyptian-v2"], seed, prepare(load(spec)), prepare(load(OPPONENTS[0])))
    return _digest(dict(_records(worker, range(pairs), float("inf"))))


def _blind(subject: Subject) -> list[Finding]:
    """The same view must give the same card, however the hidden cards lie."""
    if subject.strategy.card.cheats:
        return [Finding("blind", NOTE, "it declares that it sees hidden cards (CHEATS), so this was not tried")]
    result = hidden_cards(subject.player, packs=subject.pairs(40), seed=subject.seed, seconds=subject.seconds)
    if result.fault:
        raise _PlayFault(result.fault)
    if result.changed:
        return [Finding("blind", FAULT, f"{result.changed}: it sees more than its view, or remembers something")]
    return [
        Finding(
            "blind", OK, f"{result.positions:,} positions played again with the hidden cards reshuffled: the same card each time"
        )
    ]


def _modes_agree(subject: Subject) -> list[Finding]:
    """Compiled and interpreted, the same games."""
    if subject.player.mode != "compiled":
        return []
    deadline, games = subject.deadline(), 0
    interpreted = prepare(subject.strategy, interpret=True)
    for rules in PRESETS.values():
        one = _worker(rules, subject.seed, subject.player, subject.opponents[1])
        other = _worker(rules, subject.seed, interpreted, subject.opponents[1])
        for pair, record in _records(other, range(subject.pairs(5)), deadline):
            if record != pair_record(one, pair):
                text = f"game pair {pair} under {rules.name} (seed {subject.seed}) went another way when interpreted"
                return [
                    Finding("modes", FAULT, f"{text}: numba and Python disagree on something, such as numbers beyond 64 bits")
                ]
            games += 2
    return [Finding("modes", OK, f"{games} games compiled and interpreted: the same plays")]


def _draws(subject: Subject) -> list[Finding]:
    """Do its plays depend on its random stream, and does its card say so?"""
    rules = RuleSet(single_round=True)
    packs = np.array([np.random.Generator(np.random.PCG64(pack)).permutation(52) for pack in range(20)], np.uint8)
    records = []
    for seed in (subject.seed, subject.seed + 1):  # given packs: the seed moves nothing but the seats' streams
        worker = _worker(rules, seed, subject.player, subject.opponents[1], packs)
        records.append([record for _, record in _records(worker, range(len(packs)), subject.deadline())])
    draws = any(one != other for one, other in zip(*records, strict=False))
    if draws == subject.strategy.card.stochastic:
        return []
    if draws:
        return [Finding("flags", NOTE, "its plays change with its random stream; say so with STOCHASTIC = True")]
    return [Finding("flags", NOTE, "it says STOCHASTIC = True, and on 20 packs no play changed with its random stream")]


def _speed(subject: Subject) -> list[Finding]:
    try:
        nanoseconds = time_a_play(subject.player)
    except Exception as error:  # one that looks where it was called from, for instance
        return [Finding("speed", NOTE, f"could not be timed: {one_line(error, subject.strategy.path)}")]
    return [Finding("speed", OK, f"about {_rounded(nanoseconds)} a play")]


def _rounded(nanoseconds: float) -> str:
    """Two figures are as much as a clock on a busy machine gives."""
    for unit, size in (("s", 1e9), ("ms", 1e6), ("microseconds", 1e3), ("ns", 1.0)):
        if nanoseconds >= size or unit == "ns":
            value = max(nanoseconds, 1.0) / size
            return f"{value:.1f} {unit}" if value < 10 else f"{float(f'{value:.2g}'):.0f} {unit}"
    raise AssertionError


def _sources(subject: Subject, kept_state: tuple[Any, Any]) -> list[Finding]:
    """What its file uses that a run cannot repeat or does not cover."""
    findings = []
    uses = random_uses(subject.strategy.path)
    before, numpy_before = kept_state
    if random.getstate() != before:
        uses.append("Python's random was drawn from while it played")
    if any(np.any(one != other) for one, other in zip(np.random.get_state(), numpy_before, strict=True)):
        uses.append("numpy's global random state was drawn from while it played")
    if uses:
        findings.append(
            Finding("random", NOTE, f"{'; '.join(uses)}: a run with it cannot be repeated; use random_below(view.rng, n)")
        )
    imports = foreign_imports(subject.strategy.path)
    if imports:
        text = f"imports {', '.join(imports)}: only the strategy's own file is in the digest of a run"
        findings.append(Finding("imports", NOTE, text))
    return findings


_CHECKS: tuple[Callable[[Subject], list[Finding]], ...] = (_legal, _repeatable, _blind, _modes_agree, _draws, _speed)
_COMPARING = (_repeatable, _blind, _modes_agree, _draws)  # checks that play the same games again
