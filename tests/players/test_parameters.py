"""Parameters of strategies: given on the command line and in files, declared in the strategy, and what is refused."""

from __future__ import annotations

import pytest

from basra_sim.errors import BadInput
from basra_sim.players.loading import load
from basra_sim.runs.running import run

LOWEST = "from basra_sim.view import lowest\n\n\ndef choose(view):\n    return lowest(view.hand)\n"
PARAMETERS = """
PARAMETERS = {"weight": (1.5, 0.0, 10.0, "a real number"), "how_many": (2, 0, 9, "a whole number")}


def choose(view):
    return view.parameters.how_many
"""


@pytest.mark.parametrize(
    ("settings", "values"),
    [
        ("", (1.5, 2)),
        ("weight=3", (3.0, 2)),
        (" weight = 3e-1 , how-many=7", (0.3, 7)),
        ("@file.toml", (2.0, 4)),
        ("@file.json", (0.25, 9)),
        ("@table.toml", (1.5, 1)),
    ],
)
def test_parameters(write, tmp_path, monkeypatch, settings, values):
    monkeypatch.chdir(tmp_path)
    write("mine.py", PARAMETERS)
    write("file.toml", "weight = 2\nhow_many = 4\n")
    write("file.json", '{"weight": 0.25, "how_many": 9.0}')
    write("table.toml", "title = 'x'\n[parameters]\nhow_many = 1\n")
    strategy = load(f"./mine.py:{settings}" if settings else "./mine.py")
    assert tuple(strategy.parameters) == values
    assert [type(value) for value in strategy.parameters] == [float, int]
    assert strategy.name == (f"mine:{settings}" if settings else "mine")


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ("wait=1", "no parameter 'wait': did you mean weight?"),
        ("zzz=1", "no parameter 'zzz': it has weight, how_many"),
        ("weight=11", "weight=11 is outside 0.0..10.0"),
        ("weight=nan", "weight=nan is outside"),
        ("weight=-inf", "weight=-inf is outside"),
        ("weight=x", "weight=x is no number"),
        ("how_many=1.5", "how_many=1.5 is no whole number"),
        ("how_many=", "how_many= is no whole number"),
        ("how_many=1,how-many=2", "parameter 'how-many' is set twice"),
        ("weight", "'weight' is no setting; write key=value"),
        ("weight=1,,how_many=2", "'' is no setting; write key=value"),
        ("=1", "'=1' is no setting"),
        ("@nowhere.toml", "parameter file nowhere.toml cannot be read: No such file or directory"),
        ("@bad.toml", "parameter file bad.toml is not TOML"),
        ("@bad.json", "parameter file bad.json is not JSON"),
        ("@list.json", "parameter file list.json holds no table"),
        ("@half.toml", "how_many=1.5 is no whole number"),
        ("@true.toml", "weight=True is no number"),
        ("@unknown.toml", "no parameter 'wieght': did you mean weight?"),
    ],
)
def test_wrong_parameters(basra_sim, write, settings, said):
    write("mine.py", PARAMETERS)
    files = {"bad.toml": "=", "bad.json": "{", "list.json": "[1]", "half.toml": "how_many = 1.5", "true.toml": "weight = true",
             "unknown.toml": "wieght = 1"}  # fmt: skip
    for name, text in files.items():
        write(name, text)
    ran = basra_sim("run", f"./mine.py:{settings}", "greedy", "--games", 2)
    assert ran.code == 2
    assert said in ran.err
    assert len(ran.err.splitlines()) == 1


@pytest.mark.parametrize(
    "declared",
    ["5", "{'a': 1}", "{'a': (1, 2, 3, 'x')}", "{'a': (1, 0, 2)}", "{'a': (1, 0, 2.5, 'x')}", "{'a': ('1', '0', '2', 'x')}",
     "{'a': (True, False, True, 'x')}", "{'a': (1, 0, 1 << 70, 'x')}", "{'class': (1, 0, 2, 'x')}", "{'_a': (1, 0, 2, 'x')}",
     "{'a b': (1, 0, 2, 'x')}", "{'a': None}"],
)  # fmt: skip
def test_wrongly_declared_parameters(write, declared):
    with pytest.raises(BadInput, match=r"mine\.py: "):
        load(str(write("mine.py", f"PARAMETERS = {declared}\n{LOWEST}")))


def test_parameters_change_the_play_and_the_digest(write):
    outcomes = [run([spec, "greedy"], games=200, seed=1) for spec in ("defensive", "defensive:exposed=0", "defensive:exposed=6")]
    digests = [outcome.totals.digest for outcome in outcomes]
    assert digests[0] != digests[1]
    assert digests[0] == digests[2]  # the default, said aloud
