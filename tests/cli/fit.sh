#!/bin/bash
# What dedpul fit answers.
# shellcheck source=tests/cli/common.sh disable=SC2154
. "$SOURCE/tests/cli/common.sh"

gbdt=(--classifier gbdt)
network=(--layers 16 --ensemble 1 --rate 3e-3 --patience 5)

# Half of the unlabeled wines are red, and the posteriors say which.
expect 0 '' fit "$table" "${gbdt[@]}" --json --model gbdt.model --posteriors p.csv --scores s.csv --curve c.csv
near .alpha 0.5 0.05
check 'counts' jq -e '.n_positive == 500 and .n_unlabeled == 1998 and .classifier == "gbdt" and .n_models == 15 and
    .n_features == 12 and .warnings == []' out.txt
check 'posteriors tell red wines from white' awk -F, 'NR == FNR { red[$1] = $2; next } FNR > 1 { wrong += ($4 > 0.5) != red[$1]; n++ }
    END { exit !(n == 1998 && wrong / n < 0.05) }' "$truth" p.csv
check 'the mean posterior is alpha' awk -F, -v alpha="$(jq .alpha out.txt)" \
    'NR > 1 { s += $4; n++ } END { d = s / n - alpha; exit !(d < 1e-9 && d > -1e-9) }' p.csv
check 'curve' awk -F, 'NR == 1 && $0 != "alpha,d" { exit 1 } END { exit NR != 1002 }' c.csv
check 'scores have a line for each row' [ "$(wc -l <s.csv)" -eq 2499 ]
cp out.txt gbdt.json
"$DEDPUL" scores s.csv --json >out.txt
check 'the scores give the same alpha' [ "$(jq .alpha out.txt)" = "$(jq .alpha gbdt.json)" ]

expect 0 '' fit "$table" "${network[@]}" --json
near .alpha 0.5 0.05
expect 0 '' fit "$table" --classifier logistic --json
near .alpha 0.5 0.05
expect 0 '' fit "$table" --classifier blend "${network[@]}" --json
near .alpha 0.5 0.05
check 'a blend names its parts' jq -e '.classifier == "mlp + gbdt" and .n_models == 10' out.txt
expect 0 '' fit "$table" --classifier auto "${network[@]}" --json
check 'auto has the highest AUC' jq -e --slurpfile gbdt gbdt.json '.auc >= $gbdt[0].auc' out.txt

# The number of threads changes no bit of any output.
head -801 "$table" >short.csv
for classifier in gbdt mlp; do
    for threads in 1 2 4; do
        "$DEDPUL" fit short.csv --classifier "$classifier" "${network[@]}" --epochs 10 --tree-rounds 20 --threads "$threads" --json --pn \
            --model "$threads.model" --posteriors "$threads.p" --scores "$threads.s" --curve "$threads.c" >"$threads.json"
        for what in model p s c json; do
            check "$classifier: $threads threads give the same $what" cmp "1.$what" "$threads.$what"
        done
    done
done

# The same numbers in other clothes give the same answer.
same_alpha() { # WHAT ARGUMENT...
    local what=$1
    shift
    run fit "$@" "${gbdt[@]}" --json
    check "$what: the same alpha" [ "$(jq .alpha out.txt)" = "$(jq .alpha gbdt.json)" ]
}
gzip -c "$table" >t.csv.gz
tr , '\t' <"$table" >t.tsv
sed -e 's/^label/y/' -e 's/^1,/red,/' -e 's/^0,/,/' "$table" >named.csv
awk -F, -v OFS=, '{ print $0, NR == 1 ? "id" : "w" NR, NR == 1 ? "n" : 1 }' "$table" >more.csv
tail -n +2 "$table" | awk -F, '{ printf $1; for (i = 2; i <= NF; i++) printf " %d:%s", i - 1, $i; print "" }' >t.svm
same_alpha gzip t.csv.gz
same_alpha tabs t.tsv
same_alpha libsvm t.svm
tr '.,' ',;' <"$table" >commas.csv
tail -n +2 "$table" >rows.csv
same_alpha 'decimal commas' commas.csv
same_alpha 'no header' rows.csv --no-header --label 1
tail -n +2 commas.csv | gzip -c >rows.csv.gz
same_alpha 'decimal commas, no header, gzip' rows.csv.gz --no-header --label 1 --model rows.model
"$DEDPUL" predict rows.model rows.csv.gz --no-header >rows.out
"$DEDPUL" predict gbdt.model "$table" >table.out
check 'and the same predictions' cmp rows.out table.out
"$DEDPUL" predict gbdt.model commas.csv >commas.out
check 'a model does not keep how its file was written' cmp commas.out table.out
awk -F, -v OFS=, '{ print $0, NR == 1 ? "code" : 100 + NR % 5 }' "$table" >codes.csv
expect 0 '' fit codes.csv --categorical code "${gbdt[@]}" --tree-rounds 5 --model codes.model
check 'codes are levels' grep -Eq 'code +one-hot' <("$DEDPUL" show codes.model)
sed 's/,10\([0-4]\)$/,10\1.0/' codes.csv >codes2.csv
"$DEDPUL" predict codes.model codes.csv >codes.out
"$DEDPUL" predict codes.model codes2.csv >codes2.out
check 'the model keeps them' cmp codes.out codes2.out
same_alpha 'named label' named.csv --label y --positive red
same_alpha 'weights of 1, a column ignored' more.csv --weight n --ignore id
if tail -n +2 "$table" | write_npy t.npy 2>/dev/null; then
    same_alpha NumPy t.npy --label 1
