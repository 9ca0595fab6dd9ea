"""`basra-sim bench`: how fast this is on the user's machine."""

from __future__ import annotations

import itertools
import os.path

import click

from basra_sim.cli.console import console, make_streams_safe

# the library is imported when a verb is called: --help is click alone


@click.command()
@click.option("--repetitions", "-n", type=click.IntRange(1, 100), default=5, show_default=True, help="Medians of so many.")
@click.option("--full", is_flag=True, help="Runs of 10 million games for time, memory, resuming.")
@click.option("--against", type=click.Path(exists=True, dir_okay=False), help=(
    "Another engine to measure in turn: a program that takes seconds per case and prints lines "
    "engine,strategies,rounds_per_s,... such as scalar,random-random,2500000."))
def bench(repetitions: int, full: bool, against: str | None) -> None:
    """Measure the engine, whole commands and memory; print a table with the CPU, the cores and the versions.

    Takes some minutes. Ratios are measured in turn in one run, figures are medians; close other programs first.
    """
    from rich.table import Table

    from basra_sim.workshop import run_bench as bench_runs
    from basra_sim.workshop.bench import lines, machine

    make_streams_safe()
    out = console()
    table = Table(title="How fast basra-sim is here", caption=machine(), title_justify="left", caption_justify="left")
    for column in ("what", "measured", "goal"):
        table.add_column(column, overflow="fold")
    program = os.path.abspath(against) if against else None
    of_runs = bench_runs.lines(repetitions=max(1, repetitions // 2), full=full)
    for line in itertools.chain(lines(repetitions=repetitions, full=full, against=program), of_runs):
        click.echo(f"{line.what}: {line.figure}", err=True)
        table.add_row(line.what, line.figure, line.goal)
    out.print(table)
