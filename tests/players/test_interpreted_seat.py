"""No way along attributes leads from a view to the stock, the other hand or the packs' stream."""

from __future__ import annotations

import types
from typing import Any

import pytest

from basra_sim.engine.rule_numbers import RuleNumbers
from basra_sim.engine.sight import View
from basra_sim.engine.streams import _Stream
from basra_sim.engine.view_helpers import random_below
from basra_sim.game.rules import RuleSet
from basra_sim.players.interpreted_seat import InterpretedSeat, _DeskStream
from basra_sim.runs.running import raise_error, run

FOLLOWED = ("__dict__", "__self__", "__slots__")
PLAIN = (int, float, str, bytes, bool, type(None))


def referenced(thing: Any) -> list[Any]:
    """What an attribute, an item, a base or an owner of a thing is; code and classes are not followed."""
    if isinstance(thing, (*PLAIN, type, types.ModuleType, types.FunctionType, types.BuiltinFunctionType)):
        return []
    found = []
    for name in dir(thing):
        if name.startswith("_") and name not in FOLLOWED and (name.startswith("__") or name == "_abc_impl"):
            continue
        try:
            found.append(getattr(thing, name))
        except Exception:
            continue
    if isinstance(thing, dict):
        found += [*thing.keys(), *thing.values()]
    elif isinstance(thing, (tuple, list, set, frozenset)):
        found += list(thing)
    return found


def everything_from(start: Any) -> list[Any]:
    seen: dict[int, Any] = {}
    waiting = [start]
    while waiting:
        thing = waiting.pop()
        if id(thing) in seen:
            continue
        seen[id(thing)] = thing
        waiting += referenced(thing)
    return list(seen.values())


@pytest.fixture(scope="module")
def views() -> list[View]:
    kept = []

    def watch(view):
        kept.append(view)
        random_below(view.rng, 10)
        return (view.hand & -view.hand).bit_length() - 1

    raise_error(run([watch, "random"], games=2, seed=1))
    return kept


def test_only_plain_values_and_the_own_stream_are_within_reach(views):
    allowed = (View, RuleNumbers, RuleSet, _Stream, tuple, list, dict, *PLAIN)
    for thing in everything_from(views[5]):
        code = (type, types.FunctionType, types.BuiltinFunctionType, types.MethodType, types.MethodWrapperType)
        harmless = isinstance(thing, (*allowed, *code)) or type(thing).__name__ in ("CardPoints", "mappingproxy")
        assert harmless, f"{type(thing)} is within reach"
        if isinstance(thing, types.MethodType):
            assert not isinstance(thing.__self__, InterpretedSeat)


def test_no_memory_is_within_reach(views):
    for view in (views[0], views[-1]):
        for thing in everything_from(view):
            with pytest.raises(TypeError):
                if isinstance(thing, bytes):
                    raise TypeError
                memoryview(thing)


def test_the_stream_is_two_words_of_its_own(views):
    stream = views[0].rng
    assert type(stream) is _DeskStream
    assert list(vars(stream)) == ["_words"]
    assert [type(word) for word in stream._words] == [int, int]


def test_what_a_strategy_does_to_its_view_changes_nothing():
    """It may spoil its own stream, and nothing else."""

    def spoils(view):
        view.rng._words[0] = 1
        view.lookup.__dict__.pop("_hash", None)
        return (view.hand & -view.hand).bit_length() - 1

    spoilt, plain = (run([first, "random"], games=20, seed=1).totals.matches[0] for first in (spoils, "first"))
    assert spoilt.pair_sums == plain.pair_sums


def test_unseen_cards_are_never_told_apart(views):
    for view in views:
        assert view.seen & view.unseen == 0
        assert view.seen | view.unseen == (1 << 52) - 1
        assert view.hand & view.seen == view.hand
