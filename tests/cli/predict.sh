#!/bin/bash
# What dedpul predict and dedpul show make of models.
# shellcheck source=tests/cli/common.sh disable=SC2154
. "$SOURCE/tests/cli/common.sh"

gbdt=(--classifier gbdt)
add_taste() {
    awk -F, -v OFS=, '{ taste = $NF > 6 ? "good" : $NF > 5 ? "fair" : "poor"; print $0, NR == 1 ? "taste" : taste }' "$1"
}
add_taste "$table" >tasted.csv
add_taste "$new" >new.csv
expect 0 '' fit tasted.csv "${gbdt[@]}" --pn --model m.model

# New wines.
expect 0 '' predict m.model new.csv --out p.csv
check 'a summary' grep -Eqx 'new.csv: 200 rows, mean posterior 0\.[0-9]+' out.txt
check 'header' [ "$(head -1 p.csv)" = row,score,posterior ]
check 'posteriors tell red wines from white' awk -F, 'NR == FNR { red[$1] = $2; next } FNR > 1 { wrong += ($3 > 0.5) != red[$1]; n++ }
    END { exit !(n == 200 && wrong / n < 0.05) }' "$new_truth" p.csv
expect 0 '' predict m.model new.csv
check 'standard output is the same' cmp out.txt p.csv
check 'and nothing else is told' [ ! -s err.txt ]
expect 0 '' predict m.model new.csv --out q.csv --quiet
check 'quiet' [ ! -s out.txt ]
expect 0 '' predict m.model new.csv --pn --out pn.csv
check 'positives against negatives tell them too' awk -F, 'NR == FNR { red[$1] = $2; next } FNR > 1 { wrong += ($3 > 0.5) != red[$1]; n++ }
    END { exit !(n == 200 && wrong / n < 0.05) }' "$new_truth" pn.csv
for threads in 1 2 4; do
    expect 0 '' predict m.model new.csv --threads "$threads" --out t.csv
    check "$threads threads give the same" cmp t.csv p.csv
done

# The same rows in other clothes.
gzip -c new.csv >new.csv.gz
awk -F, -v OFS=, '{ line = "x"; for (i = NF; i > 0; i--) line = line OFS $i; print line }' new.csv >reordered.csv
for file in new.csv.gz reordered.csv; do
    expect 0 '' predict m.model "$file"
    check "$file: the same" cmp out.txt p.csv
done
"$DEDPUL" predict m.model - <new.csv.gz >out.txt
check 'standard input: the same' cmp out.txt p.csv
sed '2s/^[^,]*/NA/' new.csv >missing.csv
expect 0 '' predict m.model missing.csv
head -1 new.csv >none.csv
expect 0 '' predict m.model none.csv
check 'no rows: a header alone' [ "$(cat out.txt)" = row,score,posterior ]

expect 0 '' predict m.model new.csv --out -
check '- is standard output' cmp out.txt p.csv

