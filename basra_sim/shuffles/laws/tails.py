"""Tail probabilities of sums and chi-squares over many decks, accurate far out: everything in log10, both tails."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from math import log, log10, pi, sinh, sqrt

import numpy as np
from scipy import special

from .permutation_laws import Law

EXACT_SIZE = 300_000
FFT_FLOOR = 1e-9
LN10 = log(10.0)


@dataclass(frozen=True)
class Tails:
    """log10 of P(as low or lower) and of P(as high or higher)."""

    low: float
    high: float

    @property
    def log10_p(self) -> float:
        """log10 of the two-sided p-value, 2 min(low, high), at most 0."""
        return min(0.0, min(self.low, self.high) + log10(2.0))

    @property
    def p(self) -> float:
        return float(10.0**self.log10_p)

    @property
    def side(self) -> str:
        """Which tail the value lies in: "low" or "high"."""
        return "low" if self.low < self.high else "high"


class SumLaw:
    """The law of the sum of `decks` independent values of one Law: exact by convolution, or by saddlepoint.

    Convolution by FFT is exact to about 1e-13, so tails below 1e-9 (and sums too long for it) take the lattice
    saddlepoint of Lugannani and Rice (Daniels 1987, second continuity correction), good to a per mille relatively.
    """

    def __init__(self, law: Law, decks: int) -> None:
        support = np.flatnonzero(law.pmf)
        steps = np.diff(support)
        self.span = int(np.gcd.reduce(steps)) if len(steps) else 1
        self.low = law.low + int(support[0])
        self.pmf = law.pmf[support[0] : support[-1] + 1 : self.span]
        self.decks = decks
        self.mean, self.variance = law.mean, law.variance
        self._exact: tuple[np.ndarray, np.ndarray] | None = None

    def _index(self, total: int) -> int:
        return (total - self.decks * self.low) // self.span

    @property
    def top(self) -> int:
        return self.decks * (len(self.pmf) - 1)

    def _convolved(self) -> tuple[np.ndarray, np.ndarray]:
        if self._exact is None:
            size = 1 << (self.top + 1).bit_length()
            transform = np.fft.rfft(self.pmf, size)
            full = np.fft.irfft(transform**self.decks, size)[: self.top + 1]
            full = np.clip(full, 0.0, None)
            self._exact = np.cumsum(full), np.cumsum(full[::-1])[::-1]
        return self._exact

    def tails(self, total: int) -> Tails:
        """Both tails of an observed sum."""
        at = self._index(total)
        if self.top + 1 <= EXACT_SIZE:
            low, high = (float(part[at]) for part in self._convolved())
            if min(low, high) > FFT_FLOOR:
                return Tails(min(0.0, log10(low)), min(0.0, log10(high)))
        return Tails(self._tail(at, -1), self._tail(at, +1))

    def _cumulants(self, t: float) -> tuple[float, float, float]:
        """K, K', K'' of one value at t."""
        values = np.arange(len(self.pmf))
        with np.errstate(divide="ignore"):
            exponents = np.log(self.pmf) + t * values
        top = exponents.max()
        weights = np.exp(exponents - top)
        whole = weights.sum()
        mean = float(weights @ values / whole)
        return float(top + log(whole)), mean, float(weights @ (values - mean) ** 2 / whole)

    def _tail(self, at: int, side: int) -> float:
        """log10 P(sum index >= at) for side +1, <= at for side -1."""
        if (at <= 0 and side > 0) or (at >= self.top and side < 0):
            return 0.0
        if at <= 0 or at >= self.top:
            end = self.pmf[0] if at <= 0 else self.pmf[-1]
            return self.decks * log10(float(end))
        target = (at - side * 0.5) / self.decks
        t = _solve(lambda u: self._cumulants(u)[1] - target)
        k, _, curvature = self._cumulants(t)
        if abs(t) * sqrt(self.decks * curvature) < 1e-4:
            return log10(0.5)
        w = np.sign(t) * sqrt(max(2.0 * self.decks * (t * target - k), 1e-300))
        u = 2.0 * sinh(t / 2.0) * sqrt(self.decks * curvature)
        return _lugannani_rice(float(w), u, side)


def root(function: Callable[[float], float], low: float, high: float) -> float:
    """A root between two places where the function has opposite signs (Brent's method, scipy)."""
    from scipy.optimize import brentq  # loaded when it is needed: it takes longer than many a test here

    return float(brentq(function, low, high, xtol=1e-13, rtol=1e-13))


def _solve(function: Callable[[float], float]) -> float:
    """The root of an increasing function on the line."""
    reach = 1.0
    while function(reach) < 0 and reach < 700:
        reach *= 2
    back = -1.0
    while function(back) > 0 and back > -700:
        back *= 2
    if function(reach) < 0:
        return reach
    if function(back) > 0:
        return back
    return root(function, back, reach)


@lru_cache(maxsize=512)
def _cached_sum(key: tuple[str, int], decks: int) -> SumLaw:
    return SumLaw(_LAWS[key], decks)


_LAWS: dict[tuple[str, int], Law] = {}


