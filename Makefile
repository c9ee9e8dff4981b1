# make run     set up what is missing, then open the application      (make run FILE=photo.jpg opens a file)
# make test    set up what is missing, then pass the tests             (make test ARGS=tests/solver)
# make slow    the longer tests (over 0.6 seconds of a processor), and whole sweeps  (make test ARGS="-m ''" runs all)
# make setup   only the set-up
# make lint    ruff and mypy
# make coverage holds the files of tests/covered.txt at full line and branch coverage  (ARGS=--record adds to them)
# make wheel   builds the wheel and uses it where nothing of the checkout is on the path
# make fuzz    damaged files of every kind, 2,000 each, and 200 programs killed while they save  (ARGS="--kind bvh")
# make bench   medians and 95th percentiles of everything that must be fast

PYTHON ?= python3
PY := .venv/bin/python
SCREEN := xvfb-run -a -s "-screen 0 1600x1000x24"
LINUX := $(filter Linux,$(shell uname -s))
# Where no screen is attached a virtual one is used.
NO_SCREEN := $(if $(DISPLAY)$(WAYLAND_DISPLAY),,$(LINUX))
ON_SCREEN := $(if $(NO_SCREEN),$(SCREEN))
# One process more than there are cores (tests/conftest.py), a whole file to each, the longest first
# (tests/longest_first.py); on Linux each has a virtual screen of its own (pytest-xvfb).
SIDE_BY_SIDE := -n auto --maxprocesses 4 --dist loadfile --no-loadscope-reorder
UNSEEN := No screen is attached: the window opens on a virtual one, where nobody sees it.

.PHONY: run test slow setup lint coverage wheel fuzz bench clean

# Modules and tests are compiled once, wherever the environment says not to keep that: each process of the tests, and
# the programs they start, would compile them all anew (pytest rewrites every test file, 20 s in each process).
test slow coverage fuzz: export PYTHONDONTWRITEBYTECODE :=

run: .venv/.run
	@sh scripts/screen.sh
	@$(if $(NO_SCREEN),echo "$(UNSEEN)",:)
	$(ON_SCREEN) $(PY) main.py $(FILE)

test: WHICH := not slow
slow: WHICH := slow
test slow: .venv/.test
	@sh scripts/screen.sh
	@$(PY) -m solver.compile_kernels
	$(PY) -m pytest $(SIDE_BY_SIDE) -m "$(WHICH)" --durations=10 --durations-min=10 $(ARGS)

setup: .venv/.run

lint: .venv/.test
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	$(PY) -m mypy

coverage: .venv/.test
	@sh scripts/screen.sh
	$(PY) -m scripts.check_coverage $(ARGS)

wheel: .venv/.run
	@sh scripts/screen.sh
	$(ON_SCREEN) $(PY) -m scripts.check_wheel

fuzz: .venv/.test
	nice $(PY) tests/fuzz $(ARGS)
	KILLS=200 nice $(PY) -m pytest -q tests/kill

bench: .venv/.run
	@sh scripts/screen.sh
	$(ON_SCREEN) $(PY) main.py bench $(ARGS)

.venv/.run: pyproject.toml scripts/setup.sh
	@PYTHON="$(PYTHON)" sh scripts/setup.sh "video"
	@touch $@

.venv/.test: pyproject.toml scripts/setup.sh
	@PYTHON="$(PYTHON)" sh scripts/setup.sh "test,lint"
	@touch $@ .venv/.run

clean:
	rm -rf .venv build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
