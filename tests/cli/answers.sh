#!/bin/bash
# What dedpul scores answers.
# shellcheck source=tests/cli/common.sh disable=SC2154
. "$SOURCE/tests/cli/common.sh"

expect 0 '' scores "$sample" --json
check 'there is one object with all keys' jq -e 'has("method") and has("alpha") and has("alpha_c") and
    has("alpha_n") and has("rule") and has("mean_ratio") and has("auc") and has("n_positive") and
    has("n_unlabeled") and (.warnings | type == "array")' out.txt
near .alpha 0.5 0.03
check 'counts' jq -e '.n_positive == 500 and .n_unlabeled == 2198' out.txt
check 'the default method, by which alpha is the root of D' jq -e '.method == "pooled" and .rule == "median" and
    .alpha_c == .alpha and .scale == .alpha' out.txt
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
tr '.,' ',;' <"$sample" >commas.csv
for file in s.csv.gz semicolon.csv tab.tsv crlf.csv bom.csv quoted.csv letters.csv commas.csv; do
    expect 0 '' scores "$file" --json
    check "$file answers the same" cmp out.txt plain.json
done
expect 0 '' scores named.csv --label y --score s --positive fraud --json
check 'named columns answer the same' cmp out.txt plain.json
tail -n +2 "$sample" >rows.csv
expect 0 '' scores rows.csv --no-header --label 1 --score 2 --json
check 'without a header it answers the same' cmp out.txt plain.json
for scale in percent logit; do
    awk -F, -v OFS=, -v CONVFMT=%.17g -v scale=$scale 'NR > 1 { $2 = scale == "percent" ? 100 * $2 : log($2 / (1 - $2)) } { print }' "$sample" >$scale.csv
    expect 0 '' scores $scale.csv --scale $scale --json
    near .alpha "$(jq .alpha plain.json)" 1e-6
done
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

# Posteriors are means over alpha's distribution, or plain ones.
expect 0 '' scores "$sample" --posterior plain --posteriors plain.csv --curve plain_c.csv --json
check 'the same answer' cmp out.txt plain.json
check 'the same ratios and curve' cmp <(cut -d, -f1-3 p.csv; cat c.csv) <(cut -d, -f1-3 plain.csv; cat plain_c.csv)
check 'plain posteriors are min(scale * ratio, 1)' awk -F, -v scale="$(jq .scale out.txt)" \
    'NR > 1 { p = scale * $3 > 1 ? 1 : scale * $3; if ((p - $4) ^ 2 > 1e-18) exit 1; full += $4 == 1 } END { exit !(full > 100) }' plain.csv
check 'means are others, have the same mean, and fewer are 1' awk -F, 'NR == FNR { plain[$1] = $4; next }
    FNR > 1 { differ += ($4 - plain[$1]) ^ 2 > 1e-6; sum += $4 - plain[$1]; full += $4 > 1 - 1e-9; plain_full += plain[$1] == 1 }
    END { exit !(differ > 100 && sum / FNR < 1e-9 && sum / FNR > -1e-9 && full < plain_full) }' plain.csv p.csv
check 'and rise with the ratio' awk -F, 'NR > 1 { if ($4 < last - 1e-12) exit 1; last = $4 }' <(head -1 p.csv; tail -n +2 p.csv | sort -t, -k3,3g)

# DEDPUL itself.
expect 0 '' scores "$sample" --method dedpul --posteriors dedpul.csv --json
check 'alpha is the root of D' jq -e '.rule == "root" and .alpha == .alpha_c and .scale == .alpha' out.txt
near .alpha 0.5 0.01
expect 0 '' scores "$sample" --method dedpul --posterior plain --posteriors other.csv
check 'its posteriors are plain already' cmp dedpul.csv other.csv

# Summaries.
expect 0 '' scores "$sample"
check 'the summary names alpha as an upper bound' grep -q 'an upper bound' out.txt
check 'and the file' grep -q 'wine_scores.csv: 500 labeled positive and 2198 unlabeled rows' out.txt
check 'and what it is' grep -q "^  found by  median    the median of alpha's distribution (method pooled)" out.txt
expect 0 '' scores "$sample" --method bbe
check 'of other methods, too' grep -q "^  found by  formula   the method's own formula (method bbe)" out.txt
expect 0 '' scores "$sample" --alpha 0.4
check 'a given alpha is said to be given' grep -q 'given' out.txt
expect 0 '' scores "$sample" --alpha 0.4 --interval --json
check 'and has no interval' jq -e '.interval == null' out.txt
expect 0 '[prior_not_supported]' scores "$sample" --alpha 1
expect 0 '' scores "$sample" --alpha 0.4 --method en_e1 --json
check 'no density, no bandwidth' jq -e '.density == null and .bandwidth_p == null and .rule == "given"' out.txt
# Intervals by resamples: those that are printed, the plain percentiles beside them, and a bound.
is_by_resamples() { # NUMBER
    jq -e --argjson n "$1" '.interval | .low < .high and .percentile_low < .percentile_high and .resamples == $n and .level == 0.95' out.txt
}
expect 0 '' scores "$sample" --interval bootstrap --json
check 'the interval by the bootstrap' is_by_resamples 200
cp out.txt bootstrap.json
expect 0 '' scores --interval=bootstrap "$sample" --json
check 'with =, it is the same' cmp out.txt bootstrap.json
expect 0 '' scores "$sample" --resamples 200 --json
check 'as many resamples ask for the same' cmp out.txt bootstrap.json
expect 0 '' scores "$sample" --interval --resamples 20 --json
check 'fewer of them' is_by_resamples 20
expect 0 '' scores "$sample" --interval --method dedpul --json
check 'other methods have no others' is_by_resamples 200
expect 0 '' scores "$sample" --interval bootstrap
check 'it says so' grep -qE '^  interval .*: 95%, from 200 resamples of the rows; their scores stay the same$' out.txt

