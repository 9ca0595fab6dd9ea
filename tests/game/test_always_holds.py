"""What always holds (rule 17): properties of any round, whatever is played, under egyptian-v2 and beyond."""

import random

import pytest
from engines import ENGINES
from hypothesis import given, settings
from hypothesis import strategies as st
from rule_cases import V2, any_rules, events_and_result, packs, picker, shuffled

from basra_sim.game.captures import RANK_SETS, play
from basra_sim.game.cards import ALL_CARDS, JACKS, KOMI, members, rank_of
from basra_sim.game.rules import Kind, RuleSet, kind_points

engines = pytest.mark.parametrize("engine", ENGINES.values(), ids=ENGINES)
quick = settings(max_examples=60, deadline=None)
seeds = st.integers(0, 2**32 - 1)


def play_any(engine, rules, pack, seed, dealer):
    choosers = (picker(seed), picker(seed + 1))
    # fair draws: a banned card that always went back to the same place could be turned up for ever
    return events_and_result(engine, rules, pack, dealer, choosers, ban_draw=random.Random(seed).randrange)


@engines
@quick
@given(pack=packs, seed=seeds, dealer=st.integers(0, 1))
def test_a_round_under_egyptian_v2(engine, pack, seed, dealer):
    events, result = play_any(engine, V2, pack, seed, dealer)
    assert len(events) == 48
    assert [event.deal for event in events] == [ply // 8 for ply in range(48)]
    assert {event.card for event in events} | set(members(result.first_floor)) == set(range(52))
    assert sum(result.cards) == 52
    assert result.piles[0] ^ result.piles[1] == ALL_CARDS
    assert any(event.taken for event in events)
    for event in events:
        assert (event.floor & JACKS).bit_count() <= 1
        assert not event.floor >> KOMI & 1 or event.floor == 1 << KOMI
    assert (result.majority_winner is None) == (result.cards == (26, 26))
    small, jacks = result.basras, result.jack_basras
    for seat in (0, 1):
        basras = small[seat] + result.komi_basras[seat]
        majority = 30 if result.cards[seat] > 26 else 0
        assert result.points[seat] == 10 * basras + 30 * jacks[seat] + majority


@engines
@quick
@given(rules=any_rules, pack=packs, seed=seeds, dealer=st.integers(0, 1))
def test_a_round_under_any_rules(engine, rules, pack, seed, dealer):
    events, result = play_any(engine, rules, pack, seed, dealer)
    floor = result.first_floor
    for event in events:
        # every floor card of the played number rank is always taken, and each play is what the readable code says
        if rank_of(event.card) <= 10:
            same = floor & RANK_SETS[rank_of(event.card)]
            assert same & ~event.taken == 0
        assert (event.taken, event.kind, event.points) == play(rules, floor, event.card)
        floor = floor & ~event.taken if event.taken else floor | 1 << event.card
        assert event.floor == floor
    assert result.last_floor == floor
    assert sum(result.cards) == 52
    points = kind_points(rules)
    for seat in (0, 1):
        mine = [event for event in events if event.seat == seat]
        at_once = sum(points[event.kind] for event in mine)
        assert result.points[seat] == at_once + result.majority_points[seat] + result.card_points[seat]
    assert len(result.turned_up) == 4 + sum(place is not None for _, place in result.turned_up)


@quick
@given(st.sets(st.integers(0, 51).filter(lambda card: card != KOMI), min_size=1, max_size=9))
def test_sum_le_10_and_single_card_basras_are_wild_ones(cards):
    floor = sum(1 << card for card in cards)
    wild = play(V2, floor, KOMI).kind
    if play(RuleSet(komi_basra="sum_le_10"), floor, KOMI).kind == Kind.KOMI_BASRA:
        assert wild == Kind.KOMI_BASRA
    single = play(RuleSet(komi_basra="single_card"), floor, KOMI).kind
    if single == Kind.KOMI_BASRA and not floor & JACKS:
        assert wild == Kind.KOMI_BASRA


@engines
def test_mirrored_seats_mirror_the_round(engine):
    """The same pack and choosers with the seats swapped: everything that happens is the same, seats apart."""
    for seed in range(20):
        one_events, one = events_and_result(engine, V2, shuffled(seed), 0, (picker(7), picker(8)))
        two_events, two = events_and_result(engine, V2, shuffled(seed), 1, (picker(8), picker(7)))
        assert one.points == two.points[::-1]
        assert [event.card for event in one_events] == [event.card for event in two_events]
