"""Every bundled sample log is what its line says, byte for byte, and gets the verdict that must come out."""

from __future__ import annotations

import gzip
import zlib

import pytest

from basra_sim.shuffles.calibration.sample_logs import FOLDER, check, log_bytes, samples

PACKED_WITH = "1.2.13"  # the zlib that the logs were packed with; another may pack the same decks otherwise


@pytest.mark.parametrize("sample", samples(), ids=lambda sample: sample.name)
def test_sample_gets_its_verdict(sample):
    as_expected, verdict, told = check(sample)
    assert verdict == sample.expect
    assert as_expected, told


@pytest.mark.parametrize("sample", samples(), ids=lambda sample: sample.name)
def test_sample_is_made_again_byte_for_byte(sample):
    made, shipped = log_bytes(sample), sample.path.read_bytes()
    assert gzip.decompress(made) == gzip.decompress(shipped), "if that was meant, run `make shuffle-samples`"
    assert made == shipped or zlib.ZLIB_RUNTIME_VERSION != PACKED_WITH


def test_no_stray_sample():
    assert {path.name for path in FOLDER.iterdir()} == {sample.file for sample in samples()}
