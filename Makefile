# The verbs of the project. Everything runs in .venv, which the first verb makes; nothing else is assumed.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.installed
export PYTHONHASHSEED ?= 0

.PHONY: run test test-slow coverage lint bench sample-report flagship-report docs clean

run: $(STAMP)
	$(BIN)/basra-sim run random first greedy basra-first defensive --games 20000 --seed 7 --report

test: $(STAMP)
	$(BIN)/python -m pytest -m "not slow" tests

test-slow: $(STAMP)
	$(BIN)/python -m pytest -m slow tests

# Lines and branches of the kernels that the tests reach, with the kernels run as plain Python.
coverage: $(STAMP)
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest -q tests/engine/test_engine_plain.py --cov-branch --cov-report=term-missing \
	  --cov=basra_sim.engine --cov=basra_sim.table --cov=basra_sim.rng --cov=basra_sim.memory

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(STAMP)
	$(BIN)/basra-sim bench

# The report that is committed under reports/sample, and checked by the tests; see reports/README.md.
sample-report: $(STAMP)
	rm -rf build/sample reports/sample
	mkdir -p reports/sample
	$(BIN)/basra-sim run random first greedy basra-first defensive --games 4000 --seed 7 --records rounds --quiet \
	  --out build/sample > /dev/null
	$(BIN)/basra-sim report build/sample --html reports/sample/report.html --markdown reports/sample/report.md
	$(BIN)/basra-sim analyze build/sample --format csv > reports/sample/tables.csv
	cp build/sample/matches.csv reports/sample/matches.csv

# The ladder under every preset, in one report: by default the fast strategies, at a size of minutes on two cores. For a
# long one: make flagship-report FLAGSHIP_GAMES=200000 FLAGSHIP="random greedy ... pimc"
FLAGSHIP       ?= random first greedy basra-first defensive counting expectimax tuned tuned-endgame
FLAGSHIP_GAMES ?= 20000
FLAGSHIP_SEED  ?= 2026
FLAGSHIP_TABLES = $(addprefix --table ,rounds_won points majority basras_by_kind basras_by_role basras_by_deal basras_by_ply \
  basras_by_card basras_by_floor plays_by_kind)
FLAGSHIP_RULES ?= egyptian-v2 egyptian-v1 cafe pagat jawaker lebanese
flagship-report: $(STAMP)
	rm -rf build/flagship reports/flagship
	mkdir -p build/flagship reports/flagship
	for rules in $(FLAGSHIP_RULES); do \
	  $(BIN)/basra-sim run $(FLAGSHIP) --games $(FLAGSHIP_GAMES) --seed $(FLAGSHIP_SEED) --rules $$rules --quiet \
	    --out build/flagship/$$rules > /dev/null && \
	  cp build/flagship/$$rules/matches.csv reports/flagship/$$rules-matches.csv && \
	  $(BIN)/basra-sim analyze build/flagship/$$rules $(FLAGSHIP_TABLES) --format csv > reports/flagship/$$rules-tables.csv || exit 1; \
	done
	$(BIN)/basra-sim report $(FLAGSHIP_RULES:%=build/flagship/%) --html build/flagship/report.html \
	  --markdown reports/flagship/report.md

docs: $(STAMP)
	$(BIN)/python -m basra_sim.cli.reference > docs/cli.md

$(STAMP): pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade pip
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[dev]"
	touch $@

clean:
	rm -rf build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
