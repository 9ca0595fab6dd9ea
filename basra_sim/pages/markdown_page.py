"""A report as Markdown, with its pictures in a folder beside it."""

from __future__ import annotations

import itertools
import re
from pathlib import Path
from typing import Any

from basra_sim.plots.figure_files import png_bytes, svg_file
from basra_sim.records.disk import disk_errors, write_bytes

from .page_parts import Progress, Report, unheard

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~$])")


def escaped(text: str) -> str:
    """Text that Markdown shows as it is, on one line."""
    return _SPECIAL.sub(r"\\\1", " ".join(str(text).split()))


def _fenced(text: str) -> str:
    fence = "```"
    while fence in text:
        fence += "`"
    return f"{fence}\n{text}\n{fence}"


def _grid(table: Any) -> str:
    head = "| " + " | ".join(escaped(cell) or " " for cell in table.head) + " |"
    line = "| " + " | ".join("---" if i < table.words else "---:" for i in range(len(table.head))) + " |"
    rows = ["| " + " | ".join(escaped(cell) for cell in row) + " |" for row in table.rows]
    return "\n".join([f"{escaped(table.caption)}:", "", head, line, *rows])


def _picture(picture: Any, link: str, plots: str) -> str:
    return f"![{escaped(picture.alt)}]({link}/{picture.name}.{plots})\n\n*{escaped(picture.caption)}*"


def _part(part: Any, link: str, plots: str) -> str:
    if getattr(part, "is_text", False):
        return f"**{escaped(part.text)}**" if part.kind == "warning" else escaped(part.text)
    if getattr(part, "is_code", False):
        return _fenced(part.text)
    if getattr(part, "is_list", False):
        return "\n".join(f"- {escaped(item)}" for item in part.items)
    if getattr(part, "is_grid", False):
        return _grid(part)
    return _picture(part, link, plots)


def markdown_text(report: Report, link: str = "report-plots", plots: str = "svg") -> str:
    """The text alone. Its pictures are looked for below `link`, those of several runs in `run1`, `run2` ... there."""
    many = len(report.parts) > 1
    blocks = [f"# {escaped(report.title)}"]
    if many:
        blocks.append(f"**{escaped(report.finding)}**")
    for section in report.overview:
        blocks += [f"## {escaped(section.title)}", *(_part(part, link, plots) for part in section.parts)]
    for number, one in enumerate(report.parts, 1):
        if many:
            blocks.append(f"## {escaped(one.title)}")
        blocks.append(f"**{escaped(one.finding)}**")
        address = f"{link}/run{number}" if many else link
        for section in one.sections:
            blocks.append(f"{'###' if many else '##'} {escaped(section.title)}")
            blocks += [_part(part, address, plots) for part in section.parts]
    return "\n\n".join(blocks) + "\n"


def write_markdown(report: Report, path: Path, plots: str = "svg", progress: Progress = unheard) -> Path:
    """Write the file, and its pictures into `<name>-plots` beside it; returns that folder."""
    folder = path.with_name(f"{path.stem}-plots")
    numbers, many = itertools.count(1), report.pictures()
    for number, one in enumerate(report.parts, 1):
        inside = folder / f"run{number}" if len(report.parts) > 1 else folder
        with disk_errors(inside):
            inside.mkdir(parents=True, exist_ok=True)
        for picture in (part for section in one.sections for part in section.parts if getattr(part, "is_picture", False)):
            progress(next(numbers), many, "drawing")
            figure = picture.draw()
            data = svg_file(figure, picture.alt).encode("utf-8") if plots == "svg" else png_bytes(figure)
            write_bytes(inside / f"{picture.name}.{plots}", data)
    write_bytes(path, markdown_text(report, folder.name.replace(" ", "%20"), plots).encode("utf-8"))
    return folder
