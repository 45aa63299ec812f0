#!/bin/bash
# Formatting, static analysis and shell scripts.
set -eu
mapfile -t sources < <(git ls-files '*.c' '*.h')
clang-format --dry-run --Werror "${sources[@]}"
git ls-files '*.sh' | xargs shellcheck --severity=warning -x
# The compilation database tells clang-tidy which headers each layer may see.
cmake --preset dev -B build/lint >/dev/null
git ls-files 'src/*.c' 'cli/*.c' 'experiments/*.c' 'examples/*.c' 'bench/*.c' 'tests/*.c' |
    xargs -P "$(nproc)" -n 4 clang-tidy --quiet --warnings-as-errors='*' -p build/lint 2>build/lint/tidy.log ||
    { grep -v 'warnings generated\|Suppressed\|Use -header-filter' build/lint/tidy.log; exit 1; }
echo "lint: no findings in ${#sources[@]} files"
