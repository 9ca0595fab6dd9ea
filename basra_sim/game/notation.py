"""A game as text that a person can read, ply by ply: write it, parse it back, replay it line by line.

A game is fixed by its rules, packs, dealers and cards played; everything else in the text is what an engine makes of
them, so replaying a text is a test of the engine.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from basra_sim.errors import BadInput

from .cards import card_text, cards_text, members, parse_card, parse_cards, set_text
from .judge import Chooser, PlyEvent, RoundResult, is_over, play_game, play_round
from .phrases import count_of
from .rule_files import load_rules
from .rules import Kind, RuleSet

TITLE = "basra game 1"  # the number is the format's version
NOTE = "# Rounds, deals and plies count from 0. Piles and scores are written seat 0 - seat 1."


class Engine(Protocol):
    """Plays one round as `basra_sim.game.judge.play_round` does."""

    def __call__(
        self,
        rules: RuleSet,
        pack: Sequence[int],
        dealer: int,
        choosers: tuple[Chooser, Chooser],
        *,
        ban_draw: Callable[[int], int] | None = None,
        scores: Sequence[int] = (0, 0),
        carried_majority: int = 0,
        on_ply: Callable[[PlyEvent], None] | None = None,
    ) -> RoundResult: ...


@dataclass(frozen=True)
class RoundScript:
    """What fixes a round: the pack, who deals, the 48 cards in the order played, and where banned cards went.

    `ban_places` are the places in the stock (0 the top) of banned cards under floor_ban_action random, in order.
    """

    pack: tuple[int, ...]
    dealer: int
    cards: tuple[int, ...]
    ban_places: tuple[int, ...] = ()


@dataclass(frozen=True)
class GameScript:
    """What fixes a game. `names` are the strategies in seat 0 and 1, `facts` more header lines (such as pair: 3)."""

    rules: RuleSet
    names: tuple[str, str]
    rounds: tuple[RoundScript, ...]
    facts: tuple[tuple[str, str], ...] = field(default=())


def record_game(
    rules: RuleSet,
    names: tuple[str, str],
    packs: Callable[[int], Sequence[int]],
    first_dealer: int,
    choosers: tuple[Chooser, Chooser],
    *,
    facts: Sequence[tuple[str, str]] = (),
    **options: Any,
) -> GameScript:
    """Play a game with the judge (`reference.play_game`, which takes the other options) and keep its script."""
    plies: list[PlyEvent] = []
    game = play_game(rules, packs, first_dealer, choosers, on_ply=plies.append, **options)
    rounds = []
    for number, result in enumerate(game.rounds):
        cards = tuple(event.card for event in plies[48 * number : 48 * number + 48])
        places = tuple(place for _, place in result.turned_up if place is not None)
        kept = places if rules.floor_ban_action == "random" else ()
        rounds.append(RoundScript(tuple(packs(number)), result.dealer, cards, kept))
    return GameScript(rules, names, tuple(rounds), tuple(facts))


# -- writing -------------------------------------------------------------------------------------------------------


def write_game(game: GameScript, engine: Engine = play_round) -> str:
    """The game as text, as `engine` plays it from the script. Raises StrategyFault for a card that is not held."""
    return "".join(line + "\n" for line in _game_lines(game, engine))


def _game_lines(game: GameScript, engine: Engine) -> Iterator[str]:
    yield TITLE
    yield NOTE
    yield f"rules: {game.rules.name}"
    for seat, name in enumerate(game.names):
        yield f"seat {seat}: {name}"
    for key, value in game.facts:
        yield f"{key}: {value}"
    scores, carry = (0, 0), 0
    for number, script in enumerate(game.rounds):
        yield ""
        carried = f"; {carry} carried for more cards" if carry else ""
        yield (
            f"round {number}: seat {script.dealer} deals, seat {1 - script.dealer} leads; score {scores[0]}-{scores[1]}{carried}"
        )
        plies: list[PlyEvent] = []
        result = play_script(game.rules, script, engine, scores=scores, carried_majority=carry, on_ply=plies.append)
        scores, carry = (scores[0] + result.points[0], scores[1] + result.points[1]), result.carry
        yield from _round_lines(game.rules, script, plies, result)
        yield f"score: {scores[0]}-{scores[1]}"
    yield ""
    yield _result_line(game, scores)


def play_script(rules: RuleSet, script: RoundScript, engine: Engine = play_round, **options: Any) -> RoundResult:
    """Play the round of a script with an engine; options as for `reference.play_round`."""
    if len(script.cards) != 48:
        raise BadInput(f"a round has 48 plies, this one {len(script.cards)}")
    places = iter(script.ban_places)
    by_seat = {1 - script.dealer: iter(script.cards[0::2]), script.dealer: iter(script.cards[1::2])}
    choosers = (lambda view: next(by_seat[0]), lambda view: next(by_seat[1]))
    return engine(rules, script.pack, script.dealer, choosers, ban_draw=lambda count: next(places), **options)


def _round_lines(rules: RuleSet, script: RoundScript, plies: Sequence[PlyEvent], result: RoundResult) -> Iterator[str]:
    yield f"pack: {cards_text(script.pack)}"
    yield "turned up: " + ", ".join(_turned_up(rules, card, place) for card, place in result.turned_up)
    yield f"floor: {set_text(result.first_floor)}"
    for event in plies:
        if event.ply % 8 == 0:
            yield f"deal {event.deal}: {_hands(plies[event.ply : event.ply + 8])}"
        yield _ply_line(event)
    yield _last_floor(result)
    for seat in (0, 1):
        yield _count_line(rules, result, seat)
    yield _majority_line(rules, result)


def _turned_up(rules: RuleSet, card: int, place: int | None) -> str:
    if place is None:
        return card_text(card)
    where = "to the bottom" if rules.floor_ban_action == "bottom" else f"into place {place}"
    return f"{card_text(card)} {where} of the stock"


def _hands(plies: Sequence[PlyEvent]) -> str:
    held = {seat: sorted(event.card for event in plies if event.seat == seat) for seat in (0, 1)}
    return ", ".join(f"seat {seat} holds {cards_text(held[seat])}" for seat in (plies[0].seat, plies[1].seat))


def _ply_line(event: PlyEvent) -> str:
    what = f"takes {set_text(event.taken)}" if event.taken else "lays"
    kind = "" if event.kind == Kind.LAY else event.kind.text.replace("_", " ")
    points = f" {event.points}" if event.points else ""
    floor = set_text(event.floor) or "empty"
    return f"{event.ply:4}  seat {event.seat}  {card_text(event.card)}  {what:<26} {kind + points:<14} floor {floor}"


def _last_floor(result: RoundResult) -> str:
    if not result.last_floor:
        return "last floor: empty"
    if result.captured_last is None:
        return f"last floor: {set_text(result.last_floor)}, nobody captured"
    return f"last floor: {set_text(result.last_floor)} to seat {result.captured_last}, who captured last"


def _count_line(rules: RuleSet, result: RoundResult, seat: int) -> str:
    parts = [
        count_of(result.cards[seat], "card"),
        count_of(result.basras[seat], "basra"),
        count_of(result.komi_basras[seat], "komi basra"),
        count_of(result.jack_basras[seat], "jack basra"),
    ]
    if rules.card_points:
        values = rules.points_of_cards()
        paid = [card for card in members(result.piles[seat]) if values[card]]
        parts.append(f"{count_of(result.card_points[seat], 'card point')} ({cards_text(paid) or 'none'})")
    return f"count: seat {seat} {', '.join(parts)}; {count_of(result.points[seat], 'point')} in all"


def _majority_line(rules: RuleSet, result: RoundResult) -> str:
    if result.majority_winner is not None:
        won = result.majority_points[result.majority_winner]
        return f"more cards: seat {result.majority_winner}, {count_of(won, 'point')}"
    if rules.majority_tie == "carry":
        return f"more cards: level, {result.carry} carried to the next round"
    return "more cards: level, " + (f"{result.majority_points[0]} each" if rules.majority_tie == "each" else "nobody")


def _result_line(game: GameScript, scores: tuple[int, int]) -> str:
    rounds = count_of(len(game.rounds), "round")
    if not is_over(game.rules, scores):
        return f"result: not over, {scores[0]}-{scores[1]} after {rounds}"
    if scores[0] == scores[1]:
        return f"result: a draw, {scores[0]}-{scores[1]} after {rounds}"
    winner = int(scores[1] > scores[0])
    return f"result: seat {winner} ({game.names[winner]}) wins {max(scores)}-{min(scores)} after {rounds}"


PLY_COLUMNS = ("round", "deal", "ply", "seat", "strategy", "card", "takes", "kind", "points", "floor")


def game_dict(game: GameScript) -> dict[str, Any]:
    """The game for JSON: rules, seats, facts, and each round with its pack, plies and points by seat."""
    rounds, rows = [], ply_rows(game)
    scores, carry = (0, 0), 0
    for number, script in enumerate(game.rounds):
        result = play_script(game.rules, script, scores=scores, carried_majority=carry)
        scores, carry = (scores[0] + result.points[0], scores[1] + result.points[1]), result.carry
        plies = [{key: row[key] for key in PLY_COLUMNS[1:]} for row in rows if row["round"] == number]
        rounds.append({
            "round": number, "dealer": script.dealer, "pack": cards_text(script.pack), "plies": plies,
            "points": list(result.points), "cards": list(result.cards), "score": list(scores),
        })  # fmt: skip
    return {"rules": game.rules.name, "strategies": list(game.names), "facts": dict(game.facts), "rounds": rounds}


def ply_rows(game: GameScript) -> list[dict[str, Any]]:
    """A row for each ply, columns PLY_COLUMNS; `floor` is the floor after it."""
    rows = []
    for number, script in enumerate(game.rounds):
        plies: list[PlyEvent] = []
        play_script(game.rules, script, on_ply=plies.append)
        for event in plies:
            rows.append({
                "round": number, "deal": event.deal, "ply": event.ply, "seat": event.seat, "strategy": game.names[event.seat],
                "card": card_text(event.card), "takes": set_text(event.taken), "kind": event.kind.text, "points": event.points,
                "floor": set_text(event.floor),
            })  # fmt: skip
    return rows


# -- parsing and replaying -----------------------------------------------------------------------------------------

_ROUND = re.compile(r"round (\d+): seat ([01]) deals")
_PLY = re.compile(r"\s*(\d+)\s+seat ([01])\s+(\w+)\s")
_PLACE = re.compile(r"into place (\d+) of")
_WRITTEN = ("turned up", "floor", "deal", "last floor", "count", "more cards", "score", "result")


def parse_game(text: str) -> GameScript:
    """The script of a written game. Raises BadInput with the line number; what an engine works out is not judged."""
    header: dict[str, str] = {}
    rounds: list[_Draft] = []
    lines = text.splitlines()
    if not lines or lines[0].strip() != TITLE:
        raise BadInput(f"line 1: a written game begins with '{TITLE}'")
    for number, line in enumerate(lines[1:], start=2):
        if not line.strip() or line.startswith("#"):
            continue
        try:
            _parse_line(line, header, rounds)
        except BadInput as error:
            raise BadInput(f"line {number}: {error}") from None
    for key in ("rules", "seat 0", "seat 1"):
        if key not in header:
            raise BadInput(f"the line '{key}: ...' is missing")
    rules = parse_rules_name(header["rules"])
    facts = tuple((key, value) for key, value in header.items() if key not in ("rules", "seat 0", "seat 1"))
    scripts = tuple(draft.finish(number) for number, draft in enumerate(rounds))
    return GameScript(rules, (header["seat 0"], header["seat 1"]), scripts, facts)


def parse_rules_name(name: str) -> RuleSet:
    """The rule set of a `RuleSet.name`: "cafe", or "cafe with target=51 majority_tie=carry"."""
    base, _, settings = name.partition(" with ")
    return load_rules(base, settings.split())


@dataclass
class _Draft:
    dealer: int
    pack: list[int] = field(default_factory=list)
    cards: list[int] = field(default_factory=list)
    places: list[int] = field(default_factory=list)

    def add_ply(self, ply: int, seat: int, card: int) -> None:
        if ply != len(self.cards):
            raise BadInput(f"ply {len(self.cards)} comes here, not {ply}")
        if seat != (1 - self.dealer if ply % 2 == 0 else self.dealer):
            raise BadInput(f"ply {ply} is not seat {seat}'s")
        self.cards.append(card)

    def finish(self, number: int) -> RoundScript:
        if sorted(self.pack) != list(range(52)):
            raise BadInput(f"round {number}: its pack does not hold each of the 52 cards once")
        if len(self.cards) != 48:
            raise BadInput(f"round {number}: has {len(self.cards)} plies, not 48")
        return RoundScript(tuple(self.pack), self.dealer, tuple(self.cards), tuple(self.places))


def _parse_line(line: str, header: dict[str, str], rounds: list[_Draft]) -> None:
    key, _, value = line.partition(":")
    if found := _ROUND.match(line):
        if int(found[1]) != len(rounds):
            raise BadInput(f"round {len(rounds)} comes here, not {found[1]}")
        rounds.append(_Draft(dealer=int(found[2])))
    elif not rounds:
        if not value or key in header:
            raise BadInput(f"'{line}' is no header line, or stands twice")
        header[key] = value.strip()
    elif found := _PLY.match(line):
        rounds[-1].add_ply(int(found[1]), int(found[2]), parse_card(found[3]))
    elif key == "pack":
        rounds[-1].pack = parse_cards(value)
    elif key == "turned up":
        rounds[-1].places = [int(place) for place in _PLACE.findall(value)]
    elif key.rstrip(" 0123456789") not in _WRITTEN:
        raise BadInput(f"'{line}' cannot be read")


def replay(text: str, engine: Engine = play_round) -> GameScript:
    """Play a written game again and compare every line (comments apart). Raises BadInput at the first that differs."""
    game = parse_game(text)
    written = [(number, line.rstrip()) for number, line in enumerate(text.splitlines(), start=1) if _counts(line)]
    played = [line.rstrip() for line in write_game(game, engine).splitlines() if _counts(line)]
    for (number, here), there in zip(written, played, strict=False):
        if here != there:
            raise BadInput(f"line {number}: written '{here}', played '{there}'")
    if len(written) != len(played):
        raise BadInput(f"written are {len(written)} lines, played {len(played)}")
    return game


def _counts(line: str) -> bool:
    return bool(line.strip()) and not line.startswith("#")
