"""The live score of a match: how it closed in, with an interval that may be watched, from games.parquet."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow.parquet as pq

from basra_sim import plots
from basra_sim.analysis.statistics.sequential import Sprt, anytime_interval
from basra_sim.analysis.text.number_words import count, fixed, plural
from basra_sim.pages.page_parts import Grid, Picture, Progress, unheard
from basra_sim.plots.style import short
from basra_sim.records.counters import RunTotals

from .ranked_rows import headline_match

LOOKS = 24


HALF_POINTS = {"a": 2, "b": 0, "draw": 1}


def pair_half_points(path: Path, match: str, most: int | None = None, progress: Progress = unheard) -> np.ndarray:
    """Half points (0..4) of the first named in each pair of a match, in schedule order; streams games.parquet."""
    file = pq.ParquetFile(path)
    games: list[np.ndarray] = []
    seen = 0
    for group in range(file.num_row_groups):
        frame = file.read_row_group(group, columns=["match", "winner"]).to_pandas()
        winners = frame["winner"].cat
        half_points = np.array([HALF_POINTS[word] for word in winners.categories], np.int8)
        own = half_points[winners.codes.to_numpy()[(frame["match"] == match).to_numpy()]]
        if len(own):
            games.append(own)
            seen += len(own)
            progress(seen, min(file.metadata.num_rows, 2 * most if most else file.metadata.num_rows), "reading games")
        elif games:
            break  # matches lie one after the other
        if most is not None and seen >= 2 * most:
            break
    half = np.concatenate(games) if games else np.zeros(0, np.int8)
    return half[: len(half) // 2 * 2].reshape(-1, 2).sum(axis=1)


def live_frame(half_points: np.ndarray) -> pd.DataFrame:
    """pairs, value, low, high at about LOOKS numbers of pairs: the score so far with its anytime interval."""
    many = len(half_points)
    places = np.unique(np.geomspace(min(10, many), many, LOOKS).astype(int)) if many else np.zeros(0, int)
    rows = []
    for place in places:
        counts = np.bincount(half_points[:place], minlength=5)
        estimate = anytime_interval([int(c) for c in counts])
        rows.append({"pairs": int(place), "value": estimate.value, "low": estimate.low, "high": estimate.high})
    return pd.DataFrame(rows, columns=["pairs", "value", "low", "high"]).astype(float)


def ratio_frame(half_points: np.ndarray, test: Sprt) -> pd.DataFrame:
    """pairs, value: the log-likelihood ratio of a sequential test at about LOOKS numbers of pairs."""
    many = len(half_points)
    places = np.unique(np.linspace(min(4, many), many, LOOKS).astype(int)) if many else np.zeros(0, int)
    rows = [(int(n), test.ratio([int(c) for c in np.bincount(half_points[:n], minlength=5)])) for n in places]
    return pd.DataFrame(rows, columns=["pairs", "value"]).astype(float)


def sequential_grid(run: RunTotals) -> Grid | None:
    """How the sequential test of each match ended, for a run with one."""
    asked, tests = run.design.get("sprt"), run.design.get("tests") or []
    if not asked or not tests:
        return None
    one, other = f"{asked['elo0']:g}", f"{asked['elo1']:g}"
    words = {"elo0": f"{one} Elo accepted", "elo1": f"{other} Elo accepted", None: "not decided"}
    rows = [[t["match"], count(t["pairs"]), fixed(t["ratio"], 2), words.get(t["verdict"], "not decided")] for t in tests]
    caption = (
        f"Sequential test of {one} against {other} Elo: it stops at a log-likelihood ratio of {fixed(asked['lower'], 2)} "
        f"or {fixed(asked['upper'], 2, signed=True)}"
    )
    return Grid(caption, ["match", "pairs", "ratio", "verdict"], rows)


def live_score(run: RunTotals, summary: dict[str, Any], path: Path, progress: Progress = unheard) -> list[Picture]:
    """Pictures for the match of the two best: the score so far, and the sequential test if the run had one."""
    chosen = headline_match(run, summary)
    if chosen is None:
        return []
    match = chosen[1]["match"]
    half_points = pair_half_points(path, match, 1_000_000, progress)
    if not len(half_points):
        return []
    frame = live_frame(half_points)
    draw = partial(plots.trace, frame, title=f"{short(match, 40)}: score so far", unit=f"score of {short(chosen[0].a)}")
    pictures = [Picture(
        "live", f"The score of {match} while pairs were played, with an interval that may be watched",
        f"{match}: the band holds the true score at every moment at once with 95 %, so it was harmless to look while it was "
        f"played. It is wider than the interval of a fixed number of games. {plural(len(half_points), 'pair')}.",
        draw)]  # fmt: skip
    asked = run.design.get("sprt")
    if asked:
        test = Sprt(asked["elo0"], asked["elo1"], asked["alpha"], asked["beta"])
        ratio = partial(plots.trace, ratio_frame(half_points, test), title=f"{short(match, 40)}: sequential test",
                        bounds=(test.lower, test.upper))  # fmt: skip
        pictures.append(Picture(
            "sprt", f"The log-likelihood ratio of the sequential test of {match} with its two bounds",
            f"{match}: the test stops when the line meets a bound; above is {asked['elo1']:g} Elo, below {asked['elo0']:g}. "
            f"{plural(len(half_points), 'pair')}.", ratio))  # fmt: skip
    return pictures
