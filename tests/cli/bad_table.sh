#!/bin/bash
# Bad tables and options of dedpul fit: a clear message, exit code 1, and no file left behind.
# shellcheck source=tests/cli/common.sh disable=SC2154
. "$SOURCE/tests/cli/common.sh"

# refused TEXT FILE [ARGUMENT...]: the file is refused with that text.
refused() {
    local text=$1
    shift
    expect 1 "$text" fit "$@" --json --model m.model --posteriors p.csv --scores s.csv --curve c.csv
    check "$text: no answer" [ ! -s out.txt ]
    check "$text: no files" nothing_left m.model p.csv s.csv c.csv
}

# bad TEXT CONTENT [ARGUMENT...]: the same for a file with that content.
bad() {
    local text=$1
    printf "%b" "$2" >bad.csv
    shift 2
    refused "$text" bad.csv "$@"
}

rows='label,x,t\n1,0.9,a\n0,0.1,b\n1,0.8,a\n0,0.2,c\n'
bad 'bad.csv is empty' ''
bad 'has a header but no rows' 'label,x\n'
bad 'bad.csv: line 3 has 1 fields, but the header names 2 columns' 'label,x\n1,2\n0\n'
bad "bad.csv: line 3, column 'x': 'inf' is not finite" 'label,x\n1,2\n0,inf\n'
bad "'-1e999' is not finite" 'label,x\n1,2\n0,-1e999\n'
bad 'there are 0 unlabeled rows' 'label,x\n1,2\n1,3\n'
bad 'there are 1 labeled positive rows' 'label,x\n1,2\n0,3\n0,4\n'
bad "holds 'maybe' (line 3)" 'label,x\n1,2\nmaybe,3\n'
bad "no row has 'red'" "$rows" --positive red
bad "there is no column 'lable'; did you mean 'label'?" "$rows" --label lable
bad "there is no column 'tt' to leave out; did you mean 't'?" "$rows" --ignore x,tt
bad "there is no column 'n'; there are 'label', 'x', 't'" "$rows" --weight n
bad "column 'x' cannot be both the weight and to be left out" "$rows" --weight x --ignore x
bad "column 'x': '-2' is out of range" 'label,x,t\n1,-2,1\n0,3,2\n' --weight x
bad 'has no columns beside' "$rows" --ignore x,t
bad 'no column' 'label,x\n1,5\n0,5\n1,5\n0,5\n'
bad "'a' is not a number" "$rows" --weight t
bad "column 't' has more than 2 distinct texts" "$rows" --max-levels 2
awk 'BEGIN { print "label,id"; for (i = 0; i < 100000; i++) print i % 2 ",text" i }' >levels.csv
refused "levels.csv: line 258, column 'id' has more than 256 distinct texts; it looks like an identifier" levels.csv
bad "line 2: '0:1' has index 0" '1 1:2\n0 0:1 2:3\n'

# npy TYPE FORTRAN BYTES: an array of 2 rows and 2 columns whose values have so many bytes.
npy() {
    local header
    header=$(printf "%-117s" "{'descr': '$1', 'fortran_order': $2, 'shape': (2, 2), }")
    { printf '\x93NUMPY\x01\x00\x76\x00%s\n' "$header"; head -c "$3" /dev/zero; } >bad.npy
}
npy '<c8' False 32
refused "bad.npy holds values of type '<c8'; save it with x.astype('float32')" bad.npy --label 1
npy '<f8' True 32
refused 'bad.npy is stored by columns (Fortran order)' bad.npy --label 1
npy '<f8' False 31
refused 'bad.npy is cut off: it ends after 1 of its 2 rows' bad.npy --label 1
npy '<f8' False 32
refused "there is no column 'label'; its columns have no names but numbers, 1 to 2" bad.npy

