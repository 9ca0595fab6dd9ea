"""A run in the terminal, from its summary alone, with rich: everything that it says, most important first.

Readable at 80 columns by somebody who never saw the program: every share says of what, every interval is 95 %.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.text import Text

from basra_sim.analysis.statistics.intervals import MIN_PAIRS, estimate_of

from . import field_tables, match_tables, strategy_tables
from .number_words import count, fixed, percent_span, plural
from .summary_view import View
from .table_words import LEVEL_NOTE

if TYPE_CHECKING:
    from rich.console import Console

PAIRS_NOTE = (
    "All intervals are 95 % and computed on game pairs: the same packs are played twice, with the seats swapped. "
    f"n/a: fewer than {MIN_PAIRS} pairs, or nothing that varies."
)
ANYTIME_NOTE = (
    "The length of this run depended on its results, so the intervals of scores are ones that may be watched: of many runs, "
    "however often looked at and whenever stopped, 95 % never exclude the true score (a confidence sequence on game pairs). "
    "They are about twice as wide as those of a run of fixed length; those of points, basras and cards are not of this kind."
)


def print_tables(summary: dict[str, Any], console: Console, plain: bool | None = None) -> None:
    """Print everything that a run says, most important first; `plain` (ASCII) follows the console unless given."""
    view = View(summary, console, console.options.ascii_only if plain is None else plain)
    heading(view)
    if summary["games"]:
        in_short(view)
        for table in (
            strategy_tables.ranking, field_tables.standings, field_tables.ratings, match_tables.cross_table,
            match_tables.matches, field_tables.tests, field_tables.forfeits, strategy_tables.points, strategy_tables.roles,
            match_tables.pair_statistics,
        ):  # fmt: skip
            table(view)
        view.say((ANYTIME_NOTE if summary["anytime"] else PAIRS_NOTE) + "\n")
    footer(view)


def heading(view: View) -> None:
    """What was played."""
    s = view.s
    names = len(s["strategies"])
    rules = s["rules_name"]
    if view.game == "game":
        played = f"{count(s['games_per_match'])} games to {s['rules'].get('target', '?')} points"
    elif s["unit"] == "packs":
        played = f"{count(s['games_per_match'])} rounds with given packs"
    else:
        played = f"{count(s['games_per_match'])} single rounds"
    matches = plural(len(s["matches"]), "match")
    view.say(f"Basra: {plural(names, 'strategy')}, {matches} of {played}, rules {rules}", style="bold")
    if not s["complete"]:
        view.say(
            "INCOMPLETE: the run stopped before its end; the numbers are those of what was played.", "bold yellow"
        )
    view.say()


def in_short(view: View) -> None:
    """The finding in one sentence."""
    if not view.rows:
        if any(m["level"] for m in view.s["matches"]):
            view.say(LEVEL_NOTE + "\n")
        return
    best = view.rows[0]
    score = estimate_of(best, "score")
    share = f"{percent_span(score)} of {plural(best['games'], view.game)}"
    if len(view.rows) == 2 and best["opponents"] == 1:
        other = view.rows[1]["strategy"]
        if score.low is None:
            text = f"{best['strategy']} against {other}: {share}; too few pairs to say more."
        elif score.low > 0.5:
            text = f"{best['strategy']} beats {other}: it {'scored' if best['draws'] else 'won'} {share}."
        else:
            text = f"No difference shown between {best['strategy']} and {other}: {share} for the first."
    elif view.form == "gauntlet":
        text = f"{best['strategy']} scored {share} against {plural(best['opponents'], 'opponent')}."
    elif view.form in ("swiss", "knockout"):
        first = [row["strategy"] for row in view.s["design"]["standings"] if row["place"] == 1]
        text = f"First in the {'Swiss tournament' if view.form == 'swiss' else 'knockout'}: {', '.join(first)}."
    else:
        text = f"Best score: {best['strategy']} with {share} against {plural(best['opponents'], 'opponent')}."
    view.say(text + "\n")


def footer(view: View) -> None:
    """Notes, speed, digest, and the command that plays it again."""
    s = view.s
    for note in s["notes"]:
        view.say(f"Note: {note}")
    speed = s["games_per_second"]
    played = f"Played {plural(s['games'], view.game)}"
    if view.game == "game":
        played += f" ({plural(s['rounds'], 'round')})"
    if speed:
        played += f" in {fixed(s['seconds'], 1 if s['seconds'] >= 1 else 2)} s: {count(round(speed))} a second"
    view.say(("\n" if s["notes"] else "") + f"{played}. Seed {s['seed']}.")
    view.say("Digest of the results (the same inputs give the same):")
    view.console.print(Text(f"  {s['digest']}"), soft_wrap=True)
    view.say("To repeat it:")
    view.console.print(Text(f"  {s['command']}"), soft_wrap=True)
