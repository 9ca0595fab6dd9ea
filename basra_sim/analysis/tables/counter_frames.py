"""The counters of a run as frames: plays by deal and ply, plays by floor and card, rounds by role. No statistics.

Only matches against others count for a strategy, unless it met nobody else (a strategy against itself).
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from basra_sim.records.counters import CLASSES, KINDS, MAX_FLOOR, MIDDLE, ROLES, MatchTotals, RunTotals, match_name

from .summary import same_strategy

BASRAS = ("basra", "komi_basra", "jack_basra")
CAPTURES = ("capture", "sweep", *BASRAS)
PLIES = 8  # of a deal; even: leader
DEALS = 6


def counted_sides(run: RunTotals) -> list[tuple[MatchTotals, int, str, str]]:
    """(match, side, strategy, opponent) of every side that counts for its strategy."""
    entries = {entry["name"]: entry for entry in run.strategies}

    def itself(m: MatchTotals) -> bool:
        one, two = entries.get(m.a), entries.get(m.b)
        return m.a == m.b or (one is not None and two is not None and same_strategy(one, two))

    met = {name for m in run.matches if m.games and not itself(m) for name in (m.a, m.b)}
    names = [entry["name"] for entry in run.strategies] or list(dict.fromkeys(n for m in run.matches for n in (m.a, m.b)))
    sides = [
        (m, side, (m.a, m.b)[side], (m.b, m.a)[side])
        for m in run.matches
        if m.games
        for side in (0, 1)
        if not itself(m) or (m.a, m.b)[side] not in met
    ]
    return sorted(sides, key=lambda row: names.index(row[2]))


def _labels(sides: list[tuple[MatchTotals, int, str, str]], size: int) -> dict[str, np.ndarray]:
    """Strategy, opponent and match, each repeated `size` times."""
    words = {
        "strategy": [row[2] for row in sides],
        "opponent": [row[3] for row in sides],
        "match": [match_name(row[0].a, row[0].b) for row in sides],
    }
    return {name: np.repeat(np.array(values, object), size) for name, values in words.items()}


def _with_kinds(labels: dict[str, np.ndarray], counts: np.ndarray) -> pd.DataFrame:
    """labels plus a column a kind; counts (rows, kinds); and sums of kinds."""
    frame = pd.DataFrame(labels | {kind: counts[:, k] for k, kind in enumerate(KINDS)})
    frame["plays"] = counts.sum(axis=1)
    frame["basras"] = frame[list(BASRAS)].sum(axis=1)
    frame["captures"] = frame[list(CAPTURES)].sum(axis=1)
    return frame


def plays_frame(run: RunTotals) -> pd.DataFrame:
    """A row a match, side, role, deal and ply: plays of each kind, all plays and cards taken.

    ply is 0..7 in the deal, even for the leader. `taken` counts floor cards and, with every capture, the card played.
    """
    sides = counted_sides(run)
    role, deal, own = (x.ravel() for x in np.indices((2, DEALS, PLIES // 2)))
    counts = np.array([m.plays[side] for m, side, _, _ in sides], np.int64).reshape(-1, len(KINDS))
    taken = np.array([m.taken[side] for m, side, _, _ in sides], np.int64).reshape(-1, len(KINDS))
    labels = _labels(sides, len(role))
    many = len(sides)
    labels |= {"role": np.tile(np.array(ROLES, object)[role], many), "deal": np.tile(deal, many),
               "ply": np.tile(2 * own + role, many)}  # fmt: skip
    frame = _with_kinds(labels, counts)
    frame["taken"] = taken.sum(axis=1) + frame["captures"]
    return frame


def faced_frame(run: RunTotals) -> pd.DataFrame:
    """A row a match, side, floor size before the play and class of the card played, where there was any play."""
    sides = counted_sides(run)
    floor, card = (x.ravel() for x in np.indices((MAX_FLOOR, len(CLASSES))))
    counts = np.array([m.faced[side] for m, side, _, _ in sides], np.int64).reshape(-1, len(KINDS))
    labels = _labels(sides, len(floor))
    labels |= {"floor": np.tile(floor, len(sides)), "card": np.tile(np.array(CLASSES, object)[card], len(sides))}
    frame = _with_kinds(labels, counts)
    return frame[frame["plays"] > 0].reset_index(drop=True)


def rounds_frame(run: RunTotals) -> pd.DataFrame:
    """A row a match, side and role: rounds, points, cards, majorities, rounds won, and games begun in that role."""
    rows = []
    for m, side, strategy, opponent in counted_sides(run):
        for role in (0, 1):
            role_of_a = role ^ side
            margins = m.round_margins[role_of_a]
            better, worse = int(margins[MIDDLE + 1 :].sum()), int(margins[:MIDDLE].sum())
            won, lost, nobody = (int(x) for x in m.majorities[role_of_a])
            wins, losses, draws = (int(x) for x in m.winners[1 - role_of_a])
            if side:
                better, worse, won, lost, wins, losses = worse, better, lost, won, losses, wins
            rows.append({
                "strategy": strategy, "opponent": opponent, "match": match_name(m.a, m.b), "role": ROLES[role],
                "rounds": int(margins.sum()), "rounds_won": better, "rounds_lost": worse,
                "rounds_level": int(margins[MIDDLE]), "majority_won": won, "majority_lost": lost, "majority_level": nobody,
                "points": int(m.role_points[role_of_a, side]), "cards": int(m.role_cards[role_of_a, side]),
                "games": wins + losses + draws, "wins": wins, "losses": losses, "draws": draws,
            })  # fmt: skip
    return pd.DataFrame(rows)
