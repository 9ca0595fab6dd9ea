"""A report of runs: one HTML file, or Markdown with its pictures. Reads run folders and analyses; plays nothing.

`from basra_sim.report import build, html_text; html_text(build([Path("reports/RUN")]))`.
"""

from __future__ import annotations

from basra_sim.pages.html_page import html_text, write_html
from basra_sim.pages.markdown_page import write_markdown

from .build import build, build_of

__all__ = ["build", "build_of", "html_text", "write_html", "write_markdown"]
