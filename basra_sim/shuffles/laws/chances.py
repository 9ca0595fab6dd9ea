"""How odd is what I saw: exact chances of "3 jacks of 4 in 24 of 52", and how long until somebody sees it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, comb, log1p, sqrt

from basra_sim.errors import BadInput

_KINDS = {
    "at least": "at least", ">=": "at least", "or more": "at least", "at most": "at most", "<=": "at most", "or fewer": "at most",
    "or less": "at most", "exactly": "exactly", "=": "exactly",
}  # fmt: skip
_QUESTION = re.compile(
    r"^\s*(?P<kind>at least|at most|exactly|>=|<=|=)?\s*(?P<seen>\d+|no|none|all)\s*(?P<tail>or more|or fewer|or less)?\s*"
    r"(?P<what>[^\W\d][\w' -]*?)?\s*(?:out\s+)?of\s+(?:the\s+)?(?P<marked>\d+)\s*(?P<what2>[^\W\d][\w' -]*?)?\s*"
    r"(?:in|among|within)\s+(?:the\s+)?(?:first\s+)?(?P<drawn>\d+)\s*(?:cards)?\s*(?:out\s+)?of\s+(?:the\s+|a\s+)?(?P<deck>\d+)\s*(?:cards)?\s*$",
    re.IGNORECASE,
)
_ALL = re.compile(r"^\s*all\s+(?:the\s+)?(\d+)\s*([^\W\d][\w' -]*?)?\s*((?:in|among|within)\s.*)$", re.IGNORECASE)
HINT = 'write it as "3 jacks of 4 in 24 of 52" or "at least 2 of 4 in 24 of 52"'
_WORDS = (
    (0.2, "ordinary: it happens all the time"),
    (0.05, "nothing unusual"),
    (0.01, "a little unusual, and yet seen by everybody who plays on"),
    (0.001, "rare for one player in one game, common among many games"),
    (1e-6, "very rare in one game; among millions of games it still happens"),
    (0.0, "so rare that a perfect shuffle is a poor explanation, unless it was picked out of very many games"),
)


@dataclass(frozen=True)
class Question:
    """seen of the marked cards among drawn of a deck; kind: "at least", "at most" or "exactly"."""

    seen: int
    marked: int
    drawn: int
    deck: int
    kind: str
    what: str
    was_asked: bool

    def words(self) -> str:
        """The question in full."""
        return f"{self.kind} {self.seen} of the {self.marked} {self.what} in {self.drawn} of {self.deck} cards"


def exact_chance(seen: int, marked: int, drawn: int, deck: int) -> Fraction:
    """P(exactly `seen` of `marked` cards among `drawn` of `deck`): the hypergeometric law in rational arithmetic."""
    if seen < 0 or seen > min(marked, drawn) or drawn - seen > deck - marked:
        return Fraction(0)
    return Fraction(comb(marked, seen) * comb(deck - marked, drawn - seen), comb(deck, drawn))


def parse_question(text: str) -> Question:
    """A question in words. Without "at least" or "at most" the side that was seen is taken. Raises BadInput."""
    match = _QUESTION.match(_ALL.sub(r"all \2 of \1 \3", text))
    if not match:
        raise BadInput(f"'{text}' cannot be read; {HINT}")
    marked, drawn, deck = (int(match[name]) for name in ("marked", "drawn", "deck"))
    count = match["seen"].lower()
    seen = 0 if count in ("no", "none") else marked if count == "all" else int(count)
    if not (1 <= marked <= deck and 1 <= drawn <= deck):
        raise BadInput(f"'{text}': {marked} marked and {drawn} drawn cards do not fit a deck of {deck}")
    if deck > 10_000:
        raise BadInput(f"'{text}': a deck of {deck:,} cards is too large (10,000 at most)")
    if not exact_chance(seen, marked, drawn, deck):
        low, high = max(0, drawn - (deck - marked)), min(marked, drawn)
        raise BadInput(f"'{text}' cannot happen: {low} to {high} of the {marked} are possible in {drawn} of {deck}")
    given = _KINDS.get((match["kind"] or match["tail"] or "").lower())
    side = "at least" if seen * deck > marked * drawn else "at most" if seen * deck < marked * drawn else "exactly"
    what = (match["what"] or match["what2"] or "cards").strip()
    return Question(seen, marked, drawn, deck, given or side, what, given is not None)


@dataclass(frozen=True)
class Odds:
    """The answer. chance: of the event asked; exactly: of just this number; mean: expected number; table: P of each."""

    question: Question
    chance: Fraction
    exactly: Fraction
    mean: Fraction
    table: dict[int, Fraction]

    def even_games(self) -> int:
        """Games until the chance that it has been seen at least once is one half."""
        return games_until(float(self.chance), 0.5)

    def games_to_show(self, factor: float = 2.0, alpha: float = 0.001, power: float = 0.8) -> int | None:
        """Games of which all are counted, to show that it happens `factor` times as often; None where it cannot."""
        return games_to_show(float(self.chance), factor, alpha, power)


def games_until(chance: float, wanted: float) -> int:
    """Games until an event of this chance a game has been seen with probability `wanted`."""
    if chance >= wanted:
        return 1
    return ceil(log1p(-wanted) / log1p(-chance))


def games_to_show(chance: float, factor: float, alpha: float, power: float) -> int | None:
    """Sample size of a two-sided binomial test (normal approximation); None when factor * chance is 1 or more."""
    from scipy.stats import norm  # 1.5 s, which a chance that is read or shown alone should not cost

    other = chance * factor
    if other >= 1.0 or chance >= 1.0:
        return None
    z = norm.isf(alpha / 2) * sqrt(chance * (1 - chance)) + norm.isf(1 - power) * sqrt(other * (1 - other))
    return ceil((z / (other - chance)) ** 2)


def odds(text: str) -> Odds:
    """The answer to a question in words. Raises BadInput for what cannot be read or cannot happen."""
    q = parse_question(text)
    low, high = max(0, q.drawn - (q.deck - q.marked)), min(q.marked, q.drawn)
    table = {k: exact_chance(k, q.marked, q.drawn, q.deck) for k in range(low, high + 1)}
    kept = {"at least": range(q.seen, high + 1), "at most": range(low, q.seen + 1), "exactly": range(q.seen, q.seen + 1)}[q.kind]
    chance = sum((table[k] for k in kept), start=Fraction(0))
    return Odds(q, chance, table[q.seen], Fraction(q.marked * q.drawn, q.deck), table)


def wilson(hits: float, count: int, z: float = 1.959963984540054) -> tuple[float, float]:
    """The 95 % interval of a share of `count` (Wilson 1927): inside 0..1 also for few."""
    share, scale = hits / count, 1 + z * z / count
    middle = (share + z * z / (2 * count)) / scale
    half = z * sqrt(share * (1 - share) / count + z * z / (4 * count * count)) / scale
    return middle - half, middle + half


def one_in(chance: float) -> str:
    """A chance as "1 in 24" or, for common things, "3 in 4"."""
    if chance > 0.3:
        return f"{round(chance * 10)} in 10" if chance < 0.95 else "nearly always"
    value = 1 / chance
    return f"1 in {value:,.1f}" if value < 10 else f"1 in {value:,.0f}"


def oddness(chance: float) -> str:
    """How odd, in words."""
    return next(words for limit, words in _WORDS if chance >= limit)


def duration(games: int, games_a_day: float) -> str:
    """Games as a time for players who play so many a day in all."""
    days = games / games_a_day
    if days < 1 / 24:
        minutes = max(1, round(days * 1440))
        return f"{minutes} minute{'s' if minutes > 1 else ''}"
    if days < 2:
        return f"{days * 24:,.1f} hours"
    return f"{days:,.0f} days" if days < 730 else f"{days / 365.25:,.1f} years"


def odds_lines(answer: Odds, games_a_day: float | None = None) -> list[str]:
    """The answer in plain lines."""
    q, chance = answer.question, float(answer.chance)
    lines = [
        f"Chance of {q.words()}: {chance:.6g} ({one_in(chance)}); {oddness(chance)}.",
        f"Exactly {q.seen}: {float(answer.exactly):.6g} ({answer.exactly.numerator}/{answer.exactly.denominator}); "
        f"expected number {float(answer.mean):.4g}.",
    ]
    if len(answer.table) <= 14:
        lines.append("All numbers: " + ", ".join(f"{k}: {float(p):.5f}" for k, p in answer.table.items()))
    if chance < 0.5:
        even, sure = answer.even_games(), games_until(chance, 0.95)
        when = f" ({duration(even, games_a_day)} at {games_a_day:,.0f} games a day)" if games_a_day else ""
        lines.append(f"Somebody sees it within {even:,} games with chance 1/2{when}, within {sure:,} with chance 95 %.")
    needed = answer.games_to_show()
    if needed:
        lines.append(
            f"To show that it happens twice as often as it should: count it in {needed:,} games chosen beforehand "
            "(80 % power, two-sided alpha 0.001)."
        )
    lines.append("One case that was noticed because it was odd shows nothing about the shuffle: decide first, then count.")
    if not q.was_asked and q.kind != "exactly":
        lines.append(f'("{q.kind}" was taken, the side that was seen; write "exactly {q.seen} ..." for that number alone.)')
    return lines
