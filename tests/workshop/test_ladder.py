"""The ladder: rungs in their order, exact where they must be."""

from __future__ import annotations

import json

from click.testing import CliRunner

from basra_sim.cli.learn_verbs.ladder_verb import ladder


def test_ladder(tmp_path, monkeypatch):
    monkeypatch.setattr("basra_sim.workshop.ladder.SIZES", {"quick": (40, 10, 20, 20), "full": (40, 10, 20, 20)})
    out = tmp_path / "ladder.json"
    result = CliRunner().invoke(ladder, ["greedy", "first", "tuned-endgame", "--jobs", "1", "--out", str(out), "--quiet"])
    assert result.exit_code == 0, result.output
    content = json.loads(out.read_text())
    assert [rung["strategy"] for rung in content["rungs"]] == ["first", "greedy", "tuned-endgame"]
    top = content["rungs"][-1]
    assert top["below"] == "greedy" and top["regret"] == 0 and top["share"] > 0.5
    assert content["rungs"][1]["share"] == 0.5  # greedy against itself mirrors exactly
    assert content["rules"] == "egyptian-v2" and content["version"]
