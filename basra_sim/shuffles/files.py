"""A shuffle report on disk: report.html (self-contained), tests.csv, places.csv, report.json and two pictures."""

from __future__ import annotations

import base64
import csv
import io
import json
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from .report import Report
from .wording import p_text

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COLUMNS = (
    "test", "title", "group", "kind", "seen", "low", "high", "expected", "could_see", "decks", "z", "log10_p", "log10_p_holm",
    "tail", "too_even", "verdict", "catches",
)  # fmt: skip


def write_report(report: Report, folder: Path) -> None:
    """Write everything into a folder, made if it is not there. Raises BadInput when it cannot be."""
    from ..errors import BadInput

    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(f"cannot write the report to {folder}: {error.strerror}") from error
    pictures = {"places.png": picture_places(report), "tests.png": picture_tests(report)}
    for name, data in pictures.items():
        (folder / name).write_bytes(data)
    (folder / "report.json").write_text(json.dumps(report.to_dict(), indent=2) + "\n", "utf-8")
    (folder / "report.html").write_text(html(report, pictures), "utf-8")
    with (folder / "tests.csv").open("w", newline="", encoding="utf-8") as stream:
        writer = csv.DictWriter(stream, COLUMNS, extrasaction="ignore", lineterminator="\n")
        writer.writeheader()
        writer.writerows(report.rows)
    with (folder / "places.csv").open("w", newline="", encoding="utf-8") as stream:
        plain = csv.writer(stream, lineterminator="\n")
        plain.writerow(["card", *range(1, report.outcome.n + 1)])
        for label, row in zip(report.heat_labels, report.counts.tolist(), strict=True):
            plain.writerow([label, *row])


def html(report: Report, pictures: dict[str, bytes]) -> str:
    """The report as one HTML file that loads nothing from anywhere."""
    from jinja2 import Environment, PackageLoader

    environment = Environment(loader=PackageLoader("basra_sim.shuffles", "data"), autoescape=True, trim_blocks=True)
    from .terminal import expected_text, number, seen_text

    rows = [
        {
            **row,
            "seen_text": seen_text(row),
            "expected_text": expected_text(row),
            "could_text": number(row, "could_see"),
            "p_text": p_text(row["log10_p"]),
            "holm_text": p_text(row["log10_p_holm"]),
        }
        for row in report.rows
    ]
    encoded = {name.partition(".")[0]: base64.b64encode(data).decode("ascii") for name, data in pictures.items()}
    return environment.get_template("shuffle.html.j2").render(report=report, rows=rows, pictures=encoded)


def _png(figure: Figure) -> bytes:
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    buffer = io.BytesIO()
    FigureCanvasAgg(figure).print_png(buffer, metadata={"Software": None})
    return buffer.getvalue()


def picture_places(report: Report) -> bytes:
    """PNG: every card (start order, downwards) x every place, coloured by noise standard deviations, noise left pale."""
    from matplotlib.figure import Figure

    z = report.noise
    n = report.outcome.n
    figure = Figure(figsize=(8.4, 7.6), dpi=110, layout="constrained")
    axes = figure.add_subplot()
    limit = max(5.0, float(np.quantile(np.abs(z), 0.995)))
    image = axes.imshow(z, cmap="RdBu_r", vmin=-limit, vmax=limit, interpolation="nearest")
    bar = figure.colorbar(image, ax=axes, shrink=0.85)
    bar.set_label("noise standard deviations (a perfect shuffle: 95 % within 2)")
    step = 1 if n <= 16 else 4
    axes.set_xticks(range(0, n, step), [str(i + 1) for i in range(0, n, step)], fontsize=8)
    axes.set_yticks(range(n), report.heat_labels, fontsize=6 if n > 26 else 8)
    axes.set_xlabel("place in the shuffled pack (1 = first dealt)")
    axes.set_ylabel("card, in the start order")
    axes.set_title(f"Where the cards lie: {report.outcome.decks:,} decks", fontsize=11)
    return _png(figure)


def picture_tests(report: Report) -> bytes:
    """PNG: how strong the evidence of each test is, with the line over which it counts as found (Holm)."""
    from matplotlib.figure import Figure

    rows = report.rows
    figure = Figure(figsize=(8.4, 1.2 + 0.17 * len(rows)), dpi=110, layout="constrained")
    axes = figure.add_subplot()
    strength = [min(30.0, -row["log10_p"]) for row in rows]
    colours = {"found": "#b2182b", "weak": "#e6a117", "none found": "#8c9bab"}
    axes.barh(range(len(rows)), strength, color=[colours[row["verdict"]] for row in rows], height=0.7)
    limit = -np.log10(report.outcome.alpha / max(1, len(rows)))
    axes.axvline(float(limit), color="#333333", linewidth=0.8, linestyle="--")
    axes.text(float(limit), -1.2, " found beyond this line", fontsize=7, va="center")
    axes.set_yticks(range(len(rows)), [row["test"] for row in rows], fontsize=7)
    axes.set_ylim(len(rows) - 0.4, -2)
    axes.set_xlabel("-log10 p, cut at 30 (red found, yellow weak, grey nothing found)", fontsize=8)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    return _png(figure)
