"""Bad deck logs: each a clear finding with its line number, never a traceback, never a line silently left out."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from basra_sim.errors import BadInput
from basra_sim.game.cards import TEXTS
from basra_sim.shuffles.logs import read_decks

RANDOM = np.random.default_rng(21)
DECKS = [RANDOM.permutation(52).tolist() for _ in range(20)]
PLAIN = [" ".join(TEXTS[c] for c in deck) for deck in DECKS]
NUMBERS = [" ".join(map(str, deck)) for deck in DECKS]


def write(folder: Path, text: str, encoding: str = "utf-8") -> str:
    path = folder / "decks.txt"
    path.write_text(text, encoding=encoding, newline="")
    return str(path)


def with_line_4(line: str) -> str:
    return "\n".join([*PLAIN[:3], line, *PLAIN[4:]]) + "\n"


def knight_deck(deck: list[int]) -> str:
    """Unicode cards by a program that counts on from the Jack: its Queens are Knights, its Kings Queens."""
    blocks = (0x1F0D0, 0x1F0C0, 0x1F0B0, 0x1F0A0)
    return " ".join(chr(blocks[c % 4] + c // 4 + 1) for c in deck)


ONE_BAD = {
    "51 cards": (with_line_4(PLAIN[3][:-3]), f"line 4: 51 cards instead of 52, {PLAIN[3][-2:]} missing"),
    "a double": (with_line_4(PLAIN[3].replace("7d", "Ks")), "line 4: Ks more than once, 7d missing"),
    "a joker": (with_line_4(PLAIN[3].replace("7d", "Joker")), "line 4: 52 cards with 1 joker"),
    "53 cards": (with_line_4(PLAIN[3] + " 7d"), "line 4: 53 cards instead of 52, 7d more than once"),
    "54 cards": (with_line_4(PLAIN[3] + " RJ BJ"), "line 4: 54 cards with 2 joker"),
    "no card": (with_line_4(PLAIN[3].replace("7d", "7x")), "line 4: '7X' is no card (51 cards beside it)"),
    "words": (with_line_4("the server was restarted"), "line 4: no card in 'the server was restarted'"),
    "mixed forms": (with_line_4(NUMBERS[3]), "line 4: numbers in a log of cards (mixed forms in one log)"),
    "half a card": (with_line_4(PLAIN[3].replace("7d", "7")), "line 4: 1 rank(s) or suit(s) without the other half"),
    "last line cut off": ("\n".join(PLAIN)[:-40], "line 20: the last line is cut off ("),
    "not UTF-8": (with_line_4("caf\udce9"), "line 4: no card in 'caf"),
    "mixed integers": ("\n".join([*NUMBERS[:3], PLAIN[3], *NUMBERS[4:]]), "line 4: cards in a log of integers"),
    "integer twice": (
        "\n".join([*NUMBERS[:3], " ".join(map(str, [*DECKS[3][:-1], DECKS[3][0]])), *NUMBERS[4:]]),
        f"line 4: {DECKS[3][0]} more than once, {DECKS[3][-1]} missing",
    ),
    "JSON cut off": (json.dumps([[TEXTS[c] for c in d] for d in DECKS])[:-100], "the JSON is cut off or broken"),
    "JSON with 51": ("\n".join(json.dumps([TEXTS[c] for c in d[(i == 3) :]]) for i, d in enumerate(DECKS)), "line 4: 51 cards"),
    "CSV cell with 50": (
        "id,deck\n" + "\n".join(f'{i},"{" ".join(TEXTS[c] for c in d[2 * (i == 2) :])}"' for i, d in enumerate(DECKS)),
        "line 4: 50 cards instead of 52",
    ),
    "long form, one row missing": (
        "game,pos,card\n"
        + "\n".join(f"{g},{i},{TEXTS[c]}" for g, d in enumerate(DECKS) for i, c in enumerate(d) if (g, i) != (3, 7)),
        f"line 158: the deck that starts here: 51 cards instead of 52, {TEXTS[DECKS[3][7]]} missing",
    ),
    "long form, one place twice": (
        "game,pos,card\n"
        + "\n".join(f"{g},{7 if (g, i) == (3, 8) else i},{TEXTS[c]}" for g, d in enumerate(DECKS) for i, c in enumerate(d)),
        "line 158: the deck that starts here: place 7 is given more than once",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", ONE_BAD)
def test_one_bad_deck_is_counted_with_its_line_and_reason(case: str, tmp_path: Path) -> None:
    text, reason = ONE_BAD[case]
    path = tmp_path / "decks.txt"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    log = read_decks(str(path))
    read = sum(map(len, log.chunks()))
    assert (read, log.rejected) == ((20, 1) if case in ("words", "not UTF-8") and text.count("\n") > 20 else (19, 1))
    assert reason in str(log.reasons[0])
    assert "1 rejected" in " ".join(log.describe())
    with pytest.raises(BadInput, match="--strict"):
        list(read_decks(str(path), strict=True).chunks())


WHOLLY_BAD = {
    "empty": ("", "is empty: no decks"),
    "blank lines": ("\n \n\n", "is empty: no decks"),
    "only comments": ("# nothing\n", "only comments"),
    "51 in each": ("\n".join(line[:-3] for line in PLAIN), "line 1: 51 cards instead of 52"),
    "54 in each": ("\n".join(line + " Joker Joker" for line in PLAIN), "line 1: 54 cards with 2 joker"),
    "Knights": ("\n".join(map(knight_deck, DECKS)), "Knight(s) among the cards"),
    "54 integers": ("\n".join(line + " 52 53" for line in NUMBERS), "begins with 54 integers: a deck of 52 has each of 0..51"),
    "prose": ("hello world\nfoo bar\n", "line 1: no card in 'hello world'"),
    "JSON of something else": ('{"a": [1, 2, 3]}', "without any list of 52 cards"),
    "JSON of 51": (json.dumps([[TEXTS[c] for c in d[1:]] for d in DECKS]), "51 cards instead of 52"),
    "binary": ("abc\0def", "binary data"),
    "Excel": ("PK\x03\x04xyz", "Excel"),
    "PBN": ('[Event "Club"]\n[Deal "N:A764.AK4.A8.J832 K.Q.J.T"]\n', "bridge PBN file: it holds sorted hands"),
    "LIN": ("pn|a,b,c,d|st||md|3S269H2568D9TC2,S4|sv|o|\n", "bridge LIN file"),
    "poker": ("PokerStars Hand #12: Hold'em No Limit\nSeat 1: x\n", "poker hand history"),
}


@pytest.mark.parametrize("case", WHOLLY_BAD)
def test_a_log_without_a_deck_says_why_in_one_line(case: str, tmp_path: Path) -> None:
    text, reason = WHOLLY_BAD[case]
    with pytest.raises(BadInput) as caught:
        list(read_decks(write(tmp_path, text)).chunks())
    assert reason in str(caught.value)
    assert "\n" not in str(caught.value)
    assert "decks.txt" in str(caught.value)


def test_headers_comments_and_blank_lines_are_noted_not_rejected(tmp_path: Path) -> None:
    text = "the decks of my app\n# version 3\n\n" + "\n".join(PLAIN) + "\n"
    log = read_decks(write(tmp_path, text))
    assert log.all().tolist() == DECKS
    assert log.rejected == 0
    assert "line 1 holds no card and was taken as a header" in " ".join(log.notes)
    assert "1 comment line(s)" in " ".join(log.notes)


def test_only_the_first_reasons_are_kept_but_all_are_counted(tmp_path: Path) -> None:
    text = "\n".join(line if i % 2 else line[:-3] for i, line in enumerate(PLAIN * 10)) + "\n"
    log = read_decks(write(tmp_path, text))
    assert sum(map(len, log.chunks())) == log.rejected == 100
    assert len(log.reasons) == 8
    assert "... and 92 more" in log.describe()


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({"format": "tokens"}, "no format 'tokens'"),
        ({"mapping": "SHDC-A2K"}, "--map is for integers"),
        ({"deck_size": 60}, "2 to 52 cards"),
        ({"format": "json"}, "in --format json"),
        ({"deck_size": 5}, "holds no deck of 5 cards"),
    ],
)
def test_wrong_options(arguments: dict, reason: str, tmp_path: Path) -> None:
    with pytest.raises(BadInput) as caught:
        list(read_decks(write(tmp_path, "\n".join(PLAIN)), **arguments).chunks())
    assert reason in str(caught.value)


def test_what_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="there is no file"):
        read_decks(str(tmp_path / "none.txt"))
    with pytest.raises(BadInput, match="is a folder"):
        read_decks(str(tmp_path))
    with pytest.raises(BadInput, match="is no order of the pack"):
        read_decks(write(tmp_path, "\n".join(NUMBERS)), mapping="abc")
