#!/bin/bash
# What dedpul compare answers.
# shellcheck source=tests/cli/common.sh disable=SC2154
. "$SOURCE/tests/cli/common.sh"
[ "$SANITIZE" != thread ] || exit 77 # test_compare is about threads, and this takes minutes then

quick=(--layers 16 --rate 0.02 --epochs 60 --patience 3 --ensemble 1 --resamples 30)
head -601 "$table" >short.csv
methods=$("$DEDPUL" fit --help | sed -n '/^Methods:/,/^$/s/^  \([a-z_0-9]*\) .*/\1/p')
check 'there are methods' [ "$(wc -w <<<"$methods")" -ge 16 ]

# For people: a line for each method, in the order of the list.
expect 0 '' compare short.csv "${quick[@]}"
check 'nothing but the answer' [ -z "$err" ]
check 'the file and its rows' grep -qE '^short.csv: [0-9]+ labeled positive and [0-9]+ unlabeled rows$' out.txt
check 'the scores' grep -qE '^Scores by mlp [+] gbdt in [0-9.]+ s; AUC 0\.[0-9]{4}, labeled against unlabeled$' out.txt
check 'the heading' grep -qE '^  method +alpha +95% interval +AUC +precision +seconds +note$' out.txt
check 'every method, in order' diff <(sed -nE 's/^  ([a-z_0-9]+) +[01]\.[0-9]{4} .*/\1/p' out.txt) <(echo "$methods")
check 'an interval and seconds' grep -qE '^  pooled +0\.[0-9]{4}  [01]\.[0-9]{4} to [01]\.[0-9]{4}( +[01]\.[0-9]{4}){2} +[0-9.]+$' out.txt
check 'no interval from features' grep -qE '^  km2 +0\.[0-9]{4} {18,}[01]\.[0-9]{4} ' out.txt
check 'no AUC of networks' grep -qE '^  upu +0\.[0-9]{4} +- +- +[0-9.]+ ' out.txt
check 'notes' grep -qE '^  nnpu .* the share it calls positive, given alpha 0\.[0-9]{4}$' out.txt
check 'a verdict' grep -qE '^(None differs from pooled|Differ from pooled \(0\.[0-9]{4}\)) by more than their uncertainty' out.txt

# For programs: an array of objects.
expect 0 '' compare "$table" "${quick[@]}" --methods learned,dedpul,en_e1,km2,nnpu,tedn --json
check 'nothing but the answer' [ -z "$err" ]
check 'objects by method' jq -e '[.[].method] == ["learned", "dedpul", "en_e1", "km2", "nnpu", "tedn"]' out.txt
check 'each with its numbers' jq -e 'all(.alpha >= 0 and .alpha <= 1 and .seconds >= 0 and (.differs | type) == "boolean" and
    has("low") and has("high") and (has("error") | not))' out.txt
check 'intervals of methods on scores' jq -e '(.[:3] | all(.low <= .alpha and .alpha <= .high and .low < .high)) and
    (.[3:] | all(.low == null and .high == null))' out.txt
check 'how good the scores are' jq -e 'all(.[:4][]; .auc.value > 0.9 and .auc.value <= 1 and .average_precision.value > 0.8 and
    .precision.value > 0.5) and (.[0].auc | .low < .value and .value < .high) and .[1].auc.low == null and
    all(.[4:][]; .auc == null and .precision == null) and all(.[]; .classifier == "mlp + gbdt")' out.txt
for index in 0 1 3 4 5; do
    near ".[$index].alpha" 0.5 0.1
done
check 'a note' jq -e '.[4].note | test("given alpha 0")' out.txt
cp out.txt first.json
without_seconds() { jq 'map(del(.seconds))' "$1"; }
for threads in 1 4; do
    expect 0 '' compare "$table" "${quick[@]}" --methods tedn,nnpu,km2,en_e1,dedpul,learned,learned --json --threads "$threads"
    check "the same with $threads threads, in any order" diff <(without_seconds first.json) <(without_seconds out.txt)
done
expect 0 '' fit "$table" "${quick[@]}" --method km2 --json
check 'as fit does' [ "$(jq .alpha out.txt)" = "$(jq '.[3].alpha' first.json)" ]
check 'the default method is what others are held against' [ "$(jq '.[0].differs' first.json)" = false ]
"$DEDPUL" compare - --methods en_e1 --json "${quick[@]}" <"$table" >out.txt
check 'standard input answers the same' diff <(without_seconds out.txt) <(jq 'map(select(.method == "en_e1") | del(.seconds) | .differs = false)' first.json)

