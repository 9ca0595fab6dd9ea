"""Run folders -> a report: the finding first, then what was played, ranking, matches, causes, seats, margins, method."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from basra_sim.analysis.tables.summary import summarize
from basra_sim.errors import BadInput
from basra_sim.pages.page_parts import Grid, Part, Picture, Progress, Report, Section, unheard
from basra_sim.players.loading import load
from basra_sim.records.counters import RunTotals
from basra_sim.records.run_folder import GAMES, read_manifest, read_run
from basra_sim.version import __version__

from . import result_sections, run_sections
from .cause_sections import where
from .finding import of_run
from .live_section import live_score, sequential_grid
from .packs_check import Check, check_packs
from .packs_section import shuffle_check
from .run_tables import run_tables
from .runs_overview import overview

OPENING_ROUNDS = 400_000  # of rounds.parquet at most, so that a report of a long run is made in seconds


def _summaries(run: RunTotals) -> RunTotals:
    """The run with a line of what each strategy does, where its file can still be found and has not changed."""
    for entry in run.strategies:
        if entry.get("summary"):
            continue
        with contextlib.suppress(Exception):  # a moved or broken file: the report does without
            strategy = load(str(entry.get("spec") or entry["name"]), ())
            if strategy.sha256 == entry.get("sha256"):
                entry["summary"] = strategy.card.summary
    return run


def build_of(
    run: RunTotals,
    versions: dict[str, str] | None = None,
    folder: Path | None = None,
    name: str = "",
    progress: Progress = unheard,
    check: Check = check_packs,
) -> tuple[Part, dict[str, Any]]:
    """The part of one run, from its counters (and, where they are, its records in `folder`); and its summary."""
    summary = summarize(run)

    tables, missing = run_tables(
        run, folder, most=OPENING_ROUNDS, progress=lambda done, of: progress(done, of, "reading rounds")
    )
    by_name = {table.name: table for table in tables}
    parts: list[Section] = [run_sections.played(run, summary, versions or {"basra-sim": run.version or __version__})]
    if summary["games"]:
        parts += [result_sections.ranking(summary), result_sections.cross(summary), where(summary, by_name).add(*missing)]
        parts += [result_sections.seats(summary, by_name), result_sections.margins(run, summary, by_name)]
        parts.append(result_sections.pairing(summary))
        live = Section("live", "While it was played").add(sequential_grid(run))
        if folder is not None and (folder / GAMES).exists():
            live.add(*live_score(run, summary, folder / GAMES, progress))
        parts += [live] if live.parts else []
    parts += [run_sections.faults(run), shuffle_check(run, check), run_sections.method(summary), run_sections.repeat(run)]
    title = name or " · ".join([run.rules_name, f"seed {run.seed}"])
    return Part(name, title, of_run(summary), parts, incomplete=not run.complete), summary


def _title(runs: Sequence[RunTotals]) -> str:
    if len(runs) > 1:
        return f"Basra: {len(runs)} runs"
    names = [entry["name"] for entry in runs[0].strategies]
    who = " vs ".join(names) if len(names) == 2 else f"{len(names)} strategies"
    return f"Basra: {who}, rules {runs[0].rules_name}"


def build(folders: Sequence[Path], progress: Progress = unheard, check: Check = check_packs) -> Report:
    """The report of one or more run folders. Raises BadInput (one line) for a folder that is no run.

    `check` is what looks at the packs: check_packs, or something that knows its answer already (packs_check.ChecksBeside).
    """
    if not folders:
        raise BadInput("name a run folder; basra-sim runs lists them")
    runs: list[RunTotals] = []
    parts, summaries = [], []
    names = _distinct([folder.resolve().name for folder in folders])
    for folder, name in zip(folders, names, strict=True):
        progress(len(runs), len(folders), "reading runs")
        run = read_run(folder)
        versions = read_manifest(folder).get("versions") or {}
        part, summary = build_of(_summaries(run), versions, folder, name if len(folders) > 1 else "", progress, check)
        if len(folders) > 1:
            part.title = name if run.rules_name in name else f"{run.rules_name} ({name})"
        runs.append(run)
        parts.append(part)
        summaries.append(summary)
    report = Report(_title(runs), parts, version=__version__)
    if len(runs) > 1:
        report.finding, report.overview = overview([part.title for part in parts], runs, summaries)
        _lighten(parts)
    return report


def _distinct(names: Sequence[str]) -> list[str]:
    seen: dict[str, int] = {}
    result = []
    for name in names:
        seen[name] = seen.get(name, 0) + 1
        result.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
    return result


def _lighten(parts: Sequence[Part]) -> None:
    """With more than three runs in one file only the first has everything: the file stays small enough to send.

    The others keep the main pictures, and of the folded tables none; `basra-sim analyze` has them all.
    """
    keep = {"ranking", "cross-table", "sources", "basras-by-deal", "seats"}
    for part in parts[1:] if len(parts) > 3 else []:
        for section in part.sections:
            section.parts = [one for one in section.parts if _is_kept(one, section.name, keep)]
        part.sections = [section for section in part.sections if section.name not in ("method", "packs")]


def _is_kept(one: Any, section: str, pictures: set[str]) -> bool:
    if isinstance(one, Picture):
        return one.name in pictures
    return not isinstance(one, Grid) or not one.folded or section == "matches"
