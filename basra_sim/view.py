"""What a strategy file imports: the view it is given, and the helpers that it may call. A public promise with a version."""

from __future__ import annotations

from basra_sim.engine.jit.instructions import lowest, nth_card, popcount
from basra_sim.engine.rule_numbers import RuleNumbers
from basra_sim.engine.sight import BASRA, CAPTURE, JACK_BASRA, KOMI_BASRA, LAY, SWEEP, VIEW_VERSION, View
from basra_sim.engine.view_helpers import (
    Floor,
    Outcome,
    card_points,
    count_rank,
    first_floor,
    floor_now,
    is_komi,
    members,
    outcome,
    play_on,
    played,
    random_below,
    random_unit,
    rank_of,
    sweeps,
    taken_cards,
)
from basra_sim.game.cards import KOMI

__all__ = [
    "BASRA", "CAPTURE", "JACK_BASRA", "KOMI", "KOMI_BASRA", "LAY", "SWEEP", "VIEW_VERSION", "Floor", "Outcome", "RuleNumbers",
    "View", "card_points", "count_rank", "first_floor", "floor_now", "is_komi", "lowest", "members", "nth_card", "outcome",
    "play_on", "played", "popcount", "random_below", "random_unit", "rank_of", "sweeps", "taken_cards",
]  # fmt: skip
