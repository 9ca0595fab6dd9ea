"""Every plot: labels everywhere, no text upon another or cut off, for one strategy to thirty, with ties and odd names."""

from __future__ import annotations

import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from frames import every_plot
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Text

from basra_sim import plots
from basra_sim.plots.style import short, shorts

KINDS = sorted(every_plot(2))
CASES = [(1, True), (2, False), (5, False), (12, False), (30, False)]
WITHOUT_NAMES = {"positions", "diagonal", "rising", "margins", "trace", "sprt", "deal_by_ply"}  # the same for any number


def texts_of(figure: Figure) -> tuple[list[str], np.ndarray]:
    """Every text that is seen, and its box (left, bottom, right, top) in pixels."""
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    renderer = canvas.get_renderer()
    words, boxes = [], []
    ticks = {t.label1 for axes in figure.axes for axis in (axes.xaxis, axes.yaxis) for t in axis.get_major_ticks()}
    shown = set()
    for axes in figure.axes:
        for axis in (axes.xaxis, axes.yaxis):
            low, high = sorted(axis.get_view_interval())
            shown |= {t.label1 for t in axis.get_major_ticks() if low - 1e-9 <= t.get_loc() <= high + 1e-9}
    for text in figure.findobj(Text):
        if not text.get_visible() or not text.get_text().strip() or (text in ticks and text not in shown):
            continue
        box = text.get_window_extent(renderer)
        if box.width > 0 and box.height > 0:
            words.append(text.get_text())
            boxes.append((box.x0, box.y0, box.x1, box.y1))
    return words, np.array(boxes)


def overlaps(words: list[str], boxes: np.ndarray, slack: float = 1.0) -> list[tuple[str, str]]:
    x0, y0, x1, y1 = boxes.T
    meet = (np.minimum(x1[:, None], x1) - np.maximum(x0[:, None], x0) > slack) & (
        np.minimum(y1[:, None], y1) - np.maximum(y0[:, None], y0) > slack
    )
    return [(words[i], words[j]) for i, j in np.argwhere(np.triu(meet, 1))]


@pytest.mark.parametrize(("many", "ties"), CASES)
@pytest.mark.parametrize("kind", KINDS)
def test_labels_and_no_overlap(kind: str, many: int, ties: bool) -> None:
    if kind in WITHOUT_NAMES and many not in (1, 5):
        pytest.skip("the same picture for any number of strategies")
    figure = every_plot(many, ties)[kind]()
    main = figure.axes[0]
    if many == 1 and kind == "cross_table":
        assert "nothing to draw" in [text.get_text() for text in main.texts]  # nobody to meet
        return
    assert main.get_title(loc="left").strip() or main.get_title().strip()
    assert main.get_xlabel().strip()
    assert main.get_ylabel().strip() or many == 1
    words, boxes = texts_of(figure)
    assert not overlaps(words, boxes)
    width, height = figure.canvas.get_width_height()
    outside = [
        word for word, box in zip(words, boxes, strict=True)
        if box[0] < -1 or box[1] < -1 or box[2] > width + 1 or box[3] > height + 1
    ]  # fmt: skip
    assert not outside


def test_an_overlap_would_be_seen() -> None:
    figure = Figure()
    figure.text(0.5, 0.5, "one")
    figure.text(0.505, 0.5, "two")
    assert overlaps(*texts_of(figure)) == [("one", "two")]


@pytest.mark.parametrize("kind", KINDS)
def test_svg_is_whole_and_names_are_text(kind: str) -> None:
    svg = plots.svg_text(every_plot(5)[kind](), "run1-x", 'a "picture" & more')
    root = ElementTree.fromstring(svg)
    assert root.attrib["aria-label"] == 'a "picture" & more'
    assert "<script" not in svg and "<style" not in svg
    assert all(link.startswith(("#run1-x-", "data:image/png;base64,")) for link in re.findall(r'href="([^"]+)"', svg))
    ids = re.findall(r'\bid="([^"]+)"', svg)
    assert len(ids) == len(set(ids)) and all(one.startswith("run1-x-") for one in ids)
    assert len(svg) < 120_000


def test_dollars_and_tags_in_names_are_names() -> None:
    svg = plots.svg_text(every_plot(5)["forest"](), "x", "y")
    assert "first$_x^2$" in svg
    assert "&lt;scri" in svg


@pytest.mark.parametrize("most", [16, 20, 34])
def test_shortened_names_stay_apart(most: int) -> None:
    names = [f"defensive:capture={capture},rich={rich}" for capture in range(30) for rich in (1, 2)]
    names += ["tuned", "tuned-endgame", "a" * 50, "a" * 50 + "b" * 50, "a" * 50 + "b" * 20 + "c", "", "لاعب " * 9]
    labels = shorts(names, most)
    assert len(set(labels)) == len(names) and all(0 < len(label) <= most for label in labels)
    assert shorts(["x" * 40] * 2, most) == [short("x" * 40, most)] * 2
    assert shorts(["tuned", "best"], most) == ["tuned", "best"]


def test_same_frame_same_bytes() -> None:
    first, second = (plots.svg_text(every_plot(5)["basras_by_card"](), "x", "y") for _ in range(2))
    assert first == second
    assert plots.png_bytes(every_plot(2)["forest"]()) == plots.png_bytes(every_plot(2)["forest"]())


def test_users_settings_are_left_alone() -> None:
    before = dict(mpl.rcParams)
    plots.svg_text(every_plot(2)["forest"](), "x", "y")
    assert dict(mpl.rcParams) == before


def test_values_are_where_the_frame_says() -> None:
    frame = pd.DataFrame({"label": ["a", "b"], "value": [0.7, 0.5], "low": [0.65, 0.45], "high": [0.75, 0.55]})
    axes = plots.forest(frame).axes[0]
    filled, hollow = axes.collections[-2:]
    assert filled.get_offsets().tolist() == [[0.7, 0.0]] and hollow.get_offsets().tolist() == [[0.5, 1.0]]
    cells = pd.DataFrame({"row": ["a", "b"], "column": ["b", "a"], "value": [0.7, 0.3], "low": [0.6, 0.2],
                          "high": [0.8, 0.4], "level": False})  # fmt: skip
    numbers = {t.get_text(): t.get_position() for t in plots.cross_table(cells).axes[0].texts}
    assert numbers == {"70": (1, 0), "30": (0, 1)}


@pytest.mark.parametrize("name", sorted(set(plots.__all__) - {"save", "svg_text", "png_bytes", "positions"}))
def test_nothing_to_draw_says_so(name: str) -> None:
    figure = getattr(plots, name)(pd.DataFrame())
    assert "nothing to draw" in [text.get_text() for text in figure.axes[0].texts]


def test_save(tmp_path) -> None:  # type: ignore[no-untyped-def]
    figure = every_plot(2)["forest"]()
    plots.save(figure, tmp_path / "a.svg", "scores")
    plots.save(figure, tmp_path / "a.png")
    root = ElementTree.parse(tmp_path / "a.svg").getroot()
    assert root.tag.endswith("svg") and "scores" in (tmp_path / "a.svg").read_text("utf-8")
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")


def test_no_gui_backend_and_no_pyplot() -> None:
    code = (
        "import sys, pandas as pd\nfrom basra_sim import plots\n"
        "f = pd.DataFrame({'label': ['a'], 'value': [.5], 'low': [.4], 'high': [.6]})\nplots.png_bytes(plots.forest(f))\n"
        "assert 'matplotlib.pyplot' not in sys.modules and 'tkinter' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, env={"PATH": "", "MPLBACKEND": ""})
