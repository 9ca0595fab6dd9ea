"""Text of cards in the many ways people and programs write them, normalised and turned into atoms.

An atom is a card 0..51, a lone rank (RANK + r), a lone suit (SUIT + s), a JOKER, a KNIGHT, or a bad text.
"""

from __future__ import annotations

import re

RANK, SUIT, JOKER, KNIGHT = 100, 200, 300, 301

# invisible marks: BOM, zero-width, RTL/LTR and isolate marks, U+FE0F/FE0E variant selectors
_INVISIBLE = dict.fromkeys(
    [
        0xFEFF,
        0x200B,
        0x200C,
        0x200D,
        0x200E,
        0x200F,
        0x061C,
        0xFE0E,
        0xFE0F,
        *range(0x202A, 0x202F),
        *range(0x2066, 0x206A),
    ]
)
_DIGITS = {start + i: str(i) for start in (0x0660, 0x06F0) for i in range(10)}
_SPACES = dict.fromkeys([0x00A0, 0x2007, 0x202F, 0x3000, 0x060C, 0x061B], " ")  # with the Arabic comma and semicolon
_SYMBOLS = dict(zip(range(0x2660, 0x2668), "SHDCSHDC", strict=True))
# code points of suit blocks; rank nibble 1..14 with the Knight at 12
_UNICODE_RANKS = {**{i: i - 1 for i in range(1, 12)}, 13: 11, 14: 12}


def _unicode_cards() -> dict[int, str]:
    table = {}
    for start, suit in ((0x1F0A0, "S"), (0x1F0B0, "H"), (0x1F0C0, "D"), (0x1F0D0, "C")):
        for nibble, rank in _UNICODE_RANKS.items():
            table[start + nibble] = f" {'A23456789TJQK'[rank]}{suit} "
        table[start + 12] = " !KNIGHT "
    return table | dict.fromkeys([0x1F0BF, 0x1F0CF, 0x1F0DF], " JOKER ")


_TRANSLATE: dict[int, str | None] = {**_INVISIBLE, **_DIGITS, **_SPACES, **_SYMBOLS, **_unicode_cards()}

_MARK_WORDS = {
    "A": "ACE واحد آس اس أس",
    "2": "TWO DEUCE اثنين اثنان اتنين إتنين",
    "3": "THREE TREY ثلاثة تلاتة ثلاثه تلاته",
    "4": "FOUR أربعة اربعة اربعه أربعه",
    "5": "FIVE خمسة خمسه",
    "6": "SIX ستة سته",
    "7": "SEVEN سبعة سبعه",
    "8": "EIGHT ثمانية تمانية تمنية ثمانيه تمانيه",
    "9": "NINE تسعة تسعه",
    "10": "TEN عشرة عشره",
    "J": "JACK KNAVE ولد الولد",
    "Q": "QUEEN بنت البنت",
    "K": "KING شايب الشايب شيخ",
    "C": "CLUB CLUBS سباتي السباتي سباتى تريفل شريا",
    "D": "DIAMOND DIAMONDS ديناري الديناري دينارى دينار كارو كاروه ديمن",
    "H": "HEART HEARTS قلب قلوب القلب القلوب كوبة كوبه الكوبة كبة هاص",
    "S": "SPADE SPADES بستوني البستوني بستونى بيك سبيت",
}
_WORDS = {word: mark for mark, words in _MARK_WORDS.items() for word in words.split()}
_WORD = re.compile(r"[^\W\d_]+")
_OF = re.compile(r"\b(10|1[1-4]|[0-9TJQKA])[\s_-]*(?:OF|من)[\s_-]*(?:THE[\s_-]*)?([CDHS])(?![^\W\d_])")
_FIELDS = re.compile(r"\b(?:RANK|SUIT|VALUE|CARD|DECK)\s*[=:]\s*")
_NOTHING = str.maketrans("", "", "[](){}<>\"'`’“”")
_SEPARATORS = re.compile(r"[\s,;|/\\]+")
_PACKED = re.compile(r"(?:(?:10|[0-9TJQKA])[CDHS])+|(?:[CDHS](?:10|[0-9TJQKA]))+")
_IN_PACKED = re.compile(r"(10|[0-9TJQKA])([CDHS])")
_IN_PACKED_SUIT_FIRST = re.compile(r"([CDHS])(10|[0-9TJQKA])")
_RANK_FIRST = re.compile(r"(1[0-4]|[0-9TJQKA])([CDHS])")
_SUIT_FIRST = re.compile(r"([CDHS])(1[0-4]|[0-9TJQKA])")
_JOKER = re.compile(r"(?:JOKER|JK|JKR|XX|RJ|BJ|🃏)\d*")
_FIXED = {"A": 0, "10": 9, "T": 9, "J": 10, "11": 10, "Q": 11, "12": 11, "K": 12, "13": 12, "14": 0} | {
    str(i): i - 1 for i in range(2, 10)
}


def normalise(text: str) -> str:
    """One line with symbols, Unicode cards, words, Arabic digits and invisible marks turned into plain 7D-like text."""
    plain = text.isascii()
    if not plain:
        text = text.translate(_TRANSLATE)
    text = text.upper()
    if "=" in text or ":" in text:
        text = _FIELDS.sub(" ", text)
    if not plain or _WORD_LIKE.search(text):
        text = _WORD.sub(lambda match: _WORDS.get(match[0], match[0]), text)
        text = _OF.sub(r" \1\2 ", text)
    return text.translate(_NOTHING)


