#!/bin/bash
# The libraries show the public names, all of them, and no others.
# shellcheck source=tests/cli/common.sh disable=SC2154
. "$SOURCE/tests/cli/common.sh"

[ -z "$SANITIZE" ] && [ "$COVERAGE" = OFF ] || exit 77 # instrumented code brings names of its own
cat "$SOURCE"/include/*.h "$SOURCE"/include/common/*.h | grep '^DEDPUL_API' | grep -oE '\bdedpul_[a-z_]+\(' | tr -d '(' | sort -u >declared.txt
nm -D --defined-only "$LIBRARY" | awk '{ print $3 }' | sort >shared.txt
check 'shared library' diff declared.txt shared.txt
nm --defined-only --extern-only "$ARCHIVE" | awk 'NF == 3 { print $3 }' | sort >static.txt
check 'static library' diff declared.txt static.txt
check 'the soname has the version' grep -q 'libdedpul.so.[0-9]*.[0-9]*$' <(objdump -p "$LIBRARY" | awk '/SONAME/ { print $2 }')
finish
