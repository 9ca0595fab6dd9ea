"""A file to be written is looked at before anything is done."""

from __future__ import annotations

from pathlib import Path

import pytest

from basra_sim.cli.shared_options import out_form
from basra_sim.errors import BadInput


def test_files_to_write_are_known_by_their_ends(tmp_path: Path) -> None:
    assert out_form(tmp_path / "x.HTML", ("html", "csv")) == "html"
    with pytest.raises(BadInput, match=r"must end with one of \.html, \.csv"):
        out_form(tmp_path / "x.pdf", ("html", "csv"))
    with pytest.raises(BadInput, match="there is no folder"):
        out_form(tmp_path / "no" / "x.csv", ("csv",))
