"""Pages that are not of runs as a whole (a ladder, an analysis): a finding and sections in the house style."""

from __future__ import annotations

from collections.abc import Sequence

from basra_sim.version import __version__

from .html_page import embedded, environment
from .page_parts import Section


def page_text(heading: str, finding: str, sections: Sequence[Section], *, bad: bool = False, prefix: str = "page") -> str:
    """The page as HTML. Sections without parts are left out."""
    template = environment().get_template("page.html.j2")
    shown = [section for section in sections if section.parts]
    return str(template.render(
        title=heading, heading=heading, finding=finding, is_bad=bad, sections=shown, prefix=prefix, plots=embedded,
        version=__version__,
    ))  # fmt: skip
