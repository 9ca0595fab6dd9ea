"""The report of a seed audit as plain lines, the conclusion first."""

from __future__ import annotations

from .audit import PREFIX, Audit, Repeats
from .seed_search import FULL_BITS, seed_meaning


def audit_lines(result: Audit) -> list[str]:
    """The report as plain lines, the conclusion first."""
    lines = [_conclusion(result), ""]
    lines += _seed_lines(result)
    lines += _repeat_lines("whole decks", result.repeats)
    lines += _repeat_lines(f"first {PREFIX} cards", result.openings)
    odd = result.odd_lags()
    for lag in odd[:5]:
        lines.append(
            f"Lag {lag.lag}: {lag.matches:.3f} equal places a pair (1 expected, z {lag.z_matches:+.1f}), "
            f"correlation z {lag.z_correlation:+.1f}, p {lag.p:.2g} after all {len(result.lags)} lags"
        )
    if result.lags and not odd:
        lines.append(
            f"Lags 1 to {len(result.lags)}: no dependence on earlier decks seen (smallest p {min(x.p for x in result.lags):.2g})."
        )
    return lines


def _conclusion(result: Audit) -> str:
    if result.hits:
        hit = result.hits[0]
        return (
            f"The generator is known: {hit.model.words}. Its state is {hit.model.bits} bits of the {FULL_BITS:.1f} needed, "
            f"and this deck's seed was found."
        )
    if result.repeats.pairs:
        return f"Decks repeat ({result.repeats.pairs:,} pairs among {result.decks:,}), which perfect shuffles never do."
    if result.found:
        return "Decks depend on earlier decks."
    tried = sum(t.seeds for t in result.tried)
    searched = f" {tried:,} seeds of {len({t.model.name for t in result.tried})} generators made none of them." if tried else ""
    return f"Nothing found in {result.decks:,} decks: no repeats, no lags.{searched} Other generators were not tried."


def _seed_lines(result: Audit) -> list[str]:
    lines = []
    if result.hits:
        lines.append(f"How: {result.hits[0].hypothesis.words()} (one of {result.hypotheses:,} ways tried).")
        lines += [f"Deck {hit.deck + 1}: seed {seed_meaning(hit)}" for hit in result.hits]
        lines.append(f"Seeding: {result.stream}.")
    for tried in result.tried:
        outcome = f"{len(tried.hits)} seed(s) fit" if tried.hits else "none fits"
        lines.append(
            f"Tried {tried.model.words}: {tried.what}, {tried.hypotheses:,} ways each, {tried.seconds:.1f} s: {outcome}."
        )
    return lines


def _repeat_lines(what: str, found: Repeats) -> list[str]:
    if not found.pairs:
        return [
            f"Repeats of {what}: none among {found.decks:,}; if decks come from random seeds, "
            f"there are over 2^{found.low_bits:.1f} of them (95 %)."
        ]
    lines = [
        f"Repeats of {what}: {found.pairs:,} pairs, {found.distinct:,} distinct among {found.decks:,} "
        f"({found.expected:.2g} pairs expected); as many as random seeds of {found.bits:.1f} bits would give "
        f"(95 %: {found.low_bits:.1f} to {found.high_bits:.1f})."
    ]
    if found.lag is not None and found.lag_share > 0.5 and found.pairs > 2:
        meaning = "the same deck twice running" if found.lag == 1 else "a cycle, a restart or workers with a copied generator"
        apart = "in the next deck" if found.lag == 1 else f"{found.lag:,} decks later"
        lines.append(
            f"  {found.lag_share:.0%} of the repeats come {apart}: {meaning}; then the estimate does not hold."
        )
    return lines
