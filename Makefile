# make demo: play a small tournament and write its report.   make test: all checks, the fast tests.
# Both make .venv first when it is missing. PYTHON chooses the interpreter (3.11 or newer).

PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11 python; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
BIN := .venv/bin

.PHONY: demo test test-slow clean

demo: .venv/installed
	$(BIN)/harness run configs/quickstart.toml

test: .venv/installed-dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/pytest -n auto -m "not slow"

test-slow: .venv/installed-dev
	$(BIN)/pytest -n auto -m slow

clean:
	rm -rf .venv .mypy_cache .pytest_cache .ruff_cache .import_linter_cache

$(BIN)/python:
	@test -n "$(PYTHON)" || { echo "no Python 3.11 or newer found; install one, or say make PYTHON=/path/to/python"; exit 1; }
	$(PYTHON) -m venv .venv

.venv/installed: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	touch $@

.venv/installed-dev: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[dev]"
	touch $@ .venv/installed
