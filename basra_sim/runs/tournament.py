"""Forms of a tournament: which matches are played next, and how far, given the results so far. Knows no engine.

A form is a pure function of what was played, so that a run that is taken up again goes on as it would have.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from basra_sim.analysis.statistics.sequential import anytime_interval, anytime_p
from basra_sim.errors import BadInput

FORMS = ("round-robin", "gauntlet", "swiss", "knockout", "adaptive")
TIE_BREAKS = 3  # a knockout match that is level is played on so often, each time as many pairs again
FIRST_LOOK = 64  # pairs of each match before an adaptive tournament chooses
LEVEL = 0.05  # of an adaptive tournament: the probability that any order it calls decided is wrong

Task = tuple[int, int, int]  # match, first pair, the pair after the last


@dataclass
class Stage:
    """What is played before the form is asked again; `bye` is a strategy that sits out."""

    tasks: list[Task]
    bye: int | None = None

    def to_json(self) -> dict[str, Any]:
        """As JSON."""
        return {"tasks": [list(task) for task in self.tasks], "bye": self.bye}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Stage:
        """The inverse."""
        return cls([(int(m), int(first), int(stop)) for m, first, stop in data["tasks"]], data["bye"])


def round_robin(strategies: int) -> list[tuple[int, int]]:
    """Every pair of strategies once, in the order (0,1), (0,2) ... (1,2) ..."""
    return [(one, other) for one in range(strategies) for other in range(one + 1, strategies)]


def gauntlet(strategies: int) -> list[tuple[int, int]]:
    """The first strategy against each of the others."""
    return [(0, other) for other in range(1, strategies)]


class Results(Protocol):
    """What a form may know of a match: pairs by the half points of the first named."""

    @property
    def pair_scores(self) -> np.ndarray:
        """Counts of pairs by half points 0..4."""
        ...


def score_of(counts: Sequence[int] | np.ndarray) -> float:
    """The half points above level of the first named: positive if it leads."""
    return float(sum((k - 2) * int(c) for k, c in enumerate(counts)))


@dataclass
class Form:
    """Round robin and gauntlet: every match, once, to its end."""

    name: str
    players: int
    pairs: int  # per match
    same: Sequence[int] = ()  # matches of a strategy against itself
    history: list[Stage] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.matches = gauntlet(self.players) if self.name == "gauntlet" else round_robin(self.players)

    def expected_pairs(self) -> int:
        """About how many pairs will be played, for a progress bar."""
        return self.pairs * len(self.matches)

    def next_stage(self, results: Sequence[Results]) -> Stage | None:
        """What is to be played now, None if the tournament is over; the stage is added to the history."""
        stage = self._next(results)
        if stage is not None:
            self.history.append(stage)
        return stage

    def _next(self, results: Sequence[Results]) -> Stage | None:
        return None if self.history else Stage([(m, 0, self.pairs) for m in range(len(self.matches))])

    def go_on(self, last: Stage, results: Sequence[Results]) -> None:
        """Begin where a run with fewer games ended. Only for forms in which what is played next follows from results."""
        raise NotImplementedError

    def standings(self, results: Sequence[Results]) -> list[dict[str, Any]]:
        """Places where the form itself gives them (Swiss, knockout); otherwise none."""
        return []

    def describe(self, results: Sequence[Results], names: Sequence[str]) -> dict[str, Any] | None:
        """What a manifest and a summary say of the form; None for a round robin."""
        if self.name == "round-robin":
            return None
        rows = [{**row, "strategy": names[row["player"]]} for row in self.standings(results)]
        for row in rows:
            del row["player"]
        rounds = [self._round(stage, names) for stage in self.history] if self.name in ("swiss", "knockout") else []
        return {"form": self.name, "rounds": rounds, "standings": rows}

    def _round(self, stage: Stage, names: Sequence[str]) -> dict[str, Any]:
        met = [[names[i] for i in self.matches[m]] for m, _, _ in stage.tasks]
        return {"matches": met, "bye": None if stage.bye is None else names[stage.bye]}

    def match_of(self, one: int, other: int) -> int:
        """The number of the match of two players."""
        return self.matches.index((min(one, other), max(one, other)))

    def leader(self, results: Sequence[Results], one: int, other: int) -> int | None:
        """Who leads in the match of two players, or None."""
        score = score_of(results[self.match_of(one, other)].pair_scores)
        first, second = min(one, other), max(one, other)
        return first if score > 0 else second if score < 0 else None


class Swiss(Form):
    """Rounds in which equals meet, nobody twice; a match won is a point, level half a point, a bye a point.

    The first round pairs the upper with the lower half of the list as given. As many rounds as a knockout would need.
    """

    def rounds(self) -> int:
        """How many rounds are played."""
        return min(max(1, (self.players - 1).bit_length()), self.players - 1 + self.players % 2)

    def expected_pairs(self) -> int:
        """Half the field in each round."""
        return self.pairs * self.rounds() * (self.players // 2)

    def points(self, results: Sequence[Results]) -> tuple[list[float], list[float]]:
        """Points, and the sum of the opponents' points (Buchholz), of each player."""
        points = [0.0] * self.players
        met: list[list[int]] = [[] for _ in points]
        for stage in self.history:
            for m, _, _ in stage.tasks:
                one, other = self.matches[m]
                met[one].append(other)
                met[other].append(one)
                leader = self.leader(results, one, other)
                for player in (one, other):
                    points[player] += 0.5 if leader is None else float(leader == player)
            if stage.bye is not None:
                points[stage.bye] += 1.0
        return points, [sum(points[other] for other in others) for others in met]

    def _order(self, results: Sequence[Results]) -> list[int]:
        points, opponents = self.points(results)
        return sorted(range(self.players), key=lambda i: (-points[i], -opponents[i], i))

    def _next(self, results: Sequence[Results]) -> Stage | None:
        if len(self.history) >= self.rounds():
            return None
        order = self._order(results)
        played = {m for stage in self.history for m, _, _ in stage.tasks}
        rested = {stage.bye for stage in self.history}
        sitters: list[int | None] = [None]
        if self.players % 2:
            sitters = [i for i in reversed(order) if i not in rested]  # the lowest that has not yet sat out
        for bye in sitters:
            field_ = [i for i in order if i != bye]
            paired = self._first(field_) if not self.history else self._pair(field_, played)
            if paired is not None:
                return Stage([(self.match_of(*pair), 0, self.pairs) for pair in paired], bye)
        return None  # nobody is left to meet

    def _first(self, order: list[int]) -> list[tuple[int, int]]:
        half = len(order) // 2
        return list(zip(order[:half], order[half:], strict=True))

    def _pair(self, order: list[int], played: set[int]) -> list[tuple[int, int]] | None:
        """Neighbours in the order, going back where that would let two meet again."""
        if not order:
            return []
        one, *others = order
        for other in others:
            if self.match_of(one, other) not in played:
                rest = self._pair([i for i in others if i != other], played)
                if rest is not None:
                    return [(one, other), *rest]
        return None

    def standings(self, results: Sequence[Results]) -> list[dict[str, Any]]:
        """By points, then by the points of the opponents met; equal ones share a place."""
        points, opponents = self.points(results)
        rows: list[dict[str, Any]] = []
        for index, i in enumerate(self._order(results)):
            row = {"place": index + 1, "player": i, "points": points[i], "opponents": opponents[i]}
            if rows and (rows[-1]["points"], rows[-1]["opponents"]) == (row["points"], row["opponents"]):
                row["place"] = rows[-1]["place"]
            rows.append(row)
        return rows


