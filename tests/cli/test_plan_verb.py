"""`basra-sim plan`: a pilot, and the games that follow from it."""

from __future__ import annotations

import json

from click.testing import CliRunner

from basra_sim.cli import cli
from basra_sim.errors import BadInput


def test_the_verb_plan():
    asked = ["plan", "greedy", "first", "--detect", "2%", "--pilot", "400", "--seed", "1"]
    result = CliRunner().invoke(cli, [*asked, "--format", "json"], standalone_mode=False)
    data = json.loads(result.output)
    assert data["detect"] == 0.02 and data["runs"][0]["games"] > 100 and data["runs"][0]["minutes"] > 0
    assert "--until 2%" in CliRunner().invoke(cli, asked, standalone_mode=False).output
    result = CliRunner().invoke(cli, ["plan", "greedy", "first", "--detect", "x"], standalone_mode=False)
    assert isinstance(result.exception, BadInput) and "--detect x" in str(result.exception)
