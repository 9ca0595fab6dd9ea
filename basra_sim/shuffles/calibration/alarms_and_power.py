"""How often each test alarms on perfect shuffles, and how many decks it needs against each flaw; one Markdown page.

Perfect shuffles come from numpy's own generator (PCG64, `permuted`), flaws from the built-in shuffles. `minutes` scales the
number of logs; the sizes reached are written into the page.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import log, sqrt

import numpy as np
from scipy import special

from basra_sim.shuffles.battery.outcomes import BATTERY_VERSION, POWER, TESTS, judge, reweigh
from basra_sim.shuffles.battery.tally import tally
from basra_sim.shuffles.generators.built_in_shuffles import Generator
from basra_sim.shuffles.laws.riffles import card_transition
from basra_sim.shuffles.laws.tails import noncentrality

LEVELS = (0.05, 0.01, 0.001)
ALPHA = 0.001
# minutes of one core, on the machine that made the shipped page, for all logs of a size
LOGS = {10: 10_000, 100: 10_000, 1_000: 10_000, 100_000: 300}
FULL_MINUTES = 15.0
FLAWS = (
    "naive", "sort-random", "sattolo", "riffle:5", "riffle:6", "riffle:7", "riffle:8", "riffle:10", "overhand:20",
    "sort-keys:100", "sort-keys:1000", "piles:7", "swaps:52", "swaps:500,distinct", "modulo:256", "lcg:low,32", "java:seq",
    "anti-clump", "stuck:1",
)  # fmt: skip
PLANNED = {
    ("position", "naive"): 440, ("position", "sort-random"): 224, ("position", "riffle:5"): 644,
    ("position", "riffle:7"): 8634, ("position", "modulo:256"): 3322, ("neighbours", "riffle:5"): 200,
    ("neighbours", "riffle:7"): 3696, ("neighbours", "sort-keys:100"): 247, ("rising", "riffle:5"): 2, ("rising", "riffle:6"): 6,
    ("rising", "riffle:7"): 24, ("rising", "riffle:8"): 94, ("rising", "riffle:10"): 1504, ("descents", "sort-keys:100"): 14,
    ("descents", "sort-keys:1000"): 1291, ("descents", "riffle:7"): 1711, ("inversions", "naive"): 106,
    ("inversions", "sort-random"): 114, ("inversions", "overhand:20"): 6, ("inversions", "modulo:256"): 911,
    ("footrule", "naive"): 116, ("footrule", "sort-random"): 165, ("footrule", "riffle:5"): 495, ("fixed", "sattolo"): 17,
    ("cycles", "sattolo"): 4, ("parity", "sattolo"): 17, ("parity", "swaps:500,distinct"): 17, ("lis", "naive"): 274,
    ("lis", "riffle:5"): 25, ("lis", "riffle:7"): 419, ("successions", "riffle:5"): 16, ("successions", "riffle:7"): 392,
    ("successions", "overhand:20"): 29, ("komi-place", "naive"): 3582, ("komi-place", "sattolo"): 2646,
}  # fmt: skip
SIMULATED_TO = 700
LARGE = 300_000
Tell = Callable[[str], None]


@dataclass(frozen=True)
class FalseAlarms:
    """Rejections of every test on `logs` perfect logs of `decks` decks, at the three levels."""

    decks: int
    logs: int
    rejected: dict[str, tuple[int, int, int]]
    verdicts: dict[str, int]


def perfect_logs(decks: int, logs: int, seed: int, n: int = 52) -> Iterator[np.ndarray]:
    """Perfect logs, uint8 (decks, n), each with a stream of its own."""
    base = np.tile(np.arange(n, dtype=np.uint8), (decks, 1))
    for child in np.random.SeedSequence([seed, decks]).spawn(logs):
        yield np.random.default_rng(child).permuted(base, axis=1)


def false_alarms(decks: int, logs: int, seed: int) -> FalseAlarms:
    """Count rejections on perfect logs."""
    rejected = {test.name: [0, 0, 0] for test in TESTS}
    verdicts: dict[str, int] = {}
    names = [test.name for test in TESTS]
    for log_decks in perfect_logs(decks, logs, seed):
        counts = tally([log_decks], 52, workers=1)
        outcome = judge(counts, only=names)
        for result in outcome.results:
            for i, level in enumerate(LEVELS):
                rejected[result.test.name][i] += result.p < level
        verdict = reweigh(outcome, [r for r in outcome.results if "F" in r.test.profiles]).verdict
        verdicts[verdict] = verdicts.get(verdict, 0) + 1
    return FalseAlarms(decks, logs, {name: (r[0], r[1], r[2]) for name, r in rejected.items()}, verdicts)


def n80_by_formula(flaw: str, seed: int) -> dict[str, float]:
    """Decks for 80 % power at .001 from the effect in one large sample, as `shuffle plan` has it.

    Means: ((z(.9995) + z(.8)) / shift)^2 in standard deviations of a perfect deck; tables of cells: noncentrality (upper
    tail at .001) by mass and rms^2. Tests with no clear effect are left out.
    """
    counts = tally(Generator(flaw, seed).chunks(LARGE), 52)
    reach = float(special.ndtri(1 - ALPHA / 2) + special.ndtri(POWER))
    needed = {}
    for result in judge(counts).results:
        m = result.measure
        if abs(m.z) < 8:
            continue
        if m.kind == "mean":
            needed[result.test.name] = (reach * m.sd / (m.value - m.expected)) ** 2
        elif m.kind == "cells" and m.x2 > m.degrees:
            needed[result.test.name] = noncentrality(m.degrees, ALPHA) / (m.mass * m.value**2)
    return needed


def n80_by_simulation(flaw: str, logs: int, seed: int) -> dict[str, float]:
    """Decks for 80 % power at .001 by counting rejections on logs of growing size, up to SIMULATED_TO decks."""
    sizes = [1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 17, 20, 24]
    while sizes[-1] < SIMULATED_TO:
        sizes.append(int(sizes[-1] * 1.18) + 1)
    generator = Generator(flaw, seed + 1)
    power: dict[str, list[float]] = {}
    for size in sizes:
        hits: dict[str, int] = {}
        stream = generator.decks(size * logs).reshape(logs, size, 52)
        generator.seed += 1
        for decks in stream:
            for result in judge(tally([decks], 52, workers=1)).results:
                hits[result.test.name] = hits.get(result.test.name, 0) + (result.p < ALPHA)
        for name, count in hits.items():
            power.setdefault(name, [0.0] * (len(sizes))).__setitem__(sizes.index(size), count / logs)
    found = {}
    for name, curve in power.items():
        at = _crossing(sizes, curve)
        if at is not None:
            found[name] = at
    return found


def _crossing(sizes: list[int], curve: list[float]) -> float | None:
    """Where a noisy power curve passes 80 %: isotonic by running means, then linear between sizes on a log scale."""
    rising = np.maximum.accumulate(np.convolve(np.pad(curve, 1, mode="edge"), [0.25, 0.5, 0.25], mode="valid"))
    above = np.flatnonzero(rising >= POWER)
    if not len(above):
        return None
    i = int(above[0])
    if i == 0 or sizes[i] < 12:
        return float(next(s for s, p in zip(sizes, curve, strict=True) if p >= POWER))
    part = (POWER - rising[i - 1]) / max(1e-9, rising[i] - rising[i - 1])
    return float(np.exp(log(sizes[i - 1]) + part * (log(sizes[i]) - log(sizes[i - 1]))))


@dataclass(frozen=True)
class Power:
    """Decks for 80 % power of each test against a flaw: counted on simulated logs, and by formula."""

    flaw: str
    simulated: dict[str, float]
    formula: dict[str, float]

    def text(self, name: str) -> str:
        """One cell of the table: "formula (counted)"."""
        if name not in self.formula:
            return f"({self.simulated[name]:.0f})" if name in self.simulated else "-"
        counted = f" ({self.simulated[name]:.0f})" if name in self.simulated else ""
        value = self.formula[name]
        return ("<1" if value < 1 else f"{value:,.0f}") + counted


def power_against(flaw: str, logs: int, seed: int) -> Power:
    """N80 of all tests against one flaw."""
    return Power(flaw, n80_by_simulation(flaw, logs, seed), n80_by_formula(flaw, seed))


def markdown(minutes: float, seed: int, tell: Tell) -> str:
    """Run everything and write the page. tell: called with a line of progress now and then."""
    share = min(1.0, minutes / FULL_MINUTES)
    alarms = []
    for decks, most in LOGS.items():
        logs = max(20, round(most * share))
        tell(f"perfect logs of {decks:,} decks: {logs:,}")
        alarms.append(false_alarms(decks, logs, seed))
    logs = max(20, round(150 * share))
    powers = []
    for flaw in FLAWS:
        tell(f"power against {flaw}")
        powers.append(power_against(flaw, logs, seed))
    return "\n".join([*_head(minutes, seed), *_alarm_page(alarms), *_power_page(powers, logs)])


def _head(minutes: float, seed: int) -> list[str]:
    return [
        "# Calibration of the shuffle tests",
        "",
        f"Battery version {BATTERY_VERSION}. Made by `basra-sim shuffle calibrate --minutes {minutes:g} --seed {seed} -o "
        "docs/shuffle-calibration.md`; the same seed and minutes give the same page.",
        "",
    ]


def _alarm_page(alarms: list[FalseAlarms]) -> list[str]:
    lines = [
        "## False alarms on perfect shuffles",
        "",
        "Share of perfect logs (numpy's PCG64 and `permuted`) with p below .05 / .01 / .001, two-sided. Discrete statistics "
        "of few decks (parity, fixed cards, jacks) stay below: their p-values are exact and cannot come closer.",
        "",
        "| test | " + " | ".join(f"{a.logs:,} logs of {a.decks:,}" for a in alarms) + " |",
        "|--|" + "--|" * len(alarms),
    ]
    for test in TESTS:
        cells = []
        for a in alarms:
            rates = [count / a.logs for count in a.rejected[test.name]]
            cells.append(f"{rates[0]:.3f} {rates[1]:.4f} {rates[2]:.5f}" if test.least <= 52 and test.name != "orders" else "-")
        if test.name != "orders":
            lines.append(f"| {test.name} | " + " | ".join(cells) + " |")
    lines += ["", "The verdict of the whole battery (full profile, Holm) on the same logs:", ""]
    for a in alarms:
        told = ", ".join(f"{name} {count:,}" for name, count in sorted(a.verdicts.items()))
        lines.append(f"- {a.logs:,} logs of {a.decks:,} decks: {told}")
    return [*lines, ""]


def _power_page(powers: list[Power], logs: int) -> list[str]:
    names = [t.name for t in TESTS if any(p.text(t.name) != "-" for p in powers)]
    noise = 100 * 0.4 / sqrt(logs) / 0.58
    lines = [
        "## Decks needed (N80)",
        "",
        f"Decks for 80 % power of one test at .001: by formula from the effect in {LARGE:,} decks (as `shuffle plan` has it), "
        f"and in brackets counted on {logs} logs of each size up to {SIMULATED_TO} decks, with the exact two-sided p-values "
        f"(noise about {noise:.0f} %). Where the two differ, the statistic is far from normal at that size or the counted "
        "test pays for its other tail; guessers learn as they go, so their formula, from many decks, is too kind. - means no "
        "clear effect.",
        "",
    ]
    for start in range(0, len(powers), 7):
        part = powers[start : start + 7]
        lines += ["| test | " + " | ".join(p.flaw for p in part) + " |", "|--|" + "--|" * len(part)]
        rows = [name for name in names if any(p.text(name) != "-" for p in part)]
        lines += [f"| {name} | " + " | ".join(p.text(name) for p in part) + " |" for name in rows]
        lines.append("")
    return lines + _published(powers)


def _published(powers: list[Power]) -> list[str]:
    """Our figures beside the planning figures that the lab was specified with."""
    by_flaw = {power.flaw: power for power in powers}
    lines = [
        "## Against the planning figures",
        "",
        "The figures in the first column were simulated once, apart from this program; agreement means within 20 % or 2 decks.",
        "",
        "| test | flaw | planned | formula | counted | |",
        "|--|--|--|--|--|--|",
    ]
    for (test, flaw), planned in PLANNED.items():
        power = by_flaw[flaw]
        formula, counted = power.formula.get(test), power.simulated.get(test)
        near = [v for v in (formula, counted) if v is not None and (abs(v / planned - 1) <= 0.2 or abs(v - planned) <= 2)]
        told = [f"{v:,.0f}" if v is not None else "-" for v in (formula, counted)]
        lines.append(f"| {test} | {flaw} | {planned:,} | {told[0]} | {told[1]} | {'agrees' if near else 'differs'} |")
    exact = ", ".join(f"{exact_position_n80(k):,.0f} for {k} riffles" for k in (5, 7))
    return [*lines, "", f"For card x place the exact law of riffles gives {exact}.", ""]


def exact_position_n80(riffles: int) -> float:
    """Decks for 80 % power of card x place at .001 against riffles, from the exact law of a card's place."""
    places = range(1, 53)
    gaps = [(52 * float(card_transition(riffles, i, j)) - 1) ** 2 for i in places for j in places]
    return noncentrality(2601.0, ALPHA) / 51 / (sum(gaps) / len(gaps))
