"""Flaws so plain that they can be pointed at: a stuck card, places that are never shuffled, an order that never changes."""

from __future__ import annotations

from math import factorial

import numpy as np

from basra_sim.game.cards import TEXTS

from .effect_sizes import repeated_decks
from .tally import Tally

MOSTLY = 0.5


def card_name(card: int, n: int) -> str:
    """A card as text when the pack has faces, else its number."""
    if n != 52:
        return f"card {card}"
    return TEXTS[card]


def _runs(places: np.ndarray) -> str:
    """Places (from 0) as "1-20, 25", counted from 1."""
    groups = np.split(places, np.flatnonzero(np.diff(places) > 1) + 1)
    return ", ".join(f"{g[0] + 1}-{g[-1] + 1}" if len(g) > 1 else f"{g[0] + 1}" for g in groups)


def plain_flaws(tally: Tally) -> list[str]:
    """Such flaws in words, most telling first."""
    n, decks = tally.n, tally.decks
    if decks < 5 or n < 5:
        return []
    lines = _repeats(tally)
    kept = np.diag(tally.lag_places[0]) / max(1, tally.pairs_of_decks(1))
    stale = np.flatnonzero(kept > MOSTLY)
    stuck = np.argwhere(tally.places > MOSTLY * decks)
    if len(stuck) > 3:
        lines.append(f"places {_runs(np.sort(stuck[:, 1]))} mostly hold the same card in every deck: hardly shuffled")
    elif len(stale) > max(3, len(stuck)):
        lines.append(f"places {_runs(stale)} mostly hold the same cards as in the deck before: not shuffled again")
    elif len(stuck):
        card, place = (int(x) for x in stuck[0])
        share = tally.places[card, place] / decks
        more = f", and {len(stuck) - 1} more such" if len(stuck) > 1 else ""
        lines.append(f"{card_name(card, n)} is at place {place + 1} in {share:.0%} of the decks{more}: a stuck card")
    if tally.histogram("cycles")[1] == decks and tally.histogram("fixed")[0] == decks:
        lines.append("no card ever stays and there is always one cycle: an off-by-one in the loop (Sattolo)")
    return lines


def _repeats(tally: Tally) -> list[str]:
    """Repeated decks, where chance gives none."""
    decks = tally.decks
    repeats = repeated_decks(tally)
    if not repeats.pairs or decks * decks / 2 / factorial(tally.n) > 1e-3:
        return []
    if repeats.lag_share > MOSTLY and repeats.pairs > 1:
        later = f"{repeats.lag:,} decks later" if repeats.lag != 1 else "at once"
        return [f"the same decks come again {later}: seeds that repeat, copied generator state or a restart"]
    return [f"decks repeat as if there were only about 2^{repeats.seed_bits:.1f} of them: too few seeds"]