# Columns that moved are named, and no others.
moved() { # COLUMN CELL: the rows with this cell in a column that is named; $v is the cell as it was
    awk -F, -v OFS=, -v column="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == column) c = i }
        NR > 1 { v = $c; $c = '"$2"' } { print }' new.csv >moved.csv
    expect 0 'warning: 1 of 13 columns are not as in the fit' predict m.model moved.csv --quiet --out o.csv
    check "$1: a table of one" [ "$(wc -l <err.txt) $(sed -n 3p err.txt | awk '{ print $1 }')" = "3 $1" ]
}
check 'as they are, none is' [ ! -s err.txt ]
moved alcohol 'v + 1.2' # about a standard deviation
check 'a shift: which values' grep -Eq '^  alcohol +[0-9.]+ to [0-9.]+ +[0-9.]+% +[0-9.]+%  mean 10\.[0-9]+, now 11\.[0-9]+$' err.txt
moved density 'v * 100'
check 'another unit: which values' grep -Eq '^  density +above 1\.[0-9]+ +0\.0% +100\.0%  mean 0\.99[0-9]*, now 99\.[0-9]+$' err.txt
moved ph '""'
check 'nothing is there' grep -Eqx '  ph +missing +0\.0% +100\.0%' err.txt
moved taste 'v == "poor" ? v : "odd"'
check 'levels that are new' grep -Eqx '  taste +unseen levels +0\.0% +[0-9.]+%' err.txt
# A few levels that are new are no drift, but are told. So are those of other columns than the ones that moved.
awk -F, -v OFS=, 'NR == 2 { $NF = "odd" } { print }' new.csv >odd.csv
expect 0 "1 values were not seen in the fit, the first in column 'taste'" predict m.model odd.csv --out o.csv
check 'and nothing else' [ "$(wc -l <err.txt)" -eq 1 ]
awk -F, -v OFS=, 'NR > 1 { for (i = 1; i < NF; i++) $i *= 100 } { print }' odd.csv >all.csv
expect 0 'warning: 12 of 13 columns' predict m.model all.csv --out o.csv
check 'ten of them are shown' [ "$(grep -c 'mean' err.txt) $(grep -c '^  and 2 more$' err.txt)" = '10 1' ]
check 'the level is told beside' grep -q "1 values were not seen in the fit, the first in column 'taste'" err.txt
awk -F, -v OFS=, 'NR == 1 { print $0, "side"; next } { print $0, NR % 2 ? "left" : "right" }' tasted.csv >sided.csv
awk -F, -v OFS=, 'NR == 1 { print $0, "side"; next } { $NF = "odd"; print $0, NR == 2 ? "up" : NR % 2 ? "left" : "right" }' new.csv >turned.csv
expect 0 '' fit sided.csv "${gbdt[@]}" --ensemble 1 --tree-rounds 5 --model sided.model
expect 0 'warning: 1 values in other columns were not seen in the fit' predict sided.model turned.csv --out o.csv
check 'the others are in the table' grep -Eqx '  taste +unseen levels +0\.0% +100\.0%' err.txt
head -20 new.csv | sed '2,$s/^[^,]*/999/' >few.csv
expect 0 '' predict m.model few.csv
check 'too few rows to tell' [ ! -s err.txt ]

# Columns that say nothing at fit need not be there later, and may hold anything.
awk -v OFS=, '{ print NR == 1 ? "same,empty" : "7,", $0 }' "$table" >idle.csv
expect 0 'left out' fit idle.csv "${gbdt[@]}" --ensemble 1 --model idle.model
expect 0 '' predict idle.model "$new" --out idle1.csv
awk -v OFS=, '{ print NR == 1 ? "empty,same" : "text,NA", $0 }' "$new" >idle_new.csv
expect 0 '' predict idle.model idle_new.csv --out idle2.csv
check 'columns that were left out do not count' cmp idle1.csv idle2.csv

# Models of columns with numbers for names.
if tail -n +2 "$table" | write_npy t.npy 2>/dev/null && tail -n +2 "$new" | write_npy new.npy; then
    expect 0 '' fit t.npy --label 1 "${gbdt[@]}" --model npy.model
    expect 0 '' predict npy.model new.npy --out npy.csv
    expect 0 '' predict npy.model t.npy --out all.csv
    check 'with and without the label column' [ "$(wc -l <npy.csv) $(wc -l <all.csv)" = '201 2499' ]
    cut -d, -f2- "$table" | tail -n +2 | cut -d, -f2- | write_npy narrow.npy
    expect 1 'narrow.npy has 11 columns' predict npy.model narrow.npy
fi

