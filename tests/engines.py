"""The engines that the rule tests and the playthroughs judge, all called as `basra_sim.game.judge.play_round` is."""

from __future__ import annotations

from basra_sim.game.judge import play_round
from basra_sim.game.notation import Engine

ENGINES: dict[str, Engine] = {"reference": play_round}
