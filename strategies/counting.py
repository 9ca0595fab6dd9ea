"""A careful card counter: takes what pays, and weighs what it leaves by the exact chance that the other can use it."""

from basra_sim.skill.counting import basra_cards, chance_of_rank, chance_of_some, clearing_cards
from basra_sim.skill.problem import ONE, open_problem, step, tally_of, worth_now
from basra_sim.view import floor_now, is_komi, lowest, members, outcome, popcount, rank_of

SUMMARY = "counts cards: exact chances that the other can clear, score or match"
DESCRIPTION = """Scores each card by the points and cards it takes (cards at the price of the majority now), less the price
of a spent jack or komi, less the exact hypergeometric chance that the other holds a card that scores on the floor it leaves
times what that scores, less the chance that he can clear it at all times the cards lying there, less the chance that he
matches the rank that it lays."""
SOURCE = "What every book on fishing games tells a careful player to do: count the ranks, and do not leave what he may take."
PARAMETERS = {
    "jack": (10.0, 0.0, 40.0, "points that playing a jack gives up"),
    "komi": (8.0, 0.0, 40.0, "points that playing the komi gives up"),
    "guard": (1.0, 0.0, 3.0, "weight of what he may take"),
}


def choose(view):
    p = view.parameters
    problem = open_problem(view, 0)
    tally = tally_of(view)
    price = (worth_now(problem, tally + 4) - worth_now(problem, tally)) / (4.0 * ONE)
    best = lowest(view.hand)
    best_score = -1e9
    if view.hand & (view.hand - 1) == 0:
        return best
    for card in members(view.hand):
        what = outcome(view, card)
        done = step(problem, floor_now(view), card)
        score = (worth_now(problem, tally + done.gain) - worth_now(problem, tally)) / float(ONE)
        if rank_of(card) == 11:
            score -= p.jack
        elif is_komi(card):
            score -= p.komi
        left = popcount(what.floor.cards)
        if left > 0:
            clears = chance_of_some(view, clearing_cards(view, what.floor))
            score -= p.guard * clears * price * (left + 1)
            score -= p.guard * view.rules.basra_points * chance_of_some(view, basra_cards(view, what.floor))
            if what.taken == 0:
                score -= p.guard * 2.0 * price * chance_of_rank(view, rank_of(card)) * (1.0 - clears)
        if score > best_score:
            best, best_score = card, score
    return best
