#!/bin/bash
# What dedpul scores answers.
# shellcheck source=tests/cli/common.sh disable=SC2154
. "$SOURCE/tests/cli/common.sh"

expect 0 '' scores "$sample" --json
check 'there is one object with all keys' jq -e 'has("method") and has("alpha") and has("alpha_c") and
    has("alpha_n") and has("rule") and has("mean_ratio") and has("auc") and has("n_positive") and
    has("n_unlabeled") and (.warnings | type == "array")' out.txt
near .alpha 0.5 0.03
check 'counts' jq -e '.n_positive == 500 and .n_unlabeled == 2198 and .rule == "root"' out.txt
cp out.txt plain.json

# The same file in other clothes gives the same answer.
gzip -c "$sample" >s.csv.gz
tr ',' ';' <"$sample" >semicolon.csv
tr ',' '\t' <"$sample" >tab.tsv
sed 's/$/\r/' "$sample" >crlf.csv
{ printf '\xef\xbb\xbf'; cat "$sample"; } >bom.csv
sed -E 's/([^,]*),([^,]*),(.*)/"\1","\2","\3"/' "$sample" >quoted.csv
sed -e 's/^1,/p,/' -e 's/^0,/u,/' "$sample" >letters.csv
sed -e 's/^label,/y,/' -e 's/,score,/,s,/' -e 's/^1,/fraud,/' -e 's/^0,/,/' "$sample" >named.csv
for file in s.csv.gz semicolon.csv tab.tsv crlf.csv bom.csv quoted.csv letters.csv; do
    expect 0 '' scores "$file" --json
    check "$file answers the same" cmp out.txt plain.json
done
expect 0 '' scores named.csv --label y --score s --positive fraud --json
check 'named columns answer the same' cmp out.txt plain.json
"$DEDPUL" scores - --json <s.csv.gz >out.txt
check 'standard input answers the same' cmp out.txt plain.json
for threads in 1 2 7; do
    expect 0 '' scores "$sample" --json --threads "$threads"
    check "$threads threads answer the same" cmp out.txt plain.json
done

# Weights: counted rows answer like repeated ones.
awk -F, 'NR == 1 { print "label,score,n" } NR > 1 { print $1 "," $2 "," 1 + NR % 3 }' "$sample" >weighted.csv
awk -F, 'NR == 1 { print "label,score" } NR > 1 { for (i = 0; i <= NR % 3; i++) print $1 "," $2 }' "$sample" >repeated.csv
expect 0 '' scores repeated.csv --json
repeated=$(jq .alpha out.txt)
expect 0 '' scores weighted.csv --weight n --json
near .alpha "$repeated" 1e-3
expect 0 '' scores weighted.csv --weight n
weights=$(awk -F, 'NR > 1 { w[$1] += $3 } END { print w[1] " and " w[0] }' weighted.csv)
check 'the summary tells the weights' grep -q "weighing $weights$" out.txt

# Files.
expect 0 '' scores "$sample" --posteriors p.csv --curve c.csv
check 'header of posteriors' [ "$(head -1 p.csv)" = row,score,ratio,posterior ]
check 'a line for each unlabeled row' [ "$(wc -l <p.csv)" -eq 2199 ]
check 'rows and scores are those of the file' cmp <(awk -F, 'NR > 1 && $1 == 0 { print NR - 1 }' "$sample") <(tail -n +2 p.csv | cut -d, -f1)
check 'the mean posterior is alpha' awk -F, -v alpha="$(jq .alpha plain.json)" \
    'NR > 1 { s += $4; n++ } END { d = s / n - alpha; exit !(d < 1e-9 && d > -1e-9) }' p.csv
check 'curve' awk -F, 'NR == 1 && $0 != "alpha,d" { exit 1 } END { exit NR != 1002 }' c.csv
paste -d, <(awk -F, 'NR > 1 && $1 == 0 { print $3 }' "$sample") <(tail -n +2 p.csv) >joined.csv
check 'posteriors tell red wines from white' awk -F, \
    '{ wrong += ($5 > 0.5) != ($1 == "red"); n++ } END { exit !(wrong / n < 0.05) }' joined.csv

