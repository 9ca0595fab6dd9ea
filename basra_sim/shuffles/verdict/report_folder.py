"""A shuffle report on disk: report.html (the house style of all reports), tests.csv, places.csv, report.json, two pictures."""

from __future__ import annotations

import csv
import json
from functools import partial
from math import log10
from pathlib import Path
from typing import Any

import pandas as pd
from jinja2 import FileSystemLoader

from basra_sim import plots
from basra_sim.errors import BadInput
from basra_sim.pages.html_page import embedded, environment
from basra_sim.pages.page_parts import Bullets, Code, Grid, Picture, Section, Text
from basra_sim.plots.figure_files import png_bytes
from basra_sim.shuffles.battery.outcomes import FOUND
from basra_sim.shuffles.shipped import DATA
from basra_sim.version import __version__

from .terminal_report import expected_text, number, seen_text, verdict_word
from .verdict_report import Report
from .verdict_words import COLUMNS_TOLD, p_text

COLUMNS = (
    "test", "title", "group", "kind", "seen", "low", "high", "expected", "could_see", "decks", "z", "log10_p", "log10_p_holm",
    "tail", "too_even", "verdict", "catches",
)  # fmt: skip


def write_report(report: Report, folder: Path) -> None:
    """Write everything into a folder, made if it is not there. Raises BadInput when it cannot be."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(f"cannot write the report to {folder}: {error.strerror}") from error
    for picture in pictures(report):
        (folder / f"{picture.name}.png").write_bytes(png_bytes(picture.draw()))
    (folder / "report.json").write_text(json.dumps(report.to_dict(), indent=2) + "\n", "utf-8")
    (folder / "report.html").write_text(html(report), "utf-8")
    with (folder / "tests.csv").open("w", newline="", encoding="utf-8") as stream:
        writer = csv.DictWriter(stream, COLUMNS, extrasaction="ignore", lineterminator="\n")
        writer.writeheader()
        writer.writerows(report.rows)
    with (folder / "places.csv").open("w", newline="", encoding="utf-8") as stream:
        plain = csv.writer(stream, lineterminator="\n")
        plain.writerow(["card", *range(1, report.outcome.n + 1)])
        for label, row in zip(report.heat_labels, report.counts.tolist(), strict=True):
            plain.writerow([label, *row])


def pictures(report: Report) -> list[Picture]:
    """The evidence of each test and the place map, as `page_parts.Picture`: named, described, drawn when asked."""
    decks, rows = report.outcome.decks, report.rows
    frame = pd.DataFrame({"test": [row["test"] for row in rows], "log10_p": [row["log10_p"] for row in rows]})
    limit = -log10(report.outcome.alpha / max(1, len(rows)))
    return [
        Picture(
            "tests", "Strength of the evidence of each test",
            f"One bar a test, cut at 30; only beyond the dashed line would the whole battery call it a bias. {decks:,} decks.",
            partial(plots.p_values, frame, limit=limit, decks=decks),
        ),
        Picture(
            "places", "Map of cards by places, in noise standard deviations",
            f"A perfect shuffle has 95 % of the cells within 2 and no pattern. {decks:,} decks.",
            partial(plots.positions, report.noise, report.heat_labels, decks=decks),
        ),
    ]  # fmt: skip


def sections(report: Report) -> list[Section]:
    """The report as `page_parts.Section`s, in its fixed order; empty ones are left out."""
    evidence, places = pictures(report)
    rows = [
        [f"{row['title']} ({row['test']})", verdict_word(row), seen_text(row), expected_text(row), number(row, "could_see"),
         p_text(row["log10_p"]), p_text(row["log10_p_holm"])]
        for row in report.rows
    ]  # fmt: skip
    head = ("test", "verdict", "seen [95 %]", "perfect", "could see", "p", "Holm")
    tests = [Text(COLUMNS_TOLD, "note"), Grid(f"{len(rows)} tests", head, rows, 2), evidence]
    told: list[tuple[str, str, list[Any]]] = [
        ("read", "What was read", [Bullets(report.read)]),
        ("seen", "What this many decks could have shown", [Bullets(report.seen)]),
        ("like", "Looks like", [Bullets(report.culprit)] if report.culprit else []),
        ("game", "In game terms", [Bullets(report.effects)] if report.effects else []),
        ("tests", "Tests", tests),
        ("places", "Where the cards lie", [places]),
        ("repeats", "Repeats and seeds", [Bullets(report.repeats)]),
        ("fresh", "On fresh decks", [Bullets(report.confirm)] if report.confirm else []),
        ("limits", "Limits", [Bullets(report.limits)]),
        ("again", "To repeat this", [Code(report.command)]),
    ]
    return [Section(name, title, parts) for name, title, parts in told if parts]


def html(report: Report) -> str:
    """The report as one HTML file that loads nothing from anywhere."""
    template = environment(loader=FileSystemLoader(DATA)).get_template("shuffle.html.j2")
    outcome = report.outcome
    return str(
        template.render(
            title=f"Shuffle test: {outcome.verdict}", heading=f"Shuffle test: {outcome.decks:,} decks of {outcome.n} cards",
            finding=report.sentence, is_bad=outcome.verdict == FOUND, sections=sections(report), prefix="shuffle",
            version=__version__, plots=embedded,
        )
    )  # fmt: skip
