#!/bin/bash
# fit --kind: kinds of positives that were labeled at different rates.
# shellcheck source=tests/cli/common.sh disable=SC2154
. "$SOURCE/tests/cli/common.sh"

gbdt=(--classifier gbdt --folds 3 --ensemble 1 -q)

# Kind a is at x = 4, kind b at y = 4, negatives at 0. Of the labeled rows 9 of 10 are of kind a; of 1500 unlabeled
# ones, 150 are of kind a and 300 of kind b.
awk 'function normal(  s) { s = 0; for (k = 0; k < 12; k++) s += rand(); return s - 6 }
     function row(label, kind, x, y) { printf "%s,%s,%.4f,%.4f\n", label, kind, x + normal(), y + normal() }
     BEGIN { srand(5); print "label,kind,x,y"
             for (i = 0; i < 300; i++) i % 10 != 5 ? row(1, "a", 4, 0) : row(1, "b, rare", 0, 4)
             for (i = 0; i < 150; i++) row(0, "", 4, 0)
             for (i = 0; i < 300; i++) row(0, "", 0, 4)
             for (i = 0; i < 1050; i++) row(0, "", 0, 0) }' | sed 's/b, rare/"b, rare"/' >kinds.csv

expect 0 '' fit kinds.csv --ignore kind "${gbdt[@]}" --json --model plain.model
check 'without kinds, alpha is too low' jq -e '.alpha < 0.2 and (has("kinds") | not)' out.txt
expect 0 '' fit kinds.csv --kind kind "${gbdt[@]}" --json --posteriors p.csv --scores s.csv --model m.model
near .alpha 0.3 0.05
check 'kinds' jq -e '.n_features == 2 and (.kinds | length) == 2 and .kinds[0].kind == "a" and .kinds[1].kind == "b, rare" and
    .kinds[0].n_labeled == 270 and .kinds[1].n_labeled == 30 and
    (.kinds | all(.low <= .share and .share <= .high and .label_rate_low <= .label_rate and .label_rate <= .label_rate_high))' out.txt
near '.kinds[0].share' 0.1 0.04
near '.kinds[1].share' 0.2 0.04
near '.kinds[1].label_rate' 0.09 0.03
cp out.txt kinds.json
check 'the shares add up to alpha' jq -e '(.kinds | map(.share) | add) - .alpha | fabs < 1e-9' kinds.json
check 'posteriors by kind' [ "$(head -1 p.csv)" = 'row,score,ratio,posterior,"posterior a","posterior b, rare"' ]
check 'they add up' awk -F, 'NR > 1 { d = $5 + $6 - $4; if (d > 1e-9 || d < -1e-9) exit 1 } END { exit NR != 1501 }' p.csv
check 'unlabeled rows of kind b are told from those of kind a' awk -F, 'NR > 1 && $1 <= 450 { a += $5 > $6; n++ }
    NR > 1 && $1 > 450 && $1 <= 750 { b += $6 > $5; m++ } END { exit !(n == 150 && m == 300 && a / n > 0.9 && b / m > 0.9) }' p.csv
"$DEDPUL" scores s.csv --weight weight --json >out.txt
check 'the scores give the same alpha' jq -e --slurpfile fit kinds.json '.alpha - $fit[0].alpha | fabs < 1e-9' out.txt
expect 0 '' predict m.model kinds.csv --out q.csv
check 'a model with kinds predicts rows of both as positive' awk -F, 'NR > 1 && $1 > 300 && $1 <= 750 { s += $3 } NR > 751 + 1 { t += $3 }
    END { exit !(s / 450 > 0.8 && t / 1050 < 0.15) }' q.csv
check 'posteriors of new rows by kind' [ "$(head -1 q.csv)" = 'row,score,posterior,"posterior a","posterior b, rare"' ]
check 'new ones add up' awk -F, 'NR > 1 { d = $4 + $5 - $3; if (d > 1e-6 || d < -1e-6) exit 1 } END { exit NR != 1801 }' q.csv
check 'new rows of kind b are told from those of kind a' awk -F, 'NR > 1 && $1 > 300 && $1 <= 450 { a += $4 > $5 }
    NR > 1 && $1 > 450 && $1 <= 750 { b += $5 > $4 } END { exit !(a / 150 > 0.9 && b / 300 > 0.9) }' q.csv
