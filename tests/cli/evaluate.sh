#!/bin/bash
# What dedpul evaluate answers, and what it refuses.
# shellcheck source=tests/cli/common.sh disable=SC2154
. "$SOURCE/tests/cli/common.sh"

awk -F, 'NR == 1 { print "label,score,truth" } NR > 1 { print $1 "," $2 "," ($3 == "red") }' "$sample" >truth.csv
measures='[.auc, .average_precision, .best_f1, .threshold.precision, .threshold.recall, .threshold.f1]'

expect 0 '' evaluate "$sample" --json
check 'there is one object with all keys' jq -e 'has("alpha") and has("level") and has("auc") and has("average_precision") and
    has("best_f1") and has("calibration") and (has("truth") | not) and (.warnings | type == "array") and
    (.threshold | has("score") and has("posterior") and has("rows") and has("flagged") and has("lift"))' out.txt
check 'estimates are in their ranges, and all are shares' jq -e "$measures | all(0 <= .low and .low <= .value and .value <= .high and .high <= 1)" out.txt
check 'alpha is that of scores' [ "$(jq .alpha out.txt)" = "$("$DEDPUL" scores "$sample" --json | jq .alpha)" ]
check 'bins hold all rows' jq -e '.calibration.bins | (map(.labeled) | add) == 500 and (map(.unlabeled) | add) == 2198' out.txt
check 'lift is recall / flagged' jq -e '.threshold | (.lift.value - .recall.value / .flagged) | fabs < 1e-9' out.txt
cp out.txt plain.json

# The same file in other clothes gives the same answer.
gzip -c "$sample" >s.csv.gz
sed -e 's/^label,/y,/' -e 's/,score,/,s,/' -e 's/^1,/fraud,/' -e 's/^0,/,/' "$sample" >named.csv
expect 0 '' evaluate s.csv.gz --json
check 'gzip answers the same' cmp out.txt plain.json
expect 0 '' evaluate named.csv --label y --score s --positive fraud --json
check 'named columns answer the same' cmp out.txt plain.json
"$DEDPUL" evaluate <(cat "$sample") --json >out.txt
check 'a pipe answers the same' cmp out.txt plain.json
"$DEDPUL" evaluate - --json <s.csv.gz >out.txt
check 'standard input answers the same' cmp out.txt plain.json
for threads in 1 3; do
    expect 0 '' evaluate "$sample" --json --threads "$threads"
    check "$threads threads answer the same" cmp out.txt plain.json
done

# Weights: counted rows answer like repeated ones.
awk -F, 'NR == 1 { print "label,score,n" } NR > 1 { print $1 "," $2 "," 1 + NR % 3 }' "$sample" >weighted.csv
awk -F, 'NR == 1 { print "label,score" } NR > 1 { for (i = 0; i <= NR % 3; i++) print $1 "," $2 }' "$sample" >repeated.csv
expect 0 '' evaluate repeated.csv --json
auc=$(jq .auc.value out.txt) precision=$(jq .threshold.precision.low out.txt)
expect 0 '' evaluate weighted.csv --weight n --json
near .auc.value "$auc" 1e-3
near .threshold.precision.low "$precision" 5e-3

# The truth. A range of 95% may miss it: here the average precision is 0.0011 above its range.
expect 0 '' evaluate truth.csv --truth truth --json
check 'the truth is in the ranges' jq -e "$measures as \$found |
    [.truth | .auc, .average_precision, .best_f1, .precision, .recall, .f1] as \$true |
    all(range(6); \$found[.].low - 1e-4 <= \$true[.] and \$true[.] <= \$found[.].high + if . == 1 then 2e-3 else 1e-4 end)" out.txt
