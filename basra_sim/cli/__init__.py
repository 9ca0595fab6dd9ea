"""The command line: thin click commands, one file a verb group, loaded only when called.

Nothing here may import numba, numpy or pandas at module level: `basra-sim --help` costs what click costs.
"""

from __future__ import annotations

import importlib
import os
import sys

import click

from .. import __version__
from ..errors import FAILED, INTERRUPTED, BasraError

# verb -> (module below basra_sim.cli, attribute, one line of help); a verb's module is imported when it is called
COMMANDS: dict[str, tuple[str, str, str]] = {
    "run": ("run", "run", "Play strategies against each other and say which is better."),
    "strategies": ("strategies", "strategies", "List, show, write and check strategies."),
    "show": ("show", "show", "Replay one game of a run, ply by ply."),
    "analyze": ("analyze", "analyze", "Say where the results of a run come from."),
    "report": ("report", "report", "Make one HTML file (or Markdown) of runs, with tables and plots."),
    "resume": ("resume", "resume", "Go on with a run that was stopped."),
    "extend": ("extend", "extend", "Play more games, or let more strategies join, on the same packs."),
    "runs": ("runs", "runs", "List run folders."),
    "rules": ("rules", "rules", "List, show and explain rule sets."),
    "shuffle": ("shuffle", "shuffle", "Test a shuffle, a deck log or a program; make, compare and plan."),
}


class LazyGroup(click.Group):
    """A group whose commands are imported on use; its own help reads the table above."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        entry = COMMANDS.get(cmd_name)
        if entry is None:
            return None
        module = importlib.import_module(f"basra_sim.cli.{entry[0]}")
        command: click.Command = getattr(module, entry[1])
        return command

    def resolve_command(self, ctx: click.Context, args: list[str]) -> tuple[str | None, click.Command | None, list[str]]:
        from ..errors import nearest

        name = args[0]
        if name not in COMMANDS and not name.startswith("-"):
            hint = nearest(name, list(COMMANDS))
            ctx.fail(f"no command '{name}'; {hint or 'basra-sim --help lists them'}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, entry[2]) for name, entry in COMMANDS.items()])


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(__version__, prog_name="basra-sim")
def cli() -> None:
    """Play, compare and check: the simulator and strategy laboratory for Egyptian Basra."""


def main() -> None:
    """The console entry point: every error a user can mend is one line on stderr and an exit code."""
    try:
        result = cli.main(standalone_mode=False)
        sys.stdout.flush()
        code = result if isinstance(result, int) else 0
    except click.exceptions.Abort:
        code = INTERRUPTED
    except KeyboardInterrupt:
        code = INTERRUPTED
    except click.ClickException as error:
        error.show()
        code = error.exit_code
    except click.exceptions.Exit as error:
        code = error.exit_code
    except BasraError as error:
        click.echo(f"basra-sim: {error}", err=True)
        code = error.exit_code
    except BrokenPipeError:
        # the reader went away (| head): nothing to say, and nothing more may be written
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 0
    except OSError as error:
        where = f" {error.filename}" if error.filename else ""
        click.echo(f"basra-sim:{where} {error.strerror or error}", err=True)
        code = FAILED
    sys.exit(code)