# Summaries.
expect 0 '' scores "$sample"
check 'the summary names alpha as an upper bound' grep -q 'an upper bound' out.txt
check 'and the file' grep -q 'wine_scores.csv: 500 labeled positive and 2198 unlabeled rows' out.txt
expect 0 '' scores "$sample" --alpha 0.4
check 'a given alpha is said to be given' grep -q 'given' out.txt
expect 0 '[prior_not_supported]' scores "$sample" --alpha 1
expect 0 '' scores "$sample" --alpha 0.4 --method en_e1 --json
check 'no density, no bandwidth' jq -e '.density == null and .bandwidth_p == null and .rule == "given"' out.txt
# Intervals: those that are printed, the plain percentiles beside them, and a bound.
expect 0 '' scores "$sample" --interval --json
check 'the interval' jq -e '.interval | .low < .high and .percentile_low < .percentile_high and .resamples == 200 and .level == 0.95' out.txt
check 'alpha is below the bound' jq -e '.alpha <= .interval.upper_bound' out.txt
printed=$(jq -r '.interval | [.low, .high, .upper_bound] | map(. * 10000 | round / 10000) | @tsv' out.txt)
expect 0 '' scores "$sample" --interval
check 'the printed interval is that of the JSON' awk -v printed="$printed" 'BEGIN { split(printed, want, "\t") }
    $1 == "interval" { low = $2 == want[1]; high = $4 + 0 == want[2] } /^  at most / { bound = $3 == want[3] }
    END { exit !(low && high && bound) }' out.txt
check 'nothing is said about a bound that holds' bash -c '! grep -q "above it" out.txt'

# What is printed does not contradict itself: alpha above a bound that assumes nothing is said to be.
awk 'function noisy(logit) { return 1 / (1 + exp(-logit - 0.15 * sqrt(-2 * log(1 - rand())) * cos(6.283185 * rand()))) }
    function positive() { return noisy(rand() < 0.5 ? -1.4 : 1.4) }
    BEGIN { srand(5); print "label,score"
        for (i = 0; i < 2000; i++) printf "1,%.9g\n", positive()
        for (i = 0; i < 6000; i++) printf "0,%.9g\n", rand() < 0.4 ? noisy(0) : positive() }' >bimodal.csv
expect 0 '[above_bound]' scores bimodal.csv --interval
check 'the line of the bound says so' grep -qE '^  at most .*alpha is above it' out.txt
expect 0 '' scores bimodal.csv --interval --json
check 'alpha is above it' jq -e '.alpha > .interval.upper_bound and any(.warnings[]; .code == "above_bound")' out.txt

expect 0 '' scores "$sample" --plot
check 'the plot is there' grep -q 'D(alpha) = alpha - mean posterior' out.txt
PATH=/nonexistent "$DEDPUL" scores "$sample" --plot >out.txt 2>err.txt
check 'without gnuplot: a failure' [ $? -eq 1 ]
check 'that says what to install' grep -q gnuplot-nox err.txt

# A signal while files are being written waits until they are whole.
awk 'BEGIN { srand(2); print "label,score"; for (i = 0; i < 600000; i++) { labeled = i % 4 == 0; positive = labeled || rand() < 0.4
    print labeled "," (positive ? 0.3 + 0.7 * rand() : 0.8 * rand() * rand()) } }' >large.csv
env --default-signal=HUP "$DEDPUL" scores large.csv --posteriors large_p.csv >out.txt 2>err.txt &
pid=$!
for _ in $(seq 3000); do
    compgen -G ".dedpul-$pid-*" >writing.txt && break
    sleep 0.01
done
kill -HUP "$pid"
wait "$pid" 2>/dev/null
check 'exit code after a hangup' [ $? -eq 129 ]
check 'it was writing' [ -s writing.txt ]
check 'a hangup leaves no temporary file' nothing_left
check 'the posteriors are whole' [ "$(wc -l <large_p.csv)" -eq 450001 ]
rm large.csv large_p.csv

# Every method and density, and every way to set the bandwidths.
for method in $("$DEDPUL" scores --help | sed -n '/^Methods:/,/^$/s/^  \([a-z_0-9]*\) .*/\1/p'); do
    expect 0 '' scores "$sample" --method "$method" --json
    check "$method answers" jq -e '.alpha >= 0 and .alpha <= 1' out.txt
done
for density in kde gmm hist; do
    expect 0 '' scores "$sample" --density "$density" --bandwidth-p auto --bandwidth-u auto --json
    near .alpha 0.5 0.06
done
expect 0 '' scores "$sample" --bandwidth-p 0.2 --bandwidth-u 0.1sd --json
near .bandwidth_p 0.2 0
expect 0 '' scores "$sample" --solver em --smoothing paper --seed 3 --json
near .alpha 0.5 0.04
finish
