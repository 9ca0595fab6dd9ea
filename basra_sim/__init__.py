"""Reference simulator and strategy laboratory for Egyptian Basra (Al-Komi, Ash El Walad).

>>> from basra_sim import play
>>> result = play("greedy", "random", games=2000, seed=1)
>>> result.match("greedy", "random")["wins_a"] + result.match("greedy", "random")["wins_b"]
2000
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .version import __version__ as __version__

if TYPE_CHECKING:
    from .api import Result, play
    from .errors import BadInput, BasraError, StrategyFault
    from .game.rule_files import load_rules
    from .game.rules import PRESETS, RuleSet

_HOMES = {
    "play": "api", "Result": "api", "BadInput": "errors", "BasraError": "errors", "StrategyFault": "errors",
    "PRESETS": "game.rules", "RuleSet": "game.rules", "load_rules": "game.rule_files",
}  # fmt: skip

__all__ = ["PRESETS", "BadInput", "BasraError", "Result", "RuleSet", "StrategyFault", "__version__", "load_rules", "play"]


def __getattr__(name: str) -> Any:
    """Public names are imported on use: `import basra_sim` costs nothing."""
    if name in _HOMES:
        import importlib

        return getattr(importlib.import_module(f"basra_sim.{_HOMES[name]}"), name)
    if name == "notation":
        from .game import notation

        return notation
    raise AttributeError(f"module 'basra_sim' has no attribute '{name}'")
