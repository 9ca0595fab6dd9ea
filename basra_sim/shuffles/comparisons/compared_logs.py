"""Reads what `shuffle compare` compares: two logs, or one log split by a column."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from basra_sim.errors import BadInput
from basra_sim.shuffles.battery.tally import Tallier, Tally, tally
from basra_sim.shuffles.generators.built_in_shuffles import Generator
from basra_sim.shuffles.logs import read_decks

from .change_point import ChangeFinder, ChangePoint
from .two_samples import Comparison, compare

ALGO_DECKS = 1000
MOST_PARTS = 12


def _counted(name: str, seed: int, form: str | None, mapping: str | None, deck_size: int) -> tuple[Tally, list[str], bool]:
    """(counts, what was read, are suits and ranks known) of a log, or of a built-in shuffle "algo:SPEC[,DECKS]"."""
    if name.startswith("algo:"):
        spec, _, decks = name[5:].rpartition(",")
        if not spec or not decks.isdigit():
            spec, decks = name[5:], str(ALGO_DECKS)
        generator = Generator(spec, seed, deck_size)
        return tally(generator.chunks(int(decks)), deck_size), [generator.describe()], deck_size == 52
    log = read_decks(name, format=form, mapping=mapping, deck_size=deck_size)
    return tally(log.chunks(), deck_size), log.describe(), deck_size == 52 and log.faces_known


def compare_two(a: str, b: str, *, form: str | None = None, mapping: str | None = None, deck_size: int = 52) -> Comparison:
    """Compare two logs by name. Raises BadInput for what cannot be read."""
    first = _counted(a, 1, form, mapping, deck_size)
    second = _counted(b, 2, form, mapping, deck_size)
    comparison = compare(first[0], second[0], (a, b), first[2] and second[2])
    comparison.read = first[1] + second[1]
    return comparison


def split_one(
    source: str, by: str | None, *, form: str | None = None, mapping: str | None = None, deck_size: int = 52
) -> tuple[list[Comparison], ChangePoint | None]:
    """Split a log by a column: each value against all others (at most 12 values), and the likeliest change along it.

    by None: only the change is looked for. Raises BadInput for a column that is not there or has one value.
    """
    log = read_decks(source, format=form, mapping=mapping, deck_size=deck_size, by=by)
    order = np.arange(deck_size, dtype=np.uint8)
    finder = ChangeFinder(deck_size, order)
    parts: dict[str, Tallier] = {}
    for decks, labels in log.labelled_chunks():
        finder.add(decks, labels)
        if by is None:
            continue
        if labels is None:
            raise BadInput(f"{source} has no column '{by}'")
        for value, rows in _by_value(labels):
            if value in parts or len(parts) <= MOST_PARTS:
                parts.setdefault(value, Tallier(deck_size, order, 1)).add(np.ascontiguousarray(decks[rows]))
    if by is None:
        return [], finder.best()
    if len(parts) < 2:
        raise BadInput(f"column '{by}' of {source} has one value only; nothing to compare")
    if len(parts) > MOST_PARTS:
        return [], finder.best()
    comparisons = _each_and_the_others({value: part.finish() for value, part in parts.items()}, log.faces_known)
    comparisons[0].read = [*log.describe(), f"column {by}: {len(parts)} values"]
    return comparisons, finder.best()


def _each_and_the_others(counted: dict[str, Tally], faces_known: bool) -> list[Comparison]:
    """Each part against all others together; of two parts one against the other."""
    comparisons = []
    for value, counts in list(counted.items())[: 1 if len(counted) == 2 else None]:
        others = Tally(counts.n, counts.order)
        for name, other in counted.items():
            if name != value:
                others.absorb(other)
        rest = next(v for v in counted if v != value) if len(counted) == 2 else "the others"
        comparisons.append(compare(counts, others, (value, rest), counts.n == 52 and faces_known))
    return comparisons


def _by_value(labels: list[str]) -> Iterator[tuple[str, np.ndarray]]:
    """Each value of a column with the rows that have it, in order of first appearance."""
    column = np.array(labels, dtype=object)
    for value in dict.fromkeys(labels):
        yield value, np.flatnonzero(column == value)