class Knockout(Form):
    """The loser of a match is out. The list is the seeding: 1 and 2 can meet in the final only; the first get the byes.

    A level match is played on, up to TIE_BREAKS times as many pairs again; if it is still level the better seed goes on.
    """

    def expected_pairs(self) -> int:
        """A match fewer than players."""
        return self.pairs * (self.players - 1)

    def bracket(self) -> list[int | None]:
        """The first round in order of play: neighbours meet; None is a bye."""
        places = [0]
        while len(places) < self.players:
            size = 2 * len(places)
            places = [seed for place in places for seed in (place, size - 1 - place)]
        return [seed if seed < self.players else None for seed in places]

    def _next(self, results: Sequence[Results]) -> Stage | None:
        alive: list[int | None] = self.bracket()
        while len(alive) > 1:
            pairs = list(zip(alive[::2], alive[1::2], strict=True))
            missing, on = [], []
            for one, other in pairs:
                if one is None or other is None:
                    continue
                m = self.match_of(one, other)
                done = int(np.sum(results[m].pair_scores))
                if done == 0:
                    missing.append((m, 0, self.pairs))
                elif self.leader(results, one, other) is None and done < self.pairs * (1 + TIE_BREAKS):
                    on.append((m, done, done + self.pairs))
            if missing or on:
                return Stage(missing or on)
            alive = [self._winner(results, one, other) for one, other in pairs]
        return None

    def _winner(self, results: Sequence[Results], one: int | None, other: int | None) -> int | None:
        if one is None or other is None:
            return other if one is None else one
        leader = self.leader(results, one, other)
        return min(one, other) if leader is None else leader

    def standings(self, results: Sequence[Results]) -> list[dict[str, Any]]:
        """Places by the round in which a player went out: 1, 2, 3-4, 5-8 ..."""
        alive: list[int | None] = self.bracket()
        out: list[list[int]] = []
        while len(alive) > 1:
            pairs = list(zip(alive[::2], alive[1::2], strict=True))
            if any(one is not None and other is not None and not np.sum(results[self.match_of(one, other)].pair_scores)
                   for one, other in pairs):  # fmt: skip
                break  # not yet played
            winners = [self._winner(results, one, other) for one, other in pairs]
            out.append([i for pair in pairs for i in pair if i is not None and i not in winners])
            alive = winners
        groups = [[i for i in alive if i is not None], *reversed(out)]
        rows: list[dict[str, Any]] = []
        for group in groups:
            rows += [{"place": len(rows) + 1, "player": i} for i in group]
        return rows


