"""Run folders: naming, reading back, refusals in one line, `basra-sim runs`."""

from __future__ import annotations

import dataclasses
import datetime
import json

import pytest
from click.testing import CliRunner
from made_runs import random_run, same_totals

from basra_sim.analysis.tables.result_files import write_results
from basra_sim.cli.run_verbs.runs_verb import runs
from basra_sim.errors import BadInput
from basra_sim.records import run_folder as files

DAY = datetime.date(2026, 11, 30)


def one_line(error):
    assert "\n" not in str(error.value)
    return str(error.value)


def test_names_are_readable_and_never_collide(tmp_path):
    made = [files.new_run_folder(["random", "greedy"], 7, tmp_path, DAY).name for _ in range(3)]
    base = "2026-11-30-random-vs-greedy-seed7"
    assert made == [base, f"{base}-2", f"{base}-3"]
    assert files.folder_name(["a", "b", "c"], 1, DAY) == "2026-11-30-a-b-c-seed1"
    assert files.folder_name(list("abcdef"), 1, DAY) == "2026-11-30-a-b-and-4-more-seed1"
    strange = files.folder_name(["../x y:depth=3", "<ü>#2"], 1, DAY)
    assert strange == "2026-11-30-x-y-depth-3-vs-2-seed1"


def test_out_that_is_in_use_is_refused(tmp_path):
    new = files.prepare_folder(tmp_path / "deep" / "new")
    assert new.is_dir() and files.prepare_folder(new) == new  # empty: fine
    (new / "x").write_text("mine")
    with pytest.raises(BadInput) as error:
        files.prepare_folder(new)
    assert "exists and is not empty" in one_line(error)
    with pytest.raises(BadInput, match="is a file"):
        files.prepare_folder(new / "x")
    with pytest.raises(BadInput) as error:
        files.prepare_folder(new / "x" / "below")
    assert "--out" in one_line(error)


def test_a_run_comes_back_as_it_was(tmp_path):
    run = random_run(["p", "q", "r#2"], 30, notes=["a note"], complete=False)
    write_results(tmp_path, run, jobs=2)
    back = files.read_run(tmp_path)
    for field in dataclasses.fields(run):
        if field.name != "matches":
            assert getattr(back, field.name) == getattr(run, field.name), field.name
    assert all(same_totals(x, y) for x, y in zip(back.matches, run.matches, strict=True))
    assert sorted(p.name for p in tmp_path.iterdir()) == [
        "counts.parquet", "manifest.json", "matches.csv", "summary.json", "timing.json", "totals.json",
    ]  # fmt: skip
    assert json.loads((tmp_path / "timing.json").read_text())["jobs"] == 2
    assert files.read_summary(tmp_path)["seed"] == 7


def test_the_same_run_writes_the_same_bytes(tmp_path):
    for name, seconds in (("one", 1.0), ("two", 2.5)):
        (tmp_path / name).mkdir()
        write_results(tmp_path / name, random_run(["p", "q"], 25, seconds=seconds))
    for path in (tmp_path / "one").iterdir():
        same = path.read_bytes() == (tmp_path / "two" / path.name).read_bytes()
        assert same == (path.name not in ("summary.json", "timing.json")), path.name


def test_what_cannot_be_read_is_refused_in_one_line(tmp_path):
    with pytest.raises(BadInput) as error:
        files.read_run(tmp_path)
    assert "is no run folder" in one_line(error)
    write_results(tmp_path, random_run(["p", "q"], 10))
    manifest = json.loads((tmp_path / "manifest.json").read_text())
    for content, words in (
        (json.dumps(manifest | {"format_version": 99}), "format version 99"),
        ("{", "damaged"),
        ("[]", "no JSON object"),
        ('{"a": 1}', "no format version"),
        (json.dumps({k: v for k, v in manifest.items() if k != "seed"}), "'seed' is missing"),
    ):
        (tmp_path / "manifest.json").write_text(content)
        with pytest.raises(BadInput) as error:
            files.read_run(tmp_path)
        assert words in one_line(error)
    (tmp_path / "manifest.json").write_text(json.dumps(manifest))
    (tmp_path / "counts.parquet").write_bytes(b"PAR1 no more")
    with pytest.raises(BadInput) as error:
        files.read_run(tmp_path)
    assert "counts.parquet cannot be read" in one_line(error)


def test_runs_lists_what_is_there(tmp_path):
    for names in (["p", "q"], ["p", "q", "r"]):
        folder = files.new_run_folder(names, 7, tmp_path, DAY)
        write_results(folder, random_run(names, 10, complete=len(names) == 2))
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "manifest.json").write_text("{")
    (tmp_path / "else").mkdir()
    rows = files.list_runs(tmp_path)
    assert [row["problem"] is None for row in rows] == [True, True, False]
    text = CliRunner().invoke(runs, [str(tmp_path)]).output
    for words in ("20 games", "60 games", "complete", "stopped early", "unreadable", "damaged", "abababababab"):
        assert words in text
    listed = json.loads(CliRunner().invoke(runs, [str(tmp_path), "--format", "json"]).output)
    assert listed[0]["strategies"] == ["p", "q", "r"] and listed[0]["games"] == 60
    lines = CliRunner().invoke(runs, [str(tmp_path), "--format", "csv"]).output.splitlines()
    assert len(lines) == 4 and lines[0].startswith("folder,finished,strategies")
    empty = CliRunner().invoke(runs, [str(tmp_path / "else")])
    assert "No runs in" in empty.output and empty.exit_code == 0
    assert isinstance(CliRunner().invoke(runs, [str(tmp_path / "none")]).exception, BadInput)
