"""When a match ends before its games are played: a sequential test, or an interval that is narrow enough. Knows no engine."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from basra_sim.analysis.statistics.sequential import Sprt, anytime_interval
from basra_sim.errors import BadInput

from .run_settings import Settings


class Watcher:
    """Stops a match when its test is decided or its interval is narrow enough, looking at fixed numbers of pairs.

    The looks depend on the number of pairs alone, so the answer is the same whatever order chunks finish in.
    """

    def __init__(self, sprt: Sprt | None, until: float | None) -> None:
        self.sprt, self.until = sprt, until

    def __bool__(self) -> bool:
        return self.sprt is not None or self.until is not None

    @staticmethod
    def next_look(pairs: int) -> int:
        """The number of pairs at which to look next: every 32, and later every 32nd part."""
        step = max(32, pairs // 1024 * 32)
        return (pairs // step + 1) * step

    def is_done(self, counts: Sequence[int]) -> bool:
        """Whether there is nothing more to play for."""
        if self.sprt is not None and self.sprt.verdict(counts) is not None:
            return True
        if self.until is not None:
            half = anytime_interval(counts).half
            return half is not None and half <= self.until
        return False

    def has_ended(self, counts: Sequence[int]) -> bool:
        """Whether a match with these pairs, and no more, was ended here: it was looked at just now, and done."""
        pairs = sum(counts)
        return bool(self) and pairs > 0 and self.next_look(pairs - 1) == pairs and self.is_done(counts)

    def cut(self, before: np.ndarray, games: np.ndarray) -> int | None:
        """How many of these pairs (GAME_DTYPE (pairs, 2)) are still played, or None if the match goes on after them."""
        half_points = np.array([2, 0, 1])[games["winner"]].sum(axis=1)
        start = int(before.sum())
        look = self.next_look(start)
        while look <= start + len(games):
            counts = before + np.bincount(half_points[: look - start], minlength=5)
            if self.is_done([int(c) for c in counts]):
                return look - start
            look = self.next_look(look)
        return None


def read_sprt(text: str) -> Sprt:
    """ "elo0=0,elo1=5[,alpha=.05,beta=.05]"; BadInput says what is wrong with it."""
    form = "write --sprt elo0=0,elo1=5[,alpha=.05,beta=.05]"
    values: dict[str, float] = {}
    for part in text.split(","):
        name, equals, number = (word.strip() for word in part.partition("="))
        if not equals or name not in ("elo0", "elo1", "alpha", "beta") or name in values:
            raise BadInput(f"--sprt {text}: '{part}' is no part of it; {form}")
        try:
            values[name] = float(number)
        except ValueError:
            raise BadInput(f"--sprt {text}: '{number}' is no number; {form}") from None
    if not {"elo0", "elo1"} <= set(values):
        raise BadInput(f"--sprt {text}: elo0 and elo1 are needed; {form}")
    test = Sprt(**values)
    if not -1000 <= test.elo0 < test.elo1 <= 1000:
        raise BadInput(f"--sprt {text}: elo0 must be below elo1, both from -1000 to 1000; {form}")
    if not (0 < test.alpha < 0.5 and 0 < test.beta < 0.5):
        raise BadInput(f"--sprt {text}: alpha and beta must lie between 0 and 0.5; {form}")
    return test


def read_until(text: str) -> float:
    """ "±0.2%", "+-0.2%" or "0.2%": the half-width of the interval of the score; as a share. BadInput if it is none."""
    number = text.strip().removeprefix("±").removeprefix("+-").removeprefix("+/-").strip()
    try:
        value = float(number.removesuffix("%"))
    except ValueError:
        value = -1.0
    if number.endswith("%"):
        value /= 100
    if not 1e-5 <= value < 0.5:
        raise BadInput(f"--until {text}: give the half-width of the interval in percent of games, such as 0.2%")
    return value


def make_watcher(settings: Settings) -> Watcher:
    """What ends a match early, from --sprt and --until; BadInput says what is wrong with them."""
    sprt = read_sprt(settings.sprt) if settings.sprt is not None else None
    until = read_until(settings.until) if settings.until is not None else None
    if sprt is not None and until is not None:
        raise BadInput("--sprt and --until both say when to stop: give one of them")
    if (sprt is not None or until is not None) and settings.tournament not in ("round-robin", "gauntlet"):
        option = "--sprt" if sprt else "--until"
        raise BadInput(f"{option} goes with a round robin or a gauntlet, not with --tournament {settings.tournament}")
    return Watcher(sprt, until)
