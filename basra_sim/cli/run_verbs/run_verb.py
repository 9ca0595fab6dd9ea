"""`basra-sim run`: compare strategies. Reads options, calls the library, prints."""

from __future__ import annotations

import contextlib
import os
import shlex
import sys
from pathlib import Path
from typing import Any

import click

FORMATS = ("table", "json", "csv")
LINE_SECONDS = 60.0  # between two lines of progress where there is no terminal for a bar
# what a settings file may hold, and of which type
CONFIG: dict[str, type] = {
    "games": int, "seed": int, "rules": str, "set": list, "unit": str, "packs": str, "jobs": int, "out": str, "format": str,
    "records": str, "interpret": bool, "strategies": list, "quiet": bool, "players": list, "tournament": str, "sprt": str,
    "until": str, "on_fault": str, "play_timeout": float, "backend": str, "scheduler": str,
    "report": bool,
}  # fmt: skip
TYPE_WORDS = {
    int: "a whole number", float: "a number", str: "a text in quotes", bool: "true or false",
    list: 'a list of texts, as ["a", "b"]',
}  # fmt: skip


def _has_type(item: Any, wanted: type) -> bool:
    if wanted is list:
        return isinstance(item, list) and all(isinstance(one, str) for one in item)
    if wanted is float:
        return isinstance(item, (int, float)) and not isinstance(item, bool)
    return isinstance(item, wanted) and not (wanted is int and isinstance(item, bool))


