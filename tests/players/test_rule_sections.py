"""Parameters by rule set: which section serves, what wins over it, what a run says and keeps of it, what is refused."""

import json
from dataclasses import replace

import pytest

from basra_sim.errors import BadInput
from basra_sim.game.rules import PRESETS, RuleSet
from basra_sim.players.loading import load
from basra_sim.players.player import prepare
from basra_sim.players.rule_sections import read_sections, section_text
from basra_sim.runs.changed_inputs import check_unchanged
from basra_sim.runs.preparing import fallback_notes
from basra_sim.runs.run_settings import settings_of
from basra_sim.runs.running import run
from basra_sim.runs.verifying import verify
from basra_sim.workers import value_counts as measure
from basra_sim.workers.chunks import play_chunk
from basra_sim.workers.plan import Plan
from basra_sim.workers.portable_plan import plan_of, portable
from basra_sim.workshop.tuning import Tuned

# plays the lowest or the highest card, as its parameter says
STRATEGY = """
    from basra_sim.view import lowest, nth_card, popcount
    PARAMETERS = {"high": (0, 0, 1, "1 the highest card"), "idle": (0.5, 0.0, 9.0, "nothing")}


    def choose(view):
        return nth_card(view.hand, popcount(view.hand) - 1) if view.parameters.high == 1 else lowest(view.hand)
"""
SECTIONS = """
    [egyptian-v2.rules]
    [egyptian-v2.parameters]
    high = 0
    [pagat.rules]
    preset = "pagat"
    [pagat.parameters]
    high = 1
    idle = 2.5
"""
LIKE_PAGAT = replace(PRESETS["pagat"], basra_points=5)


@pytest.fixture
def mine(write, tmp_path, monkeypatch):
    """The strategy with two sections beside it, in the current folder."""
    monkeypatch.chdir(tmp_path)
    write("mine.toml", SECTIONS)
    return write("mine.py", STRATEGY)


@pytest.mark.parametrize(
    ("rules", "values", "serves"),
    [
        (RuleSet(), (0, 0.5), None),
        (PRESETS["pagat"], (1, 2.5), None),
        (replace(PRESETS["pagat"], target=51, single_round=True, first_dealer="seat1"), (1, 2.5), None),  # the same rounds
        (LIKE_PAGAT, (1, 2.5), "pagat"),
        (PRESETS["lebanese"], (1, 2.5), "pagat"),  # three options from pagat, many from the other
        (PRESETS["egyptian-v1"], (0, 0.5), "egyptian-v2"),
    ],
)
def test_which_section_serves(mine, rules, values, serves):
    strategy = load("./mine.py").under(rules)
    assert tuple(strategy.parameters) == values and [type(value) for value in strategy.parameters] == [int, float]
    assert strategy.under(rules).parameters == strategy.parameters
    section = strategy.stand_in(rules)
    assert (section.name if section else None) == serves


def test_what_the_user_gives_wins(mine, write):
    pagat = PRESETS["pagat"]
    assert tuple(load("./mine.py:idle=7").under(pagat).parameters) == (1, 7.0)
    both = load("./mine.py:idle=7,high=0")
    assert tuple(both.under(pagat).parameters) == (0, 7.0) and both.stand_in(LIKE_PAGAT) is None
    write("all.toml", "idle = 9")  # for every rule set, in the place of the file beside the strategy
    assert tuple(load("./mine.py:@all.toml").under(pagat).parameters) == (0, 9.0)
    write("own.toml", "[x.rules]\n[x.parameters]\nidle = 3")
    assert tuple(load("./mine.py:@own.toml").under(pagat).parameters) == (0, 3.0)
    assert load("./mine.py:@own.toml").stand_in(pagat).name == "x"
    write("own.json", json.dumps({"x": {"rules": {"preset": "pagat"}, "parameters": {"high": 1}}}))
    assert tuple(load("./mine.py:@own.json").under(pagat).parameters) == (1, 0.5)
    write("mine.toml", "[parameters]\nidle = 4")
    assert tuple(load("./mine.py").under(pagat).parameters) == (0, 4.0)


@pytest.mark.parametrize("interpret", [False, True])
def test_the_numbers_for_the_rules_are_played(mine, interpret):
    players = [prepare(load(spec), interpret) for spec in ("./mine.py", "./mine.py:high=1", "./mine.py:high=0")]
    for rules, same in ((PRESETS["pagat"], 1), (RuleSet(), 2)):
        for other in (1, 2):
            plan = Plan(replace(rules, single_round=True), 3, "round", 20, [players[0], players[other]], [(0, 1)])
            games = play_chunk(plan, 0, 0, 10).games
            mirrored = (games["score_a"][:, 0] == games["score_b"][:, 1]) & (games["score_b"][:, 0] == games["score_a"][:, 1])
            assert bool(mirrored.all()) == (other == same)  # against itself a pair is the same round twice


