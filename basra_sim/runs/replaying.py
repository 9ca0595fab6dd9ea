"""One game of a run played again from its seed: the manifest, the strategies' files and given packs are all it needs.

The compiled engine plays the pair once more, as in the run; the text is then written by the judge from the cards played.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from basra_sim.engine.floor_table.kept_tables import load_table
from basra_sim.engine.streams import FLOOR_BAN, PACK, CardStream
from basra_sim.errors import BadInput, BasraError, nearest
from basra_sim.game.judge import RoundResult, play_round
from basra_sim.game.notation import GameScript, RoundScript
from basra_sim.game.packs import read_packs
from basra_sim.game.rules import RuleSet
from basra_sim.players.loading import load
from basra_sim.players.player import prepare
from basra_sim.players.strategy import Strategy
from basra_sim.players.strategy_files import find, split_spec
from basra_sim.records.counters import match_name
from basra_sim.records.run_folder import GAMES, read_manifest
from basra_sim.workers.fault_words import fault_error
from basra_sim.workers.plan import Plan
from basra_sim.workers.worker import Worker

MATCHES_NAMED = 12  # in an error line


def replay_game(
    folder: str | Path,
    pair: int = 0,
    game: int = 0,
    match: str | None = None,
    *,
    packs: str | Path | None = None,
    folders: Sequence[str | Path] = (),
) -> GameScript:
    """The game `game` (0 or 1) of a pair of a run folder, as a script that `notation.write_game` writes out.

    `match` is a name ("greedy vs random") or a number from 0; it may be left out where there is only one. `packs` says where
    the pack file of the run lies now, `folders` where strategies may lie. BadInput for what is not in the run, and where a
    file has changed since; BasraError if the game comes out otherwise than the run recorded it.
    """
    folder = Path(folder)
    manifest = read_manifest(folder)
    entry = _match_entry(manifest, folder, match)
    _check_place(manifest, folder, entry, pair, game)
    names = (entry["a"], entry["b"])
    by_name = {strategy["name"]: strategy for strategy in manifest["strategies"]}
    saved = manifest.get("settings") or {}
    where = [*folders, *(given for given in saved.get("strategies", ()) if Path(given).is_dir())]
    players = [
        prepare(_strategy(by_name[name], folder, where), interpret=by_name[name]["mode"] == "interpreted") for name in names
    ]
    given = _packs(manifest, folder, packs)
    rules = RuleSet(**manifest["rules"])
    plan = Plan(rules, manifest["seed"], manifest["unit"], manifest["games_per_match"], players, [(0, 1)], given)
    record, rounds, cards = _play(plan, pair, game)
    _compare_record(folder, entry, pair, game, record)
    scripts = tuple(_script(plan, pair, game, number, rounds[number], cards[number]) for number in range(len(rounds)))
    facts = [("run", str(folder)), ("match", match_name(*names)), ("seed", str(plan.seed)), ("pair", str(pair))]
    seats = (names[game], names[1 - game])  # side a sits in seat `game`
    return GameScript(rules, seats, scripts, (*facts, ("game", str(game))))


# ---------------------------------------------------------------------------------------------- what is asked
def _match_entry(manifest: dict[str, Any], folder: Path, match: str | None) -> dict[str, Any]:
    entries = manifest["matches"]
    names = [entry["match"] for entry in entries]
    listed = ", ".join(f"{number}: {name}" for number, name in enumerate(names[:MATCHES_NAMED]))
    listed += f" and {len(names) - MATCHES_NAMED} more" if len(names) > MATCHES_NAMED else ""
    if not entries:
        raise BadInput(f"{folder} holds no match")
    if match is None:
        if len(entries) > 1:
            raise BadInput(f"{folder} holds {len(entries)} matches; say which with --match ({listed})")
        return dict(entries[0])
    if match in names:
        return dict(entries[names.index(match)])
    if match.isdecimal() and int(match) < len(entries):
        return dict(entries[int(match)])
    raise BadInput(f"{folder} holds no match '{match}': {nearest(match, names) or listed}")


def _check_place(manifest: dict[str, Any], folder: Path, entry: dict[str, Any], pair: int, game: int) -> None:
    pairs = int(entry.get("games", manifest["games_per_match"])) // 2
    if pairs == 0:
        raise BadInput(f"{folder} holds no game of {entry['match']}")
    if not 0 <= pair < pairs:
        raise BadInput(f"--pair {pair}: {entry['match']} in {folder} has the pairs 0 to {pairs - 1}")
    if game not in (0, 1):
        raise BadInput(f"--game {game}: it is 0 or 1, the first or the second game of the pair")


def _strategy(entry: dict[str, Any], folder: Path, folders: Sequence[str | Path]) -> Strategy:
    """The strategy of a manifest's entry, from a file that is the same as in the run."""
    if not entry.get("file"):
        raise BadInput(f"{folder}: strategy {entry['name']} was an object of a Python program, which alone can play it again")
    tried: list[str] = []
    for path in _places(entry, folders):
        if not path.is_file():
            continue
        if hashlib.sha256(path.read_bytes()).hexdigest() != entry["sha256"]:
            tried.append(str(path))
            continue
        settings = ",".join(f"{name}={value!r}" for name, value in entry["parameters"].items())
        strategy = load(f"{path.resolve()}:{settings}" if settings else str(path.resolve()))
        strategy.name = entry["name"]
        return strategy
    if tried:
        raise BadInput(
            f"{tried[0]} has changed since the run: its SHA-256 then began with {entry['sha256'][:12]}; "
            "give the folder that holds it as it was with --strategies DIR"
        )
    raise BadInput(f"the file of strategy {entry['name']} is gone ({entry['file']}); give its folder with --strategies DIR")


