"""The tables of a run in the terminal, from its summary alone, with rich.

Readable at 80 columns by somebody who never saw the program: every share says of what, every interval is 95 %.
"""

from __future__ import annotations

import math
import textwrap
from typing import TYPE_CHECKING, Any

from rich.box import Box
from rich.table import Table
from rich.text import Text

from basra_sim.analysis.statistics.intervals import MIN_PAIRS, Estimate
from basra_sim.analysis.statistics.ranking import ROLES, score_of

from .number_words import (
    NA,
    count,
    decimals_for,
    elo_text,
    fixed,
    number,
    number_span,
    percent,
    percent_half,
    percent_span,
    plural,
    probability,
    span,
)

if TYPE_CHECKING:
    from rich.console import Console

MATCH_LINES = 45  # of the longest list of matches in the terminal; the files have all
LEVEL = "level by construction"
LEVEL_NOTE = (
    "Level by construction: the same strategy on both sides. The second game of a pair mirrors the first, so every "
    "pair ends level whatever the strategy plays; no luck is left to measure and no interval is needed."
)
PAIRS_NOTE = (
    "All intervals are 95 % and computed on game pairs: the same packs are played twice, with the seats swapped. "
    f"n/a: fewer than {MIN_PAIRS} pairs, or nothing that varies."
)
_RULE = Box("    \n    \n -- \n    \n    \n    \n    \n    \n", ascii=True)  # a line under the heads, nothing else


def estimate(entry: dict[str, Any], key: str) -> Estimate:
    """An estimate back from the three fields of a summary."""
    return Estimate(entry[key], entry[f"{key}_low"], entry[f"{key}_high"])


def print_tables(summary: dict[str, Any], console: Console, plain: bool | None = None) -> None:
    """Print everything that a run says, most important first; `plain` (ASCII) follows the console unless given."""
    from .field_tables import ANYTIME_NOTE, Tournament

    view = View(summary, console, console.options.ascii_only if plain is None else plain)
    view.heading()
    if summary["games"]:
        view.in_short()
        view.ranking()
        more = Tournament(view)
        more.standings()
        more.ratings()
        view.cross_table()
        view.matches()
        more.tests()
        more.forfeits()
        view.points()
        view.roles()
        view.pair_statistics()
        view.say((ANYTIME_NOTE if summary["anytime"] else PAIRS_NOTE) + "\n")
    view.footer()


