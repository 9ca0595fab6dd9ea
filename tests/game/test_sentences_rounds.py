"""A test for each sentence of the rules about rounds: 1 to 3, 10, 12 to 14, and the options that change them."""

import pytest
from engines import ENGINES
from rule_cases import V2, Watcher, events_and_result, first, pack_of, preferring, shuffled, with_options

from basra_sim.errors import BadInput
from basra_sim.game.cards import parse_cards, rank_of, set_text, to_set
from basra_sim.game.rules import Kind

pytestmark = pytest.mark.parametrize("engine", ENGINES.values(), ids=ENGINES)

LEADER, DEALER, FLOOR = "2c 2d 3c 3d", "4c 4d 5c 5d", "9c 9d Qc Kc"


def hands_by_deal(engine, rules, pack, dealer=1, **options):
    """The hand of each seat at its first ply of each deal."""
    watchers = (Watcher(), Watcher())
    result = engine(rules, pack, dealer, watchers, **options)
    return [[set_text(view.hand) for view in watcher.views[::4]] for watcher in watchers], result


@pytest.mark.parametrize("dealer", [0, 1])
def test_1_top_four_to_the_leader_next_four_to_the_dealer_next_four_to_the_floor(engine, dealer):
    hands, result = hands_by_deal(engine, V2, pack_of(LEADER, DEALER, FLOOR), dealer)
    assert hands[1 - dealer][0] == LEADER
    assert hands[dealer][0] == DEALER
    assert set_text(result.first_floor) == FLOOR
    assert (result.leader, result.dealer) == (1 - dealer, dealer)


def test_2_banned_cards_go_to_the_bottom_in_the_order_turned_up(engine):
    pack = pack_of(LEADER, DEALER, "9c Jh 7d 9d Js Qc Kc")
    hands, result = hands_by_deal(engine, V2, pack)
    assert set_text(result.first_floor) == FLOOR
    turned_up = [(card, place is not None) for card, place in result.turned_up]
    assert turned_up == [(card, rank_of(card) == 11 or card == 25) for card in parse_cards("9c Jh 7d 9d Js Qc Kc")]
    # 45 cards never turned up, then the three: the dealer's last four end with them
    assert hands[1][5] == set_text(to_set([pack[-1], *parse_cards("Jh 7d Js")]))


def test_2_floor_banned_jacks_lets_the_komi_lie(engine):
    rules = with_options("floor_banned=jacks")
    _, result = events_and_result(engine, rules, pack_of(LEADER, DEALER, "9c Jh 7d Qc Kc"))
    assert set_text(result.first_floor) == "7d 9c Qc Kc"


@pytest.mark.parametrize("options", ["floor_banned=none", "floor_ban_action=leave"])
def test_2_without_a_ban_all_cards_lie(engine, options):
    _, result = events_and_result(engine, with_options(options), pack_of(LEADER, DEALER, "9c Jh 7d Js"))
    assert set_text(result.first_floor) == "7d 9c Jh Js"
    assert all(place is None for _, place in result.turned_up)


def test_2_random_puts_a_banned_card_into_one_of_the_n_plus_1_places_at_once(engine):
    rules = with_options("floor_ban_action=random")
    places, asked = iter([0, 40, 2]), []

    def draw(count):
        asked.append(count)
        return next(places)

    pack = pack_of(LEADER, DEALER, "9c Jh 9d 7d Qc Kc")
    hands, result = hands_by_deal(engine, rules, pack, ban_draw=draw)
    # Jh to the top: turned up again at once, with 42 cards in the stock as before; then 7d below two cards
    assert asked == [43, 43, 42]
    assert [card for card, place in result.turned_up if place is not None] == [42, 42, 25]
    assert set_text(result.first_floor) == FLOOR
    # 7d lies below Qc and Kc, so it is the first card of the next deal; Jh lies 40 deep, two cards from the bottom
    assert "7d" in hands[0][1]
    assert "Jh" in hands[1][5]


def test_3_the_leader_plays_first_and_turns_alternate(engine):
    for dealer in (0, 1):
        events, _ = events_and_result(engine, V2, shuffled(1), dealer, (first, first))
        assert [event.seat for event in events] == [1 - dealer, dealer] * 24


def test_3_four_more_to_leader_then_dealer_none_to_the_floor_six_deals_in_all(engine):
    pack = pack_of(LEADER, DEALER, FLOOR)
    hands, _ = hands_by_deal(engine, V2, pack)
    for deal in range(1, 6):
        start = 12 + 8 * (deal - 1)
        assert hands[0][deal] == set_text(to_set(pack[start : start + 4]))
        assert hands[1][deal] == set_text(to_set(pack[start + 4 : start + 8]))
    events, _ = events_and_result(engine, V2, pack)
    assert [event.deal for event in events] == [deal for deal in range(6) for _ in range(8)]
    assert [event.ply for event in events] == list(range(48))


def test_10_a_basra_counts_on_the_first_and_on_the_last_ply(engine):
    pack = pack_of("9h 6c 3c Kh", "5c 5d 6d 6h", "9c 2d 3d 4d")
    events, _ = events_and_result(engine, V2, pack, 1, (preferring("9h"), first))
    assert events[0].kind == Kind.BASRA
    assert events[0].taken.bit_count() == 4
    kinds = {events_and_result(engine, V2, shuffled(seed))[0][47].kind for seed in range(60)}
    assert Kind.BASRA in kinds


