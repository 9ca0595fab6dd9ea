"""What each card of a position is worth, as `basra-sim explain` tells it."""

from __future__ import annotations

import json

from click.testing import CliRunner

from basra_sim.cli.learn_verbs.explain_verb import explain

GOOD = "hand: 7d Jc; floor: 5c; unseen: 2c Kh; deal: 5; piles: 23 24; leading: yes"


def test_explain():
    result = CliRunner().invoke(explain, [GOOD, "--strategy", "greedy", "--strategy", "tuned-endgame"])
    assert result.exit_code == 0, result.output
    assert "regret" in result.output and "7d is played by greedy" in result.output
    result = CliRunner().invoke(explain, [GOOD, "--format", "json", "--strategy", "greedy"])
    content = json.loads(result.output)
    assert {choice["card"] for choice in content["choices"]} == {"7d", "Jc"}
    assert min(choice["regret_points"] for choice in content["choices"]) == 0
