"""How much more (or less) than a binomial count varies each count of plays: the table of docs/analysis.md.

    python tests/analysis/dispersion.py [CHUNKS]

Plays CHUNKS times ten game pairs of several matches and compares, over the chunks, the variance of each count with that of
as many independent trials. 1 is a binomial count; analyses use DISPERSION where plays of one round are added up.
"""

from __future__ import annotations

import sys

import numpy as np

from basra_sim.runs.preparing import plan_run
from basra_sim.runs.run_settings import Settings
from basra_sim.workers.threads import play

MATCHES = (("random", "greedy", "game"), ("greedy", "first", "game"), ("defensive", "greedy", "game"),
           ("defensive", "random", "round"), ("greedy", "greedy", "game"))  # fmt: skip
PAIRS = 10
LEAST = 200  # events in all: rarer counts say nothing
KINDS = {"lay": [0], "capture": [1], "sweep": [2], "basra": [3], "komi basra": [4], "jack basra": [5], "basras": [3, 4, 5],
         "captures": [1, 2, 3, 4, 5]}  # fmt: skip


def counted(a: str, b: str, unit: str, chunks: int) -> tuple[np.ndarray, np.ndarray]:
    """Plays (chunk, side, role, deal, ply, kind) and plays by floor and card (chunk, side, floor, card, kind)."""
    plan = plan_run([a, b], Settings(games=2 * PAIRS * chunks, seed=11, unit=unit)).plan
    parts = [chunk.totals for chunk in play(plan, chunk_pairs=PAIRS)]
    return np.array([t.plays for t in parts], float), np.array([t.faced for t in parts], float)


def dispersion(count: np.ndarray, of: np.ndarray) -> float | None:
    """Variance over chunks of a count given its trials, divided by the binomial one; None with too few events."""
    if count.sum() < LEAST or of.sum() - count.sum() < LEAST:
        return None
    share = count.sum() / of.sum()
    return float(((count - share * of) ** 2).mean() / (of * share * (1 - share)).mean())


def groups(plays: np.ndarray, faced: np.ndarray, kinds: list[int]) -> dict[str, list[float]]:
    """The dispersions of every group of each sort, of one side."""
    k, n = plays[..., kinds].sum(-1), plays.sum(-1)
    fk, fn = faced[..., kinds].sum(-1), faced.sum(-1)
    found = {
        "one ply of one deal": [dispersion(k[:, r, d, p], n[:, r, d, p]) for r in (0, 1) for d in range(6) for p in range(4)],
        "deal": [dispersion(k[:, :, d].sum((1, 2)), n[:, :, d].sum((1, 2))) for d in range(6)],
        "ply": [dispersion(k[:, r, :, p].sum(1), n[:, r, :, p].sum(1)) for r in (0, 1) for p in range(4)],
        "role": [dispersion(k[:, r].sum((1, 2)), n[:, r].sum((1, 2))) for r in (0, 1)],
        "all": [dispersion(k.sum((1, 2, 3)), n.sum((1, 2, 3)))],
        "floor size": [dispersion(fk[:, f].sum(1), fn[:, f].sum(1)) for f in range(24)],
        "card": [dispersion(fk[:, :, c].sum(1), fn[:, :, c].sum(1)) for c in range(14)],
        "floor and card": [dispersion(fk[:, f, c], fn[:, f, c]) for f in range(12) for c in range(14)],
    }
    return {name: [value for value in values if value is not None] for name, values in found.items()}


def measure(chunks: int) -> dict[str, list[float]]:
    """All dispersions of all matches, sides and kinds, by sort of group."""
    result: dict[str, list[float]] = {}
    for a, b, unit in MATCHES:
        plays, faced = counted(a, b, unit, chunks)
        for side in (0, 1):
            for kinds in KINDS.values():
                for name, values in groups(plays[:, side], faced[:, side], kinds).items():
                    result.setdefault(name, []).extend(values)
    return result


def main() -> None:
    chunks = int(sys.argv[1]) if len(sys.argv) > 1 else 4000
    print("| counts grouped by | counts | least | mean | largest |\n| --- | ---: | ---: | ---: | ---: |")
    for name, values in measure(chunks).items():
        print(f"| {name} | {len(values):,} | {min(values):.2f} | {np.mean(values):.2f} | {max(values):.2f} |")


if __name__ == "__main__":
    main()
