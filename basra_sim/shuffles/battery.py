"""The fixed battery of tests: which there are, how each is judged, Holm's correction and the verdict in three states.

Decided before looking at any data and stamped with BATTERY_VERSION; a profile is a fixed part of it. Nothing here
ever says that a shuffle is fair: the best it says is that no bias was found, and what would have been seen.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from math import sqrt

from scipy import special

from ..errors import BadInput, nearest
from . import measures
from .measures import Measure
from .pvalues import holm, noncentrality
from .statistics import Tally

BATTERY_VERSION = "1"
ALPHA = 0.001
WEAK = 0.05
POWER = 0.8
PROFILES = ("quick", "full", "certifier")
FOUND, WEAKLY, NONE, TOO_FEW = "found", "weak", "none found", "too few decks"
EXIT_CODES = {FOUND: 1, WEAKLY: 0, NONE: 0, TOO_FEW: 3}


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


@dataclass(frozen=True)
class Result:
    """What one test says of one log: p (two-sided), Holm's p over the battery, effect, and what could be seen."""

    test: Test
    measure: Measure
    log10_p: float
    log10_holm: float = 0.0
    could_see: float | None = None

    @property
    def p(self) -> float:
        return float(10.0**self.log10_p)

    @property
    def verdict(self) -> str:
        return state(self.log10_holm)


@dataclass
class Outcome:
    """All results of one log and the verdict over them."""

    results: list[Result]
    decks: int
    n: int
    profile: str
    reference: str
    alpha: float = ALPHA
    verdict: str = NONE
    skipped: list[str] = field(default_factory=list)

    @property
    def flagged(self) -> list[Result]:
        """What was found, strongest first; when nothing was, the weak ones."""
        wanted = FOUND if self.verdict == FOUND else WEAKLY
        return sorted((r for r in self.results if r.verdict == wanted), key=lambda r: r.log10_p)

    @property
    def exit_code(self) -> int:
        return EXIT_CODES[self.verdict]

    def result(self, name: str) -> Result:
        """The result of a test by name. Raises KeyError when it was not run."""
        for result in self.results:
            if result.test.name == name:
                return result
        raise KeyError(name)


def state(log10_holm: float) -> str:
    """The three states: found (<= .001 over the whole battery), weak (< .05), none found."""
    if log10_holm <= -3.0:
        return FOUND
    return WEAKLY if log10_holm < -1.30103 else NONE


