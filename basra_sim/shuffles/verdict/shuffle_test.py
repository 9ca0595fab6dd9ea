"""One test of one source from beginning to end: where the decks come from, counting, judging, naming, reporting."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from basra_sim.errors import BadInput
from basra_sim.shuffles.battery.compression import MOST_DECKS, compression_line
from basra_sim.shuffles.battery.likeliest_flaw import culprit_lines
from basra_sim.shuffles.battery.outcomes import FOUND, WEAKLY, Outcome, judge, reweigh
from basra_sim.shuffles.battery.tally import Tally, tally
from basra_sim.shuffles.generators.deck_orders import reference_order
from basra_sim.shuffles.logs import DeckLog
from basra_sim.shuffles.sources.any_source import Asked, Source

from . import verdict_report as reports
from .verdict_words import p_equals, what_it_means


@dataclass(frozen=True)
class Request(Asked):
    """What the user asked for: the decks, and the other options of `basra-sim shuffle test`."""

    reference: str = "new"
    profile: str = "full"
    only: tuple[str, ...] = ()
    confirm: str | None = None
    alpha: float = 0.001
    workers: int = 2
    compression: bool = False
    command: str = ""


def _count(request: Request, kind_order: np.ndarray) -> tuple[Source, Tally]:
    source = Source(request)
    chunks = source.keeping(MOST_DECKS) if request.compression else source.chunks()
    counts = tally(chunks, request.deck_size, kind_order, request.workers)
    if not counts.decks:
        raise BadInput("no deck was read")
    return source, counts


def run(request: Request) -> reports.Report:
    """Test a source and return its report. Raises BadInput for what cannot be read."""
    reference = request.reference
    if reference == "new" and request.start not in (None, "new", "prev"):
        reference = f"new:{request.start}"  # what was shuffled is known
    kind, order, words = reference_order(reference, request.deck_size)
    source, counts = _count(request, order)
    only = list(request.only) or None
    outcome = judge(
        counts, profile=request.profile, reference=kind, faces=source.faces, only=only, alpha=request.alpha
    )
    named: list[str] = []
    if outcome.verdict == FOUND:
        named = culprit_lines(counts, kind)
    if not source.faces and request.deck_size == 52:
        words = words.replace("Ac Ad Ah As 2c .. Ks", "the order of the numbers")
    report = reports.build(
        outcome, counts, read=[*source.lines(), words], command=request.command, culprit=named, faces=source.faces
    )
    if isinstance(source.log, DeckLog) and source.log.rejected:
        count = source.log.rejected
        lines = "1 more was no deck and was" if count == 1 else f"{count:,} more were no decks and were"
        report.sentence += f" {lines} left out, told below."
    if request.compression:
        report.repeats.append(compression_line(source.kept))
    if request.confirm is not None:
        _confirm(request, report, kind, order)
    return report


def _confirm(request: Request, report: reports.Report, kind: str, order: np.ndarray) -> None:
    """Re-run what was flagged on fresh decks, with Holm over those tests alone; the fresh decks have the last word."""
    first: Outcome = report.outcome
    flagged = [result.test.name for result in first.flagged]
    if not flagged:
        report.confirm = ["nothing was flagged, so there is nothing to confirm"]
        return
    fresh = replace(request, source=request.confirm, algo=None, program=None, function=None, confirm=None, decks=None)
    if request.algo is not None and request.confirm == "again":
        fresh = replace(request, seed=request.seed + 1, confirm=None)
    source, counts = _count(fresh, order)
    second = judge(counts, reference=kind, faces=source.faces, only=flagged, alpha=request.alpha)
    second = reweigh(second, second.results)
    report.confirm = [f"{counts.decks:,} fresh decks from {source.lines()[0]}; {len(flagged)} flagged tests re-run"]
    for result in second.results:
        word = {FOUND: "confirmed", WEAKLY: "weak again"}.get(result.verdict, "not confirmed")
        report.confirm.append(f"{word}: {what_it_means(result)} ({p_equals(result.log10_p)})")
    words = {FOUND: "Confirmed on fresh decks.", WEAKLY: "On fresh decks: weak evidence again, no more."}
    told = words.get(second.verdict, "NOT confirmed on fresh decks: nothing found there.")
    report.sentence = f"{report.sentence} {told}"
    first.verdict = second.verdict
