"""What `resume` and `extend` share: the options of a verb that plays on in a run folder."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from typing import Any

import click

from basra_sim.cli.shared_options import backend_option, form_option, scheduler_option, silent_option

_OPTIONS = (
    click.option("-j", "--jobs", type=click.IntRange(min=1), default=None, help="Workers; default: the cores of this machine."),
    backend_option,
    scheduler_option,
    form_option("table", "json", "csv"),
    silent_option,
)


def taken_up(command: Callable[..., int]) -> Callable[..., int]:
    """The options of a verb that plays on in a run folder."""

    @functools.wraps(command)
    def call(*, jobs: int | None, **given: Any) -> int:
        return command(jobs=jobs or os.cpu_count() or 1, **given)

    for option in reversed(_OPTIONS):
        call = option(call)
    return call
