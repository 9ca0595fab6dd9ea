"""Every form of deck log that people have is recognised by itself and read to the same decks."""

from __future__ import annotations

import gzip
import io
import json
import sys
from pathlib import Path

import numpy as np
import pytest

from basra_sim.errors import BadInput
from basra_sim.game.cards import TEXTS
from basra_sim.shuffles.logs import read_decks

RANDOM = np.random.default_rng(20)
DECKS = [RANDOM.permutation(52).tolist() for _ in range(20)]
RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
SUITS, SYMBOLS = "CDHS", "♣♦♥♠"
ENGLISH = ["Ace", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten", "Jack", "Queen", "King"]
ENGLISH_SUITS = ["Clubs", "Diamonds", "Hearts", "Spades"]
ARABIC = ["آس", "اثنين", "ثلاثة", "أربعة", "خمسة", "ستة", "سبعة", "ثمانية", "تسعة", "عشرة", "ولد", "بنت", "شايب"]
ARABIC_SUITS = ["سباتي", "ديناري", "كوبة", "بستوني"]
API_RANKS = ["ACE", "2", "3", "4", "5", "6", "7", "8", "9", "10", "JACK", "QUEEN", "KING"]
TO_ARABIC = str.maketrans("0123456789", "٠١٢٣٤٥٦٧٨٩")
RED_OUTLINED = "♧♢♡♤"


def rank(card: int, ten: str = "10") -> str:
    return ten if card // 4 == 9 else RANKS[card // 4]


def unicode_card(card: int) -> str:
    """Built from the published code chart: blocks of 16 for spades, hearts, diamonds, clubs; C is the Knight."""
    block = {"S": 0x1F0A0, "H": 0x1F0B0, "D": 0x1F0C0, "C": 0x1F0D0}[SUITS[card % 4]]
    return chr(block + dict(zip(RANKS, [*range(1, 12), 0xD, 0xE], strict=True))[rank(card)])


def lines(one, between=" ", decks=DECKS, end="\n"):
    """One deck a line, each card written by `one`."""
    return end.join(between.join(one(card) for card in deck) for deck in decks) + end


CARD_FORMS = {
    "plain": lines(lambda c: TEXTS[c]),
    "no last newline": lines(lambda c: TEXTS[c])[:-1],
    "upper comma 10": lines(lambda c: rank(c) + SUITS[c % 4], ","),
    "CRLF, ten as 0": lines(lambda c: rank(c, "0") + SUITS[c % 4], end="\r\n"),
    "old Mac line ends": lines(lambda c: TEXTS[c], end="\r"),
    "ten as 1": lines(lambda c: rank(c, "1") + SUITS[c % 4]),
    "suit first": lines(lambda c: SUITS[c % 4] + rank(c)),
    "packed": lines(lambda c: TEXTS[c].upper(), ""),
    "packed, suit first": lines(lambda c: TEXTS[c].upper()[::-1], ""),
    "packed with 10": lines(lambda c: rank(c) + SUITS[c % 4], ""),
    "bracketed": lines(lambda c: f"{SUITS[c % 4]}[{rank(c)}]"),
    "symbols, BOM, FE0F": "\ufeff" + lines(lambda c: f"{rank(c)}{SYMBOLS[c % 4]}\ufe0f"),
    "outlined symbols": lines(lambda c: f"{rank(c)}{RED_OUTLINED[c % 4]}"),
    "Unicode cards": lines(unicode_card),
    "Unicode cards packed": lines(unicode_card, ""),
    "English": lines(lambda c: f"{ENGLISH[c // 4]} of {ENGLISH_SUITS[c % 4]}", ", "),
    "file names": lines(lambda c: f"{ENGLISH[c // 4]}_of_{ENGLISH_SUITS[c % 4]}".lower()),
    "Arabic names, RTL marks": lines(lambda c: f"\u200f{ARABIC[c // 4]} {ARABIC_SUITS[c % 4]}", "، "),
    "Arabic with min": lines(lambda c: f"{ARABIC[c // 4]} من {ARABIC_SUITS[c % 4]}", "، "),
    "Arabic-Indic digits": lines(lambda c: rank(c).translate(TO_ARABIC) + SYMBOLS[c % 4]),
    "Python lists": "\n".join(str([TEXTS[c] for c in deck]) for deck in DECKS),
    "Python tuples": "\n".join(str([(rank(c), SUITS[c % 4]) for c in deck]) for deck in DECKS),
    "dashes between": lines(lambda c: TEXTS[c], "-"),
    "dashes inside": lines(lambda c: f"{rank(c)}-{SUITS[c % 4]}", ","),
    "blanks inside": lines(lambda c: f"{rank(c)} {SUITS[c % 4]}", ", "),
    "ranks 1..13": lines(lambda c: f"{c // 4 + 1}{SUITS[c % 4]}"),
    "ranks 0..12": lines(lambda c: f"{c // 4}{SUITS[c % 4]}"),
    "ranks 2..14": lines(lambda c: f"{c // 4 + 1 if c // 4 else 14}{SUITS[c % 4]}"),
    "numbered lines": "\n".join(f"{i}: {lines(lambda c: TEXTS[c], decks=[d])[:-1]}" for i, d in enumerate(DECKS)),
    "named lines": "\n".join(f"Deck {i}: {lines(lambda c: TEXTS[c], decks=[d])[:-1]}" for i, d in enumerate(DECKS)),
    "one card a line": lines(lambda c: TEXTS[c], "\n"),
    "13 cards a line": "\n".join(
        "\n".join(" ".join(TEXTS[c] for c in deck[i : i + 13]) for i in range(0, 52, 13)) + "\n" for deck in DECKS
    ),
    "JSON": json.dumps([[TEXTS[c] for c in deck] for deck in DECKS]),
    "JSON, indented": json.dumps([[TEXTS[c] for c in deck] for deck in DECKS], indent=1),
    "JSON lines of deckofcardsapi": "\n".join(
        json.dumps(
            {
                "success": True,
                "deck_id": "3p40paa87x90",
                "cards": [
                    {
                        "code": rank(c, "0") + SUITS[c % 4],
                        "image": "https://x/y.png",
                        "value": API_RANKS[c // 4],
                        "suit": ENGLISH_SUITS[c % 4].upper(),
                    }
                    for c in deck
                ],
                "remaining": 0,
            }
        )
        for deck in DECKS
    ),
    "JSON nested": json.dumps(
        {
            "data": {
                "players": ["ann", "bob"],
                "games": [{"deck": [{"rank": c // 4 + 1, "suit": "cdhs"[c % 4]} for c in deck]} for deck in DECKS],
            }
        }
    ),
    "JSON pairs": json.dumps([[[rank(c), SUITS[c % 4]] for c in deck] for deck in DECKS]),
    "JSON packed": json.dumps(["".join(TEXTS[c] for c in deck) for deck in DECKS]),
    "JSON objects with text": "\n".join(json.dumps({"v": 1, "deck": " ".join(TEXTS[c] for c in deck)}) for deck in DECKS),
    "JSON, ace is 14": json.dumps(
        [[{"rank": str(c // 4 + 1 if c // 4 else 14), "suit": SUITS[c % 4]} for c in deck] for deck in DECKS]
    ),
    "CSV with header": ",".join(f"c{i}" for i in range(52)) + "\n" + lines(lambda c: TEXTS[c], ","),
    "CSV, index, semicolons": "game;"
    + ";".join(f"c{i}" for i in range(52))
    + "\n"
    + "\n".join(f"{i};" + ";".join(TEXTS[c] for c in deck) for i, deck in enumerate(DECKS)),
    "CSV, deck in a cell": "id,version,deck\n"
    + "\n".join(f'{i},2.{i // 10},"{",".join(TEXTS[c] for c in deck)}"' for i, deck in enumerate(DECKS)),
    "CSV, long": "game_id,pos,card\n"
    + "\n".join(f"{g},{i},{TEXTS[c]}" for g, deck in enumerate(DECKS) for i, c in enumerate(deck)),
    "CSV, long, unsorted": "game_id,pos,card\n"
    + "\n".join(f"{g},{i},{TEXTS[deck[i]]}" for g, deck in enumerate(DECKS) for i in reversed(range(52))),
    "CSV, long, no header": "\n".join(f"{g},{i + 1},{TEXTS[c]}" for g, deck in enumerate(DECKS) for i, c in enumerate(deck)),
    "CSV, long, rank and suit": "game,pos,rank,suit\n"
    + "\n".join(f"{g},{i},{c // 4 + 1},{ENGLISH_SUITS[c % 4]}" for g, deck in enumerate(DECKS) for i, c in enumerate(deck)),
    "CSV, places under card names": ",".join(TEXTS)
    + "\n"
    + "\n".join(",".join(str(deck.index(c)) for c in range(52)) for deck in DECKS),
}
INTEGER_FORMS = {
    "0..51": lines(str),
    "1..52 commas": lines(lambda c: str(c + 1), ","),
    "JSON integers": json.dumps(DECKS),
    "lines of lists": "\n".join(map(str, DECKS)),
    "index column": "\n".join(f"{i}," + ",".join(map(str, deck)) for i, deck in enumerate(DECKS)),
    "long": "deck,pos,card\n" + "\n".join(f"{g},{i},{c}" for g, deck in enumerate(DECKS) for i, c in enumerate(deck)),
    "tabs with header": "\t".join(f"c{i}" for i in range(52)) + "\n" + lines(str, "\t"),
    "one a line": lines(str, "\n"),
}


def write(folder: Path, text: str, encoding: str = "utf-8") -> str:
    path = folder / "decks.txt"
    path.write_text(text, encoding=encoding, newline="")
    return str(path)


@pytest.mark.parametrize("form", CARD_FORMS)
def test_a_form_of_cards_is_read(form: str, tmp_path: Path) -> None:
    log = read_decks(write(tmp_path, CARD_FORMS[form]))
    assert log.all().tolist() == DECKS
    assert log.rejected == 0
    assert log.faces_known


@pytest.mark.parametrize("form", INTEGER_FORMS)
def test_a_form_of_integers_is_read(form: str, tmp_path: Path) -> None:
    log = read_decks(write(tmp_path, INTEGER_FORMS[form]))
    assert log.all().tolist() == DECKS
    assert log.rejected == 0
    assert not log.faces_known
    assert "unknown mapping" in log.mapping


def test_a_map_gives_integers_their_faces(tmp_path: Path) -> None:
    log = read_decks(write(tmp_path, lines(str)), mapping="SHDC-A2K")
    spades_first = [TEXTS.index(r + s) for s in "shdc" for r in "A23456789TJQK"]
    assert log.all().tolist() == [[spades_first[c] for c in deck] for deck in DECKS]
    assert log.faces_known


@pytest.mark.parametrize(("encoding", "said"), [("utf-16", "UTF-16"), ("utf-8-sig", "BOM")])
def test_encodings_of_windows_programs(encoding: str, said: str, tmp_path: Path) -> None:
    log = read_decks(write(tmp_path, CARD_FORMS["plain"], encoding))
    assert log.all().tolist() == DECKS
    assert said in " ".join(log.notes)


def test_gzip(tmp_path: Path) -> None:
    path = tmp_path / "decks.txt.gz"
    path.write_bytes(gzip.compress(CARD_FORMS["plain"].encode()))
    assert read_decks(str(path)).all().tolist() == DECKS


def test_what_was_understood_is_said(tmp_path: Path) -> None:
    log = read_decks(write(tmp_path, CARD_FORMS["CRLF, ten as 0"]))
    assert "ten as 0" in log.mapping
    log = read_decks(write(tmp_path, CARD_FORMS["CSV, long"]))
    assert "places by column 2" in log.format


def test_a_file_can_be_read_twice_and_counts_start_again(tmp_path: Path) -> None:
    log = read_decks(write(tmp_path, CARD_FORMS["plain"] + "7d\n"))
    for _ in range(2):
        assert sum(map(len, log.chunks())) == 20
        assert (log.decks_read, log.rejected) == (20, 1)


def test_standard_input_is_read_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with open(write(tmp_path, CARD_FORMS["plain"]), "rb") as stream:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(stream))
        log = read_decks("-")
        assert log.all().tolist() == DECKS
        with pytest.raises(BadInput, match="only once"):
            log.all()


def test_the_values_of_a_column_come_with_the_decks(tmp_path: Path) -> None:
    path = write(tmp_path, CARD_FORMS["CSV, deck in a cell"])
    blocks = list(read_decks(path, by="Version").labelled_chunks())
    assert blocks[0][1] == ["2.0"] * 10 + ["2.1"] * 10
    with pytest.raises(BadInput, match="did you mean version"):
        read_decks(path, by="versio")
    with pytest.raises(BadInput, match="no columns"):
        read_decks(write(tmp_path, CARD_FORMS["plain"]), by="version")


@pytest.mark.parametrize("values", [("1.0", "2.0"), ("2", "3"), ("1.0.3", "2.0.11"), ("3d", "7h"), ("10:05", "12:11")])
def test_a_column_that_looks_like_half_a_card_is_no_card(values: tuple[str, str], tmp_path: Path) -> None:
    """A version, a time or a build before 52 card columns: left out of the deck, and still there for --by."""
    rows = [f"{i},{values[i // 10]}," + ",".join(TEXTS[c] for c in deck) for i, deck in enumerate(DECKS)]
    path = write(tmp_path, "game,version," + ",".join(f"c{i}" for i in range(52)) + "\n" + "\n".join(rows) + "\n")
    blocks = list(read_decks(path, by="version").labelled_chunks())
    assert blocks[0][0].tolist() == DECKS
    assert blocks[0][1] == [values[0]] * 10 + [values[1]] * 10
    log = read_decks(path)
    assert log.all().tolist() == DECKS and log.rejected == 0


def test_the_values_of_a_json_key_come_with_the_decks(tmp_path: Path) -> None:
    text = "\n".join(json.dumps({"app": f"1.{i // 10}", "cards": [TEXTS[c] for c in d]}) for i, d in enumerate(DECKS))
    assert next(read_decks(write(tmp_path, text), by="app").labelled_chunks())[1] == ["1.0"] * 10 + ["1.1"] * 10


@pytest.mark.parametrize("repeats", [1, 400])
def test_blocks_and_the_careful_twin_agree_across_block_borders(
    repeats: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The compiled scan and the slow reader, bad lines among them, small blocks: same decks, same line numbers."""
    monkeypatch.setattr("basra_sim.shuffles.logs.byte_blocks.BLOCK", 1000)
    monkeypatch.setattr("basra_sim.shuffles.logs.byte_blocks.HEAD", 3000)
    mixed = CARD_FORMS["plain"] + "7d 7d\n\n# note\n" + CARD_FORMS["upper comma 10"] + "foo\n"
    log = read_decks(write(tmp_path, mixed * repeats))
    assert log.all().tolist() == (DECKS + DECKS) * repeats
    assert log.rejected == 2 * repeats
    assert [r.line for r in log.reasons[:4]] == [21, 44, 65, 88][: 2 * repeats]


@pytest.mark.parametrize(
    ("text", "size", "decks", "symbols"),
    [
        ("0 1\n1 0\n1 0\n", 2, [[0, 1], [1, 0], [1, 0]], ["0", "1"]),
        ("[[0,1],[1,0]]", 2, [[0, 1], [1, 0]], ["0", "1"]),
        ("1,2,3\n3,1,2\n", 3, [[0, 1, 2], [2, 0, 1]], ["1", "2", "3"]),
        ("B A C\nC B A\n", 3, [[1, 0, 2], [2, 1, 0]], ["A", "B", "C"]),
        ("ABC\nCAB\n", 3, [[0, 1, 2], [2, 0, 1]], ["A", "B", "C"]),
        ("IE,Opera,Safari\nOpera,Safari,IE\n", 3, [[0, 1, 2], [1, 2, 0]], ["IE", "Opera", "Safari"]),
        ("7d Ks Ah\nKs 7d Ah\n", 3, [[1, 2, 0], [2, 1, 0]], ["Ah", "7d", "Ks"]),
    ],
)
def test_small_packs(text: str, size: int, decks: list[list[int]], symbols: list[str], tmp_path: Path) -> None:
    log = read_decks(write(tmp_path, text), deck_size=size)
    assert log.all().tolist() == decks
    assert log.symbols == symbols
    assert not log.faces_known
