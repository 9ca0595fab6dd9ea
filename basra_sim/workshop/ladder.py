"""The ladder: every shipped strategy measured against greedy and against the rung below, on paired packs.

The rungs stand in the order of their share of rounds against greedy, those that cheat
above the others.
"""

from __future__ import annotations

import json
import shlex
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from basra_sim.analysis.tables.csv_text import csv_text
from basra_sim.analysis.tables.summary import summarize
from basra_sim.game.rule_files import load_rules
from basra_sim.game.rules import RuleSet
from basra_sim.players.loading import load
from basra_sim.players.player import prepare
from basra_sim.players.strategy_files import builtin_folder, files_in
from basra_sim.runs.preparing import fallback_notes
from basra_sim.runs.running import raise_error, run
from basra_sim.version import __version__
from basra_sim.workers.chunks import play_chunk
from basra_sim.workers.plan import Plan
from basra_sim.workers.value_counts import ensure

from .last_deal_regret import last_deal_regret

BASE = "greedy"
SCORE = ("score_a", "score_a_low", "score_a_high")
SLOW = ("pimc", "ismcts", "best", "clairvoyant")  # searches: fewer pairs
SIZES = {  # pairs of fast rungs, of searches; pairs of games; pairs for last-deal regret
    "quick": (2000, 100, 500, 200),
    "full": (20_000, 2000, 5000, 2000),
}


@dataclass
class Rung:
    """One strategy's figures. Shares count draws half; half-widths are of 95 % intervals, over pairs."""

    strategy: str
    cheats: bool
    pairs: int
    share: float  # of rounds won against greedy
    share_low: float
    share_high: float
    elo: float | None
    elo_low: float | None
    elo_high: float | None
    points: float  # a round, over greedy
    points_low: float
    points_high: float
    seat: float  # leader's points a round over the dealer's, both strategies together
    seat_low: float
    seat_high: float
    pairing: float | None  # how many times fewer rounds pairing needs for the points a round
    microseconds: float  # a decision, both sides' together less greedy's, on this machine
    below: str | None = None  # the rung below, and the share of rounds won against it
    below_share: float | None = None
    below_low: float | None = None
    below_high: float | None = None
    below_games: float | None = None  # share of games won against it
    below_games_low: float | None = None
    below_games_high: float | None = None
    games: float | None = None  # share of games won against greedy
    games_low: float | None = None
    games_high: float | None = None
    regret: float | None = None  # points a last-deal decision against exact play
    regret_half_width: float | None = None


@dataclass
class Ladder:
    """A measured ladder, weakest rung first; the fair ones, then those that cheat."""

    rules: str
    size: str
    seed: int
    version: str
    rungs: list[Rung]

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)


def shipped(cheats: bool = False) -> list[str]:
    """The names of the shipped strategies, cheating ones only if asked for."""
    names = [path.stem.replace("_", "-") for path in files_in(builtin_folder())]
    return [name for name in names if cheats or not load(name).card.cheats]


def _summary(names: list[str], rules: RuleSet, unit: str, pairs: int, seed: int, jobs: int) -> dict[str, Any]:
    outcome = run(names, rules=rules, unit=unit, games=2 * pairs, seed=seed, jobs=jobs)
    raise_error(outcome)
    return dict(summarize(outcome.totals)["matches"][0])


def _times_fewer(removed: float | None) -> float | None:
    """How many times fewer rounds are needed where pairing removes this share of the variance."""
    return None if removed is None or removed >= 1 else 1 / (1 - removed)


def _rung(name: str, rules: RuleSet, pairs: int, seed: int, jobs: int) -> Rung:
    match = _summary([name, BASE], rules, "round", pairs, seed, jobs)
    keys = {"share": "score_a", "elo": "elo", "points": "points_per_round_difference", "seat": "seat_effect"}
    figures = {f"{field}{end}": match[f"{key}{end}"] for field, key in keys.items() for end in ("", "_low", "_high")}
    return Rung(
        strategy=name,
        cheats=load(name).card.cheats,
        pairs=pairs,
        pairing=_times_fewer(match["variance_reduction"]["margin"]),
        microseconds=decision_time(name, rules, seed),
        **figures,
    )


def decision_time(name: str, rules: RuleSet, seed: int) -> float:
    """Microseconds of processor time a decision: rounds against itself, by all 48 plies, the engine's share included."""
    ensure(rules)
    player = prepare(load(name))
    plan = Plan(replace(rules, single_round=True), seed, "round", 2_000_000, [player, player], [(0, 1)])
    play_chunk(plan, 0, 0, 1)
    pairs, spent = 1, 0.0
    while spent < 0.2:
        pairs *= 4
        started = time.process_time()
        play_chunk(plan, 0, 0, pairs)
        spent = time.process_time() - started
    return 1e6 * spent / (2 * 48 * pairs)


