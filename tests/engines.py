"""The engines that the rule tests and the playthroughs judge, all called as `basra_sim.reference.play_round` is."""

from __future__ import annotations

from basra_sim.notation import Engine
from basra_sim.reference import play_round

ENGINES: dict[str, Engine] = {"reference": play_round}
