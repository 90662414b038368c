# Everything needs only Python 3.11+ and make: the environment is made in .venv on first use.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Workers of the tests: one more than two cores, since some wait for a browser.
JOBS ?= 3
# Tests start hundreds of processes: with bytecode on disk none of them reads sources again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: run browser test compiled interpreted bounds lint check-all numba bench bench-compare docs dist clean

run: $(VENV)/ready  ## set everything up, then start the studio
	$(BIN)/ludion serve --open

$(VENV)/ready: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --upgrade pip
	$(BIN)/pip install --quiet --no-compile --constraint constraints.txt --editable . --group dev
	touch $@

# What checks the page comes from npm, where there is one: a linter and formatter, and axe for accessibility.
node_modules/ready: package.json
	@mkdir -p node_modules
	@command -v npm >/dev/null && npm install --silent --no-package-lock --no-audit --no-fund \
	|| echo "nothing from npm: the page's scripts are not checked, nor its accessibility"
	@touch $@

lint: $(VENV)/ready node_modules/ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	@if test -x node_modules/.bin/biome; then node_modules/.bin/biome check; fi

# The browser tests drive the system's Chromium, Delirium's Prolog agents run in SWI-Prolog: installed here where we may, else
# these tests are skipped (CONTRIBUTING.md lists all skips).
browser:
	@command -v chromium-headless-shell || command -v chromium || command -v chromium-browser || command -v google-chrome \
	|| { test "$$(id -u)" = 0 && apt-get update -qq && { apt-get install -y -qq chromium-headless-shell >/dev/null \
	|| apt-get install -y -qq chromium >/dev/null; }; } \
	|| echo "no Chromium: the browser tests will be skipped"
	@command -v swipl || { test "$$(id -u)" = 0 && apt-get install -y -qq --no-install-recommends swi-prolog-nox >/dev/null; } \
	|| echo "no SWI-Prolog: its tests will be skipped"

# Three runs: compiled; interpreted on small cases; compiled with bounds checks (its own cache; hardly optimised, which
# takes less time to compile). The last two read only the files that have such tests. What needs one core only runs
# beside something else: the three installations, and the linters beside the compiled run. The three runs one after the
# other take less time than side by side (about 7:40 and 8:21 minutes, two cores).
marked = $(shell grep --recursive --files-with-matches --include='test_*.py' "mark.$(1)" tests)
test:
	$(MAKE) --jobs=3 $(VENV)/ready node_modules/ready browser
	$(MAKE) --jobs=2 compiled lint
	$(MAKE) interpreted
	$(MAKE) bounds

compiled: $(VENV)/ready
	$(BIN)/pytest -n $(JOBS) --dist loadfile -m "not slow"

interpreted: $(VENV)/ready
	LUDION_TIER=interpreted $(BIN)/pytest -n $(JOBS) --dist loadfile -m interpreted $(call marked,interpreted)

bounds: $(VENV)/ready
	NUMBA_BOUNDSCHECK=1 NUMBA_OPT=1 $(BIN)/pytest -n $(JOBS) --dist loadfile -m bounds $(call marked,bounds)

# Coverage is measured in the interpreter, which it makes three times slower.
check-all: test
	$(BIN)/pytest -m slow
	LUDION_TIER=interpreted $(BIN)/pytest -n $(JOBS) --dist loadfile -m interpreted --cov=ludion --cov-report=term:skip-covered

# Private names of Numba are used (core/compiler.py, core/compiled_words.py): the oldest and the newest that pyproject allows.
OLDEST_NUMBA := 0.63.*
NEWEST_NUMBA := 0.68.*
numba:
	for version in "$(OLDEST_NUMBA)" "$(NEWEST_NUMBA)"; do \
	  rm -rf $(VENV)-numba && $(PYTHON) -m venv $(VENV)-numba \
	  && $(VENV)-numba/bin/pip install --quiet --editable . "numba==$$version" pytest hypothesis \
	  && LUDION_CACHE_DIR=$(VENV)-numba/cache $(VENV)-numba/bin/python -m pytest \
	     tests/test_numba_names.py tests/test_verbs.py tests/test_words.py tests/test_tiers.py || exit 1; \
	done

bench: $(VENV)/ready  ## measure everything, store the runs, write the tables of docs/
	$(BIN)/python -m benchmarks

bench-compare: $(VENV)/ready  ## measure everything, print what moved since the stored runs
	$(BIN)/python -m benchmarks --compare

docs: $(VENV)/ready  ## warnings are errors; the tests execute what the pages show
	$(BIN)/python -m sphinx -W --keep-going -b html docs docs/_build/html

dist: $(VENV)/ready  ## the wheel and the sdist, and what is in them
	rm -rf dist && $(BIN)/python -c "import hatchling.build as b; b.build_wheel('dist'); b.build_sdist('dist')"
	$(BIN)/python -m tests.release dist/*

clean:
	rm -rf $(VENV) node_modules .pytest_cache .mypy_cache .ruff_cache .hypothesis
