"""Reference simulator and strategy laboratory for Egyptian Basra (Al-Komi, Ash El Walad). docs/api.md tells every name.

>>> import basra_sim
>>> result = basra_sim.run("greedy", "random", games=2000, seed=1)
>>> result.match("greedy", "random")["wins_a"] + result.match("greedy", "random")["wins_b"]
2000
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .version import __version__ as __version__

if TYPE_CHECKING:
    from .api import Result, load, run
    from .errors import BadInput, BasraError, StrategyFault
    from .game import notation
    from .game.rule_files import load_rules
    from .game.rules import PRESETS, RuleSet

__all__ = [
    "PRESETS", "BadInput", "BasraError", "Result", "RuleSet", "StrategyFault", "__version__", "load", "load_rules", "notation",
    "run",
]  # fmt: skip
_HOMES = {
    "run": "api", "load": "api", "Result": "api", "BadInput": "errors", "BasraError": "errors", "StrategyFault": "errors",
    "PRESETS": "game.rules", "RuleSet": "game.rules", "load_rules": "game.rule_files", "notation": "game",
    "play": "api",  # the name of `run` before 0.1.0, for notebooks that have it
}  # fmt: skip


def __getattr__(name: str) -> Any:
    """Public names are imported on use: `import basra_sim` costs nothing."""
    if name not in _HOMES:
        raise AttributeError(f"module 'basra_sim' has no attribute '{name}'")
    import importlib

    home = importlib.import_module(f"basra_sim.{_HOMES[name]}")
    return importlib.import_module(f"basra_sim.{_HOMES[name]}.{name}") if name == "notation" else getattr(home, name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
