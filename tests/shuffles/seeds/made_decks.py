"""Decks that the models of old generators make, and the usual start orders."""

from __future__ import annotations

import numpy as np

from basra_sim.shuffles.generators.deck_orders import usual_orders
from basra_sim.shuffles.seeds.seed_models import BOUNDS, MODELS, deal

ORDERS = usual_orders()


def made_by(name: str, seed: int, order: str = "A2K-CDHS", upwards: bool = False, backwards: bool = False) -> np.ndarray:
    deck = deal(MODELS[name].draws(seed, BOUNDS), ORDERS[order].tolist(), upwards)
    return np.array(deck[::-1] if backwards else deck, dtype=np.uint8)