score=$(jq .threshold.score out.txt)
counted=$(awk -F, -v score="$score" 'NR > 1 && $1 == 0 { p += $3; if ($2 >= score) { n++; tp += $3 } } END { printf "%.9f %.9f", tp / n, tp / p }' truth.csv)
near .truth.precision "${counted% *}" 1e-8
near .truth.recall "${counted#* }" 1e-8
check 'and the estimates are those without it' [ "$(jq .auc out.txt)" = "$(jq .auc plain.json)" ]
awk -F, 'NR == 1 { print } NR > 1 { print $1 "," $2 "," (NR % 4 == 0 ? $3 : "") }' truth.csv >some.csv
expect 0 '' evaluate some.csv --truth truth --json
check 'rows that are not known do not count' jq -e ".truth.rows == $(awk -F, 'NR > 1 && $1 == 0 && $3 != ""' some.csv | wc -l)" out.txt
expect 0 '' evaluate truth.csv --truth truth
check 'it stands beside the estimates' grep -qE '^  AUC +0\.[0-9]+ +0\.[0-9]+ to [01]\.[0-9]+ +0\.99' out.txt
awk -F, 'NR == 1 { print } NR > 1 { print $1 "," $2 "," ($1 == 1 || rand() < 0.5) }' truth.csv >wrong.csv
expect 0 '' evaluate wrong.csv --truth truth
check 'what is out of the range is marked' grep -qE '^  AUC .* 0\.[0-9]+! ' out.txt
check 'and explained' grep -q 'The truth is out of the range' out.txt

# Goals.
rows_from() { awk -F, -v score="$1" 'NR > 1 && $1 == 0 && $2 >= score' "$sample" | wc -l; }
expect 0 '' evaluate "$sample" --top 500 --json
check '500 rows' jq -e '.threshold.rows == 500' out.txt
check 'are from this score on' [ "$(rows_from "$(jq .threshold.score out.txt)")" -eq 500 ]
expect 0 '' evaluate "$sample" --share 0.1 --json
check 'a tenth of the rows' jq -e '.threshold.flagged <= 0.1 and .threshold.flagged > 0.099' out.txt
expect 0 '' evaluate truth.csv --precision 0.9 --truth truth --json
check 'this precision is reached' jq -e '.truth.precision >= 0.9 and .threshold.precision.value > 0.9 and .threshold.flagged > 0.3' out.txt
expect 0 '' evaluate truth.csv --recall 0.8 --truth truth --json
check 'this recall is reached' jq -e '.truth.recall >= 0.8 and .threshold.recall.value > 0.8 and .threshold.flagged < 0.5' out.txt
few=$("$DEDPUL" evaluate "$sample" --cost 10:1 --json | jq .threshold.rows)
many=$("$DEDPUL" evaluate "$sample" --cost 1:10 --json | jq .threshold.rows)
same=$("$DEDPUL" evaluate "$sample" --cost 2:2 --json | jq .threshold.rows)
check 'costs decide how many are flagged' jq -e ".threshold.rows > $few and .threshold.rows < $many and .threshold.rows == $same" plain.json
expect 0 '' evaluate "$sample" --max f1 --json
check 'the best F1 is that of a threshold' jq -e '(.threshold.f1.value - .best_f1.value) | fabs < 0.01' out.txt

# The curve.
expect 0 '' evaluate "$sample" --curve curve.csv
check 'header of the curve' [ "$(head -1 curve.csv)" = score,posterior,rows,flagged,precision,precision_low,precision_high,recall,recall_low,recall_high,lift,lift_low,lift_high,f1,f1_low,f1_high,fall_out,fall_out_low,fall_out_high ]
check 'scores fall, rows and recall rise' awk -F, 'NR > 2 && !($1 < score && $3 > rows && $8 >= recall) { exit 1 }
    NR > 1 { score = $1; rows = $3; recall = $8 } END { exit !(NR > 200 && rows == 2198) }' curve.csv
line=$(sed -n 100p curve.csv)
check 'rows are those from the score on' [ "$(rows_from "${line%%,*}")" -eq "$(cut -d, -f3 <<<"$line")" ]
check 'the threshold is one of them' grep -q "^$(jq .threshold.score plain.json | head -c 8)" curve.csv

