"""The shuffle commands as a user calls them: exit codes, one line for bad input, the same bytes, files that hold together."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from basra_sim.cli.shuffle_verbs.shuffle_verb import COMMANDS, shuffle
from basra_sim.errors import BadInput
from basra_sim.shuffles.generators.built_in_shuffles import Generator
from basra_sim.shuffles.sources.deck_text import deck_lines


def call(*words, input=None):
    result = CliRunner().invoke(shuffle, list(words), input=input)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def log_file(folder: Path, spec: str, decks: int, seed: int = 1, n: int = 52) -> str:
    path = folder / f"{spec.replace(':', '-')}.txt"
    path.write_bytes(deck_lines(Generator(spec, seed, n).decks(decks)))
    return str(path)


def test_help_needs_click_only_and_lists_every_command():
    code = (
        "import sys; from basra_sim.cli import cli; from click.testing import CliRunner;"
        "r = CliRunner().invoke(cli, ['shuffle', '--help']); assert r.exit_code == 0, r.output; print(r.output);"
        "bad = {'numpy', 'numba', 'scipy', 'rich'} & set(sys.modules); assert not bad, bad"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert out.returncode == 0, out.stderr
    assert all(f"  {name} " in out.stdout for name in COMMANDS)


@pytest.mark.parametrize(("spec", "decks", "code"), [("fisher-yates", 500, 0), ("naive", 450, 1), ("fisher-yates", 5, 3)])
def test_exit_codes_say_the_verdict(tmp_path, spec, decks, code):
    result = call("test", log_file(tmp_path, spec, decks))
    assert result.exit_code == code
    first = result.output.splitlines()[0]
    assert first.startswith({0: "No bias found in", 1: "Bias found", 3: "Too few decks to say"}[code])
    assert "fair" not in result.output.replace("fair sample", "")


def test_decks_that_were_left_out_are_told_in_the_first_sentence(tmp_path):
    path = tmp_path / "some.txt"
    path.write_bytes(deck_lines(Generator("fisher-yates", 1).decks(50)) + b"7d 8d\n7d\n")
    result = call("test", str(path), "--brief")
    assert result.exit_code == 0
    assert "2 more were no decks and were left out" in " ".join(result.output.splitlines()[:3])
    assert "line 51: 2 cards instead of 52" in result.output


def test_no_line_is_longer_than_a_terminal_and_no_p_smaller_than_1e_300(tmp_path):
    path = log_file(tmp_path, "riffle:2", 600)
    every = [("test", path), ("compare", path, "algo:naive,300"), ("list",), ("watch", path), ("plan", "-n", "9")]
    for words in [*every, ("game", path), ("mix", "riffle")]:
        output = call(*words).output.replace(str(tmp_path), "").partition("To repeat this")[0]  # a command is not folded
        assert max(map(len, output.splitlines())) <= 80, words
        assert "e-301" not in output and "fair" not in output.replace("fairseq", ""), words
    assert "p < 1e-300" in call("test", path).output


def test_every_p_has_an_effect_and_what_could_have_been_seen():
    told = json.loads(call("test", "--algo", "naive", "-n", "450", "--json").output)
    for row in told["tests"]:
        assert row["could_see"] > 0 and row["low"] <= row["seen"] <= row["high"], row["test"]
    compared = json.loads(call("compare", "algo:naive,300", "algo:sattolo,300", "--json").output)
    assert all(row["could_see"] > 0 for row in compared["comparisons"][0]["tests"])


def test_sections_come_in_order(tmp_path):
    output = call("test", log_file(tmp_path, "naive", 450)).output
    titles = [
        "Bias found", "What was read", "What this many decks could have shown", "Looks like", "In game terms", "Tests",
        "Where the cards lie", "Repeats and seeds", "Limits", "To repeat this",
    ]  # fmt: skip
    places = [output.index(title) for title in titles]
    assert places == sorted(places)
    assert "naive swap" in output


def test_json_is_complete_and_deterministic(tmp_path):
    words = ("test", log_file(tmp_path, "riffle:6", 60), "--json")
    first, second = call(*words), call(*words, "--workers", "1")
    told = json.loads(first.output)
    assert told["verdict"] == "found" and told["exit_code"] == 1 and told["decks"] == 60
    assert {row["test"] for row in told["tests"]} >= {"position", "rising", "neighbours", "repeats"}
    again = json.loads(second.output)
    assert {**told, "command": ""} == {**again, "command": ""}


def test_generation_is_the_same_bytes_and_can_be_piped_into_the_test(tmp_path):
    target = tmp_path / "decks.txt"
    call("gen", "sattolo", "-n", "40", "--seed", "3", "-o", str(target))
    printed = call("gen", "sattolo", "-n", "40", "--seed", "3")
    assert target.read_text() == printed.output and len(printed.output.splitlines()) == 40
    assert call("test", "-", input=printed.output).exit_code == 1


def test_folder_of_files(tmp_path):
    import html5lib

    folder = tmp_path / "out"
    assert call("test", "--algo", "naive", "-n", "450", "--out", str(folder), "--brief").exit_code == 1
    assert {p.name for p in folder.iterdir()} == {
        "report.html", "report.json", "tests.csv", "places.csv", "places.png", "tests.png",
    }  # fmt: skip
    page = (folder / "report.html").read_text()
    html5lib.HTMLParser(strict=True).parse(page)
    loads = page.replace('xmlns="http://www.w3.org/2000/svg"', "")
    assert "http" not in loads and "src=" not in loads and "naive swap" in page
    assert "--paper" in page and page.count("<svg") == 2  # the house style of all reports
    with (folder / "tests.csv").open() as stream:
        assert len(list(csv.DictReader(stream))) > 40
    with (folder / "places.csv").open() as stream:
        rows = list(csv.reader(stream))
    assert len(rows) == 53 and all(sum(map(int, row[1:])) == 450 for row in rows[1:])
    assert (folder / "places.png").read_bytes()[:4] == b"\x89PNG"


def test_confirmation_has_the_last_word(tmp_path):
    flawed, fresh = log_file(tmp_path, "naive", 450), log_file(tmp_path, "fisher-yates", 2000, seed=8)
    refuted = call("test", flawed, "--confirm", fresh)
    assert refuted.exit_code == 0 and "NOT confirmed on fresh decks" in refuted.output.replace("\n", " ")
    same = tmp_path / "more.txt"
    same.write_bytes(deck_lines(Generator("naive", 77).decks(600)))
    assert call("test", flawed, "--confirm", str(same)).exit_code == 1


def test_reference_orders(tmp_path):
    target = tmp_path / "old.txt"
    call("gen", "riffle:6", "-n", "30", "--start", "SHDC-A2K", "-o", str(target))
    assert call("test", str(target), "--ref", "new:SHDC-A2K").exit_code == 1
    told = json.loads(call("test", str(target), "--ref", "none", "--json").output)
    assert told["reference"] == "none" and "rising" not in {row["test"] for row in told["tests"]}
    call("gen", "riffle:3", "-n", "60", "--start", "prev", "-o", str(target))
    output = call("test", str(target), "--ref", "prev").output
    assert "each from the deck before" in output.replace("\n", " ")


ANSWERS = """
import random, sys
random.seed(4)
for line in sys.stdin:
    deck = line.split()
    cut = sum(random.random() < .5 for _ in deck)
    left, right = deck[:cut], deck[cut:]
    while left or right:
        part = left if random.random() * (len(left) + len(right)) < len(left) else right
        print(part.pop(0), end=" ")
    print(flush=True)
