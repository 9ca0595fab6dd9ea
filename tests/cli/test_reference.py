"""Every command has help and stands in docs/cli.md as it is now."""

from pathlib import Path

from basra_sim.cli.reference import commands, reference

DOCS = Path(__file__).parents[2] / "docs" / "cli.md"


def test_every_command_has_help():
    for words, command in commands():
        assert command.help and len(command.help) > 20, " ".join(words)
        for parameter in command.params:
            if parameter.param_type_name == "option":
                assert getattr(parameter, "help", None), f"{' '.join(words)} {parameter.opts}"


def test_reference_is_up_to_date():
    assert DOCS.read_text(encoding="utf-8") == reference(), "run `make docs`"
