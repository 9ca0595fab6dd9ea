"""reports/sample is what `make sample-report` makes now: its numbers, its words and its pictures, played again."""

from __future__ import annotations

import re
from pathlib import Path

import matplotlib
import pytest

from basra_sim.analysis.tables.breakdown import analyze, to_csv
from basra_sim.engine.redealt import floor_dealer
from basra_sim.pages.markdown_page import write_markdown
from basra_sim.records.run_folder import read_run
from basra_sim.report import build, write_html
from basra_sim.runs.running import run

SAMPLE = Path(__file__).parents[2] / "reports" / "sample"
AGAIN = "reports/sample is not what this version makes; if the change was meant, run `make sample-report` and look at it"
DRAWN_WITH = "3.11.2"  # the matplotlib of the pictures; another places letters and lines otherwise
CHANGING = (  # what differs between machines, or when a comment in a strategy's file is changed
    (r"\| made by \|.*", "| made by |"),
    (r"made by</th>.*", "made by</th>"),
    (r"\b[0-9a-f]{12}\b", "HASH"),
    (r"\b[0-9a-f]{64}\b", "DIGEST"),
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("sample")
    run(["random", "first", "greedy", "basra-first", "defensive"], games=4000, seed=7, folder=path, records="rounds", jobs=2)
    return path


@pytest.fixture(scope="module")
def report(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the report, as the page and as Markdown with its pictures."""
    made, path = build([folder]), tmp_path_factory.mktemp("report")
    write_html(made, path / "report.html")
    write_markdown(made, path / "report.md")
    return path


def steady(text: str) -> str:
    for pattern, word in CHANGING:
        text = re.sub(pattern, word, text)
    return text


def test_tables(folder: Path) -> None:
    totals = read_run(folder)
    tables, _ = analyze(totals, folder, floor_dealer(totals.seed, totals.rules))
    assert to_csv(tables) == (SAMPLE / "tables.csv").read_text("utf-8"), AGAIN
    assert (folder / "matches.csv").read_text("utf-8") == (SAMPLE / "matches.csv").read_text("utf-8"), AGAIN


def test_words(report: Path) -> None:
    assert steady((report / "report.md").read_text("utf-8")) == steady((SAMPLE / "report.md").read_text("utf-8")), AGAIN


@pytest.mark.skipif(matplotlib.__version__ != DRAWN_WITH, reason=f"the pictures were drawn with matplotlib {DRAWN_WITH}")
def test_every_picture_and_the_page_byte_for_byte(report: Path) -> None:
    made, kept = (sorted((folder / "report-plots").iterdir()) for folder in (report, SAMPLE))
    assert [path.name for path in made] == [path.name for path in kept]
    for one, other in zip(made, kept, strict=True):
        assert one.read_bytes() == other.read_bytes(), f"{one.name}: {AGAIN}"
    assert steady((report / "report.html").read_text("utf-8")) == steady((SAMPLE / "report.html").read_text("utf-8")), AGAIN


def test_pictures_are_there() -> None:
    text = (SAMPLE / "report.md").read_text("utf-8")
    links = re.findall(r"\]\((report-plots/[^)]+)\)", text)
    assert len(links) > 8 and all((SAMPLE / link).exists() for link in links)
    page = (SAMPLE / "report.html").read_text("utf-8")
    assert page.count('<svg class="plot"') == len(links) and len(page) < 2_000_000
