"""What stands above several runs of one field."""

from __future__ import annotations

from pathlib import Path

import html5lib
import numpy as np
from made_runs import random_run

from basra_sim.analysis.tables.result_files import write_results
from basra_sim.analysis.tables.summary import summarize
from basra_sim.pages.markdown_page import markdown_text
from basra_sim.report import build, html_text
from basra_sim.report.runs_overview import overview

EVIL = "<script>alert(1)</script>"


def parsed(text: str):  # type: ignore[no-untyped-def]
    return html5lib.HTMLParser(strict=True).parse(text)


def test_the_overview_of_several_runs(tmp_path: Path) -> None:
    folders = []
    for name in ("one", "two"):
        run = random_run(["a", "b", EVIL], 80, seed=3)
        (tmp_path / name).mkdir()
        write_results(tmp_path / name, run)
        folders.append(tmp_path / name)
    report = build(folders)
    text = html_text(report)
    parsed(text)
    assert text.index('id="overview"') < text.index('id="run1"')
    assert " in all 2 runs" in report.finding and report.finding in markdown_text(report).replace("\\", "")
    words = [item for part in report.overview[0].parts if hasattr(part, "items") for item in part.items]
    assert any("differs from that under" in item for item in words)  # the same run twice
    assert any("No order of two strategies that is decided in one run" in item for item in words)


def test_runs_of_other_fields_are_not_compared() -> None:
    runs = [random_run(["a", "b"], 50, seed=1), random_run(["a", "c"], 50, seed=1)]
    _, (section,) = overview(["x", "y"], runs, [summarize(run) for run in runs])
    assert any("not worked out" in getattr(part, "text", "") for part in section.parts)
    assert not np.any([getattr(part, "caption", "").startswith("What the score gains") for part in section.parts])
