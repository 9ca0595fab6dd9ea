"""What a run leaves behind: dtypes declared once, exact counters, the format version. Knows no engine and no statistics.

Simulating writes these, everything else reads them. "a" and "b" are the two strategies of a match in the order of the
schedule; "side" 0 is a and 1 is b; "role" 0 is the leader (who plays first in each deal of a round) and 1 the dealer.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

FORMAT_VERSION = 1

N_KINDS = 6  # lay, capture, sweep, basra, komi_basra, jack_basra: basra_sim.game.rules.Kind
N_CLASSES = 14  # ranks A..K as 0..12, and the komi apart as 13
MAX_FLOOR = 24  # floor sizes 0..23 are counted apart, larger ones in the last cell
MAX_LENGTH = 64  # game lengths in rounds 0..63, longer ones in the last cell
MARGIN_CELLS = 1025  # margins -512..512 in units of `margin_unit`, larger ones in the end cells
MIDDLE = MARGIN_CELLS // 2  # the cell of margin 0
# Pairs are also summed by pair index modulo this: matches share packs by pair index, and resampling these groups in all
# matches at once gives intervals for what several matches say together, in memory that does not grow.
GROUPS = 512
GROUP_FIELDS = ("half_points_a", "margin", "rounds")  # of both games of the pairs; margin: points of a less those of b
# The words for them in tables and files
SIDES = ("a", "b")
WINNERS = ("a", "b", "draw")
ROLES = ("leader", "dealer")
KINDS = ("lay", "capture", "sweep", "basra", "komi_basra", "jack_basra")
CLASSES = (*"A23456789TJQK", "komi")
# Why a game was forfeited; only with --on-fault forfeit
FORFEITS = ("illegal", "no_card", "raised", "timeout", "exited", "memory")

# One game. Everything is an exact integer; winner 0 a, 1 b, 2 draw; first_dealer 0 a, 1 b.
GAME_DTYPE = np.dtype(
    [(name, "<i4") for name in (
        "a_seat", "first_dealer", "rounds", "winner",
        "score_a", "score_b", "cards_a", "cards_b",
        "basras_a", "basras_b", "komi_basras_a", "komi_basras_b", "jack_basras_a", "jack_basras_b",
    )]
)  # fmt: skip

# One round. leader 0 a, 1 b; points include the majority; basras are those that are neither komi nor jack basras.
ROUND_DTYPE = np.dtype(
    [("pair", "<i8")]
    + [(name, "<i4") for name in (
        "game", "round", "leader",
        "points_leader", "points_dealer", "cards_leader", "cards_dealer",
        "basras_leader", "basras_dealer", "komi_basras_leader", "komi_basras_dealer",
        "jack_basras_leader", "jack_basras_dealer",
    )]
)  # fmt: skip

# Per pair (both games added up), whose sums and products the ratio intervals need, in this order:
PAIR_FIELDS = (
    "rounds", "points_a", "points_b", "basras_a", "basras_b", "komi_basras_a", "komi_basras_b",
    "jack_basras_a", "jack_basras_b", "cards_a", "cards_b", "half_points_a", "leader_points", "dealer_points",
)  # fmt: skip


def _zeros(*shape: int) -> np.ndarray:
    return np.zeros(shape, dtype=np.int64)


@dataclass
class MatchTotals:
    """The exact counters of one match; adding two of them adds every field. All arrays are int64.

    `half_points_a` of a pair is 0..4: a's game points (1 a win, 1/2 a draw) in the pair times two.
    """

    a: str
    b: str
    games: int = 0
    pairs: int = 0
    rounds: int = 0
    margin_unit: int = 1  # points a cell of the margin histograms: the greatest common divisor of all point values
    # games by (who dealt first: a, b) x (winner: a, b, draw)
    winners: np.ndarray = field(default_factory=lambda: _zeros(2, 3))
    # pairs by a's half points 0..4: the pentanomial
    pair_scores: np.ndarray = field(default_factory=lambda: _zeros(5))
    # sums over pairs of PAIR_FIELDS, and of their products (symmetric): Python ints, since products may pass 64 bits
    pair_sums: list[int] = field(default_factory=lambda: [0] * len(PAIR_FIELDS))
    pair_products: list[list[int]] = field(default_factory=lambda: [[0] * len(PAIR_FIELDS) for _ in PAIR_FIELDS])
    # games: sum of squares of (score_a - score_b), for what pairing gained
    game_margin_squares: int = 0
    game_margin_sum: int = 0
    # plays and floor cards taken by side x role x deal x own ply in the deal (0..3) x kind
    plays: np.ndarray = field(default_factory=lambda: _zeros(2, 2, 6, 4, N_KINDS))
    taken: np.ndarray = field(default_factory=lambda: _zeros(2, 2, 6, 4, N_KINDS))
    # plays by side x floor size left by the other x class played x kind
    faced: np.ndarray = field(default_factory=lambda: _zeros(2, MAX_FLOOR, N_CLASSES, N_KINDS))
    # rounds by role of a x majority (a, b, nobody)
    majorities: np.ndarray = field(default_factory=lambda: _zeros(2, 3))
    # points of the rounds by role of a x side, cards likewise
    role_points: np.ndarray = field(default_factory=lambda: _zeros(2, 2))
    role_cards: np.ndarray = field(default_factory=lambda: _zeros(2, 2))
    # rounds by role of a x margin (points a - points b) cell; pairs by margin of the scores of both games added
    round_margins: np.ndarray = field(default_factory=lambda: _zeros(2, MARGIN_CELLS))
    pair_margins: np.ndarray = field(default_factory=lambda: _zeros(MARGIN_CELLS))
    # sums over the pairs of a group (pair index modulo GROUPS) of GROUP_FIELDS
    group_sums: np.ndarray = field(default_factory=lambda: _zeros(GROUPS, len(GROUP_FIELDS)))
    # forfeited games by side at fault x why; such a game counts as lost, and in no average of points
    forfeits: np.ndarray = field(default_factory=lambda: _zeros(2, len(FORFEITS)))
    # games by length in rounds; forfeited games have none
    lengths: np.ndarray = field(default_factory=lambda: _zeros(MAX_LENGTH))

    @property
    def name(self) -> str:
        """The name of the match in every file."""
        return match_name(self.a, self.b)

    def sums(self) -> dict[str, Any]:
        """The fields SUMS as plain values for JSON; ``MatchTotals(**sums)`` has them again."""
        return {name: _plain(getattr(self, name)) for name in SUMS}

    def add(self, other: MatchTotals) -> None:
        """Add another part of the same match to this one."""
        for name in ("games", "pairs", "rounds", "game_margin_squares", "game_margin_sum"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for name in ARRAY_FIELDS:
            getattr(self, name).__iadd__(getattr(other, name))
        self.pair_sums = [x + y for x, y in zip(self.pair_sums, other.pair_sums, strict=True)]
        self.pair_products = [
            [x + y for x, y in zip(row, more, strict=True)]
            for row, more in zip(self.pair_products, other.pair_products, strict=True)
        ]


# what is no array: texts and whole numbers of any size
SUMS = (
    "a", "b", "games", "pairs", "rounds", "margin_unit", "game_margin_squares", "game_margin_sum", "pair_sums", "pair_products",
)  # fmt: skip
ARRAY_FIELDS = (
    "winners", "pair_scores", "plays", "taken", "faced", "majorities", "role_points", "role_cards",
    "round_margins", "pair_margins", "group_sums", "forfeits", "lengths",
)  # fmt: skip


def _plain(value: Any) -> Any:
    if isinstance(value, list):
        return [_plain(one) for one in value]
    return value if isinstance(value, str) else int(value)


@dataclass
class RunTotals:
    """Everything that the tables and files of a run are made of: what was asked, and the exact counters of each match."""

    rules: dict  # RuleSet.to_dict()
    rules_name: str
    seed: int
    unit: str  # "game", "round" or "packs" (given packs: single rounds)
    games_per_match: int
    strategies: list[dict]  # name (as in the run: unique), spec, file, sha256, mode ("compiled", "interpreted"), reason
    matches: list[MatchTotals]
    digest: str
    command: str
    complete: bool = True  # False after Ctrl-C or a fault: the tables say so
    seconds: float = 0.0  # of the playing alone
    version: str = ""
    notes: list[str] = field(default_factory=list)  # one line each: rounding up to pairs, interpreted and why ...
    # the form of the tournament, when it stops, whether intervals may be watched; empty for a plain round robin
    design: dict = field(default_factory=dict)
    settings: dict = field(default_factory=dict)  # what resume and extend need to go on
    chains: list[dict] = field(default_factory=list)  # the digest of each match, to be added to (digest.Chain.save)
    match_digests: list[str] = field(default_factory=list)  # and as it stands


def match_name(a: str, b: str) -> str:
    """The name of a match in every file: ``"greedy vs random"``."""
    return f"{a} vs {b}"
