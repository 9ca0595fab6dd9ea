"""Rule sets: every house rule is a field of one frozen RuleSet; a preset is a named value of it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from enum import IntEnum
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

from basra_sim.errors import BadInput, nearest

from .options import OPTIONS, CardPoints, card_points_key, value_text


class Kind(IntEnum):
    """What a ply is: only the last three score."""

    LAY = 0
    CAPTURE = 1
    SWEEP = 2
    BASRA = 3
    KOMI_BASRA = 4
    JACK_BASRA = 5

    @property
    def text(self) -> str:
        """``Kind.JACK_BASRA -> "jack_basra"``."""
        return self.name.lower()


@dataclass(frozen=True)
class RuleSet:
    """The rules of a game of Basra, all options of the rules page; the defaults are the preset egyptian-v2.

    Making one checks it: BadInput names the option that is wrong and what is allowed. Hashable; equal rules have equal
    hashes and digests, in every process.
    """

    target: int = 101
    single_round: bool = False
    majority_points: int = 30
    majority_tie: str = "none"
    basra_points: int = 10
    komi_basra_points: int = 10
    jack_basra_points: int = 30
    jack_basra: str = "lone_jack"
    komi_power: str = "sweep"
    komi_basra: str = "wild"
    komi_on_lone_jack: str = "jack_basra"
    jack_on_lone_komi: str = "jack_basra"
    komi_on_floor: str = "any"
    floor_banned: str = "jacks_and_komi"
    floor_ban_action: str = "bottom"
    card_points: Mapping[str, int] = field(default_factory=CardPoints)
    first_dealer: str = "random"
    dealer_rotation: str = "alternate"

    # option -> its named values; the index of a value is its code in kernels
    CHOICES: ClassVar[dict[str, tuple[str, ...]]] = {n: o.choices for n, o in OPTIONS.items() if o.choices}

    def __post_init__(self) -> None:
        for name, option in OPTIONS.items():
            object.__setattr__(self, name, option.check(getattr(self, name)))
        _refuse_contradictions(self)

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        # not hash(str): that differs from process to process, and this value is pickled with the object
        return int(self.digest()[:15], 16)

    @cached_property
    def name(self) -> str:
        """The preset's name, or the nearest preset and what differs: "egyptian-v2 with target=51"."""
        base = min(PRESETS, key=lambda preset: len(self.differences(PRESETS[preset])))
        changes = [f"{option}={value_text(value)}" for option, value in self.differences(PRESETS[base]).items()]
        return base + (f" with {' '.join(changes)}" if changes else "")

    def differences(self, other: RuleSet) -> dict[str, Any]:
        """The options in which this differs from the other rule set, with this one's values."""
        return {name: getattr(self, name) for name in OPTIONS if getattr(self, name) != getattr(other, name)}

    def code(self, option: str) -> int:
        """The integer of an option for kernels: its number, or the index of its value in CHOICES."""
        value = getattr(self, option)
        return value if option not in self.CHOICES else self.CHOICES[option].index(value_text(value))

    def points_of_cards(self) -> tuple[int, ...]:
        """Points of each of the 52 cards in a pile."""
        return self._points_of_cards

    @cached_property
    def _points_of_cards(self) -> tuple[int, ...]:
        return CardPoints(self.card_points).by_card()  # kept: plain strategies ask for it at every card they think of

    def to_dict(self) -> dict[str, Any]:
        """All options as plain values that JSON and TOML can hold; ``RuleSet(**rules.to_dict()) == rules``."""
        values = {option.name: getattr(self, option.name) for option in fields(self)}
        return values | {"card_points": dict(self.card_points)}

    def canonical_text(self) -> str:
        """The rules as sorted JSON, the same for equal rules."""
        return json.dumps(self.to_dict(), sort_keys=True, separators=(",", ":"))

    def digest(self) -> str:
        """SHA-256 of the canonical text, in hexadecimal."""
        return hashlib.sha256(self.canonical_text().encode()).hexdigest()


def kind_points(rules: RuleSet) -> tuple[int, int, int, int, int, int]:
    """Points at once of each Kind, indexed by it."""
    return (0, 0, 0, rules.basra_points, rules.komi_basra_points, rules.jack_basra_points)


def scoring_kinds(rules: RuleSet) -> set[Kind]:
    """The kinds of basra that can happen at all under these rules."""
    kinds = {Kind.BASRA}
    if rules.komi_basra != "never" or rules.komi_on_lone_jack == "basra":
        kinds.add(Kind.KOMI_BASRA)
    if "jack_basra" in (rules.komi_on_lone_jack, rules.jack_on_lone_komi) or rules.jack_basra != "never":
        kinds.add(Kind.JACK_BASRA)
    return kinds


def _refuse_contradictions(rules: RuleSet) -> None:
    if rules.komi_power == "none" and rules.komi_basra != "never":
        raise BadInput(
            f"komi_basra={rules.komi_basra} contradicts komi_power=none: a plain 7 scores as any 7 does; set komi_basra=never"
        )
    if rules.komi_power == "none" and rules.komi_on_lone_jack != "none":
        raise BadInput(
            f"komi_on_lone_jack={rules.komi_on_lone_jack} contradicts komi_power=none: a plain 7 takes no jack; "
            "set komi_on_lone_jack=none"
        )
    if rules.majority_points == 0 and rules.majority_tie != "none":
        raise BadInput(
            f"majority_tie={rules.majority_tie} contradicts majority_points=0: there is nothing to give; set majority_tie=none"
        )
    scores = kind_points(rules)
    if not rules.majority_points and not rules.card_points and not any(scores[kind] for kind in scoring_kinds(rules)):
        raise BadInput(
            "no point can ever be scored under these rules; "
            "give majority_points, card_points or the points of a basra that can happen a value above 0"
        )


