"""Orders of a pack in a few letters."""

from __future__ import annotations

import numpy as np
import pytest

from basra_sim.errors import BadInput
from basra_sim.shuffles.generators.deck_orders import order_text, parse_order, usual_orders

RANDOM = np.random.default_rng(20)
DECKS = [RANDOM.permutation(52).tolist() for _ in range(20)]


def test_orders_in_letters() -> None:
    assert order_text(parse_order("SHDC-A2K")).startswith("As 2s 3s") and order_text(parse_order("SHDC-A2K")).endswith("Qc Kc")
    assert order_text(parse_order("A2K-SHDC")).startswith("As Ah Ad Ac 2s")
    assert order_text(parse_order("CDHS-2KA")).startswith("2c 3c") and order_text(parse_order("CDHS-2KA")).endswith("Ks As")
    assert order_text(parse_order("new-deck")).endswith("3h 2h Ah")
    assert parse_order("ours").tolist() == list(range(52))
    assert parse_order(order_text(np.array(DECKS[0]))).tolist() == DECKS[0]
    every = usual_orders()
    assert len({order.tobytes() for order in every.values()}) == len(every) == 193
    for wrong in ("SHD-A2K", "shuffled", "7d 7d"):
        with pytest.raises(BadInput, match="is no order"):
            parse_order(wrong)