class View:
    """One printing of one summary: the console, and the words that depend on what was played."""

    def __init__(self, summary: dict[str, Any], console: Console, plain: bool) -> None:
        self.s, self.console = summary, console
        self.plus_minus = "+-" if plain else "±"
        self.form = summary["design"].get("form", "round-robin")
        self.game = "game" if summary["unit"] == "game" else "round"
        self.rows = [row for row in summary["ranking"] if row["games"]]
        self.against = [m for m in summary["matches"] if not m["self_match"]]

    # helpers

    def say(self, text: str = "", style: str | None = None) -> None:
        lines = [textwrap.fill(line, self.console.width, break_long_words=False) for line in text.split("\n")]
        self.console.print("\n".join(lines), style=style, soft_wrap=True)

    def table(self, title: str, left: int, *columns: str) -> Table:
        """An empty table whose first `left` columns hold words, the others numbers."""
        self.say(title, style="bold")
        table = Table(box=_RULE, pad_edge=False, padding=(0, 1, 0, 0), header_style="bold", show_edge=False)
        for index, name in enumerate(columns):
            table.add_column(name, justify="left" if index < left else "right", overflow="fold", vertical="top")
        return table

    def show(self, table: Table, note: str = "") -> None:
        self.console.print(table)
        if note:
            self.say(note, style="dim")
        self.say()

    def with_half(self, e: Estimate) -> str:
        """A number with its half-width below; with its ends where the interval is lopsided."""
        if e.value is None or e.low is None or e.high is None or e.half is None:
            return f"{number(e)}\n{NA}"
        if abs(e.high + e.low - 2 * e.value) > 0.2 * e.half:
            digits = decimals_for(e.half)
            return f"{number(e)}\n{fixed(e.low, digits)}-{fixed(e.high, digits)}"
        return f"{number(e)}\n{self.plus_minus}{fixed(e.half, decimals_for(e.half))}"

    # the parts, in order

    def heading(self) -> None:
        s = self.s
        names = len(s["strategies"])
        rules = s["rules_name"]
        if self.game == "game":
            played = f"{count(s['games_per_match'])} games to {s['rules'].get('target', '?')} points"
        elif s["unit"] == "packs":
            played = f"{count(s['games_per_match'])} rounds with given packs"
        else:
            played = f"{count(s['games_per_match'])} single rounds"
        matches = plural(len(s["matches"]), "match")
        self.say(f"Basra: {plural(names, 'strategy')}, {matches} of {played}, rules {rules}", style="bold")
        if not s["complete"]:
            self.say(
                "INCOMPLETE: the run stopped before its end; the numbers are those of what was played.", "bold yellow"
            )
        self.say()

    def in_short(self) -> None:
        """The finding in one sentence."""
        if not self.rows:
            if any(m["level"] for m in self.s["matches"]):
                self.say(LEVEL_NOTE + "\n")
            return
        best = self.rows[0]
        score = estimate(best, "score")
        share = f"{percent_span(score)} of {plural(best['games'], self.game)}"
        if len(self.rows) == 2 and best["opponents"] == 1:
            other = self.rows[1]["strategy"]
            if score.low is None:
                text = f"{best['strategy']} against {other}: {share}; too few pairs to say more."
            elif score.low > 0.5:
                text = f"{best['strategy']} beats {other}: it {'scored' if best['draws'] else 'won'} {share}."
            else:
                text = f"No difference shown between {best['strategy']} and {other}: {share} for the first."
        elif self.form == "gauntlet":
            text = f"{best['strategy']} scored {share} against {plural(best['opponents'], 'opponent')}."
        elif self.form in ("swiss", "knockout"):
            first = [row["strategy"] for row in self.s["design"]["standings"] if row["place"] == 1]
            text = f"First in the {'Swiss tournament' if self.form == 'swiss' else 'knockout'}: {', '.join(first)}."
        else:
            text = f"Best score: {best['strategy']} with {share} against {plural(best['opponents'], 'opponent')}."
        self.say(text + "\n")

    def ranking(self) -> None:
        if not self.rows:
            return
        draws = any(row["draws"] for row in self.rows)
        head = ["won", "drawn", "lost"] if draws else ["won", "lost"]
        table = self.table(
            f"Ranking by score (share of {self.game}s won, a draw counting half)", 2,
            "#", "strategy", *head, "score", "95 % interval", "points a round",
        )  # fmt: skip
        for row in self.s["ranking"]:
            if not row["games"]:
                table.add_row("-", row["strategy"], *["-"] * len(head), NA, "no opponent", NA)
                continue
            results = [row["wins"], row["draws"], row["losses"]] if draws else [row["wins"], row["losses"]]
            score = estimate(row, "score")
            table.add_row(
                str(row["rank"] or "-"), row["strategy"], *map(count, results), percent(score),
                span(score, scale=100).strip("()"), number(estimate(row, "points_per_round")),
            )  # fmt: skip
        games = {row["games"] for row in self.rows}
        each = f"Of {plural(games.pop(), self.game)} each" if len(games) == 1 else f"Of all its {self.game}s"
        note = f"{each}, against other strategies only."
        if len(self.rows) > 2:
            note += " Matches share their packs: intervals over several are combined for the worst case."
        if self.form == "gauntlet":
            note += " The others met the first one only: nothing here compares them with each other."
        elif self.form != "round-robin":
            note += " Not all met the same opponents, or as often: scores of two rows are not comparable."
        self.show(table, note)

    def _cell(self, match: dict[str, Any] | None, side: str, record: bool) -> str:
        if match is None:
            return "-"
        if match["level"]:
            return "level"
        score = score_of(match, side)
        mark = "*" if match["decided"] else ""
        lines = [percent(score).removesuffix(" %") + mark, percent_half(score, self.plus_minus)]
        if record:
            other = "b" if side == "a" else "a"
            lines.append(f"{match[f'wins_{side}']}-{match['draws']}-{match[f'wins_{other}']}")
        return "\n".join(lines)

    def cross_table(self) -> None:
        """Row against column; split into blocks of columns where the width does not hold all."""
        ranked = self.s["ranking"]
        if len(ranked) < 3:
            return
        at = {(m[one], m[two]): (m, one) for m in self.s["matches"] for one, two in (("a", "b"), ("b", "a"))}
        names = [row["strategy"] for row in ranked]

        def cells(record: bool) -> dict[tuple[str, str], str]:
            return {
                (one, two): self._cell(*at.get((one, two), (None, "a")), record) for one in names for two in names
            }

        first = min(max(len(name) for name in names), 20) + 5
        for record in (True, False):
            texts = cells(record)
            wide = max(len(line) for text in texts.values() for line in text.split("\n"))
            fit = max(1, (self.console.width - first) // (wide + 2))
            if fit >= len(names):
                break
        fit = math.ceil(len(names) / math.ceil(len(names) / fit))  # blocks of even size
        longest = max(len(name) for name in names)
        named = longest <= wide or first + len(names) * (longest + 1) <= self.console.width
        title = f"Cross-table: score of the row against the column, % of {self.game}s"
        title += "; won-drawn-lost" if record else ""
        title += "; *: the order stands at 95 % together with all other orders so marked (Holm)"
        for start in range(0, len(names), fit):
            block = names[start : start + fit]
            heads = block if named else [str(start + i + 1) for i in range(len(block))]
            table = self.table(title, 2, "#", "row", *heads)
            for index, one in enumerate(names):
                table.add_row(str(index + 1), one, *(texts[one, two] for two in block))
            self.show(table)

    def matches(self) -> None:
        shown = self.s["matches"][:MATCH_LINES]
        table = self.table(
            f"Matches: results of the first named, score in % of its {self.game}s", 1,
            "match", "won-drawn-lost", "score", "95 % interval",
        )  # fmt: skip
        for m in shown:
            record = f"{count(m['wins_a'])}-{count(m['draws'])}-{count(m['wins_b'])}"
            score = estimate(m, "score_a")
            ends = LEVEL if m["level"] else span(score, scale=100).strip("()")
            table.add_row(m["match"], record, "50 %" if m["level"] else percent(score), ends)
        more = len(self.s["matches"]) - len(shown)
        notes = [f"... and {plural(more, 'match')} more, in matches.csv."] if more else []
        if self.rows and any(m["level"] for m in shown):
            notes.append(LEVEL_NOTE)
        self.show(table, "\n".join(notes))

    def points(self) -> None:
        if not self.rows:
            return
        table = self.table(
            "Points, basras and captured cards a round", 1,
            "strategy", "points", "basras\nplain", "basras\nkomi", "basras\njack", "basras\nall", "cards\nof 52",
        )  # fmt: skip
        for row in self.rows:
            rates = ("points", "plain_basras", "komi_basras", "jack_basras", "basras", "cards")
            table.add_row(row["strategy"], *(self.with_half(estimate(row, f"{rate}_per_round")) for rate in rates))
        self.show(table, f"{plural(self.s['rounds'], 'round')} in all; below each figure its 95 % interval.")

    def roles(self) -> None:
        if not self.rows:
            return
        table = self.table(
            f"As leader and as dealer (a round); score of the {self.game}s begun so", 1,
            "strategy", "points\nleader", "points\ndealer", "cards\nleader", "cards\ndealer",
            "basras\nleader", "basras\ndealer", "score %\nleader", "score %\ndealer",
        )  # fmt: skip
        for row in self.rows:
            cells = []
            for rate in ("points", "cards", "basras"):
                half = estimate(row, f"{rate}_per_round").half
                digits = 1 if half is None else min(decimals_for(half * math.sqrt(2)), 3)
                cells += [fixed(row["roles"][role][f"{rate}_per_round"], digits) for role in ROLES]
            for role in ROLES:
                score = estimate(row["roles"][role], "score")
                cells.append(f"{percent(score).removesuffix(' %')}\n{percent_half(score, self.plus_minus)}")
            table.add_row(row["strategy"], *cells)
        effect = estimate(self.s, "seat_effect")
        text = f"Leader minus dealer, all matches: {number_span(effect, signed=True)} points a round."
        self.show(table, f"The leader plays first in each deal of a round. {text}")

    def pair_statistics(self) -> None:
        shown = self.against[:MATCH_LINES]
        if not shown:
            return
        table = self.table(
            "Game pairs: pairs in which the first named got 0, 1/2, 1, 1 1/2, 2 points", 1,
            "match", "pairs", "Elo difference", "better?", "pairing\nsaved",
        )  # fmt: skip
        for m in shown:
            gain = m["variance_reduction"]["score"]
            table.add_row(
                m["match"], " ".join(str(n) for n in m["pair_scores"]), elo_text(estimate(m, "elo")),
                probability(m["los"]), NA if gain is None else f"{fixed(100 * gain, 0)} %",
            )  # fmt: skip
        self.show(
            table,
            "Elo: +100 means a score of 64 %. better?: the likelihood that the first named is the stronger. pairing "
            "saved: share of the variance that swapping seats on the same packs removed.",
        )

    def footer(self) -> None:
        s = self.s
        for note in s["notes"]:
            self.say(f"Note: {note}")
        speed = s["games_per_second"]
        played = f"Played {plural(s['games'], self.game)}"
        if self.game == "game":
            played += f" ({plural(s['rounds'], 'round')})"
        if speed:
            played += f" in {fixed(s['seconds'], 1 if s['seconds'] >= 1 else 2)} s: {count(round(speed))} a second"
        self.say(("\n" if s["notes"] else "") + f"{played}. Seed {s['seed']}.")
        self.say("Digest of the results (the same inputs give the same):")
        self.console.print(Text(f"  {s['digest']}"), soft_wrap=True)
        self.say("To repeat it:")
        self.console.print(Text(f"  {s['command']}"), soft_wrap=True)
