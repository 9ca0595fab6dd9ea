"""The floor table against the readable captures: every floor that can be reached x every card that may be played on it.

A counted floor is realised in exact cards: one choice of suits for each, several where some cards of a rank stay.
"""

from __future__ import annotations

import lzma
from typing import NamedTuple

import numpy as np
import pytest
from judging import V2

from basra_sim.engine.floor_table import kept_tables as table
from basra_sim.engine.floor_table.floor_builder import build_table
from basra_sim.engine.floor_table.floors import KOMI_BIT, KOMI_CLASS, LOOK, FloorTable, class_of, floor_classes, ready
from basra_sim.engine.floor_table.kept_tables import load_table
from basra_sim.engine.jit.compiling import JIT_ON, kernel
from basra_sim.engine.layouts import CLASSES, RULES
from basra_sim.engine.sight import Lookup
from basra_sim.engine.view_helpers import Floor, play_on
from basra_sim.game import captures
from basra_sim.game.cards import KOMI, card_text, set_text
from basra_sim.game.rule_files import load_rules
from basra_sim.game.rules import PRESETS, RuleSet, kind_points

pytestmark = pytest.mark.skipif(not JIT_ON, reason="a million plays, and play_on is the readable code itself without JIT")


class Seen(NamedTuple):
    lookup: Lookup


@kernel
def play_each(rows, floors, cards, base, codes, rules, result):
    """What a strategy is told of each play: kind, points, cards taken, the floor left and its row."""
    for k in range(len(rows)):
        view = Seen(Lookup(rows[k], base, codes, rules))
        what = play_on(view, Floor(floors[k], rows[k]), cards[k])
        result[k, 0] = what.kind
        result[k, 1] = what.points
        result[k, 2] = what.taken
        result[k, 3] = what.floor.cards
        result[k, 4] = what.floor.row


