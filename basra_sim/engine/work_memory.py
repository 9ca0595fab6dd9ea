"""A side's large room for search trees and tables: words of 64 bits beside its desk, where the slate is too small.

Compiled, what was written stays there until the worker ends: whoever reads it must know that it is his own of this decision, or
that it holds whatever was played before. In plain Python each decision gets an empty one.
"""

from __future__ import annotations

from typing import Any

from .jit.compiling import JIT_ON, overload
from .jit.instructions import put_word, word
from .layouts import ANNEX_BYTES, desk_at

WORDS = ANNEX_BYTES // 8


class _Annex(dict[int, int]):
    """The twin of the words: those never written are 0."""

    def __missing__(self, place: int) -> int:
        return 0


def annex_of(view: Any) -> Any:
    """The room of the side whose view it is."""
    return _Annex()


def put(annex: Any, place: int, number: int) -> None:
    """Write a whole number, places 0..WORDS - 1."""
    annex[place] = number


def got(annex: Any, place: int) -> int:
    """Read it again."""
    number: int = annex[place]
    return number


if JIT_ON:

    @overload(annex_of)
    def _typed_annex_of(view):
        return lambda view: desk_at(view.rng).annex

    @overload(put)
    def _typed_put(annex, place, number):
        def written(annex, place, number):
            put_word(annex, place, number)

        return written

    @overload(got)
    def _typed_got(annex, place):
        return lambda annex, place: word(annex, place)
