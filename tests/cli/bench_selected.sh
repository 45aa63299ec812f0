#!/bin/bash
# dedpul bench selected, on a small set that passes for pageblock.
# shellcheck source=tests/cli/common.sh disable=SC2154
. "$SOURCE/tests/cli/common.sh"

# Kinds 2 to 5 have a column each in which they are high; 1 is negative.
mkdir -p data/pageblock
awk 'function normal(  s) { s = 0; for (k = 0; k < 12; k++) s += rand(); return s - 6 }
     BEGIN { srand(1); print "a,b,c,d,target"
             for (i = 0; i < 1600; i++) { class = i < 1160 ? 1 : 2 + i % 4
                 for (j = 2; j <= 5; j++) printf "%.4f,", normal() + (j == class ? 5 : 0)
                 print class } }' >data/pageblock/pageblock.csv

expect 2 "needs --data DIR" bench selected --out results
expect 1 'pageblock.csv' bench selected --data nowhere --sets pageblock --out results
expect 1 "names none of landsat, pageblock, mnist, shuttle, wine, wine 2, mushroom and mushroom 2" bench selected --data data --sets cifar10 --out results
rm -rf results
[ "$SANITIZE" != thread ] || finish # the runs would take half an hour; those of bench.sh run side by side, too
expect 0 '' bench selected --data data --sets pageblock --repeats 1 --out results --quiet
check 'two rows for each share, selection and approach' [ "$(wc -l <results/selected.csv)" -eq 37 ]
check 'errors of all approaches' grep -qE '^\| pageblock \| 9:1 \| pooled \| 2 \| 0\.[0-9]{4} \| 0\.[0-9]{4} \| 0\.[0-9]{4} \| \| \|$' out.txt
check 'errors of all sets' grep -qE '^\| pageblock \| any \| pooled \| 4 \| 0\.[0-9]{4} \| 0\.[0-9]{4} \| 0\.[0-9]{4} \| \| \|$' out.txt
check 'a plain approach has no kinds' grep -qE '^\| pageblock \| 9:1 \| pooled \| plain \| \| [0-9]+% \| \| [0-9]+% \| [0-9.]+ \|$' out.txt
check 'kinds are judged' grep -qE '^\| pageblock \| 9:1 \| pooled \| kinds known \| 0\.[0-9]{4} \| [0-9]+% \| [0-9]+% \| [0-9]+% \| [0-9.]+ \|$' out.txt
check 'kinds that are found have other names' grep -qE '^\| pageblock \| 9:1 \| pooled \| kinds found \| \| [0-9]+% \| \| [0-9]+% \| [0-9.]+ \|$' out.txt
check 'published results' grep -q 'PULSNAR 0.016' out.txt
check 'shares as planned' awk -F, 'NR > 1 { d = $7 - $2; if (d > 0.005 || d < -0.005) exit 1 }' results/selected.csv
check 'kinds help if labels are selected' awk -F, '$3 == 9 && $5 == "pooled" { error[$6] += ($8 - $7) ^ 2 }
    END { exit !(error["known"] < error["plain"] / 2) }' results/selected.csv

# The same command has nothing left to do, and one that was stopped goes on: line 33 is the second of the six rows of a run.
cp results/selected.csv before.csv
expect 0 '' bench selected --data data --sets pageblock --repeats 1 --out results --quiet
check 'nothing is done twice' cmp before.csv results/selected.csv
head -33 before.csv >results/selected.csv
expect 0 '' bench selected --data data --sets pageblock --repeats 1 --out results --quiet
check 'what was missing is done again' diff <(cut -d, -f1-13 before.csv | sort) <(cut -d, -f1-13 results/selected.csv | sort)
check 'what was there stays' cmp <(head -33 before.csv) <(head -33 results/selected.csv)
echo 'pageblock,9,nonsense' >>results/selected.csv
expect 1 "selected.csv: line 38 is not a row of 'dedpul bench selected'" bench selected --data data --sets pageblock --out results
sed -i '5s/,[^,]*$/,x/' data/pageblock/pageblock.csv
expect 1 "column 'target' must be of numbers" bench selected --data data --sets pageblock --out other

# Labels whose chance depends on two columns of wine: a number and one of few values.
[ -z "$SANITIZE" ] || finish # which makes it slow
mkdir -p data/wine
awk 'function normal(  s) { s = 0; for (k = 0; k < 12; k++) s += rand(); return s - 6 }
     BEGIN { srand(2); print "ph,quality,residual_sugar,target"
             for (i = 0; i < 1600; i++) { red = i % 2
                 printf "%.4f,%d,%.4f,%s\n", normal() + 5 * red, 3 + i * 7 % 5, normal(), red ? "red" : "white" } }' >data/wine/wine.csv
expect 0 '' bench selected --data data --sets 'wine 2' --repeats 1 --out wines --quiet
check 'a row for each share, selection, approach and method' [ "$(wc -l <wines/selected.csv)" -eq 37 ]
check 'propensities help if labels depend on columns' awk -F, '$3 == 16 && $5 == "pooled" { error[$6] += $8 > $7 ? $8 - $7 : $7 - $8 }
    END { exit !(error["propensity"] < error["plain"] / 2 && error["values"] < error["plain"] / 2) }' wines/selected.csv
sed -i '1s/residual_sugar/sugar/' data/wine/wine.csv
expect 1 "wine.csv has no column 'residual_sugar'" bench selected --data data --sets 'wine 2' --out other

finish
