"""A careful player: captures, keeps its sweeping cards for a rich floor, and leaves the other no easy basra."""

from basra_sim.view import (
    KOMI,
    card_points,
    count_rank,
    floor_now,
    lowest,
    play_on,
    popcount,
    rank_of,
    sweeps,
    taken_cards,
)

SUMMARY = "captures, saves jacks and the komi, leaves no easy basra"
DESCRIPTION = """Gives each card of its hand a worth and plays the best, the lowest card id among equals. A capture is worth
something for itself, for each card and for each card point; a basra is worth ten times its points. A jack or the komi (where
it sweeps) is spent gladly on a rich floor only. Then it looks at the floor that the card would leave: if any card that it has
not seen could make a basra there, the play is worth less, and less again for each such card. A card laid is worth less the
more cards of its rank are still about. No probabilities, one look ahead: a fair model of a careful human player."""
SOURCE = """Rule-based defence of fishing games, as in the old advice for Scopa, Scopone and Casino: do not leave what one card
clears, lay ranks that are mostly gone, keep the jack for a rich floor. The weights were set by hand, not tuned."""
PARAMETERS = {
    "score": (10.0, 0.0, 100.0, "worth of each point scored at once"),
    "capture": (10.0, 0.0, 100.0, "worth of capturing at all"),
    "each_card": (1.0, 0.0, 20.0, "worth of each floor card captured"),
    "card_point": (3.0, 0.0, 20.0, "worth of each card point captured"),
    "rich": (4, 1, 20, "floor cards that make a floor rich enough for a jack or the komi"),
    "sweep_rich": (5.0, -50.0, 50.0, "worth of spending a jack or the komi on a rich floor"),
    "sweep_poor": (-9.0, -50.0, 50.0, "the same on a poor floor"),
    "burn": (-30.0, -100.0, 50.0, "the same on an empty floor"),
    "exposed": (6.0, 0.0, 50.0, "what it costs to leave a floor on which some unseen card scores"),
    "threat": (0.3, 0.0, 10.0, "what each point that an unseen card could score there costs"),
    "alive": (1.0, 0.0, 20.0, "what each unseen card of the same rank costs when a card is laid"),
    "give": (2.0, 0.0, 20.0, "what each card point laid costs"),
}


def points_in(view, cards):
    """The card points of a card set."""
    total = 0
    rest = cards & view.rules.bonus_cards
    while rest != 0:
        total += card_points(view, lowest(rest))
        rest &= rest - 1
    return total


def points_exposed(view, floor):
    """All points that the unseen cards could score on a floor, each card by itself."""
    komi = view.unseen & (1 << KOMI)
    total = play_on(view, floor, KOMI).points if komi else 0
    rest = view.unseen & ~komi
    while rest != 0:
        card = lowest(rest)
        alike = rest & (0xF << (card & ~3))  # all cards of a rank do the same, the komi apart
        rest &= ~alike
        total += popcount(alike) * play_on(view, floor, card).points
    return total


def worth_of(view, card):
    """What playing a card is worth."""
    weights = view.parameters
    what = play_on(view, floor_now(view), card)
    worth = weights.score * what.points
    if what.taken > 0:
        won = taken_cards(view, card) | (1 << card)
        worth += weights.capture + weights.each_card * what.taken + weights.card_point * points_in(view, won)
    else:
        worth -= weights.alive * count_rank(view.unseen, rank_of(card)) + weights.give * points_in(view, 1 << card)
    if sweeps(view, card):
        if what.taken == 0:
            worth += weights.burn
        elif what.taken >= weights.rich:
            worth += weights.sweep_rich
        else:
            worth += weights.sweep_poor
    exposed = points_exposed(view, what.floor)
    if exposed > 0:
        worth -= weights.exposed + weights.threat * exposed
    return worth


def choose(view):
    best = -1
    best_worth = -1e9
    rest = view.hand
    while rest != 0:
        card = lowest(rest)
        rest &= rest - 1
        worth = worth_of(view, card)
        if worth > best_worth:
            best, best_worth = card, worth
    return best
