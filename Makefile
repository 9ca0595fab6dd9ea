# The verbs of the project. Everything runs in .venv, which the first verb makes; nothing else is assumed.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.installed
export PYTHONHASHSEED ?= 0

.PHONY: run test test-slow lint bench sample-report docs clean

run: $(STAMP)
	$(BIN)/basra-sim run random first greedy basra-first defensive --games 20000 --seed 7

test: $(STAMP)
	$(BIN)/python -m pytest -m "not slow" tests

test-slow: $(STAMP)
	$(BIN)/python -m pytest -m slow tests

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(STAMP)
	$(BIN)/basra-sim bench

docs: $(STAMP)
	$(BIN)/python -m basra_sim.cli.reference > docs/cli.md

$(STAMP): pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade pip
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[dev]"
	touch $@

clean:
	rm -rf build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
