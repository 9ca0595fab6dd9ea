"""`basra-sim verify` as a library call: is a run folder what it says, and do its games come out again when replayed?"""

from __future__ import annotations

import base64
import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from basra_sim.analysis.tables.result_files import matches_csv
from basra_sim.analysis.tables.summary import summarize
from basra_sim.errors import BasraError
from basra_sim.records.counters import RunTotals, match_name
from basra_sim.records.digest import BLOCK_PAIRS, DIGEST_BYTES, Chain, HashChain, block_digests, digest_of_matches
from basra_sim.records.run_folder import MATCHES, SUMMARY, read_manifest, read_run, read_summary
from basra_sim.workers.chunks import play_chunk

from .changed_inputs import check_unchanged
from .preparing import plan_run
from .run_settings import extra_bytes, settings_of
from .running import chunk_player

_TIMED = ("seconds", "games_per_second")


@dataclass
class Verdict:
    """What was checked, a line each, and what was found to be wrong."""

    checked: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    games: int = 0
    replayed: int = 0

    def check(self, what: str, holds: bool, else_: str) -> None:
        """Note one check."""
        if holds:
            self.checked.append(what)
        else:
            self.wrong.append(else_)


def verify(
    folder: Path, *, seconds: float = 20.0, whole: bool = False, seed: int | None = None, jobs: int = 1, progress: Any = None,
    on_plan: Callable[[Any], None] | None = None,
) -> Verdict:  # fmt: skip
    """Recompute the tables of a run from its counters, and replay a random sample of its games, or the `whole` of it.

    A stretch of a match is replayed between two marks of its digest (files.md): its games must lead from one to the other.
    At least one stretch is replayed, then more until `seconds` are over. BadInput where the run cannot be replayed here.
    """
    folder = Path(folder)
    manifest = read_manifest(folder)
    run = read_run(folder)
    verdict = Verdict(games=sum(int(m.games) for m in run.matches))
    _check_tables(folder, run, verdict)
    _check_counts(run, verdict)
    settings = settings_of(manifest, folder, jobs=jobs)
    check_unchanged(manifest, folder, settings)
    prepared = plan_run([entry["spec"] for entry in manifest["strategies"]], settings)
    if on_plan:
        on_plan(prepared)
    _check_digests(run, prepared.plan, manifest, verdict)
    clocked = [p.strategy.name for p in prepared.plan.players if p.strategy.by_the_clock]
    if clocked:
        verdict.checked.append(f"nothing was replayed: {', '.join(clocked)} thinks by the clock, and may play otherwise")
    elif not verdict.wrong:
        player = chunk_player(prepared.plan, settings)
        try:
            _replay(run, prepared.plan, player, verdict, seconds, whole, seed, progress)
        finally:
            if player is not None:
                player.close()
    return verdict


def _check_tables(folder: Path, run: RunTotals, verdict: Verdict) -> None:
    made = summarize(run)
    same = matches_csv(made).encode() == (folder / MATCHES).read_bytes()
    verdict.check("matches.csv follows from the counters", same, "matches.csv does not follow from the counters")
    stored = {key: value for key, value in read_summary(folder).items() if key not in _TIMED}
    same = stored == {key: value for key, value in made.items() if key not in _TIMED}
    verdict.check("summary.json follows from the counters", same, f"{SUMMARY} does not follow from the counters")


def _check_counts(run: RunTotals, verdict: Verdict) -> None:
    """Sums that must agree whatever was played."""
    for m in run.matches:
        name = m.name
        forfeits = int(m.forfeits.sum())
        facts = {
            "games by winner": int(m.winners.sum()) == m.games == 2 * m.pairs,
            "pairs by score": int(m.pair_scores.sum()) == m.pairs,
            "half points": int(sum(k * int(c) for k, c in enumerate(m.pair_scores))) == m.pair_sums[11],
            "games by length": int(m.lengths.sum()) == m.games and int(m.lengths[0]) == forfeits,
            "rounds by majority": int(m.majorities.sum()) == m.rounds == m.pair_sums[0],
            "cards": int(m.role_cards.sum()) == m.pair_sums[9] + m.pair_sums[10],
            "points": int(m.role_points.sum()) == m.pair_sums[1] + m.pair_sums[2],
        }
        bad = [what for what, holds in facts.items() if not holds]
        if bad:
            verdict.wrong.append(f"match {name}: {', '.join(bad)} do not add up")
    if not any("add up" in line for line in verdict.wrong):
        verdict.checked.append(f"the counters of {len(run.matches)} matches add up")


