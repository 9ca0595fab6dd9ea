"""A weighed game as text: every play with the cards of the hand below it, then what was lost and where."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from basra_sim.game.cards import card_text, set_text
from basra_sim.game.phrases import count_of

from .play_review import Play, Review
from .position_advice import Choice

NOTES = """\
* marks the card played. he clears, he scores: the chance that the other holds a card that takes the whole floor left, or
scores a basra there. about: points of the round over the other's that are expected then, majority included: the mean of
exact open play of the deal over hands that the other may hold. exact: the final difference of the round with best play of
both, in the last deal, which hides nothing; wins: the chance to win round or game then, by the rule set's value table where
the game goes on. Giving up points for a better chance to win is no mistake, and a small estimated loss proves none."""


def review_lines(review: Review) -> Iterator[str]:
    """The whole text, a line at a time."""
    names = review.game.names
    yield f"rules: {review.game.rules.name}; seat 0: {names[0]}; seat 1: {names[1]}"
    yield from (f"{key}: {value}" for key, value in review.game.facts)
    yield f"asked: {', '.join(review.players) or 'nobody'}"
    at = None
    for play in review.plays:
        if play.round != at:
            at = play.round
            dealer, scores = review.game.rounds[at].dealer, play.position.scores
            scores = scores if play.event.seat == 0 else scores[::-1]
            yield ""
            yield f"round {at}: seat {dealer} deals, seat {1 - dealer} leads; score {scores[0]}-{scores[1]}"
        yield from play_lines(play)
        if play.event.ply == 47:
            points = review.results[at].points
            yield f"round {at} ends: {points[0]}-{points[1]} points"
    yield ""
    yield from summary_lines(review)
    yield ""
    yield from NOTES.splitlines()


def play_lines(play: Play) -> Iterator[str]:
    """One play: where, what lay on the floor, and a line for each card of the hand."""
    event, floor = play.event, set_text(play.position.floor) or "empty"
    head = f"ply {event.ply} (deal {event.deal})  seat {event.seat} {play.strategy}  floor {floor}"
    yield ""
    if play.forced:
        yield f"{head}; {card_text(event.card)} is forced: {does(play.chosen)}"
        return
    yield f"{head}; the other holds a jack: {percent(play.jack)}"
    exact = play.position.is_open
    last = f"{'exact':>7} {'wins':>6}" if exact else f"{'about':>7}" if play.estimates else ""
    width = max(22, *(len(does(choice)) for choice in play.choices))
    yield f"    card  {'does':<{width}}  {'he clears':>9} {'he scores':>9} {last}  played by"
    for choice in play.choices:
        mark = "*" if choice is play.chosen else " "
        line = f"  {mark} {card_text(choice.card)}    {does(choice):<{width}}  "
        line += f"{percent(choice.clears):>9} {percent(choice.basra):>9} "
        if exact:
            line += f"{choice.exact_points:>+7.0f} {percent(choice.exact_win):>6}"
        elif play.estimates:
            line += f"{play.estimates[choice.card]:>+7.1f}"
        yield f"{line}  {', '.join(choice.played_by)}".rstrip()
    lost = cost(play)
    if lost and (not play.estimates or (play.estimated_loss or 0) >= 0.05):
        yield f"    lost {lost}"


def does(choice: Choice) -> str:
    """What a card does, in a few words."""
    if not choice.takes:
        return "is laid"
    kind = choice.kind.text.replace("_", " ")
    return f"takes {set_text(choice.takes)}" + (f", {kind}" if kind not in ("capture", "lay") else "") + (
        f" {choice.points}" if choice.points else ""
    )


def percent(chance: float | None) -> str:
    """``0.25 -> "25 %"``."""
    return "-" if chance is None else f"{100 * chance:.0f} %"


def cost(play: Play) -> str:
    """What a play lost, in words; empty where it lost nothing."""
    if play.regret_points is not None:
        parts = [f"{count_of(round(play.regret_points), 'point')}"] if play.regret_points else []
        parts += [f"{100 * play.regret_win:.0f} % of the chance to win"] if play.regret_win else []
        return " and ".join(parts)
    return f"about {play.estimated_loss:.1f} points" if play.estimated_loss else ""


def summary_lines(review: Review) -> Iterator[str]:
    """What each side lost, and the plays that lost most."""
    yield "What the plays lost (plays with a choice only)"
    for seat in (0, 1):
        yield from _side_lines(review.summary(seat))
    for title, plays in (
        ("Worst plays of last deals, exact", review.worst()),
        ("Worst plays before them, as estimated", review.worst_estimated()),
    ):
        if plays:
            yield ""
            yield title
            yield from (f"  {_worst_line(play)}" for play in plays)


def _side_lines(found: dict[str, Any]) -> Iterator[str]:
    head = f"  seat {found['seat']} {found['strategy']}"
    last = count_of(found["last_deal_choices"], "last-deal choice")
    yield f"{head}: {found['regret_points']:.0f} points and {100 * found['regret_win']:.0f} % of a win in {last}, exactly"
    if found["estimated_choices"]:
        deals = ", ".join(f"{lost:.1f}" for lost in found["estimated_loss_by_deal"])
        many = count_of(found["estimated_choices"], "earlier choice")
        yield f"    about {found['estimated_loss']:.1f} points in {many}; by deal 0 to 4: {deals}"
    for name, same in found["played_as"].items():
        yield f"    plays as {name} in {same} of {count_of(found['choices'], 'choice')}"


def _worst_line(play: Play) -> str:
    best = play.best
    instead = "" if best is None or best is play.chosen else f" instead of {card_text(best.card)} ({does(best)})"
    return (
        f"round {play.round}, ply {play.event.ply}: seat {play.event.seat} {play.strategy} played "
        f"{card_text(play.event.card)} ({does(play.chosen)}){instead}: {cost(play)}"
    )