_BYTES = [(chr(code).encode(), (text or "").encode()) for code, text in _TRANSLATE.items()]


def plain_bytes(block: bytes) -> bytes:
    """UTF-8 with symbols, Unicode cards and invisible marks turned into plain text, for the compiled scan."""
    if not block.isascii():
        for mark, text in _BYTES:
            block = block.replace(mark, text)
    return block


_WORD_LIKE = re.compile(r"[A-Z]{3}")


class Vocabulary:
    """How the marks of one log are to be read; what "1" and "0" mean is settled by the ranks that were seen."""

    def __init__(self, marks: set[str]) -> None:
        """marks: rank marks seen in whole decks, such as {"A", "2", ..., "0", "J"}; empty means the usual."""
        self.marks = set(marks)
        self.ranks = dict(_FIXED)
        self.zero_based = {"0", "1", "10", "11", "12"} <= marks and not marks & {"A", "13", "14"}
        if self.zero_based:
            self.ranks = {str(i): i for i in range(13)}
        else:
            self.ranks["0"] = 9
            self.ranks["1"] = 9 if marks & {"A", "14"} and not marks & {"10", "T", "0"} else 0
        self.cache: dict[str, tuple[int | str, ...]] = {}

    def describe(self) -> str:
        """Words for what was not obvious: how the ten, the ace and numbered pictures are written."""
        if self.zero_based:
            return "ranks 0..12 from the ace"
        tens = [mark for mark in ("T", "10", "0", "1") if mark in self.marks and self.ranks[mark] == 9]
        said = [f"ten as {'/'.join(tens)}"] if tens else []
        if "1" in self.marks and self.ranks["1"] == 0:
            said.append("ace as 1")
        if "14" in self.marks:
            said.append("ace as 14")
        if "11" in self.marks:
            said.append("J Q K as 11 12 13")
        return ", ".join(said)

    def atoms(self, piece: str) -> tuple[int | str, ...]:
        """The atoms of one piece between separators; a text stands for what could not be read."""
        found = self.cache.get(piece)
        if found is None:
            found = self._read(piece)
            if len(self.cache) < 100_000:
                self.cache[piece] = found
        return found

    def _card(self, rank: str, suit: str) -> int:
        return self.ranks[rank] * 4 + "CDHS".index(suit) if rank in self.ranks else -1

    def _read(self, piece: str) -> tuple[int | str, ...]:
        if piece == "!KNIGHT":
            return (KNIGHT,)
        if _JOKER.fullmatch(piece):
            return (JOKER,)
        if piece in self.ranks:
            return (RANK + self.ranks[piece],)
        if piece in ("C", "D", "H", "S"):
            return (SUIT + "CDHS".index(piece),)
        if match := _RANK_FIRST.fullmatch(piece):
            return (self._card(match[1], match[2]),)
        if match := _SUIT_FIRST.fullmatch(piece):
            return (self._card(match[2], match[1]),)
        if _PACKED.fullmatch(piece):
            if piece[0] in "CDHS":
                return tuple(self._card(rank, suit) for suit, rank in _IN_PACKED_SUIT_FIRST.findall(piece))
            return tuple(self._card(rank, suit) for rank, suit in _IN_PACKED.findall(piece))
        return self._joined(piece)

    def _joined(self, piece: str) -> tuple[int | str, ...]:
        """Pieces with - _ : . inside: a card's own two halves (7-D) or cards in a row (7D-KS)."""
        bare = re.sub(r"[-_:.]+", "", piece)
        if not bare:
            return ()
        parts = [part for part in re.split(r"[-_:.]+", piece) if part]
        if bare != piece and len(parts) == 2 and (_RANK_FIRST.fullmatch(bare) or _SUIT_FIRST.fullmatch(bare)):
            return self._read(bare)
        if len(parts) > 1 or (parts and parts[0] != piece):
            return tuple(atom for part in parts for atom in self._read(part))
        return (piece,)


def pieces(text: str) -> list[str]:
    """The pieces of a normalised line between separators."""
    return [piece for piece in _SEPARATORS.split(text) if piece]


def join_halves(atoms: list[int | str]) -> list[int | str]:
    """Lone ranks and suits that stand in pairs ("7 D", "D 7") become cards when every half has its partner."""
    result: list[int | str] = []
    held: int | None = None
    for atom in atoms:
        if not isinstance(atom, int) or not RANK <= atom < JOKER:
            if held is not None:
                result.append(held)
                held = None
            result.append(atom)
        elif held is None:
            held = atom
        elif (held < SUIT) == (atom < SUIT):
            result.append(held)
            held = atom
        else:
            rank, suit = min(held, atom) - RANK, max(held, atom) - SUIT
            result.append(rank * 4 + suit)
            held = None
    if held is not None:
        result.append(held)
    return result


def rank_marks(text: str) -> list[str]:
    """The rank mark of every card in a normalised text, to settle what 0 and 1 mean."""
    marks: list[str] = []
    found = pieces(text)
    for place, piece in enumerate(found):
        bare = re.sub(r"[-_:.]+", "", piece)
        if match := _RANK_FIRST.fullmatch(bare):
            marks.append(match[1])
        elif match := _SUIT_FIRST.fullmatch(bare):
            marks.append(match[2])
        elif _PACKED.fullmatch(bare):
            marks += re.findall(r"10|[0-9TJQKA]", bare)
        elif re.fullmatch(r"1[0-4]|[0-9TJQKA]", bare) and found[place + 1 : place + 2] and found[place + 1] in "CDHS":
            marks.append(bare)
    return marks
