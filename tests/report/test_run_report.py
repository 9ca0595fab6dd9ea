"""With many runs in one file only the first is told in full."""

from __future__ import annotations

from basra_sim.pages.page_parts import Grid, Part, Picture, Section, Text
from basra_sim.report.run_report import _distinct, _lighten


def part(name: str) -> Part:
    def picture(of: str) -> Picture:
        return Picture(of, "alt", "caption", lambda: None)  # type: ignore[arg-type, return-value]

    parts = [picture("sources"), picture("floor"), Grid("open", [], []), Grid("closed", [], [], folded=True)]
    return Part(name, name, "found", [Section("where", "Where", parts), Section("method", "Method", [Text("words")])])


def test_four_runs() -> None:
    parts = [part(name) for name in "abcd"]
    _lighten(parts)
    assert len(parts[0].sections) == 2 and len(parts[0].sections[0].parts) == 4
    for one in parts[1:]:
        assert [section.name for section in one.sections] == ["where"]
        assert [getattr(p, "name", None) or p.caption for p in one.sections[0].parts] == ["sources", "open"]


def test_three_runs_are_told_in_full() -> None:
    parts = [part(name) for name in "abc"]
    _lighten(parts)
    assert all(len(one.sections) == 2 and len(one.sections[0].parts) == 4 for one in parts)


def test_folders_of_one_name_are_told_apart() -> None:
    assert _distinct(["a", "b", "a"]) == ["a", "b", "a (2)"]
