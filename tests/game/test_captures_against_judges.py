"""The readable captures against the judge's and against trying every set of floor cards, on any floor and any rules."""

import random
from itertools import combinations

from hypothesis import example, given, settings
from hypothesis import strategies as st
from rule_cases import any_rules, make_rules

from basra_sim.game.captures import groups, play, sweeps
from basra_sim.game.cards import ALL_CARDS, KOMI, members, rank_of, to_set
from basra_sim.game.judge_captures import captured, kind_of
from basra_sim.game.rules import OPTIONS, PRESETS

# small cards lie thick, so that many groups overlap
cards = st.one_of(st.integers(0, 51), st.integers(0, 27))
plays = st.lists(cards, min_size=1, max_size=13, unique=True)


def is_partition(left: frozenset[int], total: int, komi_is_loose: bool) -> bool:
    """Whether these number cards divide into groups, by trying every group that holds the lowest."""
    if not left:
        return True
    lowest, others = min(left), sorted(left)[1:]
    for size in range(len(others) + 1):
        for rest in combinations(others, size):
            group = {lowest, *rest}
            fits = sum(map(rank_of, group)) == total and (size > 0 or rank_of(lowest) == total)
            if (fits or (komi_is_loose and group == {KOMI})) and is_partition(left - group, total, komi_is_loose):
                return True
    return False


def by_trying_all(rules, floor: list[int], card: int) -> list[int]:
    """Rule 5 and 9 word for word for a number card: the largest set that divides into groups, first by card ids."""
    loose = rules.komi_on_floor == "any"
    numbers = [other for other in sorted(floor) if rank_of(other) <= 10]
    for size in range(len(numbers), -1, -1):
        for chosen in combinations(numbers, size):  # in the order of sorted lists
            if is_partition(frozenset(chosen), rank_of(card), loose):
                return list(chosen)
    return []


@settings(max_examples=300, deadline=None)
@given(any_rules, st.lists(cards, min_size=1, max_size=8, unique=True))
@example(PRESETS["egyptian-v2"], [27, 24, 25, 8])  # 7s plays on 7c 7d 3c
@example(PRESETS["egyptian-v2"], [36, 24, 25, 8])  # Tc on 7c 7d 3c
@example(PRESETS["pagat"], [36, 26, 25, 8])  # Tc on 7h 7d 3c, the komi a plain 7
def test_number_cards_against_every_set_of_floor_cards(rules, chosen):
    card, floor = chosen[0], chosen[1:]
    if rank_of(card) > 10 or sweeps(rules, card):
        return
    best = to_set(by_trying_all(rules, floor, card))
    assert play(rules, to_set(floor), card).taken == best
    assert to_set(captured(rules, floor, card)) == best


@settings(max_examples=300, deadline=None)
@given(any_rules, plays)
def test_captures_and_judge_agree(rules, chosen):
    check(rules, chosen[0], chosen[1:])


def test_captures_and_judge_agree_on_many_plays():
    draw = random.Random(20)
    choices = {name: option.choices for name, option in OPTIONS.items() if option.choices and not option.is_yes_no}
    rule_sets = [make_rules({name: draw.choice(values) for name, values in choices.items()}) for _ in range(60)]
    rule_sets += list(PRESETS.values()) * 5
    for number in range(30_000):
        size = draw.randint(1, 12)
        chosen = draw.sample(range(52) if number % 2 else [*range(28), KOMI + 15, 50], size)
        check(draw.choice(rule_sets), chosen[0], chosen[1:])


def check(rules, card, floor):
    result = play(rules, to_set(floor), card)
    taken = captured(rules, floor, card)
    assert (result.taken, result.kind) == (to_set(taken), kind_of(rules, floor, card, taken)), (rules.name, card, floor)
    parts = groups(rules, to_set(floor), card)
    assert sum(parts) == result.taken  # disjoint, so the sum of the sets is their union
    assert sum(part.bit_count() for part in parts) == result.taken.bit_count()
    if not sweeps(rules, card):
        for part in parts:
            ranks = [rank_of(other) for other in members(part)]
            komi_alone = part == 1 << KOMI and rules.komi_on_floor == "any"
            assert komi_alone or ranks == [rank_of(card)] or (len(ranks) > 1 and sum(ranks) == rank_of(card))


def test_a_crowded_floor_takes_no_time():
    assert play(PRESETS["egyptian-v2"], (1 << 36) - 1, 36).taken == (1 << 36) - 1
    assert play(PRESETS["egyptian-v2"], ALL_CARDS & ~(1 << 40), 40).taken == ALL_CARDS & ~(1 << 40)
