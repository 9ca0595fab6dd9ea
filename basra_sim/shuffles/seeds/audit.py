"""An audit of the generator behind a log that is one's own: repeated decks, lags, and the seed itself where it can be found."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from basra_sim.errors import BadInput
from basra_sim.shuffles.generators.deck_orders import parse_order, usual_orders

from .seed_models import BOUNDS, MODELS, deal, java_run, java_state_of
from .seed_search import Hit, Progress, Tried, make_table, ranges_after, search, seed_meaning, seed_ranges

MOST_HASHED = 20_000_000  # decks whose hashes are kept (16 bytes each)
MOST_KEPT = 200_000  # decks kept whole for the lags
PREFIX = 10  # cards; a chance of 1 in 5.7e16 a pair
MOST_LAGS = 64
FOLLOWED = 3  # decks after the first hit whose seeds are looked for too


@dataclass(frozen=True)
class Repeats:
    """Pairs of equal decks (or openings), and what they say about the number of seeds.

    bits, low_bits, high_bits: log2 of the seed space if seeds were drawn at random (birthday estimate, exact 95 %
    Poisson interval of the pairs); high is infinite and bits None without a repeat.
    """

    decks: int
    distinct: int
    pairs: int
    expected: float
    lag: int | None
    lag_share: float
    bits: float | None
    low_bits: float
    high_bits: float | None


@dataclass(frozen=True)
class LagFinding:
    """One lag: equal places (mean 1 a pair) and correlation of place-by-place cards; z and Holm-adjusted p."""

    lag: int
    matches: float
    z_matches: float
    z_correlation: float
    p: float


@dataclass
class Audit:
    """All that `shuffle seeds` found; `found` means a seed, or repeats or lags that chance does not explain."""

    decks: int
    repeats: Repeats
    openings: Repeats
    lags: list[LagFinding]
    tried: list[Tried] = field(default_factory=list)
    hits: list[Hit] = field(default_factory=list)
    stream: str = ""
    hypotheses: int = 0

    @property
    def found(self) -> bool:
        """Whether anything was found that a good generator does not show."""
        return bool(self.hits or self.repeats.pairs or self.openings.pairs > 3 + 10 * self.openings.expected or self.odd_lags())

    def odd_lags(self) -> list[LagFinding]:
        """Lags with an adjusted p below 0.001."""
        return [lag for lag in self.lags if lag.p < 0.001]

    def as_dict(self) -> dict[str, Any]:
        """For --json."""
        return {
            "decks": self.decks,
            "found": self.found,
            "repeats": asdict(self.repeats),
            "openings": asdict(self.openings),
            "lags": [asdict(lag) for lag in self.lags],
            "searches": [
                {
                    "generator": t.model.name,
                    "seeds": t.seeds,
                    "range": t.what,
                    "hypotheses": t.hypotheses,
                    "seconds": round(t.seconds, 2),
                    "hits": len(t.hits),
                }
                for t in self.tried
            ],
            "seeds": [
                {
                    "generator": h.model.name,
                    "bits": h.model.bits,
                    "seed": h.seed,
                    "meaning": seed_meaning(h),
                    "deck": h.deck,
                    "how": h.hypothesis.words(),
                }
                for h in self.hits
            ],
            "stream": self.stream,
        }


def hash_decks(decks: np.ndarray) -> np.ndarray:
    """uint64 (n,): a hash of each row; the chance of a false pair is 2^-64 each."""
    result = np.full(len(decks), 0x9E3779B97F4A7C15, dtype=np.uint64)
    wide = np.zeros((len(decks), -(-decks.shape[1] // 8) * 8), dtype=np.uint8)
    wide[:, : decks.shape[1]] = decks
    for word in wide.view(np.uint64).T:
        result = (result ^ word) * np.uint64(0xBF58476D1CE4E5B9)
        result ^= result >> np.uint64(29)
        result *= np.uint64(0x94D049BB133111EB)
        result ^= result >> np.uint64(32)
    return result


def count_repeats(hashes: np.ndarray, chance: float) -> Repeats:
    """Pairs of equal hashes. chance: of a pair being equal by luck in perfect shuffles."""
    from scipy.stats import chi2  # here and in lag_table: 1.5 s, which a wrong option or log should not cost

    n = len(hashes)
    order = np.argsort(hashes, kind="stable")
    ordered = hashes[order]
    starts = np.flatnonzero(np.r_[True, ordered[1:] != ordered[:-1]])
    sizes = np.diff(np.r_[starts, n])
    pairs = int((sizes * (sizes - 1) // 2).sum())
    lag, share = _commonest_lag(order, ordered)
    possible = n * (n - 1) / 2
    low_pairs = chi2.ppf(0.025, 2 * pairs) / 2 if pairs else 0.0
    high_pairs = chi2.ppf(0.975 if pairs else 0.95, 2 * pairs + 2) / 2

    def bits(count: float) -> float:
        return float(np.log2(max(possible, 1.0) / count))

    return Repeats(
        decks=n,
        distinct=len(starts),
        pairs=pairs,
        expected=possible * chance,
        lag=lag,
        lag_share=share,
        bits=bits(pairs) if pairs else None,
        low_bits=max(0.0, bits(high_pairs)),
        high_bits=bits(low_pairs) if pairs else None,
    )


def _commonest_lag(order: np.ndarray, ordered: np.ndarray) -> tuple[int | None, float]:
    """The distance at which decks repeat most (neighbouring members of a group), and its share of the repeats."""
    same = ordered[1:] == ordered[:-1]
    if not same.any():
        return None, 0.0
    gaps = (order[1:] - order[:-1])[same]
    values, counts = np.unique(gaps, return_counts=True)
    best = int(np.argmax(counts))
    return int(values[best]), float(counts[best] / len(gaps))


def lag_table(decks: np.ndarray, most: int = MOST_LAGS) -> list[LagFinding]:
    """Dependence of each deck on the one `lag` before it, for lags 1..most; p adjusted over all of them by Holm.

    For independent fair decks of n cards the number of places that agree has mean 1 and variance 1, and
    sum_i (a_i - m)(b_i - m) has mean 0 and variance (sum_i (i - m)^2)^2 / (n - 1): the permutation law, exact.
    """
    from scipy.stats import norm

    count, n = decks.shape
    centred = decks.astype(np.float32) - np.float32((n - 1) / 2)
    spread = (n * (n * n - 1) / 12) / np.sqrt(n - 1)
    rows = []
    for lag in range(1, min(most, count - 1) + 1):
        pairs = count - lag
        equal = int(np.count_nonzero(decks[lag:] == decks[:-lag]))
        z_equal = (equal - pairs) / np.sqrt(pairs)
        product = float(np.einsum("ij,ij->", centred[lag:], centred[:-lag], dtype=np.float64))
        rows.append((lag, equal / pairs, float(z_equal), product / (spread * np.sqrt(pairs))))
    values = [min(1.0, 2 * 2 * norm.sf(max(abs(row[2]), abs(row[3])))) for row in rows]
    return [LagFinding(*row, p) for row, p in zip(rows, _holm(values), strict=True)]


def _holm(values: list[float]) -> list[float]:
    order = np.argsort(values)
    adjusted, worst = [0.0] * len(values), 0.0
    for rank, index in enumerate(order):
        worst = max(worst, min(1.0, values[index] * (len(values) - rank)))
        adjusted[index] = worst
    return adjusted


def collect(chunks: Iterable[np.ndarray]) -> tuple[np.ndarray, np.ndarray, np.ndarray, int]:
    """(the first decks whole, hashes of decks, hashes of openings, decks in all)."""
    kept: list[np.ndarray] = []
    hashes: list[np.ndarray] = []
    openings: list[np.ndarray] = []
    count = whole = 0
    for decks in chunks:
        if whole < MOST_KEPT:
            kept.append(decks[: MOST_KEPT - whole].copy())
            whole += len(kept[-1])
        if count < MOST_HASHED:
            part = decks[: MOST_HASHED - count]
            hashes.append(hash_decks(part))
            openings.append(hash_decks(np.ascontiguousarray(part[:, :PREFIX])))
        count += len(decks)
    if not count:
        raise BadInput("no deck was read")
    return np.concatenate(kept), np.concatenate(hashes), np.concatenate(openings), count


def pair_chance(n: int, places: int) -> float:
    """That two fair decks of n agree in their first places."""
    chance = 1.0
    for i in range(min(places, n)):
        chance /= n - i
    return chance


def audit(
    chunks: Iterable[np.ndarray],
    *,
    generators: list[str] | None = None,
    seeds: str = "usual",
    start: str | None = None,
    faces_known: bool = True,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Audit:
    """Repeats, lags and seeds of a log.

    generators: names of seed_models.MODELS to search (None: all; []: none). start: one start order as in
    deck_orders.parse_order, or None for the usual ones. faces_known: False limits the orders to 0..51 as numbered.
    Raises BadInput for an unknown generator or order.
    """
    names = list(MODELS) if generators is None else generators
    for name in names:
        if name not in MODELS:
            raise BadInput(f"no generator '{name}'; there are {', '.join(MODELS)}")
        seed_ranges(seeds, MODELS[name])
    orders = _orders(start, faces_known)
    kept, hashes, openings, count = collect(chunks)
    n = kept.shape[1]
    result = Audit(
        count,
        count_repeats(hashes, pair_chance(n, n)),
        count_repeats(openings, pair_chance(n, PREFIX)),
        lag_table(kept) if len(kept) > 1 else [],
    )
    if n == 52 and names:
        _search_all(result, kept, names, seeds, orders, workers, progress)
    return result


def _orders(start: str | None, faces_known: bool) -> dict[str, np.ndarray]:
    if start is not None:
        return {start: parse_order(start)}
    if not faces_known:
        return {"0..51 as numbered": np.arange(52, dtype=np.uint8)}
    return usual_orders()


def _search_all(
    result: Audit,
    kept: np.ndarray,
    names: list[str],
    seeds: str,
    orders: dict[str, np.ndarray],
    workers: int | None,
    progress: Progress | None,
) -> None:
    """The first deck from the usual orders and the second from the first, in one pass; stops at the generator that fits."""
    parts = [(kept[0], orders)]
    if len(kept) > 1:
        parts.append((kept[1], {"the deck before": kept[0]}))
    table = make_table(*parts)
    result.hypotheses = len(table.hypotheses)
    for name in names:
        tried = search(table, MODELS[name], seeds, workers, _told(progress, name))
        result.tried.append(tried)
        if tried.hits:
            _follow(result, kept, tried.hits[0], seeds, workers, progress)
            return


def _told(progress: Progress | None, name: str) -> Progress | None:
    if progress is None:
        return None
    told = progress
    return lambda share, words: told(share, f"{name}: {words}")


def next_deck(hit: Hit, deck: np.ndarray) -> list[int]:
    """What the generator's next draws make, if it ran on after this deck (from the same start order)."""
    order = list(deck) if hit.hypothesis.order == "the deck before" else hit.hypothesis.start
    if hit.model.family == "java":
        _, state = java_run(java_state_of(hit.seed), BOUNDS)
        draws = java_run(state, BOUNDS)[0]
    else:
        draws = hit.model.draws(hit.seed, BOUNDS + BOUNDS)[len(BOUNDS) :]
    made = deal(draws, order, hit.hypothesis.upwards)
    return made[::-1] if hit.hypothesis.reversed else made