class Adaptive(Form):
    """Plays next the match whose order is least certain: of those not decided, the one with the widest interval.

    A match is decided when its anytime-valid p-value falls below LEVEL / number of matches, so that all orders called
    decided are right together with 95 %. Ends when all are, or when as many games are spent as a round robin would.
    """

    def _next(self, results: Sequence[Results]) -> Stage | None:
        first = min(FIRST_LOOK, self.pairs)
        played = [int(np.sum(r.pair_scores)) for r in results]
        if not self.history:
            return Stage([(m, 0, first) for m in range(len(self.matches)) if m not in self.same])
        left = self.left(results)
        open_ = [m for m in range(len(self.matches)) if m not in self.same and not self.is_decided(results[m])]
        if left <= 0 or not open_:
            return None

        def width(m: int) -> float:
            e = anytime_interval(results[m].pair_scores.tolist())
            return 1.0 if e.low is None or e.high is None else e.high - e.low

        chosen = max(open_, key=lambda m: (width(m), -m))
        return self._more(chosen, played[chosen], left)

    @staticmethod
    def _more(match: int, played: int, left: int) -> Stage:
        return Stage([(match, played, played + min(max(FIRST_LOOK, played // 4 // 64 * 64), left))])

    def left(self, results: Sequence[Results]) -> int:
        """Pairs that may still be played."""
        return self.pairs * len(self.matches) - sum(int(np.sum(r.pair_scores)) for r in results)

    def go_on(self, last: Stage, results: Sequence[Results]) -> None:
        """Begin where a run with fewer games ended: its last stage, which they may have cut short, as these would have it."""
        match, first, stop = last.tasks[0]
        if first:
            last = self._more(match, first, self.left(results) + stop - first)
        self.history = [last]

    def is_decided(self, result: Results) -> bool:
        """Whether the order of a match is certain enough."""
        return anytime_p(result.pair_scores.tolist()) <= LEVEL / max(1, len(self.matches) - len(self.same))


_KINDS: dict[str, type[Form]] = {"swiss": Swiss, "knockout": Knockout, "adaptive": Adaptive}


def make_form(name: str, players: int, pairs: int, same: Sequence[int] = ()) -> Form:
    """The form of a tournament by name; BadInput for an unknown one."""
    if name not in FORMS:
        raise BadInput(f"--tournament {name}: it is one of {', '.join(FORMS)}")
    return _KINDS.get(name, Form)(name, players, pairs, same)
