"""The tables of `basra-sim analyze` as a page."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from basra_sim.analysis.statistics.shares import Table
from basra_sim.analysis.tables.summary import summarize
from basra_sim.analysis.text.number_words import count, p_text
from basra_sim.pages.html_page import page_text
from basra_sim.pages.page_parts import Code, Section, Text
from basra_sim.records.counters import RunTotals

from .finding import of_run
from .result_grids import grid_of


def analysis_html(run: RunTotals, tables: Sequence[Table], missing: Sequence[str], folder: Path) -> str:
    """The tables of an analysis as a page: each with its note, its law, and how far the numbers are from that law."""
    games = sum(match.games for match in run.matches)
    rounds = sum(match.rounds for match in run.matches)
    unit = "games" if run.unit == "game" else "rounds"
    played = f"{count(games)} {unit}" + (f", {count(rounds)} rounds" if unit == "games" else "")
    played += f", rules {run.rules_name}, seed {run.seed}" + ("." if run.complete else ": the run stopped before its end.")
    sections = [Section("played", "What was played").add(played)]
    for table in tables:
        section = Section(table.name.replace("_", "-"), table.title).add(table.note)
        if table.law:
            section.add(Text(f"Expected: {table.law}.", "note"))
        tests = [test for test in table.tests if test["p"] is not None and test.get("outcome", "won") == "won"]
        told = [f"{test['strategy']} {p_text(test['p'])}" for test in tests]
        if told:
            section.add(Text(f"Chance of a difference this large if that held: {'; '.join(told[:6])}.", "note"))
        across = {"points": "source", "basras_by_kind": "kind", "plays_by_kind": "kind"}.get(table.name, "")
        section.add(grid_of(table, "Value with half of its 95 % interval", folded=len(table.frame) > 60, across=across))
        sections.append(section)
    how = Section("how", "How to read it").add(
        "A value stands with half of its 95 % interval, computed on game pairs or on rounds in one role; each strategy over its "
        "matches against others. Pictures of the same numbers: basra-sim report.", *missing
    )  # fmt: skip
    sections += [how, Section("repeat", "To repeat it").add(Code(run.command), Code(f"basra-sim analyze {folder}"))]
    heading = f"Where the results of {folder.resolve().name} come from"
    return page_text(heading, of_run(summarize(run)), sections, bad=not run.complete)
