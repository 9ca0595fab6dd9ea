"""Tables of a report from summaries and analyses: numbers as text, digits as the intervals warrant."""

from __future__ import annotations

from typing import Any

from basra_sim.analysis.statistics.intervals import estimate_of
from basra_sim.analysis.statistics.shares import Table
from basra_sim.analysis.text.number_words import NA, count, elo_text, fixed, number, number_span, percent, probability, span
from basra_sim.analysis.text.table_words import LEVEL, cell_text, expected_text, group_text
from basra_sim.pages.page_parts import Grid

BESIDE = 5  # strategies next to each other in a table; more go below each other


def ranking_grid(summary: dict[str, Any], unit: str) -> Grid:
    """The ranking: results, score with interval, points a round."""
    rows = []
    draws = any(row["draws"] for row in summary["ranking"])
    results = ("wins", "draws", "losses") if draws else ("wins", "losses")
    for row in summary["ranking"]:
        if not row["games"]:
            rows.append(["–", row["strategy"], *["–"] * len(results), NA, NA, NA])
            continue
        score = estimate_of(row, "score")
        rows.append([
            str(row["rank"] or "-"), row["strategy"], *(count(row[key]) for key in results), percent(score),
            span(score, scale=100).strip("()"), number(estimate_of(row, "points_per_round")),
        ])  # fmt: skip
    caption = f"Ranking by score: share of its {unit} against others won, a draw counting half"
    head = ["won", "drawn", "lost"] if draws else ["won", "lost"]
    return Grid(caption, ["#", "strategy", *head, "score", "95 % interval", "points a round"], rows, words=2)


def matches_grid(summary: dict[str, Any], unit: str) -> Grid:
    """Every match: results of the first named, score, points difference, sureness."""
    rows = []
    for m in summary["matches"]:
        score = estimate_of(m, "score_a")
        rows.append([
            m["match"], f"{count(m['wins_a'])}–{count(m['draws'])}–{count(m['wins_b'])}",
            "50 %" if m["level"] else percent(score), LEVEL if m["level"] else span(score, scale=100).strip("()"),
            number_span(estimate_of(m, "points_per_round_difference"), signed=True),
        ])  # fmt: skip
    head = ["match", "won–drawn–lost", "score", "95 % interval", "points a round more"]
    return Grid(f"Every match, told of the first named; score in % of its {unit}", head, rows, folded=len(rows) > 15)


def elo_grid(summary: dict[str, Any]) -> Grid:
    """Elo difference and likelihood of being stronger, for each match."""
    rows = [[m["match"], elo_text(estimate_of(m, "elo")), probability(m["los"])] for m in summary["matches"] if not m["level"]]
    head = ["match", "Elo difference", "likelihood that the first is stronger"]
    return Grid("Elo difference of each match, told of the first named", head, rows, folded=True)


def pairing_grid(summary: dict[str, Any]) -> Grid:
    """What swapping seats on the same packs saved, for each match."""
    rows = []
    for m in summary["matches"]:
        if m["self_match"]:
            continue
        gains = [m["variance_reduction"][key] for key in ("score", "margin")]
        texts = [NA if gain is None else f"{fixed(100 * gain, 0)} %" for gain in gains]
        same = NA if gains[0] is None or gains[0] >= 1 else count(round(m["pairs"] / (1 - gains[0])))
        rows.append([m["match"], count(m["pairs"]), " ".join(str(n) for n in m["pair_scores"]), *texts, same])
    head = ["match", "pairs", "by points: 0 ½ 1 1½ 2", "score", "margin", "as good as unpaired"]
    return Grid("How much of the variance of score and margin pairing saved", head, rows, folded=len(rows) > 15)


def _across(table: Table, caption: str, across: str, folded: bool) -> Grid:
    """A row a strategy (and other groups), a column a value of `across`."""
    columns = list(dict.fromkeys(table.frame[across]))
    left = [name for name in table.groups if name != across]
    rows: dict[tuple[str, ...], dict[str, str]] = {}
    for row in table.frame.to_dict("records"):
        rows.setdefault(tuple(group_text(name, row[name]) for name in left), {})[row[across]] = cell_text(row, table.share, "±")
    body = [[*key, *(own.get(column, "–") for column in columns)] for key, own in rows.items()]
    return Grid(caption, [*left, *columns], body, words=len(left), folded=folded)


def grid_of(table: Table, caption: str = "", folded: bool = True, across: str = "") -> Grid:
    """An analysis as a table: the values of the group `across` beside each other, else strategies where they are few."""
    caption = (caption or table.title) + (", %" if table.share else "")
    if across:
        return _across(table, caption, across, folded)
    frame = table.frame
    names = list(dict.fromkeys(frame["strategy"])) if "strategy" in frame else []
    groups = [name for name in table.groups if name != "strategy"]
    laws = bool(frame["expected"].notna().any())
    common = laws and bool(groups) and frame.groupby(groups, sort=False)["expected"].nunique().max() <= 1
    if names and groups and len(names) <= BESIDE and not frame.duplicated(["strategy", *groups]).any():
        rows: dict[tuple[str, ...], dict[tuple[str, str], str]] = {}  # cells by (strategy, "value" or "expected")
        for row in frame.to_dict("records"):
            key = tuple(group_text(name, row[name]) for name in groups)
            own = rows.setdefault(key, {})
            own[row["strategy"], "value"] = cell_text(row, table.share, "±")
            if laws:
                own[row["strategy"], "expected"] = expected_text(row, table.share)
        cells = [(name, "value") for name in names] + ([(names[0], "expected")] if common else [])
        if laws and not common:
            cells = [(name, what) for name in names for what in ("value", "expected")]
        head = [name if what == "value" else what for name, what in cells]
        body = [[*key, *(own.get(cell, "–") for cell in cells)] for key, own in rows.items()]
        return Grid(caption, [*groups, *head], body, words=len(groups), folded=folded)
    per = list(dict.fromkeys(frame["per"]))
    head = [*table.groups, "count", per[0] if len(per) == 1 else "of", "value", *(["expected"] if laws else [])]
    body = [
        [*(group_text(name, row[name]) for name in table.groups), count(int(row["count"])), count(int(row["of"])),
         cell_text(row, table.share, "±"), *([expected_text(row, table.share)] if laws else [])]
        for row in frame.to_dict("records")
    ]  # fmt: skip
    return Grid(caption, head, body, words=len(table.groups), folded=folded)
