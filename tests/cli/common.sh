# Sourced by the command-line tests. Each runs in a directory of its own.
# shellcheck shell=bash disable=SC2034
set -u
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
passed=0
failed=0

fail() {
    echo "FAILED: $*"
    failed=$((failed + 1))
}

# run ARGUMENT...: the command; leaves its exit code, output and messages in code, out, err.
run() {
    "$DEDPUL" "$@" >out.txt 2>err.txt
    code=$?
    out=$(cat out.txt)
    err=$(cat err.txt)
}

# expect CODE TEXT ARGUMENT...: the exit code, and a text that the messages contain.
expect() {
    local want=$1 text=$2
    shift 2
    run "$@"
    if [ "$code" -ne "$want" ]; then
        fail "dedpul $*: exit code $code, not $want: $err"
    elif [[ "$err" != *"$text"* ]]; then
        fail "dedpul $*: '$err' does not contain '$text'"
    else
        passed=$((passed + 1))
    fi
}

# check DESCRIPTION COMMAND...: the command succeeds.
check() {
    local what=$1
    shift
    if "$@" >check.txt 2>&1; then
        passed=$((passed + 1))
    else
        fail "$what: $(cat check.txt)"
    fi
}

finish() {
    echo "$passed passed, $failed failed"
    [ "$failed" -eq 0 ]
    exit
}

sample=$SOURCE/examples/data/wine_scores.csv
