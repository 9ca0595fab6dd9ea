"""A game's plays weighed one by one: what each card could do, what others would have played, and what the choice cost.

In the last deal nothing is hidden that cannot be counted, so its values are exact. Before it they are estimates: the mean,
over hands that the other may hold, of exact open play of the deal. review_text.py writes it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import comb
from typing import Any

from basra_sim.analysis.tables.csv_text import csv_text
from basra_sim.engine.rule_numbers import rule_numbers
from basra_sim.errors import BadInput
from basra_sim.game.cards import card_text, members, set_text
from basra_sim.game.judge import Chooser, PlyEvent, RoundResult, play_round
from basra_sim.game.notation import GameScript, play_script
from basra_sim.players.loading import load
from basra_sim.players.player import Player, prepare
from basra_sim.players.position import Desk, Position
from basra_sim.skill.endgame import distinct
from basra_sim.skill.problem import NOTES_AT, ONE
from basra_sim.skill.worlds import SUMS
from basra_sim.workers.value_counts import ensure

from .position_advice import Choice, advise

WORLDS, LISTED = 300, 500  # hands drawn for an estimate; all of them while there are at most so many
ESTIMATOR = f"pimc:aim=0,worlds={WORLDS},listed={LISTED}"
NOTES_PLACE = NOTES_AT // 8  # where the places of notes begin on a slate, in words
DEFAULT_WITH = "tuned-endgame"


@dataclass
class Play:
    """One ply of a game, weighed. Card sets are ints; `choices` has the cards of the hand, lowest id first."""

    round: int
    event: PlyEvent
    strategy: str
    position: Position
    choices: list[Choice]
    jack: float  # chance that the other holds a jack
    estimates: dict[int, float]  # card -> expected points of the round over the other's; empty in the last deal

    @property
    def chosen(self) -> Choice:
        """The card that was played."""
        return next(choice for choice in self.choices if choice.card == self.event.card)

    @property
    def forced(self) -> bool:
        """Whether no other card would have made a difference: one card in hand, or cards that no rule tells apart."""
        special = rule_numbers(self.position.rules).bonus_cards | 1 << 25
        return sum(distinct(self.position.hand, choice.card, special) for choice in self.choices) == 1

    @property
    def regret_points(self) -> float | None:
        """Points of the round that the play lost against exact play; None before the last deal."""
        return _lost(self.choices, self.chosen, "exact_points", 6)

    @property
    def regret_win(self) -> float | None:
        """What it lost of the chance to win round or game, to two decimals; None before the last deal."""
        return _lost(self.choices, self.chosen, "exact_win", 2)

    @property
    def estimated_loss(self) -> float | None:
        """Points of the round that it lost as estimated; None in the last deal and where nothing was estimated."""
        if not self.estimates:
            return None
        return max(self.estimates.values()) - self.estimates[self.event.card]

    @property
    def best(self) -> Choice | None:
        """The best card by exact points or by the estimate; None where there is neither."""
        if self.estimates:
            return max(self.choices, key=lambda choice: self.estimates[choice.card])
        known = [choice for choice in self.choices if choice.exact_points is not None]
        return max(known, key=lambda choice: (choice.exact_points, choice is self.chosen)) if known else None


def _lost(choices: Sequence[Choice], chosen: Choice, what: str, digits: int) -> float | None:
    values = [getattr(choice, what) for choice in choices]
    return None if None in values else round(max(values) - getattr(chosen, what), digits)


@dataclass
class Review:
    """A game weighed: its script, what each round came to, and every play."""

    game: GameScript
    players: list[str]  # the strategies asked
    results: list[RoundResult]
    plays: list[Play]

    def summary(self, seat: int) -> dict[str, Any]:
        """One side's figures: exact regret in the last deals, the estimated loss before them, agreement with those asked."""
        own = [play for play in self.plays if play.event.seat == seat and not play.forced]
        exact = [play for play in own if play.regret_points is not None]
        guessed = [play for play in own if play.estimated_loss is not None]
        by_deal = [sum(play.estimated_loss or 0.0 for play in guessed if play.event.deal == deal) for deal in range(5)]
        return {
            "seat": seat,
            "strategy": self.game.names[seat],
            "choices": len(own),
            "last_deal_choices": len(exact),
            "regret_points": sum(play.regret_points or 0.0 for play in exact),
            "regret_win": round(sum(play.regret_win or 0.0 for play in exact), 2),
            "estimated_choices": len(guessed),
            "estimated_loss": round(sum(by_deal), 2) if guessed else None,
            "estimated_loss_by_deal": [round(lost, 2) for lost in by_deal] if guessed else None,
            "played_as": {name: sum(name in play.chosen.played_by for play in own) for name in self.players},
        }

    def worst(self, most: int = 5) -> list[Play]:
        """The last-deal plays that lost most: by the chance to win, then by points."""
        lost = [play for play in self.plays if play.regret_points or play.regret_win]
        return sorted(lost, key=lambda play: (-(play.regret_win or 0), -(play.regret_points or 0)))[:most]

    def worst_estimated(self, most: int = 5, least: float = 0.5) -> list[Play]:
        """The plays of earlier deals that lost most by the estimate, `least` points or more."""
        lost = [play for play in self.plays if (play.estimated_loss or 0.0) >= least]
        return sorted(lost, key=lambda play: -(play.estimated_loss or 0.0))[:most]

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "rules": self.game.rules.name,
            "strategies": list(self.game.names),
            "facts": dict(self.game.facts),
            "asked": self.players,
            "estimates": f"{WORLDS} hands that the other may hold, or all of them while they are at most {LISTED}",
            "plays": [play_dict(play) for play in self.plays],
            "summary": [self.summary(seat) for seat in (0, 1)],
            "worst": [place_of(play) for play in self.worst()],
            "worst_estimated": [place_of(play) for play in self.worst_estimated()],
        }


