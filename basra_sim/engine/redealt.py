"""The packs and opening floors of a run, dealt again from its seed alone: nothing is played and nothing stored."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from basra_sim.game.cards import JACK, KOMI
from basra_sim.game.rules import RuleSet

from .jit.compiling import kernel
from .jit.instructions import signed64, word
from .layouts import card_stream_at
from .streams import PACK, hash_pair, open_card_stream, seed_keys, shuffle_pack

BANNED = {"jacks_and_komi": (JACK, KOMI), "jacks": (JACK, None), "none": (None, None)}


@kernel
def _deal_packs(out, state, seed, pairs, rounds, count):
    pair_key, round_key = seed_keys(seed)
    stream = card_stream_at(state)
    for k in range(count):
        open_card_stream(stream, hash_pair(pair_key, word(pairs, k)), round_key, word(rounds, k), PACK)
        shuffle_pack(out + 52 * k, stream)


def packs_of(seed: int, pairs: np.ndarray, rounds: np.ndarray) -> np.ndarray:
    """(n, 52) uint8: the pack of round rounds[i] of game pair pairs[i] as shuffled, top card first.

    Both games of a pair, and the same pair in every match of a run, are played with this pack.
    """
    pairs, rounds = (np.ascontiguousarray(x, np.int64) for x in (pairs, rounds))
    out = np.empty((len(pairs), 52), np.uint8)
    state = np.zeros(8, np.int64)
    _deal_packs(out.ctypes.data, state.ctypes.data, signed64(seed), pairs.ctypes.data, rounds.ctypes.data, len(pairs))
    return out


def opening_floors(packs: np.ndarray, floor_banned: str) -> np.ndarray:
    """(n, 4) uint8: the first floor of each pack, in the order turned up.

    A banned card goes back into the stock, wherever to, and is turned down again should it come up a second time: so the
    floor is the first four cards after the hands that are not banned.
    """
    jack, komi = BANNED[floor_banned]
    stock = packs[:, 8:17]  # at most five cards are banned
    fine = np.ones(stock.shape, bool)
    if jack is not None:
        fine &= stock // 4 != jack - 1
    if komi is not None:
        fine &= stock != komi
    order = np.argsort(~fine, axis=1, kind="stable")[:, :4]
    return np.take_along_axis(stock, order, axis=1)


def floor_dealer(seed: int, rules: dict[str, Any]) -> Callable[[np.ndarray, np.ndarray], np.ndarray]:
    """A function from (pairs, rounds) to their opening floors (n, 4), for a run's seed and rules (as in its manifest)."""
    known = RuleSet(**rules)  # options that an older run did not know have their defaults
    banned = "none" if known.floor_ban_action == "leave" else known.floor_banned
    return lambda pairs, rounds: opening_floors(packs_of(seed, pairs, rounds), banned)
