"""Every command has help and stands in docs/cli.md as it is now."""

import subprocess
import sys
from pathlib import Path

from basra_sim.cli.reference import commands

DOCS = Path(__file__).parents[2] / "docs" / "cli.md"


def test_every_command_has_help():
    for words, command in commands():
        assert command.help and len(command.help) > 20, " ".join(words)
        for parameter in command.params:
            if parameter.param_type_name == "option":
                assert getattr(parameter, "help", None), f"{' '.join(words)} {parameter.opts}"


def test_reference_is_up_to_date():
    # in a process of its own, as `make docs` does it: a command keeps the help option of its first call
    command = [sys.executable, "-m", "basra_sim.cli.reference"]
    made = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=True)
    assert DOCS.read_text(encoding="utf-8") == made.stdout, "run `make docs`"
