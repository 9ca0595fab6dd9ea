"""Cards: numbers, text in and out, card sets."""

import pytest

from basra_sim.errors import BadInput
from basra_sim.game.cards import (
    ALL_CARDS,
    JACKS,
    KOMI,
    TEXTS,
    card_text,
    cards_text,
    members,
    parse_card,
    parse_cards,
    rank_of,
    set_text,
    suit_of,
    to_set,
)


def test_a_card_is_rank_and_suit_in_the_published_order():
    assert cards_text([0, 1, 2, 3, 4, 36, 40, 44, 48, 51]) == "Ac Ad Ah As 2c Tc Jc Qc Kc Ks"
    assert card_text(KOMI) == "7d"
    assert KOMI == 25
    for card in range(52):
        assert card == (rank_of(card) - 1) * 4 + suit_of(card)
        assert parse_card(card_text(card)) == card


def test_the_pack_has_52_cards_each_once():
    assert len(set(TEXTS)) == 52
    assert to_set(range(52)) == ALL_CARDS
    assert set_text(JACKS) == "Jc Jd Jh Js"


@pytest.mark.parametrize("text", ["7D", " 7d ", "7d"])
def test_input_is_case_blind(text):
    assert parse_card(text) == KOMI


@pytest.mark.parametrize("text", ["10h", "10H", "th", "TH", "Th"])
def test_ten_is_t_or_10(text):
    assert parse_card(text) == 38


@pytest.mark.parametrize("text", ["", "7", "d7", "1c", "11c", "7x", "7dd", "0h", "joker", "7♦"])
def test_what_is_no_card_is_named(text):
    with pytest.raises(BadInput, match=f"'{text}' is no card"):
        parse_card(text)


def test_several_cards_keep_their_order():
    assert cards_text(parse_cards("Kc, 10d  ah\t7D")) == "Kc Td Ah 7d"
    assert parse_cards("") == []


def test_a_card_given_twice_is_refused():
    with pytest.raises(BadInput, match="Td is given twice"):
        parse_cards("Td Ah 10d")


def test_sets_list_their_cards_lowest_first():
    assert list(members(to_set([51, 0, 25]))) == [0, 25, 51]
    assert list(members(0)) == []
    assert set_text(to_set(parse_cards("Kc 7d Ac"))) == "Ac 7d Kc"
