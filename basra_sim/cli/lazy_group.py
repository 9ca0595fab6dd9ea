"""Groups of verbs that are imported on use, so that help costs click alone."""

from __future__ import annotations

import importlib
from typing import Any

import click

from basra_sim.errors import nearest

Table = dict[str, tuple[str, str, str]]  # verb -> (module below basra_sim.cli, attribute, one line of help)


class LazyGroup(click.Group):
    """A group whose help reads a table; a verb's module is imported when it is called."""

    def __init__(self, *args: Any, table: Table, **options: Any) -> None:
        super().__init__(*args, **options)
        self.table = table

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.table)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.table:
            return None
        module, attribute, _ = self.table[cmd_name]
        command: click.Command = getattr(importlib.import_module(f"basra_sim.cli.{module}"), attribute)
        return command

    def resolve_command(self, ctx: click.Context, args: list[str]) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] not in self.table and not args[0].startswith("-"):
            inner = "" if ctx.parent is None else f"{self.name} "
            hint = nearest(args[0], list(self.table)) or f"basra-sim {inner}--help lists them"
            ctx.fail(f"no command '{inner}{args[0]}'; {hint}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, entry[2]) for name, entry in self.table.items()])