# Without --resamples, the interval of the default method comes from alpha's distribution.
trees=(--classifier gbdt --tree-rounds 20 --ensemble 1)
expect 0 '' compare "$table" "${trees[@]}" --methods pooled --json
cp out.txt own.json
expect 0 '' fit "$table" "${trees[@]}" --interval --json
check 'it is that of fit --interval' jq -e --slurpfile own own.json '.interval.resamples == 0 and
    [.interval.low, .interval.high] == [$own[0][0].low, $own[0][0].high]' out.txt
expect 0 '' compare "$table" "${trees[@]}" --methods pooled --resamples 30 --json
check 'with resamples it is another' jq -e --slurpfile own own.json '.[0].alpha == $own[0][0].alpha and .[0].low != $own[0][0].low' out.txt

# Those that train networks can be left out.
expect 0 '' compare short.csv "${quick[@]}" --methods fast --json
check 'fast ones' diff <(jq -r '.[].method' out.txt) <(grep -vxE 'nnpu|upu|tedn' <<<"$methods")

# Classifiers side by side, by one method.
expect 0 '' compare "$table" "${quick[@]}" --classifiers logistic,gbdt
check 'the alpha of all' grep -qE '^AUC, .* for alpha 0\.[0-9]{4}, that of (gbdt|logistic), which is best by its own alpha$' out.txt
check 'their heading' grep -qE '^  classifier +alpha +95% interval +AUC +95% range +av. precision +precision +seconds +note$' out.txt
range='[01]\.[0-9]{4} to [01]\.[0-9]{4}'
check 'their lines' [ "$(grep -cE "^  (gbdt|logistic) +0\.[0-9]{4}  $range +0\.[0-9]{4} +$range( +[01]\.[0-9]{4}){2} +[0-9.]+" out.txt)" -eq 2 ]
check 'the best' grep -qE '^The highest AUC is that of (gbdt|logistic) \(0\.[0-9]{4}\)\.$' out.txt
check 'the other' grep -qE '^(Not lower|Lower) by more than chance: (gbdt|logistic) \(0\.[0-9]{4}\)\.$' out.txt
expect 0 '' compare "$table" "${quick[@]}" --classifiers logistic,gbdt --method learned --json
cp out.txt two.json
check 'objects by classifier' jq -e '[.[].classifier] == ["gbdt", "logistic"] and all(.[]; .method == "learned" and .auc.low < .auc.value and
    .average_precision.value > 0.5 and .auc_unlabeled > 0.5 and (.worse | type) == "boolean" and (has("differs") | not))' out.txt
check 'one is best' jq -e '(map(select(.best)) | length) == 1 and (max_by(.auc.value) | .best and .chance == null and (.worse | not)) and
    (min_by(.auc.value) | .chance >= 0 and .chance <= 1)' out.txt
expect 0 '' fit "$table" "${quick[@]}" --classifier gbdt --method learned --json
check 'alpha is that of fit' [ "$(jq .alpha out.txt)" = "$(jq '.[0].alpha' two.json)" ]
expect 0 '' compare short.csv "${quick[@]}" --classifiers all --json
check 'all that the table allows' jq -e '[.[].classifier] == ["mlp", "gbdt", "logistic", "blend"]' out.txt
expect 0 '' compare short.csv "${quick[@]}" --classifiers conv,logistic
check 'one that fails leaves the others' grep -qE '^  conv +failed .*image' out.txt
check 'which are compared' grep -q '^  logistic  *0\.' out.txt

# Methods that fail leave a message; only when all do, the command fails too.
huge=(--classifier gbdt --tree-rounds 10 --layers "16384,16384,16384" --epochs 100000)
expect 0 '' compare short.csv "${huge[@]}" --methods dedpul,nnpu --json
check 'an error' jq -e '.[0].alpha > 0 and (.[0] | has("error") | not) and .[1].alpha == null and
    (.[1].error | test("nnpu")) and (.[1] | has("differs") | not)' out.txt
expect 0 '' compare short.csv "${huge[@]}" --methods dedpul,nnpu
check 'in the table too' grep -qE '^  nnpu +failed .* nnpu' out.txt
expect 1 'nnpu' compare short.csv "${huge[@]}" --methods upu,nnpu
check 'no answer' [ -z "$out" ]

# No verdict where there is nothing to hold others against.
for what in '--methods dedpul,bbe' '--methods pooled'; do
    # shellcheck disable=SC2086
    expect 0 '' compare short.csv "${quick[@]}" $what
    check "no verdict with $what" [ "$(grep -ci 'differ' out.txt)" -eq 0 ]
done

# Nor where there are too few rows to know how uncertain the estimates are.
{ head -1 "$table"; grep '^1,' "$table" | head -20; grep '^0,' "$table" | head -5; } >few.csv
expect 0 '' compare few.csv "${quick[@]}" --methods pooled,bbe,tice
check 'no intervals from few rows' [ "$(grep -cE 'to [01]\.|[Dd]iffer' out.txt)" -eq 0 ]
check 'which is said' grep -q '^There are too few rows, or resamples, to tell how uncertain these are' out.txt

