#!/bin/bash
# Builds the presets named and runs their tests.
set -eu
# Tests of documents, pages and runs of experiments, which add nothing to the coverage of the library.
beyond_library='^(bench|bench_report|compare|documents|figures|python|report)$'
generator='Unix Makefiles'
command -v ninja >/dev/null && generator=Ninja
jobs=$(nproc)
for preset in "$@"; do
    echo "== $preset"
    cmake --preset "$preset" -G "$generator" >/dev/null
    cmake --build "build/$preset" --parallel "$jobs" >"build/$preset/build.log" 2>&1 || {
        cat "build/$preset/build.log"
        exit 1
    }
    ctest --test-dir "build/$preset" --parallel "$jobs" --output-on-failure --no-tests=error \
        --exclude-regex "$([ "$preset" = coverage ] && echo "$beyond_library" || echo '^$')"
done
