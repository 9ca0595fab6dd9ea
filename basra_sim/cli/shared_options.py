"""Options that several verbs have, each said once; and how a file that is to be written is looked at beforehand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click

from basra_sim.errors import BadInput

Option = Callable[[Any], Any]

rules_option: Option = click.option(
    "--rules", default="egyptian-v2", show_default=True, metavar="PRESET|FILE.toml", help="The rule set."
)
set_option: Option = click.option(
    "--set", "set_", multiple=True, metavar="OPTION=VALUE", help="Change one option of the rules; may be repeated."
)
folders_option: Option = click.option(
    "--strategies", "folders", multiple=True, metavar="DIR", help="A folder with more strategies; may be repeated."
)
backend_option: Option = click.option(
    "--backend", type=click.Choice(["threads", "dask"]), default="threads", show_default=True,
    help="Where chunks are played: on this machine, or on a Dask cluster (see docs/cluster.md).",
)  # fmt: skip
scheduler_option: Option = click.option(
    "--scheduler", metavar="ADDRESS", default=None, help="The Dask scheduler, such as tcp://127.0.0.1:8786."
)
quiet_option: Option = click.option("-q", "--quiet", is_flag=True, help="No progress bar.")
silent_option: Option = click.option("-q", "--quiet", is_flag=True, help="No progress bar and no notes.")


def form_option(*forms: str, help_text: str = "What is printed.") -> Option:
    """--format with these forms, the first unless another is asked for; the argument is `form`."""
    return click.option("--format", "form", type=click.Choice(forms), default=forms[0], show_default=True, help=help_text)


def out_form(path: str | Path, known: Sequence[str]) -> str:
    """Which form a file to be written has, by the end of its name. BadInput for another end, or a folder that is not there."""
    place = Path(path)
    form = place.suffix.lower().removeprefix(".")
    if form not in known:
        raise BadInput(f"--out {path}: its name must end with one of {', '.join('.' + one for one in known)}")
    if not place.parent.is_dir():
        raise BadInput(f"--out {path}: there is no folder {place.parent}")
    return form
