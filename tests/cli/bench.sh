#!/bin/bash
# Runs of dedpul bench: the same whatever the threads, and whatever stopped them.
# shellcheck source=tests/cli/common.sh disable=SC2154
. "$SOURCE/tests/cli/common.sh"

# without_seconds DIRECTORY: seconds are the only column that may differ. Names of sets have a comma.
without_seconds() { cut -d, -f1-13,15- "$1/results.csv"; }
same() { diff <(without_seconds "$1") <(without_seconds "$2"); }
grid=(synthetic --preset paper --alphas '0.05,0.75' --methods 'dedpul,learned,dedpul_bbe,en_e3,bbe' --quiet)

if [ -n "$SANITIZE" ]; then # which makes all of it slow: one set, and each kind of method
    expect 0 '' bench "${grid[@]}" --sets 'L(2,1)' --out one --repeats 2 --threads 1
    expect 0 '' bench "${grid[@]}" --sets 'L(2,1)' --out two --repeats 2 --threads 2
    check 'the same on two threads' same one two
    expect 0 '' bench "${grid[@]}" --sets 'L(2,1)' --out one --repeats 3 --threads 2
    check 'it goes on' grep -q '^2 runs done, 4 were done before' out.txt
    expect 0 '' bench synthetic --preset paper --alphas 0.05 --sets 'L(0,2)' --repeats 1 --methods scores,nnpu_brier --epochs 3 --out all
    finish
fi

# Any number of threads.
expect 0 '' bench "${grid[@]}" --out one --repeats 2 --threads 1
check 'what was done' grep -q '^20 runs done, 0 were done before' out.txt
check 'a header and a row for each run and method' [ "$(wc -l <one/results.csv)" -eq 101 ]
check 'the header' grep -qx 'setting,set,alpha,target,repeat,method,estimate,abs_error,posterior_mae,error,f1,roc_auc,seconds,low,high,log_loss,brier,calibration,plain_log_loss,auc_gap,auc_held,precision_gap,precision_held,recall_gap,recall_held,f1_gap,f1_held,asked_precision,curve_precision_gap,curve_recall_gap' one/results.csv
check 'a row' grep -qE '^synthetic/paper,"L\(1,1\)",0.05,0.399485,0,dedpul(,[01]\.[0-9]{6}){6},[0-9.]+,,(,[01]\.[0-9]{6}){3},,,,,,,,,,,,$' one/results.csv
check 'a row with an interval and plain posteriors' \
    grep -qE '^synthetic/paper,"L\(1,1\)",0.05,0.399485,0,learned(,[01]\.[0-9]{6}){6},[0-9.]+(,[01]\.[0-9]{6}){6},,,,,,,,,,,$' one/results.csv
check 'bbe says nothing of posteriors' grep -qE ',bbe(,[01]\.[0-9]{6}){2},,,,,[0-9.]+,,,,,,,,,,,,,,,,,$' one/results.csv
check 'intervals are around the estimate' awk -F, '$7 == "learned" { n++; bad += !($15 < $8 && $8 < $16) } END { exit !(n == 20 && bad == 0) }' one/results.csv
check 'plain posteriors are others, and worse' awk -F, '$7 == "learned" { mean += $17; plain += $20 } END { exit !(mean < plain) }' one/results.csv
check 'the accuracy is that of the method' awk -F, '$7 == "dedpul" { sum += $9; n++ } END { exit !(n == 20 && sum / n < 0.06) }' one/results.csv
expect 0 '' bench "${grid[@]}" --out two --repeats 2 --threads 2
check 'the same on two threads' same one two

# Stopped at any moment, it goes on, and half a line does no harm.
"$DEDPUL" bench "${grid[@]}" --out killed --repeats 2 --threads 2 >killed.txt 2>&1 &
process=$!
until [ "$(cat killed/results.csv 2>/dev/null | wc -l)" -gt 20 ] || ! kill -0 "$process" 2>/dev/null; do sleep 0.01; done
kill -9 "$process" 2>/dev/null
wait "$process" 2>/dev/null
check 'something is there' [ "$(wc -l <killed/results.csv)" -gt 20 ]
printf 'synthetic/paper,"L(0,4)",0.75,0.8125,1,dedp' >>killed/results.csv
expect 0 '' bench "${grid[@]}" --out killed --repeats 2 --threads 2
check 'only what was missing was done' grep -qE '^[0-9]+ runs done, [1-9][0-9]* were done before' out.txt
check 'the same in the end' same one killed
cp one/results.csv before.csv
expect 0 '' bench "${grid[@]}" --out one --repeats 2
check 'nothing to do' grep -q '^0 runs done, 20 were done before' out.txt
check 'and nothing done' cmp before.csv one/results.csv
"$DEDPUL" bench "${grid[@]}" --out stopped --repeats 100 --threads 1 >stopped.txt 2>stopped.err &
process=$!
until [ -s stopped/results.csv ] || ! kill -0 "$process" 2>/dev/null; do sleep 0.01; done
expect 1 "another 'dedpul bench' is writing stopped/results.csv" bench "${grid[@]}" --out stopped
kill -INT "$process"
wait "$process"
check 'interrupted' [ $? -eq 130 ]
check 'it says what is left' grep -q 'the same command goes on from there' stopped.err

