"""The words of a shuffle report: the verdict in one sentence, what could have been seen, limits. Never the word fair alone."""

from __future__ import annotations

from math import sqrt

from basra_sim.shuffles.battery.effect_sizes import Repeats, RiffleEquivalent
from basra_sim.shuffles.battery.outcomes import FOUND, NONE, TOO_FEW, WEAKLY, Outcome, Result
from basra_sim.shuffles.laws.tails import noncentrality

LEAST_LOG10_P = -300.0  # smaller is not told: no model of the world holds so far out
COLUMNS_TOLD = (
    "seen: the effect with its 95 % interval (for tables of cells the rms of the relative error, noise taken off); perfect: a "
    "perfect shuffle; could see: the smallest effect that this many decks show with 80 % power; p: two-sided; Holm: p "
    "after the correction for all tests, the one that counts."
)
LIMITS = (
    "A test can only find a bias; nothing here proves that a shuffle is free of one.",
    "With many tests small p-values happen: Holm's correction over this whole battery is the one that counts.",
    "Tests of decks cannot tell whether the next deck can be predicted: `basra-sim shuffle seeds` looks for that.",
    "Test the pack as shuffled, before jacks and the 7d turned up for the floor are put back: that repair is no bias.",
    "Decks chosen because they looked odd, or games left early, are not a sample of the shuffle.",
)


def limit_lines(outcome: Outcome) -> list[str]:
    """What the verdict cannot mean; for the certifier profile also what its usual level would mean."""
    lines = list(LIMITS)
    if outcome.profile == "certifier":
        chance = 1 - 0.95 ** len(outcome.results)
        lines.append(
            f"Read at the 95 % level of some certifiers, a perfect shuffle fails one or more of {len(outcome.results)} such "
            f"tests in about {chance:.0%} of all logs (if they were independent); Holm's column does not."
        )
    return lines


def p_equals(log10_p: float) -> str:
    """ "p = 0.031" or "p < 1e-300"."""
    return "p < 1e-300" if log10_p < LEAST_LOG10_P else f"p = {p_text(log10_p)}"


def p_text(log10_p: float) -> str:
    """A p-value in three significant letters: 0.031, 4e-06, 1e-230, <1e-300."""
    if log10_p < LEAST_LOG10_P:
        return "<1e-300"
    if log10_p > -3.5:
        return f"{10.0**log10_p:.2g}"
    power = int(log10_p) - (1 if log10_p != int(log10_p) else 0)
    lead = 10.0 ** (log10_p - power)
    if round(lead) >= 10:
        lead, power = 1.0, power + 1
    return f"{lead:.0f}e{power:03d}" if power > -100 else f"1e{power}"


def percent(share: float) -> str:
    """A share as a percentage with two or three digits."""
    value = 100 * share
    return f"{value:.0f} %" if value >= 20 else f"{value:.2g} %"


def count_text(value: float) -> str:
    """A number with at most four digits that matter."""
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"


def is_too_even(result: Result) -> bool:
    """Whether a table of cells lies closer to its expectation than chance allows."""
    return result.measure.kind == "cells" and result.measure.tails.side == "low"


def what_it_means(result: Result) -> str:
    """One flagged result in words: what was seen, against what."""
    m, title = result.measure, result.test.title
    if is_too_even(result):
        return f"{title}: too even, closer to equal than chance allows"
    if m.kind == "cells":
        return f"{title}: probabilities off by {percent(m.value)} (rms)"
    if m.kind == "count":
        return f"{title}: {count_text(m.value)} pairs where {count_text(m.expected)} are expected"
    return f"{title}: {m.value:.4g} a deck where {m.expected:.4g} is expected"


def rms_seen(decks: int, n: int, alpha: float) -> float:
    """The smallest place bias (rms, relative) that this many decks show with 80 % power at level alpha."""
    degrees = float((n - 1) ** 2)
    return sqrt(noncentrality(degrees, alpha) / (max(1, n - 1) * decks))


def verdict_sentence(outcome: Outcome, culprit: str = "") -> str:
    """The verdict in one sentence."""
    total, decks = len(outcome.results), f"{outcome.decks:,} decks"
    flagged = outcome.flagged
    if outcome.verdict == FOUND:
        strongest = flagged[0]
        even = "The decks are too even" if all(is_too_even(r) for r in flagged) else "Bias found"
        tail = f"; {culprit}" if culprit else ""
        return (
            f"{even}: {len(flagged)} of {total} tests on {decks}, most of all {what_it_means(strongest)} "
            f"({p_equals(strongest.log10_p)}, {p_text(strongest.log10_holm)} after Holm){tail}."
        )
    seen = percent(rms_seen(max(1, outcome.decks), outcome.n, outcome.alpha / max(1, total)))
    if outcome.verdict == TOO_FEW:
        return f"Too few decks to say: {decks} would only show a place bias of {seen} (rms) or more; nothing was found."
    if outcome.verdict == WEAKLY:
        first = flagged[0]
        return (
            f"Weak evidence, no more: {what_it_means(first)} ({p_equals(first.log10_p)}, {p_text(first.log10_holm)} after "
            f"Holm over {total} tests); about one perfect log in twenty shows as much. Confirm on fresh decks (--confirm)."
        )
    assert outcome.verdict == NONE
    return f"No bias found in {decks} by {total} tests; a place bias of {seen} (rms) or more would probably have been seen."


def seen_lines(outcome: Outcome) -> list[str]:
    """What this number of decks could have shown (80 % power, over the whole battery)."""
    level = outcome.alpha / max(1, len(outcome.results))
    bias = percent(rms_seen(max(1, outcome.decks), outcome.n, level))
    lines = [f"card x place: a bias of {bias} (rms of the {outcome.n}x{outcome.n} probabilities) or more"]
    for result in outcome.results:
        if result.test.name in ("rising", "lag1-rising", "inversions", "leader-jacks", "like-rank") and result.could_see:
            lines.append(f"{result.test.title}: a mean off by {count_text(result.could_see)} from {result.measure.expected:.4g}")
    return lines


def riffle_line(riffle: RiffleEquivalent, against: str) -> str:
    """The riffle equivalent in words."""
    high = "any number" if riffle.high is None else f"{riffle.high:.1f}"
    if riffle.riffles is None:
        return f"rising sequences against {against}: as after {riffle.low:.1f} riffles or more (95 %); no order left over to see"
    return (
        f"rising sequences against {against}: as many as {riffle.riffles:.1f} riffles leave (95 %: {riffle.low:.1f} to {high}); "
        f"{riffle.missing_bits:.2g} bits of randomness missing"
    )


def repeat_lines(repeats: Repeats, decks: int) -> list[str]:
    """Repeated decks and what they say of the seeds."""
    if not repeats.pairs:
        return [
            f"no deck came twice in {decks:,}; a generator with fewer than about 2^{repeats.above_bits:.0f} different decks "
            "would have repeated one (95 %)"
        ]
    assert repeats.first and repeats.seed_bits is not None
    lines = [f"{repeats.pairs:,} pairs of equal decks; the first: deck {repeats.first[1]:,} is deck {repeats.first[0]:,} again"]
    if repeats.lag_share > 0.5 and repeats.pairs > 1:
        apart = f"{percent(repeats.lag_share)} of them lie {repeats.lag:,} decks apart"
        lines.append(f"{apart}: copied generator state or a restart, not chance")
    else:
        lines.append(f"as often as with about 2^{repeats.seed_bits:.1f} different decks (52! is 2^225.6)")
    return lines
