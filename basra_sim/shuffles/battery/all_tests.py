"""The rows of the battery: every test with its title, what it is made for, how it is measured and when it may be run.

A change here changes BATTERY_VERSION. Profiles are the letters Q (quick), F (full) and C (certifier).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from .measures import (
    Measure,
    face,
    guess,
    lag_position,
    neighbours,
    opening,
    orders,
    permutation,
    position,
    repeated_openings,
    repeats,
    shape,
)  # fmt: skip
from .tally import Tally

BATTERY_VERSION = "1"


@dataclass(frozen=True)
class Test:
    """One row of the battery. needs: "" | "start" (a known order before the shuffle) | "faces" (suits and ranks)."""

    name: str
    title: str
    catches: str
    measure: Callable[[Tally], Measure | None]
    profiles: str = "F"
    needs: str = ""
    least: int = 2  # the smallest deck size it makes sense for
    group: str = ""


# pytest must not collect it
Test.__test__ = False  # type: ignore[attr-defined]


def _place_tests() -> list[Test]:
    s = shape
    rows = [
        Test("orders", "every order of the few cards", "anything", orders, "QFC", least=2, group="place"),
        Test("position", "card x place", "cards kept near a place", position, "QFC", least=3, group="place"),
        Test("suit-place", "suit x place", "the same by suit", s("suit-place"), "FC", "faces", group="place"),
        Test("rank-place", "rank x place", "the same by rank", s("rank-place"), "C", "faces", group="place"),
        Test("rank-block", "rank x hand of 4", "the same by rank and hand",
             s("rank-block"), "F", "faces", group="place"),
        Test("first-card", "the first card", "a top card that stays", s("first-card"), "QFC", least=3, group="place"),
        Test("last-card", "the last card", "a bottom card that stays", s("last-card"), "F", least=3, group="place"),
        Test("komi-place", "the place of the 7d", "one stuck card", s("komi-place"), "F", "faces", group="place"),
    ]
    for suit, at in zip("cdhs", range(40, 44), strict=True):
        name = f"jack-{suit}-place"
        rows.append(Test(name, f"the place of the J{suit}", "one stuck card", s(name, at), "F", "faces", group="place"))
    return rows


def _neighbour_tests() -> list[Test]:
    p, h = permutation, face
    return [
        Test("neighbours", "ordered neighbours", "clumps, piles, weak riffles",
             neighbours, "QFC", least=3, group="neighbours"),
        Test("opening", "the first two cards", "small seed spaces",
             opening, "F", least=4, group="neighbours"),
        Test("descents", "descents", "sort-key ties, piles", p("descents"), "QF", "start", 3, group="neighbours"),
        Test("runs", "runs of one colour", "colour clumps, or too few", h("runs"), "FC", "faces", group="neighbours"),
        Test("like-suit", "neighbours of one suit", "suit clumps, or avoided",
             h("like-suit"), "F", "faces", group="neighbours"),
        Test("like-rank", "neighbours of one rank", "pairs kept, or avoided",
             h("like-rank"), "QF", "faces", group="neighbours"),
    ]  # fmt: skip


def _start_tests() -> list[Test]:
    p = permutation
    return [
        Test("rising", "rising sequences", "too few riffles", p("rising"), "QF", "start", 3, "start"),
        Test("inversions", "inversions", "cards drift, stay near the start",
             p("inversions"), "QF", "start", 3, "start"),
        Test("footrule", "distance from the start", "cards stay near the start",
             p("footrule"), "F", "start", 3, "start"),
        Test("fixed", "cards that stayed", "too few swaps, off by one", p("fixed"), "QF", "start", 3, "start"),
        Test("cycles", "cycles", "off by one (Sattolo)", p("cycles"), "QF", "start", 3, "start"),
        Test("parity", "odd orders", "a fixed number of swaps", p("parity"), "QF", "start", 3, "start"),
        Test("lis", "longest increasing part", "order left over", p("lis"), "F", "start", 3, "start"),
        Test("successions", "cards still followed by their next", "unbroken runs",
             p("successions"), "F", "start", 3, "start"),
    ]  # fmt: skip


def _lag_tests() -> list[Test]:
    rows = []
    for lag, words, profiles in ((1, "the deck before", "QFC"), (2, "the deck two before", "F")):
        rows.append(
            Test(f"lag{lag}-position", f"card x place against {words}", "reuse, linked seeds",
                 lag_position(lag), profiles, least=3, group="lag")
        )  # fmt: skip
        for name, title in (
            ("rising", "rising sequences"), ("inversions", "inversions"), ("fixed", "cards that stayed"), ("cycles", "cycles"),
            ("successions", "cards still followed by their next"),
        ):  # fmt: skip
            quick = "QF" if lag == 1 and name in ("rising", "inversions", "successions") else "F"
            about = f"{title} against {words}"
            made_for = "a reused deck, linked seeds"
            rows.append(Test(f"lag{lag}-{name}", about, made_for, permutation(name, lag), quick, "", 3, "lag"))
    return rows


def _hand_tests() -> list[Test]:
    h, rows = face, []
    for name, title, catches, profiles in (
        ("first-hand-jacks", "jacks in the first hand", "what players complain about", "F"),
        ("leader-jacks", "jacks dealt to the leader", "a seat that is favoured", "QF"),
        ("floor-jacks", "jacks on the first floor", "a floor that is favoured", "F"),
        ("jack-spread", "first to last jack", "jacks kept together", "FC"),
        ("komi-jacks", "7d to the jacks", "komi and jacks kept together", "FC"),
        ("hand-pairs", "pairs inside hands and floor", "pairs kept, or avoided", "FC"),
        ("floor-pairs", "pairs on the first floor", "pairs kept, or avoided", "FC"),
    ):
        rows.append(Test(name, title, catches, h(name), profiles, "faces", group="hands"))
    return [
        *rows,
        Test("komi-owner", "who is dealt the 7d", "a seat that is favoured",
             shape("komi-owner"), "QF", "faces", group="hands"),
        Test("coupon", "cards until all ranks are seen", "ranks that come late",
             h("coupon"), "C", "faces", group="hands"),
    ]  # fmt: skip


def _last_tests() -> list[Test]:
    return [
        Test("guess-next", "cards guessed from the one before", "anything predictable",
             guess(0), "QF", least=3, group="guess"),
        Test("guess-place", "cards guessed from their place", "anything predictable",
             guess(1), "F", least=3, group="guess"),
        Test("guess-before", "cards guessed from the deck before", "a reused deck",
             guess(2), "F", least=3, group="guess"),
        Test("repeats", "decks that came twice", "small seed spaces, forked workers",
             repeats, "QFC", least=5, group="repeats"),
        Test("openings", "first 8 cards that came twice", "small seed spaces",
             repeated_openings, "F", least=10, group="repeats"),
    ]  # fmt: skip


TESTS = (
    *_place_tests(), *_neighbour_tests(), *_start_tests(), *_lag_tests(), *_hand_tests(), *_last_tests(),
)  # fmt: skip
