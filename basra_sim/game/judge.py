"""The judge: the whole game in plain slow Python, written from the rules page sentence by sentence.

It imports cards, errors, rules and its own captures only; it must know nothing of captures, the table or the compiled
engine, because it judges all of them. Cards lie in lists here, and no speed is gained anywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from operator import index
from types import SimpleNamespace
from typing import Any, NamedTuple

from basra_sim.errors import BadInput, BasraError, StrategyFault

from .cards import ALL_CARDS, JACK, KOMI, card_text, rank_of, to_set
from .judge_captures import captured, kind_of
from .rules import Kind, RuleSet, kind_points

Chooser = Callable[[Any], int]
MOST_ROUNDS = 100_000  # a game that goes on longer never ends: the strategies score nothing under these rules


class PlyEvent(NamedTuple):
    """One ply as it happened; card sets are ints, `floor` is the floor after the ply."""

    ply: int
    deal: int
    seat: int
    card: int
    taken: int
    kind: Kind
    points: int
    floor: int


class RoundResult(NamedTuple):
    """A round after the count; pairs are indexed by seat."""

    leader: int
    dealer: int
    points: tuple[int, int]  # all points of the round
    cards: tuple[int, int]  # in the piles, the last floor given away
    basras: tuple[int, int]  # neither komi nor jack basras
    komi_basras: tuple[int, int]
    jack_basras: tuple[int, int]
    card_points: tuple[int, int]
    majority_winner: int | None  # the seat with more cards, None when level
    majority_points: tuple[int, int]
    carry: int  # added to the next round's majority
    captured_last: int | None
    last_floor: int  # card set given to whoever captured last
    turned_up: tuple[tuple[int, int | None], ...]  # cards turned up for the floor; place in the stock if put back
    first_floor: int
    piles: tuple[int, int]  # card sets


class GameResult(NamedTuple):
    """A finished game; pairs are indexed by seat. `winner` is None for a draw (single rounds only)."""

    first_dealer: int
    scores: tuple[int, int]
    winner: int | None
    rounds: tuple[RoundResult, ...]


# -- a round -------------------------------------------------------------------------------------------------------


class _Round:
    """The table during one round."""

    def __init__(self, rules: RuleSet, pack: Sequence[int], dealer: int) -> None:
        self.rules = rules
        self.stock = [index(card) for card in pack]
        if sorted(self.stock) != list(range(52)):
            raise BadInput("a pack must hold each of the 52 cards once")
        self.dealer, self.leader = dealer, 1 - dealer
        self.hands: tuple[list[int], list[int]] = ([], [])
        self.floor: list[int] = []
        self.piles: tuple[list[int], list[int]] = ([], [])
        self.basras = {kind: [0, 0] for kind in (Kind.BASRA, Kind.KOMI_BASRA, Kind.JACK_BASRA)}
        self.points = [0, 0]  # of basras
        self.captured_last: int | None = None
        self.turned_up: list[tuple[int, int | None]] = []
        self.played: list[int] = []
        self.known: tuple[set[int], set[int]] = (set(), set())  # cards each seat has seen that cannot come again

    def deal_hands(self) -> None:
        """Rules 1 and 3: the top four to the leader, the next four to the dealer."""
        for seat in (self.leader, self.dealer):
            self.hands[seat].extend(self.stock[:4])
            self.known[seat].update(self.stock[:4])
            del self.stock[:4]

    def turn_up_floor(self, ban_draw: Callable[[int], int] | None) -> None:
        """Rules 1 and 2: four cards for the floor; banned ones go back into the stock, or stay."""
        while len(self.floor) < 4:
            card = self.stock.pop(0)
            place = self._place_in_stock(card, ban_draw)
            self.turned_up.append((card, place))
            if place is None:
                self.floor.append(card)
            else:
                self.stock.insert(place, card)
        self.known[0].update(self.floor)
        self.known[1].update(self.floor)

    def _place_in_stock(self, card: int, ban_draw: Callable[[int], int] | None) -> int | None:
        banned = rank_of(card) == JACK or (card == KOMI and self.rules.floor_banned == "jacks_and_komi")
        if not banned or self.rules.floor_banned == "none" or self.rules.floor_ban_action == "leave":
            return None
        if self.rules.floor_ban_action == "bottom":
            return len(self.stock)
        if ban_draw is None:
            raise BadInput("floor_ban_action=random needs a draw for the place in the stock")
        return ban_draw(len(self.stock) + 1)

    def play(self, seat: int, card: int) -> tuple[list[int], Kind, int]:
        """One ply: the cards taken, its kind and its points."""
        taken = captured(self.rules, self.floor, card)
        kind = kind_of(self.rules, self.floor, card, taken)
        points = kind_points(self.rules)[kind]
        self.hands[seat].remove(card)
        self.played.append(card)
        self.known[1 - seat].add(card)
        if taken:
            self.floor = [other for other in self.floor if other not in taken]
            self.piles[seat].extend([*taken, card])
            self.captured_last = seat
        else:
            self.floor.append(card)
        if kind in self.basras:
            self.basras[kind][seat] += 1
        self.points[seat] += points
        return taken, kind, points

    def view_fields(self, seat: int, ply: int, scores: Sequence[int], carried_majority: int) -> dict[str, Any]:
        """What this seat may know, by the names of the strategies' view."""
        other = 1 - seat
        bonus = [card for card, points in enumerate(self.rules.points_of_cards()) if points]
        buried = {card for card, place in self.turned_up if place is not None}
        return {
            "hand": to_set(self.hands[seat]),
            "floor": to_set(self.floor),
            "seen": to_set(self.known[seat]),
            "unseen": ALL_CARDS & ~to_set(self.known[seat]),
            "buried": to_set(buried),
            "my_pile": len(self.piles[seat]),
            "other_pile": len(self.piles[other]),
            "my_score": scores[seat],
            "other_score": scores[other],
            "my_round_points": self.points[seat],
            "other_round_points": self.points[other],
            "my_bonus_cards": to_set(card for card in bonus if card in self.piles[seat]),
            "other_bonus_cards": to_set(card for card in bonus if card in self.piles[other]),
            "target": self.rules.target,
            "majority_stake": self.rules.majority_points + carried_majority,
            "deal": ply // 8,
            "ply": ply,
            "leading": int(seat == self.leader),
            "captured_last": 0 if self.captured_last is None else 1 if self.captured_last == seat else 2,
            "other_hand_size": len(self.hands[other]),
            "history": tuple(self.played),
        }

    def count(self, first_floor: int, carried_majority: int) -> RoundResult:
        """Rules 12 to 14: the last floor goes to whoever captured last, then the piles are counted."""
        last_floor = to_set(self.floor)
        if self.captured_last is not None:
            self.piles[self.captured_last].extend(self.floor)
        cards = (len(self.piles[0]), len(self.piles[1]))
        at_stake = self.rules.majority_points + carried_majority
        winner = None if cards[0] == cards[1] else int(cards[1] > cards[0])
        each = at_stake if winner is None and self.rules.majority_tie == "each" else 0
        majority = (at_stake if winner == 0 else each, at_stake if winner == 1 else each)
        values = self.rules.points_of_cards()
        card_points = (sum(values[card] for card in self.piles[0]), sum(values[card] for card in self.piles[1]))
        return RoundResult(
            leader=self.leader,
            dealer=self.dealer,
            points=(self.points[0] + majority[0] + card_points[0], self.points[1] + majority[1] + card_points[1]),
            cards=cards,
            basras=_pair(self.basras[Kind.BASRA]),
            komi_basras=_pair(self.basras[Kind.KOMI_BASRA]),
            jack_basras=_pair(self.basras[Kind.JACK_BASRA]),
            card_points=card_points,
            majority_winner=winner,
            majority_points=majority,
            carry=at_stake if winner is None and self.rules.majority_tie == "carry" else 0,
            captured_last=self.captured_last,
            last_floor=last_floor,
            turned_up=tuple(self.turned_up),
            first_floor=first_floor,
            piles=(to_set(self.piles[0]), to_set(self.piles[1])),
        )


