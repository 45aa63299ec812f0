#!/bin/bash
# dedpul evaluate on models: by what the fit kept, and on rows that they have not seen; thresholds of fit.
# shellcheck source=tests/cli/common.sh disable=SC2154
. "$SOURCE/tests/cli/common.sh"

gbdt=(--classifier gbdt --quiet)
expect 0 '' fit "$table" "${gbdt[@]}" --model plain.model --scores scores.csv
expect 0 '' fit "$table" "${gbdt[@]}" --model m.model --precision 0.9 --json
check 'fit tells the threshold' jq -e '.threshold | .score > 0 and .precision.value >= 0.9 and .recall.value > 0' out.txt
score=$(jq .threshold.score out.txt)

# What the fit kept answers as its scores do.
same() {
    jq -n --slurpfile a "$1" --slurpfile b "$2" '[$a[0], $b[0]] | map([.alpha, .auc.value, .auc.low,
        .average_precision.high, .threshold.precision.value, .threshold.recall.low, .threshold.rows / 1998]) |
        transpose | all((.[0] - .[1] | fabs) < 5e-3)' | grep -qx true
}
for goal in '--cost 1:1' '--recall 0.8' '--max f1' '--share 0.1' '--top 200' '--threshold 0.7'; do
    # shellcheck disable=SC2086
    expect 0 '' evaluate plain.model $goal --json
    cp out.txt model.json
    # shellcheck disable=SC2086
    expect 0 '' evaluate scores.csv $goal --json
    check "$goal: the model answers as its scores" same model.json out.txt
done
expect 0 '' evaluate m.model --json
check "the model's threshold is in force" jq -e ".threshold.score == $score" out.txt
expect 0 '' evaluate m.model --json --recall 0.5
check 'unless another is asked for' jq -e ".threshold.score != $score" out.txt
expect 0 '' evaluate m.model --curve curve.csv
check 'a curve' grep -q '^score,posterior,rows' curve.csv
check 'the rows of the fit' grep -q '^m.model: 500 labeled positive and 1998 unlabeled rows' out.txt
expect 0 '' show m.model
check 'show tells the threshold' grep -q 'chosen by precision 0.9' out.txt
expect 0 '' show m.model --json
check 'as JSON' jq -e ".threshold == {score: $score, goal: \"precision\", value: 0.9}" out.txt
expect 0 '' show plain.model --json
check 'a model without one has none' jq -e '.threshold == null' out.txt

# A model whose threshold flags no row.
expect 0 '' fit "$table" "${gbdt[@]}" --model none.model --cost 100000:1
expect 0 '' evaluate none.model --json
check 'it flags none in an evaluation, either' jq -e '.threshold.score == null and .threshold.rows == 0' out.txt
expect 0 '' show none.model
check 'show says so' grep -q 'threshold   none: no row is flagged (chosen by cost 100000:1)' out.txt

# New rows whose truth is known, without labels and with them.
paste -d, "$new" <(cut -d, -f2 "$new_truth" | sed '1s/.*/truth/') >checked.csv
expect 0 '' evaluate plain.model checked.csv --truth truth --json
check 'labeled rows are those of the fit' jq -e '.n_positive == 500 and .n_unlabeled == 200 and .truth.rows == 200' out.txt
check 'the AUC is near the truth' jq -e '(.auc.value - .truth.auc | fabs) < 0.03' out.txt
expect 0 '' evaluate m.model checked.csv --truth truth
check 'and it says so' grep -q '^checked.csv: 200 unlabeled rows; the 500 labeled rows are those of the fit' out.txt
check "the model's threshold is in force on new rows" grep -q "^  threshold *$(printf %.4g "$score")" out.txt
awk -F, 'NR == 1 { print $0 ",label"; next } { print $0 "," ($NF == 1 && ++n % 2) }' checked.csv >labeled.csv
expect 0 '' evaluate plain.model labeled.csv --json
check 'labels of the file' jq -e ".n_positive == $(grep -c ',1$' labeled.csv)" out.txt
cp out.txt labeled.json
expect 0 '' evaluate plain.model labeled.csv --label label --truth truth --json
check 'labels and truth' jq -e --slurpfile without labeled.json '.n_positive == $without[0].n_positive and .auc == $without[0].auc and has("truth")' out.txt
gzip -c labeled.csv >labeled.csv.gz
"$DEDPUL" evaluate plain.model - --json <labeled.csv.gz >out.txt
check 'standard input answers the same' cmp out.txt labeled.json
for threads in 1 3; do
    expect 0 '' evaluate plain.model labeled.csv --json --threads "$threads"
    check "$threads threads answer the same" cmp out.txt labeled.json
done

# What is refused.
expect 1 'Name the column of labels (--label COL), or that of true classes (--truth COL)' evaluate plain.model checked.csv
expect 1 "there is no column 'checked'" evaluate plain.model checked.csv --truth checked
sed 's/,1$/,0/' labeled.csv >unlabeled.csv
expect 1 'there are 0 labeled positive rows' evaluate plain.model unlabeled.csv
head -1 checked.csv >empty.csv
expect 1 'has no rows' evaluate plain.model empty.csv --truth truth
expect 1 '--truth is about rows or scores' evaluate plain.model --truth truth
expect 1 '--method is about rows or scores' evaluate plain.model --method dedpul
expect 1 'is not a model, so labeled.csv cannot be rows for it' evaluate checked.csv labeled.csv
expect 1 '--decimal is about rows or scores' evaluate plain.model --decimal ,
expect 1 '--scale is about scores' evaluate plain.model labeled.csv --scale percent
tail -n +2 labeled.csv >bare.csv
expect 1 'bare.csv has no names of columns' evaluate plain.model bare.csv --no-header --label 14
expect 1 'keep no scores' evaluate "$SOURCE/tests/golden/format_4.model"
expect 2 'needs SCORES, MODEL, or MODEL FILE' evaluate a b c
head -c 2000 plain.model >cut.model
expect 1 'is cut off' evaluate cut.model

# A threshold that cannot be had does not cost the fit.
expect 1 'No threshold was chosen; the rest of the answer is complete' fit "$table" "${gbdt[@]}" --model late.model --precision 0.99999
check 'the answer is there' grep -q '^  alpha' out.txt
expect 0 '' evaluate late.model
expect 2 '--precision and --top exclude each other' fit "$table" --precision 0.9 --top 3
expect 1 "recall: '2' is not a share" fit "$table" --recall 2
finish
