"""`basra-sim shuffle`: the shuffle lab. Each command is imported when it is called."""

from __future__ import annotations

import click

from basra_sim.cli.lazy_group import LazyGroup, Table

COMMANDS: Table = {
    "list": ("shuffle_verbs.gen_verbs", "list_command", "List the built-in shuffles, each with its known flaw."),
    "gen": ("shuffle_verbs.gen_verbs", "gen", "Print decks of a built-in shuffle."),
    "test": ("shuffle_verbs.test_verb", "test", "Test a deck log, a program, a function or a built-in shuffle."),
    "compare": ("shuffle_verbs.compare_shuffles_verb", "compare", "Compare two logs, or the parts of one; find a change point."),
    "watch": ("shuffle_verbs.watch_verb", "watch", "Watch a stream; evidence that may be looked at any time."),
    "calibrate": ("shuffle_verbs.calibration_verbs", "calibrate", "Re-make the tables of false alarms and power of every test."),
    "samples": ("shuffle_verbs.calibration_verbs", "samples", "Re-make the bundled sample logs of known public cases."),
    "game": ("shuffle_verbs.game_verb", "game", "What a shuffle does to Basra: jacks, komi, pairs, edge and basras."),
    "plan": ("shuffle_verbs.planning_verbs", "plan", "What a number of decks can show, or the decks needed for a bias."),
    "odds": ("shuffle_verbs.planning_verbs", "odds", "How odd is what I saw, and how long until somebody sees it?"),
    "mix": ("shuffle_verbs.mix_verb", "mix", "How well riffles, overhand passes or top-to-random mix."),
    "seeds": ("shuffle_verbs.seeds_verb", "seeds", "Audit the generator behind a log of your own."),
}


@click.group(cls=LazyGroup, table=COMMANDS)
def shuffle() -> None:
    """Is this shuffle biased? Tests for built-in shuffles, programs and deck logs.

    Start with `basra-sim shuffle test FILE`. Exit codes of `test`: 0 nothing found (weak evidence included), 1 bias
    found, 2 bad input, 3 too few decks to say.
    """
