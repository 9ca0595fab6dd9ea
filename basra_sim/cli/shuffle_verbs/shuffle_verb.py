"""`basra-sim shuffle`: the shuffle lab. Each command is imported when it is called."""

from __future__ import annotations

import importlib

import click

# command -> (module below basra_sim.cli.shuffle_verbs, attribute, one line of help)
COMMANDS: dict[str, tuple[str, str, str]] = {
    "list": ("gen_verbs", "list_command", "List the built-in shuffles, each with its known flaw."),
    "gen": ("gen_verbs", "gen", "Print decks of a built-in shuffle."),
    "test": ("test_verb", "test", "Test a deck log, a program, a function or a built-in shuffle."),
    "compare": ("compare_shuffles_verb", "compare", "Compare two logs, or the parts of one; find a change point."),
    "watch": ("watch_verb", "watch", "Watch a stream; evidence that may be looked at any time."),
    "calibrate": ("calibration_verbs", "calibrate", "Re-make the tables of false alarms and power of every test."),
    "samples": ("calibration_verbs", "samples", "Re-make the bundled sample logs of known public cases."),
    "game": ("game_verb", "game", "What a shuffle does to Basra: jacks, komi, pairs, edge and basras."),
    "plan": ("planning_verbs", "plan", "What a number of decks can show, or the decks needed for a bias."),
    "odds": ("planning_verbs", "odds", "How odd is what I saw, and how long until somebody sees it?"),
    "mix": ("mix_verb", "mix", "How well riffles, overhand passes or top-to-random mix."),
    "seeds": ("seeds_verb", "seeds", "Audit the generator behind a log of your own."),
}


class ShuffleGroup(click.Group):
    """A group whose commands are imported on use."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        entry = COMMANDS.get(cmd_name)
        if entry is None:
            return None
        command: click.Command = getattr(importlib.import_module(f"basra_sim.cli.shuffle_verbs.{entry[0]}"), entry[1])
        return command

    def resolve_command(self, ctx: click.Context, args: list[str]) -> tuple[str | None, click.Command | None, list[str]]:
        from basra_sim.errors import nearest

        if args[0] not in COMMANDS and not args[0].startswith("-"):
            hint = nearest(args[0], list(COMMANDS))
            ctx.fail(f"no command 'shuffle {args[0]}'; {hint or 'basra-sim shuffle --help lists them'}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, entry[2]) for name, entry in COMMANDS.items()])


@click.group(cls=ShuffleGroup)
def shuffle() -> None:
    """Is this shuffle biased? Tests for built-in shuffles, programs and deck logs.

    Start with `basra-sim shuffle test FILE`. Exit codes of `test`: 0 nothing found (weak evidence included), 1 bias
    found, 2 bad input, 3 too few decks to say.
    """