# tedn has an alpha of its own, whatever D(alpha) looks like.
expect 0 '' fit few.csv "${quick[@]}" --method dedpul --json
check 'no root' jq -e '.rule == "max_slope" and any(.warnings[]; .code == "trivial_root")' out.txt
expect 0 '' fit few.csv "${quick[@]}" --method tedn --json
check 'a formula without a warning' jq -e '.rule == "formula" and all(.warnings[]; .code != "trivial_root")' out.txt

# Doubts about the table come with both kinds of answers.
awk -F, -v OFS=, '{ print $0, NR == 1 ? "same" : "7" }' short.csv >same.csv
expect 0 "'same' (constant) [dropped_columns]" compare same.csv "${quick[@]}" --methods dedpul,bbe
expect 0 "'same' (constant) [dropped_columns]" compare same.csv "${quick[@]}" --methods dedpul,bbe --json
check 'the JSON is whole' jq -e 'length == 2' out.txt

# A line per epoch, and per method.
expect 0 'mlp 1/3 loss 0.' compare short.csv --layers 8 --epochs 3 --methods dedpul,upu -v --json
check 'lines' [ "$(grep -cvE '^(dedpul: warning: .*epoch_limit.|methods [0-9]+/2|(mlp|gbdt|upu) [0-9]+/[0-9]+ loss -?[0-9.]+( \*)?)$' err.txt)" -eq 0 ]
check 'of each method' [ "$(grep -c '^methods' err.txt)" -eq 2 ]

# On a terminal it shows which of them it is at, and how long all may take.
if script -qec true /dev/null >/dev/null 2>&1 </dev/null; then
    clock='' left=''
    if [ -z "$SANITIZE" ]; then # short work is made to look long, so that the time left is shown
        clock="LD_PRELOAD=$BUILD/tests/libfast_clock.so CLOCK_FACTOR=1000" left=', about [0-9]*:[0-9][0-9] left'
    fi
    TERM=xterm script -qec "$clock '$DEDPUL' compare short.csv ${quick[*]} --methods dedpul,upu --json" bar.txt >/dev/null </dev/null
    check 'which method' grep -q $'\r.*2 of 2: upu \\[.*\\] [0-9]*/60, [0-9]*:[0-9][0-9]'"$left" bar.txt
    TERM=xterm script -qec "$clock '$DEDPUL' compare short.csv ${quick[*]} --classifiers logistic,gbdt --json" bar.txt >/dev/null </dev/null
    check 'which classifier' grep -q $'\r.*1 of 2: gbdt \\[.*\\] [0-9]*/[0-9]*, [0-9]*:[0-9][0-9]'"$left" bar.txt
fi

# What is wrong is said.
expect 1 "'km3'; did you mean 'km1'?" compare short.csv --methods dedpul,km3
expect 1 "'dedpul'," compare short.csv --methods ''
expect 1 "methods: " compare short.csv --methods dedpul,
expect 1 "classifiers: there is no 'logistics'; did you mean 'logistic'?" compare short.csv --classifiers gbdt,logistics
expect 1 "unknown method 'pool'; did you mean 'pooled'?" compare short.csv --classifiers gbdt --method pool
expect 1 'method upu trains networks of its own' compare short.csv --classifiers gbdt --method upu
expect 2 '--method goes with --classifiers' compare short.csv --method dedpul
expect 2 '--methods does not go with --classifiers' compare short.csv --classifiers gbdt --methods all
expect 2 '--classifier does not go with --classifiers' compare short.csv --classifiers gbdt --classifier mlp
expect 1 'missing.csv' compare missing.csv
expect 1 "did you mean 'gbdt'?" compare short.csv --classifier gdbt
expect 1 'labeled positive rows' compare <(grep -v '^1,' short.csv) --classifier gbdt
expect 1 'max-levels' compare short.csv --max-levels no
expect 2 'no file given' compare
expect 2 'more than one file given' compare short.csv short.csv
expect 2 "unknown option '--pn'" compare short.csv --pn
expect 2 "unknown option '--model'" compare short.csv --model x
expect 2 "unknown option '--interval'" compare short.csv --interval # intervals are there anyway

expect 0 '' compare --help
check 'the help begins with the usage' [ "$(head -1 out.txt)" = 'Usage: dedpul compare [OPTION...] FILE' ]
for word in $methods; do
    check "the help tells of $word" grep -qE "^  $word " out.txt
done
check 'options of a fit, but for one method' [ "$(grep -cE '^  --(methods|epochs|seed) ' out.txt) $(grep -cE '^  --(pn|model|alpha) ' out.txt)" = '3 0' ]
finish
