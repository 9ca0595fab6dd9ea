"""Columns of Parquet files out of arrays and back, without pandas; and the format version that each file carries."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from .counters import FORMAT_VERSION


def file_metadata(holds: str) -> dict[str, str]:
    """What a Parquet file says of itself."""
    return {"basra_sim": holds, "format_version": str(FORMAT_VERSION)}


def schema_of(columns: Sequence[tuple[str, pa.DataType]], holds: str) -> pa.Schema:
    """A schema without nulls (that saves a tenth of the time) and with the format version in its metadata."""
    return pa.schema([pa.field(name, kind, nullable=False) for name, kind in columns], metadata=file_metadata(holds))


def numbers(values: np.ndarray, known: np.ndarray | None = None) -> pa.Array:
    """A column of integers, null where not `known` (bool). Shares the memory of `values`.

    pa.array would ask pandas whether this is one of its own, and so load it: 40 MB and a third of a second.
    """
    nulls = None if known is None else pa.py_buffer(np.packbits(known, bitorder="little"))
    return pa.Array.from_buffers(pa.from_numpy_dtype(values.dtype), len(values), [nulls, pa.py_buffer(values)])


def words(texts: Sequence[str]) -> pa.Array:
    """A column of texts, without pandas as above."""
    parts = [text.encode() for text in texts]
    ends = np.cumsum([0, *map(len, parts)], dtype=np.int32)
    return pa.StringArray.from_buffers(len(parts), pa.py_buffer(ends), pa.py_buffer(b"".join(parts)))


def _dictionary(column: pa.ChunkedArray) -> pa.DictionaryArray:
    """A column of words in one piece."""
    whole = column.combine_chunks()
    return whole if isinstance(whole, pa.DictionaryArray) else whole.chunk(0)


def integers(column: pa.ChunkedArray) -> np.ndarray:
    """A column as int64, words as their places in the dictionary, null as -1."""
    places = _dictionary(column).indices if pa.types.is_dictionary(column.type) else column
    return np.asarray(places.fill_null(-1)).astype(np.int64)


def word_places(column: pa.ChunkedArray) -> tuple[np.ndarray, list[str]]:
    """The places of a column's words in its dictionary, and the dictionary."""
    whole = _dictionary(column)
    return whole.indices.to_numpy(zero_copy_only=False), whole.dictionary.to_pylist()
