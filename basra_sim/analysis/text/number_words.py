"""Numbers as a person may read them: no more digits than the interval warrants, "n/a" where there is nothing to say."""

from __future__ import annotations

import math

from basra_sim.analysis.statistics.intervals import Estimate

NA = "n/a"


def decimals_for(half: float) -> int:
    """How many decimals a half-width warrants: two significant digits of it below 3.5, else one (as physicists do)."""
    if half <= 0 or not math.isfinite(half):
        return 0
    exponent = math.floor(math.log10(half))
    return max(0, -exponent + (1 if half / 10.0**exponent < 3.5 else 0))


def fixed(value: float | None, decimals: int, signed: bool = False) -> str:
    """A number with so many decimals, thousands separated, never "-0.0"; "n/a" for None."""
    if value is None or not math.isfinite(value):
        return NA
    rounded = round(value, decimals) + 0.0
    return f"{rounded:{'+' if signed and rounded else ''},.{decimals}f}"


def _scaled(estimate: Estimate, scale: float) -> tuple[float | None, float | None, float | None, int | None]:
    value, low, high = (None if x is None else x * scale for x in estimate)
    half = None if low is None or high is None else (high - low) / 2
    return value, low, high, None if half is None else decimals_for(half)


def number(estimate: Estimate, signed: bool = False, rough: int = 1) -> str:
    """"21.34", the digits chosen from the interval; without one, `rough` decimals."""
    value, _, _, decimals = _scaled(estimate, 1)
    return fixed(value, rough if decimals is None else decimals, signed)


def span(estimate: Estimate, signed: bool = False, scale: float = 1) -> str:
    """The interval in brackets, "(21.28 to 21.40)", or "(n/a)"."""
    _, low, high, decimals = _scaled(estimate, scale)
    if decimals is None:
        return f"({NA})"
    return f"({fixed(low, decimals, signed)} to {fixed(high, decimals, signed)})"


def number_span(estimate: Estimate, signed: bool = False) -> str:
    """"21.34 (21.28 to 21.40)"."""
    return f"{number(estimate, signed)} {span(estimate, signed)}"


def percent(estimate: Estimate) -> str:
    """"62.3 %", the digits chosen from the interval; whole percent without one. Say nearby of what."""
    value, _, _, decimals = _scaled(estimate, 100)
    if value is None:
        return NA
    return f"{fixed(value, 0 if value in (0, 100) else decimals or 0)} %"


def percent_span(estimate: Estimate) -> str:
    """"62.3 % (61.9 to 62.7)"."""
    return NA if estimate.value is None else f"{percent(estimate)} {span(estimate, scale=100)}"


def percent_half(estimate: Estimate, plus_minus: str = "±") -> str:
    """"±0.4" in percent points, or "n/a"; never "±0.0", since a half-width decides its own digits."""
    half = estimate.half
    return NA if half is None else f"{plus_minus}{fixed(half * 100, decimals_for(half * 100))}"


def probability(p: float | None) -> str:
    """A probability in percent that never claims certainty: ">99.99 %", "<0.01 %"."""
    if p is None:
        return NA
    if p > 0.9999:
        return ">99.99 %"
    if p < 0.0001:
        return "<0.01 %"
    return f"{100 * p:.{2 if p > 0.99 or p < 0.01 else 1 if p > 0.9 or p < 0.1 else 0}f} %"


def elo_text(estimate: Estimate) -> str:
    """"+87 (84 to 90)"; an end that is not finite is "...", all wins "n/a (+310 to ...)"."""
    value, low, high = estimate
    if value is None and low is None and high is None:
        return NA
    half = None if low is None or high is None else (high - low) / 2
    digits = 0 if half is None else decimals_for(half)
    if low is None and high is None:
        return f"{fixed(value, digits, True)} ({NA})"
    ends = ["..." if end is None else fixed(end, digits, True) for end in (low, high)]
    return f"{fixed(value, digits, True)} ({ends[0]} to {ends[1]})"


def count(n: int) -> str:
    """"12,462"."""
    return f"{n:,}"


def plural(n: int, word: str) -> str:
    """"1 game", "12,462 games"; match -> matches, strategy -> strategies."""
    if n == 1:
        return f"1 {word}"
    if word.endswith("y"):
        return f"{n:,} {word[:-1]}ies"
    return f"{n:,} {word}{'es' if word.endswith('ch') else 's'}"


def p_text(p: float | None) -> str:
    """"0.03", "<0.0001"."""
    if p is None:
        return NA
    return "<0.0001" if p < 0.0001 else f"{p:.4f}" if p < 0.01 else f"{p:.2f}"
