"""`basra-sim shuffle plan|odds`: what decks can show, and how odd it is what was seen."""

from __future__ import annotations

from typing import Any

import click

from .shuffle_options import json_option, print_json, print_lines


@click.command()
@click.option("-n", "--decks", type=click.IntRange(1), help="How many decks you have or could log.")
@click.option("--bias", metavar="X", help="A relative bias, such as 5% or 0.05: how many decks does it need?")
@click.option("--alpha", default=0.001, show_default=True, type=click.FloatRange(0, 0.5, min_open=True), help="Two-sided level.")
@click.option("--power", default=0.8, show_default=True, type=click.FloatRange(0.5, 0.999), help="Chance to see it.")
@json_option
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
        print_lines(*planning.plan_lines(decks, wanted, alpha, power))
        return
    rows = []
    for question in planning.questions(alpha, power):
        row: dict[str, Any] = {"question": question.name, "words": question.words, "should_be": question.base}
        if wanted is not None:
            row["decks_needed"] = planning.decks_needed(question, wanted)
        elif decks is not None:
            row["smallest_relative_bias"] = planning.smallest_bias(question, decks)
        rows.append(row)
    print_json({"decks": decks, "bias": wanted, "alpha": alpha, "power": power, "rows": rows}, ensure_ascii=False)


@click.command()
@click.argument("question")
@click.option("--games-a-day", type=click.FloatRange(0, min_open=True), help="Games played in all a day, for waiting times.")
@json_option
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
        print_lines(*odds_lines(answer, games_a_day))
        return
    q, chance = answer.question, float(answer.chance)
    print_json(
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
        },
        ensure_ascii=False,
    )