def test_a_run_keeps_what_was_played_with(mine, write, tmp_path):
    (tmp_path / "run").mkdir()
    outcome = run(["./mine.py", "first"], rules=LIKE_PAGAT, games=40, seed=1, folder=tmp_path / "run")
    said = "mine: no parameters for these rules; those for pagat, the nearest, serve"
    assert outcome.totals.strategies[0]["parameters"] == {"high": 1, "idle": 2.5} and said in outcome.totals.notes
    assert said in outcome.summary["notes"]
    assert not verify(tmp_path / "run", whole=True).wrong
    explicit = run(["./mine.py:high=1,idle=2.5", "first"], rules=LIKE_PAGAT, games=40, seed=1)
    assert explicit.totals.digest == outcome.totals.digest and not explicit.totals.notes
    manifest = json.loads((tmp_path / "run" / "manifest.json").read_text())
    settings = settings_of(manifest, tmp_path / "run")
    check_unchanged(manifest, tmp_path / "run", settings)
    write("mine.toml", SECTIONS.replace("idle = 2.5", "idle = 2.25"))
    with pytest.raises(BadInput, match="the parameters of strategy mine have changed"):
        check_unchanged(manifest, tmp_path / "run", settings)


def test_parameters_travel_as_they_are(mine, tmp_path):
    players = [prepare(load(spec)) for spec in ("./mine.py", "first")]
    plan = Plan(PRESETS["pagat"], 3, "game", 20, players, [(0, 1)])
    sent = portable(plan)
    (tmp_path / "mine.toml").unlink()
    assert plan_of(sent).header() == plan.header()


def test_tables_that_nobody_counted_are_said(monkeypatch):
    rules, strategies = RuleSet(basra_points=11), [load("expectimax"), load("greedy")]
    assert fallback_notes(strategies, rules) == [] == fallback_notes(strategies, RuleSet())
    monkeypatch.setattr(measure, "JIT_ON", False)
    assert fallback_notes(strategies, RuleSet()) == []
    (note,) = fallback_notes(strategies, rules)
    assert note.startswith("expectimax: what leads are worth under these rules is the stated guess")


@pytest.mark.parametrize("rules", [RuleSet(), LIKE_PAGAT, replace(PRESETS["jawaker"], target=51, komi_basra="any")])
def test_a_section_is_read_as_it_was_written(write, tmp_path, rules):
    write("mine.py", STRATEGY)
    write("out.toml", section_text(rules, {"high": 1, "idle": 0.125}))
    parameters = load(str(tmp_path / "mine.py")).card.parameters
    ((section,), given) = read_sections(tmp_path / "out.toml", parameters, "mine")
    assert section.values == {"high": 1, "idle": 0.125} and not given
    assert section.rules == replace(rules, target=101)


@pytest.mark.parametrize(("gain", "kept"), [(0.02, False), (0.01, True), (0.005, True), (-0.02, True)])
def test_found_parameters_must_be_better_beyond_chance(gain, kept):
    tuned = Tuned("mine", RuleSet(), {"high": 1}, {"high": 0.0}, [], {}, gain, 0.01)
    assert tuned.kept_start == kept and ("the start is kept" in tuned.verdict()) == kept


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[x.parameters]\nhigh = 1", "[x.rules] is missing"),
        ("[x.rules]\n[x.parameters]\n[x.more]\n", "[x.more] is no part of it"),
        ("high = 1\n[x.rules]\n[x.parameters]", "'high' stands beside sections"),
        ("[x.rules]\ntarge = 1\n[x.parameters]", "[x.rules]: no rule option 'targe'; did you mean target?"),
        ("[x.rules]\npreset = 'pagatt'\n[x.parameters]", "no preset 'pagatt'; did you mean pagat?"),
        ("[x.rules]\nkomi_power = 'none'\n[x.parameters]", "contradicts komi_power=none"),
        ("[x.rules]\n[x.parameters]\nhih = 1", "no parameter 'hih': did you mean high?"),
        ("[x.rules]\n[x.parameters]\nidle = 10", "idle=10 is outside 0.0..9.0"),
        ("[x", "is not TOML"),
    ],
)
def test_files_that_are_wrong(write, basra_sim, text, said):
    write("mine.py", STRATEGY)
    write("mine.toml", text)
    result = basra_sim("strategies", "show", "./mine.py")
    assert result.code == 2 and said in result.err and len(result.err.splitlines()) == 1


def test_a_named_file_must_be_there(write, basra_sim):
    write("mine.py", STRATEGY.replace("PARAMETERS =", 'PARAMETER_FILE = "other.toml"\n    PARAMETERS =', 1))
    assert "PARAMETER_FILE names other.toml, which is not there" in basra_sim("strategies", "show", "./mine.py").err
    write("other.toml", SECTIONS)
    shown = basra_sim("strategies", "show", "./mine.py", "--rules", "lebanese", "--format", "json").out
    content = json.loads(shown)
    assert content["parameters"]["high"]["value"] == 1 and content["parameters_made_for"] == ["egyptian-v2", "pagat"]
    assert content["notes"] == ["mine: no parameters for these rules; those for pagat, the nearest, serve"]


@pytest.mark.parametrize("name", ["tuned", "tuned-endgame"])
def test_shipped_weights_cover_the_presets(name):
    strategy = load(name)
    for preset, rules in PRESETS.items():
        assert strategy.stand_in(rules) is None, preset
    defaults = {key: parameter.default for key, parameter in strategy.card.parameters.items()}
    assert strategy.under(RuleSet()).parameters._asdict() == defaults  # the file alone is the same under the default rules
