"""Lets everything that it sees decide what it plays: a wrong field, helper or random number changes the game."""

from basra_sim.view import (
    card_points,
    first_floor,
    floor_now,
    is_komi,
    nth_card,
    outcome,
    play_on,
    played,
    popcount,
    random_below,
    random_unit,
    rank_of,
    taken_cards,
)

STOCHASTIC = True
PARAMETERS = {"salt": (7, 0, 1000, "any number"), "share": (0.25, 0.0, 1.0, "any share")}
MASK = (1 << 40) - 1


def mixed(h, value):
    """A number below 2**40 that depends on both."""
    h = (h ^ (value & MASK) ^ (value >> 20)) & MASK
    return ((h * 613 + 29) & MASK) ^ (h >> 17)


def choose(view):
    h = view.parameters.salt + int(view.parameters.share * 8.0)
    h = mixed(h, view.hand)
    h = mixed(h, view.floor)
    h = mixed(h, view.seen)
    h = mixed(h, view.unseen)
    h = mixed(h, view.buried)
    h = mixed(h, view.my_pile)
    h = mixed(h, view.other_pile)
    h = mixed(h, view.my_score)
    h = mixed(h, view.other_score)
    h = mixed(h, view.my_round_points)
    h = mixed(h, view.other_round_points)
    h = mixed(h, view.my_bonus_cards)
    h = mixed(h, view.other_bonus_cards)
    h = mixed(h, view.target)
    h = mixed(h, view.majority_stake)
    h = mixed(h, view.deal)
    h = mixed(h, view.ply)
    h = mixed(h, view.leading)
    h = mixed(h, view.captured_last)
    h = mixed(h, view.other_hand_size)
    h = mixed(h, view.rules.target + view.rules.majority_points + view.rules.jack_basra_points + view.rules.bonus_cards)
    h = mixed(h, 8 * view.rules.komi_basra + view.rules.komi_on_floor + 64 * view.rules.majority_tie)
    h = mixed(h, first_floor(view).cards)
    for ply in (view.ply - 1, view.ply - 2, view.ply // 2, view.ply):
        h = mixed(h, played(view, ply))
    for index in range(popcount(view.hand)):
        card = nth_card(view.hand, index)
        what = outcome(view, card)
        h = mixed(h, what.kind + 8 * what.points + 4096 * what.taken)
        h = mixed(h, taken_cards(view, card) + card_points(view, card) + rank_of(card) + (1 if is_komi(card) else 0))
        # and what my next card would do on the floor that this one leaves
        other = nth_card(view.hand, (index + 1) % popcount(view.hand))
        if other != card:
            second = play_on(view, play_on(view, floor_now(view), card).floor, other)
            h = mixed(h, second.floor.cards + second.kind + second.points)
    h = mixed(h, random_below(view.rng, 1000))
    if random_unit(view.rng) < view.parameters.share:
        h = mixed(h, random_below(view.rng, 3))
    return nth_card(view.hand, h % popcount(view.hand))
