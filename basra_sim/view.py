"""What a strategy file imports: the view it is given, and the helpers that it may call. A public promise with a version."""

from __future__ import annotations

from basra_sim.engine.sight import *  # noqa: F403  the list is sight's __all__
from basra_sim.engine.sight import __all__ as __all__
