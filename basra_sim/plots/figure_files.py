"""Figures as SVG for a web page (light and dark by themselves), as SVG files, and as PNG. Always the same bytes."""

from __future__ import annotations

import html
import io
import re
from pathlib import Path

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure

from .style import GRID, INK, MUTED, PAPER, styled

_NAMES = {INK: "ink", MUTED: "muted", GRID: "grid", PAPER: "paper"}
_DATE = {"Date": None, "Creator": None, "Format": None, "Type": None}


def _raw_svg(figure: Figure) -> str:
    buffer = io.StringIO()
    with styled():
        FigureCanvasSVG(figure).print_svg(buffer, metadata=_DATE)
    return buffer.getvalue()


def _inner(svg: str) -> tuple[str, str, str]:
    """(width, height, content) of an SVG file without its header, metadata and global style."""
    head = re.search(r'<svg[^>]*?viewBox="0 0 ([\d.]+) ([\d.]+)"[^>]*>', svg)
    assert head is not None
    content = svg[head.end() : svg.rindex("</svg>")]
    content = re.sub(r"<metadata>.*?</metadata>", "", content, flags=re.S)
    content = re.sub(r"<defs>\s*<style.*?</style>\s*</defs>", "", content, flags=re.S)
    content = re.sub(r"<!--.*?-->", "", content, flags=re.S)
    content = re.sub(r"(\d\.\d{3})\d+", r"\1", content)  # a thousandth of a point is enough
    content = re.sub(r"\n\s*", "\n", content)
    content = re.sub(r'font: ([\d.]+)px [^;"]*', r"font-size: \1px", content)
    content = re.sub(r'font: (?:bold|700) ([\d.]+)px [^;"]*', r"font-weight: 700; font-size: \1px", content)
    return head[1], head[2], content.strip()


def _only_needed_ids(content: str) -> str:
    """Without the ids that nothing refers to, and without groups that have nothing else to say."""
    needed = set(re.findall(r"url\(#([^)]+)\)", content)) | set(re.findall(r'xlink:href="#([^"]+)"', content))
    content = re.sub(r' id="([^"]+)"', lambda found: found[0] if found[1] in needed else "", content)
    content = re.sub(r' transform="rotate\(-0 [^"]*\)"', "", content)
    return re.sub(r"<g>\n(<text[^\n]*</text>)\n</g>", r"\1", content)


def svg_text(figure: Figure, name: str, alt: str) -> str:
    """The figure as an `<svg>` element to put into a page: named for screen readers by `alt`, its ids begin with `name`.

    The greys of the style become the CSS variables --ink, --muted, --grid and --paper of the page.
    """
    width, height, content = _inner(_raw_svg(figure))
    for colour, word in _NAMES.items():
        content = content.replace(colour, f"var(--{word}, {colour})")
    content = _only_needed_ids(content)
    content = re.sub(r'\bid="([^"]+)"', rf'id="{name}-\1"', content)
    content = re.sub(r"url\(#([^)]+)\)", rf"url(#{name}-\1)", content)
    content = re.sub(r'xlink:href="#([^"]+)"', rf'href="#{name}-\1"', content)
    content = content.replace("xlink:href=", "href=")
    label = html.escape(alt, quote=True)
    return (
        f'<svg class="plot" style="--wide: {float(width):.0f}" role="img" aria-label="{label}" viewBox="0 0 {width} {height}" '
        f'xmlns="http://www.w3.org/2000/svg">\n{content}\n</svg>'
    )


def svg_file(figure: Figure, alt: str) -> str:
    """The figure as an SVG file on white paper, for a README or a Markdown page."""
    width, height, content = _inner(_raw_svg(figure))
    content = _only_needed_ids(content)
    title = html.escape(alt)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 {width} {height}" '
        f'width="{width}pt" height="{height}pt" role="img" font-family="DejaVu Sans, Verdana, sans-serif" '
        f'stroke-linejoin="round">\n<title>{title}</title>\n<rect width="100%" height="100%" fill="#ffffff"/>\n'
        f"{content}\n</svg>\n"
    )


def png_bytes(figure: Figure, dots: int = 160) -> bytes:
    """The figure as PNG on white paper, `dots` an inch."""
    buffer = io.BytesIO()
    with styled():
        FigureCanvasAgg(figure)
        figure.savefig(buffer, format="png", dpi=dots, facecolor="#ffffff", metadata={"Software": None})
    return buffer.getvalue()


def save(figure: Figure, path: str | Path, alt: str = "") -> None:
    """Write a figure to a .svg or .png file."""
    path = Path(path)
    if path.suffix == ".png":
        path.write_bytes(png_bytes(figure))
    else:
        path.write_text(svg_file(figure, alt or path.stem.replace("-", " ")), "utf-8")
