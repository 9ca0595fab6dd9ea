"""The README tells the truth: its Python is run, its commands exist, its links lead somewhere, its output is a run's."""

import doctest
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_doctests_of_readme_and_package():
    import basra_sim

    assert doctest.testfile(str(ROOT / "README.md"), module_relative=False).failed == 0
    assert doctest.testmod(basra_sim).failed == 0


def test_links_lead_somewhere():
    for folder in (ROOT, ROOT / "docs"):
        for page in folder.glob("*.md"):
            for target in re.findall(r"\]\(([^)#]+)\)", page.read_text(encoding="utf-8")):
                if not target.startswith(("http:", "https:")):
                    assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_strategy_in_readme_plays(tmp_path):
    from basra_sim import run

    source = next(block for block in re.findall(r"```python\n(.*?)```", README, re.S) if "def choose" in block)
    path = tmp_path / "mine.py"
    path.write_text(source)
    assert run(str(path), "random", games=200, seed=1).score("mine", "random") > 0.8


def test_commands_exist():
    from basra_sim.cli.reference import commands

    known = {words for words, _ in commands()}
    for line in re.findall(r"basra-sim ([a-z][a-z -]*)", README):
        words = tuple(line.split())
        assert any(("basra-sim", *words[:n]) in known for n in (1, 2)), line


def test_output_shown_is_that_of_a_run(capsys):
    """The first table of the README is what the program prints for the seed it names."""
    from basra_sim import run

    shown = re.search(r"<!-- made by.*?```text\n(.*?)```", README, re.S).group(1)
    names = ("random", "first", "greedy", "basra-first", "defensive")
    made = run(*names, games=20000, seed=7).table()
    ranking = [line.rstrip() for line in made.splitlines()]
    for line in shown.splitlines():
        line = line.rstrip()
        if line and not line.startswith(("Played", "Files", "Report", "...")):
            assert line in ranking, line
