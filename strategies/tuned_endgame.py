"""The tuned one-ply player, and the last deal solved exactly."""

from basra_sim.skill.endgame import last_deal_card
from basra_sim.skill.policy import Features, one_ply_card

SUMMARY = "as tuned, and plays the last deal perfectly: the fast strong opponent"
DESCRIPTION = """In the last deal the unseen cards are the other's hand, so all orders of play are solved exactly
(alpha-beta on the floor automaton, some microseconds); of cards that are equally good against the best replies it plays the
one that gains most if he takes what he can at once (`traps`). Before that it weighs each card by what it takes and scores, by the
exact expectation of the other's best answer over all hands he may hold, by its own best capture after that, and by linear
features: what a jack, the komi, a card left on the floor, an empty floor, an unseen card of the laid rank and a twin in
hand are worth. A lead is worth what the rule set's table says (basra_sim.skill.values): with aim = 1 chances to win the
round or game, with aim = 0 points. The weights come from CMA-ES on paired packs, under each rule set for itself;
tuned_endgame.toml beside this file says how, and how they did on packs that the search had not seen."""
SOURCE = """Tuned linear one-ply players are folklore in card games; tuned by evolution against a zoo as in Harper et al.
2017 (arXiv:1707.06307)."""
ALIAS = "strong"
PARAMETERS = {
    "aim": (1, 0, 1, "1 the chance to win, 0 points"),
    "traps": (1, 0, 1, "1: of last-deal cards that are equally good, the one that gains most from a reply that takes most now"),
    "jack": (28.3428, -10.0, 40.0, "points that playing a jack gives up"),
    "jack_late": (6.4478, -10.0, 20.0, "so many fewer for each card fewer that stays in hand"),
    "komi": (14.0227, -10.0, 40.0, "points that playing the komi gives up"),
    "his_jack": (17.4595, -20.0, 60.0, "points that his playing a jack gives up"),
    "his_komi": (2.1182, -10.0, 40.0, "points that his playing the komi gives up"),
    "again": (1.9623, 0.0, 3.0, "share of my best capture after his answer that counts"),
    "left": (-9.6907, -20.0, 10.0, "points a card left on the floor"),
    "empty": (-6.4704, -30.0, 30.0, "points for leaving no card on the floor"),
    "dead": (-0.7675, -8.0, 8.0, "points an unseen card of the rank that I lay"),
    "twin": (-0.9912, -20.0, 20.0, "points for laying a card whose twin I keep"),
}


def choose(view):
    p = view.parameters
    if view.deal == 5:
        return last_deal_card(view, p.aim, p.traps)
    weights = Features(p.jack, p.jack_late, p.komi, p.his_jack, p.his_komi, p.again, p.left, p.empty, p.dead, p.twin)
    return one_ply_card(view, p.aim, weights)
