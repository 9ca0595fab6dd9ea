"""What is to be played: rules, seed, players made ready and who meets whom. Knows strategies, plays nothing."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from basra_sim.game.rules import RuleSet
from basra_sim.players.player import Player
from basra_sim.records.counters import FORMAT_VERSION, MatchTotals
from basra_sim.skill.value_tables import margin_unit


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

    def names(self, match: int) -> tuple[str, str]:
        """The two strategies of a match, as named in the run."""
        one, other = (self.players[number].strategy.name for number in self.matches[match])
        return one, other

    def is_compiled(self, match: int) -> bool:
        """Whether both strategies of a match play compiled."""
        return all(self.players[number].entry is not None for number in self.matches[match])

    def empty_totals(self, match: int) -> MatchTotals:
        """The counters of a match of which nothing is played yet."""
        return MatchTotals(*self.names(match), margin_unit=margin_unit(self.rules))

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
