"""Reports and other pages as one HTML file that loads nothing: pictures inside, everything escaped, one base template."""

from __future__ import annotations

import base64
import html
import re
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from jinja2 import ChoiceLoader, Environment, PackageLoader
from markupsafe import Markup, escape

from basra_sim.plots.figure_files import png_bytes, svg_text
from basra_sim.records.disk import write_bytes
from basra_sim.version import __version__

from .forked_drawing import in_halves
from .page_parts import Picture, Progress, Report, Section, unheard

_JOINT = re.compile(r"([,:])(?=[^\s\d,:])")  # in names like tuned:jack=10,komi=3, not in numbers


def environment(**options: Any) -> Any:
    """The jinja2 environment of all pages: extend "base.html.j2", import macros from "parts.html.j2". Autoescape is on.

    For templates of another module pass `loader=` (it is searched first).
    """
    own = PackageLoader("basra_sim.pages", ".")
    loader = options.pop("loader", None)
    choice = ChoiceLoader([loader, own]) if loader is not None else own
    made = Environment(loader=choice, autoescape=True, trim_blocks=True, lstrip_blocks=True, **options)
    made.filters["soft"] = soft
    return made


def soft(text: str) -> Any:
    """Words that a narrow column may break where a long name has its joints, and not within a number."""
    return Markup("<wbr>").join(escape(piece) for piece in _JOINT.sub("\\1\0", str(text)).split("\0"))


def embedded(picture: Picture, prefix: str, plots: str = "svg") -> Any:
    """A picture as markup: an inline SVG, or a PNG as a data address."""
    figure = picture.draw()
    if plots == "svg":
        return Markup(svg_text(figure, f"{prefix}-{picture.name}", picture.alt))
    data = base64.b64encode(png_bytes(figure)).decode("ascii")
    alt, wide = html.escape(picture.alt, quote=True), f"--wide: {72 * figure.get_figwidth():.0f}"
    return Markup(f'<img class="plot" style="{wide}" alt="{alt}" src="data:image/png;base64,{data}">')


def html_text(report: Report, plots: str = "svg", progress: Progress = unheard) -> str:
    """The whole page. plots: "svg" (follows light and dark, prints sharp) or "png"."""
    placed = report.placed()
    jobs = [partial(embedded, picture, prefix, plots) for prefix, picture in placed]
    drawn = in_halves(jobs, lambda done: progress(done, len(placed), "drawing"))
    markup = {(prefix, picture.name): text for (prefix, picture), text in zip(placed, drawn, strict=True)}
    template = environment().get_template("report.html.j2")
    return str(template.render(
        report=report, version=report.version, plots=lambda picture, prefix: markup[prefix, picture.name]
    ))  # fmt: skip


def write_html(report: Report, path: Path, plots: str = "svg", progress: Progress = unheard) -> None:
    """Write the page; the file is the old one or the new one at any moment."""
    write_bytes(path, html_text(report, plots, progress).encode("utf-8"))


def page_text(heading: str, finding: str, sections: Sequence[Section], *, bad: bool = False, prefix: str = "page") -> str:
    """A page that is not of whole runs (a ladder, an analysis): a finding and sections. Those without parts are left out."""
    template = environment().get_template("page.html.j2")
    shown = [section for section in sections if section.parts]
    return str(template.render(
        title=heading, heading=heading, finding=finding, is_bad=bad, sections=shown, prefix=prefix, plots=embedded,
        version=__version__,
    ))  # fmt: skip
