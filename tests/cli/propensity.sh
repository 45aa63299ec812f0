#!/bin/bash
# fit --propensity and --propensity-value: positives that were labeled with a chance that depends on columns.
# shellcheck source=tests/cli/common.sh disable=SC2154
. "$SOURCE/tests/cli/common.sh"

gbdt=(--classifier gbdt --folds 3 --ensemble 1 -q)

# Positives are at x = 4. In the north 5 of 10 are labeled, in the south 1 of 10; negatives are anywhere.
awk 'function normal(  s) { s = 0; for (k = 0; k < 12; k++) s += rand(); return s - 6 }
     BEGIN { srand(7); print "label,region,rate,year,x,y"
             for (i = 0; i < 2500; i++) {
                 positive = i < 1000; south = i % 2; e = south ? 0.1 : 0.5
                 label = positive && rand() < e
                 printf "%d,%s,%s,%d,%.4f,%.4f\n", label, south ? "the south" : "north", label ? e : "",
                     2000 + i % 7, normal() + 4 * positive, normal() } }' >regions.csv
truth=$(awk -F, 'NR > 1 && $1 == 0 { n++; positive += NR <= 1001 } END { print positive / n }' regions.csv)

expect 0 '' fit regions.csv --ignore rate "${gbdt[@]}" --json
check 'without propensities, alpha is too low' jq -e --argjson truth "$truth" '.alpha < $truth - 0.08 and (has("propensities") | not)' out.txt
plain=$(jq .alpha out.txt)

expect 0 '' fit regions.csv --ignore rate --propensity region "${gbdt[@]}" --interval --json --posteriors p.csv --scores s.csv --model m.model
cp out.txt estimated.json
near .alpha "$truth" 0.04
check 'a region is still a feature' jq -e '.n_features == 4' out.txt
check 'propensities' jq -e --argjson plain "$plain" '.propensities.alpha_without == $plain and .propensities.alpha_by_values == null and
    (.propensities.groups | length == 2 and .[0].column == "region" and .[0].values == "north" and .[1].values == "the south")' out.txt
near '.propensities.groups[0].propensity' 0.5 0.08
near '.propensities.groups[1].propensity' 0.1 0.04
check 'the interval holds the truth' jq -e --argjson truth "$truth" '.interval.low < $truth and .interval.high > $truth' out.txt
"$DEDPUL" scores s.csv --weight weight --json >out.txt
check 'the scores give the same alpha' jq -e --slurpfile fit estimated.json '.alpha - $fit[0].alpha | fabs < 1e-9' out.txt
expect 0 '' predict m.model regions.csv --out q.csv
check 'positives of the south are found' awk -F, 'NR == FNR { label[FNR - 1] = $1; south[FNR - 1] = $2 == "the south"; next }
    FNR > 1 && !label[$1] && south[$1] { sum[$1 <= 1000] += $3; n[$1 <= 1000]++ }
    END { exit !(sum[1] / n[1] > 0.8 && sum[0] / n[0] < 0.15) }' regions.csv q.csv

run fit regions.csv --ignore rate --propensity region,year "${gbdt[@]}" --interval
check 'text: groups' grep -qE '^ +0\.[01][0-9]{3} +[0-9]+  region: the south$' out.txt
check 'text: years' grep -qE '^ +0\.[0-9]{4} +[0-9]+  year: 2006$' out.txt
check 'text: alpha without' grep -qE '^  without   0\.[0-9]{4}    alpha, if all positives' out.txt
check 'text: interval' grep -q 'wider because propensities are uncertain' out.txt

expect 0 '' fit regions.csv --propensity-value rate "${gbdt[@]}" --json
near .alpha "$truth" 0.04
check 'the column of rates is no feature' jq -e '.n_features == 4' out.txt
check 'known ones' jq -e '.propensities | .lowest == 0.1 and .highest == 0.5 and .groups == []' out.txt
near .propensities.alpha_by_values "$truth" 0.05
run fit regions.csv --propensity-value rate "${gbdt[@]}"
check 'text: by values' grep -qE '^  by values 0\.[0-9]{4} ' out.txt

# Rates that are relative.
awk -F, -v OFS=, 'NR > 1 && $3 != "" { $3 *= 2 } { print }' regions.csv >relative.csv
expect 0 '[propensity_mismatch]' fit relative.csv --propensity-value rate "${gbdt[@]}"
# A third of the unlabeled rows is of a region where nobody looked.
awk -F, -v OFS=, 'NR > 1 && $1 == 0 && NR % 3 == 0 { $2 = "west" } { print }' regions.csv >west.csv
expect 0 '[unreached_rows]' fit west.csv --ignore rate --propensity region "${gbdt[@]}"

# Bad columns.
awk -F, -v OFS=, '$1 == 1 && !n++ { $3 = 0 } { print }' regions.csv >zero.csv
expect 1 'is labeled, but its propensity is 0' fit zero.csv --propensity-value rate "${gbdt[@]}"
awk -F, -v OFS=, '$1 == 1 && !n++ { $3 = "" } { print }' regions.csv >empty.csv
expect 1 'is labeled, but has no propensity' fit empty.csv --propensity-value rate "${gbdt[@]}"
awk -F, -v OFS=, '$1 == 1 && !n++ { $3 = 1e-300 } { print }' regions.csv >small.csv
expect 1 'has a propensity of 1e-300: below 1e-09' fit small.csv --propensity-value rate "${gbdt[@]}"
for value in 1.5 -0.2 often inf; do
    awk -F, -v OFS=, -v value="$value" '$1 == 1 && !n++ { $3 = value } { print }' regions.csv >bad.csv
    expect 1 "column 'rate': '$value' is" fit bad.csv --propensity-value rate "${gbdt[@]}"
done
awk -F, -v OFS=, 'NR > 1 { $3 = 1 } { print }' regions.csv >ones.csv
expect 1 'ones.csv: all propensities of labeled rows are 1' fit ones.csv --propensity-value rate "${gbdt[@]}"
expect 1 'Name the column of propensities (--propensity-value COL)' fit regions.csv --propensity-value rates "${gbdt[@]}"
expect 1 "regions.csv has no feature 'regoin', on which labels are said to depend (--propensity); did you mean 'region'?" \
    fit regions.csv --propensity regoin "${gbdt[@]}"
expect 1 "regions.csv has no feature 'region'" fit regions.csv --ignore region --propensity region "${gbdt[@]}"
expect 1 "has no feature ''" fit regions.csv --propensity region, "${gbdt[@]}"
expect 1 "the column 'region' is named twice" fit regions.csv --propensity region,region "${gbdt[@]}"
sed 's/^1,[^,]*,/1,north,/' regions.csv >north.csv
expect 1 "column 'region' does not tell labeled rows apart" fit north.csv --ignore rate --propensity region "${gbdt[@]}"
expect 1 'known or estimated, not both' fit regions.csv --propensity region --propensity-value rate "${gbdt[@]}"
awk -F, -v OFS=, '{ print $0, NR == 1 ? "kind" : $1 == 0 ? "" : NR % 2 }' regions.csv >kinds.csv
expect 1 'kinds or propensities, not both' fit kinds.csv --kind kind --propensity region "${gbdt[@]}"
expect 2 'compare' compare regions.csv --propensity region

finish
