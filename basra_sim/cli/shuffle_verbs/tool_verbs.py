"""`basra-sim shuffle plan|odds|mix|seeds`: the smaller tools of the shuffle lab."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from basra_sim.shuffles.generators.mixing import Mixing
    from basra_sim.shuffles.seeds.seed_search import Progress


def _print(lines: list[str]) -> None:
    from basra_sim.cli.console import console
    from basra_sim.shuffles.verdict.terminal_text import say

    say(console(), *lines)


def _print_json(value: Any) -> None:
    import json

    click.echo(json.dumps(value, indent=2, ensure_ascii=False))


@click.command()
@click.option("-n", "--decks", type=click.IntRange(1), help="How many decks you have or could log.")
@click.option("--bias", metavar="X", help="A relative bias, such as 5% or 0.05: how many decks does it need?")
@click.option("--alpha", default=0.001, show_default=True, type=click.FloatRange(0, 0.5, min_open=True), help="Two-sided level.")
@click.option("--power", default=0.8, show_default=True, type=click.FloatRange(0.5, 0.999), help="Chance to see it.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def plan(decks: int | None, bias: str | None, alpha: float, power: float, as_json: bool) -> None:
    """What N decks can show, or how many decks a bias needs.

    \b
    basra-sim shuffle plan -n 240
    basra-sim shuffle plan --bias 5%
    """
    from basra_sim.errors import BadInput
    from basra_sim.shuffles.laws import deck_numbers as planning

    if (decks is None) == (bias is None):
        raise BadInput("give either -n DECKS or --bias X, such as `shuffle plan -n 240` or `shuffle plan --bias 5%`")
    wanted = planning.parse_bias(bias) if bias is not None else None
    if not as_json:
        _print(planning.plan_lines(decks, wanted, alpha, power))
        return
    rows = []
    for question in planning.questions(alpha, power):
        row: dict[str, Any] = {"question": question.name, "words": question.words, "should_be": question.base}
        if wanted is not None:
            row["decks_needed"] = planning.decks_needed(question, wanted)
        elif decks is not None:
            row["smallest_relative_bias"] = planning.smallest_bias(question, decks)
        rows.append(row)
    _print_json({"decks": decks, "bias": wanted, "alpha": alpha, "power": power, "rows": rows})


@click.command()
@click.argument("question")
@click.option("--games-a-day", type=click.FloatRange(0, min_open=True), help="Games played in all a day, for waiting times.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def odds(question: str, games_a_day: float | None, as_json: bool) -> None:
    """How odd is what I saw, exactly, and how long until somebody sees it?

    \b
    basra-sim shuffle odds "3 jacks of 4 in 24 of 52"
    basra-sim shuffle odds "0 of 16 in 20 of 60" --games-a-day 5000
    """
    from basra_sim.shuffles.laws.chances import games_until, oddness, odds_lines
    from basra_sim.shuffles.laws.chances import odds as answer_of

    answer = answer_of(question)
    if not as_json:
        _print(odds_lines(answer, games_a_day))
        return
    q, chance = answer.question, float(answer.chance)
    _print_json(
        {
            "question": q.words(),
            "chance": chance,
            "exact": f"{answer.chance.numerator}/{answer.chance.denominator}",
            "exactly_this_number": float(answer.exactly),
            "expected": float(answer.mean),
            "in_words": oddness(chance),
            "games_until_even": games_until(chance, 0.5),
            "games_until_95": games_until(chance, 0.95),
            "games_to_show_twice_as_often": answer.games_to_show(),
            "table": {str(k): float(p) for k, p in answer.table.items()},
        }
    )


@click.command()
@click.argument("kind", metavar="riffle|overhand|top")
@click.option("-k", "counts", default="1..12", show_default=True, help="Numbers of shuffles: 7, 1..12, 50,100 or 0..300/50.")
@click.option(
    "--chance", default=0.5, show_default=True, type=click.FloatRange(0, 1, min_open=True), help="Overhand: cut at each gap."
)
@click.option(
    "-n", "--decks", default=20_000, show_default=True, type=click.IntRange(100, 10_000_000), help="Overhand: decks simulated."
)
@click.option("--seed", default=0, show_default=True, type=click.IntRange(0), help="Overhand: seed of the simulation.")
@click.option("--deck-size", default=52, show_default=True, type=click.IntRange(2, 52), help="Cards in a deck.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON (exact fractions included).")
def mix(kind: str, counts: str, chance: float, decks: int, seed: int, deck_size: int, as_json: bool) -> None:
    """How well k riffles, overhand passes or top-to-random moves mix a sorted deck.

    Riffles and top-to-random are exact (rational arithmetic); overhand has no exact law, so a lower bound is simulated.
    """
    from basra_sim.shuffles.generators.mixing import mixing, parse_counts

    rows = mixing(kind, parse_counts(counts), n=deck_size, chance=chance, decks=decks, seed=seed)
    if as_json:
        _print_json([_mix_json(row) for row in rows])
    elif kind == "overhand":
        _overhand_table(rows, chance, decks)
    else:
        _exact_table(kind, rows, deck_size)


def _mix_json(row: Mixing) -> dict[str, Any]:
    return {
        "k": row.k,
        "total_variation": None if row.tv is None else float(row.tv),
        "total_variation_exact": None if row.tv is None else f"{row.tv.numerator}/{row.tv.denominator}",
        "separation": None if row.separation is None else float(row.separation),
        "missing_bits": row.missing_bits,
        "mean_rising_sequences": row.rising,
        "top_card_total_variation": None if row.top_card is None else float(row.top_card),
        "total_variation_at_least": None if row.bound is None else row.bound[0],
        "interval_95": None if row.bound is None else list(row.bound[1:]),
        "by": row.feature or None,
    }


def _exact_table(kind: str, rows: list[Mixing], n: int) -> None:
    from rich.table import Table

    from basra_sim.cli.console import console
    from basra_sim.shuffles.generators.mixing import exact_decimal
    from basra_sim.shuffles.laws.riffles import order_bits
    from basra_sim.shuffles.verdict.terminal_text import say

    table = Table(box=None, pad_edge=False)
    heads = ["k", "total variation", "separation", "missing bits"]
    for name in [*heads, *(["rising seq.", "top card's TV"] if kind == "riffle" else [])]:
        table.add_column(name, justify="right")
    for row in rows:
        assert row.tv is not None and row.separation is not None and row.missing_bits is not None
        cells = [str(row.k), exact_decimal(row.tv, 3), exact_decimal(row.separation, 6), f"{row.missing_bits:.3f}"]
        if kind == "riffle":
            cells += [f"{row.rising:.3f}", exact_decimal(row.top_card, 4) if row.top_card is not None else "-"]
        table.add_row(*cells)
    out = console()
    out.print(table)
    out.print()
    what = "Gilbert-Shannon-Reeds riffles" if kind == "riffle" else "Moves of the top card to a random place"
    told = "Total variation 0 would be perfect: no bet can win more than that share."
    say(out, f"{what} of {n} cards, exact. {told} A perfect order has {order_bits(n):.1f} bits.")


def _overhand_table(rows: list[Mixing], chance: float, decks: int) -> None:
    from rich.table import Table

    from basra_sim.cli.console import console
    from basra_sim.shuffles.verdict.terminal_text import say

    table = Table(box=None, pad_edge=False)
    for name in ("k", "TV at least", "95 % interval", "seen in", "rising seq."):
        table.add_column(name, justify="left" if name == "seen in" else "right")
    for row in rows:
        assert row.bound is not None
        value, low, high = row.bound
        table.add_row(
            str(row.k), f"{max(0.0, value):.3f}", f"{max(0.0, low):.3f} to {max(0.0, high):.3f}", row.feature, f"{row.rising:.2f}"
        )
    out = console()
    out.print(table)
    out.print()
    say(
        out,
        f"Overhand passes that cut at each gap with chance {chance:g}; {decks:,} decks to choose the feature, as many to "
        "measure it. No exact law is known here: the true distance may be larger; 0 says only that these features show nothing.",
    )


def _progress(label: str) -> tuple[Progress | None, Any]:
    """A callback and the bar it moves: on stderr, only on a terminal."""
    if not sys.stderr.isatty():
        return None, None
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    from basra_sim.cli.console import console

    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TaskProgressColumn(),
        TimeRemainingColumn(),
        console=console(stderr=True),
        transient=True,
    )
    task = bar.add_task(label, total=1.0)
    return (lambda share, words: bar.update(task, completed=share, description=words)), bar


@click.command()
@click.argument("log", metavar="LOG|-")
@click.option(
    "--prng", "generators", multiple=True, metavar="NAME", help="Only this generator (may be repeated); none: no search."
)
@click.option(
    "--seeds",
    "seed_range",
    default="usual",
    show_default=True,
    metavar="RANGE",
    help="usual, all, ms-of-day, small, unix or unix:DATE+-DAYS.",
)
@click.option(
    "--start",
    metavar="ORDER",
    help="The order before the shuffle, such as SHDC-A2K (default: the usual ones are tried and counted).",
)
@click.option("--workers", type=click.IntRange(1), help="Threads (default: one a core).")
@click.option("--format", "form", help="Force the form of the log.")
@click.option("--map", "mapping", metavar="ORDER", help="What integers mean, such as CDHS-A2K.")
@click.option(
    "--deck-size",
    default=52,
    show_default=True,
    type=click.IntRange(2, 52),
    help="Cards in a deck (seeds are searched for 52 only).",
)
@click.option("--strict", is_flag=True, help="Stop at the first bad deck.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def seeds(
    ctx: click.Context,
    log: str,
    generators: tuple[str, ...],
    seed_range: str,
    start: str | None,
    workers: int | None,
    form: str | None,
    mapping: str | None,
    deck_size: int,
    strict: bool,
    as_json: bool,
) -> None:
    """Audit the generator behind a log of your own: repeats, lags, and the seed itself where it can be found.

    Generators: java, borland, msvc, ansi, low, glibc, mt-modulo, mt-numpy, mt-python. Exit code 1 when something was
    found, 0 when not.

    \b
    basra-sim shuffle seeds decks.txt
    basra-sim shuffle seeds decks.txt --prng borland --seeds ms-of-day
    """
    from basra_sim.shuffles.logs.deck_log import read_decks
    from basra_sim.shuffles.seeds.audit import audit
    from basra_sim.shuffles.seeds.audit_report import audit_lines

    source = read_decks(log, format=form, mapping=mapping, deck_size=deck_size, strict=strict)
    callback, bar = _progress("searching")
    chosen = [name for name in generators if name != "none"] if generators else None
    try:
        if bar is not None:
            bar.start()
        result = audit(
            source.chunks(),
            generators=chosen,
            seeds=seed_range,
            start=start,
            faces_known=source.faces_known,
            workers=workers,
            progress=callback,
        )
    finally:
        if bar is not None:
            bar.stop()
    if as_json:
        _print_json({"conclusion": audit_lines(result)[0], "read": source.describe(), **result.as_dict()})
    else:
        _print([*audit_lines(result), "", "Read: " + "; ".join(source.describe())])
    ctx.exit(1 if result.found else 0)
