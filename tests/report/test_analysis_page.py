"""The tables of an analysis as a page: valid, whole, the numbers those that were given."""

from __future__ import annotations

from pathlib import Path

import html5lib
from made_runs import random_run

from basra_sim.analysis.tables.breakdown import analyze
from basra_sim.report.analysis_page import analysis_html

EVIL = "<script>alert(1)</script>"


def parsed(text: str):  # type: ignore[no-untyped-def]
    return html5lib.HTMLParser(strict=True).parse(text)


def test_analysis_page() -> None:
    run = random_run(["a", EVIL], 60)
    tables, missing = analyze(run, None)
    text = analysis_html(run, tables, missing, Path("reports/RUN"))
    parsed(text)
    assert "<script" not in text
    for table in tables:
        assert table.title.replace("'", "&#39;") in text
    assert text.count(">expected<") >= 4  # where there is a law, its numbers stand beside what was seen
    assert "120 games" in text
