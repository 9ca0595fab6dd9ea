"""What a run can be asked: checked, as a command, and as a manifest keeps it. Loads no engine, so that refusals come at once."""

from __future__ import annotations

import hashlib
import json
import secrets
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from basra_sim.errors import BadInput
from basra_sim.game.rules import RuleSet

RECORDS = ("none", "rounds", "games")
MOST_SEED = (1 << 64) - 1


@dataclass
class Settings:
    """Everything that a run can be asked; the defaults are those of `basra-sim run`."""

    games: int = 10_000  # per match; rounds if unit is "round"; ignored with packs
    seed: int | None = None  # drawn if None
    rules: str | RuleSet = "egyptian-v2"
    set: Sequence[str] = ()  # OPTION=VALUE on top of the rules
    unit: str = "game"  # "game" or "round"
    packs: str | Path | None = None  # a pack file: each pack is one pair of rounds
    jobs: int = 1
    records: str = "none"  # "rounds" or "games" write a Parquet file of them
    interpret: bool = False
    strategies: Sequence[str | Path] = ()  # folders to search first
    tournament: str = "round-robin"  # or gauntlet, swiss, knockout, adaptive
    sprt: str | None = None  # "elo0=0,elo1=5[,alpha=.05,beta=.05]": each match ends when the test is decided
    until: str | None = None  # "0.2%": each match ends when its interval, valid at any time, is so narrow to each side
    on_fault: str | None = None  # "stop" or "forfeit"; None: stop with two strategies, forfeit with more
    play_timeout: float = 10.0  # seconds of CPU time for a play, where faults are forfeits and the strategy not built in
    backend: str = "threads"  # or "dask": on the workers of `scheduler`
    scheduler: str | None = None
    chunk_pairs: int | None = None  # None: chunks of about a quarter of a second

    def forgives(self, strategies: int) -> bool:
        """Whether a fault costs a strategy the game, and does not stop the run."""
        return self.on_fault == "forfeit" or (self.on_fault is None and strategies > 2)


def check(settings: Settings, strategies: int) -> tuple[int, int, list[str]]:
    """The games a match, the seed and the notes of a run; BadInput for what cannot be asked."""
    if strategies < 2:
        raise BadInput("a run needs two strategies or more; to see one against itself, name it twice")
    if settings.jobs < 1:
        raise BadInput(f"--jobs {settings.jobs}: at least 1 worker is needed")
    if settings.games < 1:
        raise BadInput(f"--games {settings.games}: at least 1 game a match is needed")
    if settings.unit not in ("game", "round"):
        raise BadInput(f"--unit {settings.unit}: it is game or round")
    if settings.records not in RECORDS:
        raise BadInput(f"--records {settings.records}: it is one of {', '.join(RECORDS)}")
    if settings.on_fault not in (None, "stop", "forfeit"):
        raise BadInput(f"--on-fault {settings.on_fault}: it is stop or forfeit")
    if not 0.01 <= settings.play_timeout <= 86_400:
        raise BadInput(f"--play-timeout {settings.play_timeout:g}: give seconds of CPU time, from 0.01 to 86400")
    if settings.backend not in ("threads", "dask"):
        raise BadInput(f"--backend {settings.backend}: it is threads or dask")
    seed = secrets.randbits(40) if settings.seed is None else settings.seed
    if not 0 <= seed <= MOST_SEED:
        raise BadInput(f"--seed {seed}: a seed is a whole number from 0 to 2^64-1")
    notes = []
    games = settings.games
    if games % 2 and settings.packs is None:
        word = "rounds" if settings.unit == "round" else "games"
        notes.append(f"{games:,} {word} a match rounded up to {games + 1:,}: they are played in pairs with the seats swapped")
        games += 1
    return games, seed, notes


def command_of(settings: Settings, specs: Sequence[str], unit: str, games: int, seed: int) -> str:
    """The command that plays the same run again, whatever machine and number of workers."""
    words = ["basra-sim", "run", *specs]
    if unit == "packs":
        words += ["--packs", str(settings.packs)]
    else:
        words += ["--games", str(games)]
        if unit == "round":
            words += ["--unit", "round"]
    words += ["--seed", str(seed)]
    if settings.rules != "egyptian-v2":
        words += ["--rules", settings.rules if isinstance(settings.rules, str) else settings.rules.name]
    for setting in settings.set:
        words += ["--set", setting]
    if settings.tournament != "round-robin":
        words += ["--tournament", settings.tournament]
    for name in ("sprt", "until", "on_fault"):
        if getattr(settings, name) is not None:
            words += [f"--{name.replace('_', '-')}", str(getattr(settings, name))]
    if settings.records != "none":
        words += ["--records", settings.records]
    if settings.interpret:
        words += ["--interpret"]
    if settings.play_timeout != Settings.play_timeout:
        words += ["--play-timeout", f"{settings.play_timeout:g}"]
    for folder in settings.strategies:
        words += ["--strategies", str(folder)]
    return shlex.join(words)


def settings_json(settings: Settings, packs: np.ndarray | None, engine: str) -> dict[str, Any]:
    """What a manifest keeps so that the run can be taken up again; the same for any number of workers.

    `packs` are those of the pack file, `engine` a hash of the sources that compiled code is made of.
    """
    return {
        "games": settings.games,
        "unit": settings.unit,
        "rules": settings.rules if isinstance(settings.rules, str) else None,
        "set": list(settings.set),
        "packs": None if settings.packs is None else str(settings.packs),
        "packs_sha256": None if packs is None else hashlib.sha256(packs.tobytes()).hexdigest(),
        "records": settings.records,
        "interpret": settings.interpret,
        "strategies": [str(folder) for folder in settings.strategies],
        "tournament": settings.tournament,
        "sprt": settings.sprt,
        "until": settings.until,
        "on_fault": settings.on_fault,
        "play_timeout": settings.play_timeout,
        "engine": engine,
    }


def settings_of(manifest: dict[str, Any], folder: Path, **where: Any) -> Settings:
    """The settings that a run was played with, from its manifest; `where` it is played now: jobs, backend, scheduler."""
    saved = manifest.get("settings") or {}
    if not saved:
        raise BadInput(f"{folder} was written before runs could be taken up again; play it again with its command")
    rules = saved["rules"] if saved["rules"] is not None else RuleSet(**manifest["rules"])
    return Settings(
        games=manifest["games_per_match"] if manifest["unit"] != "packs" else saved["games"],
        seed=manifest["seed"], rules=rules, set=saved["set"] if saved["rules"] is not None else (), unit=saved["unit"],
        packs=saved["packs"], records=saved["records"], interpret=saved["interpret"],
        strategies=saved["strategies"], tournament=saved["tournament"], sprt=saved["sprt"], until=saved["until"],
        on_fault=saved["on_fault"], play_timeout=saved["play_timeout"], **where,
    )  # fmt: skip


def extra_bytes(settings: dict[str, Any]) -> bytes:
    """What the digest covers beside the plan, from settings by name: nothing for a plain round robin."""
    names = {"tournament": "round-robin", "sprt": None, "until": None}
    extra = {name: settings[name] for name, usual in names.items() if settings[name] != usual}
    return json.dumps(extra, sort_keys=True, separators=(",", ":")).encode() if extra else b""