def measure(
    *,
    size: str = "quick",
    rules: str | RuleSet = "egyptian-v2",
    set_: Sequence[str] = (),
    seed: int = 1,
    cheats: bool = False,
    names: Sequence[str] = (),
    jobs: int = 1,
    tell: Callable[[str], None] = lambda text: None,
) -> Ladder:
    """Measure the ladder (all shipped strategies unless `names` are given)."""
    rule_set = rules if isinstance(rules, RuleSet) else load_rules(rules, set_)
    fast, slow, games, last = SIZES[size]
    names = names or shipped(cheats)
    for note in fallback_notes([load(name) for name in names], rule_set):
        tell(f"note: {note}")
    rungs = []
    for name in names:
        tell(f"{name} against {BASE}")
        rungs.append(_rung(name, rule_set, slow if name.partition(":")[0] in SLOW else fast, seed, jobs))
    rungs.sort(key=lambda rung: (rung.cheats, rung.share))  # oracles are the ceiling, whatever they win against greedy
    for index, rung in enumerate(rungs):
        tell(f"{rung.strategy}: games, the rung below, regret")
        if not rule_set.single_round:
            pairs = _fewer(games, rung.pairs, fast)
            match = _summary([rung.strategy, BASE], rule_set, "game", pairs, seed, jobs)
            rung.games, rung.games_low, rung.games_high = (match[k] for k in SCORE)
        if index:
            _step(rung, rungs[index - 1], rule_set, fast, games, seed + 1, jobs)
        _add_regret(rung, rule_set, _fewer(last, rung.pairs, fast), seed)
    return Ladder(rule_set.name, size, seed, __version__, rungs)


def _fewer(pairs: int, own: int, fast: int) -> int:
    """As many pairs for a search, which plays `own` pairs instead of `fast`, as take the same time."""
    return max(20, int(pairs * min(1.0, own / fast)))


def _step(rung: Rung, below: Rung, rules: RuleSet, fast: int, games: int, seed: int, jobs: int) -> None:
    """Measure a rung against the one below it: rounds, and games where there are any."""
    rung.below = below.strategy
    pairs = min(rung.pairs, below.pairs)  # a search on either side takes its time
    match = _summary([rung.strategy, below.strategy], rules, "round", pairs, seed, jobs)
    rung.below_share, rung.below_low, rung.below_high = (match[k] for k in SCORE)
    if not rules.single_round:
        match = _summary([rung.strategy, below.strategy], rules, "game", _fewer(games, pairs, fast), seed, jobs)
        rung.below_games, rung.below_games_low, rung.below_games_high = (match[k] for k in SCORE)


def _add_regret(rung: Rung, rules: RuleSet, pairs: int, seed: int) -> None:
    """What its last-deal decisions lose against exact play; of compiled strategies only."""
    player = prepare(load(rung.strategy))
    if player.entry is not None:
        found = last_deal_regret(player, prepare(load(BASE)), rules, pairs, seed)
        rung.regret, rung.regret_half_width = found.points, found.points_half_width


def command_of(ladder: Ladder) -> str:
    """The command that measures it again."""
    words = ["basra-sim", "ladder", *sorted(rung.strategy for rung in ladder.rungs), "--seed", str(ladder.seed)]
    preset, _, changes = ladder.rules.partition(" with ")
    words += ["--full"] if ladder.size == "full" else []
    words += ["--rules", preset] if preset != "egyptian-v2" else []
    return shlex.join(words + [word for change in changes.split() for word in ("--set", change)])


def to_csv(ladder: Ladder) -> str:
    """A row a rung, weakest first, with every figure of `Rung`; empty where there is none."""
    return csv_text([one.name for one in fields(Rung)], (asdict(rung) for rung in ladder.rungs))


def to_json(ladder: Ladder) -> str:
    """The figures with rules, seed and version."""
    return json.dumps(ladder.to_dict(), indent=1) + "\n"


# ------------------------------------------------------------------------------------------------ text
HEADERS = (
    "strategy", "rounds won", "Elo", "points", "games won", "rounds over the one below", "games over it", "regret", "seat", "us",
    "pairing",
)  # fmt: skip


def _spread(value: float | None, low: float | None, high: float | None, digits: str, scale: float = 1.0, unit: str = "") -> str:
    """A value with half its interval; "-" where there is none, no interval where a strategy meets itself."""
    if value is None:
        return "-"
    if low is None or high is None:
        return f"{scale * value:{digits}}{unit}"
    return f"{scale * value:{digits}} ± {scale * (high - low) / 2:{digits.lstrip('+')}}{unit}"


def rows(ladder: Ladder) -> list[tuple[str, ...]]:
    """The table as text, strongest rung first."""
    found: list[tuple[str, ...]] = []
    for rung in reversed(ladder.rungs):
        found.append((
            rung.strategy + (" (cheats)" if rung.cheats else ""),
            _spread(rung.share, rung.share_low, rung.share_high, ".1f", 100, " %"),
            _spread(rung.elo, rung.elo_low, rung.elo_high, "+.0f"),
            _spread(rung.points, rung.points_low, rung.points_high, "+.1f"),
            _spread(rung.games, rung.games_low, rung.games_high, ".1f", 100, " %"),
            _spread(rung.below_share, rung.below_low, rung.below_high, ".1f", 100, " %"),
            _spread(rung.below_games, rung.below_games_low, rung.below_games_high, ".1f", 100, " %"),
            "-" if rung.regret is None else f"{rung.regret:.2f}",
            _spread(rung.seat, rung.seat_low, rung.seat_high, "+.1f"),
            f"{rung.microseconds:.2f}" if rung.microseconds < 10 else f"{rung.microseconds:.0f}",
            "-" if rung.pairing is None else f"{rung.pairing:.1f}",
        ))  # fmt: skip
    return found


def to_markdown(ladder: Ladder) -> str:
    """The table in Markdown."""
    lines = ["| " + " | ".join(HEADERS) + " |", "| " + " | ".join("---" for _ in HEADERS) + " |"]
    lines += ["| " + " | ".join(row) + " |" for row in rows(ladder)]
    return "\n".join(lines) + "\n"