# Files that do not fit: a message, and no output.
no_prediction() { # TEXT ARGUMENT...
    local text=$1
    shift
    expect 1 "$text" predict "$@" --out x.csv
    check "$text: no file" nothing_left x.csv
}
cut -d, -f1-12 new.csv >narrow.csv
no_prediction "narrow.csv has no column 'taste'" m.model narrow.csv
sed '3s/^[^,]*/sour/' new.csv >sour.csv
no_prediction "sour.csv: line 3, column 'fixed_acidity': 'sour'" m.model sour.csv
{ cat new.csv; echo 1,2; } >ragged.csv
no_prediction 'ragged.csv: line 202' m.model ragged.csv
: >empty.csv
no_prediction 'empty.csv' m.model empty.csv
no_prediction 'cannot read nofile.csv: No such file or directory' m.model nofile.csv
no_prediction "threads: 'many'" m.model new.csv --threads many
expect 1 'cannot write nowhere/x.csv: No such file or directory' predict m.model new.csv --out nowhere/x.csv
expect 1 'cannot write /dev/full' predict m.model new.csv --out /dev/full
"$DEDPUL" predict m.model new.csv >/dev/full 2>err.txt
check 'a full disk is an error' [ $? -eq 1 ]
check 'it is named, once' [ "$(grep -c 'No space left on device' err.txt) $(wc -l <err.txt)" = '1 1' ]
"$DEDPUL" show m.model >/dev/full 2>err.txt
check 'show: a full disk is an error' [ $? -eq 1 ]
check 'show: it is named, once' [ "$(grep -c 'No space left on device' err.txt) $(wc -l <err.txt)" = '1 1' ]
cp new.csv rows.csv
"$DEDPUL" predict m.model - --out rows.csv <rows.csv >out.txt 2>err.txt
check 'standard input from the output is wrong usage' [ $? -eq 2 ]
check 'it says why' grep -q 'rows.csv is the input' err.txt
check 'the rows are as they were' cmp rows.csv new.csv

# Files that are not models, or not any more.
truncate -s 300M sparse.model
for file in /dev/zero sparse.model; do
    timeout 2 "$DEDPUL" show "$file" >out.txt 2>err.txt
    check "show: $file is refused at once" [ $? -eq 1 ]
    check "show: $file is not a model" grep -q 'is not a model' err.txt
    timeout 2 "$DEDPUL" predict "$file" new.csv >out.txt 2>err.txt
    check "predict: $file is refused at once" [ $? -eq 1 ]
    check "predict: $file is not a model" grep -q 'is not a model' err.txt
done
if [ -z "$SANITIZE" ] && [ -x /usr/bin/time ]; then
    /usr/bin/time -f %M -o memory.txt "$DEDPUL" show sparse.model 2>err.txt
    check 'with little memory' [ "$(tail -1 memory.txt)" -lt 100000 ]
fi
rm sparse.model
size=$(wc -c <m.model)
head -c $((size / 2)) m.model >cut.model
head -c 10 m.model >stub.model
for at in 30 $((size / 2)) $((size - 1)); do
    byte=$(tail -c +$((at + 1)) m.model | head -c 1 | od -An -tu1 | tr -d ' ')
    { head -c "$at" m.model; printf "\\x$(printf %02x $((byte ^ 1)))"; tail -c +$((at + 2)) m.model; } >"flipped$at.model"
    no_prediction 'checksum' "flipped$at.model" new.csv
done
{ head -c 8 m.model; printf '\x09'; tail -c +10 m.model; } >newer.model
{ cat m.model; echo; } >longer.model
for command in show 'predict --out x.csv'; do
    files=(new.csv)
    [ "$command" = show ] && files=()
    # shellcheck disable=SC2086
    {
        expect 1 'cut.model is cut off' $command cut.model "${files[@]}"
        expect 1 'stub.model is cut off' $command stub.model "${files[@]}"
        expect 1 'longer.model' $command longer.model "${files[@]}"
        expect 1 'new.csv is not a model' $command new.csv "${files[@]}"
        expect 1 'format 9' $command newer.model "${files[@]}"
        expect 1 'cannot read nofile.model: No such file or directory' $command nofile.model "${files[@]}"
    }