def _check_digests(run: RunTotals, plan: Any, manifest: dict[str, Any], verdict: Verdict) -> None:
    if len(run.chains) != len(run.matches):
        raise BasraError("this run was written before matches had digests of their own; it cannot be verified in parts")
    found = [Chain.restore(chain).hexdigest() for chain in run.chains]
    verdict.check("the digests of the matches are those of the manifest", found == run.match_digests,
                  "the digests of the matches in totals.json and manifest.json differ")  # fmt: skip
    if "matches_digest" in manifest:  # so it was kept at first; the digest of the run was over the games in their order
        together, wanted = digest_of_matches(plan.header(), found), manifest["matches_digest"]
    else:
        together, wanted = digest_of_matches(plan.header() + extra_bytes(run.settings), found), run.digest
    verdict.check("they and the inputs give the digest of the run", together == wanted,
                  "the inputs and the matches do not give the digest in manifest.json")  # fmt: skip


def _stretches(run: RunTotals, plan: Any) -> list[tuple[int, Chain, int, dict[str, Any] | None, int]]:
    """(match of the plan, its chain, first pair, state there or None at the start, pair after the last) of every stretch."""
    number = {
        match_name(*plan.names(match)): match for match in range(len(plan.matches))
    }
    found: list[tuple[int, Chain, int, dict[str, Any] | None, int]] = []
    state: dict[str, Any] | None
    for m, saved in zip(run.matches, run.chains, strict=True):
        chain, first, state = Chain.restore(saved), 0, None
        ends = [(mark["pairs"], mark["whole"]) for mark in chain.marks]
        if chain.pairs > (ends[-1][0] if ends else 0):
            ends.append((chain.pairs, None))
        for stop, whole in ends:
            found.append((number[m.name], chain, first, state, stop))
            first, state = stop, whole
    return found


def _replay(
    run: RunTotals, plan: Any, player: Any, verdict: Verdict, seconds: float, whole: bool, seed: int | None, progress: Any
) -> None:
    stretches = _stretches(run, plan)
    if not whole:
        random.Random(seed).shuffle(stretches)
    end = time.monotonic() + seconds
    for match, chain, first, state, stop in stretches:
        chunk = (player or play_chunk)(plan, match, first, stop - first, progress=progress)
        if not _leads_on(chain, first, state, stop, chunk.games):
            name = match_name(*plan.names(match))
            verdict.wrong.append(f"match {name}: pairs {first:,} to {stop - 1:,} came out otherwise when replayed")
            return
        verdict.replayed += 2 * (stop - first)
        if not whole and time.monotonic() > end:
            break
    verdict.checked.append(f"{verdict.replayed:,} of {verdict.games:,} games came out the same when replayed")


def _leads_on(chain: Chain, first: int, state: dict[str, Any] | None, stop: int, games: Any) -> bool:
    """Whether replayed games lead from one state of a match's digest to the next."""
    if len(games) != stop - first:
        return False
    going = HashChain(block=DIGEST_BYTES) if state is None else HashChain.restore(state)
    going.update(block_digests(games))
    after = next((mark["whole"] for mark in chain.marks if mark["pairs"] == stop), None)
    if after is not None:
        return going.save() == after
    rest = games[len(games) // BLOCK_PAIRS * BLOCK_PAIRS :]
    saved = chain.save()
    return going.save() == saved["whole"] and base64.b64encode(rest.tobytes()).decode() == saved["rest"]