# Those of the default method come from alpha's distribution.
expect 0 '' scores "$sample" --interval --json
check 'no resamples' jq -e '.interval | .low < .high and .resamples == 0 and .level == 0.95 and .percentile_low == .low and
    .percentile_high == .high' out.txt
check 'alpha is in it' jq -e '.interval.low < .alpha and .alpha < .interval.high' out.txt
check 'alpha is below the bound' jq -e '.alpha <= .interval.upper_bound' out.txt
cp out.txt interval.json
expect 0 '' scores --interval "$sample" --json
check 'the file behind the option is the input' cmp out.txt interval.json
expect 0 '' scores "$sample" --interval --seed 7 --json
check 'it does not depend on chance' cmp out.txt interval.json
expect 0 '' scores "$sample" --interval --level 0.5 --json
check 'a lower level is narrower' jq -e --slurpfile wide interval.json '.interval | .level == 0.5 and .low > $wide[0].interval.low and
    .high < $wide[0].interval.high' out.txt
cp "$sample" bootstrap
expect 2 'no file given' scores --interval bootstrap --json # the option's value, not a file
expect 0 '' scores --interval ./bootstrap --json
check 'unless it looks like one' cmp out.txt interval.json
printed=$(jq -r '.interval | [.low, .high, .upper_bound] | map(. * 10000 | round / 10000) | @tsv' out.txt)
expect 0 '' scores "$sample" --interval
check 'the printed interval is that of the JSON' awk -v printed="$printed" 'BEGIN { split(printed, want, "\t") }
    $1 == "interval" { low = $2 == want[1]; high = $4 + 0 == want[2] } /^  at most / { bound = $3 == want[3] }
    END { exit !(low && high && bound) }' out.txt
check 'where it comes from' grep -q '^  interval .*: 95%, learned on simulated problems, checked on real ones$' out.txt
check 'nothing is said about a bound that holds' bash -c '! grep -q "above it" out.txt'
{ head -1 "$sample"; grep '^1,' "$sample" | head -9; grep '^0,' "$sample" | head -50; } >few.csv
expect 0 '' scores few.csv --interval
check 'few rows have none' grep -q '^  interval  none: ' out.txt

# Bands of posteriors ask for an interval, and contain the posteriors.
for kind in '' 'bootstrap'; do
    for method in pooled dedpul; do
        # shellcheck disable=SC2086
        expect 0 '' scores "$sample" --method "$method" --bands --interval $kind --posteriors bands.csv --json
        check "$method, $kind: columns" [ "$(head -1 bands.csv)" = row,score,ratio,posterior,low,high ]
        check "$method, $kind: bands are in order and within 0 and 1" awk -F, \
            'NR > 1 && !(0 <= $5 && $5 <= $6 && $6 <= 1) { exit 1 } NR > 1 { wide += $6 - $5 > 0.01 } END { exit !(wide > 100) }' bands.csv
    done
done
expect 0 '' scores "$sample" --bands --posteriors bands.csv --json
check 'the interval comes with them' jq -e '.interval.resamples == 0' out.txt
check 'the posteriors are the same' cmp <(cut -d, -f1-4 bands.csv) p.csv
check 'bands contain the posteriors' awk -F, 'NR > 1 && !($5 <= $4 + 1e-6 && $4 - 1e-6 <= $6) { exit 1 }' bands.csv # they have 6 digits
check 'they are posteriors at the ends of the interval' awk -F, -v low="$(jq .interval.low out.txt)" -v high="$(jq .interval.high out.txt)" \
    'NR > 1 { a += $5; b += $6; n++ } END { a = a / n - low; b = b / n - high; exit !(a < 1e-3 && a > -1e-3 && b < 5e-3 && b > -5e-3) }' bands.csv

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
