#!/bin/bash
# --id: identifiers are kept as they are, in every file of rows, in JSON and in the report, and are no feature.
# shellcheck source=tests/cli/common.sh disable=SC2154,SC2016
. "$SOURCE/tests/cli/common.sh"

fast=(--classifier logistic)
# Identifiers with commas, quotes, blanks, newlines, letters of other encodings, or none at all.
awk 'BEGIN { print "\"who \"\"exactly\"\"\",x,y,label"
    id[0] = "p%d"; id[1] = "\"a, \"\"%d\"\"\""; id[2] = " q%d "; id[3] = "\"two\nlines %d\""; id[4] = "%.0s"; id[5] = "\xe9<b>%d"; id[6] = "=%d;"
    for (i = 0; i < 420; i++)
        printf id[i % 7] ",%.4f,%.4f,%d\n", i, i * 6181 % 9973 / 9973 + 0.7 * (i % 2), i * 7549 % 9967 / 9967, i % 4 == 1 }' >table.csv
cut_id() { "$PYTHON" -c 'import csv, sys
rows = csv.DictReader(open(sys.argv[1], newline="", encoding="latin1"))
for row in rows:
    if len(sys.argv) < 3 or row[sys.argv[2]] == sys.argv[3]:
        print(repr(row["who \"exactly\""]))' "$@"; }
cut_id table.csv >all.txt
cut_id table.csv label 0 >unlabeled.txt
check 'the table was understood' [ "$(wc -l <all.txt)" -eq 420 ]

expect 0 '' fit table.csv --id 'who "exactly"' "${fast[@]}" --model m.model --posteriors p.csv --scores s.csv --report r.html --json
check 'posteriors: the name' [ "$(head -n 1 p.csv)" = '"who ""exactly""",row,score,ratio,posterior' ]
check 'posteriors: identifiers' diff <(cut_id p.csv) unlabeled.txt
check 'scores: the name' [ "$(head -n 1 s.csv)" = '"who ""exactly""",row,label,score' ]
check 'scores: identifiers' diff <(cut_id s.csv) all.txt
check 'JSON has the highest rows' jq -e '(.top | length) == 50 and .top == (.top | sort_by(-.posterior, -.score)) and ([.top[] | .id] | any(startswith("?<b>")) and any(startswith("two\nlines")))' out.txt
check 'each with its own identifier' jq -e 'all(.top[] | select(.id | test("^p")); .id == "p" + (.row - 1 | tostring))' out.txt
check 'the report names the column' grep -qF '<th scope="col" class="text long">who &quot;exactly&quot;</th><th scope="col">row</th>' r.html
check 'the report has identifiers that stay text' grep -qE '<td class="text long">(\?&lt;b&gt;|a, &quot;)[0-9]+' r.html
check 'the report says how to sort' grep -qF 'By posterior, then by score' r.html
mv out.txt with.json

expect 0 '' fit table.csv --ignore 'who "exactly"' "${fast[@]}" --model without.model --posteriors without.csv --json
check 'an identifier is no feature: the same model' cmp m.model without.model
check 'the same answer' diff <(jq 'del(.top)' with.json) <(jq . out.txt)
check 'without it, JSON has no rows' jq -e 'has("top") | not' out.txt
check 'without it, files are as they were' [ "$(head -n 1 without.csv)" = row,score,ratio,posterior ]
check 'beside it, columns are the same' diff <("$PYTHON" -c 'import csv
for row in csv.reader(open("p.csv", newline="", encoding="latin1")): print(",".join(row[1:]))') without.csv

# Scores that were saved are read again.
expect 0 '' scores s.csv --id 'who "exactly"' --posteriors again.csv --report again.html
check 'posteriors of saved scores' diff <(cut_id again.csv) unlabeled.txt
expect 0 '' evaluate s.csv --id 'who "exactly"' --report evaluated.html
check 'the page of an evaluation' grep -qF '<th scope="col" class="text long">who &quot;exactly&quot;</th>' evaluated.html
expect 0 '' evaluate m.model table.csv --id 'who "exactly"' --report evaluated.html
check 'the page of a model on rows' grep -qF '<th scope="col" class="text long">who &quot;exactly&quot;</th>' evaluated.html
expect 1 '--id is about rows or scores, but m.model is a model' evaluate m.model --id x

# Predictions: at once, and when all rows are known; the file is longer than a piece.
head -n 1 table.csv >long.csv
for _ in $(seq 50); do tail -n +2 table.csv >>long.csv; done
cut_id long.csv >long.txt
expect 0 '' predict m.model long.csv --id 'who "exactly"' --out new.csv
check 'predictions: the name' [ "$(head -n 1 new.csv)" = '"who ""exactly""",row,score,posterior' ]
check 'predictions: identifiers' diff <(cut_id new.csv) long.txt
expect 0 '' predict m.model long.csv --id 'who "exactly"' --alpha auto --top 5 --out auto.csv
check 'predictions that wait: identifiers' diff <(cut_id auto.csv) long.txt
expect 0 '' predict m.model long.csv --out plain.csv
check 'the same predictions' diff <("$PYTHON" -c 'import csv
for row in csv.reader(open("new.csv", newline="", encoding="latin1")): print(",".join(row[1:]))') plain.csv
expect 1 "there is no column 'whom'" predict m.model long.csv --id whom
expect 1 "column 'x' cannot be both the identifier and a column that the model needs" predict m.model long.csv --id x

# A name that our own columns have.
printf 'row,label,score\n' >rows.csv
awk 'BEGIN { for (i = 0; i < 100; i++) printf "r%d,%d,%.4f\n", i, i % 3 == 0, (i * 37 % 100 + 1 + 20 * (i % 3 == 0)) / 130 }' >>rows.csv
expect 0 '' scores rows.csv --id row --posteriors q.csv
check 'a name that is taken' [ "$(head -n 2 q.csv | cut -d, -f1,2 | tr '\n' ' ')" = 'id,row r1,2 ' ]
expect 1 "there is no column 'patient'; there are 'row', 'label', 'score'. Name the column of identifiers (--id COL)" scores rows.csv --id patient
expect 1 "column 'score' cannot be both the score and the identifier" scores rows.csv --id score
expect 1 "column 'label' cannot be both the label and the identifier" compare table.csv --id label
finish
