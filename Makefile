# `make demo` and `make test` are all a newcomer needs: python3 >= 3.11 and make.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: demo test check lint types imports bench torture clean lock

demo: $(VENV)/.installed
	$(BIN)/hmf demo

test: $(VENV)/.dev
	$(BIN)/python -m pytest -n 2

check: lint types imports test

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.dev
	$(BIN)/mypy

imports: $(VENV)/.dev
	$(BIN)/lint-imports

bench: $(VENV)/.dev
	$(BIN)/python bench/run.py

torture: $(VENV)/.dev
	HMF_TEST_TORTURE=50 $(BIN)/python -m pytest -m torture tests/integration

# Exact versions for CI and for a repeatable development machine, from a fresh environment.
lock:
	rm -rf $(VENV) constraints.txt && touch constraints.txt
	$(MAKE) $(VENV)/.dev
	$(BIN)/python -m pip freeze --exclude-editable > constraints.txt

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit("HMF needs Python 3.11 or newer; this is " + sys.version.split()[0] + ". Run: make PYTHON=python3.12") if sys.version_info < (3, 11) else None'
	@$(PYTHON) -m venv $(VENV) || { echo "Python has no venv module here. Fix: apt install python3-venv"; rm -rf $(VENV); exit 1; }
	$(BIN)/python -m pip install --quiet --upgrade "pip>=25.1"

$(VENV)/.installed: $(BIN)/python pyproject.toml constraints.txt
	$(BIN)/python -m pip install --quiet -c constraints.txt -e .
	@touch $@

$(VENV)/.dev: $(VENV)/.installed
	$(BIN)/python -m pip install --quiet -c constraints.txt --group dev
	@touch $@

clean:
	rm -rf $(VENV) dist build .pytest_cache .mypy_cache .ruff_cache .hypothesis
