"""summary.json: what a run says, with intervals and denominators, from its exact counters alone.

Percentages are shares 0..1 here; every rate is a round (the denominator is the rounds of the match). No NaN: None.
"""

from __future__ import annotations

from typing import Any

from basra_sim.analysis.statistics.intervals import (
    Estimate,
    elo_interval,
    flat,
    pairing_gain,
    rate_interval,
    ratio_interval,
    score_interval,
    superiority,
    variance,
)
from basra_sim.analysis.statistics.ranking import ROLES, ranking, seat_effect
from basra_sim.analysis.statistics.sequential import anytime_interval
from basra_sim.records.counters import FORFEITS, FORMAT_VERSION, PAIR_FIELDS, MatchTotals, RunTotals, match_name

from .field_ratings import claim_p, mark_claims, pool_summary

_INDEX = {name: index for index, name in enumerate(PAIR_FIELDS)}
_ROUNDS = {_INDEX["rounds"]: 1}
KINDS = ("basras", "komi_basras", "jack_basras")
RANKING_METHOD = (
    "conservative: the per-match intervals averaged, which holds however the matches depend on each other "
    "(they share their packs)"
)


def per_round(m: MatchTotals, weights: dict[str, int], rare: bool = False) -> Estimate:
    """A sum of per-pair quantities (PAIR_FIELDS with weights) a round, with its interval over pairs."""
    top = {_INDEX[name]: weight for name, weight in weights.items()}
    method = rate_interval if rare else ratio_interval
    return method(m.pairs, m.pair_sums, m.pair_products, top, _ROUNDS)


def same_strategy(one: dict[str, Any], two: dict[str, Any]) -> bool:
    """Whether two entries of a run are one strategy registered twice: the same file with the same parameters."""

    def parameters(entry: dict[str, Any]) -> Any:
        spec = str(entry.get("spec") or entry.get("name", "")).partition("#")[0]
        return entry["parameters"] if "parameters" in entry else spec.rpartition("/")[2].partition(":")[2]

    hashes = one.get("sha256"), two.get("sha256")
    if None in hashes or "" in hashes:
        return one.get("spec") == two.get("spec")
    return hashes[0] == hashes[1] and parameters(one) == parameters(two)


def is_level(m: MatchTotals) -> bool:
    """Whether every pair of a match ended level, in game points and in points."""
    sums = m.pair_sums
    return 0 < m.pairs == int(m.pair_scores[2]) and sums[_INDEX["points_a"]] == sums[_INDEX["points_b"]]


def _role_entry(m: MatchTotals, side: int, role: int) -> dict[str, Any]:
    """What side 0 (a) or 1 (b) did as leader or dealer of a round, and in the games that it began as such."""
    role_of_a = role ^ side
    rounds = int(m.majorities[role_of_a].sum())
    wins, losses, draws = (int(x) for x in m.winners[1 - role_of_a])  # first_dealer 0 is a: a's role 1
    if side:
        wins, losses = losses, wins

    def rate(total: int) -> float | None:
        return total / rounds if rounds else None

    return {
        "rounds": rounds,
        "points_per_round": rate(int(m.role_points[role_of_a, side])),
        "cards_per_round": rate(int(m.role_cards[role_of_a, side])),
        "basras_per_round": rate(int(m.plays[side, role, :, :, 3:6].sum())),
        "games_begun": wins + draws + losses,
        "wins": wins,
        "draws": draws,
        "losses": losses,
        **flat("score", score_interval((losses, draws, wins))),
    }


def _side_entry(m: MatchTotals, side: str) -> dict[str, Any]:
    entry: dict[str, Any] = flat(f"points_per_round_{side}", per_round(m, {f"points_{side}": 1}))
    entry |= flat(f"basras_per_round_{side}", per_round(m, {f"{kind}_{side}": 1 for kind in KINDS}, rare=True))
    for kind, name in zip(KINDS, ("plain_basras", "komi_basras", "jack_basras"), strict=True):
        entry |= flat(f"{name}_per_round_{side}", per_round(m, {f"{kind}_{side}": 1}, rare=True))
    return entry | flat(f"cards_per_round_{side}", per_round(m, {f"cards_{side}": 1}))


def variance_reduction(m: MatchTotals) -> dict[str, float | None]:
    """The share of the variance that pairing removed, for the score and for the margin in points."""
    half, sums = _INDEX["half_points_a"], m.pair_sums
    _, losses, draws = (int(x) for x in m.winners.sum(axis=0))
    wins = m.games - losses - draws
    pair = variance(m.pairs, int(sums[half]), int(m.pair_products[half][half]))
    game = variance(m.games, 2 * wins + draws, 4 * wins + draws)
    a, b, p = _INDEX["points_a"], _INDEX["points_b"], m.pair_products
    pair_margin = variance(m.pairs, int(sums[a] - sums[b]), int(p[a][a] - 2 * p[a][b] + p[b][b]))
    game_margin = variance(m.games, int(m.game_margin_sum), int(m.game_margin_squares))
    return {"score": pairing_gain(pair, game), "margin": pairing_gain(pair_margin, game_margin)}


