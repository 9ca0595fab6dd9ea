"""What there is to say about a position: each card's worth, what the other may do, what each strategy would play.

`basra-sim explain` prints it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from basra_sim.engine.view_helpers import floor_now, play_on
from basra_sim.game.cards import card_text, members, set_text
from basra_sim.game.rules import Kind
from basra_sim.players.loading import load
from basra_sim.players.player import Player, prepare
from basra_sim.players.position import Position, ask
from basra_sim.runs.preparing import fallback_notes
from basra_sim.skill import counting
from basra_sim.skill.endgame import INFINITE, value_of
from basra_sim.skill.policy import PLAIN, card_worth, slope_of
from basra_sim.skill.problem import FOR_POINTS, FOR_WIN, ONE, WIN_WEIGHT, open_problem, tally_of
from basra_sim.workers.value_counts import ensure

STRATEGIES = ("greedy", "defensive", "counting", "expectimax", "tuned-endgame", "pimc")


@dataclass
class Choice:
    """One card of the hand. Chances are of the other's hand of this moment; `exact` values exist in the last deal only."""

    card: int
    takes: int  # card set
    kind: Kind
    points: int
    leaves: int  # card set
    clears: float  # chance that the other holds a card that clears the floor left
    basra: float  # chance that he holds one that scores there
    expected: float  # one-ply expectation, points of the round, majority included
    exact_points: float | None = None  # final difference of the round's points
    exact_win: float | None = None  # chance to win round or game
    played_by: list[str] = field(default_factory=list)

    def to_dict(self, best: float | None) -> dict[str, Any]:
        """For JSON."""
        return {
            "card": card_text(self.card),
            "takes": set_text(self.takes).split(),
            "kind": self.kind.text,
            "points": self.points,
            "leaves": set_text(self.leaves).split(),
            "chance_other_clears": self.clears,
            "chance_other_scores": self.basra,
            "expected_points": self.expected,
            "exact_points": self.exact_points,
            "exact_win": self.exact_win,
            "regret_points": None if best is None or self.exact_points is None else best - self.exact_points,
            "played_by": self.played_by,
        }


@dataclass
class Advice:
    """Everything about one position."""

    position: Position
    choices: list[Choice]
    holds: dict[str, float]  # what the other may hold -> chance
    notes: list[str]

    @property
    def best_exact(self) -> float | None:
        """The best exact final difference, in the last deal."""
        values = [choice.exact_points for choice in self.choices if choice.exact_points is not None]
        return max(values) if values else None

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "position": self.position.to_text().splitlines(),
            "choices": [choice.to_dict(self.best_exact) for choice in self.choices],
            "chance_other_holds": self.holds,
            "notes": self.notes,
        }


def advise(position: Position, players: Sequence[Player]) -> Advice:
    """Weigh every card of a position and ask the players."""
    view = position.view()
    choices = [_choice(position, view, card) for card in members(position.hand)]
    for player in players:
        card = ask(player, position)
        for choice in choices:
            if choice.card == card:
                choice.played_by.append(player.strategy.name)
    if position.is_open:
        _solve(position, view, choices)
    holds = {"a jack": counting.chance_of_rank(view, 11), "the komi": counting.chance_of_some(view, 1 << 25)}
    ranks = sorted({card >> 2 for card in members(position.floor | position.hand)} - {10})
    for rank in ranks:
        holds[f"a {'A23456789TJQK'[rank]}"] = counting.chance_of_rank(view, rank + 1)
    return Advice(position, choices, holds, list(position.notes))


def advise_with(position: Position, names: Sequence[str] = (), folders: Sequence[str] = ()) -> Advice:
    """Weigh a position and ask strategies by name (STRATEGIES unless any is named), with what they have to make do with."""
    players = [prepare(load(name, folders)) for name in names or STRATEGIES]
    ensure(position.rules)
    advice = advise(position, players)
    advice.notes += fallback_notes([player.strategy for player in players], position.rules)
    return advice


def _choice(position: Position, view: Any, card: int) -> Choice:
    what = play_on(view, floor_now(view), card)
    problem = open_problem(view, FOR_POINTS)
    slope = slope_of(problem, tally_of(view))
    left = what.floor
    clears = counting.chance_of_some(view, counting.clearing_cards(view, left)) if left.cards else 0.0
    basra = counting.chance_of_some(view, counting.basra_cards(view, left)) if left.cards else 0.0
    expected = card_worth(view, problem, card, slope, PLAIN) / ONE
    takes = position.floor & ~left.cards if what.taken else 0
    return Choice(card, takes, Kind(what.kind), what.points, left.cards, clears, basra, expected)


def _solve(position: Position, view: Any, choices: list[Choice]) -> None:
    for choice in choices:
        for aim in (FOR_POINTS, FOR_WIN):
            problem = open_problem(view, aim)
            value = value_of(problem, view, choice.card, position.unseen, -INFINITE) / ONE
            if aim == FOR_POINTS:
                choice.exact_points = value
            else:
                choice.exact_win = min(1.0, max(0.0, round(value / WIN_WEIGHT, 3)))