"""


@pytest.mark.parametrize(
    ("start", "mark"),
    [("new", "against the start order: as many as 1.0 riffles"), ("SHDC-A2K", "start order SHDC-A2K"),
     ("prev", "against the deck before: as many as 1.0 riffles")],
)  # fmt: skip
def test_a_program_is_told_the_order_to_shuffle(tmp_path, start, mark):
    program = tmp_path / "riffle.py"
    program.write_text(ANSWERS)
    result = call("test", "--cmd", f"{sys.executable} {program}", "-n", "40", "--start", start, "--json")
    told = json.loads(result.output)
    assert result.exit_code == 1 and told["decks"] == 40
    assert mark in " ".join(told["read"] + told["effects"])
    if start != "prev":
        rising = next(row for row in told["tests"] if row["test"] == "rising")
        assert rising["seen"] == 2.0  # one riffle: two rising sequences, exactly


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("test",), "nothing to test"),
        (("test", "a.txt", "--algo", "naive"), "one source only"),
        (("test", "--algo", "nave"), "did you mean naive"),
        (("test", "--algo", "riffle:x"), "whole number"),
        (("test", "--algo", "overhand:5,7"), "chance"),
        (("test", "--algo", "lcg:knuth"), "no LCG 'knuth'"),
        (("test", "--algo", "java:never"), "no seed policy"),
        (("test", "--algo", "naive", "--ref", "old"), "--ref"),
        (("test", "--algo", "naive", "--ref", "new:XYZ"), "no order"),
        (("test", "--algo", "naive", "--test", "positon"), "did you mean position"),
        (("test", "/does/not/exist"), "there is no file"),
        (("gen", "piles:0"), "whole number"),
        (("gen", "naive", "-o", "/no/such/folder/decks.txt"), "cannot write /no/such/folder/decks.txt: No such file"),
        (("calibrate", "-o", "/no/such/folder/table.md"), "there is no folder"),
    ],
)
def test_bad_input_is_one_clear_line(words, told):
    with pytest.raises(BadInput, match=told) as caught:
        call(*words)
    assert "\n" not in str(caught.value)


def test_certifier_and_small_decks():
    told = json.loads(call("test", "--algo", "fisher-yates", "-n", "1000", "--profile", "certifier", "--json").output)
    assert {"suit-place", "rank-place", "position", "coupon", "runs", "lag1-position"} <= {r["test"] for r in told["tests"]}
    assert call("test", "--algo", "naive", "--deck-size", "5", "-n", "5000").exit_code == 1


def test_list_watch_compare_and_samples(tmp_path):
    listed = json.loads(call("list", "--json").output)
    assert {"naive", "sattolo", "riffle", "java", "lcg"} <= {entry["name"] for entry in listed}
    assert "fisher-yates" in call("list").output
    decks = call("gen", "riffle:6", "-n", "40").output
    watched = call("watch", "-", "--stop", input=decks)
    assert watched.exit_code == 1 and "ALARM" in watched.output
    assert call("watch", log_file(tmp_path, "fisher-yates", 300)).exit_code == 0
    assert call("compare", "algo:naive,900", "algo:fisher-yates,900").exit_code == 1
    log = tmp_path / "games.csv"
    lines = deck_lines(Generator("fisher-yates", 1).decks(300)) + deck_lines(Generator("naive", 2).decks(500))
    rows = [f"{'v1' if i < 300 else 'v2'},{line.replace(' ', ',')}" for i, line in enumerate(lines.decode().splitlines())]
    log.write_text("version," + ",".join(f"c{i}" for i in range(1, 53)) + "\n" + "\n".join(rows) + "\n")
    split = call("compare", str(log), "--by", "version")
    assert split.exit_code == 1 and "v1 and v2 differ" in split.output.replace("\n", " ")
    mixed = tmp_path / "mixed.txt"
    mixed.write_bytes(lines)
    changed = call("compare", str(mixed))
    assert changed.exit_code == 1 and changed.output.startswith("A change after deck ")
    assert call("compare", log_file(tmp_path, "sattolo", 400)).exit_code == 0
    assert "naive-swap" in call("samples").output