done
check 'no files' nothing_left x.csv
expect 0 '' fit "$table" "${gbdt[@]}" --tree-rounds 5 --model plain.model
expect 1 '--pn' predict plain.model new.csv --pn

# What a model is.
expect 0 '' show m.model
check 'show names the rows' grep -q '^m.model: fitted by dedpul .* on 500 labeled positive and 1998 unlabeled rows$' out.txt
check 'and the columns' grep -Eqx '  taste +one-hot, 3 levels, 3 features' out.txt
check 'and options, those that were given' grep -qx '  classifier=gbdt' out.txt
check 'and no others' [ "$(grep -c '^  rate' out.txt)" -eq 0 ]
expect 0 '' show m.model --json
check 'show --json' jq -e '.pn and .n_models == 15 and .n_features == 15 and (.columns | length) == 13 and
    .columns[12] == {"name": "taste", "use": "one-hot", "n_levels": 3, "n_features": 3} and
    .settings.folds == "5" and .settings.rate == null' out.txt

# A reader that goes away, and interrupts.
awk 'NR == 1 { print; next } { row[NR] = $0 } END { for (k = 0; k < 1000; k++) for (i in row) print row[i] }' new.csv >many.csv
check 'a closed pipe ends it' [ "$(timeout 30 "$DEDPUL" predict m.model many.csv 2>err.txt | head -2 | wc -l)" -eq 2 ]
# Rows before a bad one reach standard output, but for those that were read together with it.
{ head -9000 many.csv; echo 1,2; } >late.csv
for threads in 1 2; do
    expect 1 'late.csv: line 9001 has 2 fields' predict m.model late.csv --threads "$threads"
    check "$threads threads: whole pieces are there" [ "$(wc -l <out.txt)" -eq 8193 ]
done
no_prediction 'late.csv: line 9001' m.model late.csv
endless() { head -1 new.csv; yes "$(sed -n 2p new.csv)"; }
endless | timeout 30 env --default-signal=PIPE "$DEDPUL" predict m.model - 2>err.txt | head -1 >out.txt
check 'a reader that goes away ends it as other filters' [ "${PIPESTATUS[1]}" -eq 141 ]
check 'without a message' [ ! -s err.txt ]
endless | timeout 30 "$DEDPUL" predict m.model - >/dev/full 2>err.txt
check 'a full disk ends it' [ "${PIPESTATUS[1]}" -eq 1 ]
check 'it is named, once' [ "$(grep -c 'No space left on device' err.txt) $(wc -l <err.txt)" = '1 1' ]
set -m # else background commands ignore interrupts
mkfifo pipe
exec 9<>pipe # so that neither side waits for the other
is_at_work() { # PID: its temporary file is there, soon
    for _ in $(seq 100); do
        compgen -G ".dedpul-$1-*" && return
        sleep 0.1
    done
    return 1
}
for signal in INT:130 HUP:129 TERM:143; do
    env --default-signal="${signal%:*}" "$DEDPUL" predict m.model pipe --out x.csv >out.txt 2>err.txt 9>&- &
    pid=$!
    cat new.csv >&9
    check "$signal: it was at work" is_at_work "$pid"
    kill -"${signal%:*}" "$pid"
    wait "$pid"
    check "$signal: exit code" [ $? -eq "${signal#*:}" ]
    check "$signal: the message" grep -qx 'dedpul: interrupted' err.txt
    check "$signal: nothing is left" nothing_left x.csv
    timeout 0.1 cat <&9 >/dev/null # what it has not read
done
env --ignore-signal=HUP "$DEDPUL" predict m.model pipe --out x.csv >out.txt 2>err.txt 9>&- &
pid=$!
cat new.csv >&9
check 'nohup: it was at work' is_at_work "$pid"
kill -HUP "$pid"
exec 9>&-
wait "$pid"
check 'nohup: it goes on' [ $? -eq 0 ]
check 'nohup: the output is there' cmp x.csv p.csv
finish
