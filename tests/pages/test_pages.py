"""Pages of a ladder and of an analysis, and what stands above several runs: valid, whole, the numbers those that were given."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path

import html5lib
import numpy as np
import pytest
from made_runs import random_run

from basra_sim.analysis.tables.breakdown import analyze
from basra_sim.analysis.tables.result_files import write_results
from basra_sim.analysis.tables.run_changes import score_changes, turned, why_not
from basra_sim.analysis.tables.summary import summarize
from basra_sim.cli.shared_options import out_form
from basra_sim.errors import BadInput
from basra_sim.pages.html_page import soft
from basra_sim.pages.markdown_page import markdown_text
from basra_sim.report import build, html_text
from basra_sim.report.analysis_page import analysis_html
from basra_sim.report.ladder_page import COLUMNS, ladder_finding, ladder_html
from basra_sim.report.runs_overview import overview
from basra_sim.workshop.ladder import HEADERS, Ladder, Rung, command_of, to_csv, to_markdown

EVIL = "<script>alert(1)</script>"


def rung(name: str, share: float, below: str | None = None, below_share: float = 0.6, cheats: bool = False) -> Rung:
    half = 0.02
    own = {} if below is None else {
        "below": below, "below_share": below_share, "below_low": below_share - half, "below_high": below_share + half,
        "below_games": 0.61, "below_games_low": 0.55, "below_games_high": 0.67,
    }  # fmt: skip
    return Rung(
        name, cheats, 2000, share, share - half, share + half, 10.0, 5.0, 15.0, 1.5, 1.0, 2.0, -2.0, -3.0, -1.0, 1.5, 0.25,
        games=0.7, games_low=0.65, games_high=0.75, regret=0.5, regret_half_width=0.1, **own,
    )  # fmt: skip


def made_ladder() -> Ladder:
    rungs = [rung("greedy", 0.5), rung(EVIL, 0.58, "greedy"), rung("top", 0.59, EVIL, 0.505), rung("eye", 0.8, "top", 0.8, True)]
    return Ladder("cafe with target=51", "full", 7, "0.1.0", rungs)


def parsed(text: str):  # type: ignore[no-untyped-def]
    return html5lib.HTMLParser(strict=True).parse(text)


def test_ladder_page() -> None:
    ladder = made_ladder()
    text = ladder_html(ladder)
    parsed(text)
    assert "<script" not in text and "&lt;script&gt;" in text
    assert text.count("<svg") == 2 and "http" not in text.replace("http://www.w3.org", "")
    for words in (*HEADERS, "59.0 ± 2.0 %", "61.0 ± 6.0 %", "eye (cheats)", "basra-sim ladder"):
        assert words in text
    assert len(COLUMNS) == 7
    finding = ladder_finding(ladder)
    assert finding.startswith("top is strongest against greedy: it wins 59.0 % of rounds (57.0 to 61.0)")
    assert f"Of 3 steps up the ladder 2 are beyond chance when the two meet; top and {EVIL} may be level." in finding
    assert command_of(ladder).endswith(" --seed 7 --full --rules cafe --set target=51")


def test_ladder_of_one_and_of_thirty() -> None:
    parsed(ladder_html(Ladder("egyptian-v2", "quick", 1, "0.1.0", [rung("greedy", 0.5)])))
    many = [rung("greedy", 0.5)] + [rung(f"greedy:parameter={k}.123456", 0.5 + k / 100, f"no {k}") for k in range(30)]
    parsed(ladder_html(Ladder("egyptian-v2", "quick", 1, "0.1.0", many)))


def test_ladder_as_csv_and_markdown() -> None:
    rows = list(csv.DictReader(io.StringIO(to_csv(made_ladder()))))
    assert [row["strategy"] for row in rows] == ["greedy", EVIL, "top", "eye"]
    assert rows[0]["below"] == "" and float(rows[2]["below_games"]) == 0.61
    assert to_markdown(made_ladder()).count("\n") == 6


def test_names_break_at_their_joints_and_pictures_scroll_apart_from_their_captions() -> None:
    ladder = Ladder("egyptian-v2", "quick", 1, "0.1.0", [rung("greedy", 0.5), rung("tuned:jack=10,komi=3", 0.6, "greedy")])
    text = ladder_html(ladder)
    assert "tuned:<wbr>jack=10,<wbr>komi=3" in text
    assert soft("a, b: 1,000 <x>,y") == "a, b: 1,000 &lt;x&gt;,<wbr>y"
    assert ">tuned:jack=10,komi=3 : greedy<" in text  # both names in the picture of the steps
    for figure in re.findall(r"<figure>(.*?)</figure>", text, re.S):
        box, caption = figure.split("</div>")
        assert 'class="scroll"' in box and "<svg" in box and "<figcaption>" in caption
        assert re.search(r'<svg class="plot" style="--wide: 38\d"', box)


def test_analysis_page() -> None:
    run = random_run(["a", EVIL], 60)
    tables, missing = analyze(run, None)
    text = analysis_html(run, tables, missing, Path("reports/RUN"))
    parsed(text)
    assert "<script" not in text
    for table in tables:
        assert table.title.replace("'", "&#39;") in text
    assert text.count(">expected<") >= 4  # where there is a law, its numbers stand beside what was seen
    assert "120 games" in text


def test_changes_are_those_that_were_put_in() -> None:
    one, same, other = (random_run(["a", "b", "c"], 400, seed=5) for _ in range(3))
    match = other.matches[0]  # a against b: let a win ten more half points in every group of pairs
    match.group_sums[:, 0] += 2
    match.pair_sums[11] += 2 * len(match.group_sums)
    assert why_not([one, same, other]) is None
    found = {(change.strategy, change.run): change for change in score_changes([one, same, other])}
    gain = 2 * len(match.group_sums) / 4 / 800  # two matches of 400 pairs each
    a, b, c = (found[name, 2] for name in "abc")
    assert a.change.value == pytest.approx(gain) and b.change.value == pytest.approx(-gain) and c.change.value == 0
    assert all(found[name, 1].change.value == 0 and not found[name, 1].beyond_chance for name in "abc")


def test_changes_of_equal_strategies_stay_within_chance() -> None:
    """Of 40 pairs of runs that differ by chance alone about one in twenty has a change that Holm lets stand."""
    struck = 0
    for seed in range(40):
        runs = [random_run(["a", "b", "c"], 60, seed=1000 * (2 * seed + k)) for k in (0, 1)]
        for run in runs:
            run.seed = 1
        struck += any(change.beyond_chance for change in score_changes(runs))
    assert struck <= 6  # more would come by chance once in 300 times


def test_orders_that_are_turned_around() -> None:
    decided = [{("a", "b"): True, ("a", "c"): True}, {("a", "b"): False}, {("a", "c"): True, ("a", "b"): False}]
    assert turned(decided) == [("a", "b", [0], [1, 2])]


def test_the_overview_of_several_runs(tmp_path: Path) -> None:
    folders = []
    for name in ("one", "two"):
        run = random_run(["a", "b", EVIL], 80, seed=3)
        (tmp_path / name).mkdir()
        write_results(tmp_path / name, run)
        folders.append(tmp_path / name)
    report = build(folders)
    text = html_text(report)
    parsed(text)
    assert text.index('id="overview"') < text.index('id="run1"')
    assert " in all 2 runs" in report.finding and report.finding in markdown_text(report).replace("\\", "")
    words = [item for part in report.overview[0].parts if hasattr(part, "items") for item in part.items]
    assert any("differs from that under" in item for item in words)  # the same run twice
    assert any("No order of two strategies that is decided in one run" in item for item in words)


def test_runs_of_other_fields_are_not_compared() -> None:
    runs = [random_run(["a", "b"], 50, seed=1), random_run(["a", "c"], 50, seed=1)]
    _, (section,) = overview(["x", "y"], runs, [summarize(run) for run in runs])
    assert any("not worked out" in getattr(part, "text", "") for part in section.parts)
    assert not np.any([getattr(part, "caption", "").startswith("What the score gains") for part in section.parts])


def test_files_to_write_are_known_by_their_ends(tmp_path: Path) -> None:
    assert out_form(tmp_path / "x.HTML", ("html", "csv")) == "html"
    with pytest.raises(BadInput, match=r"must end with one of \.html, \.csv"):
        out_form(tmp_path / "x.pdf", ("html", "csv"))
    with pytest.raises(BadInput, match="there is no folder"):
        out_form(tmp_path / "no" / "x.csv", ("csv",))
