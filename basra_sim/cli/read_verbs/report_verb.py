"""`basra-sim report`: one HTML file, or Markdown with pictures. Reads options, calls the library, says where it is."""

from __future__ import annotations

from pathlib import Path

import click

from basra_sim.cli.console import make_streams_safe
from basra_sim.cli.report_files import collecting_rarely
from basra_sim.cli.shared_options import quiet_option
from basra_sim.cli.waiting import Waiting

# the library is imported when a verb is called: --help is click alone


@click.command()
@click.argument("runs", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--html", "page", default=None, type=click.Path(path_type=Path, dir_okay=False), metavar="FILE",
              help="Where the HTML file goes; default: report.html in the (first) run folder.")
@click.option("--markdown", default=None, type=click.Path(path_type=Path, dir_okay=False), metavar="FILE",
              help="Write Markdown to FILE, its pictures into a folder beside it.")
@click.option("--plots", type=click.Choice(["svg", "png"]), default="svg", show_default=True, help="How plots are drawn.")
@quiet_option
def report(runs: tuple[Path, ...], page: Path | None, markdown: Path | None, plots: str, quiet: bool) -> None:
    """Make a report of RUNS (run folders) that anybody can open: finding, tables and plots in one file.

    \b
    basra-sim report reports/RUN
    basra-sim report reports/RUN1 reports/RUN2 --html both.html
    basra-sim report reports/RUN --markdown report.md --plots png

    The HTML file loads nothing from anywhere, follows light and dark, and prints. Reports have no clock in them: the same run
    gives the same file.
    """
    from basra_sim.report.packs_check import ChecksBeside

    make_streams_safe()
    lines = []
    with collecting_rarely(), Waiting("report", quiet) as waiting, ChecksBeside(runs) as check:
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