def place_of(play: Play) -> dict[str, Any]:
    """Where a play is, what was played and what would have been best, for JSON."""
    best = play.best
    return {
        "round": play.round, "deal": play.event.deal, "ply": play.event.ply, "seat": play.event.seat,
        "strategy": play.strategy, "card": card_text(play.event.card), "best": card_text(best.card) if best else None,
        "regret_points": play.regret_points, "regret_win": play.regret_win, "estimated_loss": play.estimated_loss,
    }  # fmt: skip


def play_dict(play: Play) -> dict[str, Any]:
    """A play with all cards of the hand, for JSON; `position` is what `basra-sim explain` reads."""
    most = max((choice.exact_points for choice in play.choices if choice.exact_points is not None), default=None)
    return place_of(play) | {
        "forced": play.forced,
        "position": "; ".join(play.position.to_text().splitlines()),
        "chance_other_holds_jack": play.jack,
        "cards": [
            choice.to_dict(most) | {"estimated_points": play.estimates.get(choice.card)} for choice in play.choices
        ],
    }  # fmt: skip


COLUMNS = (
    "round", "deal", "ply", "seat", "strategy", "card", "played", "takes", "kind", "points", "leaves", "chance_other_clears",
    "chance_other_scores", "chance_other_holds_jack", "expected_points", "estimated_points", "estimated_loss", "exact_points",
    "regret_points", "exact_win", "played_by",
)  # fmt: skip


def csv_rows(review: Review) -> list[dict[str, Any]]:
    """A row for each card of each hand, columns COLUMNS; empty where a figure does not exist."""
    rows = []
    for play in review.plays:
        most = max(play.estimates.values(), default=None)
        for card, cell in zip(play.choices, play_dict(play)["cards"], strict=True):
            estimate = play.estimates.get(card.card)
            rows.append({name: cell.get(name) for name in COLUMNS} | {
                "round": play.round, "deal": play.event.deal, "ply": play.event.ply, "seat": play.event.seat,
                "strategy": play.strategy, "played": "yes" if card is play.chosen else "no", "takes": set_text(card.takes),
                "leaves": set_text(card.leaves), "chance_other_holds_jack": play.jack, "played_by": " ".join(card.played_by),
                "estimated_loss": None if estimate is None or most is None else most - estimate,
            })  # fmt: skip
    return rows


def plays_csv(review: Review) -> str:
    """The rows of `csv_rows` as a file."""
    return csv_text(COLUMNS, csv_rows(review))