def sum_law(name: str, n: int, law: Law, decks: int) -> SumLaw:
    """`SumLaw`, kept for the next time the same law and number of decks are asked for."""
    _LAWS.setdefault((name, n), law)
    return _cached_sum((name, n), decks)


def gamma_tails(value: float, mean: float, variance: float, third: float) -> Tails:
    """Tails of a right-skewed statistic by the gamma law with its first three central moments (exact for chi-square)."""
    if variance <= 0:
        return Tails(0.0, 0.0)
    skew = third / variance**1.5
    shape = 4.0 / skew**2
    at = shape + (value - mean) / sqrt(variance) * sqrt(shape)
    if at <= 0:
        # below where the shifted law begins: the gamma law from zero with two moments
        if value <= 0:
            return Tails(-300.0, 0.0)
        shape, at = mean**2 / variance, value * mean / variance
    low, high = float(special.gammainc(shape, at)), float(special.gammaincc(shape, at))
    return Tails(_gamma_log10(low, at, shape, -1), _gamma_log10(high, at, shape, +1))


def _gamma_log10(tail: float, at: float, shape: float, side: int) -> float:
    """log10 of a gamma tail; where it underflows, by the saddlepoint of Lugannani and Rice."""
    if tail > 1e-280:
        return min(0.0, log10(tail))
    w = np.sign(at - shape) * sqrt(2.0 * (at - shape - shape * log(at / shape)))
    return _lugannani_rice(float(w), (at - shape) / sqrt(shape), side)


def _lugannani_rice(w: float, u: float, side: int) -> float:
    """log10 of 1 - Phi(w) + phi(w) (1/u - 1/w) for side +1, of its complement for side -1."""
    tail = float(special.log_ndtr(-side * w))
    density = -0.5 * w * w - 0.5 * log(2.0 * pi)
    correction = side * (1.0 / u - 1.0 / w) * np.exp(density - tail)
    return min(0.0, (tail + log(max(1e-12, 1.0 + float(correction)))) / LN10)


def chi_square_tails(value: float, degrees: float, decks: int) -> Tails:
    """Tails of a Pearson statistic: chi-square with the variance that `decks` independent decks really give."""
    shrink = (decks - 1) / decks
    return gamma_tails(value, degrees, 2 * degrees * shrink, 8 * degrees * shrink)


def collision_tails(counts: np.ndarray, decks: int) -> tuple[float, Tails]:
    """Pearson's X2 of `decks` draws into equally likely cells, through the number of equal pairs of draws.

    Pairs are pairwise independent, so three moments are exact at any size; below 8 expected pairs the law is taken
    as Poisson.
    """
    cells = counts.size
    pairs = decks * (decks - 1) / 2
    p = 1.0 / cells
    equal = float((counts.astype(np.float64) * (counts - 1)).sum() / 2)
    x2 = cells / decks * (2 * equal + decks) - decks
    if pairs * p < 8:
        return x2, poisson_tails(int(equal), pairs * p)
    third = pairs * p * (1 - p) * (1 - 2 * p) + decks * (decks - 1) * (decks - 2) * p * p * (1 - p)
    return x2, gamma_tails(equal, pairs * p, pairs * p * (1 - p), third)


def poisson_tails(count: int, mean: float) -> Tails:
    """Both tails of a Poisson count."""
    low = _gamma_log10(float(special.gammaincc(count + 1, mean)), mean, count + 1.0, +1)
    high = _gamma_log10(float(special.gammainc(count, mean)), mean, float(count), -1) if count else 0.0
    return Tails(low, high)


@lru_cache(maxsize=4096)
def noncentrality(degrees: float, alpha: float, power: float = 0.8) -> float:
    """The noncentrality at which an upper chi-square test at alpha has the power (2601, .001, .8: 296)."""
    limit = float(special.chdtri(degrees, alpha))

    def gap(shift: float) -> float:
        return 1.0 - float(special.chndtr(limit, degrees, shift)) - power

    return root(gap, 1e-6, 20 * sqrt(degrees) + 400)


def noncentrality_interval(value: float, degrees: float, level: float = 0.95) -> tuple[float, float]:
    """The interval of noncentralities that agree with an observed chi-square value."""

    def below(shift: float) -> float:
        if degrees + shift > 2000:
            return float(special.ndtr((value - degrees - shift) / sqrt(2 * (degrees + 2 * shift))))
        return float(special.chndtr(value, degrees, shift))

    def end(tail: float) -> float:
        high = max(10.0, 2 * (value - degrees) + 40 * sqrt(degrees))
        if below(0.0) < tail:
            return 0.0
        return root(lambda shift: below(shift) - tail, 0.0, high) if below(high) < tail else high

    return end((1 + level) / 2), end((1 - level) / 2)


def holm(log10_ps: list[float]) -> list[float]:
    """log10 of Holm's adjusted p-values, in the order given (valid under any dependence)."""
    m = len(log10_ps)
    order = sorted(range(m), key=lambda i: log10_ps[i])
    adjusted = [0.0] * m
    running = -np.inf
    for rank, i in enumerate(order):
        running = max(running, min(0.0, log10_ps[i] + log10(m - rank)))
        adjusted[i] = float(running)
    return adjusted

