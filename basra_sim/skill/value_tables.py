"""What a lead in cards and points is worth between deals, by rule set: counts of self-play turned into look-up tables.

Imports rules only: the tables ride behind the rule numbers that every worker hands to its strategies. measure.py makes the
counts; a rule set whose counts nobody has made yet gets the stated fallback of `fallback_counts`.
"""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import dataclass
from functools import lru_cache, reduce
from math import erf, exp, gcd, sqrt
from pathlib import Path
from typing import Any

import numpy as np

from basra_sim.game.rules import RuleSet, kind_points

# A boundary 0..6 is the start of a deal; 6 is the end of the round, where nothing is left to chance.
BOUNDARIES = 7
CARD_CELLS, CARD_ZERO = 105, 52  # lead in cards -52..52
POINT_CELLS, POINT_ZERO = 161, 80  # lead in points, in units, -80..80; larger ones count as 80
TOTAL_CELLS = 32  # scores of a game in the tables of mid-round, at most
GAME_CELLS = 64  # scores of a game in the table of a round's end, at most
MARGIN = 60  # points beyond the target that mid-round tables still tell apart

# Places in the table, in words of 64 bits (floats).
UNIT, GAME_CELL, GAME_SIZE, TOTAL_CELL, TOTAL_SIZE, TIE_LED, TIE_DEALT = range(7)
MORE = 8
FEWER = MORE + BOUNDARIES * CARD_CELLS
AHEAD = FEWER + BOUNDARIES * CARD_CELLS
FLOOR_SIZES = 16  # floors of 15 and more cards count as 15
FLOOR = AHEAD + BOUNDARIES * POINT_CELLS  # points to the leader for the size of the floor that a deal leaves him
GAME = FLOOR + BOUNDARIES * FLOOR_SIZES  # [I led this round][mine][other's]; the mid-round tables follow
FALLBACK_SPREAD = (11.0, 9.4, 9.0, 8.6, 8.2, 7.5)  # standard deviation of the change in cards from each deal to the end
FALLBACK_BASRAS = 0.28  # basras that a side makes in a deal


@dataclass(frozen=True)
class Counts:
    """How rounds went on from each deal's start, counted in self-play; "leader" leads the round.

    `cards[d]` maps the change of (leader's - dealer's) cards from the start of deal d to the end -> rounds; `points[d]` maps
    (leader's, dealer's) points made from there, majority apart, in units; `rounds` the same for a whole round with majority.
    `floors[d]` maps the number of cards on the floor to the points that the leader made beyond what his lead promised.
    """

    unit: int
    cards: tuple[dict[int, float], ...]
    points: tuple[dict[tuple[int, int], float], ...]
    rounds: dict[tuple[int, int], float]
    floors: tuple[dict[int, float], ...]
    source: str  # in words: who played how much, or that this is the fallback


def margin_unit(rules: RuleSet) -> int:
    """The greatest common divisor of everything that can be scored."""
    return reduce(gcd, [*kind_points(rules), rules.majority_points, *rules.points_of_cards()], 0) or 1


# ------------------------------------------------------------------------------------------------ which counts
NOT_OF_A_ROUND = ("target", "single_round", "first_dealer", "dealer_rotation")


def round_key(rules: RuleSet) -> str:
    """A name for the options that a round's course depends on: rule sets with equal keys share their counts."""
    content = {name: value for name, value in rules.to_dict().items() if name not in NOT_OF_A_ROUND}
    return hashlib.sha256(json.dumps(content, sort_keys=True, separators=(",", ":")).encode()).hexdigest()[:16]


def shipped_file() -> Path:
    """The counts that come with the program, by round key."""
    return Path(__file__).parent / "value_tables.json"


@lru_cache(maxsize=1)
def _shipped() -> dict[str, Any]:
    path = shipped_file()
    return dict(json.loads(path.read_text())) if path.exists() else {}


_MADE: dict[str, Counts] = {}


