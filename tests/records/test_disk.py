"""Files that are whole or not there, and JSON as it stands in them."""

from __future__ import annotations

import errno
import json
import os

import pytest

from basra_sim.errors import BasraError
from basra_sim.records.disk import json_text, write_json


def test_a_failed_write_leaves_the_old_file_and_no_rubbish(tmp_path, monkeypatch):
    path = tmp_path / "summary.json"
    write_json(path, {"old": 1})

    def full(handle):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(BasraError) as error:
        write_json(path, {"new": 2})
    assert "no space left" in str(error.value) and "--out" in str(error.value) and "\n" not in str(error.value)
    assert json.loads(path.read_text()) == {"old": 1}
    assert [p.name for p in tmp_path.iterdir()] == ["summary.json"]


def test_json_never_holds_a_nan():
    with pytest.raises(ValueError):
        json_text({"x": float("nan")})
