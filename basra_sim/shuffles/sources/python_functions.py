"""Decks from a Python function (`--py module:function`) that may mutate, return, ignore or copy its argument."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from basra_sim.errors import BadInput, nearest
from basra_sim.shuffles.generators.deck_orders import parse_order
from basra_sim.shuffles.logs.card_text import Vocabulary, normalise, rank_marks
from basra_sim.shuffles.logs.deck_log import Block, DeckLog, Findings
from basra_sim.shuffles.logs.deck_reader import BadDeck, CardReader, NumberReader

from .programs import SAME_AFTER, limited

Function = Callable[..., Any]


def load_function(target: str) -> Function:
    """The function of "module:function" or "file.py:function". Raises BadInput saying what is not there."""
    place, colon, name = target.rpartition(":")
    if not colon or not place or not name:
        raise BadInput(f"'{target}' should be module:function or file.py:function")
    module = _load_file(Path(place)) if place.endswith(".py") else _load_module(place)
    function = getattr(module, name, None)
    if function is None:
        hint = nearest(name, [n for n, value in vars(module).items() if callable(value)])
        raise BadInput(f"{place} has no function '{name}'; {hint or 'check the name'}")
    if not callable(function):
        raise BadInput(f"{name} of {place} is no function")
    return function


def _load_file(path: Path) -> Any:
    if not path.is_file():
        raise BadInput(f"there is no file {path}")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise BadInput(f"{path} cannot be loaded: {type(error).__name__}: {error}") from error
    return module


def _load_module(name: str) -> Any:
    sys.path.insert(0, str(Path.cwd()))
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        raise BadInput(f"there is no module {error.name} here; name a file as file.py:function") from error
    except Exception as error:
        raise BadInput(f"module {name} cannot be loaded: {type(error).__name__}: {error}") from error
    finally:
        sys.path.pop(0)


def takes_a_deck(function: Function, target: str) -> bool:
    """True when the function must or may be given a deck. Raises BadInput when it wants more than one argument."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):  # built-in functions without a signature, such as random.shuffle in some versions
        return True
    positional = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD, p.VAR_POSITIONAL)]
    needed = [p for p in parameters if p.default is p.empty and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]
    if len(needed) > 1:
        wanted = ", ".join(p.name for p in needed)
        raise BadInput(f"{target} needs {len(needed)} arguments ({wanted}); it is given one, the deck: wrap it")
    return bool(positional)


class Caller:
    """Calls the function deck by deck and reads what came of it."""

    def __init__(self, target: str, size: int, findings: Findings) -> None:
        self.target, self.size, self.findings = target, size, findings
        self.function = load_function(target)
        self.gives_deck = takes_a_deck(self.function, target)
        self.reader: CardReader | NumberReader | None = None
        self.unchanged = 0
        self.calls = 0

    def call(self, start: list[int]) -> list[int]:
        """The deck after one call. Raises BadInput if the function fails, BadDeck if the result is no deck."""
        self.calls += 1
        argument = list(start)
        try:
            result = self.function(argument) if self.gives_deck else self.function()
        except Exception as error:
            raise BadInput(f"call {self.calls} of {self.target} raised {type(error).__name__}: {error}") from error
        how = "in place" if result is None else "returned"
        deck = argument if result is None else self._as_list(result)
        self._watch(deck == start, how)
        if not self.gives_deck and result is None:
            raise BadInput(f"{self.target} takes no deck and returns none, so there is nothing to test")
        return self._ids(deck)

    def _as_list(self, result: Any) -> list[Any]:
        if isinstance(result, np.ndarray):
            return result.tolist()
        if isinstance(result, str):
            return result.replace(",", " ").split()
        try:
            return list(result)
        except TypeError:
            raise BadInput(
                f"{self.target} returned {type(result).__name__}, not a deck: it should return or change a list"
            ) from None

    def _watch(self, unchanged: bool, how: str) -> None:
        self.unchanged = self.unchanged + 1 if unchanged else 0
        if self.unchanged >= SAME_AFTER:
            reason = (
                "it returns nothing and leaves its argument as it was: it shuffles a copy, or nothing"
                if how == "in place"
                else "it returns the deck it was given, in the same order"
            )
            raise BadInput(f"{self.target} did not change the deck in {self.unchanged} calls: {reason}")

    def _ids(self, deck: list[Any]) -> list[int]:
        if all(isinstance(card, (int, np.integer)) for card in deck) and self.reader is None:
            if sorted(map(int, deck)) == list(range(self.size)):
                return [int(card) for card in deck]
            return NumberReader(0, self.size, None).deck(" ".join(map(str, deck)))
        if self.reader is None:
            self.reader = self._own_reader(deck)
            self.findings.note(f"{self.target} ignores the deck it is given and makes its own")
        return self.reader.deck(" ".join(map(str, deck)))

    def _own_reader(self, deck: list[Any]) -> CardReader | NumberReader:
        text = " ".join(map(str, deck))
        return CardReader(Vocabulary(set(rank_marks(normalise(text)))), list(range(52)))


def read_python(target: str, *, decks: int = 10_000, deck_size: int = 52, strict: bool = False, start: str = "new") -> DeckLog:
    """The decks that a Python function makes: given a list of the ids 0..n-1 it returns a deck or changes the list.

    start: "new" (the sorted pack each time), "prev" (its own last deck) or an order as in deck_orders.parse_order. Raises
    BadInput for a function that fails, shuffles a copy, changes nothing or gives one deck over and over.
    """
    findings = Findings(strict=strict, source=target)
    caller = Caller(target, deck_size, findings)
    first = list(range(deck_size)) if start in ("new", "prev") else parse_order(start).tolist()

    def blocks() -> Iterator[Block]:
        order, rows = first, []
        for call in range(1, decks + 1):
            try:
                rows.append(caller.call(order))
            except BadDeck as bad:
                findings.reject(call, str(bad), "call")
                continue
            if start == "prev":
                order = rows[-1]
            if len(rows) == 1000 or call == SAME_AFTER:
                yield np.array(rows, dtype=np.uint8), None
                rows = []
        if rows:
            yield np.array(rows, dtype=np.uint8), None

    what = "returned or changed in place"
    log = DeckLog(target, "Python function", f"decks {what}, cards 0..{deck_size - 1}", deck_size, findings, blocks)
    log.faces_known = deck_size == 52
    log.blocks = lambda: limited(blocks(), decks, target, log)
    return log
