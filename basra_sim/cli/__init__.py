"""The command line: thin click commands that read options, call the library and print.

It may import every room, and nothing imports it; what takes numba, numpy or pandas along is imported inside functions, when a
verb is called: `basra-sim --help` costs what click costs. In come words; out come text, files and exit codes.
"""

from __future__ import annotations

import contextlib
import os
import sys
from typing import Any

import click

from basra_sim.errors import FAILED, INTERRUPTED, BasraError
from basra_sim.version import __version__

from .console import echo, hush_stdout
from .lazy_group import LazyGroup, Table

COMMANDS: Table = {
    "run": ("run_verbs.run_verb", "run", "Play strategies against each other and say which is better."),
    "strategies": ("learn_verbs.strategies_verb", "strategies", "List, show, write and check strategies."),
    "show": ("read_verbs.show_verb", "show", "Replay one game of a run, ply by ply."),
    "replay": ("read_verbs.replay_verb", "replay", "Replay a game of a run or a file; with --explain, what each play cost."),
    "analyze": ("read_verbs.analyze_verb", "analyze", "Say where the results of a run come from."),
    "report": ("read_verbs.report_verb", "report", "Make one HTML file (or Markdown) of runs, with tables and plots."),
    "resume": ("run_verbs.resume_verb", "resume", "Go on with a run that was stopped."),
    "extend": ("run_verbs.extend_verb", "extend", "Play more games, or let more strategies join, on the same packs."),
    "verify": ("run_verbs.verify_verb", "verify", "Check that a run is what it says, by replaying a sample."),
    "ratings": ("read_verbs.ratings_verb", "ratings", "Rate the field of a run: Elo, superiority, circles."),
    "compare": ("read_verbs.compare_verb", "compare", "What changed between two runs of one field."),
    "plan": ("run_verbs.plan_verb", "plan", "How many games a comparison takes, from a short pilot."),
    "ladder": ("learn_verbs.ladder_verb", "ladder", "Measure every shipped strategy, from random to the strongest."),
    "tune": ("learn_verbs.tune_verb", "tune", "Tune a strategy's parameters against others."),
    "explain": ("learn_verbs.explain_verb", "explain", "Say what each card of a position is worth."),
    "runs": ("run_verbs.runs_verb", "runs", "List run folders."),
    "bench": ("run_verbs.bench_verb", "bench", "Measure how fast this is on your machine."),
    "rules": ("learn_verbs.rules_verb", "rules", "List, show and explain rule sets."),
    "shuffle": ("shuffle_verbs.shuffle_verb", "shuffle", "Test a shuffle, a deck log or a program; make, compare and plan."),
}


class Verbs(LazyGroup):
    """All verbs; whoever stops reading, or the run, ends the program without a word of click."""

    def invoke(self, ctx: click.Context) -> Any:
        # click would turn a broken pipe into exit code 1, and print an empty line at an interrupt
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            raise ReaderGone from None
        except KeyboardInterrupt:
            if sys.stderr.isatty():
                click.echo(err=True)  # below the ^C
            raise click.exceptions.Abort from None


@click.group(cls=Verbs, table=COMMANDS, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(__version__, prog_name="basra-sim")
def cli() -> None:
    """Play, compare and check: the simulator and strategy laboratory for Egyptian Basra."""


class ReaderGone(Exception):
    """Whoever read our output went away (| head): nothing to say, and nothing more may be written."""


def main() -> None:
    """The console entry point: every error is one line on stderr that starts with `basra-sim:`, and an exit code."""
    os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")  # pyarrow's own takes 8 MB for tables of a few KB
    try:
        result = cli.main(prog_name="basra-sim", standalone_mode=False)
        sys.stdout.flush()
        code = result if isinstance(result, int) else 0
    except (click.exceptions.Abort, KeyboardInterrupt):
        code = _say("interrupted", INTERRUPTED)
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()  # the help itself
        code = error.exit_code
    except click.ClickException as error:
        code = _say(_usage(error), error.exit_code)
    except BasraError as error:
        code = _say(str(error), error.exit_code)
    except (ReaderGone, BrokenPipeError):
        hush_stdout()
        code = 0
    except OSError as error:
        hush_stdout()  # what could not be written would be tried once more at the exit
        code = _say(f"{error.filename or 'the output cannot be written'}: {error.strerror or error}", FAILED)
    except MemoryError:
        code = _say("out of memory", FAILED)
    except Exception as error:
        if os.environ.get("BASRA_TRACEBACK"):
            raise
        code = _say(f"{type(error).__name__}: {error}: that is a bug; BASRA_TRACEBACK=1 shows where", FAILED)
    sys.exit(code)


def _say(text: str, code: int) -> int:
    """One line on stderr, whatever stands in the text; the code comes back."""
    with contextlib.suppress(OSError):
        echo(f"basra-sim: {' '.join(text.split())}", err=True)
    return code


def _usage(error: click.ClickException) -> str:
    text = error.format_message()
    context = getattr(error, "ctx", None)
    return text if context is None or "--help" in text else f"{text.rstrip('.')}; see {context.command_path} --help"
