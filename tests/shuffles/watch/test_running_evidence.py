"""Anytime-valid evidence: false alarms over whole streams, speed on known flaws, independence of how a stream is cut."""

from __future__ import annotations

from math import log

import numpy as np
import pytest

from basra_sim.shuffles.generators.built_in_shuffles import Generator
from basra_sim.shuffles.laws import permutation_laws as laws
from basra_sim.shuffles.laws.riffles import riffle_missing_bits
from basra_sim.shuffles.watch.running_evidence import Watcher, cells_of, multinomial_log_e, odds_text


def watched(spec, decks, seed=1, start="new", n=52, order=True):
    watcher = Watcher(n, np.arange(n) if order else None)
    for chunk in Generator(spec, seed, n, start).chunks(decks):
        watcher.add(chunk)
    return watcher.evidence()


def test_false_alarms_over_whole_streams():
    """400 perfect streams of 300 decks, looked at after every deck: highest evidence over 20:1 in at most 5 % (Ville)."""
    highest = np.array([watched("fisher-yates", 300, seed).best for seed in range(400)])
    assert (highest > log(20)).sum() <= 40  # 400 * .05 = 20, and 4.6 sigma
    assert (highest > log(1000)).sum() <= 4


@pytest.mark.parametrize(("k", "decks"), [(5, 10), (6, 20), (7, 60), (8, 240)])
def test_riffles_are_caught_about_as_fast_as_they_can_be(k, decks):
    """For a known k the expected decks to 1000:1 are ln 1000 / KL (5: 1.3, 6: 4.8, 7: 19, 8: 76); ours pays for mixing."""
    ideal = log(1000) / (riffle_missing_bits(k) * log(2))
    assert ideal == pytest.approx({5: 1.3, 6: 4.8, 7: 19, 8: 76}[k], rel=0.05)
    alarms = [watched(f"riffle:{k}", 4 * decks, seed).alarm for seed in range(15)]
    assert all(alarms) and np.median(alarms) < 3 * ideal + 3


def test_first_card_process_matches_its_published_speed():
    """Dirichlet(10 each), alpha .001: the low bits of an LCG stop at a median of about 140 decks (published 140)."""
    stops = []
    for seed in range(25):
        first = Generator("lcg:low,32", seed).decks(1000)[:, 0]
        path = multinomial_log_e(first, np.full(52, 1 / 52), np.full(52, 10.0))
        stops.append(int(np.flatnonzero(path >= log(1000))[0]) + 1)
    assert 80 <= np.median(stops) <= 200


def test_prev_start_and_repeats_and_small_decks():
    assert 0 < watched("riffle:4", 30, start="prev", order=False).alarm <= 10
    forked = watched("forked:8", 160)
    assert 20 < forked.alarm <= 25 and forked.groups["repeated decks"] > log(1e9)
    assert watched("naive", 4000, n=6).alarm > 0
    assert watched("fisher-yates", 4000, n=6).alarm == 0


def test_cutting_a_stream_changes_nothing():
    decks = Generator("naive", 3).decks(200)
    whole, cut = Watcher(52, np.arange(52)), Watcher(52, np.arange(52))
    whole.add(decks)
    for deck in decks:
        cut.add(deck[None, :])
    assert cut.evidence() == whole.evidence()


def test_cells_hold_all_of_a_law():
    for name in ("rising", "fixed", "footrule", "parity"):
        law = laws.named_law(name, 52)
        cells, chances = cells_of(law, 1500)
        assert chances.sum() == pytest.approx(1.0) and cells.max() == len(chances) - 1


def test_odds_are_said_in_words():
    assert odds_text(0.0) == "no evidence"
    assert odds_text(log(40)) == "40:1"
    assert odds_text(log(1e9)) == "10^9:1"


@pytest.mark.slow
def test_false_alarms_over_long_streams():
    """3,000 perfect streams of 3,000 decks, looked at after every deck: alarms at 20:1 in at most 5 %, at 1000:1 in .1 %."""
    highest = np.array([watched("fisher-yates", 3000, seed).best for seed in range(3000)])
    assert (highest > log(20)).sum() <= 150 + 40
    assert (highest > log(1000)).sum() <= 3 + 8
