# The verbs of the project. Everything runs in .venv, which the first verb makes; nothing else is assumed.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.installed
export PYTHONHASHSEED ?= 0

.PHONY: run test test-slow coverage lint bench clean
.PHONY: docs ladder ladder-times sample-report flagship-report calibration
.PHONY: value-tables weights floor-table shuffle-tables shuffle-samples playthroughs

run: $(STAMP)
	$(BIN)/basra-sim run random first greedy basra-first defensive --games 20000 --seed 7 --report

test: $(STAMP)
	$(BIN)/python -m pytest -n 2 --dist loadfile -m "not slow" tests

test-slow: $(STAMP)
	$(BIN)/python -m pytest -m slow tests

# Lines and branches of the kernels that the tests reach, with the kernels run as plain Python.
coverage: $(STAMP)
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest -q tests/engine/test_engine_plain.py --cov-branch --cov-report=term-missing \
	  --cov=basra_sim.engine

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(STAMP)
	$(BIN)/basra-sim bench

# ---- Data that programs write and that is committed: each verb makes its files again byte for byte; docs/data.md says which,
# ---- how long it takes and which test holds them to it.

# What leads in cards and points are worth, counted in self-play: every search, and so every digest, rests on it.
value-tables: $(STAMP)
	$(BIN)/python -m basra_sim.workers.value_counts

# The floor automaton of the default rules.
floor-table: $(STAMP)
	$(BIN)/python -m basra_sim.engine.floor_table.kept_tables

# Exact laws of whole decks, and what each flaw does to the measures of a deck.
shuffle-tables: $(STAMP)
	$(BIN)/python -m basra_sim.shuffles.calibration.shipped_tables

shuffle-samples: $(STAMP)
	$(BIN)/basra-sim shuffle samples --make basra_sim/shuffles/data/samples

calibration: $(STAMP)
	$(BIN)/basra-sim shuffle calibrate --minutes 15 --seed 1 -o docs/shuffle-calibration.md

# The golden games; read what has changed before you commit it.
playthroughs: $(STAMP)
	$(BIN)/python tests/playthroughs/write.py

# The report that is committed under reports/sample, and checked by the tests; see reports/README.md.
sample-report: $(STAMP)
	rm -rf build/sample reports/sample
	mkdir -p reports/sample
	$(BIN)/basra-sim run random first greedy basra-first defensive --games 4000 --seed 7 --records rounds --quiet \
	  --out build/sample > /dev/null
	$(BIN)/basra-sim report build/sample --html reports/sample/report.html --markdown reports/sample/report.md
	$(BIN)/basra-sim analyze build/sample --format csv > reports/sample/tables.csv
	cp build/sample/matches.csv reports/sample/matches.csv

# The fair ladder under every preset, in one report: about an hour on two cores. What was stopped goes on where it was, what is
# finished stays: call it again. A smaller one: make flagship-report FLAGSHIP_GAMES=200 FLAGSHIP="first greedy tuned"
FLAGSHIP       ?= random first greedy basra-first defensive counting expectimax tuned tuned-endgame pimc ismcts best
FLAGSHIP_GAMES ?= 1000
FLAGSHIP_SEED  ?= 2026
FLAGSHIP_RULES ?= egyptian-v2 egyptian-v1 cafe pagat jawaker lebanese
FLAGSHIP_RUNS  ?= build/flagship
FLAGSHIP_OUT   ?= reports/flagship
FLAGSHIP_TABLES = $(addprefix --table ,rounds_won points majority basras_by_kind basras_by_role basras_by_deal basras_by_ply \
  basras_by_card basras_by_floor plays_by_kind)
