#!/bin/bash
# fit --kind auto: kinds of positives that nobody has told of.
# shellcheck source=tests/cli/common.sh disable=SC2154
. "$SOURCE/tests/cli/common.sh"

gbdt=(--classifier gbdt --folds 3 --ensemble 1 -q)

# Kind a is at x = 4, kind b at y = 4, negatives at 0. Of 1500 unlabeled rows, 150 are of kind a and 300 of kind b. Of
# each 15 labeled ones, b_of_15 are of kind b.
make_table() {
    awk -v b_of_15="$1" 'function normal(  s) { s = 0; for (k = 0; k < 12; k++) s += rand(); return s - 6 }
        function row(label, x, y) { printf "%s,%.4f,%.4f\n", label, x + normal(), y + normal() }
        BEGIN { srand(5); print "label,x,y"
                for (i = 0; i < 450; i++) i % 15 >= b_of_15 ? row(1, 4, 0) : row(1, 0, 4)
                for (i = 0; i < 150; i++) row(0, 4, 0)
                for (i = 0; i < 300; i++) row(0, 0, 4)
                for (i = 0; i < 1050; i++) row(0, 0, 0) }'
}

# Labels that are no random draw.
make_table 2 >selected.csv
expect 0 '' fit selected.csv "${gbdt[@]}" --json
check 'without kinds, alpha is too low' jq -e '.alpha < 0.2' out.txt
expect 0 '' fit selected.csv --kind auto "${gbdt[@]}" --json --posteriors p.csv --row-kinds k.csv --model m.model
near .alpha 0.3 0.07
cp out.txt found.json
check 'kinds' jq -e '.label_check.p_value < 0.05 and .label_check.found_kinds and (.kinds | length) >= 2 and
    (.kinds | map(.share) | add) - .alpha < 1e-9 and .kinds[0].kind == "kind 1" and
    (.kinds | map(.n_labeled) | add) == 450 and
    (.kinds | all(.n_labeled >= 20 and .low <= .share and .share <= .high))' found.json
check 'the kinds are those of the check' jq -e '(.kinds | map(.kind)) == (.label_check.kinds | map(.kind))' found.json
check 'a kind is told by its columns' jq -e '.label_check.kinds | any(.traits | contains("'"'y'"' high"))' found.json
check 'each labeled row has a kind' awk -F, 'NR == 1 { bad = $0 != "row,kind"; next } $2 !~ /^kind [1-9]$/ { bad = 1 } END { exit bad || NR != 451 }' k.csv
check 'no kind has many rows of both' awk -F, 'NR > 1 { n[$2, ($1 - 1) % 15 < 2]++; kinds[$2] } END { for (k in kinds) {
    a = n[k, 0]; b = n[k, 1]; mixed += a < b ? a : b }; exit mixed > 20 }' k.csv
check 'posteriors by kind' grep -q '^row,score,ratio,posterior,"posterior kind 1","posterior kind 2"' p.csv
check 'posteriors of both kinds are high' awk -F, 'NR > 1 && $1 > 450 && $1 <= 900 { s += $4 } NR > 1 && $1 > 900 { t += $4 }
    END { exit !(s / 450 > 0.8 && t / 1050 < 0.1) }' p.csv
expect 0 '' predict m.model selected.csv --out q.csv
expect 0 '' fit selected.csv --kind auto "${gbdt[@]}" --json --threads 3
check 'threads do not matter' cmp found.json out.txt
expect 0 '' fit selected.csv --kind auto "${gbdt[@]}"
check 'text' grep -qE '^  0\.[0-9]{4}    0\.[0-9]{4} to 0\.[0-9]{4} +[0-9]+ +0\.[0-9]{4}  kind 1$' out.txt

# What is found can be told next time.
awk -F, 'NR == FNR { kind[$1] = $2; next } { print $0 "," (FNR == 1 ? "kind" : kind[FNR - 1]) }' k.csv selected.csv >told.csv
expect 0 '' fit told.csv --kind kind "${gbdt[@]}" --json
near .alpha 0.3 0.07

# Labels that are a random draw: the ordinary answer, bit for bit.
make_table 10 >random.csv
expect 0 '' fit random.csv "${gbdt[@]}" --json --posteriors p.csv --scores s.csv --model m.model
cp out.txt plain.json
expect 0 '' fit random.csv --kind auto "${gbdt[@]}" --json --posteriors p2.csv --scores s2.csv --model m2.model --row-kinds k.csv
check 'no kinds' jq -e 'has("kinds") | not' out.txt
check 'it says how sure it is' jq -e '.label_check.p_value >= 0.05' out.txt
check 'the same answer' jq -e --slurpfile plain plain.json 'del(.label_check) == $plain[0]' out.txt
check 'the same posteriors' cmp p.csv p2.csv
check 'the same scores' cmp s.csv s2.csv
check 'the same model' cmp m.model m2.model
check 'no row has a kind' awk -F, 'NR > 1 && $2 != "" { bad = 1 } END { exit bad || NR != 451 }' k.csv

# Weights, texts, missing values, identifiers, images, libsvm.
awk -F, -v OFS=, 'NR == 1 { print "id,color,w", $0; next }
    { print "r" NR, ($2 > 2 ? "red" : $3 > 2 ? "blue" : ""), 1 + NR % 2, $1, $2, (NR % 9 ? $3 : "") }' selected.csv >mixed.csv
expect 0 '' fit mixed.csv --kind auto --weight w --id id "${gbdt[@]}" --json --row-kinds k.csv
near .alpha 0.3 0.07
check 'identifiers' grep -q '^r2,1,kind ' k.csv
awk -F, 'NR > 1 { print ($1 ? "1" : "-1"), "1:" $2, "2:" $3 }' selected.csv >selected.libsvm
expect 0 '' fit selected.libsvm --kind auto "${gbdt[@]}" --json
near .alpha 0.3 0.07

# Bad input.
sed '1s/y$/auto/' selected.csv >column.csv
expect 1 "the table has a column 'auto', but --kind auto finds kinds" fit column.csv --kind auto "${gbdt[@]}"
expect 0 '' fit column.csv --kind auto --ignore auto "${gbdt[@]}" --json
awk 'NR < 21 || NR > 451' selected.csv >few.csv
expect 1 'there are 19 labeled rows: to find kinds among them, at least 40 are needed. Leave --kind out' fit few.csv --kind auto "${gbdt[@]}"
awk -F, -v OFS=, '{ print $0, NR == 1 ? "site" : NR % 200 }' selected.csv >sites.csv
expect 1 'kinds are not found among rows that are in groups' fit sites.csv --kind auto --group site "${gbdt[@]}"

expect 2 'name their column (--kind COL), or let kinds be found' fit random.csv --row-kinds k.csv

# A kind whose rows have no weight is no other kind.
awk -F, -v OFS=, 'NR == 1 { print $0, "w", "kind"; next }
    { kind = $1 == 1 ? (++n % 3 == 0 ? "c" : n % 2 ? "a" : "b") : ""; print $0, kind == "c" ? 0 : 1, kind }' random.csv >none.csv
expect 0 '' fit none.csv --kind kind --weight w "${gbdt[@]}" --row-kinds k.csv
check 'rows without weight have no kind' test "$(awk -F, '$2 == ""' k.csv | wc -l)" -gt 10

finish
