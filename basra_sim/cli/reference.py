"""Writes the reference of all commands from their own help: `python -m basra_sim.cli.reference > docs/cli.md`."""

from __future__ import annotations

from collections.abc import Iterator

import click

from . import cli

WIDTH = 100


def commands(group: click.Group = cli, path: tuple[str, ...] = ("basra-sim",)) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """Every command with its words, depth first, groups before their members."""
    context = click.Context(group, info_name=" ".join(path))
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if command is None or command.hidden:
            continue
        yield (*path, name), command
        if isinstance(command, click.Group):
            yield from commands(command, (*path, name))


def reference() -> str:
    """The whole reference as Markdown."""
    parts = ["# Commands\n\nMade from `--help` by `make docs`; a test checks that it is up to date.\n"]
    for words, command in commands():
        context = click.Context(
            command, info_name=" ".join(words), max_content_width=WIDTH, terminal_width=WIDTH, help_option_names=["-h", "--help"]
        )
        parts.append(f"## {' '.join(words)}\n\n```text\n{command.get_help(context)}\n```\n")
    return "\n".join(parts)


if __name__ == "__main__":
    print(reference(), end="")
