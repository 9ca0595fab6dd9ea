"""Reports as their readers meet them: one file, valid, whole, the numbers those of summary.json, nothing from outside."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import html5lib
import pytest
from made_runs import make_run, mirrored_match, random_match, random_run

from basra_sim.analysis.tables.result_files import write_results
from basra_sim.analysis.text.number_words import fixed
from basra_sim.errors import BadInput
from basra_sim.pages.page_parts import Report, Section
from basra_sim.records.counters import RunTotals
from basra_sim.records.run_folder import read_summary
from basra_sim.report import build, html_text, write_html, write_markdown

EVIL = ["<script>alert(1)</script>", "a & b | c*d_e", "`x` [y](z)", "plain"]
H = "{http://www.w3.org/1999/xhtml}"


def folder_of(run: RunTotals, path: Path) -> Path:
    path.mkdir(exist_ok=True)
    write_results(path, run)
    return path


def level_run() -> RunTotals:
    return make_run(["greedy", "greedy#2"], [mirrored_match("greedy", "greedy#2", 30, 1)])


def one_pair() -> RunTotals:
    return make_run(["x", "y"], [random_match("x", "y", 1, 3)])


def nothing() -> RunTotals:
    from basra_sim.records.counters import MatchTotals

    return make_run(["x", "y"], [MatchTotals("x", "y")], complete=False)


RUNS = {
    "evil names": lambda: random_run(EVIL, 40),
    "level": level_run,
    "one pair": one_pair,
    "rounds": lambda: random_run(["a", "b", "c"], 60, single=True, complete=False, notes=["stopped <early>"]),
    "nothing": nothing,
}
PAGES: dict[str, tuple[Path, Report, str]] = {}


def made(name: str, folders: pytest.TempPathFactory) -> tuple[Path, Report, str]:
    """The folder, report and page of one of RUNS, made once."""
    if name not in PAGES:
        folder = folder_of(RUNS[name](), folders.mktemp("run"))
        report = build([folder])
        PAGES[name] = folder, report, html_text(report)
    return PAGES[name]


@pytest.fixture(params=sorted(RUNS))
def page(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, dict]:
    folder, _, text = made(request.param, tmp_path_factory)
    return text, read_summary(folder)


def parsed(text: str):  # type: ignore[no-untyped-def]
    return html5lib.HTMLParser(strict=True).parse(text)


def test_valid_and_whole(page: tuple[str, dict]) -> None:
    text, summary = page
    document = parsed(text)
    assert len(text.encode()) < 2_000_000
    assert document.find(f".//{H}title").text and document.find(f".//{H}html") is None
    headings = [e.text for e in document.iter(f"{H}h2")]
    assert headings[0] == "What was played" and headings[-1] == "To repeat it"
    if summary["games"]:
        assert headings[1:5] == ["Ranking", "Who beat whom", "Where it comes from", "Leader and dealer"]
    body = "".join(document.itertext())
    assert summary["command"] in body and summary["digest"] in body
    ids = re.findall(r'\bid="([^"]+)"', text)
    assert len(ids) == len(set(ids))
    links = re.findall(r'href="#([^"]+)"', text)
    assert links and set(links) <= set(ids)


def test_loads_nothing_and_runs_nothing(page: tuple[str, dict]) -> None:
    text, _ = page
    document = parsed(text)
    assert document.find(f".//{H}script") is None and document.find(f".//{H}link") is None
    for element in document.iter():
        for name, value in element.attrib.items():
            name = str(name).rpartition("}")[2]
            assert not name.startswith("on")
            if name in ("src", "href", "action", "data"):
                assert value.startswith(("#", "data:image/png;base64,"))
    assert not re.search(r"@import|url\((?!#)", text)


def test_accessible(page: tuple[str, dict]) -> None:
    text, _ = page
    document = parsed(text)
    pictures = [e for e in document.iter() if str(e.tag).endswith("}svg") or e.tag == f"{H}img"]
    for picture in pictures:
        assert (picture.attrib.get("aria-label") or picture.attrib.get("alt") or "").strip()
    for table in document.iter(f"{H}table"):
        assert table.find(f"{H}caption").text.strip()
        assert all(e.attrib.get("scope") in ("col", "row") for e in table.iter(f"{H}th"))
        assert all(row.find(f"{H}th") is not None for row in table.find(f"{H}tbody"))
        head = table.find(f"{H}thead")
        if head is not None:
            widths = {len(list(row)) for row in [head[0], *table.find(f"{H}tbody")]}
            assert len(widths) == 1
    for figure in document.iter(f"{H}figure"):
        caption = "".join(figure.find(f"{H}figcaption").itertext()).strip()
        assert len(caption) > 20 and caption.endswith(".")
    assert document.find(f".//{H}html") is None and 'lang="en"' in text and "prefers-color-scheme: dark" in text


def cells_of(document, caption: str) -> list[list[str]]:  # type: ignore[no-untyped-def]
    for table in document.iter(f"{H}table"):
        if table.find(f"{H}caption").text.startswith(caption):
            return [["".join(cell.itertext()) for cell in row] for row in table.find(f"{H}tbody")]
    raise AssertionError(f"no table {caption}")


def close(text: str, value: float | None) -> bool:
    """Whether a printed number is a value, rounded to its own digits."""
    if value is None:
        return text.startswith("n/a")
    number = text.split(" ")[0].replace(",", "").replace("+", "")
    digits = len(number.partition(".")[2])
    return number == fixed(value, digits).replace(",", "") or abs(float(number) - value) < 0.51 * 10.0**-digits


def test_numbers_are_those_of_the_summary(page: tuple[str, dict]) -> None:
    text, summary = page
    if not summary["games"]:
        return
    document = parsed(text)
    for row in cells_of(document, "Every match"):
        m = next(m for m in summary["matches"] if m["match"] == row[0])
        assert row[1] == f"{m['wins_a']:,}–{m['draws']:,}–{m['wins_b']:,}"
        assert close(row[2], 100 * m["score_a"])
        if not m["level"] and m["score_a_low"] is not None:
            low, _, high = row[3].partition(" to ")
            assert close(low, 100 * m["score_a_low"]) and close(high, 100 * m["score_a_high"])
        assert close(row[4], m["points_per_round_difference"])
    if any(row["games"] for row in summary["ranking"]):
        for row, one in zip(cells_of(document, "Ranking by score"), summary["ranking"], strict=True):
            results = ["wins", "draws", "losses"] if any(r["draws"] for r in summary["ranking"]) else ["wins", "losses"]
            assert row[:-3] == [str(one["rank"]), one["strategy"], *(f"{one[key]:,}" for key in results)]
            assert close(row[-3], 100 * one["score"]) and close(row[-1], one["points_per_round"])
    played = dict(row for row in cells_of(document, "The run"))
    assert played["seed"] == str(summary["seed"]) and f"{summary['games']:,}" in played["in all"]


def test_basra_rates_are_those_of_the_summary(tmp_path: Path) -> None:
    """Read back from a real run's page: basras a round by kind, and points by source adding up to points a round."""
    from basra_sim.runs.running import run

    run(["greedy", "first", "random"], games=200, seed=4, folder=tmp_path)
    summary = read_summary(tmp_path)
    document = parsed(html_text(build([tmp_path])))
    ranking = {row["strategy"]: row for row in summary["ranking"]}
    for row in cells_of(document, "Basras a round, by kind"):
        for cell, key in zip(row[1:], ("plain_basras", "komi_basras", "jack_basras", "basras"), strict=True):
            assert close(cell, ranking[row[0]][f"{key}_per_round"])
    sums: dict[str, float] = {}
    for name, role, *cells in cells_of(document, "Points a round, by source"):
        if role == "both":
            sums[name] = sum(float(cell) for cell in cells)
        else:
            assert abs(sum(float(cell) for cell in cells) - ranking[name]["roles"][role]["points_per_round"]) < 0.021
    for name, value in sums.items():
        assert abs(value - ranking[name]["points_per_round"]) < 0.021


