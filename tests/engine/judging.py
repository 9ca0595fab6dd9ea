"""A match by the compiled engine and by the judge (basra_sim.game.judge), side by side, down to every card and counter."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from basra_sim.engine.floor_table.kept_tables import load_table
from basra_sim.engine.layouts import HISTORY_BYTES
from basra_sim.engine.rule_numbers import rule_numbers
from basra_sim.engine.sight import View
from basra_sim.engine.streams import FIRST_DEALER, FLOOR_BAN, PACK, SEAT_0, CardStream, SeatStream
from basra_sim.game.cards import KOMI, to_set
from basra_sim.game.judge import GameResult, PlyEvent, _Round, dealers, first_dealer_seat, play_game
from basra_sim.game.rules import PRESETS, RuleSet
from basra_sim.players.interpreted_seat import OpenRules
from basra_sim.players.loading import load
from basra_sim.players.player import prepare
from basra_sim.players.python_objects import from_object
from basra_sim.players.strategy_files import builtin_folder, files_in
from basra_sim.records.counters import MatchTotals
from basra_sim.workers.plan import Plan
from basra_sim.workers.worker import Worker

STRATEGIES = Path(__file__).parent / "strategies"
V2 = PRESETS["egyptian-v2"]


def shipped(*, deterministic: bool) -> list[str]:
    """The names of the shipped strategies that draw no random numbers, or of all."""
    names = [path.stem.replace("_", "-") for path in files_in(builtin_folder())]
    return [name for name in names if not (deterministic and load(name).card.stochastic)]


def plan_of(
    rules: RuleSet,
    specs: Sequence[Any],
    *,
    seed: int = 1,
    pairs: int = 1,
    unit: str = "game",
    packs: np.ndarray | None = None,
    interpret: bool = False,
) -> Plan:
    """A plan of one match. A spec is a name, a file of tests/engine/strategies, a function or an object."""
    loaded = [load(spec, [STRATEGIES]) if isinstance(spec, str) else from_object(spec) for spec in specs]
    players = [prepare(strategy, interpret) for strategy in loaded]
    if unit != "game" or packs is not None:
        rules = replace(rules, single_round=True)
    return Plan(rules, seed, unit, 2 * pairs, players, [(0, 1)], packs)


@dataclass
class Played:
    """What the compiled engine left of some pairs."""

    games: np.ndarray  # GAME_DTYPE (pairs, 2)
    rounds: np.ndarray  # ROUND_DTYPE
    cards: np.ndarray  # uint8 (rounds, 48), in the order played
    totals: MatchTotals


def compiled(plan: Plan, first: int = 0, pairs: int | None = None) -> Played:
    """Play pairs of the plan's match with the compiled engine, every round and card kept."""
    pairs = plan.pairs if pairs is None else pairs
    worker = Worker(plan, 0, load_table(plan.rules), pairs, True)
    memory = worker.memory
    room = 2 * pairs
    while True:
        size = len(memory.rounds)
        history = memory.keep_history(room)
        done, fault = worker.play(first, pairs)
        assert fault is None and done == pairs, fault
        played = memory.get("rounds_played")
        if played <= room and len(memory.rounds) == size:
            assert history.shape[1] == HISTORY_BYTES
            return Played(memory.games[:pairs], memory.rounds[:played], history[:played, :48], worker.totals(pairs))
        room = max(room, played)


@dataclass
class Judged:
    """What the judge makes of one game."""

    game: int  # 0 or 1 in the pair: the seat of side a
    result: GameResult
    plies: list[PlyEvent]


def dealt_hands(plan: Plan, pair: int, number: int, dealer: int, pack: Sequence[int]) -> tuple[int, ...]:
    """The leader's six hands of a round and the dealer's, as the judge deals them: what a cheating strategy sees."""
    table = _Round(plan.rules, pack, dealer)
    table.deal_hands()
    table.turn_up_floor(CardStream(plan.seed, pair, number, FLOOR_BAN).below)
    hands: tuple[list[int], list[int]] = ([to_set(table.hands[1 - dealer])], [to_set(table.hands[dealer])])
    for at in range(0, 40, 8):
        hands[0].append(to_set(table.stock[at : at + 4]))
        hands[1].append(to_set(table.stock[at + 4 : at + 8]))
    return (*hands[0], *hands[1])