def told(rules: RuleSet, made: FloorTable, row_numbers, floors, cards) -> np.ndarray:
    """`play_each` on rows given by number; the last column is the number of the row after the play."""
    words = np.zeros(RULES.itemsize // 8, np.int64)
    words[4:7] = kind_points(rules)[3:]
    addresses = made.base + 64 * np.asarray(row_numbers, np.int64)
    result = np.zeros((len(addresses), 5), np.int64)
    play_each(
        addresses, np.asarray(floors, np.int64), np.asarray(cards, np.int64), made.base, made.codes.ctypes.data,
        words.ctypes.data, result,
    )  # fmt: skip
    result[:, 4] = (result[:, 4] - made.base) // 64
    return result


def codes_of(rules: RuleSet, floors) -> np.ndarray:
    """The counted floors of exact cards."""
    cards = np.asarray(floors, np.int64)
    apart = 1 << KOMI if rules.komi_on_floor == "any" else 0
    codes = np.where(cards & apart, KOMI_BIT, 0)
    for rank in range(13):
        codes += np.bitwise_count((cards & ~apart) >> (4 * rank) & 0xF).astype(np.int64) << (3 * rank)
    return codes


def ranks_present(rules: RuleSet, floors) -> np.ndarray:
    """All cards whose rank lies on a floor, the komi a rank of its own where any card captures it."""
    cards = np.asarray(floors, np.int64)
    apart = 1 << KOMI if rules.komi_on_floor == "any" else 0
    present = cards & apart
    for rank in range(13):
        four = 0xF << (4 * rank) & ~apart
        present |= np.where(cards & four, four, 0)
    return present


def realised(rules: RuleSet, code: int, draw: int) -> int:
    """Exact cards that count to this code; `draw` chooses the suits."""
    floor = 0
    merged = rules.komi_on_floor == "seven"
    for rank in range(13):
        count = code >> (3 * rank) & 7
        suits = [0, 2, 3] if rank == 6 and not merged else [0, 1, 2, 3]
        for _ in range(count):
            place = (draw >> (2 * rank)) % len(suits)
            floor |= 1 << (4 * rank + suits.pop(place))
    return floor | (1 << KOMI if code & KOMI_BIT else 0)


def card_for(floor: int, card_class: int, draw: int) -> int | None:
    """A card of a class that does not lie on the floor."""
    if card_class == KOMI_CLASS:
        return None if floor >> KOMI & 1 else KOMI
    cards = [c for c in range(4 * card_class, 4 * card_class + 4) if c != KOMI and not floor >> c & 1]
    return cards[draw % len(cards)] if cards else None


def check_rows(rules: RuleSet, made: FloorTable, row_numbers, *, more: int = 2) -> int:
    """Play every class on these rows and compare all; returns the plays compared."""
    numbers, floors, cards = [], [], []
    looks = made.rows[1:, :CLASSES] & LOOK != 0
    # floors alike but for jacks, queens and kings one after the other: the readable code keeps the sums it has found
    for number in sorted(row_numbers, key=lambda n: int(made.codes[n]) & ((1 << 30) - 1)):
        code = int(made.codes[number])
        draws = [(code & ((1 << 30) - 1)) * 0x9E3779B97F4A7C15 >> 20]
        draws += [draws[0] * (2 * extra + 3) >> 7 for extra in range(more)] if looks[number].any() else []
        for draw in draws:
            floor = realised(rules, code, draw)
            for card_class in range(CLASSES):
                card = card_for(floor, card_class, draw)
                if card is not None and (draw is draws[0] or looks[number, card_class]):
                    numbers.append(number)
                    floors.append(floor)
                    cards.append(card)
    result = told(rules, made, numbers, floors, cards)
    points, play = kind_points(rules), captures.play.__wrapped__
    left = []
    for floor, card, (kind, scored, count, after, _) in zip(floors, cards, result.tolist(), strict=True):
        wanted = play(rules, floor, card)
        left.append(floor & ~wanted.taken if wanted.taken else floor | 1 << card)
        if (kind, scored, count, after) != (wanted.kind, points[wanted.kind], wanted.taken.bit_count(), left[-1]):
            raise AssertionError(f"{card_text(card)} on {set_text(floor)} under {rules.name}: {kind, scored, count}, {wanted}")
    assert np.array_equal(made.codes[result[:, 4]], codes_of(rules, left))
    present = made.rows[1:, 14:].copy().view(np.int64).ravel()
    assert np.array_equal(present[result[:, 4]], ranks_present(rules, left))
    return len(floors)


TABLES = {table.table_key(rules): (name, rules) for name, rules in reversed(PRESETS.items())}
OTHER_RULES = (
    "jack_basra=all_jacks komi_basra=never komi_on_lone_jack=basra jack_on_lone_komi=basra",
    "komi_on_floor=seven jack_on_lone_komi=jack_basra jack_basra=all_jacks komi_basra=sum_le_10",
    "komi_on_floor=seven jack_on_lone_komi=basra komi_basra=any floor_banned=none",
    "komi_power=none komi_basra=never komi_on_lone_jack=none floor_banned=none jack_on_lone_komi=none",
)


def sample(made: FloorTable, count: int) -> list[int]:
    """The rows that are met most, and others evenly from the rest."""
    step = max(1, len(made.codes) // count)
    return sorted({*range(min(count // 2, len(made.codes))), *range(0, len(made.codes), 2 * step)})


def test_every_row_of_the_default_table():
    made = load_table(V2)
    assert check_rows(V2, made, range(len(made.codes))) > 1_300_000


@pytest.mark.parametrize(("name", "rules"), TABLES.values(), ids=[name for name, _ in TABLES.values()])
def test_a_sample_of_each_presets_table(name, rules):
    made = load_table(rules)
    assert check_rows(rules, made, sample(made, 2000)) > 20_000


@pytest.mark.parametrize("settings", OTHER_RULES)
def test_a_sample_of_other_tables(settings):
    rules = load_rules("egyptian-v2", settings.split())
    made = ready(build_table(rules))
    assert check_rows(rules, made, sample(made, 1000)) > 10_000


@pytest.mark.slow
@pytest.mark.parametrize(("name", "rules"), TABLES.values(), ids=[name for name, _ in TABLES.values()])
def test_every_row_of_each_presets_table(name, rules):
    made = load_table(rules)
    assert check_rows(rules, made, range(len(made.codes))) > 1_000_000


@pytest.mark.slow
@pytest.mark.parametrize("settings", OTHER_RULES)
def test_every_row_of_other_tables(settings):
    rules = load_rules("egyptian-v2", settings.split())
    made = ready(build_table(rules))
    assert check_rows(rules, made, range(len(made.codes)), more=1) > 500_000


def test_the_default_table_has_every_floor():
    """106,657 floors can be reached under the default rules: a count found by another program."""
    assert len(load_table(V2).codes) == 106_657


def test_the_shipped_table_is_what_the_builder_builds():
    built, shipped = build_table(V2), table.read_shipped(table.table_key(V2))
    assert shipped is not None
    for name in ("codes", "starts", "pairs"):
        assert np.array_equal(getattr(built, name), getattr(shipped, name)), name
    assert np.array_equal(built.rows[1:], shipped.rows[1:])
    assert np.array_equal(built.rows[0, :2], shipped.rows[0, :2])


@pytest.mark.slow
def test_the_file_of_the_shipped_table_is_made_again_byte_for_byte(tmp_path):
    """Compared unpacked: another liblzma may pack the same table otherwise, and Python does not tell which one it has."""
    table.write_shipped(V2, tmp_path / "floors.xz")
    made, kept = (lzma.decompress(path.read_bytes()) for path in (tmp_path / "floors.xz", table.SHIPPED))
    assert made == kept, "if that was meant, run `make floor-table`"


@pytest.mark.parametrize(("name", "rules"), TABLES.values(), ids=[name for name, _ in TABLES.values()])
def test_first_floors(name, rules):
    """The row of any four cards that may be turned up, in any order, is that of their counted floor."""
    made, draw = load_table(rules), np.random.default_rng(1)
    allowed = [card for card in range(52) if class_of(card) in floor_classes(rules)]
    for _ in range(3000):
        four = draw.choice(allowed, 4, replace=False).tolist()
        row = made.start([class_of(card) for card in four])
        assert made.codes[row] == codes_of(rules, sum(1 << card for card in four))


def test_a_table_cut_short_in_the_cache_is_built_again(tmp_path, monkeypatch):
    monkeypatch.setattr(table, "cache_folder", lambda: tmp_path)
    monkeypatch.setattr(table, "_TABLES", {})
    key = table.table_key(V2)
    path = tmp_path / f"floors-{key}.npz"
    whole = load_table(V2)
    content = path.read_bytes()
    for broken in (content[: len(content) // 2], b"", b"no table at all"):
        path.write_bytes(broken)
        table._TABLES.clear()
        assert np.array_equal(load_table(V2).codes, whole.codes)
        assert path.read_bytes() == content
