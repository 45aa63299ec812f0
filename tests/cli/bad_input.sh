#!/bin/bash
# Bad input: a clear message, exit code 1, and no file left behind.
# shellcheck source=tests/cli/common.sh disable=SC2154
. "$SOURCE/tests/cli/common.sh"

# bad TEXT CONTENT [ARGUMENT...]: a score file with that content is refused with that text.
bad() {
    local text=$1 content=$2
    shift 2
    printf "%b" "$content" >bad.csv
    expect 1 "$text" scores bad.csv --posteriors p.csv --curve c.csv --json "$@"
    if [ -s out.txt ] || compgen -G '[pc].csv' >left.txt || compgen -G '.dedpul*' >left.txt; then
        fail "$text: output or files were left: $(cat out.txt left.txt)"
        rm -f p.csv* c.csv*
    fi
}

good='label,score\n1,0.9\n0,0.1\n1,0.8\n0,0.2\n'
bad 'is empty' ''
bad 'no rows' 'label,score\n'
bad "'score'; did you mean 'scores'?" 'label,scores\n1,0.5\n'
bad "'w'" "$good" --weight w
bad "'truth'" "$good" --label truth
bad "bad.csv: line 3, column 'score': 'abc'" 'label,score\n1,0.5\n0,abc\n'
bad "line 2, column 'score': 'NaN'" 'label,score\n1,NaN\n'
bad "line 2, column 'score': '-inf'" 'label,score\n1,-inf\n'
bad "line 2, column 'score': '1.01'" 'label,score\n1,1.01\n'
bad "line 2, column 'score': ''" 'label,score\n1,\n'
bad "'maybe' (line 3)" 'label,score\n1,0.5\nmaybe,0.5\n'
bad "'fraud'" "$good" --positive fraud
bad '1 labeled positive' 'label,score\n1,0.5\n0,0.5\n0,0.6\n'
bad '0 unlabeled' 'label,score\n1,0.5\n1,0.6\n'
bad 'equal' 'label,score\n1,0.5\n0,0.5\n1,0.5\n0,0.5\n'
bad 'line 3' 'label,score\n1,0.5\n0,0.5,7\n'
bad 'quote' 'label,score\n1,"0.5\n'
bad "column 'w': '-2'" 'label,score,w\n1,0.5,-2\n' --weight w
bad 'text file' 'label,score\n1,0.5\0\n'

head -c 100000 /dev/urandom >bad.bin
expect 1 'bad.bin' scores bad.bin
head -c 100000000 /dev/zero | tr '\0' x >long.csv
expect 1 '16 MiB' scores long.csv
{ printf 'label,score\n1,0.5\n0,'; cat long.csv; } >long2.csv
expect 1 'line 3' scores long2.csv
rm -f long.csv long2.csv

gzip -c "$sample" | head -c 5000 >cut.csv.gz
expect 1 'gzip' scores cut.csv.gz
{ head -c 3000 <(gzip -c "$sample"); head -c 3000 /dev/urandom; } >broken.csv.gz
expect 1 'cannot read broken.csv.gz' scores broken.csv.gz
expect 1 'cannot read missing.csv: No such file or directory' scores missing.csv
expect 1 'cannot read .: Is a directory' scores .
expect 1 'cannot write nowhere/p.csv: No such file or directory' scores "$sample" --posteriors nowhere/p.csv
check 'no summary after a failure' [ ! -s out.txt ]
expect 1 'cannot write nowhere/p.csv' scores "$sample" --curve c.csv --posteriors nowhere/p.csv
check 'the other file is not left behind' [ ! -e c.csv ]
expect 1 'cannot write /dev/full' scores "$sample" --posteriors /dev/full
expect 1 'cannot write .: Is a directory' scores "$sample" --curve .
"$DEDPUL" scores - </dev/null >out.txt 2>err.txt
check 'empty standard input is an error' grep -q 'standard input' err.txt

# An output file that is there stays as it was until the new one is whole.
echo old >p.csv
printf 'label,score\n1,2\n' >bad.csv
expect 1 'out of range' scores bad.csv --posteriors p.csv
check 'the old file is untouched' grep -qx old p.csv
finish