def _places(entry: dict[str, Any], folders: Sequence[str | Path]) -> list[Path]:
    """Where the file may lie: the folders given, the place in the run, the usual search."""
    file = Path(entry["file"])
    places = [Path(given) / file.name for given in folders] + [file]
    with suppress(BasraError):  # it may not be among those that can be named now
        places.append(find(split_spec(entry["spec"])[0], [given for given in folders if Path(given).is_dir()]))
    return places


def _packs(manifest: dict[str, Any], folder: Path, given: str | Path | None) -> np.ndarray | None:
    if manifest["unit"] != "packs":
        if given is not None:
            raise BadInput(f"{folder} was not played on given packs, so --packs does not go with it")
        return None
    saved = manifest.get("settings") or {}
    path = given or saved.get("packs")
    if path is None:
        raise BadInput(f"{folder} was played on given packs; name their file with --packs FILE")
    packs = read_packs(path)
    if saved.get("packs_sha256") not in (None, hashlib.sha256(packs.tobytes()).hexdigest()):
        raise BadInput(f"the packs in {path} are not those of the run in {folder}; name their file with --packs FILE")
    return packs


# ---------------------------------------------------------------------------------------------- playing
def _play(plan: Plan, pair: int, game: int) -> tuple[np.void, np.ndarray, np.ndarray]:
    """(record, rounds, cards played in each) of one game, by the compiled engine."""
    worker = Worker(plan, 0, load_table(plan.rules), 1, True)
    memory = worker.memory
    room = 64
    while True:
        size = len(memory.rounds)
        history = memory.keep_history(room)
        done, fault = worker.play(pair, 1)
        if fault is not None:
            raise fault_error(plan, 0, fault)
        played = memory.get("rounds_played")
        if done == 1 and played <= room and len(memory.rounds) == size:
            chosen = memory.rounds["game"][:played] == game
            return memory.games[0, game], memory.rounds[:played][chosen], history[:played, :48][chosen]
        room = max(room, played)


def _script(plan: Plan, pair: int, game: int, number: int, record: np.void, cards: np.ndarray) -> RoundScript:
    """The script of a round; the judge plays it too, and must count the same."""
    if plan.packs is not None:
        pack = tuple(int(card) for card in plan.packs[pair])
    else:
        pack = tuple(CardStream(plan.seed, pair, number, PACK).pack())
    dealer = (1 - int(record["leader"])) ^ game
    by_seat = {1 - dealer: iter(cards[0::2].tolist()), dealer: iter(cards[1::2].tolist())}
    result: RoundResult = play_round(
        plan.rules, pack, dealer, (lambda view: next(by_seat[0]), lambda view: next(by_seat[1])),
        ban_draw=CardStream(plan.seed, pair, number, FLOOR_BAN).below,
    )  # fmt: skip
    if result.cards != tuple(int(record[f"cards_{'dealer' if seat == dealer else 'leader'}"]) for seat in (0, 1)):
        raise BasraError(f"round {number} of pair {pair}, game {game}: engine and judge disagree; please report it")
    places = tuple(place for _, place in result.turned_up if place is not None)
    kept = places if plan.rules.floor_ban_action == "random" else ()
    return RoundScript(pack, dealer, tuple(cards.tolist()), kept)


def _compare_record(folder: Path, entry: dict[str, Any], pair: int, game: int, record: np.void) -> None:
    """Against games.parquet, where the run kept it: a strategy that does not play the same twice is found out."""
    path = folder / GAMES
    if not path.is_file():
        return
    from basra_sim.records.row_readers import game_row  # pyarrow: a fifth of a second, for runs that kept their games alone

    kept = game_row(path, entry["match"], pair, game) or {}
    for name, value in kept.items():
        if value != int(record[name]):
            raise BasraError(
                f"pair {pair}, game {game} of {entry['match']} does not come out as {path} has it ({name}): a strategy does "
                "not play the same twice (basra-sim strategies check NAME says more), or the program has changed"
            )
