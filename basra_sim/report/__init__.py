"""Reports of runs: the finding first, then what was played, ranking, matches, causes, seats, margins, the packs, method.

`from basra_sim.report import build, html_text; html_text(build([Path("reports/RUN")]))`. It imports run folders, analyses, pages,
plots and the shuffle lab's battery, and plays nothing. In come folders of runs; out come pages.
"""

from __future__ import annotations

from basra_sim.pages.html_page import html_text, write_html
from basra_sim.pages.markdown_page import write_markdown

from .run_report import build, build_of

__all__ = ["build", "build_of", "html_text", "write_html", "write_markdown"]
