#!/bin/bash
# Builds the presets named and runs their tests.
set -eu
# left_out PRESET: tests that the preset adds nothing to, as a regular expression.
left_out() {
    case "$1" in
    # Documents, pages and runs of experiments say nothing new of the library.
    coverage) echo '^(bench|bench_report|bench_selected|compare|documents|figures|layering|python|report)$' ;;
    # Texts and pictures do not depend on how the program is built.
    asan | tsan) echo '^(documents|figures|layering)$' ;;
    *) echo '^$' ;;
    esac
}
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
        --exclude-regex "$(left_out "$preset")"
done
