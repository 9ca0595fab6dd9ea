"""Reports from verbs leave the process as it was."""

from __future__ import annotations

import gc

import pytest

from basra_sim.cli.report_files import collecting_rarely


def test_garbage_is_looked_for_as_before_once_the_report_is_made() -> None:
    """Otherwise whoever makes reports and goes on would keep what refers to itself in a circle."""
    before, frozen = gc.get_threshold(), gc.get_freeze_count()
    with pytest.raises(ValueError, match="stopped"), collecting_rarely():
        assert gc.get_threshold() != before
        raise ValueError("stopped")
    assert gc.get_threshold() == before and gc.get_freeze_count() <= frozen
