"""The tables of a tournament in the terminal beside those of its matches: standings, ratings, tests, forfeits."""

from __future__ import annotations

from basra_sim.analysis.statistics.intervals import estimate_of
from basra_sim.records.counters import FORFEITS

from .number_words import count, decimals_for, fixed, plural, probability
from .summary_view import View

_WHY = dict(
    zip(FORFEITS, ("card not held", "no card", "raised", "too slow", "ended the process", "out of memory"), strict=True)
)


def standings(view: View) -> None:
    """Places of a Swiss tournament or a knockout."""
    design = view.s["design"]
    rows = design.get("standings") or []
    if not rows:
        return
    swiss = design["form"] == "swiss"
    title = "Swiss tournament" if swiss else "Knockout"
    heads = ["points", "opponents' points"] if swiss else []
    table = view.table(f"{title}: {plural(len(design['rounds']), 'round')}", 2, "place", "strategy", *heads)
    for row in rows:
        more = [f"{row['points']:g}", f"{row['opponents']:g}"] if swiss else []
        table.add_row(str(row["place"]), row["strategy"], *more)
    note = "A match won counts 1, a level one 1/2, a bye 1."
    if not swiss:
        note = "A level match was played on; if still level, the better seed went on."
    view.show(table, note + " A place says who won, not by how much or how surely.")


def ratings(view: View) -> None:
    """Elo of the pool."""
    ratings = view.s["ratings"]
    if len(view.rows) < 3:
        return
    if ratings["problem"]:
        view.say(f"No ratings of the field: {ratings['problem']}.\n")
        return
    table = view.table(
        "Ratings of the field (Bradley-Terry, in Elo; 0 is the mean)", 1,
        "strategy", "Elo", "95 % interval", "above the next?",
    )  # fmt: skip
    for row in ratings["rows"]:
        e = estimate_of(row, "elo")
        digits = 0 if e.half is None else decimals_for(e.half)
        ends = "n/a" if e.half is None else f"{fixed(e.low, digits, True)} to {fixed(e.high, digits, True)}"
        next_ = "" if row is ratings["rows"][-1] else probability(row["above_next"])
        table.add_row(row["strategy"], fixed(e.value, digits, True), ends, next_)
    view.show(
        table,
        "Intervals by resampling pair indices in all matches at once, since matches share their packs. above the next?: "
        "the likelihood that it is stronger than the one below it. A rating assumes that there are no circles.",
    )


def tests(view: View) -> None:
    """Sequential tests and what they found."""
    design = view.s["design"]
    if "sprt" not in design:
        return
    t = design["sprt"]
    title = f"Sequential test: Elo difference {t['elo0']:g} against {t['elo1']:g}, of the first named"
    table = view.table(title, 1, "match", "pairs", "log ratio", "answer")
    for row in design["tests"]:
        answer = {"elo0": f"{t['elo0']:g}", "elo1": f"{t['elo1']:g}", None: "not decided"}[row["verdict"]]
        table.add_row(row["match"], count(row["pairs"]), f"{row['ratio']:+.2f}", answer)
    view.show(
        table,
        f"Decided at {t['lower']:.2f} or {t['upper']:.2f}. Of such tests about {t['alpha']:.0%} go wrong if {t['elo0']:g} is "
        f"true, {t['beta']:.0%} if {t['elo1']:g} is. After such a stop the score itself lies somewhat too far out.",
    )


def forfeits(view: View) -> None:
    """Faults by strategy and kind."""
    counts: dict[str, dict[str, int]] = {}
    games: dict[str, int] = {}
    for m in view.s["matches"]:
        for side in "ab":
            games[m[side]] = games.get(m[side], 0) + m["games"]
            for why, n in m["forfeits"][side].items():
                if n:
                    at = counts.setdefault(m[side], {})
                    at[why] = at.get(why, 0) + n
    if not counts:
        return
    kinds = [why for why in FORFEITS if any(why in row for row in counts.values())]
    table = view.table("Games forfeited by faults of strategies", 1, "strategy", "forfeited", "of games",
                            *(_WHY[why] for why in kinds))  # fmt: skip
    for name, row in counts.items():
        table.add_row(name, count(sum(row.values())), count(games[name]), *(count(row.get(why, 0)) for why in kinds))
    view.show(
        table,
        f"A forfeited {view.game} is lost, and in no average of points. The other one of its pair stands.",
    )
