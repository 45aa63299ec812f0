#!/bin/bash
# The query that bins scores in a database: its command line, and the pipe from SQLite to 'dedpul scores'.
# shellcheck source=tests/cli/common.sh disable=SC2154
. "$SOURCE/tests/cli/common.sh"

expect 0 '' sql 'SELECT label, score FROM scored ; '
check 'the query is in it, without its semicolon' grep -qx 'SELECT label, score FROM scored' out.txt
check 'it is one for PostgreSQL' grep -q 'AS NOT MATERIALIZED' out.txt
check 'without weights, rows are counted' bash -c '! grep -q squares out.txt'
expect 0 '' sql --label 'a"b' --score 's"; DROP TABLE t; --' --weight w 'SELECT 1'
check 'names are quoted' grep -qF 'CAST(dedpul_source."a""b" AS text) AS label, CAST(dedpul_source."s""; DROP TABLE t; --" AS' out.txt
check 'with weights, there are sums of squares' grep -q 'sum(weight \* weight) AS squares' out.txt

expect 2 "'dedpul sql' needs a query in quotes" sql
expect 2 "'dedpul sql' needs a query in quotes" sql SELECT '*' FROM scored
expect 2 "unknown option '--qqqq'" sql --qqqq x
expect 1 'the query is empty' sql ' ;; '
expect 1 "dialect: 'sqlit' is not known; did you mean 'sqlite'?" sql --dialect sqlit x
expect 1 'score: the name of the column is empty' sql --score '' x

# query DIALECT-OPTIONS...: what SQLite answers to the printed query, as CSV
query() {
    "$DEDPUL" sql --dialect sqlite "$@" >query.sql && "$PYTHON" - "$sample" <<'END'
import csv, sqlite3, sys
connection = sqlite3.connect(":memory:")
connection.execute("CREATE TABLE scored (label INTEGER, score REAL)")
with open(sys.argv[1], newline="") as file:
    rows = [(int(row["label"]), float(row["score"])) for row in csv.DictReader(file)]
connection.executemany("INSERT INTO scored VALUES (?, ?)", 8 * rows)
found = connection.execute(open("query.sql").read())
writer = csv.writer(sys.stdout)
writer.writerow([column[0] for column in found.description])
writer.writerows(found)
END
}
if ! "$PYTHON" -c 'import sqlite3; sqlite3.connect(":memory:").execute("SELECT ln(2)")' 2>/dev/null; then
    echo 'This SQLite has no mathematical functions.'
    finish
fi
{
    head -n 1 "$sample"
    for _ in 1 2 3 4 5 6 7 8; do tail -n +2 "$sample"; done
} >rows.csv
check 'there are enough rows to bin' [ "$(wc -l <rows.csv)" -gt 10000 ]
for method in pooled dedpul bbe; do
    "$DEDPUL" scores rows.csv --method "$method" --json >expected.json
    query 'SELECT * FROM scored' >bins.csv
    expect 0 '' scores bins.csv --weight n --method "$method" --json
    near .alpha "$(jq .alpha expected.json)" 0.001
done
# Weights that are no counts: with their squares, the interval is that of the rows.
awk -F, -v OFS=, 'NR == 1 { print $0, "w" } NR > 1 { print $0, 0.3 }' rows.csv >weighted.csv
"$DEDPUL" scores weighted.csv --weight w --interval --json >expected.json
query --weight w 'SELECT *, 0.3 AS w FROM scored' >bins.csv
expect 0 '' scores bins.csv --weight n --squares squares --interval --json
near .alpha "$(jq .alpha expected.json)" 0.001
near .interval.high "$(jq .interval.high expected.json)" 0.002
expect 1 "there is no column 'sq'" scores bins.csv --weight n --squares sq

# Rows that cannot be used are refused, not dropped.
query 'SELECT label, CASE WHEN score > 0.5 THEN NULL ELSE score END AS score FROM scored' >bins.csv
expect 1 "column 'score'" scores bins.csv --weight n
query 'SELECT label, 100 * score AS score FROM scored' >bins.csv
expect 1 'scores lie in [0, 1]' scores bins.csv --weight n
finish
