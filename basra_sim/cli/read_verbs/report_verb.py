"""`basra-sim report`: one HTML file, or Markdown with pictures. Reads options, calls the library, says where it is."""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Iterator
from pathlib import Path

import click


@contextlib.contextmanager
def _collecting_rarely() -> Iterator[None]:
    """Look for garbage seldom: what libraries and figures make stays, and looking through it was a tenth of the time.

    Only while the report is made: whoever goes on in this process would otherwise keep what refers to itself in a circle.
    """
    before = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()


def write_into(folder: Path, form: str = "table", quiet: bool = False) -> None:
    """Write report.html into a run folder and say where; on stderr where stdout holds data. Not for a run without files."""
    from basra_sim.cli.waiting import Waiting
    from basra_sim.records.run_folder import MANIFEST

    if (folder / MANIFEST).exists():
        with _collecting_rarely(), Waiting("report", quiet) as waiting:
            from basra_sim.report import build, write_html

            write_html(build([folder], waiting), folder / "report.html", progress=waiting)
        click.echo(f"Report: {folder / 'report.html'}", err=form != "table")


@click.command()
@click.argument("runs", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--html", "page", default=None, type=click.Path(path_type=Path, dir_okay=False), metavar="FILE",
              help="Where the HTML file goes; default: report.html in the (first) run folder.")
@click.option("--markdown", default=None, type=click.Path(path_type=Path, dir_okay=False), metavar="FILE",
              help="Write Markdown to FILE, its pictures into a folder beside it.")
@click.option("--plots", type=click.Choice(["svg", "png"]), default="svg", show_default=True, help="How plots are drawn.")
@click.option("-q", "--quiet", is_flag=True, help="No progress bar.")
def report(runs: tuple[Path, ...], page: Path | None, markdown: Path | None, plots: str, quiet: bool) -> None:
    """Make a report of RUNS (run folders) that anybody can open: finding, tables and plots in one file.

    \b
    basra-sim report reports/RUN
    basra-sim report reports/RUN1 reports/RUN2 --html both.html
    basra-sim report reports/RUN --markdown report.md --plots png

    The HTML file loads nothing from anywhere, follows light and dark, and prints. Reports have no clock in them: the same run
    gives the same file.
    """
    from basra_sim.cli.console import make_streams_safe
    from basra_sim.cli.waiting import Waiting
    from basra_sim.report.packs_check import ChecksBeside

    make_streams_safe()
    lines = []
    with _collecting_rarely(), Waiting("report", quiet) as waiting, ChecksBeside(runs) as check:
        from basra_sim.report import build, write_html, write_markdown

        made = build(list(runs), waiting, check)
        if page is not None or markdown is None:
            page = page or runs[0] / "report.html"
            write_html(made, page, plots, waiting)
            lines.append(f"Report: {page}")
        if markdown is not None:
            folder = write_markdown(made, markdown, plots, waiting)
            lines.append(f"Report: {markdown} (pictures in {folder})")
    click.echo("\n".join(lines))