_PAGAT = RuleSet(
    majority_points=3,
    card_points={"J": 1, "A": 1, "2c": 2, "Td": 3},
    jack_basra="never",
    komi_basra="sum_le_10",
    komi_on_lone_jack="none",
    komi_on_floor="seven",
    jack_on_lone_komi="none",
)
PRESETS: dict[str, RuleSet] = {
    "egyptian-v2": RuleSet(),
    "egyptian-v1": RuleSet(jack_basra_points=10),
    "cafe": RuleSet(
        jack_basra_points=20,
        komi_basra="single_card",
        komi_on_lone_jack="basra",
        komi_on_floor="seven",
        jack_on_lone_komi="none",
        floor_ban_action="random",
    ),
    "pagat": _PAGAT,
    "jawaker": replace(_PAGAT, majority_points=30, floor_ban_action="random"),
    "lebanese": replace(_PAGAT, komi_power="none", komi_basra="never", floor_banned="jacks"),
}
PRESET_SUMMARIES: dict[str, str] = {
    "egyptian-v2": "Egyptian Basra v2, the default: wild komi, jack basra 30",
    "egyptian-v1": "the forerunner of v2: jack basra 10",
    "cafe": "as in cafes: the komi scores on one card only and lies as a plain 7; jack basra 20",
    "pagat": "with points for jacks, aces, 2c and Td; majority 3; jacks never score a basra",
    "jawaker": "as pagat with majority 30; banned cards go back at random",
    "lebanese": "as pagat with the komi a plain 7, also in the first floor",
}


def load_rules(spec: str, settings: Sequence[str] = ()) -> RuleSet:
    """A rule set from a preset's name or a TOML file, changed by settings ``OPTION=VALUE``.

    The file holds options by name, may start from ``preset = "..."`` (egyptian-v2 unless said) and may hold a table
    ``[card_points]``. A setting ``card_points.J=1`` changes one entry, ``card_points=J:1,2c:2`` all of them.
    Everything is checked together at the end, so settings may be given in any order. Raises BadInput.
    """
    values = _preset_or_file(spec)
    given: set[str] = set()
    for setting in settings:
        name, equals, text = setting.partition("=")
        name = name.strip()
        if not equals:
            raise BadInput(f"'{setting}' sets nothing; write OPTION=VALUE, such as target=51")
        option, _, entry = name.partition(".")
        option = option.lower().replace("-", "_")
        name = f"card_points.{card_points_key(entry)}" if entry and option == "card_points" else option
        _refuse_unknown(option if not entry or option == "card_points" else f"{option}.{entry}", "")
        if name in given:
            raise BadInput(f"{name} is set twice")
        given.add(name)
        if "." in name:
            values["card_points"] = {**values["card_points"], **_one_entry(name, text)}
        else:
            values[option] = OPTIONS[option].read(text)
    return RuleSet(**values)


def _one_entry(name: str, text: str) -> dict[str, int]:
    try:
        return {name.partition(".")[2]: int(text)}
    except ValueError:
        raise BadInput(f"{name}: '{text}' is not allowed; give a whole number of 0 or more") from None


def _refuse_unknown(option: str, where: str) -> None:
    if option not in OPTIONS:
        hint = nearest(option, list(OPTIONS)) or "the options are " + ", ".join(OPTIONS)
        raise BadInput(f"{where}no rule option '{option}'; {hint}")


def _preset_or_file(spec: str) -> dict[str, Any]:
    name = spec.strip()
    if name.lower().replace("_", "-") in PRESETS:
        return PRESETS[name.lower().replace("_", "-")].to_dict()
    path = Path(name)
    if path.suffix.lower() == ".toml" or path.is_file():
        return _read_file(path)
    hint = nearest(name.lower(), list(PRESETS)) or "the presets are " + ", ".join(PRESETS)
    raise BadInput(f"no rule set '{spec}'; {hint} (or give the path of a .toml file)")


def _read_file(path: Path) -> dict[str, Any]:
    import tomllib

    try:
        content = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise BadInput(f"{path}: not a text file in UTF-8") from None
    except tomllib.TOMLDecodeError as error:
        raise BadInput(f"{path}: not TOML: {error}") from None
    return _values_of_table(content, str(path))


def _values_of_table(content: dict[str, Any], where: str) -> dict[str, Any]:
    """All options, from a table of some of them that may start from a preset."""
    base = content.get("preset", "egyptian-v2")
    if not isinstance(base, str) or base not in PRESETS:
        hint = nearest(str(base), list(PRESETS)) or "the presets are " + ", ".join(PRESETS)
        raise BadInput(f"{where}: no preset '{base}'; {hint}")
    values = PRESETS[base].to_dict()
    for name, value in content.items():
        if name == "preset":
            continue
        _refuse_unknown(name, f"{where}: ")
        try:
            values[name] = OPTIONS[name].check(value)
        except BadInput as error:
            raise BadInput(f"{where}: {error}") from None
    return values


def rules_of_table(content: dict[str, Any], where: str) -> RuleSet:
    """The rule set of a table as in a file of rules: options by name, ``preset`` among them. BadInput begins with `where`."""
    values = _values_of_table(content, where)
    try:
        return RuleSet(**values)
    except BadInput as error:
        raise BadInput(f"{where}: {error}") from None
