"""A test for each sentence of the rules about games, 15 and 16, and the options that change them (the judge's game)."""

import itertools

import pytest
from rule_cases import V2, Watcher, events_and_result, first, shuffled, with_options

from basra_sim.errors import BasraError
from basra_sim.game import judge as reference
from basra_sim.game.judge import first_dealer_seat, play_game, play_round


def game(rules=V2, seeds=range(1000), first_dealer=0, **options):
    return play_game(rules, lambda number: shuffled(seeds[number]), first_dealer, (first, first), **options)


def seeds_where(test, dealer=1):
    """Seeds of packs whose round of `first` against `first` passes a test."""
    return [seed for seed in range(200) if test(events_and_result(play_round, V2, shuffled(seed), dealer, (first, first))[1])]


def level(result):
    return result.cards == (26, 26)


@pytest.mark.parametrize("seat", [0, 1])
def test_15_dealers_alternate_from_the_first(seat):
    dealers = [result.dealer for result in game(first_dealer=seat).rounds]
    assert dealers[:2] == [seat, 1 - seat]
    assert all(dealer != after for dealer, after in itertools.pairwise(dealers))


def test_15_the_first_dealer_is_drawn():
    assert [first_dealer_seat(V2, drawn) for drawn in (0, 1)] == [0, 1]
    assert [first_dealer_seat(with_options("first_dealer=seat0"), drawn) for drawn in (0, 1)] == [0, 0]
    assert [first_dealer_seat(with_options("first_dealer=seat1"), drawn) for drawn in (0, 1)] == [1, 1]


def test_dealer_rotation_fixed():
    played = game(with_options("dealer_rotation=fixed"), first_dealer=1)
    assert {result.dealer for result in played.rounds} == {1}
    assert len(played.rounds) > 1


@pytest.mark.parametrize("target", [1, 51, 101, 151])
def test_16_the_game_ends_after_the_round_in_which_somebody_has_the_target(target):
    for start in range(20):
        played = game(with_options(f"target={target}"), seeds=range(100 * start, 100 * start + 99))
        scores = [0, 0]
        for number, result in enumerate(played.rounds):
            scores = [scores[0] + result.points[0], scores[1] + result.points[1]]
            over = max(scores) >= target and scores[0] != scores[1]
            assert over == (number == len(played.rounds) - 1)
        assert tuple(scores) == played.scores
        assert played.winner == int(scores[1] > scores[0])


def test_16_exactly_101_is_enough():
    rules = with_options("target=30 basra_points=0 komi_basra_points=0 jack_basra_points=0")
    decided = seeds_where(lambda result: not level(result))
    played = game(rules, seeds=decided, first_dealer=1)
    assert len(played.rounds) == 1
    assert max(played.scores) == 30


def test_16_if_level_whole_rounds_go_on():
    rules = with_options("target=30 majority_tie=each basra_points=0 komi_basra_points=0 jack_basra_points=0")
    tie, tie_again = seeds_where(level)[:2]
    decided = seeds_where(lambda result: not level(result))[0]
    options = {"first_dealer": 1}
    played = game(rules.__class__(**rules.to_dict() | {"dealer_rotation": "fixed"}), [tie, tie_again, decided], **options)
    assert [result.points for result in played.rounds[:2]] == [(30, 30), (30, 30)]
    assert len(played.rounds) == 3
    assert sorted(played.scores) == [60, 90]


def test_carried_majority_goes_to_the_next_round():
    rules = with_options("majority_tie=carry dealer_rotation=fixed")
    tie, tie_again = seeds_where(level)[:2]
    decided = seeds_where(lambda result: not level(result))[0]
    played = game(rules, [tie, tie_again, decided, *range(200)], first_dealer=1)
    assert [sum(result.majority_points) for result in played.rounds[:3]] == [0, 0, 90]
    assert [result.carry for result in played.rounds[:3]] == [30, 60, 0]


def test_single_round_and_its_draw():
    rules = with_options("single_round=true basra_points=0 komi_basra_points=0 jack_basra_points=0")
    played = game(rules, seeds_where(level), first_dealer=1)
    assert (len(played.rounds), played.winner, played.scores) == (1, None, (0, 0))
    played = game(rules, seeds_where(lambda result: result.cards[0] > 26), first_dealer=1)
    assert (len(played.rounds), played.winner, played.scores) == (1, 0, (30, 0))


def test_a_carried_majority_is_lost_if_no_round_follows():
    rules = with_options("single_round=true majority_tie=carry")
    played = game(rules, seeds_where(level), first_dealer=1)
    assert played.rounds[0].carry == 30
    assert sum(played.rounds[0].majority_points) == 0


def test_scores_of_the_game_are_seen_by_the_strategies():
    watchers = (Watcher(), Watcher())
    played = play_game(V2, lambda number: shuffled(number), 0, watchers)
    scores = [0, 0]
    for number, result in enumerate(played.rounds):
        for seat in (0, 1):
            for view in watchers[seat].views[24 * number : 24 * number + 24]:
                assert (view.my_score, view.other_score) == (scores[seat], scores[1 - seat])
        scores = [scores[0] + result.points[0], scores[1] + result.points[1]]


def test_hooks_are_called_round_by_round():
    numbers = []
    rules = with_options("floor_ban_action=random")
    draws = {}

    def ban_draws(number):
        draws[number] = 0

        def draw(count):
            draws[number] += 1
            return count - 1

        return draw

    played = game(rules, on_round=numbers.append, ban_draws=ban_draws)
    assert numbers == list(range(len(played.rounds))) == list(draws)
    assert sum(draws.values()) == sum(len(result.turned_up) - 4 for result in played.rounds)


def test_a_game_without_an_end_is_stopped(monkeypatch):
    monkeypatch.setattr(reference, "MOST_ROUNDS", 5)
    rules = with_options("basra_points=0 komi_basra_points=0 jack_basra_points=0 card_points=J:1")
    with pytest.raises(BasraError, match="the game has no end: 5 rounds"):
        game(rules)
