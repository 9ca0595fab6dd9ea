"""Reads what `shuffle game` plays: packs from anywhere, two strategies by name."""

from __future__ import annotations

from typing import Any

import numpy as np

from basra_sim.errors import BadInput
from basra_sim.shuffles.verdict.one_source import Request, Source

from .game_effect import MOST_PACKS, GameEffect, effect_on_game


def game_of(players: str, jobs: int, *, seed: int, decks: int | None, **options: Any) -> GameEffect:
    """The effect of a source of packs on the game. Raises BadInput for what cannot be read or played."""
    names = [name.strip() for name in players.split(",")]
    if len(names) == 1:
        names *= 2
    if len(names) != 2 or not all(names):
        raise BadInput(f"--players '{players}': name two strategies, such as greedy,basra-first")
    is_log = options.get("source") is not None
    source = Source(Request(seed=seed, decks=decks or (MOST_PACKS if is_log else None), **options))
    packs = np.concatenate(list(source.chunks()))
    if not source.faces:
        raise BadInput("these decks are numbers of unknown cards, so nothing can be played; say --map, such as CDHS-A2K")
    return effect_on_game(packs, (names[0], names[1]), seed=seed, jobs=jobs, read=source.lines())
