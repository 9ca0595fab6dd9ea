"""The rough check by packing Lehmer codes."""

from __future__ import annotations

from basra_sim.shuffles.battery.compression import compression_line, lehmer_codes
from basra_sim.shuffles.generators.built_in_shuffles import Generator


def test_lehmer_codes_and_compression():
    decks = Generator("fisher-yates", 4).decks(300)
    codes = lehmer_codes(decks)
    row = decks[3].tolist()
    assert codes[3].tolist() == [sum(later < card for later in row[i + 1 :]) for i, card in enumerate(row)]
    assert " (p = 0.01, " in compression_line(Generator("forked:8", 1).decks(300))
    assert " (p = 0.01, " not in compression_line(decks)
