#!/bin/bash
# --check-labels: whether labeled rows may be a random draw of the positives.
# shellcheck source=tests/cli/common.sh disable=SC2154
. "$SOURCE/tests/cli/common.sh"

gbdt=(--classifier gbdt --folds 3 --ensemble 1 -q --check-labels)

# Positives are at x = 4 (kind a) or at y = 4 (kind b), negatives at 0; of 2000 unlabeled rows 400 are of either kind. Of
# 400 labeled rows, a share is of kind a.
make_rows()
{
    awk -v share="$1" 'function normal(  s) { s = 0; for (k = 0; k < 12; k++) s += rand(); return s - 6 }
        function row(label, kind, x, y) { printf "%s,%s,%.4f,%.4f,%.4f\n", label, kind, x + normal(), y + normal(), normal() }
        BEGIN { srand(5); print "label,kind,x,y,noise"
                for (i = 0; i < 400; i++) rand() < share ? row(1, "a", 4, 0) : row(1, "b", 0, 4)
                for (i = 0; i < 400; i++) row(0, "", 4, 0)
                for (i = 0; i < 400; i++) row(0, "", 0, 4)
                for (i = 0; i < 1200; i++) row(0, "", 0, 0) }'
}
make_rows 0.75 >picked.csv
make_rows 0.5 >random.csv

for how in '--ignore kind' '--kind kind'; do
    # shellcheck disable=SC2086
    expect 0 '' fit picked.csv $how "${gbdt[@]}" --json
    check "$how: a warning" jq -e '.warnings | map(.code) | index("picked_labels")' out.txt
    check "$how: an alarm" jq -e '.label_check | .p_value < 0.05 and .level == 0.05 and
        (.kinds | map(.deviation) | (max > 0 and min < 0)) and (.kinds | map(.n_labeled) | add) == 400' out.txt
    # shellcheck disable=SC2086
    expect 0 '' fit random.csv $how "${gbdt[@]}" --json
    check "$how: no alarm" jq -e '.label_check.p_value >= 0.05 and (.warnings | map(.code) | index("picked_labels") | not)' out.txt
done
check 'kinds are those given' jq -e '.label_check | (.found_kinds | not) and (.kinds | map(.kind)) == ["a", "b"]' out.txt
near '.label_check.kinds[0].label_rate_low' 0.33 0.06

run fit picked.csv --ignore kind "${gbdt[@]}" --report page.html
check 'text' grep -qE '^  labels    p = [0-9.e-]+ +labeled rows are probably not a random draw of the positives' out.txt
check 'the rare kind has traits' grep -qE "too rarely  kind [1-6]: .*'y' high" out.txt
check 'the warning is whole' grep -qF 'let kinds be found (--kind auto) [picked_labels]' err.txt
check 'the page has it' grep -q '<table id="labels">' page.html
run compare picked.csv --ignore kind "${gbdt[@]}" --methods pooled,bbe
check 'a comparison' grep -q 'labeled rows are probably not a random draw' out.txt
expect 1 '--check-labels' compare picked.csv --ignore kind --check-labels --classifiers gbdt,logistic

# What cannot be checked is said, and is no failure.
sed -n '1p; 2,11p; 402,$p' random.csv >few.csv
expect 0 '' fit few.csv --ignore kind "${gbdt[@]}" --json
check 'no check' jq -e '(has("label_check") | not) and (.warnings | map(.code) | index("labels_unchecked"))' out.txt
awk -F, -v OFS=, '{ print $0, NR == 1 ? "site" : NR % 200 }' random.csv >sites.csv
expect 0 '[labels_unchecked]' fit sites.csv --ignore kind --group site "${gbdt[@]}"

finish
