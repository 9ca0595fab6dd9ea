"""Schedule -> chunks -> workers -> records. Knows strategies and the engine; writes no file and prints nothing.

Results come back in schedule order whatever the workers do, so that digests and files do not depend on their number.
"""

from __future__ import annotations

import hashlib
import json
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence, Sized
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import lru_cache, reduce
from math import gcd
from typing import Any

import numpy as np

from basra_sim.engine import memory as at
from basra_sim.engine.floors import FloorTable, load_table
from basra_sim.engine.jit.primitives import RAISED
from basra_sim.engine.memory import Memory
from basra_sim.engine.rounds import play_pairs
from basra_sim.errors import BadInput, BasraError, StrategyFault
from basra_sim.game.rules import RuleSet, kind_points
from basra_sim.players.ready import InterpretedSeat, Player, parameter_words
from basra_sim.records.counters import (
    FORMAT_VERSION,
    GROUPS,
    MARGIN_CELLS,
    MAX_FLOOR,
    MAX_LENGTH,
    N_CLASSES,
    N_KINDS,
    PAIR_FIELDS,
    MatchTotals,
)
from basra_sim.records.digest import BLOCK_PAIRS, block_digests

from .schedule import chunks

CHUNK_PAIRS = 4096
SLICE_SECONDS = 0.02  # a worker looks up from the engine about so often: for progress, and to stop when asked


@dataclass(frozen=True)
class Plan:
    """What is to be played. Everything that the digest speaks of is here."""

    rules: RuleSet  # single_round is set where rounds or given packs are played
    seed: int
    unit: str  # "game", "round" or "packs"
    games: int  # per match, even
    players: Sequence[Player]  # here with their parameters for these rules
    matches: Sequence[tuple[int, int]]
    packs: np.ndarray | None = None  # uint8 (pairs, 52)

    def __post_init__(self) -> None:
        object.__setattr__(self, "players", [player.under(self.rules) for player in self.players])

    @property
    def pairs(self) -> int:
        """Game pairs per match."""
        return self.games // 2

    def header(self) -> bytes:
        """The canonical inputs, the first thing that the digest covers."""
        content = {
            "format": FORMAT_VERSION,
            "rules": self.rules.to_dict(),
            "seed": self.seed,
            "unit": self.unit,
            "games": self.games,
            "strategies": [[p.strategy.sha256, p.strategy.parameters._asdict()] for p in self.players],
            "matches": [list(match) for match in self.matches],
            "packs": hashlib.sha256(self.packs.tobytes()).hexdigest() if self.packs is not None else None,
        }
        return json.dumps(content, sort_keys=True, separators=(",", ":")).encode()


@dataclass
class Fault:
    """A play that stopped the run."""

    code: int
    side: int
    seat: int
    pair: int
    game: int
    round: int
    ply: int
    card: int
    hand: int
    error: Any = None  # the exception that an interpreted strategy raised
    answer: Any = None  # what it returned in place of a card


@dataclass
class Chunk:
    """The exact results of some consecutive pairs of one match."""

    match: int
    first_pair: int
    games: np.ndarray  # GAME_DTYPE (pairs, 2)
    rounds: np.ndarray  # ROUND_DTYPE, empty unless asked for
    totals: MatchTotals
    fault: Fault | None = None
    seconds: float = 0.0
    forfeits: dict[tuple[int, int], tuple[int, int]] = field(default_factory=dict)  # (pair, game): side at fault, why
    blocks: bytes | None = None  # digest.block_digests of the games, if the chunk begins with a block


@dataclass
class Progress:
    """What the workers have done so far, for a progress bar; and the way to stop them."""

    games: int = 0
    before: int = 0  # of them those that an earlier process played
    stop: bool = False
    sizes: dict[int, int] = field(default_factory=dict)  # pairs that a worker plays between two looks up, by match
    live: str = ""  # what is known so far, in words that may be watched
    lock: threading.Lock = field(default_factory=threading.Lock)

    def add(self, games: int) -> None:
        """Called by the workers."""
        with self.lock:
            self.games += games


