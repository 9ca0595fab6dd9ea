"""The fixed battery of tests: which there are, how each is judged, Holm's correction and the verdict in three states.

Decided before looking at any data and stamped with BATTERY_VERSION; a profile is a fixed part of it. Nothing here
ever says that a shuffle is fair: the best it says is that no bias was found, and what would have been seen.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, field, replace
from math import sqrt

from scipy import special

from basra_sim.errors import BadInput, nearest
from basra_sim.shuffles.laws.tails import holm, noncentrality

from .all_tests import BATTERY_VERSION, TESTS, Test
from .measures import Measure
from .tally import Tally

__all__ = ["BATTERY_VERSION", "TESTS", "Outcome", "Result", "Test", "choose", "holm", "judge", "reweigh", "state", "verdict"]

ALPHA = 0.001
POWER = 0.8
PROFILES = ("quick", "full", "certifier")
FOUND, WEAKLY, NONE, TOO_FEW = "found", "weak", "none found", "too few decks"
EXIT_CODES = {FOUND: 1, WEAKLY: 0, NONE: 0, TOO_FEW: 3}


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


def test_names() -> list[str]:
    """The names of all tests, in the order of the report."""
    return [test.name for test in TESTS]


test_names.__test__ = False  # type: ignore[attr-defined]  # pytest must not collect it


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
    if measure.kind == "count":
        return pairs_seen(measure.expected, alpha)
    return None


def pairs_seen(expected: float, alpha: float) -> float:
    """How many pairs more than `expected` are seen with 80 % power: both Poisson, two-sided level alpha."""
    # P(Poisson(m) >= k) is the regularised incomplete gamma function P(k, m)
    most = 100 + int(expected + 40 * sqrt(expected))
    needed = 1 + bisect_left(range(1, most), True, key=lambda k: bool(special.gammainc(k, expected) <= alpha / 2))
    return float(special.gammaincinv(needed, POWER)) - expected


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
