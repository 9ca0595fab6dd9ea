"""Tuning a strategy's parameters by CMA-ES on paired packs against a zoo: fresh packs each generation, held-out check.

Hansen and Ostermeier 2001 (CMA-ES, the `cma` library). All candidates of a generation meet the same packs (common random
numbers), each pack twice with the seats swapped. What is maximised is the mean over the zoo of the share of rounds or games
won, draws half. The same seed gives the same parameters on any machine.
"""

from __future__ import annotations

import json
import math
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from basra_sim.errors import BadInput
from basra_sim.game.rule_files import load_rules
from basra_sim.game.rules import RuleSet
from basra_sim.players.loading import load
from basra_sim.players.parameters import Parameter
from basra_sim.players.player import prepare
from basra_sim.players.rule_sections import section_text
from basra_sim.players.strategy import Strategy
from basra_sim.version import __version__
from basra_sim.workers.chunks import play_chunk
from basra_sim.workers.fault_words import fault_error
from basra_sim.workers.plan import Plan
from basra_sim.workers.value_counts import ensure

OnGeneration = Callable[[int, float, dict[str, float]], None]  # (generation, its best share, the parameters favoured)
HELD_OUT = 1 << 32  # pairs from here on are kept for the final check


@dataclass
class TuneSettings:
    """Everything that a tuning run can be asked."""

    against: Sequence[str] = ("greedy",)
    rules: str | RuleSet = "egyptian-v2"
    set: Sequence[str] = ()
    unit: str = "round"
    only: Sequence[str] = ()  # parameters to tune; all float ones if empty
    generations: int = 20
    population: int = 12
    pairs: int = 2000  # a candidate, opponent and generation
    check: int = 20_000  # held-out pairs an opponent
    seed: int = 1
    spread: float = 0.1  # first standard deviation of the search, as a share of each parameter's range
    strategies: Sequence[str | Path] = ()


@dataclass
class Check:
    """A held-out result against one opponent: share won with a 95 % half-width, before and after."""

    opponent: str
    pairs: int
    before: float
    after: float
    half_width: float
    gain: float  # after - before on the same packs
    gain_half_width: float


@dataclass
class Tuned:
    """What tuning came to. `parameters` are the found ones, or the start unless those did better on held-out packs."""

    strategy: str
    rules: RuleSet
    parameters: dict[str, float]  # the tuned ones, and others that are not what the strategy's file says
    start: dict[str, float]
    checks: list[Check]
    settings: dict[str, Any]
    gain: float  # the mean change over the zoo on held-out packs, and its 95 % half-width
    gain_half_width: float
    history: list[float] = field(default_factory=list)

    @property
    def kept_start(self) -> bool:
        """Whether the search found nothing that is better beyond chance."""
        return self.gain <= self.gain_half_width

    def to_toml(self, command: str) -> str:
        """The parameter file: a section for the rules, with how it came about as comments."""
        lines = [f"# Parameters of {self.strategy}, tuned by basra-sim {__version__}: {command}"]
        for check in self.checks:
            share = f"{100 * check.after:.2f} +- {100 * check.half_width:.2f} %"
            gain = f"{100 * check.gain:+.2f} +- {100 * check.gain_half_width:.2f}"
            lines.append(f"# held out, {check.pairs} pairs against {check.opponent}: {share} won ({gain} over the start)")
        lines.append(f"# {self.verdict()}")
        lines += [f"# {name} = {value}" for name, value in self.settings.items()]
        lines.append("# start = " + " ".join(f"{name}={value:g}" for name, value in self.start.items()))
        return "\n".join(lines) + "\n" + section_text(self.rules, self.parameters)

    def verdict(self) -> str:
        """Which parameters these are, and why, in words."""
        which = "beyond chance: these are the found ones"
        if self.kept_start:
            which = f"{'within chance' if self.gain >= -self.gain_half_width else 'worse'}: the start is kept"
        return f"mean change {100 * self.gain:+.2f} +- {100 * self.gain_half_width:.2f}, {which}"


