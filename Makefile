# Front door; CMake does the building. `make help` lists the targets.

GENERATOR := $(shell command -v ninja >/dev/null && echo Ninja || echo 'Unix Makefiles')
JOBS := $(shell nproc)
PYTHON := $(shell command -v /usr/bin/python3 || command -v python3)

.PHONY: all demo python package check sanitize lint bench results learned guides coverage fuzz format install uninstall clean help

all: ## Install what is missing and build the release; the command is build/dedpul
	@scripts/bootstrap.sh build
	@cmake --preset release -G "$(GENERATOR)" >/dev/null
	@cmake --build build --parallel $(JOBS)

demo: ## Install what is missing, build, and run the command on a small real sample
	@scripts/bootstrap.sh demo
	@$(MAKE) --no-print-directory all >build.log 2>&1 || { cat build.log; rm -f build.log; exit 1; }
	@rm -f build.log
	@echo 'Some red wines are labeled; the others, red and white, are not. What share of those is red?'
	@echo
	@echo '$$ build/dedpul fit examples/data/wine.csv --model build/wine.model --interval --plot --report build/wine.html'
	@build/dedpul fit examples/data/wine.csv --model build/wine.model --interval --plot --report build/wine.html
	@echo 'In truth, half of the unlabeled wines are red: alpha = 0.5.'
	@echo
	@echo '$$ build/dedpul predict build/wine.model examples/data/wine_new.csv --out build/wine_new.csv'
	@build/dedpul predict build/wine.model examples/data/wine_new.csv --out build/wine_new.csv
	@paste -d, build/wine_new.csv examples/data/wine_new_truth.csv | awk -F, 'NR > 1 \
	    { red += $$5; right += ($$3 > 0.5) == $$5 } END { print "In truth, " red " of these " NR - 1 \
	    " wines are red; " right " are told right."}'
	@echo
	@echo '$$ build/dedpul scores examples/data/wine_scores.csv   # the scores of another classifier'
	@build/dedpul scores examples/data/wine_scores.csv
	@echo 'In truth, alpha is 0.5 here too.'

python: ## Build a wheel of the Python package that needs no compiler, in build/wheel
	@scripts/bootstrap.sh build
	@$(MAKE) --no-print-directory all
	@rm -rf build/wheel
	@DEDPUL_LIBRARY=build/wheel_library/libdedpul.so $(PYTHON) python/backend.py wheel build/wheel
	@ls build/wheel/*.whl

package: ## Build Debian packages of the command, the library and the Python package, in build/packages
	@scripts/bootstrap.sh package
	@$(MAKE) --no-print-directory all
	@rm -rf build/packages
	@cd build && cpack >packages.log || { cat packages.log; exit 1; }
	@ls build/packages/*.deb

check: ## Install what is missing, build, and pass every test
	@scripts/bootstrap.sh check
	@scripts/check.sh dev

sanitize: ## Pass the tests under the sanitizers of addresses, undefined behaviour and threads
	@scripts/bootstrap.sh check
	@scripts/check.sh asan tsan

lint: ## No warnings, no findings, formatted
	@scripts/bootstrap.sh lint
	@scripts/lint.sh

bench: ## Time and memory next to their yardsticks
	@scripts/bootstrap.sh build
	@cmake --preset release -G "$(GENERATOR)" -DDEDPUL_BENCH=ON >/dev/null
	@cmake --build build --parallel $(JOBS)
	@build/bench/bench_core bench/scipy_kde.py
	@build/bench/bench_fit bench/torch_net.py build/dedpul
	@build/bench/bench_peers bench/sklearn_crossfit.py
	@build/bench/bench_methods
	@build/bench/bench_conv bench/torch_conv.py
	@[ ! -x build/venv/bin/python ] || DEDPUL_LIBRARY=build/libdedpul.so build/venv/bin/python -W ignore bench/arrow_frames.py

results: ## Tables and figures of experiments/results, and docs/RESULTS.md from them
	@scripts/bootstrap.sh demo
	@$(MAKE) --no-print-directory all
	@build/dedpul bench report experiments/results
	@{ cat experiments/NOTES.md; sed -E -e 1d -e 's,\]\((figures/|summary),](../experiments/results/\1,' experiments/results/report.md; } >docs/RESULTS.md

learned: ## Make the weights of the method 'learned' again, from simulated problems
	@scripts/bootstrap.sh build
	@cmake --preset release -G "$(GENERATOR)" >/dev/null
	@cmake --build build --parallel $(JOBS) --target learn
	@GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4,-AVX512F build/learn learned/weights.bin

guides: ## Samples of the guides in build/guide, and their figures in docs/guide/figures
	@scripts/bootstrap.sh check
	@$(MAKE) --no-print-directory all
	@docs/guide/figures.sh build/guide docs/guide/figures

coverage: ## Share of src/ that the tests run; fails below 90%
	@scripts/bootstrap.sh coverage
	@scripts/check.sh coverage
	@gcovr --root . --filter src/ --object-directory build/coverage --fail-under-line 90 --sort-percentage

FUZZ_TARGETS = csv table labels gzip arrow model results

fuzz: ## Fuzz the readers of files for a minute and a half
	@scripts/bootstrap.sh fuzz
	@cmake --preset fuzz -G "$(GENERATOR)" >/dev/null
	@cmake --build build/fuzz --parallel $(JOBS) --target $(addprefix fuzz_,$(FUZZ_TARGETS))
	@for target in $(FUZZ_TARGETS); do \
	    mkdir -p build/fuzz/corpus/$$target && build/fuzz/fuzz/fuzz_$$target -max_total_time=15 -max_len=8192 \
	    build/fuzz/corpus/$$target fuzz/corpus/$$target || exit 1; done

format: ## Format the sources
	@git ls-files '*.c' '*.h' | xargs clang-format -i

install: all ## Install the command, the library, manuals and completions
	@cmake --install build

uninstall: ## Remove what 'make install' has installed
	@cmake -D MANIFEST=build/install_manifest.txt -P cmake/uninstall.cmake

clean: ## Remove everything that was built
	@rm -rf build

help:
	@grep -E '^[a-z]+:.*##' Makefile | sed -E 's/^([a-z]+):.*## /\1\t/' | expand -t 12
