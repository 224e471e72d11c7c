# Needs only Python (3.11 or newer) and make; the environment is built when missing or stale.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: demo test lint bench clean

demo: $(READY)
	$(BIN)/graphanon demo --force

test: $(READY)
	$(BIN)/python -m pytest -q -rs -n 2

lint: $(READY)
	$(BIN)/ruff check .

bench: $(READY)
	$(BIN)/python -m benchmarks

$(READY): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[test]'
	touch $@

clean:
	rm -rf $(VENV) build *.egg-info
