"""A run that is whole agrees, and what was changed in it is found."""

from __future__ import annotations

import json
import shutil

import pytest
from click.testing import CliRunner

from basra_sim.cli import cli
from basra_sim.errors import BadInput
from basra_sim.records.run_folder import read_run, write_totals
from basra_sim.runs.extending import extend
from basra_sim.runs.run_settings import Settings
from basra_sim.runs.running import run
from basra_sim.runs.verifying import verify


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("run") / "x"
    made.mkdir()
    run(["random", "first", "greedy"], Settings(games=1000, seed=2), folder=made)
    return made


def test_a_true_run_agrees(folder, tmp_path):
    found = verify(folder, whole=True)
    assert not found.wrong and found.replayed == found.games == 3000 and len(found.checked) == 6
    sample = verify(folder, seconds=0, seed=1)
    assert not sample.wrong and 0 < sample.replayed <= 128
    longer = tmp_path / "x"
    shutil.copytree(folder, longer)
    extend(longer, games=1500)
    assert not verify(longer, whole=True).wrong


@pytest.mark.parametrize("form", ["swiss", "adaptive", "knockout"])
def test_other_forms_agree_too(tmp_path, form):
    run(["random", "first", "greedy"], Settings(games=400, seed=2, tournament=form), folder=tmp_path)
    assert not verify(tmp_path, whole=True).wrong


def tampered(folder, tmp_path, change):
    copy = tmp_path / "copy"
    shutil.copytree(folder, copy)
    change(copy)
    return verify(copy, whole=True).wrong


def test_changed_tables_are_found(folder, tmp_path):
    def change(copy):
        path = copy / "matches.csv"
        path.write_text(path.read_text().replace("1000", "1002", 1))

    assert any("matches.csv" in line for line in tampered(folder, tmp_path, change))


def test_changed_counters_are_found(folder, tmp_path):
    def change(copy):
        made = read_run(copy)
        made.matches[0].winners[0, 0] += 1
        write_totals(copy, made)

    wrong = tampered(folder, tmp_path, change)
    assert any("add up" in line for line in wrong)


def test_changed_digests_are_found(folder, tmp_path):
    def change(copy):
        path = copy / "manifest.json"
        data = json.loads(path.read_text())
        data["matches"][1]["digest"] = "0" * 64
        path.write_text(json.dumps(data))

    assert any("differ" in line for line in tampered(folder, tmp_path, change))


def test_games_of_another_seed_are_found(folder, tmp_path):
    """Everything consistent, but the games are not those of the seed."""
    other = tmp_path / "other"
    other.mkdir()
    run(["random", "first", "greedy"], Settings(games=1000, seed=3), folder=other)

    def change(copy):
        for name in ("totals.json", "counts.parquet"):
            shutil.copy(other / name, copy / name)
        data, theirs = (json.loads((place / "manifest.json").read_text()) for place in (copy, other))
        data["matches"] = theirs["matches"]
        (copy / "manifest.json").write_text(json.dumps(data))

    assert tampered(folder, tmp_path, change)


def test_the_verb(folder):
    result = CliRunner().invoke(cli, ["verify", str(folder), "--seconds", "0", "-q"], standalone_mode=False)
    assert result.return_value == 0 and "everything checked agrees" in result.output
    result = CliRunner().invoke(cli, ["verify", str(folder), "--format", "json", "-q"], standalone_mode=False)
    assert json.loads(result.output)["agrees"] is True
    with pytest.raises(BadInput):
        verify(folder.parent)
