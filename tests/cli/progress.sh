#!/usr/bin/env bash
# What is shown on a terminal while the command works: something at once, and a time left that is about right.
. "$SOURCE/tests/cli/common.sh"
"${PYTHON:-python3}" -c 'import pty' 2>/dev/null || exit 77

awk 'BEGIN { srand(7); OFS = ","; printf "label"; for (c = 1; c <= 10; c++) printf ",x" c; print ""
    for (r = 0; r < 3000; r++) { p = r % 2; printf "%d", p && r % 3 == 0
        for (c = 1; c <= 10; c++) printf ",%.4f", rand() + rand() + rand() + 0.3 * p * (c % 2); print "" } }' >rows.csv
gzip -k rows.csv
awk -F, 'NR == 1 { print "label,score"; next } { printf "%s,%.6f\n", $1, ($2 + $4 + $6) / 11 }' rows.csv >scored.csv
quick=(--classifier gbdt --effort low --tree-rounds 20)

# seen ARGUMENT...: the command on a terminal; seen.json has what it drew, seen.txt a line for each.
seen() {
    "$PYTHON" "$SOURCE/tests/terminal.py" "$DEDPUL" "$@" >seen.json
    jq -r .text seen.json | tr '\r' '\n' | sed 's/\x1b\[K//' >seen.txt
    check "dedpul $*" jq -e '.code == 0' seen.json
}
megabytes() { stat -c %s "$1" | awk '{ printf "%.1f", $1 / 1e6 }'; }

seen fit rows.csv "${quick[@]}" --model rows.model
check 'something is drawn within a second' jq -e '.first < 1' seen.json
check 'reading, in bytes' grep -qE "^read \[#* *\] [0-9.]+/$(megabytes rows.csv) MB, 0:0[0-9]$" seen.txt
check 'encoding, in columns' grep -qE '^encode \[#* *\] [0-9]+/10 columns, 0:0[0-9]$' seen.txt
check 'in this order' [ "$(grep -oE '^(read|encode|gbdt) \[' seen.txt | uniq | tr -d '\n')" = 'read [encode [gbdt [' ]
seen fit rows.csv.gz "${quick[@]}"
check 'gzip: bytes of the file' grep -qE "^read \[#* *\] [0-9.]+/$(megabytes rows.csv.gz) MB" seen.txt
seen compare rows.csv "${quick[@]}" --methods dedpul
check 'compare' grep -q '^read \[' seen.txt
seen scores scored.csv
check 'scores' grep -q '^read \[' seen.txt
seen evaluate scored.csv
check 'evaluate' grep -q '^read \[' seen.txt
seen evaluate rows.model rows.csv
check 'evaluate a model' grep -qE '^predict [0-9]+ rows' seen.txt
seen predict rows.model rows.csv --out new.csv
check 'predict' grep -qE '^predict [0-9]+ rows' seen.txt

# Nothing of that with --quiet, and without a terminal.
for words in "fit rows.csv ${quick[*]}" 'scores scored.csv' 'evaluate scored.csv' 'evaluate rows.model rows.csv' \
    'predict rows.model rows.csv --out new.csv'; do
    # shellcheck disable=SC2086
    seen $words -q
    check "$words -q" [ "$(grep -cE '^(read|encode|gbdt|predict) ' seen.txt)" -eq 0 ]
    # shellcheck disable=SC2086
    run $words
    check "$words, no terminal" [ "$(tr -cd '\r' <err.txt | wc -c)" -eq 0 ]
done

# Times are measured by the processor time of the command, as if it took 50 times as long.
if [ -z "$SANITIZE" ] && [ "$COVERAGE" != ON ]; then
    times() {
        CLOCK=$BUILD/tests/libfast_clock.so CLOCK_FACTOR=50 seen "$@" --threads 1
        "$PYTHON" - <<'END'
import json, re
state = json.load(open("seen.json"))
total = 50 * state["cpu"]
seconds = lambda m, s: 60 * int(m) + int(s)
shown = [(int(step), seconds(m, s), seconds(m2, s2)) for step, m, s, m2, s2 in re.findall(
    r"mlp \[[# ]*\] (\d+)/\d+, (\d+):(\d\d), about (\d+):(\d\d) left", state["text"])]
step, elapsed, left = shown[0]
assert step >= 8, f"a time left at epoch {step}, before it is known"
assert 0.5 < left / (total - elapsed) < 2, f"{left} s left after {elapsed} s; in fact {total - elapsed:.0f} s"
for (_, t1, left1), (_, t2, left2) in zip(shown, shown[1:]):
    jump = abs(left2 - left1 + t2 - t1)
    assert jump <= 3 + 0.2 * left1, f"{left1} s left at {t1} s, but {left2} s at {t2} s"
advice = re.search(r"about (\d+) (s|minutes); with --classifier gbdt --effort low about (\d+) s\r\n", state["text"])
assert advice, "no advice"
said = int(advice[1]) * (60 if advice[2] == "minutes" else 1)
assert 0.5 < said / total < 2, f"{advice[0]!r}, but it took {total:.0f} s"
print(int(advice[3]), total)
END
    }
    check 'times of a fit' times fit rows.csv
    read -r faster total <check.txt
    CLOCK=$BUILD/tests/libfast_clock.so CLOCK_FACTOR=50 seen fit rows.csv --classifier gbdt --effort low --threads 1
    check 'the faster way is three times as fast' jq -e --argjson total "${total:-0}" '3 * 50 * .cpu < $total' seen.json
    check 'and takes about as long as it said' jq -e --argjson said "${faster:-0}" '50 * .cpu < 2 * $said + 5' seen.json
    check 'no advice for it' [ "$(grep -c '; with' seen.txt)" -eq 0 ]
fi
finish