def test_script_is_harmless(tmp_path_factory: pytest.TempPathFactory) -> None:
    text = made("evil names", tmp_path_factory)[2]
    assert "<script" not in text and "&lt;script&gt;alert(1)&lt;/script&gt;" in text


def test_same_run_same_bytes(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder, _, text = made("one pair", tmp_path_factory)
    assert html_text(build([folder])) == text


@pytest.mark.slow
def test_thirty_strategies_stay_below_two_megabytes(tmp_path: Path) -> None:
    names = [f"strategy-with-a-long-name-{i:02d}" for i in range(30)]
    matches = [random_match(a, b, 3, i) for i, a in enumerate(names) for b in names[i + 1 :]]
    folder = folder_of(make_run(names, matches), tmp_path / "run")
    text = html_text(build([folder]))
    assert len(text.encode()) < 2_000_000
    parsed(text)


def test_several_runs_in_one_file(tmp_path: Path) -> None:
    folders = [folder_of(random_run(["a", "b", "c"], 20, seed), tmp_path / f"run{seed}") for seed in (1, 2)]
    text = html_text(build(folders))
    document = parsed(text)
    rows = cells_of(document, "Score against the others")
    assert [row[0] for row in rows] and all(len(row) == 3 for row in rows)
    ids = re.findall(r'\bid="([^"]+)"', text)
    assert len(ids) == len(set(ids)) and {"run1-ranking", "run2-ranking"} <= set(ids)


def p_name(part: object) -> str:
    return getattr(part, "name", "ranking")


def test_png_pictures(tmp_path_factory: pytest.TempPathFactory) -> None:
    report = made("one pair", tmp_path_factory)[1]
    part = report.parts[0]
    sections = [Section(s.name, s.title, [p for p in s.parts if p_name(p) == "ranking"]) for s in part.sections]
    text = html_text(replace(report, parts=[replace(part, sections=sections)]), "png")
    assert text.count("data:image/png;base64,") == 1 and "<svg" not in text
    parsed(text)


def test_markdown(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder, report, _ = made("evil names", tmp_path_factory)
    plots = write_markdown(report, tmp_path / "my report.md")
    text = (tmp_path / "my report.md").read_text("utf-8")
    assert "<script>" not in text.replace("\\<script\\>", "").replace(read_summary(folder)["command"], "")
    links = re.findall(r"!\[[^\]]+\]\(([^)]+)\)", text)
    assert links and all((tmp_path / link.replace("%20", " ")).exists() for link in links)
    assert {path.suffix for path in plots.iterdir()} == {".svg"}
    for block in re.findall(r"(?:^\|.*\n)+", text, re.M):
        widths = {len(re.findall(r"(?<!\\)\|", line)) for line in block.strip().split("\n")}
        assert len(widths) == 1


def test_write_html_replaces_in_one_go(tmp_path: Path) -> None:
    target = tmp_path / "report.html"
    target.write_text("old")
    write_html(Report("nothing", []), target)
    assert target.read_text("utf-8").startswith("<!DOCTYPE html>") and not list(tmp_path.glob("*.part"))


def test_no_run(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no run folder"):
        build([tmp_path])


@pytest.mark.parametrize(("arguments", "words"), [
    (["report", "{here}"], "is no run folder"),
    (["report", "{here}/nowhere"], "is no run folder"),
    (["analyze", "{here}"], "is no run folder"),
    (["analyze", "{run}", "--by", "deal,floor"], "not all together"),
    (["analyze", "{run}", "--by", "deel"], "did you mean deal"),
    (["analyze", "{run}", "--by", "deal", "--measure", "points"], "counted a round"),
    (["analyze", "{run}", "--by", "deal", "--measure", "basra"], "did you mean basras"),
    (["analyze", "{run}", "--measure", "points"], "goes with --by"),
    (["analyze", "{run}", "--table", "basras"], "did you mean"),
])  # fmt: skip
def test_bad_input_is_one_line(tmp_path: Path, arguments: list[str], words: str) -> None:
    from click.testing import CliRunner

    from basra_sim.cli import cli

    folder = folder_of(random_run(["a", "b"], 20), tmp_path / "run")
    places = {"here": tmp_path, "run": folder}
    result = CliRunner().invoke(cli, [argument.format(**places) for argument in arguments])
    assert isinstance(result.exception, BadInput) and words in str(result.exception) and "\n" not in str(result.exception)


def test_analyze_prints_tables_csv_and_json(tmp_path: Path) -> None:
    import csv
    import io

    from click.testing import CliRunner

    from basra_sim.analysis.statistics.shares import GROUPS, VALUES
    from basra_sim.cli import cli

    folder = folder_of(random_run(["a", "b", "c"], 20), tmp_path / "run")
    text = CliRunner().invoke(cli, ["analyze", str(folder)], catch_exceptions=False).output
    text = " ".join(text.split())
    assert "Where the points come from" in text and "needs each round's points" in text and "nan" not in text.lower()
    rows = list(csv.DictReader(io.StringIO(CliRunner().invoke(cli, ["analyze", str(folder), "--format", "csv"]).output)))
    assert list(rows[0]) == ["table", *GROUPS, *VALUES]
    data = json.loads(CliRunner().invoke(cli, ["analyze", str(folder), "--format", "json"]).output)
    assert [t["name"] for t in data["tables"]] == list(dict.fromkeys(row["table"] for row in rows))
    assert sum(len(t["rows"]) for t in data["tables"]) == len(rows) and data["missing"]
    one = CliRunner().invoke(cli, ["analyze", str(folder), "--by", "strategy,role", "--measure", "points"]).output
    assert "leader" in one and "dealer" in one


def test_run_report(tmp_path: Path) -> None:
    """The option of `run`, as a user meets it, with no display at all."""
    command = [sys.executable, "-m", "basra_sim", "run", "first", "greedy", "-n", "40", "-s", "1", "--report", "-o", "out"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1].endswith("report.html")
    text = (tmp_path / "out" / "report.html").read_text("utf-8")
    parsed(text)
    assert re.search("greedy (almost certainly |very likely )?beats first", text)
