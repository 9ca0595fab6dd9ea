"""Does a play change when the cards that the player cannot see are reshuffled? Real replays of packs, changed where hidden.

A pack is played by the strategy against a script. Then the cards that were unseen at a play are permuted between the other
hand and the stock, the script lays the same cards again, and up to that play the strategy must do as it did.
"""

from __future__ import annotations

import random
import time
from dataclasses import dataclass
from typing import Any

import numpy as np

from basra_sim.engine.floor_table.kept_tables import load_table
from basra_sim.game.cards import JACKS, KOMI, card_text
from basra_sim.game.rules import RuleSet
from basra_sim.players.loading import load
from basra_sim.players.player import Player, prepare
from basra_sim.players.python_objects import from_object
from basra_sim.workers.fault_words import fault_error
from basra_sim.workers.plan import Plan
from basra_sim.workers.worker import Worker

BANNED = JACKS | 1 << KOMI
RULES = RuleSet(single_round=True)


@dataclass
class HiddenCards:
    """What was tried and the first play that changed, in words ("" for none); `fault` when the strategy broke off."""

    positions: int = 0
    changed: str = ""
    fault: str = ""


class _Script:
    """The other side: the cards it is told, ply by ply, and its lowest card where the script ends or does not fit."""

    def __init__(self) -> None:
        self.cards: dict[int, int] = {}

    def choose(self, view: Any) -> int:
        card = self.cards.get(view.ply, -1)
        return card if card >= 0 and view.hand >> card & 1 else (view.hand & -view.hand).bit_length() - 1


def hidden_cards(player: Player, *, packs: int, seed: int, seconds: float) -> HiddenCards:
    """Try `packs` packs, the strategy leading in one half of them and dealing in the other, several positions in each."""
    draw = random.Random(seed)  # an instance of its own: a strategy that uses Python's random is not disturbed
    opponent = prepare(load("greedy"))
    script = _Script()
    scripted = Player(from_object(script.choose, "script"), None, "a script")
    result, stop = HiddenCards(), time.perf_counter() + seconds
    for number in range(packs):
        if number and time.perf_counter() > stop:
            break
        pack = _pack(draw)
        game = number % 2  # in game 0 of a pair the first strategy leads
        try:
            played = _play(player, opponent, pack, game, seed)
            for position in _positions(draw, game):
                script.cards = dict(enumerate(played[:position]))
                other = _reshuffled(pack, played, position, draw)
                again = _play(player, scripted, other, game, seed)
                result.positions += 1
                if again[: position + 1] != played[: position + 1]:
                    result.changed = _told(played, again, position, number)
                    return result
        except _Stopped as stopped:
            result.fault = str(stopped)
            return result
    return result


class _Stopped(Exception):
    """The strategy was at fault."""


def _pack(draw: random.Random) -> list[int]:
    """A pack without banned cards in the first floor, so that it is dealt as it lies."""
    while True:
        pack = draw.sample(range(52), 52)
        if not any(BANNED >> card & 1 for card in pack[8:12]):
            return pack


def _play(player: Player, opponent: Player, pack: list[int], game: int, seed: int) -> list[int]:
    """The 48 cards of the round in which the strategy leads (game 0) or deals (game 1)."""
    plan = Plan(RULES, seed, "packs", 2, [player, opponent], [(0, 1)], np.array([pack], np.uint8))
    worker = Worker(plan, 0, load_table(RULES), 1, False)
    history = worker.memory.keep_history(2)
    _, fault = worker.play(0, 1)
    if fault is not None:
        raise _Stopped(str(fault_error(plan, 0, fault)))
    return [int(card) for card in history[game, :48]]


def _positions(draw: random.Random, game: int) -> list[int]:
    """Plies of the strategy: one of each of the first five deals; in the last deal only the other hand is left to change."""
    return [8 * deal + 2 * draw.randrange(4) + game for deal in range(6)]


def _reshuffled(pack: list[int], played: list[int], position: int, draw: random.Random) -> list[int]:
    """The pack with the cards permuted that the player to move at `position` has not seen."""
    deal, leading = position // 8, position % 2 == 0
    before = set(played[:position])
    first = 0 if deal == 0 else 4 + 8 * deal
    others = range(first + 4, first + 8) if leading else range(first, first + 4)
    stock = range(12 if deal == 0 else first + 8, 52)
    places = [place for place in others if pack[place] not in before] + list(stock)
    cards = [pack[place] for place in places]
    draw.shuffle(cards)
    changed = list(pack)
    for place, card in zip(places, cards, strict=True):
        changed[place] = card
    return changed


def _told(played: list[int], again: list[int], position: int, number: int) -> str:
    ply = next(ply for ply in range(position + 1) if played[ply] != again[ply])
    return (
        f"in position {number} (ply {ply}) it played {card_text(played[ply])}, and {card_text(again[ply])} when the hidden cards "
        "lay otherwise"
    )