def judged(plan: Plan, pair: int, game: int) -> Judged:
    """Play one game of a pair with the judge; the strategies play as plain Python."""
    rules, numbers = plan.rules, rule_numbers(plan.rules)
    open_rules = OpenRules(**rules.to_dict())
    first_dealer = first_dealer_seat(rules, CardStream(plan.seed, pair, 0, FIRST_DEALER).below(2))
    first_dealer = 1 if rules.single_round else first_dealer
    streams: list[SeatStream] = []

    def begin_round(number: int) -> None:
        streams[:] = [SeatStream(plan.seed, pair, number, SEAT_0 + seat) for seat in (0, 1)]
        if any(player.strategy.card.cheats for player in plan.players):
            dealer = next(islice(dealers(rules, first_dealer), number, None))
            object.__setattr__(open_rules, "secrets", dealt_hands(plan, pair, number, dealer, pack_of(number)))

    def pack_of(number: int) -> list[int]:
        if plan.packs is not None:
            return [int(card) for card in plan.packs[pair]]
        return CardStream(plan.seed, pair, number, PACK).pack()

    def chooser(seat: int) -> Any:
        strategy = plan.players[plan.matches[0][seat ^ game]].strategy
        more = {"parameters": strategy.parameters, "lookup": open_rules if strategy.card.cheats else rules}
        return lambda view: strategy.choose(view._replace(rng=streams[seat], **more))

    plies: list[PlyEvent] = []
    result = play_game(
        rules,
        pack_of,
        first_dealer,
        (chooser(0), chooser(1)),
        ban_draws=lambda number: CardStream(plan.seed, pair, number, FLOOR_BAN).below,
        on_round=begin_round,
        on_ply=plies.append,
        make_view=lambda **fields: View(**fields, rules=numbers, parameters=None, rng=None, lookup=rules),
    )
    return Judged(game, result, plies)


def round_records(plan: Plan, pair: int, judge: Judged) -> list[tuple[int, ...]]:
    """The judge's rounds as tuples of ROUND_DTYPE."""
    records = []
    for number, result in enumerate(judge.result.rounds):
        both = [(values[result.leader], values[result.dealer]) for values in (
            result.points, result.cards, result.basras, result.komi_basras, result.jack_basras)]  # fmt: skip
        records.append((pair, judge.game, number, result.leader ^ judge.game, *(value for two in both for value in two)))
    return records


def game_record(judge: Judged) -> tuple[int, ...]:
    """The judge's game as a tuple of GAME_DTYPE."""
    game, result = judge.game, judge.result
    sums = [
        (sum(values[game] for values in lists), sum(values[1 - game] for values in lists))
        for lists in (
            [r.cards for r in result.rounds],
            [r.basras for r in result.rounds],
            [r.komi_basras for r in result.rounds],
            [r.jack_basras for r in result.rounds],
        )
    ]
    winner = 2 if result.winner is None else result.winner ^ game
    scores = (result.scores[game], result.scores[1 - game])
    flat = [value for two in sums for value in two]
    return (game, result.first_dealer ^ game, len(result.rounds), winner, *scores, *flat)


def add_counts(totals: MatchTotals, plan: Plan, judge: Judged) -> None:
    """Count the judge's plies and rounds into a MatchTotals, in the plainest way."""
    for number, result in enumerate(judge.result.rounds):
        floor = result.first_floor
        for event in judge.plies[48 * number : 48 * number + 48]:
            side, role = event.seat ^ judge.game, int(event.seat == result.dealer)
            cell = (side, role, event.deal, event.ply % 8 // 2, int(event.kind))
            totals.plays[cell] += 1
            totals.taken[cell] += event.taken.bit_count()
            number_class = 13 if event.card == KOMI else event.card // 4
            totals.faced[side, min(floor.bit_count(), totals.faced.shape[1] - 1), number_class, int(event.kind)] += 1
            floor = event.floor
        role_of_a = int(result.dealer == judge.game)
        nobody = result.majority_winner is None
        totals.majorities[role_of_a, 2 if nobody else result.majority_winner ^ judge.game] += 1
        for side in (0, 1):
            totals.role_points[role_of_a, side] += result.points[side ^ judge.game]
            totals.role_cards[role_of_a, side] += result.cards[side ^ judge.game]
        margin = result.points[judge.game] - result.points[1 - judge.game]
        middle = totals.round_margins.shape[1] // 2
        cell_of_margin = min(max(margin // totals.margin_unit + middle, 0), 2 * middle)
        totals.round_margins[role_of_a, cell_of_margin] += 1


def compare(plan: Plan, first: int = 0, pairs: int | None = None, *, counters: bool = False) -> int:
    """Play with both, assert that all is equal; returns the rounds compared."""
    pairs = plan.pairs if pairs is None else pairs
    played = compiled(plan, first, pairs)
    counted = MatchTotals("a", "b", margin_unit=played.totals.margin_unit)
    place = 0
    for index in range(pairs):
        for game in (0, 1):
            judge = judged(plan, first + index, game)
            where = f"{plan.rules.name}, seed {plan.seed}, pair {first + index}, game {game}"
            for number, record in enumerate(round_records(plan, first + index, judge)):
                cards = [event.card for event in judge.plies[48 * number : 48 * number + 48]]
                assert cards == played.cards[place].tolist(), f"cards of {where}, round {number}"
                assert record == tuple(played.rounds[place].tolist()), f"record of {where}, round {number}"
                place += 1
            assert game_record(judge) == tuple(played.games[index, game].tolist()), where
            if counters:
                add_counts(counted, plan, judge)
    assert place == len(played.rounds) == played.totals.rounds
    if counters:
        for name in ("plays", "taken", "faced", "majorities", "role_points", "role_cards", "round_margins"):
            assert np.array_equal(getattr(counted, name), getattr(played.totals, name)), name
    return place


