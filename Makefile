# One verb per hop; `make` lists them. All but `lock` and `clean` work in .venv, which is made on the first use.

PYTHON ?= python3
METERHOUSE_HOME ?= .meterhouse
APP ?= 1
SOURCE ?= openhands-index
FROM ?= datasets/published/openhands-index
export METERHOUSE_HOME
unexport PYTHONPATH PYTHONHOME

BIN := .venv/bin
RESOLVE := uv pip compile pyproject.toml --quiet --universal --python-version 3.11 --generate-hashes \
	--only-binary :all: --no-header --no-annotate --no-strip-extras --group build

.PHONY: help env dev demo test browser-test collect build app lint types format docs bench lock clean

help: ## List the verbs
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-13s %s\n", $$1, $$2}' Makefile

env: ## Make or refresh .venv with what the commands need
	@$(PYTHON) -I app/bootstrap.py

dev: ## The same, with the tools of tests and lint
	@$(PYTHON) -I app/bootstrap.py --dev

demo: env ## Shipped results in, the frontier in the terminal, then the app (APP=0 stops before it)
	$(BIN)/meterhouse demo $(if $(filter 0,$(APP)),--no-app)

test: dev ## All tests but those that need a browser
	$(BIN)/pytest -n 2 -m "not browser"

browser-test: dev ## The app in headless Chromium
	$(BIN)/pytest -m browser

collect: env ## Append what is new: SOURCE=openhands-index FROM=folder
	$(BIN)/meterhouse collect $(SOURCE) "$(FROM)"

build: env ## Derive the marts from the events and publish them
	$(BIN)/meterhouse build

app: env ## Start the app
	$(BIN)/meterhouse app

lint: dev ## Python and SQL style
	$(BIN)/ruff check --quiet .
	$(BIN)/ruff format --quiet --check .
	$(BIN)/sqlfluff lint --disable-progress-bar --processes 2 dbt_project/models dbt_project/tests

types: dev ## Type check
	$(BIN)/pyright

format: dev ## Rewrite Python in the house style
	$(BIN)/ruff check --quiet --fix .
	$(BIN)/ruff format --quiet .

docs: dev ## Draw the picture in the README and write dbt's files anew, from the marts and the contracts
	$(BIN)/meterhouse demo --no-app
	$(BIN)/python -m app.picture docs
	$(BIN)/python -m models.dbt_contracts && $(BIN)/python -m models.column_kinds

bench: dev ## Measure what should be quick
	$(BIN)/python benchmarks/bench_store.py && $(BIN)/python benchmarks/bench_commands.py
	$(BIN)/meterhouse demo --no-app
	$(BIN)/python benchmarks/bench_app.py

lock: ## Resolve both locks anew (needs uv); then read the diff
	$(RESOLVE) --group dev --output-file requirements-dev.lock
	$(RESOLVE) --constraints requirements-dev.lock --output-file requirements.lock

clean: ## Remove .venv and caches; events and marts stay
	rm -rf .venv dist build .pytest_cache .ruff_cache .hypothesis dbt_project/target dbt_project/logs
