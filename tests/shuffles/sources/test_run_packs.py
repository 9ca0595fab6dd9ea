"""The packs of a run folder as a source of decks."""

from __future__ import annotations

import json

import numpy as np
import pytest
from click.testing import CliRunner

from basra_sim.cli.shuffle_verbs.shuffle_verb import shuffle
from basra_sim.engine.redealt import packs_of
from basra_sim.errors import BadInput
from basra_sim.shuffles.battery.outcomes import FOUND, judge
from basra_sim.shuffles.battery.tally import tally
from basra_sim.shuffles.sources.run_packs import RunPacks


def run_folder(folder, unit="game"):
    from basra_sim.records.disk import write_json

    folder.mkdir()
    write_json(folder / "manifest.json", {"format_version": 1, "seed": 7, "unit": unit, "games_per_match": 400})
    return str(folder)


def test_packs_of_a_run(tmp_path):
    folder = run_folder(tmp_path / "run")
    source = RunPacks(folder)
    decks = np.concatenate(list(source.chunks()))
    assert np.array_equal(decks, packs_of(7, np.arange(200), np.zeros(200, dtype=np.int64)))
    assert judge(tally([decks], 52)).verdict != FOUND
    tested = CliRunner().invoke(shuffle, ["test", folder, "-n", "3000", "--json"])
    assert tested.exit_code == 0 and json.loads(tested.output)["decks"] == 3000
    with pytest.raises(BadInput, match="packs from a file"):
        RunPacks(run_folder(tmp_path / "other", "packs"))
