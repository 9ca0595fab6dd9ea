"""Reports of runs: the finding first, then what was played, ranking, matches, causes, seats, margins, the packs, method.

`from basra_sim.report import build, html_text; html_text(build([Path("reports/RUN")]))`. It imports run folders, analyses, pages,
plots and the shuffle lab's battery, and plays nothing. In come folders of runs; out come pages.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from basra_sim.pages.html_page import html_text, write_html
    from basra_sim.pages.markdown_page import write_markdown

    from .run_report import build, build_of

__all__ = ["build", "build_of", "html_text", "write_html", "write_markdown"]

_HOMES = {
    "build": "basra_sim.report.run_report", "build_of": "basra_sim.report.run_report",
    "html_text": "basra_sim.pages.html_page", "write_html": "basra_sim.pages.html_page",
    "write_markdown": "basra_sim.pages.markdown_page",
}  # fmt: skip


def __getattr__(name: str) -> Any:
    """Imported when asked for: packs_check.py runs as a process of its own, which needs neither pandas nor plots."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name]), name)