# ------------------------------------------------------------------------------------------------ playing
class _Arena:
    """Plays one strategy with changing parameters against fixed opponents; compiled once."""

    def __init__(self, strategy: Strategy, settings: TuneSettings) -> None:
        rules = settings.rules if isinstance(settings.rules, RuleSet) else load_rules(settings.rules, settings.set)
        self.rules = replace(rules, single_round=True) if settings.unit == "round" else rules
        self.unit, self.seed = settings.unit, settings.seed
        self.player = prepare(strategy)
        self.opponents = [prepare(load(name, settings.strategies)) for name in settings.against]
        if self.player.strategy.uses_values or any(player.strategy.uses_values for player in self.opponents):
            ensure(self.rules)

    def pair_scores(self, parameters: dict[str, float], opponent: int, first_pair: int, pairs: int) -> np.ndarray:
        """Share won of each pair, 0 .. 1."""
        mine = replace(self.player, strategy=self.player.strategy.with_given(parameters))
        plan = Plan(self.rules, self.seed, self.unit, 2 * pairs, [mine, self.opponents[opponent]], [(0, 1)])
        chunk = play_chunk(plan, 0, first_pair, pairs)
        if chunk.fault is not None:
            raise fault_error(plan, 0, chunk.fault)
        return np.asarray(np.array([1.0, 0.0, 0.5])[chunk.games["winner"]].mean(axis=1))

    def share(self, parameters: dict[str, float], first_pair: int, pairs: int) -> float:
        """The mean share over the zoo."""
        parts = [self.pair_scores(parameters, k, first_pair, pairs).mean() for k in range(len(self.opponents))]
        return float(np.mean(parts))


# ------------------------------------------------------------------------------------------------ the search
def _tunable(strategy: Strategy, only: Sequence[str]) -> dict[str, Parameter]:
    parameters = strategy.card.parameters
    for name in only:
        if name not in parameters:
            raise BadInput(f"{strategy.name} has no parameter '{name}'; it has {', '.join(parameters) or 'none'}")
    chosen = {n: p for n, p in parameters.items() if (n in only if only else isinstance(p.default, float))}
    if not chosen:
        raise BadInput(f"{strategy.name} has no parameter to tune: only those with a float default are tuned unasked")
    return chosen


def check_settings(settings: TuneSettings) -> None:
    """Refuse what cannot be asked, before anything is compiled."""
    for name, least in (("generations", 1), ("population", 4), ("pairs", 2), ("check", 2)):
        if getattr(settings, name) < least:
            raise BadInput(f"--{name} {getattr(settings, name)}: at least {least}")
    if not 0.001 <= settings.spread <= 1:
        raise BadInput(f"--spread {settings.spread:g}: a share of each parameter's range, from 0.001 to 1")
    if not settings.against:
        raise BadInput("--against: name at least one opponent")
    if settings.unit not in ("round", "game"):
        raise BadInput(f"--unit {settings.unit}: it is round or game")


def _worth_writing(strategy: Strategy, tuned: Mapping[str, float]) -> dict[str, float]:
    """The parameters that are tuned, and those that were given otherwise than the strategy's file has them."""
    card = strategy.card.parameters
    return {n: v for n, v in strategy.parameters._asdict().items() if n in tuned or v != card[n].default}


class _Box:
    """The space that is searched: each tunable parameter's range as 0 .. 1."""

    def __init__(self, ranges: Mapping[str, Parameter]) -> None:
        self.names = list(ranges)
        self.low = np.array([one.low for one in ranges.values()], float)
        self.wide = np.array([one.high for one in ranges.values()], float) - self.low
        self.whole = [isinstance(one.default, int) for one in ranges.values()]

    def named(self, point: Any) -> dict[str, float]:
        """The parameters at a point."""
        values = self.low + np.clip(point, 0, 1) * self.wide
        return {
            name: round(value) if whole else round(float(value), 4)
            for name, value, whole in zip(self.names, values, self.whole, strict=True)
        }

    def point(self, parameters: Mapping[str, float]) -> np.ndarray:
        """Where parameters lie."""
        return np.asarray((np.array([parameters[name] for name in self.names]) - self.low) / self.wide)


def tune(
    spec: str,
    settings: TuneSettings,
    *,
    state: Path | None = None,
    on_generation: OnGeneration | None = None,
) -> Tuned:
    """Tune a strategy from its parameters as given in `spec`. `state` is a file kept after each generation, to resume from."""
    import cma  # an extra, which nothing else needs

    check_settings(settings)
    strategy = load(spec, settings.strategies)
    ranges = _tunable(strategy, settings.only)
    arena = _Arena(strategy, settings)
    strategy = strategy.under(arena.rules)
    start = {name: float(getattr(strategy.parameters, name)) for name in ranges}
    kept = _Kept(state, _identity(spec, settings, start), settings.generations)
    box = _Box(ranges)
    search = cma.CMAEvolutionStrategy(
        box.point(start),
        settings.spread,
        {"seed": settings.seed + 1, "popsize": settings.population, "bounds": [0, 1], "verbose": -9, "CMA_stds": None},
    )
    found = _favoured(search, box, arena, settings, kept, on_generation or (lambda *told: None))
    checks, gain = _held_out(arena, settings, start, found)
    better = gain.mean() > _half_width(gain)
    content = asdict(settings)
    content.pop("strategies")
    content["rules"] = arena.rules.name
    return Tuned(
        strategy.name, arena.rules, {**_worth_writing(strategy, start), **(found if better else {})}, start, checks, content,
        float(gain.mean()), _half_width(gain), [max(shares) for shares in kept.shares],
    )  # fmt: skip