def known_counts(rules: RuleSet) -> Counts | None:
    """The counts of a rule set: made in this process, shipped, or kept in the cache folder; None if there are none."""
    key = round_key(rules)
    if key not in _MADE:
        content = _shipped().get(key) or _kept(key)
        if content is None:
            return None
        _MADE[key] = from_dict(content)
    return _MADE[key]


def counts_of(rules: RuleSet) -> Counts:
    """`known_counts`, or the fallback."""
    return known_counts(rules) or fallback_counts(rules)


def is_fallback(rules: RuleSet) -> bool:
    """Whether nobody has counted rounds under these rules yet, so that the fallback serves."""
    return known_counts(rules) is None


def _kept_path(key: str) -> Path:
    from basra_sim.engine.jit.cache_folder import cache_folder  # numba: tables alone are read and made without it

    return cache_folder() / f"values-{key}.json"


def _kept(key: str) -> dict[str, Any] | None:
    try:
        return dict(json.loads(_kept_path(key).read_text()))
    except (OSError, ValueError):
        return None


def use(rules: RuleSet, counts: Counts) -> None:
    """Use these counts from now on in this process."""
    _MADE[round_key(rules)] = counts
    block.cache_clear()


def keep(rules: RuleSet, counts: Counts) -> None:
    """`use` them, and keep them for other processes where the cache folder can be written."""
    use(rules, counts)
    path = _kept_path(round_key(rules))
    own = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    try:
        own.write_text(json.dumps(to_dict(counts)))
        os.replace(own, path)
    except OSError:
        own.unlink(missing_ok=True)


def to_dict(counts: Counts) -> dict[str, Any]:
    """For JSON."""
    return {
        "unit": counts.unit,
        "source": counts.source,
        "cards": [sorted([change, n] for change, n in part.items()) for part in counts.cards],
        "points": [sorted([a, b, n] for (a, b), n in part.items()) for part in counts.points],
        "rounds": sorted([a, b, n] for (a, b), n in counts.rounds.items()),
        "floors": [sorted([size, points] for size, points in part.items()) for part in counts.floors],
    }


def from_dict(content: dict[str, Any]) -> Counts:
    """The inverse of `to_dict`."""
    return Counts(
        content["unit"],
        tuple(dict(part) for part in content["cards"]),
        tuple({(a, b): n for a, b, n in part} for part in content["points"]),
        {(a, b): n for a, b, n in content["rounds"]},
        tuple(dict(part) for part in content["floors"]),
        content["source"],
    )


