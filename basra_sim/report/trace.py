"""The live score of a match: how it closed in, with an interval that may be watched, from games.parquet."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from ..analysis.sequential import anytime_interval
from ..records import RunTotals
from .model import Picture

LOOKS = 24


def pair_half_points(path: Path, match: str, most: int | None = None) -> np.ndarray:
    """Half points (0..4) of the first named in each pair of a match, in schedule order; streams games.parquet."""
    import pyarrow.parquet as pq

    file = pq.ParquetFile(path)
    games: list[np.ndarray] = []
    seen = 0
    for group in range(file.num_row_groups):
        frame = file.read_row_group(group, columns=["match", "winner"]).to_pandas()
        winners = frame.loc[frame["match"] == match, "winner"].astype(str)
        if len(winners):
            games.append(winners.map({"a": 2, "b": 0, "draw": 1}).to_numpy(np.int8))
            seen += len(winners)
        elif games:
            break  # matches lie one after the other
        if most is not None and seen >= 2 * most:
            break
    half = np.concatenate(games) if games else np.zeros(0, np.int8)
    return half[: len(half) // 2 * 2].reshape(-1, 2).sum(axis=1)


def live_frame(half_points: np.ndarray, looks: int = LOOKS) -> pd.DataFrame:
    """pairs, value, low, high at about `looks` numbers of pairs: the score so far with its anytime interval."""
    many = len(half_points)
    places = np.unique(np.geomspace(min(10, many), many, looks).astype(int)) if many else np.zeros(0, int)
    rows = []
    for place in places:
        counts = np.bincount(half_points[:place], minlength=5)
        estimate = anytime_interval([int(c) for c in counts])
        rows.append({"pairs": int(place), "value": estimate.value, "low": estimate.low, "high": estimate.high})
    return pd.DataFrame(rows, columns=["pairs", "value", "low", "high"]).astype(float)


def live_score(run: RunTotals, summary: dict[str, Any], path: Path) -> Picture | None:
    """The picture for the match of the two best."""
    from .. import plots
    from .sections import _headline_match

    chosen = _headline_match(run, summary)
    if chosen is None:
        return None
    match = chosen[1]["match"]
    frame = live_frame(pair_half_points(path, match, most=1_000_000))
    if not len(frame):
        return None
    from ..plots.style import short

    draw = partial(plots.trace, frame, title=f"{short(match, 40)}: score so far", unit=f"score of {short(chosen[0].a)}")
    return Picture(
        "live",
        f"The score of {match} while pairs were played, with an interval that may be watched",
        f"{match}: the band holds the true score at every moment at once with 95 %, so it was harmless to look while it was "
        "played. It is wider than the interval of a fixed number of games.",
        draw,
    )