def _tests() -> tuple[Test, ...]:
    p, s, h = measures.permutation, measures.shape, measures.face
    rows = [
        Test("orders", "every order of the few cards", "anything", measures.orders, "QFC", least=2, group="place"),
        Test("position", "card x place", "cards kept near a place", measures.position, "QFC", least=3, group="place"),
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
    rows += [
        Test("neighbours", "ordered neighbours", "clumps, piles, weak riffles",
             measures.neighbours, "QFC", least=3, group="neighbours"),
        Test("opening", "the first two cards", "small seed spaces",
             measures.opening, "F", least=4, group="neighbours"),
        Test("descents", "descents", "sort-key ties, piles", p("descents"), "QF", "start", 3, group="neighbours"),
        Test("runs", "runs of one colour", "colour clumps, or too few", h("runs"), "FC", "faces", group="neighbours"),
        Test("like-suit", "neighbours of one suit", "suit clumps, or avoided",
             h("like-suit"), "F", "faces", group="neighbours"),
        Test("like-rank", "neighbours of one rank", "pairs kept, or avoided",
             h("like-rank"), "QF", "faces", group="neighbours"),
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
    for lag, words, profiles in ((1, "the deck before", "QFC"), (2, "the deck two before", "F")):
        rows.append(
            Test(f"lag{lag}-position", f"card x place against {words}", "reuse, linked seeds",
                 measures.lag_position(lag), profiles, least=3, group="lag")
        )  # fmt: skip
        for name, title in (
            ("rising", "rising sequences"), ("inversions", "inversions"), ("fixed", "cards that stayed"), ("cycles", "cycles"),
            ("successions", "cards still followed by their next"),
        ):  # fmt: skip
            quick = "QF" if lag == 1 and name in ("rising", "inversions", "successions") else "F"
            title = f"{title} against {words}"
            rows.append(Test(f"lag{lag}-{name}", title, "a reused deck, linked seeds", p(name, lag), quick, "", 3, "lag"))
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
    rows += [
        Test("komi-owner", "who is dealt the 7d", "a seat that is favoured",
             s("komi-owner"), "QF", "faces", group="hands"),
        Test("coupon", "cards until all ranks are seen", "ranks that come late",
             h("coupon"), "C", "faces", group="hands"),
        Test("guess-next", "cards guessed from the one before", "anything predictable",
             measures.guess(0), "QF", least=3, group="guess"),
        Test("guess-place", "cards guessed from their place", "anything predictable",
             measures.guess(1), "F", least=3, group="guess"),
        Test("guess-before", "cards guessed from the deck before", "a reused deck",
             measures.guess(2), "F", least=3, group="guess"),
        Test("repeats", "decks that came twice", "small seed spaces, forked workers",
             measures.repeats, "QFC", least=5, group="repeats"),
        Test("openings", "first 8 cards that came twice", "small seed spaces",
             measures.repeated_openings, "F", least=10, group="repeats"),
    ]  # fmt: skip
    return tuple(rows)


TESTS = _tests()


def test_names() -> list[str]:
    """The names of all tests, in the order of the report."""
    return [test.name for test in TESTS]


test_names.__test__ = False  # type: ignore[attr-defined]  # pytest must not collect it
Test.__test__ = False  # type: ignore[attr-defined]


def choose(profile: str, n: int, *, reference: bool, faces: bool, only: list[str] | None = None) -> list[Test]:
    """The tests of a profile that a log allows. Raises BadInput for an unknown profile or test name."""
    if profile not in PROFILES:
        raise BadInput(f"no profile '{profile}'; there are {', '.join(PROFILES)}")
    for name in only or []:
        if name not in test_names():
            raise BadInput(f"no test '{name}'; {nearest(name, test_names()) or ', '.join(test_names())}")
    letter = profile[0].upper()
    chosen = []
    for test in TESTS:
        wanted = test.name in only if only else letter in test.profiles
        possible = n >= test.least and (test.needs != "faces" or (faces and n == 52))
        if wanted and possible and (test.needs != "start" or reference):
            chosen.append(test)
    return chosen


def smallest_seen(measure: Measure, decks: int, alpha: float) -> float | None:
    """The smallest effect that this many decks would have shown with 80 % power at the two-sided level alpha."""
    if measure.kind == "mean" and measure.sd:
        reach = float(special.ndtri(1 - alpha / 2) + special.ndtri(POWER))
        return reach * measure.sd / sqrt(measure.count)
    if measure.kind == "cells":
        return sqrt(noncentrality(measure.degrees, alpha / 2, POWER) / (measure.mass * measure.count))
    return None


def judge(
    tally: Tally,
    *,
    profile: str = "full",
    reference: str = "new",
    faces: bool = True,
    only: list[str] | None = None,
    alpha: float = ALPHA,
) -> Outcome:
    """Run the battery on the counts of a log. reference: "new", "prev" or "none" (which tests may use an order)."""
    tests = choose(profile, tally.n, reference=reference == "new", faces=faces, only=only)
    measured = []
    for test in tests:
        measure = test.measure(tally)
        if measure is not None:
            measured.append((test, measure))
    adjusted = holm([measure.tails.log10_p for _, measure in measured])
    level = alpha / max(1, len(measured))
    results = [
        Result(test, measure, measure.tails.log10_p, adjusted[i], smallest_seen(measure, tally.decks, level))
        for i, (test, measure) in enumerate(measured)
    ]
    done = {test.name for test, _ in measured}
    outcome = Outcome(results, tally.decks, tally.n, profile, reference, alpha)
    outcome.skipped = [test.name for test in TESTS if test.name not in done]
    outcome.verdict = verdict(results, tally.decks, tally.n)
    return outcome


def verdict(results: list[Result], decks: int, n: int) -> str:
    """The verdict over a battery: found, weak, none found, or too few decks to say."""
    strongest = min((result.log10_holm for result in results), default=0.0)
    if state(strongest) == FOUND:
        return FOUND
    if decks < fewest_decks(n):
        return TOO_FEW
    return state(strongest)


def fewest_decks(n: int) -> int:
    """Below this many decks "none found" says nothing: even a bias of 50 % (rms) would mostly go unseen."""
    degrees = float((n - 1) ** 2)
    return int(noncentrality(degrees, ALPHA) / (max(1, n - 1) * 0.25)) + 1


def reweigh(outcome: Outcome, results: list[Result]) -> Outcome:
    """The same outcome for a part of its results, with Holm taken over that part (for --confirm)."""
    adjusted = holm([result.log10_p for result in results])
    kept = [replace(result, log10_holm=adjusted[i]) for i, result in enumerate(results)]
    part = replace(outcome, results=kept)
    part.verdict = verdict(kept, outcome.decks, outcome.n)
    return part