fi
"$DEDPUL" fit - "${gbdt[@]}" --json <t.csv.gz >out.txt
check 'standard input answers the same' cmp out.txt gbdt.json

# Weights have the meaning of counts.
awk -F, -v OFS=, 'NR == 1 { print $0, "n" } NR > 1 { print $0, 1 + NR % 2 }' "$table" >weighted.csv
expect 0 '' fit weighted.csv --weight n "${gbdt[@]}" --json
near .alpha 0.5 0.05
check 'sums of weights' jq -e --argjson w "$(awk -F, 'NR > 1 && $1 == 1 { s += $NF } END { print s }' weighted.csv)" '.weight_positive == $w' out.txt

# Rows of a group stay together: a wine that was measured five times is not known by its other rows.
awk -F, -v OFS=, 'BEGIN { srand(1) } NR == 1 { print "wine", $0; next } NR <= 301 { for (k = 0; k < 5; k++) {
    printf "w%d,%d", NR, $1; for (i = 2; i < NF; i++) printf ",%.6g", $i * (1 + 0.02 * (rand() - 0.5)); print "," $NF } }' "$table" >measured.csv
expect 0 '' fit measured.csv "${gbdt[@]}" --ignore wine --tree-rounds 100 --json
check 'without groups, wines are recognised' jq -e '.alpha < 0.3' out.txt
expect 0 '' fit measured.csv "${gbdt[@]}" --group wine --json --model group.model --scores 1.s --threads 1
near .alpha 0.5 0.15
check 'and a group is no feature' jq -e '.n_features == 12' out.txt
expect 0 '' fit measured.csv "${gbdt[@]}" --group wine --scores 2.s --threads 2
check 'threads change nothing' cmp 1.s 2.s
awk -F, -v OFS=, '{ if (NR > 1) $1 = "other " 1e6 - substr($1, 2); print }' measured.csv >renamed.csv
expect 0 '' fit renamed.csv "${gbdt[@]}" --group wine --scores 2.s
check 'nor do names of groups' cmp 1.s 2.s
expect 0 '' predict group.model "$table"
expect 0 '' compare measured.csv "${gbdt[@]}" --group wine --methods dedpul,bbe --json
check 'compare takes groups' jq -e '[.[].alpha] | all(. > 0.35)' out.txt
awk -F, -v OFS=, 'NR > 1 && $2 == 1 { $1 = "w" NR % 3 } { print }' measured.csv >few.csv
expect 1 'the labeled rows are of 3 groups, which is too few for 5 folds: use at most 3 folds (--folds 3)' fit few.csv "${gbdt[@]}" --group wine
awk -F, -v OFS=, 'NR > 1 && $2 == 1 { $1 = "w1" } { print }' measured.csv >one.csv
expect 1 'labeled rows are of one group' fit one.csv "${gbdt[@]}" --group wine
awk -F, -v OFS=, 'NR > 1 && $2 == 0 && NR % 10 > 0 { $1 = "w1" } { print }' measured.csv >large.csv
expect 0 '[large_group]' fit large.csv "${gbdt[@]}" --group wine --tree-rounds 5
tail -n +2 measured.csv | cat measured.csv - >twice.csv
expect 0 'rows are copies of others. Copies were kept in one fold' fit twice.csv "${gbdt[@]}" --ignore wine --tree-rounds 5

# Options: a preset comes before all others, wherever it stands.
fast=(--layers 8 --epochs 4)
expect 0 '' fit short.csv "${fast[@]}" --preset paper --ensemble 2 --model before.model
expect 0 '' fit short.csv --ensemble 2 "${fast[@]}" --model after.model --preset paper
check 'a preset after other options is the same' cmp before.model after.model
expect 0 '' show before.model --json
check 'the preset counts, and so do options' jq -e '.settings | .stopping == "each" and .encode == "ordinal" and
    .ensemble == "2" and .patience == "7" and .epochs == "4"' out.txt
expect 0 '' fit short.csv "${gbdt[@]}" --preset paper --json
check 'trees by the preset' jq -e '.n_models == 5' out.txt
expect 0 '' fit short.csv --encode ordinal --scale standard --layers none --dropout 0 --batch-norm off --epochs 3 --folds 3
check 'the summary names the classifier' grep -Eq '^  scores +mlp [+] gbdt 21 models on 12 features' out.txt
check 'and the file' grep -q '^short.csv: .* labeled positive and .* unlabeled rows$' out.txt
expect 0 '' fit short.csv "${gbdt[@]}" --alpha 0.4 --method dedpul_bbe --seed 3
check 'a given alpha is said to be given' grep -q 'given' out.txt
expect 0 '' fit short.csv "${gbdt[@]}" --plot
check 'the plot is there' grep -q 'D(alpha) = alpha - mean posterior' out.txt
expect 0 '' fit short.csv "${gbdt[@]}" --json --plot fit.svg
check 'the figure is there beside the answer' grep -q 'short.csv: alpha = ' fit.svg
check 'the answer is an object' jq -e .alpha out.txt
expect 1 'cannot write missing/fit.svg' fit short.csv --plot missing/fit.svg