def read_config(ctx: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    """Take the defaults of all options from a settings file; what is given on the command line wins."""
    if value is None:
        return None
    import tomllib

    from basra_sim.errors import BadInput, nearest

    try:
        content = tomllib.loads(Path(value).read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise BadInput(f"settings file {value} cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise BadInput(f"settings file {value} is not TOML: {error}") from None
    for key, item in content.items():
        if key not in CONFIG:
            hint = nearest(key, list(CONFIG)) or f"it may hold {', '.join(CONFIG)}"
            raise BadInput(f"settings file {value}: unknown setting '{key}': {hint}")
        wanted = CONFIG[key]
        if not _has_type(item, wanted):
            raise BadInput(f"settings file {value}: {key} must be {TYPE_WORDS[wanted]}, not {item!r}")
    renamed = {"format": "form", "set": "set_", "strategies": "folders"}
    ctx.default_map = {renamed.get(key, key): item for key, item in content.items() if key != "players"}
    ctx.meta["players"] = content.get("players", [])
    return value


@click.command()
@click.argument("strategies", nargs=-1)
@click.option("-c", "--config", callback=read_config, is_eager=True, expose_value=False, metavar="FILE.toml",
              help="Settings file; options given here override it.")
@click.option("-n", "--games", type=int, default=10_000, show_default=True, help="Games per match (rounds with --unit round).")
@click.option("-s", "--seed", type=int, default=None, help="Seed of all packs and streams; without it one is drawn and shown.")
@click.option("--rules", default="egyptian-v2", show_default=True, metavar="PRESET|FILE.toml", help="The rule set.")
@click.option("--set", "set_", multiple=True, metavar="OPTION=VALUE", help="Change one option of the rules; may be repeated.")
@click.option("--unit", type=click.Choice(["game", "round"]), default="game", show_default=True,
              help="Play games to the target score, or single rounds.")
@click.option("--packs", metavar="FILE", default=None, help="Play these packs, one a line, each as one pair of rounds.")
@click.option("-j", "--jobs", type=int, default=None, help="Workers; default: the cores of this machine.")
@click.option("-o", "--out", metavar="DIR", default=None, help="Folder for the files; default: a new one under ./reports/.")
@click.option("--format", "form", type=click.Choice(FORMATS), default="table", show_default=True, help="What is printed.")
@click.option("--records", type=click.Choice(["none", "rounds", "games"]), default="none", show_default=True,
              help="Also write every round or every game to a Parquet file.")
@click.option("--interpret", is_flag=True, help="Play all strategies as plain Python: slow, and with the same results.")
@click.option("--strategies", "folders", multiple=True, metavar="DIR", help="A folder with more strategies; may be repeated.")
@click.option("--tournament", type=click.Choice(["round-robin", "gauntlet", "swiss", "knockout", "adaptive"]),
              default="round-robin", show_default=True,
              help="Who meets whom; gauntlet: the first strategy against each of the others.")
@click.option("--sprt", metavar="elo0=0,elo1=5", default=None,
              help="End each match when a sequential test of these Elo differences is decided; also alpha=.05,beta=.05.")
@click.option("--backend", type=click.Choice(["threads", "dask"]), default="threads", show_default=True,
              help="Where chunks are played: on this machine, or on a Dask cluster (see docs/cluster.md).")
@click.option("--scheduler", metavar="ADDRESS", default=None, help="The Dask scheduler, such as tcp://127.0.0.1:8786.")
@click.option("--on-fault", type=click.Choice(["stop", "forfeit"]), default=None,
              help="A faulty play stops the run, or costs its strategy the game; default: stop with two strategies.")
@click.option("--play-timeout", type=float, default=10.0, show_default=True, metavar="SECONDS",
              help="CPU time for one play of a strategy that is not built in, where faults are forfeits.")
@click.option("--until", metavar="0.2%", default=None,
              help="End each match when the interval of its score is so narrow to each side; it may be watched.")
@click.option("--report", is_flag=True, help="Also write report.html into the folder: tables and plots for anybody.")
@click.option("-q", "--quiet", is_flag=True, help="No progress bar and no notes.")
@click.pass_context
def run(ctx: click.Context, strategies: tuple[str, ...], **options: Any) -> int:
    """Play every pair of STRATEGIES against each other and say who is better, by how much and how sure that is.

    A strategy is a NAME (see basra-sim strategies list), a path to a FILE.py, or either with :key=value,key=value.
    Every match is played on game pairs: the same packs twice, with the seats swapped.
    """
    from basra_sim.runs.running import Settings

    given = list(strategies) or list(ctx.meta.get("players", []))
    settings = Settings(
        games=options["games"],
        seed=options["seed"],
        rules=options["rules"],
        set=options["set_"],
        unit=options["unit"],
        packs=options["packs"],
        jobs=options["jobs"] if options["jobs"] is not None else os.cpu_count() or 1,
        records=options["records"],
        interpret=options["interpret"],
        strategies=options["folders"],
        tournament=options["tournament"],
        sprt=options["sprt"],
        until=options["until"],
        on_fault=options["on_fault"],
        play_timeout=options["play_timeout"],
        backend=options["backend"],
        scheduler=options["scheduler"],
    )
    if settings.packs is not None and ctx.get_parameter_source("games") == click.core.ParameterSource.COMMANDLINE:
        from basra_sim.errors import BadInput

        raise BadInput("--packs plays each given pack once as a pair of rounds, so --games does not go with it")
    out = Path(options["out"]) if options["out"] else None
    return _run(given, settings, out, options["form"], options["quiet"], options["report"])


def _run(given: list[str], settings: Any, out: Path | None, form: str, quiet: bool, report: bool = False) -> int:
    from basra_sim.cli.console import make_streams_safe
    from basra_sim.players.python_objects import load_strategies
    from basra_sim.records.run_folder import new_run_folder, prepare_folder
    from basra_sim.runs.running import check, make_watcher, run

    make_streams_safe()
    _, settings.seed, _ = check(settings, len(given))
    make_watcher(settings)
    if out is not None and out.exists():
        prepare_folder(out)  # says at once what is wrong with it
    loaded = load_strategies(given, settings.strategies)
    folders: list[Path] = []

    def folder() -> Path:
        """Made when all else is known to be right: what is refused leaves no folder behind."""
        folders.append(prepare_folder(out) if out else new_run_folder([s.name for s in loaded], settings.seed))
        return folders[0]

    try:
        with Bar(quiet) as bar:
            outcome = run(loaded, settings, folder=folder, progress=bar.progress, on_plan=bar.plan)
    except BaseException:
        if folders:
            with contextlib.suppress(OSError):  # it holds something, or is gone
                folders[0].rmdir()
        raise
    code = tell(outcome, folders[0], form)
    if report:
        from basra_sim.cli.read_verbs.report_verb import write_into

        write_into(folders[0], form, quiet)
    return code


def tell(outcome: Any, folder: Path, form: str) -> int:
    """Print what a run found, and what stopped it if anything did; returns the exit code."""
    from basra_sim.cli import hush_stdout
    from basra_sim.cli.console import echo
    from basra_sim.errors import INTERRUPTED, STRATEGY_FAULT, BasraError

    if outcome.put_back:
        echo(f"basra-sim: {outcome.error}; nothing was added, {folder} is as it was", err=True)
        return int(outcome.error.exit_code)
    try:
        _print(outcome, folder, form)
        sys.stdout.flush()
    except BrokenPipeError:
        hush_stdout()  # the reader went away; what stopped the run is still said, and the code is that of the run
    go_on = f"; to go on: basra-sim resume {shlex.quote(str(folder))}" if outcome.resumable else ""
    if isinstance(outcome.error, KeyboardInterrupt):
        echo(f"basra-sim: interrupted; the tables and files hold the games played so far{go_on}", err=True)
        return INTERRUPTED
    if isinstance(outcome.error, BasraError):
        echo(f"basra-sim: {outcome.error}{go_on}", err=True)
        return outcome.error.exit_code
    for match in outcome.left_out:
        echo(f"note: {match} is no match of the longer tournament; what was played of it is left out", err=True)
    forfeits = sum(int(match.forfeits.sum()) for match in outcome.totals.matches)
    if forfeits:
        echo(f"basra-sim: {forfeits:,} games were forfeited by faults of strategies; the table says whose", err=True)
        return STRATEGY_FAULT
    return 0


def _print(outcome: Any, folder: Path, form: str) -> None:
    if form == "table":
        from basra_sim.analysis.text.summary_text import print_tables
        from basra_sim.cli.console import console

        shown = console()
        print_tables(outcome.summary, shown)
        shown.print(f"Files: {folder}", soft_wrap=True)
    else:
        from basra_sim.analysis.text.rendering import render
        from basra_sim.cli.console import echo

        echo(render(outcome.summary, form), nl=False)


class Bar:
    """Progress on stderr: a bar on a terminal, else a line from time to time; and the notes, one line each."""

    def __init__(self, quiet: bool) -> None:
        from basra_sim.workers.chunks import Progress

        self.progress = Progress()
        self.quiet = quiet
        self._shown: Any = None
        self._timer: Any = None

    def plan(self, prepared: Any) -> None:
        """Called when all is loaded: print the notes, start the bar."""
        if self.quiet:
            return
        from basra_sim.cli.console import echo

        for note in prepared.notes:
            echo(f"note: {note}", err=True)
        if sys.stderr.isatty():
            self._start(2 * prepared.form.expected_pairs())
        else:
            self._follow(2 * prepared.form.expected_pairs())

    def _follow(self, total: int) -> None:
        """Say every LINE_SECONDS how far it is: for a long run whose output goes to a file."""
        import threading
        import time

        from basra_sim.cli.console import echo
        from basra_sim.game.phrases import count_of

        done = threading.Event()
        started, before = time.perf_counter(), self.progress.games

        def tell() -> None:
            while not done.wait(LINE_SECONDS):
                played = self.progress.games
                rate = (played - before) / (time.perf_counter() - started)
                minutes = max(1, round((total - played) / rate / 60)) if rate > 0 else 0
                left = f", about {count_of(minutes, 'minute')} to go" if minutes else ""
                with contextlib.suppress(OSError):
                    echo(f"{played:,} of {total:,} games, {rate:,.0f} a second{left}", err=True)

        thread = threading.Thread(target=tell, daemon=True)
        thread.start()
        self._timer = (done, thread)

    def _start(self, total: int) -> None:
        import threading

        from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

        from basra_sim.cli.console import console

        self._shown = Progress(
            TextColumn("{task.completed:,.0f} of {task.total:,.0f} games"),
            BarColumn(),
            TextColumn("{task.fields[rate]} a second"),
            TimeRemainingColumn(),
            TextColumn("{task.fields[live]}"),
            console=console(stderr=True),
            transient=True,
        )
        task = self._shown.add_task("", total=total, rate="", live="")
        self._shown.start()
        done = threading.Event()

        def follow() -> None:
            import time

            started = time.perf_counter()
            while not done.wait(0.1):
                played = self.progress.games
                rate = f"{(played - self.progress.before) / (time.perf_counter() - started):,.0f}"
                self._shown.update(task, completed=played, rate=rate, live=self.progress.live)

        thread = threading.Thread(target=follow, daemon=True)
        thread.start()
        self._timer = (done, thread)

    def __enter__(self) -> Bar:
        return self

    def __exit__(self, *_: object) -> None:
        if self._timer:
            self._timer[0].set()
            self._timer[1].join()
        if self._shown:
            self._shown.stop()