# ------------------------------------------------------------------------------------------------ the fallback
def fallback_counts(rules: RuleSet) -> Counts:
    """Stated guesses for a rule set without counts: cards change like a rounded normal, basras come by Poisson's law.

    Spreads FALLBACK_SPREAD by deal; FALLBACK_BASRAS ordinary basras a side and deal; card points are left out.
    """
    unit = margin_unit(rules)
    cards = tuple(_rounded_normal(spread) for spread in FALLBACK_SPREAD)
    points = []
    for deal in range(6):
        one = _poisson(FALLBACK_BASRAS * (6 - deal), rules.basra_points // unit)
        points.append({(a, b): p * q for a, p in one.items() for b, q in one.items()})
    stake = rules.majority_points // unit
    rounds: dict[tuple[int, int], float] = {}
    for (a, b), p in points[0].items():
        rounds[a + stake, b] = rounds.get((a + stake, b), 0.0) + p / 2
        rounds[a, b + stake] = rounds.get((a, b + stake), 0.0) + p / 2
    return Counts(unit, cards, tuple(points), rounds, ({},) * 6, "fallback: normal cards, Poisson basras, nothing measured")


def _rounded_normal(spread: float) -> dict[int, float]:
    def below(x: float) -> float:
        return 0.5 * (1 + erf(x / spread / sqrt(2)))

    return {change: below(change + 0.5) - below(change - 0.5) for change in range(-52, 53)}


def _poisson(mean: float, step: int) -> dict[int, float]:
    chances: dict[int, float] = {}
    chance = exp(-mean)
    for number in range(9):
        chances[number * step] = chances.get(number * step, 0.0) + chance
        chance *= mean / (number + 1)
    return chances


# ------------------------------------------------------------------------------------------------ tables
@lru_cache(maxsize=16)
def block(rules: RuleSet) -> np.ndarray:
    """The table of a rule set: float64 words at the places UNIT .. GAME and on. It is shared and cannot be written."""
    counts = counts_of(rules)
    game, total = _game_tables(rules, counts)
    table = np.zeros(GAME + game.size + total.size)
    table[MORE:FEWER], table[FEWER:AHEAD] = _card_tables(counts)
    table[AHEAD:FLOOR] = _point_table(counts)
    for deal, part in enumerate(counts.floors):
        for size, points in part.items():
            table[FLOOR + deal * FLOOR_SIZES + min(size, FLOOR_SIZES - 1)] = points
    table[UNIT] = counts.unit
    table[GAME_CELL], table[TOTAL_CELL] = _cells(rules, counts.unit)
    table[GAME_SIZE], table[TOTAL_SIZE] = game.shape[1], total.shape[2]
    table[TIE_LED], table[TIE_DEALT] = _ties_after(rules, counts)
    table[GAME : GAME + game.size] = game.ravel()
    table[GAME + game.size :] = total.ravel()
    table.flags.writeable = False
    return table


def majority_chances(changes: dict[int, float]) -> tuple[np.ndarray, np.ndarray]:
    """Chances to end with more, and with fewer cards, by lead now (-52..52), given counted changes to come."""
    leads = np.arange(CARD_CELLS) - CARD_ZERO
    total = sum(changes.values())
    more = sum(n / total * (leads + change > 0) for change, n in changes.items())
    fewer = sum(n / total * (leads + change < 0) for change, n in changes.items())
    return np.asarray(more), np.asarray(fewer)


def _card_tables(counts: Counts) -> tuple[np.ndarray, np.ndarray]:
    """Chances that the leader ends with more, and with fewer cards, by boundary and lead in cards now."""
    parts = [majority_chances(part) for part in (*counts.cards, {0: 1.0})]
    return np.concatenate([part[0] for part in parts]), np.concatenate([part[1] for part in parts])


def _point_table(counts: Counts) -> np.ndarray:
    """Chance (a draw counts half) that the leader ends ahead, by boundary and lead in points now, no majority to come."""
    ahead = np.zeros((BOUNDARIES, POINT_CELLS))
    leads = np.arange(POINT_CELLS) - POINT_ZERO
    for deal, part in enumerate(counts.points):
        total = sum(part.values())
        for (leader, dealer), n in part.items():
            ahead[deal] += n / total * (np.sign(leads + leader - dealer) + 1) / 2
    ahead[6] = (np.sign(leads) + 1) / 2
    return ahead.ravel()


def _cells(rules: RuleSet, unit: int) -> tuple[int, int]:
    """Points a cell in the table of a round's end, and in those of mid-round."""
    game = unit * -(-rules.target // (unit * GAME_CELLS))
    total = unit * -(-(rules.target + MARGIN) // (unit * TOTAL_CELLS))
    return game, total


def _round_chances(counts: Counts) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    total = sum(counts.rounds.values())
    pairs = np.array(list(counts.rounds), np.int64) * counts.unit
    return pairs[:, 0], pairs[:, 1], np.array(list(counts.rounds.values())) / total


def _ties(rules: RuleSet, counts: Counts) -> tuple[float, float]:
    """Chance to win a game that is level beyond the target for the side that will deal, and will lead, the next round."""
    leader, dealer, chance = _round_chances(counts)
    win, lose = float(chance[leader > dealer].sum()), float(chance[leader < dealer].sum())
    draw = 1 - win - lose
    if draw >= 1:
        return 0.5, 0.5
    if rules.dealer_rotation == "fixed":
        leading = win / (win + lose)
    else:  # leading = win + draw * dealing, dealing = lose + draw * leading
        leading = (win + draw * lose) / (1 - draw * draw)
    return 1 - leading, leading


def _ties_after(rules: RuleSet, counts: Counts) -> tuple[float, float]:
    """The same for the side that led, and that dealt, the round that ends."""
    dealing, leading = _ties(rules, counts)
    return (leading, dealing) if rules.dealer_rotation == "fixed" else (dealing, leading)


def _game_tables(rules: RuleSet, counts: Counts) -> tuple[np.ndarray, np.ndarray]:
    """Chances to win the game: by (I led the round that ends, my score, the other's); and in mid-round by boundary too.

    The first solves the game as a chain of rounds as they were counted. The second adds to it what both sides still make of
    the round on average over the counts, the majority apart, which the leaf adds itself.
    """
    cell, wide = _cells(rules, counts.unit)
    if rules.single_round:
        return np.zeros((2, 1, 1)), np.zeros((6, 2, 1, 1))
    size = -(-rules.target // cell)
    next_leads = _solve_game(rules, counts, cell, size)
    game = next_leads if rules.dealer_rotation == "fixed" else next_leads[::-1]
    ties = _ties_after(rules, counts)
    width = -(-(rules.target + MARGIN) // wide)
    total = np.zeros((6, 2, width, width))
    mine = np.arange(width)[:, None] * wide
    other = np.arange(width)[None, :] * wide
    for deal, part in enumerate(counts.points):
        whole = sum(part.values())
        for (leader, dealer), n in part.items():
            for led in range(2):
                one, two = (leader, dealer) if led else (dealer, leader)
                x, y = np.broadcast_arrays(mine + one * counts.unit, other + two * counts.unit)
                total[deal, led] += n / whole * _won(rules, game[led], ties[1 - led], cell, x, y)
    return game, total


def _won(rules: RuleSet, game: np.ndarray, tie: float, cell: int, mine: np.ndarray, other: np.ndarray) -> np.ndarray:
    """The chance to win with these scores at a round's end."""
    over = np.maximum(mine, other) >= rules.target
    most = len(game) - 1
    going_on = game[np.minimum(mine // cell, most), np.minimum(other // cell, most)]
    return np.where(over, np.where(mine == other, tie, mine > other), going_on)


def _solve_game(rules: RuleSet, counts: Counts, cell: int, size: int) -> np.ndarray:
    """[I deal (0) or lead (1) the next round][my cell][the other's]: the chance to win, from high scores downwards."""
    x, y, chance = _round_chances(counts)
    x, y = x // cell, y // cell
    ties = _ties(rules, counts)
    value = np.zeros((2, size, size))
    stays = float(chance[(x == 0) & (y == 0)].sum())
    moves = (x > 0) | (y > 0)
    x, y, chance = x[moves], y[moves], chance[moves]
    fixed = rules.dealer_rotation == "fixed"
    for mine in range(size - 1, -1, -1):
        for other in range(size - 1, -1, -1):
            sums = []
            for leads in (0, 1):
                then = leads if fixed else 1 - leads
                one, two = (mine + x, other + y) if leads else (mine + y, other + x)
                over = (one >= size) | (two >= size)
                on = value[then, np.minimum(one, size - 1), np.minimum(two, size - 1)]
                sums.append(float(chance @ np.where(over, np.where(one == two, ties[then], one > two), on)))
            if fixed:
                value[:, mine, other] = np.array(sums) / (1 - stays)
            else:  # a round without a point changes who leads: two equations
                value[0, mine, other] = (sums[0] + stays * sums[1]) / (1 - stays * stays)
                value[1, mine, other] = (sums[1] + stays * sums[0]) / (1 - stays * stays)
    return value


def majority_worth(rules: RuleSet, boundary: int, lead: int, leading: bool) -> float:
    """W(deal, difference): expected points of the majority for a side, from -majority_points to majority_points."""
    table = block(rules)
    place = boundary * CARD_CELLS + CARD_ZERO + (lead if leading else -lead)
    worth = float(table[MORE + place] - table[FEWER + place]) * rules.majority_points
    return worth if leading else -worth