# Rows that wait for a decision have the same parts.
expect 0 '' predict m.model kinds.csv --alpha auto --top 100 --out waited.csv
check 'a threshold stands before the kinds' [ "$(head -1 waited.csv)" = 'row,score,posterior,positive,"posterior a","posterior b, rare"' ]
check 'parts do not depend on alpha' awk -F, 'FNR == 1 { next } NR == FNR { part[$1] = $4 / $3; next }
    { d = $5 / $3 - part[$1]; if ($3 > 0.01 && (d > 1e-4 || d < -1e-4)) exit 1 }' q.csv waited.csv
expect 0 '' fit kinds.csv --kind kind "${gbdt[@]}" --pn --model pn.model
expect 0 '' predict pn.model kinds.csv --pn --out pn.csv
check 'by the classifier of positives against negatives, too' awk -F, 'NR > 1 { d = $4 + $5 - $3; if (d > 1e-6 || d < -1e-6) exit 1 }
    NR > 1 && $1 > 450 && $1 <= 750 { b += $5 > $4 } END { exit !(NR == 1801 && b / 300 > 0.9) }' pn.csv

# A labeled row with a weight of 9 is as good as nine rows, also with kinds, whose weights are no whole numbers.
awk -F, -v OFS=, '{ print $0, NR == 1 ? "n" : $1 == 1 ? 9 : 1 }' kinds.csv >nine.csv
expect 0 '' fit nine.csv --kind kind --weight n --interval "${gbdt[@]}" --json
cp out.txt nine.json
expect 0 '' fit kinds.csv --kind kind --interval "${gbdt[@]}" --json
check 'the learned range knows of them' jq -e --slurpfile once out.txt '(.interval.high - .interval.low) < 0.9 * ($once[0].interval | .high - .low)' nine.json

# A model is evaluated on rows whose labels were picked in the same way, or in another.
awk 'function normal(  s) { s = 0; for (k = 0; k < 12; k++) s += rand(); return s - 6 }
     function row(label, kind, x, y, truth) { printf "%s,%s,%.4f,%.4f,%s\n", label, kind, x + normal(), y + normal(), truth }
     BEGIN { srand(6); print "label,kind,x,y,truth"
             for (i = 0; i < 300; i++) i % 10 != 5 ? row(1, "a", 4, 0, "") : row(1, "b; rare", 0, 4, "")
             for (i = 0; i < 300; i++) row(0, "", 4, 0, 1)
             for (i = 0; i < 600; i++) row(0, "", 0, 4, 1)
             for (i = 0; i < 2100; i++) row(0, "", 0, 0, 0) }' | sed 's/b; rare/"b, rare"/' >unseen.csv
expect 0 '' evaluate m.model unseen.csv --json
check 'without kinds, alpha of new rows is too low' jq -e '.alpha < 0.25' out.txt
expect 0 '' evaluate m.model unseen.csv --kind kind --truth truth --label label --json
near .alpha 0.3 0.05
check 'the AUC is near the truth' jq -e '(.auc.value - .truth.auc | fabs) < 0.03' out.txt
expect 1 'the model was fitted without kinds' evaluate plain.model unseen.csv --kind kind
expect 1 'name the column of labels (--label COL)' evaluate m.model unseen.csv --kind kind --truth truth
expect 1 '--kind is about rows' evaluate m.model --kind kind
expect 1 '--kind is about rows' evaluate s.csv --kind kind
sed '5s/^1,a,/1,z,/' unseen.csv >other.csv
expect 1 "row 4 has the kind 'z', which the fit of the model had not" evaluate m.model other.csv --kind kind
sed '5s/^1,a,/1,,/' unseen.csv >other.csv
expect 1 'row 4 is labeled, but has no kind' evaluate m.model other.csv --kind kind
sed '900s/^0,,/0,a,/' unseen.csv >other.csv
expect 1 "row 899 is unlabeled, but has the kind 'a'" evaluate m.model other.csv --kind kind
grep -v '^1,"' unseen.csv >other.csv
expect 1 "other.csv has no labeled rows of the kind 'b, rare'" evaluate m.model other.csv --kind kind

run fit kinds.csv --kind kind "${gbdt[@]}"
check 'text' grep -qE '^  0\.[0-9]{4}    0\.[0-9]{4} to 0\.[0-9]{4} +270 +0\.[0-9]{4}  a$' out.txt

# Methods are compared on the corrected scores.
expect 0 '' compare kinds.csv --kind kind --methods pooled,dedpul,km2 "${gbdt[@]}" --json
check 'the same alpha as that of a fit' jq -e --slurpfile fit kinds.json '.[0].method == "pooled" and (.[0].alpha - $fit[0].alpha | fabs < 1e-9)' out.txt
check 'all methods know of the kinds' jq -e 'all(.alpha > 0.22 and .alpha < 0.38)' out.txt
jq '.[0]' out.txt >compared.json
expect 0 '' fit kinds.csv --kind kind --interval "${gbdt[@]}" --json
check 'the same interval' jq -e --slurpfile compared compared.json '$compared[0].low == .interval.low and $compared[0].high == .interval.high' out.txt

