# make quickstart   see the memory work, in a temporary folder
# make test         lint, types and tests; CI runs this
# make soak         the same tests at full counts
# make bench        speed and size, as ratios
# make retrieval    how good the ranking is, on evaluation data: DATA="path ..." [ARGS="--ab no-links"]
# make docs         write the generated parts of README and guide anew
# make lock         resolve requirements.lock anew (needs uv)
# make clean        remove the environments
#
# PYTHON=python3.12 picks another interpreter; each has an environment of its own.

PYTHON ?= python3
VENV := .venv-$(notdir $(PYTHON))
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
READY := $(VENV)/.installed

.PHONY: quickstart test soak bench retrieval docs lock clean

quickstart: $(READY)
	@$(BIN)/memory-mcp quickstart

test: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/pytest -n 3

soak: $(READY)
	$(BIN)/pytest -n 3 --soak

bench: $(READY)
	$(BIN)/python -m bench

retrieval: $(READY)
	$(BIN)/python -m bench.retrieval $(DATA) $(ARGS)

docs: $(READY)
	$(BIN)/python tests/cli/test_docs.py

lock:
	uv pip compile pyproject.toml --extra vectors --group dev --universal --python-version 3.10 --no-python-downloads \
		--upgrade --generate-hashes --quiet --custom-compile-command "make lock" --output-file requirements.lock

clean:
	rm -rf .venv-*

$(READY): requirements.lock
	@echo "installing what requirements.lock pins into $(VENV), once; this takes a minute"
	@rm -rf $(VENV)
	@$(PYTHON) -m venv $(VENV)
	@$(PIP) --require-hashes -r requirements.lock
	@$(PIP) --no-deps --no-build-isolation -e .
	@touch $(READY)
