"""What always holds (rule 17), on the compiled engine: any packs, any strategies, counted from its records and cards."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from judging import V2, compiled, plan_of

from basra_sim.game import captures
from basra_sim.game.cards import ALL_CARDS, JACKS, KOMI, rank_of
from basra_sim.game.rules import PRESETS, kind_points

packs = st.permutations(range(52))
NAMES = ("first", "greedy", "random", "every-field", "every-field:salt=5,share=0.5")
two_of = st.tuples(st.sampled_from(NAMES), st.sampled_from(NAMES))
seeds = st.integers(0, 2**64 - 1)
quick = settings(max_examples=25, deadline=None)


def floors_of(rules, pack, cards):
    """(floor before, card, play) for each ply: the cards that the engine played, by the readable captures."""
    order = list(pack)
    place, banned = 8, set()
    if rules.floor_ban_action == "bottom":
        banned = {"jacks_and_komi": {40, 41, 42, 43, KOMI}, "jacks": {40, 41, 42, 43}, "none": set()}[rules.floor_banned]
    while place < 12:
        if order[place] in banned:
            order.append(order.pop(place))
        else:
            place += 1
    floor = sum(1 << card for card in order[8:12])
    for ply, card in enumerate(cards):
        deal, role = ply // 8, ply % 2
        start = 4 * role if deal == 0 else 4 + 8 * deal + 4 * role
        assert card in order[start : start + 4], f"ply {ply}: {card} was not dealt there"
        what = captures.play(rules, floor, card)
        yield floor, card, what
        floor = floor & ~what.taken if what.taken else floor | 1 << card


@quick
@given(pack=packs, two=two_of, seed=seeds)
def test_a_round_under_egyptian_v2(pack, two, seed):
    played = compiled(plan_of(V2, two, seed=seed, packs=np.array([pack], np.uint8), pairs=1))
    assert len(played.rounds) == 2
    for record, cards in zip(played.rounds, played.cards.tolist(), strict=True):
        assert len(set(cards)) == 48  # 48 plies
        plies = list(floors_of(V2, pack, cards))
        assert any(what.taken for _, _, what in plies)  # at least one capture
        for floor, card, what in plies:
            assert (floor & JACKS).bit_count() <= 1  # at most one jack lies on the floor
            assert not floor >> KOMI & 1 or floor == 1 << KOMI  # a komi on the floor lies alone
            if rank_of(card) <= 10 and card != KOMI:
                same = floor & 0xF << 4 * (rank_of(card) - 1)
                assert same & ~what.taken == 0  # every floor card of the played rank is taken
        both = ("leader", "dealer")
        assert record["cards_leader"] + record["cards_dealer"] == 52
        points = 0
        for role in both:
            ordinary, komi, jack = (int(record[f"{name}_{role}"]) for name in ("basras", "komi_basras", "jack_basras"))
            majority = 30 if record[f"cards_{role}"] > 26 else 0
            assert record[f"points_{role}"] == 10 * (ordinary + komi) + 30 * jack + majority
            points += int(record[f"points_{role}"])
            scored = [what.kind for ply, (_, _, what) in enumerate(plies) if ply % 2 == both.index(role)]
            assert [scored.count(kind) for kind in (3, 4, 5)] == [ordinary, komi, jack]
        tie = record["cards_leader"] == record["cards_dealer"]
        assert tie == (record["cards_leader"] == 26)
        scored_points = sum(kind_points(V2)[what.kind] for _, _, what in plies)
        assert points - scored_points == (0 if tie else 30)  # the majority is 30, or 0 at a tie


@quick
@given(pack=packs, two=two_of, seed=seeds, preset=st.sampled_from([name for name in PRESETS if name not in ("cafe", "jawaker")]))
def test_a_round_under_each_preset(pack, two, seed, preset):
    rules = PRESETS[preset]
    played = compiled(plan_of(rules, two, seed=seed, packs=np.array([pack], np.uint8), pairs=1))
    for record, cards in zip(played.rounds, played.cards.tolist(), strict=True):
        plies = list(floors_of(rules, pack, cards))
        assert record["cards_leader"] + record["cards_dealer"] == 52
        seen = sum(1 << card for card in cards) | plies[0][0]
        assert seen == ALL_CARDS
        points = sum(kind_points(rules)[what.kind] for _, _, what in plies)
        majority = rules.majority_points * (record["cards_leader"] != record["cards_dealer"])
        assert record["points_leader"] + record["points_dealer"] == points + majority + sum(rules.points_of_cards())


@quick
@given(seed=seeds, two=two_of, first=st.integers(0, 2**40))
def test_games(seed, two, first):
    """Rules 15 and 16: dealers alternate, the first is the same seat in both games, the last round decides."""
    played = compiled(plan_of(V2, two, seed=seed, pairs=2), first, 2)
    for pair in range(2):
        seats = []
        for game in (0, 1):
            record = played.games[pair, game]
            rounds = played.rounds[(played.rounds["pair"] == first + pair) & (played.rounds["game"] == game)]
            assert rounds["round"].tolist() == list(range(record["rounds"]))
            assert rounds["leader"].tolist() == [(1 - record["first_dealer"]) ^ (k & 1) for k in range(len(rounds))]
            seats.append(record["first_dealer"] ^ game)
            is_a = rounds["leader"] == 0
            a = np.where(is_a, rounds["points_leader"], rounds["points_dealer"]).cumsum()
            b = np.where(is_a, rounds["points_dealer"], rounds["points_leader"]).cumsum()
            assert (record["score_a"], record["score_b"]) == (a[-1], b[-1])
            over = ((a >= 101) | (b >= 101)) & (a != b)
            assert over.tolist() == [False] * (len(rounds) - 1) + [True]
            assert record["winner"] == (0 if a[-1] > b[-1] else 1)
            assert record["a_seat"] == game
        assert seats[0] == seats[1]


@quick
@given(seed=seeds, name=st.sampled_from(NAMES), preset=st.sampled_from(list(PRESETS)))
def test_a_strategy_against_itself_is_exactly_level(seed, name, preset):
    """Whatever it draws: the second game mirrors the first, and every pair ends level."""
    played = compiled(plan_of(PRESETS[preset], (name, name), seed=seed, pairs=2))
    games = played.games
    assert (games["score_a"][:, 0] == games["score_b"][:, 1]).all()
    assert (games["score_b"][:, 0] == games["score_a"][:, 1]).all()
    assert played.totals.pair_scores.tolist() == [0, 0, 2, 0, 0]
    assert played.totals.pair_sums[11] == 4  # half points of a: two a pair
