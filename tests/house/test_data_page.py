"""docs/data.md tells the truth: the files are there, the verbs and tests exist, and no file of data is left out."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "data.md").read_text("utf-8")
ROWS = [line.strip("| ").split(" | ") for line in PAGE.splitlines() if line.startswith("| `")]
BY_HAND = {"samples.toml", "shuffles.toml"}  # what a program reads and a hand wrote
MADE = {".json", ".xz", ".npz", ".gz", ".toml"}


def test_files_verbs_and_tests_exist():
    assert len(ROWS) >= 15
    makefile = (ROOT / "Makefile").read_text("utf-8")
    for file, verb, test, *_ in ROWS:
        assert list(ROOT.glob(file.strip("`"))), file
        assert re.search(rf"(?m)^{verb.strip('`').removeprefix('make ')}: ", makefile), f"{file}: no verb {verb}"
        for named in re.findall(r"`(tests/[^`]+)`", test):
            text = (ROOT / named).read_text("utf-8")
            assert "slow" not in test or "@pytest.mark.slow" in text, f"{file}: {named} has no slow test"


def test_no_file_of_data_is_left_out():
    told = {path for file, *_ in ROWS for path in ROOT.glob(file.strip("`"))}
    found = [path for room in ("basra_sim", "strategies") for path in (ROOT / room).rglob("*") if path.suffix in MADE]
    found += [path for path in (ROOT / "docs").iterdir() if path.suffix != ".md"]
    assert len(found) > 30
    assert [str(path.relative_to(ROOT)) for path in found if path not in told and path.name not in BY_HAND] == []