# Where there are next to no negatives, there is no classifier of them, and the rest is kept.
awk -F, 'NR == FNR { label[FNR] = $1; next } FNR == 1 || $1 == 1 || n++ < 15' "$table" "$table" >few.csv
expect 0 '[no_negatives]' fit few.csv "${fast[@]}" --pn --model sure.model
expect 1 '--pn' predict sure.model short.csv --pn

# Progress goes to standard error: nothing without a terminal, a line per epoch with -v, else a bar.
expect 0 '' fit short.csv "${fast[@]}"
check 'no bar without a terminal' [ "$(tr -cd '\r' <err.txt | wc -c)" -eq 0 ]
expect 0 'mlp 1/4 loss 0.' fit short.csv "${fast[@]}" -v --json
check 'a line per epoch' [ "$(grep -cE '^mlp [0-9]+/4 loss [0-9.]+( \*)?$' err.txt)" -eq 4 ]
check 'standard output is the answer alone' jq -e .alpha out.txt
if script -qec true /dev/null >/dev/null 2>&1 </dev/null; then
    TERM=xterm script -qec "'$DEDPUL' fit short.csv ${fast[*]} --json" bar.txt >/dev/null </dev/null
    check 'a bar on a terminal' grep -q $'\r.*mlp \\[.*\\] [0-9]*/4, [0-9]*:[0-9][0-9], loss' bar.txt
    TERM=xterm script -qec "'$DEDPUL' fit short.csv ${fast[*]} --json -q" bar.txt >/dev/null </dev/null
    check 'no bar with -q' [ "$(grep -c 'mlp \[' bar.txt)" -eq 0 ]
fi

# An interrupt ends it at once and leaves nothing.
set -m # else background commands ignore interrupts
"$DEDPUL" fit "$table" --layers 16 --epochs 100000 --patience 100000 -v --model i.model --posteriors i.csv 2>progress.txt >out.txt &
pid=$!
for _ in $(seq 300); do
    [ -s progress.txt ] && break
    sleep 0.1
done
check 'it was at work' [ -s progress.txt ]
began=$SECONDS
kill -INT "$pid"
wait "$pid"
check 'exit code after an interrupt' [ $? -eq 130 ]
check 'an interrupt ends it promptly' [ $((SECONDS - began)) -le 5 ]
check 'an interrupt leaves nothing' nothing_left i.model i.csv
check 'and says so, in one line' [ "$(grep -v '^mlp ' progress.txt)" = 'dedpul: interrupted; nothing was written' ]
set +m

# Doubts about the table are told with the answer.
awk -F, -v OFS=, '{ print $0, NR == 1 ? "empty,same" : "NA,7" }' short.csv >empty.csv
expect 0 "'empty' (all missing), 'same' (constant) [dropped_columns]" fit empty.csv "${gbdt[@]}"
awk -F, -v OFS=, '{ print $0, NR == 1 ? "copy" : $1 }' short.csv >copy.csv
expect 0 "column 'copy'" fit copy.csv "${gbdt[@]}"
check 'with its code' grep -q '\[perfect_scores\]' err.txt
expect 0 '' fit copy.csv "${gbdt[@]}" --json
check 'warnings are in the JSON too' jq -e '[.warnings[].code] | index("perfect_scores") != null' out.txt

# A leak that is not perfect is named, and nothing that follows from it is said; without the column all is well.
awk -F, -v OFS=, '{ print $0, NR == 1 ? "entered" : NR * 7919 % 100 + ($1 ? 60 : 0) }' "$table" >entered.csv
expect 0 '' fit entered.csv "${gbdt[@]}" --json
check 'a leak is named' jq -e '.warnings[0].message | startswith("column '"'entered'"' alone tells")' out.txt
check 'a leak is the only warning' jq -e '[.warnings[].code] == ["leaking_column"]' out.txt
expect 0 '' fit entered.csv "${gbdt[@]}" --json --ignore entered
check 'no leak, no warning' jq -e '.warnings == []' out.txt
awk -F, -v OFS=, '{ print $0, NR == 1 ? "found" : $1 && NR % 3 ? "by a clinic" : NR % 2 ? "a" : "b" }' "$table" >found.csv
expect 0 "67% of the labeled rows have 'by a clinic' in column 'found'" fit found.csv "${gbdt[@]}"
awk 'BEGIN { srand(1); for (r = 0; r <= 40; r++) { printf r ? r % 2 : "label"
    for (c = 1; c <= 60; c++) printf r ? "," rand() : ",c" c; print "" } }' >wide.csv
expect 0 '[more_columns_than_rows]' fit wide.csv "${gbdt[@]}" --tree-rounds 5
finish
