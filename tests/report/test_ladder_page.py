"""A ladder as a page and as files: valid, whole, the numbers those that were given."""

from __future__ import annotations

import csv
import io
import re

import html5lib

from basra_sim.pages.html_page import soft
from basra_sim.report.ladder_page import COLUMNS, ladder_finding, ladder_html
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
