"""`basra-sim tune`: find better parameters for a strategy."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from basra_sim.cli.console import echo, make_streams_safe
from basra_sim.cli.shared_options import folders_option, rules_option, set_option
from basra_sim.errors import BadInput

if TYPE_CHECKING:
    from basra_sim.workshop.tuning import Tuned

# the library is imported when a verb is called: --help is click alone


@click.command()
@click.argument("strategy")
@click.option("--against", multiple=True, default=("greedy",), show_default=True, metavar="NAME[,NAME]",
              help="The zoo: opponents, separated by commas or by repeating the option.")
@rules_option
@set_option
@click.option("--unit", type=click.Choice(["round", "game"]), default="round", show_default=True, help="What is won.")
@click.option("--only", multiple=True, metavar="PARAMETER", help="Tune this parameter only; may be repeated.")
@click.option("--generations", type=int, default=20, show_default=True, help="Generations of CMA-ES.")
@click.option("--population", type=int, default=12, show_default=True, help="Candidates a generation.")
@click.option("--pairs", type=int, default=2000, show_default=True, help="Game pairs a candidate, opponent and generation.")
@click.option("--check", type=int, default=20_000, show_default=True, help="Held-out game pairs an opponent at the end.")
@click.option("--spread", type=float, default=0.1, show_default=True,
              help="How far the first candidates lie from the start, as a share of each parameter's range.")
@click.option("--seed", "-s", type=int, default=1, show_default=True, help="Seed of packs and search.")
@click.option("--out", "-o", metavar="FILE.toml", default=None, help="The parameter file; default: NAME.toml here.")
@click.option("--state", metavar="FILE", default=None, help="Where the run is kept to resume; default: beside the file.")
@folders_option
@click.option("--quiet", "-q", is_flag=True, help="No line for each generation.")
def tune(strategy: str, **asked: Any) -> None:
    """Tune the parameters of STRATEGY by CMA-ES on paired packs, with fresh packs for every generation.

    It starts from the parameters as given (NAME:key=value, NAME:@file) and maximises the mean share won against the zoo,
    draws half. At the end both sets of parameters play held-out packs that the search has not seen, and a file is written
    that NAME:@file loads: a section for these rules with the parameters that were found, or with those of the start where
    the mean change on the held-out packs is not above its 95 % interval. Sections for several rule sets may stand in one
    file, one after the other; as NAME.toml beside NAME.py they are the strategy's own. A run that was stopped goes on from
    its state file when the same command is given again.
    """
    from basra_sim.workshop.tuning import TuneSettings, command_of
    from basra_sim.workshop.tuning import tune as search

    make_streams_safe()
    zoo = [name.strip() for given in asked["against"] for name in given.split(",") if name.strip()]
    settings = TuneSettings(
        against=zoo, rules=asked["rules"], set=asked["set_"], unit=asked["unit"], only=asked["only"],
        generations=asked["generations"], population=asked["population"], pairs=asked["pairs"], check=asked["check"],
        seed=asked["seed"], spread=asked["spread"], strategies=asked["folders"],
    )  # fmt: skip
    out = _parameter_file(strategy, asked["out"])
    state = Path(asked["state"]) if asked["state"] else out.with_suffix(".state.json")

    def tell(generation: int, share: float, best: dict[str, float]) -> None:
        if not asked["quiet"]:
            shown = " ".join(f"{name}={value:.3g}" for name, value in best.items())
            echo(f"generation {generation + 1}/{settings.generations}: best {100 * share:.2f} %; {shown}", err=True)

    found = search(strategy, settings, state=state, on_generation=tell)
    out.write_text(found.to_toml(command_of(strategy, settings)))
    _print(found)
    echo(f"wrote {out}; play it as {strategy.partition(':')[0]}:@{out}")


def _parameter_file(strategy: str, asked: str | None) -> Path:
    """Where the parameters go: NAME.toml here unless asked for otherwise."""
    stem = Path(strategy.partition(":")[0]).stem.replace("-", "_")
    out = Path(asked or f"{stem}.toml")
    if out.suffix != ".toml":
        raise BadInput(f"--out {out}: a parameter file ends in .toml")
    if not out.parent.is_dir():
        raise BadInput(f"--out {out}: there is no folder {out.parent}")
    return out


def _print(found: Tuned) -> None:
    for check in found.checks:
        echo(
            f"held out, {check.pairs:,} pairs against {check.opponent}: {100 * check.after:.2f} +- "
            f"{100 * check.half_width:.2f} % won (start {100 * check.before:.2f} %, change {100 * check.gain:+.2f} +- "
            f"{100 * check.gain_half_width:.2f})"
        )
    echo(found.verdict())