@lru_cache(maxsize=16)
def margin_unit(rules: RuleSet) -> int:
    """The greatest common divisor of everything that can be scored: margins are counted in it."""
    values = [*kind_points(rules), rules.majority_points, *rules.points_of_cards()]
    return reduce(gcd, values, 0) or 1


# ------------------------------------------------------------------------------------------------ one chunk
class Worker:
    """One match made ready in one worker's memory."""

    def __init__(
        self, plan: Plan, match: int, table: FloorTable, capacity: int, want_rounds: bool, room: np.ndarray | None = None
    ) -> None:
        self.plan, self.match = plan, match
        rounds = capacity * (2 if plan.rules.single_round else 24) + 64 if want_rounds else 0
        unit = margin_unit(plan.rules)
        self.memory = Memory(plan.rules, table, capacity, rounds=rounds, margin_unit=unit, room=room)
        self.memory.give_packs(plan.packs)
        if any(plan.players[number].strategy.uses_values for number in plan.matches[match]):
            from basra_sim.skill.value_tables import block

            self.memory.give_values(block(plan.rules))
        self.seats: list[InterpretedSeat | None] = [None, None]
        self.addresses = [0, 0]
        for side, number in enumerate(plan.matches[match]):
            player = plan.players[number]
            self.memory.give_parameters(side, parameter_words(player.strategy.parameters))
            if player.strategy.card.cheats:
                self.memory.open_hands(side)
            if player.entry is not None:
                self.addresses[side] = player.entry.address
            else:
                seat = InterpretedSeat(player, plan.rules, self.memory, side)
                self.seats[side], self.addresses[side] = seat, seat.address

    def play(self, first_pair: int, pairs: int, done: int = 0) -> tuple[int, Fault | None]:
        """Play so many pairs after the `done` from `first_pair` on that lie in the memory already; counters add up.

        Returns the number finished and what stopped it; the counters then speak of whole pairs only. Buffers grow as needed.
        """
        memory, wanted, before = self.memory, pairs, done
        while True:
            if done == 0:
                memory.clear_counters()
            memory.start(self.plan.seed, first_pair + done, pairs, done)
            finished = int(play_pairs(self.addresses[0], self.addresses[1], memory.context.ctypes.data))
            if memory.get("fault") != at.ROUNDS_FULL:
                break
            memory.rounds = np.zeros(2 * len(memory.rounds), memory.rounds.dtype)
            pairs, done = pairs + done, 0  # from the start, into the larger buffer
        if finished == pairs:
            return wanted, None
        fault = self._fault()
        self._raise_if_interrupted(fault)
        whole = done + finished
        if whole:  # the counters hold half a pair: play the whole ones again
            self.play(first_pair, whole)
        return whole - before, fault

    def _fault(self) -> Fault:
        get = self.memory.get
        numbers = [get(f"fault_{name}") for name in ("side", "seat", "pair", "game", "round", "ply", "card", "hand")]
        fault = Fault(get("fault"), *numbers)
        seat = self.seats[fault.side]
        if seat is not None:
            fault.error, fault.answer = seat.fault, seat.answer
        return fault

    def _raise_if_interrupted(self, fault: Fault) -> None:
        # where Ctrl-C is ignored, the strategy has raised it itself
        if isinstance(fault.error, KeyboardInterrupt) and signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
            raise fault.error

    def totals(self, pairs: int) -> MatchTotals:
        """The counters of what lies in the memory."""
        one, other = (self.plan.players[number].strategy.name for number in self.plan.matches[self.match])
        totals = MatchTotals(one, other, margin_unit=self.memory.get("margin_unit"))
        collect(totals, self.memory, pairs)
        return totals


