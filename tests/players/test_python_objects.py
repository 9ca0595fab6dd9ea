"""Objects and classes as strategies: what is refused."""

from __future__ import annotations

import pytest

from basra_sim.errors import BadInput
from basra_sim.players.python_objects import from_object


def test_what_is_no_strategy():
    with pytest.raises(BadInput, match="it has no choose"):
        from_object(5)


def test_an_object_that_cannot_be_copied():
    import threading

    class Locked:
        def __init__(self):
            self.lock = threading.Lock()

        def choose(self, view):
            return 0

    with pytest.raises(BadInput, match=r"cannot be copied for each game .*; give its class instead"):
        from_object(Locked())
    assert from_object(Locked).is_object
