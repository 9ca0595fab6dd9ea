"""A measured ladder as a page: the finding, each rung against the base and against the one below, what the columns say."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from basra_sim import plots
from basra_sim.analysis.text.number_words import count, fixed, plural
from basra_sim.pages.html_page import page_text
from basra_sim.pages.page_parts import Bullets, Code, Grid, Picture, Section
from basra_sim.workshop.ladder import BASE, HEADERS, Ladder, Rung, command_of, rows

from .ranked_rows import interval_frame

COLUMNS = (
    f"rounds won, Elo, points: single rounds against {BASE}, draws half, with 95 % intervals over pairs of rounds on the same "
    "pack with the seats swapped. Elo: +100 means 64 %. Points: a round, more than the other.",
    f"games won: share of games to the target won against {BASE}.",
    "over the one below: share of rounds and of games won against the strategy one line further down.",
    "regret: points that a decision of the last deal loses against exact play; 0 means that it plays last deals perfectly.",
    "seat: points a round of the leader over the dealer, both strategies together.",
    "us: microseconds of processor time a decision, forced ones and the engine's share included, on the machine that measured.",
    "pairing: how many times fewer rounds are needed because each pack is played from both seats.",
)


def ladder_html(ladder: Ladder) -> str:
    """A measured ladder as a page."""
    rungs = list(reversed(ladder.rungs))
    heading = f"The ladder of strategies, rules {ladder.rules}"
    played = Section("ladder", "The ladder")
    against = [rung for rung in rungs if rung.strategy != BASE]
    if against:
        above = " Those that cheat stand above the fair ones." if any(rung.cheats for rung in rungs) else ""
        played.add(Picture(
            "ladder", f"Share of rounds won against {BASE}, strongest first",
            f"The further right, the more rounds were won against {BASE}. A hollow dot's interval contains 50 %. "
            f"{_sizes(against)}.{above}",
            partial(_forest, against, "share", f"rounds won against {BASE}, % (draws half)"),
        ))  # fmt: skip
    played.add(Grid(f"The ladder, strongest first; size {ladder.size}, seed {ladder.seed}", HEADERS, rows(ladder)))
    steps = Section("steps", "Step by step")
    upper = [rung for rung in rungs if rung.below and rung.below_share is not None]
    if upper:
        steps.add(Picture(
            "steps", "Share of rounds that each rung wins against the one below it",
            "Each against the strategy one line further down. A hollow dot's interval contains 50 %: the order of these two may "
            "be chance.",
            partial(_forest, upper, "below", "rounds won against the one below, %", below=True),
        ))  # fmt: skip
    return page_text(heading, ladder_finding(ladder), [
        played, steps, Section("columns", "What the columns say", [Bullets(list(COLUMNS))]),
        Section("repeat", "To repeat it").add(
            f"basra-sim {ladder.version}. The same seed gives the same results but for the times:", Code(command_of(ladder))
        ),
    ], prefix="ladder")  # fmt: skip


def _sizes(rungs: Sequence[Rung]) -> str:
    sizes = sorted({rung.pairs for rung in rungs})
    return " or ".join(count(size) for size in sizes) + " pairs of rounds each"


def _forest(rungs: Sequence[Rung], what: str, unit: str, below: bool = False) -> Any:
    """The forest plot of one share of the rungs: "share" or "below"."""
    ends = ("share", "share_low", "share_high") if what == "share" else ("below_share", "below_low", "below_high")
    labels = [rung.strategy + (f" : {rung.below}" if below else " (cheats)" if rung.cheats else "") for rung in rungs]
    frame = interval_frame(labels, [tuple(getattr(rung, end) for end in ends) for rung in rungs])
    title = "Rounds won against the one below" if below else f"Rounds won against {BASE}"
    return plots.forest(frame, title=title, unit=unit, size=_sizes(rungs), letters=34 if below else plots.style.NAME)


def ladder_finding(ladder: Ladder) -> str:
    """What the ladder says, in a sentence or two."""
    fair = [rung for rung in ladder.rungs if not rung.cheats] or ladder.rungs
    if not fair:
        return "Nothing was measured."
    top = fair[-1]
    text = f"{top.strategy} is strongest against {BASE}: it wins {fixed(100 * top.share, 1)} % of rounds"
    if top.share_low is not None and top.share_high is not None:
        text += f" ({fixed(100 * top.share_low, 1)} to {fixed(100 * top.share_high, 1)})"
    text += f", {fixed(top.points, 1, signed=True)} points a round." if top.points else "."
    steps = [
        (rung, low, high) for rung in ladder.rungs
        if (low := rung.below_low) is not None and (high := rung.below_high) is not None
    ]  # fmt: skip
    open_ = [rung for rung, low, high in steps if low <= 0.5 <= high]
    turned = [rung for rung, _, high in steps if high < 0.5]
    if steps:
        text += f" Of {plural(len(steps), 'step')} up the ladder {len(steps) - len(open_) - len(turned)} are beyond chance"
        text += " when the two meet"
        told = [f"{rung.strategy} and {rung.below} may be level" for rung in open_[:3]]
        told += [f"{rung.strategy} loses to {rung.below}" for rung in turned[:3]]
        text += f"; {'; '.join(told)}." if told else "."
    return text