def play_chunk(
    plan: Plan,
    match: int,
    first_pair: int,
    pairs: int,
    *,
    want_rounds: bool = False,
    progress: Progress | None = None,
) -> Chunk:
    """Play consecutive pairs of a match. Stops early at a fault, or (with what is done) when progress.stop is set."""
    started = time.perf_counter()
    worker = Worker(plan, match, load_table(plan.rules), pairs, want_rounds)
    sizes = progress.sizes if progress else {}
    done, size, fault = 0, sizes.get(match, 1), None
    while done < pairs and fault is None and not (progress and progress.stop):
        before = time.perf_counter()
        asked = min(size, pairs - done)
        finished, fault = worker.play(first_pair, asked, done)
        took = time.perf_counter() - before
        done += finished
        if progress:
            progress.add(2 * finished)
        if took < SLICE_SECONDS and asked == size:
            size = sizes[match] = size * 8 if took < SLICE_SECONDS / 8 else size * 2
        elif took > 2 * SLICE_SECONDS:
            size = sizes[match] = max(1, size // 2)
    worker.memory.set("first_pair", first_pair)
    games = worker.memory.games[:done]
    rounds = worker.memory.rounds[: _rounds_kept(worker, done)]
    blocks = block_digests(games) if first_pair % BLOCK_PAIRS == 0 else None
    seconds = time.perf_counter() - started
    return Chunk(match, first_pair, games, rounds, worker.totals(done), fault, seconds, blocks=blocks)


def _all_compiled(plan: Plan, match: int) -> bool:
    return all(plan.players[number].entry is not None for number in plan.matches[match])


def _rounds_kept(worker: Worker, finished: int) -> int:
    """How many round records lie in the memory: none of a first pair that was not finished."""
    memory = worker.memory
    return memory.get("rounds_played") if finished and len(memory.rounds) else 0


# ------------------------------------------------------------------------------------------------ counters
def collect(totals: MatchTotals, memory: Memory, pairs: int) -> None:
    """Fill a MatchTotals from a memory's counters and game records (`pairs` of them)."""
    games = memory.games[:pairs]
    totals.pairs, totals.games, totals.rounds = pairs, 2 * pairs, memory.get("rounds_played") if pairs else 0
    plays = memory.plays[..., :N_KINDS].reshape(2, 2, 6, 4, N_KINDS)
    totals.plays[...] = plays & 0xFFFFFFFF
    totals.taken[...] = plays >> 32
    totals.faced[...] = memory.faced[:, :MAX_FLOOR, :N_KINDS, :N_CLASSES].transpose(0, 1, 3, 2)
    totals.majorities[...] = memory.majorities
    totals.role_points[...] = memory.role_points
    totals.role_cards[...] = memory.role_cards
    totals.round_margins[...] = memory.round_margins[:, :: totals.margin_unit]  # nothing lies between the units
    if pairs == 0:
        for array in (totals.plays, totals.taken, totals.faced, totals.majorities, totals.role_points):
            array[...] = 0
        totals.role_cards[...] = 0
        totals.round_margins[...] = 0
        return
    flat = games.reshape(-1)
    cells = np.bincount(flat["first_dealer"] * 3 + flat["winner"], minlength=6)
    totals.winners[...] = cells.reshape(2, 3)
    totals.lengths[...] = np.bincount(np.minimum(flat["rounds"], MAX_LENGTH - 1), minlength=MAX_LENGTH)
    margins = flat["score_a"].astype(np.int64) - flat["score_b"]
    totals.game_margin_sum = int(margins.sum())
    totals.game_margin_squares = int((margins * margins).sum())
    pair_margins = margins.reshape(-1, 2).sum(axis=1) // totals.margin_unit + MARGIN_CELLS // 2
    totals.pair_margins[...] = np.bincount(np.clip(pair_margins, 0, MARGIN_CELLS - 1), minlength=MARGIN_CELLS)
    _pair_moments(totals, games, memory.leader_points[:pairs])
    _group_sums(totals, games, memory.get("first_pair"))


_SUMMED = {
    "rounds": "rounds", "points_a": "score_a", "points_b": "score_b", "basras_a": "basras_a", "basras_b": "basras_b",
    "komi_basras_a": "komi_basras_a", "komi_basras_b": "komi_basras_b", "jack_basras_a": "jack_basras_a",
    "jack_basras_b": "jack_basras_b", "cards_a": "cards_a", "cards_b": "cards_b",
}  # fmt: skip


def _pair_moments(totals: MatchTotals, games: np.ndarray, leader_points: np.ndarray) -> None:
    """Sums over pairs of PAIR_FIELDS and of their products, exact."""
    fields = list(games.dtype.names or ())
    added = games.view("<i4").reshape(len(games), 2, len(fields)).sum(axis=1, dtype=np.int64)
    columns = {name: added[:, fields.index(source)] for name, source in _SUMMED.items()}
    half_points = np.array([2, 0, 1])[games["winner"]].sum(axis=1)
    columns["half_points_a"] = half_points
    columns["leader_points"] = leader_points.sum(axis=1, dtype=np.int64)
    columns["dealer_points"] = columns["points_a"] + columns["points_b"] - columns["leader_points"]
    table = np.stack([columns[name] for name in PAIR_FIELDS], axis=1)
    totals.pair_sums = [int(x) for x in table.sum(axis=0)]
    totals.pair_scores[...] = np.bincount(half_points, minlength=5)
    largest = int(np.abs(table).max(initial=0))
    if largest * largest * len(table) < 1 << 53:
        # every partial sum is an integer below 2**53, so the fast float product is exact
        real = table.astype(np.float64)
        products = (real.T @ real).astype(np.int64)
    else:
        products = np.einsum("pi,pj->ij", table.astype(object), table.astype(object))
    totals.pair_products = [[int(x) for x in row] for row in products]


def _group_sums(totals: MatchTotals, games: np.ndarray, first_pair: int) -> None:
    """GROUP_FIELDS summed by pair index modulo GROUPS. Exact: the weights are integers far below 2**53."""
    group = (first_pair + np.arange(len(games))) % GROUPS
    columns = (
        np.array([2, 0, 1])[games["winner"]].sum(axis=1),
        (games["score_a"].astype(np.int64) - games["score_b"]).sum(axis=1),
        games["rounds"].sum(axis=1, dtype=np.int64),
    )
    for index, column in enumerate(columns):
        totals.group_sums[:, index] = np.bincount(group, weights=column, minlength=GROUPS).astype(np.int64)


# ------------------------------------------------------------------------------------------------ a run
def make_ready(plan: Plan) -> None:
    """Load or build the table and compile the engine, once, before the workers ask for them and before the clock runs."""
    memory = Memory(plan.rules, load_table(plan.rules), 1)
    memory.start(plan.seed, 0, 0)
    play_pairs(0, 0, memory.context.ctypes.data)


def play(
    plan: Plan,
    *,
    jobs: int = 1,
    chunk_pairs: int = CHUNK_PAIRS,
    want_rounds: bool = False,
    progress: Progress | None = None,
    tasks: Iterable[tuple[int, int, int]] | None = None,
    player: Callable[..., Chunk] | None = None,
) -> Iterator[Chunk]:
    """Play a plan; chunks come in schedule order. The last one may carry a fault, after which nothing follows.

    `tasks` (match, first pair, pairs) are played in the place of every pair of every match; they may be made on the way.
    `player` plays a chunk, with the arguments of `play_chunk`, in its place.
    """
    make_ready(plan)
    if any(strategy.strategy.uses_values for strategy in plan.players):
        from .value_counts import ensure

        ensure(plan.rules)
    if tasks is None:
        tasks = [(match, first, size) for match in range(len(plan.matches)) for first, size in chunks(plan.pairs, chunk_pairs)]
    for chunk in _ordered(plan, tasks, jobs, want_rounds, progress or Progress(), player or play_chunk):
        yield chunk
        if chunk.fault is not None:
            return


def _ordered(
    plan: Plan, tasks: Iterable[tuple[int, int, int]], jobs: int, want_rounds: bool, progress: Progress,
    player: Callable[..., Chunk],
) -> Iterator[Chunk]:  # fmt: skip
    def run(task: tuple[int, int, int]) -> Chunk:
        return player(plan, *task, want_rounds=want_rounds, progress=progress)

    if jobs == 1 or (isinstance(tasks, Sized) and len(tasks) == 1):
        for task in tasks:
            yield run(task)
        return
    # threads: kernels release the GIL, compiled functions need not travel, and nothing is compiled twice. Results wait for
    # the reader in a window of fixed length: memory stays flat, and nobody plays far beyond where a match may end.
    pool = ThreadPoolExecutor(jobs)
    window: deque[Future[Chunk]] = deque()
    try:
        for task in tasks:
            window.append(pool.submit(run, task))
            if len(window) > 2 * jobs:
                yield window.popleft().result()
        while window:
            yield window.popleft().result()
    finally:
        progress.stop = True
        pool.shutdown(wait=True, cancel_futures=True)


def match_totals(plan: Plan) -> list[MatchTotals]:
    """Empty counters for every match of a plan."""
    unit = margin_unit(plan.rules)
    names = [player.strategy.name for player in plan.players]
    return [MatchTotals(names[one], names[other], margin_unit=unit) for one, other in plan.matches]


def check_plan(names: Sequence[str], games: int, jobs: int) -> None:
    """The refusals that need no strategy to be loaded."""
    if len(names) < 2:
        raise BadInput("a run needs two strategies or more; to see one against itself, name it twice")
    if games < 1:
        raise BadInput(f"--games {games}: at least 1 game a match is needed")
    if jobs < 1:
        raise BadInput(f"--jobs {jobs}: at least 1 worker is needed")


# ------------------------------------------------------------------------------------------------ faults
def fault_error(plan: Plan, match: int, fault: Fault) -> BasraError:
    """A fault as one line that names strategy, match, pair, game, round, ply and card."""
    from basra_sim.game.cards import card_text, set_text

    players = [plan.players[number] for number in plan.matches[match]]
    names = [player.strategy.name for player in players]
    place = f"in match {names[0]} - {names[1]}, pair {fault.pair}, game {fault.game}, round {fault.round}"
    if fault.code == at.NO_END:
        return BasraError(f"{place}: no end after {at.MOST_ROUNDS:,} rounds; these strategies score nothing under these rules")
    strategy = players[fault.side].strategy
    where = f"{place}, ply {fault.ply} (deal {fault.ply // 8})"
    if players[fault.side].entry is not None and not 0 <= fault.card <= 51:
        _replay_interpreted(plan, match, fault)
    if fault.error is not None:
        from basra_sim.players.registry import one_line

        what = f"raised {one_line(fault.error, strategy.path)}"
    elif fault.answer is not None:
        what = f"returned {_short(fault.answer)}, which is no card"
    elif 0 <= fault.card <= 51:
        what = f"played {card_text(fault.card)}, which it does not hold (its hand: {set_text(fault.hand)})"
    elif fault.card == RAISED:
        what = "raised an error as compiled code that its plain Python does not raise (numbers beyond 64 bits?)"
    else:
        what = f"returned {fault.card}, which is no card (its hand: {set_text(fault.hand)})"
    return StrategyFault(f"strategy {strategy.name} {what}, {where}")


def _short(answer: Any) -> str:
    text = repr(answer).replace("\n", " ")
    return text if len(text) <= 60 else f"{text[:57]}..."


def _replay_interpreted(plan: Plan, match: int, fault: Fault) -> None:
    """Play the pair again with the plain Python of the strategy at fault: compiled code does not say what it raised."""
    numbers = plan.matches[match]
    players = list(plan.players)
    number = numbers[fault.side]
    players[number] = Player(players[number].strategy, None, "to see what it raised")
    again = Plan(plan.rules, plan.seed, plan.unit, plan.games, players, plan.matches, plan.packs)
    worker = Worker(again, match, load_table(plan.rules), 1, False)
    _, seen = worker.play(fault.pair, 1)
    if seen is not None and seen.side == fault.side and seen.code == at.BAD_CARD:
        fault.error, fault.answer = seen.error, seen.answer

