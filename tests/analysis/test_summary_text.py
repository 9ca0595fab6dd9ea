"""What a person reads of a run: width and words; and the CSV and JSON of the same."""

from __future__ import annotations

import csv
import io
import json
import re

import pytest
from made_runs import make_run, mirrored_match, random_run
from rich.console import Console

from basra_sim.analysis.tables.summary import summarize
from basra_sim.analysis.text.rendering import render
from basra_sim.analysis.text.summary_text import print_tables
from basra_sim.records.counters import MatchTotals

NAMES = ["greedy", "random", "first", "defensive", "basra-first", "counting", "careful",
         "a-strategy-with-a-long-name:depth=3,width=12", "s9", "s10", "s11", "s12"]  # fmt: skip


@pytest.mark.parametrize("size", [2, 3, 4, 5, 8, 12])
@pytest.mark.parametrize("pairs", [2, 60])
def test_readable_at_eighty_columns(size, pairs):
    text = render(summarize(random_run(NAMES[:size], pairs)), "table")
    command = "basra-sim run"
    long = [line for line in text.splitlines() if len(line) > 80 and command not in line]
    assert not long
    assert text.isascii() and "\x1b" not in text
    for name in NAMES[:size]:
        assert name in text or name[:20] in text
    assert "nan" not in re.findall(r"[a-z]+", text) and "None" not in text
    assert not re.search(r"(±|\+-)0(\.0+)?(?!\.?\d)", text)
    assert "ab" * 32 in text and "--games 2000 --seed 7" in text
    assert "95 %" in text and "game pairs" in text


def test_the_finding_comes_first_in_words():
    text = render(summarize(random_run(["greedy", "random"], 300)))
    finding = text.splitlines()[2]
    assert re.fullmatch(r"greedy beats random: it won \d\d % \(\d\d to \d\d\) of 600 games\.", finding)
    few = render(summarize(random_run(["greedy", "random"], 4)))
    assert "too few pairs to say more" in few and "n/a" in few


def test_level_in_words_not_in_numbers():
    text = render(summarize(make_run(["greedy", "greedy#2"], [mirrored_match("greedy", "greedy#2", 50, 1)])))
    assert "Level by construction: the same strategy on both sides." in text
    assert "level by construction" in text and "+-" not in text


def test_an_unfinished_run_says_so():
    text = render(summarize(random_run(["p", "q"], 20, complete=False, notes=["q is interpreted: it uses a dict"])))
    assert text.splitlines()[1].startswith("INCOMPLETE")
    assert "Note: q is interpreted: it uses a dict" in text
    nothing = render(summarize(make_run(["p", "q"], [MatchTotals("p", "q")], complete=False, seconds=0.0)))
    assert "INCOMPLETE" in nothing and "Played 0 games" in nothing


def test_markup_in_a_name_is_harmless_and_colours_only_on_a_terminal():
    run = random_run(["[red]x[/red]", "<script>"], 12)
    file = io.StringIO()
    print_tables(summarize(run), Console(file=file, force_terminal=True, color_system="truecolor", width=80,
                                         markup=False, highlight=False))  # fmt: skip
    assert "\x1b[" in file.getvalue() and "[red]x[/red]" in file.getvalue()
    assert "±" in file.getvalue()


def test_csv_and_json_say_the_same():
    s = summarize(random_run(["p", "q", "r"], 15))
    assert json.loads(render(s, "json")) == s
    rows = list(csv.DictReader(io.StringIO(render(s, "csv"))))
    assert [row["match"] for row in rows] == ["p vs q", "p vs r", "q vs r"]
    for row, m in zip(rows, s["matches"], strict=True):
        assert int(row["wins_a"]) == m["wins_a"] and row["level"] == "false"
        assert [int(row[f"pairs_{x}"]) for x in ("0", "0.5", "1", "1.5", "2")] == m["pair_scores"]
        for key in ("score_a", "score_a_low", "points_per_round_b_high", "basras_per_round_a", "seat_effect"):
            assert float(row[key]) == pytest.approx(m[key], rel=1e-9)
    few = next(csv.DictReader(io.StringIO(render(summarize(random_run(["p", "q"], 3)), "csv"))))
    assert few["score_a_low"] == "" and "nan" not in few.values()
