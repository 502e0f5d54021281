# Two commands: `make run` sets everything up and shows both puzzles, `make test` runs the whole suite.
# Everything lives in .venv; versions are pinned in constraints.txt.

PYTHON ?= $(firstword $(foreach name,python3.14 python3.13 python3.12 python3.11 python3 python,\
	$(shell command -v $(name) >/dev/null 2>&1 && $(name) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $(name))))
BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
TESTED := src tests benchmarks

.PHONY: run test coverage test-deep lint format bench browser clean

run: .venv/.installed
	@$(BIN)/backrank solve tour 8x8
	@echo
	@$(BIN)/backrank count queens 8
	@$(BIN)/backrank list queens 8 --limit 1 --format unicode

test: .venv/.tested-with browser
	$(BIN)/python -m pytest --numprocesses auto

# Twice as long as the tests alone, so not part of them.
coverage: .venv/.tested-with browser
	$(BIN)/python -m pytest --numprocesses auto --cov --cov-report=term

test-deep: .venv/.tested-with browser
	$(BIN)/python -m pytest -m "deep or not deep" --timeout 3600

lint: .venv/.tested-with
	$(BIN)/ruff check $(TESTED)
	$(BIN)/ruff format --check $(TESTED)
	$(BIN)/mypy

format: .venv/.tested-with
	$(BIN)/ruff check --fix-only $(TESTED)
	$(BIN)/ruff format $(TESTED)

# All but the comparison of two trees, which wants their paths.
bench: .venv/.installed
	@for script in $(filter-out benchmarks/bench_paired.py,$(sort $(wildcard benchmarks/bench_*.py))); do echo "== $$script"; $(BIN)/python $$script || exit 1; done

# The page of the web app is tested in a real browser: Chromium, where there is none Debian's package.
browser:
	@if [ -n "$$BACKRANK_CHROMIUM" ] || command -v chromium >/dev/null 2>&1; then exit 0; fi; \
	echo "the tests of the web page need Chromium; installing Debian's package ..." >&2; \
	if [ "$$(id -u)" = 0 ]; then as_root=; else as_root="sudo -n"; fi; \
	$$as_root apt-get update -qq && $$as_root apt-get install -qq -y --no-install-recommends chromium fonts-noto-cjk >/dev/null || { \
		echo "install Chromium (on Debian: apt install chromium), or say where it is: BACKRANK_CHROMIUM=/path/to/it" >&2; exit 1; }

clean:
	rm -rf .venv .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage

.venv/bin/python:
	@if [ -z "$(PYTHON)" ]; then \
		echo "backrank needs Python 3.11 or newer; install it, or say where it is: make run PYTHON=/path/to/python3" >&2; exit 1; fi
	@$(PYTHON) -m venv .venv || { rm -rf .venv; \
		echo "$(PYTHON) cannot make virtual environments; on Debian and Ubuntu: apt install python3-venv" >&2; exit 1; }

.venv/.installed: .venv/bin/python pyproject.toml constraints.txt
	@echo "installing backrank into .venv ..." >&2
	@$(PIP) install --constraint constraints.txt --editable .
	@touch $@

.venv/.tested-with: .venv/.installed
	@echo "installing the test tools into .venv ..." >&2
	@$(PIP) install --constraint constraints.txt --editable '.[test]'
	@touch $@