# Summaries, pictures, levels.
expect 0 '' evaluate "$sample"
check 'the summary has all measures' [ "$(grep -cE '^  (AUC|average precision|best F1|threshold|flagged|precision|recall|lift|F1|calibration|chance) ' out.txt)" -eq 11 ]
expect 0 '' evaluate "$sample" --level 0.5 --json
check 'ranges are narrower at a lower level' jq -e --slurpfile wide plain.json \
    '(.auc.high - .auc.low) < ($wide[0].auc.high - $wide[0].auc.low)' out.txt
expect 0 'alpha_as_known' evaluate "$sample" --method dedpul
expect 0 '' evaluate "$sample" --alpha 0.5 --json
check 'an alpha that is given is certain' jq -e --slurpfile wide plain.json '.threshold.precision as $narrow |
    $wide[0].threshold.precision as $w | ($narrow.high - $narrow.low) < 0.5 * ($w.high - $w.low)' out.txt
if command -v gnuplot >/dev/null; then
    expect 0 '' evaluate "$sample" --plot
    check 'a plot in the terminal' grep -q 'Precision (P) and recall (R)' out.txt
    expect 0 '' evaluate "$sample" --json --plot picture.svg
    check 'a plot in a file' grep -q '</svg>' picture.svg
fi

# What is refused.
expect 2 '--precision and --recall exclude each other' evaluate "$sample" --recall 0.8 --precision 0.9
expect 1 "precision: '1.2' is not a share above 0, up to 1" evaluate "$sample" --precision 1.2
expect 1 "cost: '3' is not what a false positive and a false negative cost" evaluate "$sample" --cost 3
expect 1 "max: 'recall' is not f1" evaluate "$sample" --max recall
expect 1 "top: '0' is not a number of rows" evaluate "$sample" --top 0
expect 1 '3000 rows cannot be flagged: there are 2198 unlabeled rows' evaluate "$sample" --top 3000
expect 1 'a precision of 0.999 cannot be had with a probability of 85%: the highest that is so sure is 0.9' evaluate "$sample" --precision 0.999 --curve none.csv
check 'nothing is written then' nothing_left none.csv
best=$(grep -oE 'so sure is 0\.[0-9]+' err.txt | grep -oE '0\.[0-9]+')
expect 0 '' evaluate "$sample" --precision "$best"
expect 2 '--json and --plot exclude each other' evaluate "$sample" --json --plot
expect 2 'is the input; name another file for --curve' evaluate truth.csv --curve truth.csv
expect 2 'needs SCORES, MODEL, or MODEL FILE' evaluate
expect 2 "unknown option '--interval'" evaluate "$sample" --interval
expect 1 "there is no column 'checked'" evaluate truth.csv --truth checked
expect 1 "column 'colour' holds 'red' (line 2), 'white' (line 4); true classes are 1/0" evaluate "$sample" --truth colour
sed 's/,0$/,/' truth.csv >one_class.csv
expect 1 'whose class is known are all positive: it takes rows of both classes' evaluate one_class.csv --truth truth
sed 's/,[01]$/,/' truth.csv >unknown.csv
expect 1 'no class of an unlabeled row is known' evaluate unknown.csv --truth truth
sed 's/^1,/0,/' "$sample" >unlabeled.csv
expect 1 'there are 0 labeled positive rows' evaluate unlabeled.csv
head -1 "$sample" >empty.csv
expect 1 'has a header but no rows' evaluate empty.csv
expect 1 'looks at the features of the rows' evaluate "$sample" --method tice
printf 'label,score\n1,0.9\n1,0.8\n1,0.85\n0,0.1\n0,0.2\n0,0.15\n' >separate.csv
run evaluate separate.csv
check 'few rows, told apart, are an answer or an error' test "$code" -le 1
finish