def summarize_match(m: MatchTotals, self_match: bool = False, anytime: bool = False) -> dict[str, Any]:
    """One match: results, rates a round and pair statistics, everything from a's side where a side is meant.

    `anytime`: the length of the run depended on its results, so scores get intervals that may be watched.
    """
    wins_a, wins_b, draws = (int(x) for x in m.winners.sum(axis=0))
    scores = [int(x) for x in m.pair_scores]
    score = anytime_interval(scores) if anytime else score_interval(scores)
    likely = superiority(scores)
    level = self_match and is_level(m)
    return {
        "match": match_name(m.a, m.b),
        "a": m.a,
        "b": m.b,
        "games": int(m.games),
        "pairs": int(m.pairs),
        "rounds": int(m.rounds),
        "rounds_per_game": m.rounds / m.games if m.games else None,
        "wins_a": wins_a,
        "wins_b": wins_b,
        "draws": draws,
        **flat("score_a", score),
        "self_match": self_match,
        "level": level,
        **_side_entry(m, "a"),
        **_side_entry(m, "b"),
        **flat("points_per_round_difference", per_round(m, {"points_a": 1, "points_b": -1})),
        **flat("seat_effect", per_round(m, {"leader_points": 1, "dealer_points": -1})),
        "pair_scores": scores,
        **flat("elo", elo_interval(score)),
        "los": None if level or anytime else likely,
        "p_value": None if level else claim_p(m, likely, anytime),
        "variance_reduction": variance_reduction(m),
        "roles": {s: {r: _role_entry(m, i, j) for j, r in enumerate(ROLES)} for i, s in enumerate("ab")},
        "forfeits": {s: {w: int(m.forfeits[i, k]) for k, w in enumerate(FORFEITS)} for i, s in enumerate("ab")},
        "games_by_length": {str(i): int(n) for i, n in enumerate(m.lengths) if n},
    }


def _ranking(run: RunTotals, names: list[str], matches: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The ranking; of a gauntlet the first strategy comes first, and the others, who never met, have no rank."""
    rows = ranking(names, matches)
    if run.design.get("form") == "gauntlet":
        rows.sort(key=lambda row: row["strategy"] != names[0])
        for row in rows:
            row["rank"] = None
    return rows


def _matches(run: RunTotals, anytime: bool) -> tuple[list[dict[str, Any]], list[str]]:
    """Every match, its claim marked; and a note for each that one strategy plays on both sides and yet not level."""
    entries = {entry["name"]: entry for entry in run.strategies}
    matches, notes = [], []
    for m in run.matches:
        one, two = entries.get(m.a), entries.get(m.b)
        twice = one is not None and two is not None and same_strategy(one, two)
        matches.append(summarize_match(m, twice, anytime))
        if twice and m.pairs and not is_level(m):
            notes.append(
                f"{m.a} and {m.b} are one strategy and yet not level: it does not play the same in the same position"
            )
    mark_claims(matches)
    return matches, notes


def summarize(run: RunTotals) -> dict[str, Any]:
    """The content of summary.json; the two fields that depend on time come last: seconds and games_per_second."""
    anytime = bool(run.design.get("anytime")) or not run.complete  # whoever stops a run may have looked at it
    matches, notes = _matches(run, anytime)
    games = sum(m.games for m in run.matches)
    against = [m for m, entry in zip(run.matches, matches, strict=True) if not entry["self_match"]]
    names = [entry["name"] for entry in run.strategies]
    return {
        "format_version": FORMAT_VERSION,
        "version": run.version,
        "complete": run.complete,
        "command": run.command,
        "seed": run.seed,
        "digest": run.digest,
        "unit": run.unit,
        "rules_name": run.rules_name,
        "rules": run.rules,
        "games_per_match": run.games_per_match,
        "games": int(games),
        "pairs": int(sum(m.pairs for m in run.matches)),
        "rounds": int(sum(m.rounds for m in run.matches)),
        "interval": 0.95,
        "ranking_interval": RANKING_METHOD,
        "strategies": run.strategies,
        "anytime": anytime,
        "design": run.design,
        "ranking": _ranking(run, names, matches),
        "ratings": pool_summary(run, against),
        **flat("seat_effect", seat_effect(matches)),
        "matches": matches,
        "notes": [*run.notes, *notes],
        "seconds": run.seconds,
        "games_per_second": games / run.seconds if run.seconds > 0 else None,
    }