def _favoured(
    search: Any, box: _Box, arena: _Arena, settings: TuneSettings, kept: _Kept, on_generation: OnGeneration
) -> dict[str, float]:
    """The parameters that a search favours after all generations.

    What was evaluated before is replayed from `kept`: the search itself is a function of its seed and of these results.
    """
    for generation in range(settings.generations):
        points = search.ask()
        if generation == len(kept.shares):
            first = generation * settings.pairs
            kept.add([arena.share(box.named(point), first, settings.pairs) for point in points])
        shares = kept.shares[generation]
        search.tell(points, [-share for share in shares])
        on_generation(generation, max(shares), box.named(search.result.xfavorite))
    return box.named(search.result.xfavorite)


def _held_out(
    arena: _Arena, settings: TuneSettings, start: dict[str, float], found: dict[str, float]
) -> tuple[list[Check], np.ndarray]:
    """Both sets of parameters on packs that the search has not seen: a check an opponent, and the mean gain of each pair."""
    before, after = ([arena.pair_scores(p, k, HELD_OUT, settings.check) for k in range(len(arena.opponents))]
                     for p in (start, found))  # fmt: skip
    checks = [_check(*scores) for scores in zip(settings.against, before, after, strict=True)]
    return checks, np.asarray(np.mean(after, axis=0) - np.mean(before, axis=0))  # all opponents meet the same packs


def _half_width(x: np.ndarray) -> float:
    return 1.96 * float(x.std(ddof=1)) / math.sqrt(len(x))


def _check(opponent: str, before: np.ndarray, after: np.ndarray) -> Check:
    gain = after - before
    return Check(
        opponent, len(gain), float(before.mean()), float(after.mean()), _half_width(after), float(gain.mean()), _half_width(gain)
    )


def command_of(spec: str, settings: TuneSettings) -> str:
    """The command that tunes it again."""
    words = ["basra-sim", "tune", spec, "--against", ",".join(settings.against)]
    words += ["--rules", str(settings.rules), *(w for s in settings.set for w in ("--set", s)), "--unit", settings.unit]
    words += [w for name in settings.only for w in ("--only", name)]
    for name in ("generations", "population", "pairs", "check", "spread", "seed"):
        words += [f"--{name}", str(getattr(settings, name))]
    return shlex.join(words)


# ------------------------------------------------------------------------------------------------ resuming
def _identity(spec: str, settings: TuneSettings, start: dict[str, float]) -> dict[str, Any]:
    content = asdict(settings)
    for name in ("generations", "check", "strategies"):
        content.pop(name)
    content["rules"] = settings.rules if isinstance(settings.rules, str) else settings.rules.digest()
    content["spec"], content["start"] = spec, start
    return dict(json.loads(json.dumps(content)))


class _Kept:
    """The shares of every candidate of each generation so far, in a file if there is one."""

    def __init__(self, path: Path | None, identity: dict[str, Any], generations: int) -> None:
        self.path, self.identity = path, identity
        self.shares = self._read()[:generations] if path is not None and path.exists() else []

    def _read(self) -> list[list[float]]:
        assert self.path is not None
        try:
            content = json.loads(self.path.read_text())
            its_own, shares = content["settings"], content["shares"]
        except (OSError, ValueError, KeyError, TypeError):
            raise BadInput(f"{self.path} is no tuning state; give another --state file or delete it") from None
        if its_own != self.identity:
            raise BadInput(
                f"{self.path} belongs to a tuning run with other settings; give another --state file or delete it"
            )
        return [list(map(float, row)) for row in shares]

    def add(self, shares: list[float]) -> None:
        """One more generation; the file is the old one or the new one at any moment."""
        self.shares.append(shares)
        if self.path is not None:
            own = self.path.with_name(self.path.name + ".tmp")
            own.write_text(json.dumps({"settings": self.identity, "shares": self.shares}))
            own.replace(self.path)
