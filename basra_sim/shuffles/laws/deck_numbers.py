"""What a number of decks can show, and how many decks a bias needs: noncentral chi-square and normal sample sizes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import ceil, log2, sqrt

from basra_sim.errors import BadInput

ALPHA, POWER = 0.001, 0.8
CELLS = 51 * 51


@lru_cache
def noncentrality(degrees: int, alpha: float, power: float) -> float:
    """The noncentral chi-square parameter at which a test at level alpha has this power (296.06 for 2601, .001, .8)."""
    from scipy.optimize import brentq  # these and norm below: 1.5 s, which a command with a wrong option should not cost
    from scipy.stats import chi2, ncx2

    critical = chi2.isf(alpha, degrees)
    return float(brentq(lambda value: ncx2.sf(critical, degrees, value) - power, 1e-6, 1e6, xtol=1e-6))


def z_sum(alpha: float, power: float) -> float:
    """z_(1 - alpha/2) + z_power."""
    from scipy.stats import norm

    return float(norm.isf(alpha / 2) + norm.isf(1 - power))


@dataclass(frozen=True)
class Question:
    """One kind of bias. per_root: the smallest relative bias seen with 80 % power is per_root / sqrt(decks)."""

    name: str
    words: str
    base: str
    per_root: float


def questions(alpha: float = ALPHA, power: float = POWER) -> list[Question]:
    """The kinds of bias that are planned for, in relative terms (0.05: 5 % more often than it should be).

    place table: rms over 52 x 52 cells, noncentrality = 51 N rms^2 (Pearson's X^2 times 51/52). The others compare a
    mean with its null value: N = ((z_(1-alpha/2) + z_power) sd / (relative bias x mean))^2. Jacks to one player: 24 of
    52 cards, mean 24/13, variance of the hypergeometric law.
    """
    z = z_sum(alpha, power)
    jacks_mean = 4 * 24 / 52
    jacks_sd = sqrt(4 * (24 / 52) * (28 / 52) * (48 / 51))
    first_mean = 16 / 52
    first_sd = sqrt(4 * (4 / 52) * (48 / 52) * (48 / 51))
    return [
        Question(
            "place",
            "any card at any place (rms over the 52 x 52 table)",
            "1/52 each",
            sqrt(noncentrality(CELLS, alpha, power) / 51),
        ),
        Question("card", "one card at one place, named beforehand", "1/52", z * sqrt(51)),
        Question("seven", "the 7d goes to one player of two", "24/52", z * sqrt(28 / 24)),
        Question("jacks", "jacks to one player in a round", f"{jacks_mean:.3f}", z * jacks_sd / jacks_mean),
        Question("first", "jacks in the first hand of four", f"{first_mean:.3f}", z * first_sd / first_mean),
        Question("half", "anything that should happen half the time", "1/2", z),
    ]


def smallest_bias(question: Question, decks: int) -> float:
    """The relative bias that so many decks show with the planned power; over 1 means that only absurd biases show."""
    return question.per_root / sqrt(decks)


def decks_needed(question: Question, bias: float) -> int:
    """Decks needed to show a relative bias."""
    return ceil((question.per_root / bias) ** 2)


# Decks for 80 % power at alpha .001 by the test that sees the flaw first, each flaw simulated on its own.
FLAWS = (
    ("3 riffles of a new deck", "rising sequences", 1),
    ("5 riffles of a new deck", "rising sequences", 2),
    ("Sattolo's variant where no card stays", "cycles", 4),
    ("6 riffles", "rising sequences", 6),
    ("seven piles dealt and put together", "like neighbours", 8),
    ("sorting by 100 random keys", "descents", 14),
    ("7 riffles", "rising sequences", 24),
    ("8 riffles", "rising sequences", 94),
    ("naive swap with any card", "inversions", 106),
    ("sorting with a random comparator", "inversions", 114),
    ("one byte % k", "inversions", 911),
    ("10 riffles", "rising sequences", 1504),
)


def seed_bits(decks: int) -> float:
    """log2 of the number of random seeds among which so many decks repeat with chance 1/2."""
    return log2(max(1.0, decks * (decks - 1) / (2 * 0.6931471805599453)))


def parse_bias(text: str) -> float:
    """ "5%" or "0.05" -> 0.05. Raises BadInput unless it is above 0 and at most 10."""
    word = text.strip()
    try:
        value = float(word.removesuffix("%")) / (100 if word.endswith("%") else 1)
    except ValueError:
        value = -1.0
    if not 0 < value <= 10:
        raise BadInput(f"--bias '{text}' should be a relative bias such as 5% or 0.05 (5 % more often than it should be)")
    return value


def plan_lines(decks: int | None, bias: float | None, alpha: float = ALPHA, power: float = POWER) -> list[str]:
    """The plan in plain lines. Exactly one of decks and bias."""
    terms = f"{power:.0%} power, two-sided alpha {alpha:g}, each test by itself"
    asked = questions(alpha, power)
    if bias is not None:
        lines = [f"To see a bias of {bias:.3g} (relative, {bias:.1%}) you need ({terms}):"]
        lines += [f"  {decks_needed(q, bias):>14,} decks  {q.words} (should be {q.base})" for q in asked]
        return lines
    assert decks is not None
    place = smallest_bias(asked[0], decks)
    lines = [f"With {decks:,} decks only place biases over {place:.2g} ({place:.1%}, rms) could be seen ({terms})."]
    lines += [f"  {_relative(smallest_bias(q, decks)):>9}  {q.words} (should be {q.base})" for q in asked]
    seen = [f"{flaw} ({needed:,})" for flaw, _, needed in FLAWS if needed <= decks]
    unseen = [f"{flaw} ({needed:,})" for flaw, _, needed in FLAWS if needed > decks]
    if seen:
        lines.append("Known flaws that so many decks show (decks needed): " + ", ".join(seen) + ".")
    if unseen:
        lines.append("Not yet: " + ", ".join(unseen) + ".")
    lines.append(f"Repeated decks would betray a seed of up to {seed_bits(decks):.1f} bits (chance 1/2; 225.6 bits are needed).")
    return lines


def _relative(bias: float) -> str:
    return f"{bias:.2%}" if bias < 0.1 else f"{bias:.0%}" if bias < 10 else f"{bias:.0f}-fold"