def _follow(result: Audit, kept: np.ndarray, hit: Hit, seeds: str, workers: int | None, progress: Progress | None) -> None:
    """Whether one generator ran on to the next deck; if not, the seeds of the next few decks, for their pattern."""
    result.hits.append(hit)
    if hit.deck + 1 < len(kept) and next_deck(hit, kept[hit.deck]) == kept[hit.deck + 1].tolist():
        result.stream = "seeded once: the next deck follows from the same stream, so every later deck is known"
        return
    for number in range(hit.deck + 1, min(hit.deck + 1 + FOLLOWED, len(kept))):
        order = kept[number - 1] if hit.hypothesis.order == "the deck before" else np.array(hit.hypothesis.start)
        table = make_table((kept[number], {hit.hypothesis.order: order}))
        told = _told(progress, f"{hit.model.name}, deck {number + 1}")
        found: list[Hit] = []
        for ranges in ranges_after(hit.model, result.hits[-1].seed, seeds):
            found = search(table, hit.model, ranges, workers, told).hits
            if found:
                break
        found = [h for h in found if h.hypothesis.upwards == hit.hypothesis.upwards] or found
        if not found:
            break
        result.hits.append(Hit(found[0].model, found[0].seed, found[0].hypothesis, number))
    result.stream = _pattern([h.seed for h in result.hits])


def _pattern(seeds: list[int]) -> str:
    """What the seeds of successive decks look like."""
    if len(seeds) < 2:
        return "only one deck's seed was found"
    steps = np.diff(np.array(seeds, dtype=object)).tolist()
    if all(step == steps[0] for step in steps):
        return f"seeded anew for every deck, each seed {steps[0]:+,} from the one before"
    if all(0 <= step < 100_000_000 for step in steps):
        return f"seeded anew for every deck by something that grows, {min(steps):,} to {max(steps):,} between decks: a clock"
    return "seeded anew for every deck"