# ---------------------------------------------------------------------------------------------- weighing
def review(
    game: GameScript,
    players: Sequence[Player],
    rounds: Sequence[int] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Review:
    """Weigh every play of a game (or of some of its rounds, by number) and ask the players what they would have played.

    Raises BadInput for a round that the game does not have. `progress(done, of)` is called after each play.
    """
    for number in rounds or ():
        if not 0 <= number < len(game.rounds):
            raise BadInput(f"--round {number}: the game has the rounds 0 to {len(game.rounds) - 1}")
    wanted = set(rounds) if rounds is not None else set(range(len(game.rounds)))
    estimator = prepare(load(ESTIMATOR))
    results: list[RoundResult] = []
    plays: list[Play] = []
    scores, carry = (0, 0), 0
    for number in range(len(game.rounds)):
        found, result = _positions(game, number, scores, carry)
        results.append(result)
        scores, carry = (scores[0] + result.points[0], scores[1] + result.points[1]), result.carry
        for event, position in found if number in wanted else ():
            advice = advise(position, players)
            estimates = {} if position.is_open else _estimates(estimator, position)
            plays.append(
                Play(number, event, game.names[event.seat], position, advice.choices, advice.holds["a jack"], estimates)
            )
            if progress:
                progress(len(plays), 48 * len(wanted))
    return Review(game, [player.strategy.name for player in players], results, plays)


def review_with(
    game: GameScript,
    names: Sequence[str],
    folders: Sequence[str],
    rounds: Sequence[int] | None,
    progress: Callable[[int, int], None],
) -> Review:
    """`review` with strategies asked by name (DEFAULT_WITH unless any is named)."""
    players = [prepare(load(name, folders)) for name in names or (DEFAULT_WITH,)]
    ensure(game.rules)
    return review(game, players, rounds, progress)


def _positions(
    game: GameScript, number: int, scores: tuple[int, int], carry: int
) -> tuple[list[tuple[PlyEvent, Position]], RoundResult]:
    """Every ply of a round with what its player saw, from the judge; the judge's result."""
    rules, script = game.rules, game.rounds[number]
    views: list[Any] = []
    events: list[PlyEvent] = []

    def engine(rules: Any, pack: Any, dealer: int, choosers: Any, **options: Any) -> RoundResult:
        return play_round(rules, pack, dealer, (_noting(views, choosers[0]), _noting(views, choosers[1])), **options)

    result = play_script(rules, script, engine, scores=scores, carried_majority=carry, on_ply=events.append)
    piles, found = [0, 0], []
    for event, view in zip(events, views, strict=True):
        found.append((event, Position(
            rules, view.hand, view.floor, view.unseen, view.deal, bool(view.leading), (view.my_pile, view.other_pile),
            (view.my_score, view.other_score), (view.my_round_points, view.other_round_points), view.captured_last,
            seed=48 * number + event.ply, mine=piles[event.seat], buried=view.buried,
            stake=None if view.majority_stake == rules.majority_points else view.majority_stake, history=view.history,
        )))  # fmt: skip
        if event.taken:
            piles[event.seat] |= event.taken | 1 << event.card
    return found, result


def _noting(views: list[Any], choose: Chooser) -> Chooser:
    """The chooser, with every view that it is given kept."""

    def chosen(view: Any) -> int:
        views.append(view)
        return choose(view)

    return chosen


def _estimates(estimator: Player, position: Position) -> dict[int, float]:
    """Card -> mean points of the round over the other's, over hands that he may hold; empty without compiled code."""
    if estimator.entry is None or position.hand.bit_count() == 1:
        return {}
    desk = Desk(estimator, position)
    desk.ask()
    sums = desk.memory.desks["slate"][0, NOTES_PLACE + SUMS : NOTES_PLACE + SUMS + 4].tolist()
    hands = comb(position.unseen.bit_count(), position.held)
    number = hands if hands <= LISTED else WORLDS
    special = rule_numbers(position.rules).bonus_cards | 1 << 25
    found: dict[int, float] = {}
    for card, total in zip(members(position.hand), sums, strict=False):
        if distinct(position.hand, card, special):
            found[card] = total / number / ONE
        else:  # the lowest of the cards that are alike was weighed for all of them
            found[card] = next(found[one] for one in members(position.hand & ~special) if one >> 2 == card >> 2)
    return found
