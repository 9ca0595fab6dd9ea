"""The tables of `basra-sim analyze` in the terminal, with rich: strategies beside each other where they fit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rich.table import Table as RichTable

from basra_sim.analysis.statistics.shares import Table
from basra_sim.records.counters import RunTotals

from .number_words import count, p_text
from .ruled_tables import ruled_table
from .table_words import cell_text, expected_text, group_text

if TYPE_CHECKING:
    from rich.console import Console

LONG = 40  # rows: longer tables are named only, unless asked for
CELL = 16  # columns of the terminal that a cell with its half-width takes


class Printer:
    """Prints tables on one console."""

    def __init__(self, console: Console) -> None:
        self.console = console
        self.plus_minus = "+-" if console.options.ascii_only else "±"

    def say(self, text: str, style: str | None = None) -> None:
        self.console.print(text, style=style)

    def show(self, table: Table, whole: bool = False) -> None:
        """One table with title, note, law and tests; one that is very long only by name, unless `whole`."""
        self.say(table.title + (" (%)" if table.share else ""), "bold")
        frame = table.frame
        names = list(dict.fromkeys(frame["strategy"])) if "strategy" in frame else []
        groups = [name for name in table.groups if name != "strategy"]
        fits = 20 + CELL * len(names) <= max(self.console.width, 80)
        if groups and names and fits and not frame.duplicated(["strategy", *groups]).any():
            shown = self._beside(table, names, groups)
        else:
            shown = self._below(table)
        if shown.row_count > LONG and not whole:
            self.say(f"{shown.row_count:,} rows: --table {table.name} shows them, --format csv has them.\n", "dim")
            return
        self.console.print(shown)
        self._notes(table)

    def _beside(self, table: Table, names: list[str], groups: list[str]) -> RichTable:
        frame = table.frame
        laws = frame["expected"].notna().any()
        common = laws and frame.groupby(groups, sort=False)["expected"].nunique().max() <= 1
        level = laws and not common and (frame.groupby("strategy")["expected"].agg(lambda x: x.max() - x.min()) < 1e-9).all()
        grid = ruled_table(groups, [*names, *(["expected"] if common else [])])
        rows: dict[tuple[Any, ...], dict[str, Any]] = {}
        for row in frame.to_dict("records"):
            rows.setdefault(tuple(row[name] for name in groups), {})[row["strategy"]] = row
        for key, own in rows.items():
            cells = [group_text(name, value) for name, value in zip(groups, key, strict=True)]
            for name in names:
                text = cell_text(own[name], table.share, self.plus_minus) if name in own else "-"
                if laws and not common and not level and name in own:
                    text += f"\n({expected_text(own[name], table.share)})"
                cells.append(text)
            if common:
                cells.append(expected_text(next(iter(own.values())), table.share))
            grid.add_row(*cells)
        if level:
            widest = frame.sort_values("of").groupby("strategy").last().reset_index().to_dict("records")
            last = {row["strategy"]: expected_text(row, table.share) for row in widest}
            grid.add_row("expected", *[""] * (len(groups) - 1), *(last[name] for name in names))
        return grid

    def _below(self, table: Table) -> RichTable:
        frame = table.frame
        laws = frame["expected"].notna().any()
        per = list(dict.fromkeys(frame["per"]))
        what = per[0] if len(per) == 1 else "denominator"
        grid = ruled_table(table.groups, ["count", what, "value", *(["expected"] if laws else [])])
        for row in frame.to_dict("records"):
            cells = [group_text(name, row[name]) for name in table.groups]
            cells += [count(int(row["count"])), count(int(row["of"])), cell_text(row, table.share, self.plus_minus)]
            grid.add_row(*cells, *([expected_text(row, table.share)] if laws else []))
        return grid

    def _notes(self, table: Table) -> None:
        notes = [table.note] if table.note else []
        if table.law:
            notes.append(f"Expected: {table.law}.")
        told = [t for t in table.tests if t["p"] is not None and t.get("outcome", "won") == "won"]
        if told:
            which = "; ".join(f"{t['strategy']} {p_text(t['p'])}" for t in told[:6])
            notes.append(f"Chance of a difference this large if that held: {which}.")
        self.say("\n".join(notes) + "\n", "dim")


def print_analysis(
    run: RunTotals, tables: Sequence[Table], missing: Sequence[str], console: Console, whole: bool = False
) -> None:
    """Print what was analysed: what was played, then each table, then what cannot be told."""
    printer = Printer(console)
    games = sum(m.games for m in run.matches)
    unit = "games" if run.unit == "game" else "rounds"
    rounds = sum(m.rounds for m in run.matches)
    printer.say(f"{count(games)} {unit}, {count(rounds)} rounds, rules {run.rules_name}, seed {run.seed}", "bold")
    if not run.complete:
        printer.say("INCOMPLETE: the run stopped before its end; the numbers are those of what was played.", "bold yellow")
    printer.say(
        f"Value {printer.plus_minus}half of its 95 % interval; each strategy over its matches against others.\n", "dim"
    )
    for table in tables:
        printer.show(table, whole)
    for line in missing:
        printer.say(line)
