"""Short ways to write rules, packs and plays in the tests of the rules."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import strategies as st

from basra_sim.game import captures
from basra_sim.game import judge_captures as reference_captures
from basra_sim.game.cards import members, parse_card, parse_cards, set_text, to_set
from basra_sim.game.judge import Chooser
from basra_sim.game.rule_files import load_rules
from basra_sim.game.rules import OPTIONS, PRESETS, RuleSet, kind_points

V2 = PRESETS["egyptian-v2"]
PLAIN = "komi_power=none komi_basra=never komi_on_lone_jack=none"


def with_options(text: str, base: str = "egyptian-v2") -> RuleSet:
    """``"komi_power=none komi_basra=never"`` on a preset."""
    return load_rules(base, text.split())


def by_captures(rules: RuleSet, floor: str, card: str) -> tuple[str, str, int]:
    play = captures.play(rules, to_set(parse_cards(floor)), parse_card(card))
    return set_text(play.taken), play.kind.text, play.points


def by_judge(rules: RuleSet, floor: str, card: str) -> tuple[str, str, int]:
    cards, played = parse_cards(floor), parse_card(card)
    taken = reference_captures.captured(rules, cards, played)
    kind = reference_captures.kind_of(rules, cards, played, taken)
    return set_text(to_set(taken)), kind.text, kind_points(rules)[kind]


PLAY_JUDGES = pytest.mark.parametrize("played", [by_captures, by_judge], ids=["captures", "judge"])


def pack_of(*parts: str) -> list[int]:
    """A pack that begins with the cards of the parts (leader's hand, dealer's, floor ...); the rest by id."""
    top = parse_cards(" ".join(parts))
    return top + [card for card in range(52) if card not in top]


def shuffled(seed: int) -> list[int]:
    pack = list(range(52))
    random.Random(seed).shuffle(pack)
    return pack


def first(view: Any) -> int:
    return next(members(view.hand))


def picker(seed: int) -> Chooser:
    """Any card of the hand, drawn from a seed."""
    generator = random.Random(seed)
    return lambda view: generator.choice(list(members(view.hand)))


def preferring(*texts: str) -> Chooser:
    """The first of these cards that is in the hand, else the lowest."""
    wanted = parse_cards(" ".join(texts))
    return lambda view: next((card for card in wanted if view.hand >> card & 1), first(view))


class Watcher:
    """A chooser that plays like another and keeps every view it was shown."""

    def __init__(self, chooser: Callable[[Any], int] = first) -> None:
        self.views: list[Any] = []
        self.chooser = chooser

    def __call__(self, view: Any) -> int:
        self.views.append(view)
        return self.chooser(view)


def events_and_result(engine: Any, rules: RuleSet, pack: Sequence[int], *args: Any, **options: Any) -> Any:
    """(events, result) of one round: dealer and choosers default to seat 1 dealing and `first` in both seats."""
    dealer, choosers = args or (1, (first, first))
    events: list[Any] = []
    return events, engine(rules, pack, dealer, choosers, on_ply=events.append, **options)


def make_rules(values: dict[str, Any]) -> RuleSet:
    """A rule set of drawn option values, with the few contradictions among them repaired."""
    if values["komi_power"] == "none":
        values = values | {"komi_basra": "never", "komi_on_lone_jack": "none"}
    return RuleSet(**values)


def drawn_options() -> st.SearchStrategy[dict[str, Any]]:
    """Any value of each option with named values, sensible points."""
    choices = {name: st.sampled_from(option.choices) for name, option in OPTIONS.items() if option.choices}
    choices["single_round"] = st.booleans()
    points = st.dictionaries(st.sampled_from(["A", "J", "2c", "Td", "7d", "K"]), st.integers(0, 5))
    return st.fixed_dictionaries(choices | {"card_points": points, "jack_basra_points": st.sampled_from([0, 10, 30])})


any_rules = st.one_of(st.sampled_from(list(PRESETS.values())), drawn_options().map(make_rules))
packs = st.permutations(range(52))
