"""The sections of a report about the run itself: what was played, faults, how the numbers were made, how to repeat it."""

from __future__ import annotations

from typing import Any

from basra_sim.analysis.text.number_words import count, plural
from basra_sim.game.rules import PRESETS, RuleSet
from basra_sim.pages.page_parts import Bullets, Code, Grid, Section, Text
from basra_sim.records.counters import FORFEITS, RunTotals

from .finding import unit_of


def _differences(run: RunTotals) -> str:
    try:
        rules = RuleSet(**{**run.rules, "single_round": False})
        base = PRESETS.get(run.rules_name)
        same = base is not None and not rules.differences(base)
    except Exception:  # rules of another version: the name must do
        return run.rules_name
    return run.rules_name if same or not rules.name.startswith(run.rules_name) else rules.name


def played(run: RunTotals, summary: dict[str, Any], versions: dict[str, str]) -> Section:
    """Rules, packs, seed, versions, strategies."""
    unit = unit_of(summary)
    what = {
        "game": f"games to {run.rules.get('target', '?')} points",
        "round": "single rounds, one a pack",
        "packs": "single rounds with given packs",
    }[run.unit]
    upto = "up to " if any(m.games != run.games_per_match for m in run.matches) else ""
    packs = {"packs": "given by the user, each played twice with the seats swapped"}.get(
        run.unit, "shuffled from the seed; every match got the same ones, each played twice with the seats swapped"
    )
    facts = [
        ("rules", _differences(run)),
        ("played", f"{plural(len(run.matches), 'match')} of {upto}{count(run.games_per_match)} {what}"),
        ("in all", f"{count(summary['games'])} {unit}" + (f", {count(summary['rounds'])} rounds" if unit == "games" else "")),
        ("packs", packs),
        ("seed", str(run.seed)),
        ("made by", ", ".join(f"{name} {version}" for name, version in versions.items())),
    ]
    modes = [
        [entry["name"], _described(entry), str(entry.get("sha256") or "")[:12] or "–", str(entry.get("mode") or "–")]
        for entry in run.strategies
    ]
    section = Section("played", "What was played").add(
        Grid("The run", ["", ""], [list(fact) for fact in facts], words=2),
        Grid("The strategies", ["strategy", "what it does", "file (hash)", "plays"], modes, words=4),
    )
    if not run.complete:
        section.add(Text("Incomplete: the run stopped before its end. All numbers are those of what was played.", "warning"))
    return section


def _described(entry: dict[str, Any]) -> str:
    text = str(entry.get("summary") or "")
    told = ", ".join(str(entry.get("spec") or "").partition(":")[2].split(","))
    return (f"{text} ({told})" if text and told else text or told) or "–"


def faults(run: RunTotals) -> Section:
    """Forfeits by strategy and kind, notes of the run."""
    section = Section("faults", "Faults and notes")
    rows = []
    for m in run.matches:
        for side, name in enumerate((m.a, m.b)):
            for kind, games in zip(FORFEITS, m.forfeits[side], strict=True):
                if games:
                    rows.append([name, f"{m.a} vs {m.b}", kind.replace("_", " "), count(int(games))])
    if rows:
        head = ["strategy", "match", "why", "games"]
        section.add("A forfeited game counts as lost and is in no average of points.")
        section.add(Grid("Forfeited games, by the strategy at fault", head, rows, words=3))
    elif run.complete:
        section.add("No play was at fault: every card played was checked by the engine.")
    else:
        section.add(Text("The run stopped before its end: it was interrupted, or a strategy was at fault.", "warning"))
    if run.notes:
        section.add(Bullets(list(run.notes)))
    return section


METHOD = (
    "The unit is the game pair: the same packs played twice with the seats swapped. The two games of a pair depend on each "
    "other, pairs do not; every interval is computed on pairs, or on rounds in one role, of which each pair "
    "has one with the same pack.",
    "All intervals are 95 %: of many runs like this one, 95 % of such intervals hold the true value. They say nothing about a "
    "difference that is too small to matter.",
    "Scores: Agresti and Coull's adjusted interval (The American Statistician 52, 1998), carried over to bounded pair scores; it "
    "is never of no width. Points and cards a round: the ratio estimator (Cochran, Sampling Techniques, 1977, section 6.4).",
    "Basras, captures and other counts of plays: the same adjusted interval with 1.5 times the binomial variance, because plays "
    "of one round depend on each other (measured: at most 1.40 times). Several matches: ends averaged, "
    "right whatever the dependence.",
    "Elo: +100 means a score of 64 %. The likelihood of being stronger is that of a true score above one half; it is not the "
    "probability that the difference matters.",
    "Of twenty comparisons without any true difference, one passes a 95 % interval on average: look at the size as well.",
)


FIXED = (
    "They are for a run whose length was fixed beforehand; who looks again and again and stops when the result pleases is "
    "fooled by any of them."
)
WATCHED = (
    "How long this run lasted depended on what it showed, so scores have intervals that may be watched and stopped at any time "
    "(betting confidence sequences); they are wider."
)


def method(summary: dict[str, Any]) -> Section:
    """Notes on method in plain words, with sources."""
    notes = list(METHOD)
    notes.insert(2, WATCHED if summary.get("anytime") else FIXED)
    return Section("method", "How the numbers were made").add(Bullets(notes))


def repeat(run: RunTotals) -> Section:
    """Command and digest."""
    return Section("repeat", "To repeat it").add(
        "The same versions and the same command play the same games, on any machine and with any number of workers:",
        Code(run.command),
        "The digest covers the seed, the rules, the strategies' files and every result. If yours is the same, so are all games:",
        Code(run.digest),
    )