# Progress on a terminal.
if command -v script >/dev/null; then
    TERM=xterm script -qec "'$DEDPUL' bench synthetic --out seen --preset paper --repeats 2 --methods dedpul" seen.txt >/dev/null
    check 'runs, time and time left' grep -qE 'runs \[#+ *\] [0-9]+/70, 0:[0-9]{2}, about 0:[0-9]{2} left' seen.txt
fi

# More methods on the same samples; options of the fit are part of the setting.
expect 0 '' bench synthetic --preset paper --alphas 0.05 --sets 'L(0,2)' --repeats 1 --methods dedpul,tice,nnpu_brier --out one
check 'rows are added' [ "$(wc -l <one/results.csv)" -eq 103 ]
check 'nnpu says nothing of alpha' grep -qE '"L\(0,2\)",0.05,[0-9.]+,0,nnpu_brier,,,0\.' one/results.csv
check 'tice says nothing of posteriors' grep -qE '"L\(0,2\)",0.05,[0-9.]+,0,tice,[0-9.]+,[0-9.]+,,,,,' one/results.csv
expect 0 '' bench synthetic --sets 'L(2,1)' --alphas 0.5 --repeats 1 --methods dedpul --layers 8,8 --epochs 9 --ensemble 1 --seed 3 --out other
check 'the setting' grep -q '^"synthetic/default+ensemble=1+epochs=9+layers=8,8+seed=3","L(2,1)",' other/results.csv

expect 0 '' bench synthetic --preset paper --alphas 0.05 --sets 'L(4,1)' --repeats 1 --methods scores --out all
check 'all methods on scores' diff <(cut -d, -f7 all/results.csv | tail -n +2) <("$DEDPUL" bench --help |
    sed -n '/^Methods:/,/^$/s/^  \([a-z_0-9]*\) .*/\1/p' | grep -vE '^(tice|km[12]|nnpu_.*|upu|tedn)$')

# Kept scores: a run that finds them trains nothing. If those of two repeats are swapped, so are the estimates.
kept=(synthetic --preset paper --alphas 0.5 --sets 'L(2,1)' --repeats 2 --methods dedpul --quiet --scores kept)
estimates() { cut -d, -f8 "$1/results.csv" | tail -n +2; }
expect 0 '' bench "${kept[@]}" --out kept_first
check 'a file for each run' [ "$(find kept -name '*.logits' -size 88000c | wc -l)" -eq 2 ]
expect 0 '' bench "${kept[@]}" --out kept_again
check 'the same rows' same kept_first kept_again
file='kept/synthetic_paper L(2,1) 0.5'
mv "$file 0.logits" x && mv "$file 1.logits" "$file 0.logits" && mv x "$file 1.logits"
expect 0 '' bench "${kept[@]}" --out kept_swapped
check 'the repeats differ' [ "$(estimates kept_first | sort -u | wc -l)" -eq 2 ]
check 'and are swapped' diff <(estimates kept_first | tac) <(estimates kept_swapped)
truncate -s -1 "$file 1.logits"
expect 1 "$file 1.logits does not hold 11000 logits: remove it" bench "${kept[@]}" --out kept_bad
expect 1 'cannot make the directory /nonexistent/kept' bench "${kept[@]}" --scores /nonexistent/kept --out kept_bad
rm -r kept kept_*

# Data sets from a directory: here, one made up.
mkdir -p data/concrete
awk 'BEGIN { srand(1); print "a,b,target"; for (i = 0; i < 1030; i++) { y = 2 * (i % 2) * 8; print y / 6 + rand() "," rand() "," 30 + y + rand() } }' >data/concrete/concrete.csv
expect 0 '' bench datasets --data data --sets concrete --alphas 0.5 --repeats 1 --methods dedpul,km2 --preset paper --out sets
check 'its rows' [ "$(wc -l <sets/results.csv)" -eq 3 ]
check 'the share is found' awk -F, 'NR > 1 { worst = $8 > worst ? $8 : worst } END { exit !(worst < 0.1) }' sets/results.csv

# Mistakes.
expect 2 "say which" bench
expect 2 "say which" bench everything
expect 2 "needs --out DIR" bench synthetic
expect 2 "needs --data DIR" bench datasets --out x
expect 2 "unknown option '--setz'" bench synthetic --out x --setz 1
expect 1 "sets: there is no 'L(3,1)'" bench synthetic --out x --sets 'L(3,1)'
expect 1 "alphas: '0.3' is no share" bench synthetic --out x --alphas 0.3
expect 1 "methods: there is no 'dedpull'; did you mean 'dedpul'" bench synthetic --out x --methods dedpull
expect 1 "repeats: '0' is not" bench synthetic --out x --repeats 0
expect 1 "epochs: 'many'" bench synthetic --out x --epochs many
expect 1 "preset" bench synthetic --out x --preset papier
expect 1 "the name of the setting" bench synthetic --out x --decay "0.$(printf '%0150d' 1)"
expect 1 "data/wine/wine.csv" bench datasets --data data --sets concrete,wine --out x
check 'nothing was begun' [ ! -e x ]
mkdir foreign && echo 'a,b' >foreign/results.csv
expect 1 "does not begin with the header" bench synthetic --out foreign
check 'and is left alone' [ "$(cat foreign/results.csv)" = 'a,b' ]
expect 1 "cannot" bench synthetic --out /nonexistent/directory
finish
