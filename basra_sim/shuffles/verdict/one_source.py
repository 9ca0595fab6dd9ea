"""One test of one source from beginning to end: where the decks come from, counting, judging, naming, reporting."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from basra_sim.errors import BadInput
from basra_sim.shuffles.battery.compression import MOST_DECKS, compression_line
from basra_sim.shuffles.battery.judgement import FOUND, WEAKLY, Outcome, judge, reweigh
from basra_sim.shuffles.battery.tally import Tally, tally
from basra_sim.shuffles.generators.built_in import Generator
from basra_sim.shuffles.logs.deck_log import DeckLog, read_decks
from basra_sim.shuffles.sources.run_packs import RunPacks

from . import verdict_report as reports

DEFAULT_DECKS = 10_000


@dataclass(frozen=True)
class Request:
    """What the user asked for; the options of `basra-sim shuffle test`. Exactly one of source, algo, program, function."""

    source: str | None = None
    algo: str | None = None
    program: str | None = None
    function: str | None = None
    decks: int | None = None
    seed: int = 0
    start: str | None = None  # None: new for --algo and --py; nothing is told to a program
    reference: str = "new"
    profile: str = "full"
    only: tuple[str, ...] = ()
    deck_size: int = 52
    form: str | None = None
    mapping: str | None = None
    strict: bool = False
    confirm: str | None = None
    alpha: float = 0.001
    workers: int = 2
    compression: bool = False
    command: str = ""


class Source:
    """Decks from anywhere: `chunks()` once, then `lines()` say what was read; `faces` whether suits and ranks are known."""

    def __init__(self, request: Request) -> None:
        given = [x for x in (request.source, request.algo, request.program, request.function) if x is not None]
        if len(given) != 1:
            what = "one source only" if given else "nothing to test"
            raise BadInput(f"{what}: give a file or -, or one of --algo, --cmd, --py")
        self.request = request
        self.faces = request.deck_size == 52
        self.kept = np.empty((0, request.deck_size), dtype=np.uint8)
        self.log = None if request.algo is not None else self._open()
        if isinstance(self.log, DeckLog):
            self.faces = self.faces and self.log.faces_known

    def _open(self) -> DeckLog | RunPacks:
        r = self.request
        if r.program is not None:
            from basra_sim.shuffles.sources.programs import read_command

            return read_command(
                r.program, decks=r.decks or DEFAULT_DECKS, deck_size=r.deck_size, format=r.form, mapping=r.mapping,
                strict=r.strict, start=r.start,
            )  # fmt: skip
        if r.function is not None:
            from basra_sim.shuffles.sources.python_decks import read_python

            return read_python(
                r.function, decks=r.decks or DEFAULT_DECKS, deck_size=r.deck_size, strict=r.strict, start=r.start or "new"
            )
        assert r.source is not None
        if Path(r.source).is_dir():
            if r.deck_size != 52:
                raise BadInput("the packs of a run have 52 cards; leave --deck-size out")
            return RunPacks(r.source, r.decks)
        return read_decks(r.source, format=r.form, mapping=r.mapping, deck_size=r.deck_size, strict=r.strict)

    def chunks(self) -> Iterator[np.ndarray]:
        """uint8 (m, deck_size) arrays."""
        r = self.request
        if self.log is None:
            assert r.algo is not None
            yield from Generator(r.algo, r.seed, r.deck_size, r.start or "new").chunks(r.decks or DEFAULT_DECKS)
            return
        left = r.decks if r.decks is not None else None
        for decks in self.log.chunks():
            if left is not None:
                decks = decks[:left]
                left -= len(decks)
            yield decks
            if left == 0:
                return

    def keeping(self, most: int) -> Iterator[np.ndarray]:
        """`chunks()`, keeping the first `most` decks in `kept`."""
        for decks in self.chunks():
            if len(self.kept) < most:
                self.kept = np.concatenate([self.kept, decks[: most - len(self.kept)]])
            yield decks

    def lines(self) -> list[str]:
        """What was read, in words (complete after reading)."""
        r = self.request
        if self.log is None:
            assert r.algo is not None
            decks = f"{r.decks or DEFAULT_DECKS:,} decks of {r.deck_size} cards"
            return [Generator(r.algo, r.seed, r.deck_size, r.start or "new").describe(), decks]
        return list(self.log.describe())


def reference_order(reference: str, deck_size: int) -> tuple[str, np.ndarray, str]:
    """--ref as written -> ("new" | "prev" | "none", the start order, words). Raises BadInput."""
    identity = np.arange(deck_size, dtype=np.uint8)
    kind, _, order = reference.partition(":")
    if kind not in ("new", "prev", "none") or (order and kind != "new"):
        raise BadInput(f"--ref '{reference}' is not known; write new, new:ORDER (such as new:SHDC-A2K), prev or none")
    if kind == "prev":
        return kind, identity, "against the deck before"
    if kind == "none":
        return kind, identity, "no start order taken; the tests that need one are left out"
    if not order:
        usual = "Ac Ad Ah As 2c .. Ks" if deck_size == 52 else f"0 1 .. {deck_size - 1}"
        return kind, identity, f"start order {usual}; if yours is another, say --ref new:ORDER, prev or none"
    if deck_size != 52:
        raise BadInput("--ref new:ORDER needs a deck of 52 cards")
    from basra_sim.shuffles.generators.deck_orders import parse_order

    return kind, parse_order(order), f"start order {order}"


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
        from basra_sim.shuffles.battery.culprit import culprit_lines

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
    from .verdict_words import p_equals, what_it_means

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
