"""The packs of a run folder as a source of decks: dealt again from the run's seed, nothing is stored."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from basra_sim.engine.redealt import packs_of
from basra_sim.errors import BadInput
from basra_sim.records.run_folder import read_manifest

CHUNK = 16_384


class RunPacks:
    """The first pack of every game pair of a run, in order; more may be asked for than were played.

    Raises BadInput for a folder that holds no run, or one that was played with packs from a file.
    """

    def __init__(self, folder: str, decks: int | None = None) -> None:
        manifest = read_manifest(Path(folder))
        if manifest["unit"] == "packs":
            raise BadInput(f"{folder} was played with packs from a file; test that file")
        self.folder, self.seed = folder, int(manifest["seed"])
        self.pairs = (int(manifest["games_per_match"]) + 1) // 2
        self.decks = self.pairs if decks is None else decks

    def chunks(self) -> Iterator[np.ndarray]:
        """uint8 (m, 52) arrays."""
        for first in range(0, self.decks, CHUNK):
            pairs = np.arange(first, min(first + CHUNK, self.decks))
            yield packs_of(self.seed, pairs, np.zeros(len(pairs), dtype=np.int64))

    def describe(self) -> list[str]:
        """What is tested, in words."""
        lines = [f"the run {self.folder}: the first pack of each game pair, as shuffled, from seed {self.seed}"]
        lines.append(f"{self.decks:,} decks of 52 cards")
        if self.decks > self.pairs:
            lines.append(f"the run has {self.pairs:,} game pairs; the packs after them are those that more pairs would be dealt")
        return lines
