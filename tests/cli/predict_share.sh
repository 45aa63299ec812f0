#!/bin/bash
# Thresholds of dedpul predict, and other shares of positives than at the fit.
# shellcheck source=tests/cli/common.sh disable=SC2154
. "$SOURCE/tests/cli/common.sh"

gbdt=(--classifier gbdt --quiet)
expect 0 '' fit "$table" "${gbdt[@]}" --model plain.model
expect 0 '' fit "$table" "${gbdt[@]}" --model m.model --precision 0.9
expect 0 '' show m.model --json
score=$(jq .threshold.score out.txt)

# Batches of the table's unlabeled rows with other shares of positives.
batch() { # POSITIVES NEGATIVES: of each so many; leaves batch.csv and batch_truth.csv
    paste -d, "$table" "$truth" | awk -F, -v OFS=, -v p="$1" -v n="$2" 'NR == 1 { print; next }
        $1 == 0 && ($NF == 1 && p-- > 0 || $NF == 0 && n-- > 0)' >both.csv
    rev both.csv | cut -d, -f3- | rev >batch.csv
    awk -F, 'NR > 1 { print $NF }' both.csv >batch_truth.csv
}
log_loss() { # PREDICTIONS
    paste -d, <(tail -n +2 "$1") batch_truth.csv | awk -F, '{ p = $3; p = p < 1e-4 ? 1e-4 : p > 1 - 1e-4 ? 1 - 1e-4 : p
        sum -= log($NF == 1 ? p : 1 - p) } END { printf "%.6f", sum / NR }'
}

# Thresholds.
expect 0 '' predict plain.model "$new"
check 'no threshold, no column' grep -qx 'row,score,posterior' out.txt
expect 0 '' predict m.model "$new" --out p.csv
check "the model's threshold" awk -F, -v s="$score" 'NR == 1 { bad = $0 != "row,score,posterior,positive" }
    NR > 1 && ($2 >= s) != $4 { bad = 1 } END { exit bad }' p.csv
check 'the summary tells of it' grep -Eq "200 rows, mean posterior .*, $(awk -F, '{ n += $4 } END { print n }' p.csv) with at least score" out.txt
for goal in '--precision 0.8' '--recall 0.8' '--cost 1:3' '--max f1'; do
    # shellcheck disable=SC2086
    expect 0 '' evaluate plain.model $goal --json
    asked=$(jq .threshold.score out.txt)
    # shellcheck disable=SC2086
    expect 0 '' predict plain.model "$new" $goal --out g.csv
    check "$goal is that of evaluate" awk -F, -v s="$asked" 'NR > 1 && ($2 >= s) != $4 { bad = 1 } END { exit bad }' g.csv
done
expect 0 '' predict plain.model "$new" --top 17 --out top.csv
check 'top rows are those of the new rows' [ "$(awk -F, '{ n += $4 } END { print n }' top.csv)" -le 17 ]
check 'and have the highest scores' awk -F, 'NR > 1 { if ($4 && (low == "" || $2 < low)) low = $2; if (!$4 && $2 > high) high = $2 } END { exit !(low > high) }' top.csv
"$DEDPUL" predict plain.model - --top 17 <"$new" >out.txt 2>err.txt
check 'standard input answers the same' cmp out.txt top.csv
expect 0 '' predict plain.model "$new" --threshold 0.5 --out half.csv
check 'a score' awk -F, 'NR > 1 && ($2 >= 0.5) != $4 { bad = 1 } END { exit bad }' half.csv
head -1 "$new" >empty.csv
expect 0 '' predict m.model empty.csv --out e.csv
check 'no rows, but the header' grep -qx 'row,score,posterior,positive' e.csv

# Shares. The fit had 0.5.
batch 60 600
expect 0 'estimate it anew (--alpha auto), or give it (--alpha X) [other_share]' predict plain.model batch.csv --out fit.csv
expect 0 '' predict plain.model batch.csv --alpha auto --out auto.csv
check 'no such warning then' bash -c '! grep -q other_share err.txt'
check 'the share is told, and near the truth' awk '/^share of positives/ { d = $4 - 60 / 660; exit !(d * d < 0.03 ^ 2) }' out.txt
expect 0 '' predict plain.model batch.csv --alpha 0.0909 --out given.csv
check 'posteriors are about as good as with the true share' awk -v a="$(log_loss auto.csv)" -v g="$(log_loss given.csv)" 'BEGIN { exit !(a < 1.05 * g) }'
check 'and better than with that of the fit' awk -v a="$(log_loss auto.csv)" -v f="$(log_loss fit.csv)" 'BEGIN { exit !(a < f) }'
check 'scores stay' cmp <(cut -d, -f1,2 auto.csv) <(cut -d, -f1,2 fit.csv)
"$DEDPUL" predict plain.model - --alpha auto <batch.csv >out.txt 2>err.txt
check 'standard input answers the same' cmp out.txt auto.csv
for threads in 1 3; do
    expect 0 '' predict plain.model batch.csv --alpha auto --threads "$threads" --out t.csv
    check "$threads threads answer the same" cmp t.csv auto.csv
done
expect 0 '' predict plain.model batch.csv --alpha 0.0909 --cost 1:1 --out cost.csv
check 'a threshold is for the new share' awk -F, 'NR > 1 && ($3 > 0.5) != $4 { wrong++ } END { exit !(wrong <= 0.02 * NR) }' cost.csv
expect 0 '' predict m.model batch.csv --alpha 0.001 --out rare.csv
batch 600 600
expect 0 '' predict plain.model batch.csv --out same.csv
check 'the share of the fit gives no such warning' bash -c '! grep -q other_share err.txt'

# What is refused.
expect 1 "alpha: '1.5' is not a share between 0 and 1; or auto" predict plain.model "$new" --alpha 1.5
expect 2 '--top and --share exclude each other' predict plain.model "$new" --top 3 --share 0.1
expect 1 '201 rows cannot be flagged: there are 200 rows' predict plain.model "$new" --top 201 --out none.csv
check 'nothing is written then' nothing_left none.csv
expect 1 'a precision of 0.99999 cannot be had' predict plain.model "$new" --precision 0.99999 --out none.csv
check 'nor then' nothing_left none.csv
head -10 "$new" >few.csv
expect 1 'it takes at least 20 rows' predict plain.model few.csv --alpha auto --out none.csv
check 'nor with few rows' nothing_left none.csv
printf 'size,colour\n1,red\n' >old.csv
expect 1 'keep no scores' predict "$SOURCE/tests/golden/format_4.model" old.csv --alpha auto
expect 1 'keep no scores' predict "$SOURCE/tests/golden/format_4.model" old.csv --recall 0.9
finish