# Rare kinds are counted as one, which is said.
sed '12,23s/^1,a,/1,c,/; 14,17s/^1,c,/1,d,/' kinds.csv >rare.csv
expect 0 "[rare_kinds]" fit rare.csv --kind kind "${gbdt[@]}"
check 'their names are joined' grep -q '  c+d$' out.txt
sed '24,60s/^1,a,/1,c+d,/' rare.csv >namesake.csv
expect 0 "counted as one, 'c+d+'" fit namesake.csv --kind kind "${gbdt[@]}"
check 'a kind may have that name already' [ "$(grep -cE '  c\+d\+?$' out.txt)" -eq 2 ]

# Names that are not UTF-8 are still in the answer for programs.
LC_ALL=C sed $'s/^1,"[^"]*",/1,b\xe9,/' kinds.csv >latin.csv
expect 0 '' fit latin.csv --kind kind --json "${gbdt[@]}"
check 'both kinds' jq -e '.kinds | length == 2' out.txt

# Shares are at most 1, also where nothing can be told.
awk -v OFS=, 'BEGIN { srand(1); print "label", "kind", "x", "y"; for (i = 0; i < 2000; i++)
    print (i < 60), i < 12 ? "a" : i < 30 ? "b" : i < 60 ? "c" : "", rand(), rand() }' >noise.csv
expect 0 '' fit noise.csv --kind kind --json "${gbdt[@]}"
check 'shares' jq -e '.kinds | all(.high <= 1 and .share <= .high and .low >= 0)' out.txt

# Rows of groups are not independent.
awk -F, -v OFS=, '{ print $0, NR == 1 ? "site" : NR % 200 }' kinds.csv >sites.csv
expect 0 '' fit sites.csv --kind kind --group site "${gbdt[@]}" --json
near .alpha 0.3 0.05
near '.kinds[1].share' 0.2 0.04
sed '/^1,"/s/,[0-9]*$/,7/' sites.csv >narrow.csv
expect 1 "all labeled rows of the kind 'b, rare' are of one group" fit narrow.csv --kind kind --group site "${gbdt[@]}"
{ cat kinds.csv; sed 1d kinds.csv; } >copies.csv
expect 0 '' fit copies.csv --kind kind "${gbdt[@]}" --json
check 'copies are kept together' jq -e '.warnings | any(.code == "repeated_rows")' out.txt
near .alpha 0.3 0.05
check 'copies do not make shares more certain' jq -e --slurpfile once kinds.json '(.kinds[1] | .high - .low) > 0.8 * ($once[0].kinds[1] | .high - .low)' out.txt

# Bad columns of kinds.
awk -v OFS=, 'NR > 1 && /^1/ { print $0, 0; next } { print $0, NR == 1 ? "w" : 1 }' kinds.csv >weightless.csv
expect 1 '0 labeled positive rows with a weight above 0' fit weightless.csv --kind kind --weight w "${gbdt[@]}"
sed 's/^1,"[^"]*",/1,a,/' kinds.csv >constant.csv
expect 1 "constant.csv: all labeled rows are of the kind 'a'" fit constant.csv --kind kind "${gbdt[@]}"
awk -F, -v OFS=, 'NR > 1 && $1 == 1 { sub(/^1,("[^"]*"|[^,]*),/, "1,k" NR ",") } { print }' kinds.csv >distinct.csv
expect 1 'each of the 300 labeled rows has a kind of its own' fit distinct.csv --kind kind "${gbdt[@]}"
sed '400s/^0,,/0,a,/' kinds.csv >unlabeled.csv
expect 1 "row 399 is unlabeled, but has the kind 'a'" fit unlabeled.csv --kind kind "${gbdt[@]}"
sed '2s/^1,a,/1,,/' kinds.csv >missing.csv
expect 1 'row 1 is labeled, but has no kind' fit missing.csv --kind kind "${gbdt[@]}"
expect 1 'Name the column of kinds (--kind COL)' fit kinds.csv --kind nothing "${gbdt[@]}"
expect 1 "column 'label' cannot be both the label and the kind" fit kinds.csv --kind label "${gbdt[@]}"
expect 1 'classifiers are not compared with kinds' compare kinds.csv --kind kind --classifiers gbdt,logistic --folds 3 -q

finish
