"""The collected deck: rounds played as the slow reference plays them, and what its riffles leave."""

from __future__ import annotations

import numpy as np

from basra_sim.game import judge as reference
from basra_sim.game.judge_captures import captured
from basra_sim.game.rule_files import load_rules
from basra_sim.shuffles.battery.outcomes import FOUND, judge
from basra_sim.shuffles.battery.tally import tally
from basra_sim.shuffles.generators.built_in_shuffles import Generator
from basra_sim.shuffles.generators.collected_piles import play_and_collect


def test_rounds_are_collected_as_the_reference_plays_them():
    rules = load_rules("egyptian-v2")

    def most_cards(view):
        floor = [card for card in range(52) if view.floor >> card & 1]
        hand = [card for card in range(52) if view.hand >> card & 1]
        return max(hand, key=lambda card: (len(captured(rules, floor, card)), -card))

    packs = Generator("fisher-yates", 6).decks(25)
    for pack in packs:
        plies = []
        result = reference.play_round(rules, pack.tolist(), 1, (most_cards, most_cards), on_ply=plies.append)
        piles = ([], [])
        for ply in plies:
            if ply.taken:
                piles[ply.seat].extend([card for card in range(52) if ply.taken >> card & 1] + [ply.card])
        last = 0 if result.captured_last is None else result.captured_last
        piles[last].extend(card for card in range(52) if result.last_floor >> card & 1)
        out = np.empty(52, dtype=np.uint8)
        play_and_collect(pack, out, np.empty(14, dtype=np.int64), np.empty(1 << 15, dtype=np.int64))
        assert out.tolist() == piles[0] + piles[1]  # seat 0 leads when seat 1 deals


def test_collected_decks_do_not_depend_on_chunks_and_show_pairs():
    decks = Generator("collected:3", 2).decks(3000)
    again = np.concatenate(list(Generator("collected:3", 2).chunks(3000, chunk=700)))
    assert np.array_equal(decks, again)
    outcome = judge(tally([decks], 52))
    assert outcome.verdict == FOUND
    # captures bring equal ranks together, and three riffles do not part them
    assert outcome.result("like-rank").measure.value > 3.1 and outcome.result("like-rank").verdict == FOUND
