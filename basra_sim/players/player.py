"""A strategy made ready to play: compiled, or interpreted for a reason that the run says. Both give the same plays."""

from __future__ import annotations

import struct
import warnings
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from basra_sim.engine.jit.compiling import JIT_ON
from basra_sim.game.rules import RuleSet

from .compiled_strategy import compiled, why_not
from .strategy import Strategy


@dataclass
class Player:
    """A strategy made ready: `entry` is the compiled function, or None when it plays interpreted, for the given reason."""

    strategy: Strategy
    entry: Any
    reason: str

    @property
    def mode(self) -> str:
        """ "compiled" or "interpreted"."""
        return "compiled" if self.entry is not None else "interpreted"

    def under(self, rules: RuleSet) -> Player:
        """The same with the strategy's parameters for these rules."""
        return replace(self, strategy=self.strategy.under(rules)) if self.strategy.sections else self


def prepare(strategy: Strategy, interpret: bool = False, watched: bool = False) -> Player:
    """Compile a strategy where that can be done; otherwise say why it plays interpreted.

    `watched`: its desk says while it is at work (MARK_AT), as that of an interpreted one always does.
    """
    if interpret:
        return Player(strategy, None, "--interpret was given")
    if not JIT_ON:
        return Player(strategy, None, "NUMBA_DISABLE_JIT is set")
    if strategy.is_object:
        return Player(strategy, None, "it is an object that may remember; only a function choose(view) can be compiled")
    if strategy.module is None:
        return Player(strategy, None, "it is a Python function, not a file with a choose(view)")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what numba would rather have written differently is no concern of a run
            entry = compiled(strategy, watched)
    except Exception as error:  # numba raises many kinds; each of them means: not compilable
        return Player(strategy, None, why_not(error, strategy.path.name if strategy.path else "?"))
    return Player(strategy, entry, "")


def parameter_words(parameters: Any) -> np.ndarray:
    """Parameters as 64-bit words in their order: integers as they are, floats by their bits."""
    words = [struct.unpack("<q", struct.pack("<d" if isinstance(v, float) else "<q", v))[0] for v in parameters]
    return np.array(words or [0], np.int64)