FLAGSHIP_ASKED  = $(strip $(FLAGSHIP)) --games $(FLAGSHIP_GAMES) --seed $(FLAGSHIP_SEED)
flagship-report: $(STAMP)
	@mkdir -p $(FLAGSHIP_RUNS)
	@test -f $(FLAGSHIP_RUNS)/asked || echo '$(FLAGSHIP_ASKED)' > $(FLAGSHIP_RUNS)/asked
	@test "`cat $(FLAGSHIP_RUNS)/asked`" = '$(FLAGSHIP_ASKED)' || { echo "$(FLAGSHIP_RUNS) holds other runs:" \
	  "`cat $(FLAGSHIP_RUNS)/asked`; remove the folder, or name another with FLAGSHIP_RUNS=FOLDER"; exit 1; }
	@for rules in $(FLAGSHIP_RULES); do \
	  run=$(FLAGSHIP_RUNS)/$$rules; \
	  if [ -d $$run/unfinished ] && [ -f $$run/manifest.json ]; then \
	    echo "$$rules: goes on"; $(BIN)/basra-sim resume $$run > /dev/null || exit 1; \
	  elif [ -f $$run/manifest.json ]; then \
	    echo "$$rules: is there"; \
	  else \
	    echo "$$rules: begins"; rm -rf $$run; $(BIN)/basra-sim run $(FLAGSHIP_ASKED) --rules $$rules --out $$run > /dev/null || exit 1; \
	  fi; \
	done
	rm -rf $(FLAGSHIP_OUT)
	mkdir -p $(FLAGSHIP_OUT)
	for rules in $(FLAGSHIP_RULES); do \
	  cp $(FLAGSHIP_RUNS)/$$rules/matches.csv $(FLAGSHIP_OUT)/$$rules-matches.csv && \
	  $(BIN)/basra-sim analyze $(FLAGSHIP_RUNS)/$$rules $(FLAGSHIP_TABLES) --format csv \
	    > $(FLAGSHIP_OUT)/$$rules-tables.csv || exit 1; \
	done
	$(BIN)/basra-sim report $(FLAGSHIP_RULES:%=$(FLAGSHIP_RUNS)/%) --html $(FLAGSHIP_RUNS)/report.html \
	  --markdown $(FLAGSHIP_OUT)/report.md

# strategies/tuned_endgame.toml and best.toml: weights by rule set. Minutes of one core for each; what was
# stopped goes on. A line: rules, generations, pairs, spread, start. Where cards are most of the points the start is what an
# earlier search from round numbers had found under egyptian-v2; pagat starts from what one from ROUND had found there.
EARLIER := jack=28.3428,jack_late=6.4478,komi=14.0227,his_jack=17.4595,his_komi=2.1182,again=1.9623,left=-9.6907,empty=-6.4704,dead=-0.7675,twin=-0.9912
PAGAT   := jack=3.6085,jack_late=-1.0053,komi=5.5313,his_jack=5.4415,his_komi=2.1803,again=1.1381,left=-0.2392,empty=1.7091,dead=0.1484,twin=0.1988
ROUND   := jack=4,jack_late=0,komi=3,his_jack=4,his_komi=3,again=1,left=0,empty=0,dead=0,twin=0
WEIGHTS_RULES := egyptian-v2 egyptian-v1 cafe pagat jawaker lebanese
weights: $(STAMP)
	mkdir -p build/weights
	for line in "egyptian-v2 12 500 0.04 $(EARLIER)" "egyptian-v1 12 500 0.04 $(EARLIER)" "cafe 12 500 0.04 $(EARLIER)" \
	    "jawaker 12 500 0.04 $(EARLIER)" "pagat 12 700 0.02 $(PAGAT)" "lebanese 10 800 0.02 $(ROUND)"; do \
	  set -- $$line && \
	  $(BIN)/basra-sim tune tuned-endgame:$$5 --against greedy,defensive,counting,expectimax --rules $$1 --generations $$2 \
	    --population 10 --pairs $$3 --check 5000 --spread $$4 --seed 7 --out build/weights/$$1.toml || exit 1; \
	done
	cat $(WEIGHTS_RULES:%=build/weights/%.toml) > strategies/tuned_endgame.toml
	for rules in pagat lebanese; do \
	  $(BIN)/basra-sim tune best:jack=4,komi=3,his_jack=4,his_komi=3 --against tuned-endgame,pimc --rules $$rules \
	    --only jack --only komi --only his_jack --only his_komi --only again --generations 4 --population 8 --pairs 250 \
	    --check 1500 --spread 0.04 --seed 7 --out build/weights/best-$$rules.toml || exit 1; \
	done
	sed '/^# Parameters of best:/,$$d' strategies/best.toml > build/weights/best.toml
	cat build/weights/best.toml build/weights/best-pagat.toml build/weights/best-lebanese.toml > strategies/best.toml

docs: $(STAMP)
	$(BIN)/python -m basra_sim.cli.reference > docs/cli.md

# The ladder of docs/ladder.md: figures that the seed fixes, and apart from them the times that this machine takes.
ladder: $(STAMP)
	$(BIN)/python -m basra_sim.workshop.ladder_record figures

ladder-times: $(STAMP)
	$(BIN)/python -m basra_sim.workshop.ladder_record times

$(STAMP): pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade pip
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[dev]"
	touch $@

clean:
	rm -rf build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
