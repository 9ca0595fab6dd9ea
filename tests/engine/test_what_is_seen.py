"""What the judge shows to the player to move, and what it does with an answer that is no card of the hand."""

import re

import numpy as np
import pytest
from rule_cases import V2, Watcher, events_and_result, first, pack_of, picker, shuffled, with_options

from basra_sim.engine.sight import View
from basra_sim.errors import STRATEGY_FAULT, BadInput, StrategyFault
from basra_sim.game.cards import ALL_CARDS, parse_card, set_text, to_set
from basra_sim.game.judge import play_round

RULES = with_options("card_points=J:1,A:1,2c:2,Td:3")


@pytest.fixture(scope="module")
def rounds():
    """Views, events and result of some rounds with random play; each view with its seat."""
    played = []
    for seed in range(15):
        watchers = (Watcher(picker(seed)), Watcher(picker(seed + 100)))
        events, result = events_and_result(
            play_round, RULES, shuffled(seed), seed % 2, watchers, scores=(40, 70), carried_majority=30
        )
        views = [watchers[event.seat].views[event.ply // 2] for event in events]
        played.append((views, events, result, shuffled(seed)))
    return played


def test_the_view_holds_the_published_fields(rounds):
    given_by_the_engine = {"rules", "parameters", "rng", "lookup"}
    assert set(vars(rounds[0][0][0])) == set(View._fields) - given_by_the_engine


def test_hand_floor_and_what_was_seen(rounds):
    for views, events, result, _ in rounds:
        for seat in (0, 1):
            seen = result.first_floor
            for view, event in zip(views, events, strict=True):
                if event.seat == seat:
                    seen |= view.hand
                    assert view.hand >> event.card & 1
                    assert view.seen == seen
                    assert view.unseen == ALL_CARDS & ~seen
                    assert view.seen & view.floor == view.floor
                seen |= 1 << event.card
        floors = [result.first_floor, *(event.floor for event in events)]
        assert [view.floor for view in views] == floors[:48]


def test_counts_of_the_moment(rounds):
    for views, events, result, _ in rounds:
        piles, points, last = [0, 0], [0, 0], None
        for view, event in zip(views, events, strict=True):
            seat, other = event.seat, 1 - event.seat
            assert (view.my_pile, view.other_pile) == (piles[seat], piles[other])
            assert (view.my_round_points, view.other_round_points) == (points[seat], points[other])
            assert (view.my_score, view.other_score) == ((40, 70), (70, 40))[seat]
            assert (view.ply, view.deal, view.leading) == (event.ply, event.ply // 8, int(seat == result.leader))
            assert view.captured_last == (0 if last is None else 1 if last == seat else 2)
            assert view.hand.bit_count() == 4 - event.ply % 8 // 2
            assert view.other_hand_size == 4 - (event.ply % 8 + 1) // 2
            assert (view.target, view.majority_stake) == (101, 60)
            if event.taken:
                piles[seat] += event.taken.bit_count() + 1
                last = seat
            points[seat] += event.points


def test_what_was_played_before(rounds):
    for views, events, _, _ in rounds:
        for ply, view in enumerate(views):
            assert view.history == tuple(event.card for event in events[:ply])


def test_bonus_cards(rounds):
    bonus = to_set(card for card, points in enumerate(RULES.points_of_cards()) if points)
    for views, events, _, _ in rounds:
        piles = [0, 0]
        for view, event in zip(views, events, strict=True):
            assert view.my_bonus_cards == piles[event.seat] & bonus
            assert view.other_bonus_cards == piles[1 - event.seat] & bonus
            if event.taken:
                piles[event.seat] |= event.taken | 1 << event.card


def test_buried_cards_are_public_and_come_again():
    pack = pack_of("2c 2d 3c 3d", "4c 4d 5c 5d", "9c Jh 7d 9d Qc Kc")
    watchers = (Watcher(), Watcher())
    play_round(V2, pack, 1, watchers)
    for view in (watchers[0].views[0], watchers[1].views[0]):
        assert set_text(view.buried) == "7d Jh"
        assert set_text(view.unseen & view.buried) == "7d Jh"


def test_no_view_depends_on_hidden_cards():
    """Other orders of the cards that a seat has not seen show it the same."""
    pack = pack_of("2c 2d 3c 3d", "4c 4d 5c 5d", "9c 9d Qc Kc")
    other = pack[:4] + pack[12:16] + pack[8:12] + pack[4:8] + pack[16:][::-1]
    shown = []
    for cards in (pack, other):
        watcher = Watcher()
        play_round(V2, cards, 1, (watcher, first))
        shown.append(watcher.views[0])
    assert shown[0] == shown[1]


@pytest.mark.parametrize(
    ("answer", "named"),
    [
        (parse_card("Ks"), "played Ks, but holds 2c 2d 3c 3d"),
        (-1, "played -1,"),
        (52, "played 52,"),
        (10**30, "played 1000000"),
        (4.0, "played 4.0,"),
        ("2c", "played '2c',"),
        (None, "played None,"),
        (True, "played True,"),
        ([4], "played [4],"),
    ],
)
def test_an_answer_that_is_no_card_of_the_hand(answer, named):
    pack = pack_of("2c 2d 3c 3d", "4c 4d 5c 5d")
    with pytest.raises(StrategyFault, match=re.escape(named)) as caught:
        play_round(V2, pack, 1, (lambda view: answer, first))
    assert "seat 0 at ply 0" in str(caught.value)
    assert caught.value.exit_code == STRATEGY_FAULT


def test_a_card_that_was_played_before():
    pack = pack_of("2c 2d 3c 3d", "4c 4d 5c 5d")
    with pytest.raises(StrategyFault, match="seat 0 at ply 2: the strategy played 2c, but holds 2d 3c 3d"):
        play_round(V2, pack, 1, (lambda view: 4, first))


def test_a_strategy_that_raises():
    def choose(view):
        raise KeyError("oh")

    with pytest.raises(StrategyFault, match="seat 1 at ply 0: the strategy raised KeyError: 'oh'"):
        play_round(V2, shuffled(1), 0, (first, choose))


def test_integers_of_numpy_are_cards():
    result = play_round(V2, np.arange(52), 1, (lambda view: np.int64(first(view)), first))
    assert result == play_round(V2, list(range(52)), 1, (first, first))


def test_random_places_need_a_draw():
    pack = pack_of("2c 2d 3c 3d", "4c 4d 5c 5d", "Jc")
    with pytest.raises(BadInput, match="floor_ban_action=random"):
        play_round(with_options("floor_ban_action=random"), pack, 0, (first, first))
