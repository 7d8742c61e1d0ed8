# python3 and make are all a fresh machine needs.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: run test lint unit proofs fuzz bench goldens docs clean

run: $(READY)  ## draw one map of each family, audit ten thousand of each, write the report
	$(BIN)/cartomancer map tour --maps 10000 --html build/atlas.html

test: lint unit  ## linters, types, import contracts, tests, docs

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python tests/kernel_fields.py
	$(BIN)/lint-imports

unit: $(READY)
	$(BIN)/cartomancer kernels compile
	$(BIN)/pytest -n auto -m "not slow"

proofs: $(READY)  ## the long proofs: a million maps and more
	$(BIN)/cartomancer kernels compile
	$(BIN)/pytest -n auto -m slow

fuzz: $(READY)  ## minutes of damaged notations, replays, saves, maps, content and expressions (seconds of it are in make test)
	CARTOMANCER_FUZZ=3000 $(BIN)/pytest -n auto tests/fuzz

bench: $(READY)  ## maps, encounters and runs per second per core; the lab's overhead; the whole matrix of two rooms
	$(BIN)/python bench/maps.py
	$(BIN)/python bench/encounters.py
	$(BIN)/python bench/players.py
	$(BIN)/python bench/expeditions.py
	$(BIN)/python bench/lab.py
	$(BIN)/python bench/matrix.py

goldens: $(READY)  ## rewrite the golden files and show what changed
	$(BIN)/python tests/golden/rewrite.py

docs: $(READY)  ## rewrite the generated parts of docs/
	$(BIN)/python docs/generate.py

$(READY): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e ".[dev]"
	touch $(READY)

clean:
	rm -rf $(VENV) build .pytest_cache .mypy_cache .ruff_cache .hypothesis