def _pair(values: Sequence[int]) -> tuple[int, int]:
    return values[0], values[1]


def play_round(
    rules: RuleSet,
    pack: Sequence[int],
    dealer: int,
    choosers: tuple[Chooser, Chooser],
    *,
    ban_draw: Callable[[int], int] | None = None,
    scores: Sequence[int] = (0, 0),
    carried_majority: int = 0,
    on_ply: Callable[[PlyEvent], None] | None = None,
    make_view: Callable[..., Any] = SimpleNamespace,
) -> RoundResult:
    """Play one pack, 48 plies, and count it.

    `choosers[seat](view)` gives a card of the hand; `make_view(**fields)` makes the view from the fields of
    `_Round.view_fields`. `ban_draw(n)` gives one of n places of the stock, 0 the top, for a banned card turned up
    when floor_ban_action is random. Raises BadInput for what is no pack, StrategyFault for a card not in the hand.
    """
    table = _Round(rules, pack, dealer)
    table.deal_hands()
    table.turn_up_floor(ban_draw)
    first_floor = to_set(table.floor)
    for ply in range(48):
        if ply and ply % 8 == 0:
            table.deal_hands()
        seat = table.leader if ply % 2 == 0 else table.dealer
        view = make_view(**table.view_fields(seat, ply, scores, carried_majority))
        card = _ask(choosers[seat], view, seat, ply, table.hands[seat])
        taken, kind, points = table.play(seat, card)
        if on_ply:
            on_ply(PlyEvent(ply, ply // 8, seat, card, to_set(taken), kind, points, to_set(table.floor)))
    return table.count(first_floor, carried_majority)


def _ask(choose: Chooser, view: Any, seat: int, ply: int, hand: list[int]) -> int:
    try:
        answer = choose(view)
    except Exception as error:
        raise StrategyFault(f"seat {seat} at ply {ply}: the strategy raised {type(error).__name__}: {error}") from error
    try:
        card = index(answer)
    except TypeError:
        card = -1
    if isinstance(answer, bool) or card not in hand:
        what = card_text(card) if 0 <= card < 52 and not isinstance(answer, bool) else repr(answer)
        held = " ".join(card_text(other) for other in sorted(hand))
        raise StrategyFault(f"seat {seat} at ply {ply}: the strategy played {what}, but holds {held}")
    return card


# -- a game --------------------------------------------------------------------------------------------------------


def dealers(rules: RuleSet, first_dealer: int) -> Iterator[int]:
    """The dealer of each round of a game (rule 15)."""
    dealer = first_dealer
    while True:
        yield dealer
        if rules.dealer_rotation == "alternate":
            dealer = 1 - dealer


def first_dealer_seat(rules: RuleSet, drawn: int) -> int:
    """The seat that deals first; `drawn` is the seat drawn from the game pair's seed."""
    return {"random": drawn, "seat0": 0, "seat1": 1}[rules.first_dealer]


def is_over(rules: RuleSet, scores: Sequence[int]) -> bool:
    """Whether the game ends after a round that left these scores (rule 16)."""
    return rules.single_round or (max(scores) >= rules.target and scores[0] != scores[1])


def play_game(
    rules: RuleSet,
    packs: Callable[[int], Sequence[int]],
    first_dealer: int,
    choosers: tuple[Chooser, Chooser],
    *,
    ban_draws: Callable[[int], Callable[[int], int]] | None = None,
    on_round: Callable[[int], None] | None = None,
    on_ply: Callable[[PlyEvent], None] | None = None,
    make_view: Callable[..., Any] = SimpleNamespace,
) -> GameResult:
    """Play rounds until the game is over. `packs(k)` is the pack of round k, `ban_draws(k)` its `ban_draw`.

    `on_round(k)` is called before round k, for instance to give each seat its random stream of that round.
    """
    scores, carry = [0, 0], 0
    rounds: list[RoundResult] = []
    for number, dealer in enumerate(dealers(rules, first_dealer)):
        if number == MOST_ROUNDS:
            raise BasraError(f"the game has no end: {MOST_ROUNDS} rounds brought {scores[0]}-{scores[1]}")
        if on_round:
            on_round(number)
        result = play_round(
            rules,
            packs(number),
            dealer,
            choosers,
            ban_draw=ban_draws(number) if ban_draws else None,
            scores=tuple(scores),
            carried_majority=carry,
            on_ply=on_ply,
            make_view=make_view,
        )
        rounds.append(result)
        scores = [scores[0] + result.points[0], scores[1] + result.points[1]]
        carry = result.carry
        if is_over(rules, scores):
            break
    winner = None if scores[0] == scores[1] else int(scores[1] > scores[0])
    return GameResult(first_dealer, (scores[0], scores[1]), winner, tuple(rounds))


# -- the two strategies of the rules page --------------------------------------------------------------------------


def choose_first(rules: RuleSet) -> Chooser:
    """`first`: the lowest card id in hand."""
    return lambda view: min(_cards(view.hand))


def choose_greedy(rules: RuleSet) -> Chooser:
    """`greedy`: most points scored by this ply, then most floor cards captured, then lowest card id."""

    def choose(view: Any) -> int:
        floor = _cards(view.floor)

        def worth(card: int) -> tuple[int, int, int]:
            taken = captured(rules, floor, card)
            return kind_points(rules)[kind_of(rules, floor, card, taken)], len(taken), -card

        return max(_cards(view.hand), key=worth)

    return choose


def _cards(card_set: int) -> list[int]:
    return [card for card in range(52) if card_set >> card & 1]
