# make demo   one number from a run to a sentence, on this machine
# make demo-llama   a real llama.cpp on this machine, from two models to a sentence
# make test   everything that must hold before a commit
# make bench  ratios about ourselves, measured here; never a gate
# Each sets itself up in .venv, from nothing but Python and the package registry.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet

.PHONY: demo demo-llama test check bench format clean

demo: $(VENV)/.demo-ready
	@$(BIN)/python demo/demo.py

demo-llama: $(VENV)/.test-ready
	@$(BIN)/python demo/llama.py

test: check
	@$(BIN)/python -m pytest -q -n auto --dist loadgroup

check: $(VENV)/.test-ready
	@$(BIN)/ruff format --check --quiet .
	@$(BIN)/ruff check --quiet .
	@$(BIN)/mypy
	@$(BIN)/lint-imports

bench: $(VENV)/.test-ready
	@$(BIN)/python -m pytest -q -s -m bench tests/bench

format: $(VENV)/.test-ready
	@$(BIN)/ruff format --quiet .
	@$(BIN)/ruff check --fix --quiet .

clean:
	rm -rf $(VENV) .demo .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

$(VENV)/.created:
	@$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed") if sys.version_info < (3, 11) else None'
	@$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/.demo-ready: $(VENV)/.created requirements.txt pyproject.toml
	@echo "setting up $(VENV) (once)"
	@$(PIP) install -r requirements.txt
	@$(PIP) install --no-build-isolation --no-deps -e .
	@touch $@

$(VENV)/.test-ready: $(VENV)/.demo-ready requirements-dev.txt
	@$(PIP) install -r requirements-dev.txt
	@touch $@
