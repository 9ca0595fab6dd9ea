"""Every bundled sample log is what its line says, byte for byte, and gets the verdict that must come out."""

from __future__ import annotations

import gzip

import pytest

from basra_sim.shuffles.calibration.sample_logs import FOLDER, check, log_bytes, samples


@pytest.mark.parametrize("sample", samples(), ids=lambda sample: sample.name)
def test_sample_gets_its_verdict(sample):
    as_expected, verdict, told = check(sample)
    assert verdict == sample.expect
    assert as_expected, told


@pytest.mark.parametrize("sample", samples(), ids=lambda sample: sample.name)
def test_sample_is_made_again_byte_for_byte(sample):
    # compared unpacked: another zlib may pack the same decks otherwise
    assert gzip.decompress(sample.path.read_bytes()) == gzip.decompress(log_bytes(sample))


def test_no_stray_sample():
    assert {path.name for path in FOLDER.iterdir()} == {sample.file for sample in samples()}
