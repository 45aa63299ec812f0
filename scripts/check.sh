#!/bin/bash
# Builds the presets named and runs their tests.
set -eu
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
    ctest --test-dir "build/$preset" --parallel "$jobs" --output-on-failure --no-tests=error
done
