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
table=$SOURCE/examples/data/wine.csv
truth=$SOURCE/examples/data/wine_truth.csv
new=$SOURCE/examples/data/wine_new.csv
new_truth=$SOURCE/examples/data/wine_new_truth.csv

# near JSON-PATH VALUE TOLERANCE: of the answer in out.txt.
near() {
    check "$1 is within $3 of $2" jq -e "($1 - $2) | fabs <= $3" out.txt
}

# nothing_left FILE...: none of these is there, nor a temporary file.
nothing_left() {
    local file
    for file in "$@" .dedpul*; do
        if [ -e "$file" ]; then
            echo "$file was left"
            return 1
        fi
    done
}

# write_npy FILE <CSV without header: float64, by rows. Fails where there is no python3.
write_npy() {
    python3 -c '
import struct, sys
rows = [[float(x) for x in line.split(",")] for line in sys.stdin]
header = "{\"descr\": \"<f8\", \"fortran_order\": False, \"shape\": (%d, %d), }" % (len(rows), len(rows[0]))
header += " " * (63 - (10 + len(header)) % 64) + "\n"
with open(sys.argv[1], "wb") as file:
    file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
    for row in rows:
        file.write(struct.pack("<%dd" % len(row), *row))
' "$1"
}