def test_12_a_captured_card_and_the_card_played_go_to_the_pile(engine):
    events, result = events_and_result(engine, V2, pack_of("9h 2c 3c 2h", DEALER, FLOOR), 1, (preferring("9h"), first))
    assert set_text(events[0].taken) == "9c 9d"
    assert set_text(events[0].floor) == "Qc Kc"
    assert result.piles[0] & to_set(parse_cards("9c 9d 9h")) == to_set(parse_cards("9c 9d 9h"))


def test_12_the_last_floor_goes_to_whoever_captured_last_and_is_never_a_basra(engine):
    seen_floors = 0
    for seed in range(40):
        events, result = events_and_result(engine, V2, shuffled(seed))
        last = [event for event in events if event.taken][-1]
        assert result.captured_last == last.seat
        assert result.last_floor == events[-1].floor
        assert result.last_floor & ~result.piles[last.seat] == 0
        for seat in (0, 1):
            taken = [event.taken.bit_count() + 1 for event in events if event.seat == seat and event.taken]
            given = result.last_floor.bit_count() if seat == last.seat else 0
            assert result.cards[seat] == sum(taken) + given == result.piles[seat].bit_count()
            basras = sum(event.kind == Kind.BASRA for event in events if event.seat == seat)
            assert result.basras[seat] == basras
        seen_floors += result.last_floor != 0
    assert seen_floors > 5


def test_13_more_cards_bring_30_points(engine):
    for seed in range(20):
        _, result = events_and_result(engine, V2, shuffled(seed))
        if result.cards[0] != result.cards[1]:
            winner = int(result.cards[1] > result.cards[0])
            assert result.majority_winner == winner
            assert (result.majority_points[winner], result.majority_points[1 - winner]) == (30, 0)


def tied_pack(engine):
    return next(pack for pack in map(shuffled, range(500)) if events_and_result(engine, V2, pack)[1].cards == (26, 26))


def test_13_at_26_26_nobody_gets_them(engine):
    _, result = events_and_result(engine, V2, tied_pack(engine))
    assert result.majority_winner is None
    assert (result.majority_points, result.carry) == ((0, 0), 0)


def test_majority_tie_each(engine):
    _, result = events_and_result(engine, with_options("majority_tie=each"), tied_pack(engine))
    assert (result.majority_points, result.carry) == ((30, 30), 0)


def test_majority_tie_carry_again_and_again(engine):
    rules = with_options("majority_tie=carry")
    _, result = events_and_result(engine, rules, tied_pack(engine))
    assert (result.majority_points, result.carry) == ((0, 0), 30)
    _, result = events_and_result(engine, rules, tied_pack(engine), carried_majority=30)
    assert result.carry == 60
    _, result = events_and_result(engine, rules, shuffled(1), carried_majority=60)
    assert sorted(result.majority_points) == [0, 90]
    assert result.carry == 0


def test_majority_points(engine):
    _, result = events_and_result(engine, with_options("majority_points=3"), shuffled(1))
    assert sorted(result.majority_points) == [0, 3]


def test_14_the_points_of_a_round(engine):
    rules = with_options("basra_points=7 komi_basra_points=11 jack_basra_points=40 card_points=J:1,2c:5")
    seen = set()
    for seed in range(60):
        events, result = events_and_result(engine, rules, shuffled(seed))
        for seat in (0, 1):
            kinds = [event.kind for event in events if event.seat == seat]
            made = [kinds.count(kind) for kind in (Kind.BASRA, Kind.KOMI_BASRA, Kind.JACK_BASRA)]
            assert made == [result.basras[seat], result.komi_basras[seat], result.jack_basras[seat]]
            jacks = (result.piles[seat] & 0xF << 40).bit_count()
            assert result.card_points[seat] == jacks + 5 * (result.piles[seat] >> 4 & 1)
            at_once = 7 * made[0] + 11 * made[1] + 40 * made[2]
            assert sum(event.points for event in events if event.seat == seat) == at_once
            assert result.points[seat] == at_once + result.majority_points[seat] + result.card_points[seat]
            seen |= {kind for kind in kinds if kind >= Kind.BASRA}
    assert Kind.BASRA in seen


def test_14_basra_points_count_at_the_end_of_the_round(engine):
    """A seat that passes the target during a round has not won yet: its score of the game stays as it was."""
    watcher = Watcher(preferring("9h"))
    pack = pack_of("9h 6c 3c Kh", "5c 5d 6d 6h", "9c 2d 3d 4d")
    engine(with_options("target=10"), pack, 1, (watcher, first), scores=(5, 7))
    assert len(watcher.views) == 24
    assert {(view.my_score, view.other_score) for view in watcher.views} == {(5, 7)}
    assert watcher.views[1].my_round_points == 10


@pytest.mark.parametrize("pack", [[], list(range(51)), [0, *range(51)], list(range(1, 53))])
def test_what_is_no_pack_is_refused(engine, pack):
    with pytest.raises(BadInput, match="a pack must hold each of the 52 cards once"):
        engine(V2, pack, 0, (first, first))