# A gzip file whose second member is damaged, or that has other bytes behind it, has lost rows.
head -n 1500 "$table" | gzip -c >first.gz
tail -n +1501 "$table" | gzip -c >second.gz
{ cat first.gz; head -c -8 second.gz; printf 'checksum'; } >bad.csv.gz
refused 'cannot read bad.csv.gz: incorrect data check' bad.csv.gz
{ cat first.gz; head -c 200 second.gz; } >bad.csv.gz
refused 'cannot read bad.csv.gz: the gzip file is cut off' bad.csv.gz
{ cat first.gz; tail -c +20 second.gz; } >bad.csv.gz
refused 'cannot read bad.csv.gz: its gzip data ends before byte' bad.csv.gz
{ cat first.gz; tail -n +1501 "$table"; } >bad.csv.gz
refused 'other bytes follow; fetch the file again' bad.csv.gz

# Tables that are hardly meant as they are: an answer with a warning.
fast=(--classifier logistic --ensemble 1)
awk -F, -v OFS=, 'NR > 1 && NR % 50 == 0 { $3 = "n.d." } { $3 = NR == 1 ? $3 : ($3 + 0 == $3 ? int(100 * $3) / 100 : $3); print }' "$table" >mixed.csv
expect 0 "column 'volatile_acidity' counts as text, since not all of it are numbers: 'n.d.'" fit mixed.csv "${fast[@]}"
for token in N/A '#N/A' null None; do
    sed "s|n.d.|$token|" mixed.csv >token.csv
    expect 0 '' fit token.csv "${fast[@]}"
    check "$token is missing" [ ! -s err.txt ]
done
awk -F, 'NR == 1 { print "label;a;b"; next } { printf "%s;%d,%d;%d\n", $1, $2, NR % 7, $13 }' "$table" >commas.csv
expect 0 'were read with a decimal comma' fit commas.csv "${fast[@]}"
expect 0 "column 'a' counts as text, since its numbers have commas, such as" fit commas.csv --decimal . "${fast[@]}"
awk 'NR == 1 { print; next } { print; print }' "$table" >twice.csv
expect 0 'rows repeat others' fit twice.csv "${fast[@]}"

printf 'label|x\n1|2\n0|3\n' >pipes.csv
refused "'label|x' (columns are separated by comma, semicolon or tab)" pipes.csv

# Values of options.
refused "layers: '5x' is not a list of at most 9 widths" "$table" --layers 5x
refused "layers: '0'" "$table" --layers 0
refused "folds: '1' is not a whole number from 2 to 100" "$table" --folds 1
refused "max-levels: '0' is not a whole number from 1 to 1000000" "$table" --max-levels 0
refused "max-levels: '-3' is not" "$table" --max-levels -3
refused "dropout: '1' is not a share" "$table" --dropout 1
refused "tree-depth: '99' is not" "$table" --tree-depth 99
refused "encode: 'both' is not onehot|ordinal" "$table" --encode both
refused "preset: 'papr' is not default|paper" "$table" --preset papr
refused "unknown classifier 'gbtd'; did you mean 'gbdt'?" "$table" --classifier gbtd
refused "unknown method 'dedpool'" "$table" --method dedpool

# Files that cannot be written are told of before the work, and then none is written.
for path in nowhere/f . "$table/f"; do
    expect 1 "cannot write $path: " fit "$table" --epochs 1000000 --posteriors p.csv --model "$path"
    check "$path: no files" nothing_left p.csv
done
echo old >p.csv
printf 'label,x\n1,2\n0,inf\n' >bad.csv
expect 1 'is not finite' fit bad.csv --posteriors p.csv
check 'the old file is untouched' grep -qx old p.csv
rm p.csv
expect 1 'cannot write /dev/full' fit "$table" --classifier gbdt --scores /dev/full
check 'no summary after a failure' [ ! -s out.txt ]
expect 1 'cannot read missing.csv: No such file or directory' fit missing.csv
head -c 100000 /dev/urandom >random.bin
expect 1 'random.bin' fit random.bin
mkdir -p data/concrete
printf 'a,b\n1,x\n2,y\n' >data/concrete/concrete.csv
expect 1 "the last column, 'b', holds the target and must be of numbers" bench datasets --data data --sets concrete --out bench
finish
