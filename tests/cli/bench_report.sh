#!/bin/bash
# The report on results: summary, tables, figures; without gnuplot; results that make no sense.
# shellcheck source=tests/cli/common.sh disable=SC2154
. "$SOURCE/tests/cli/common.sh"

# As earlier versions wrote it.
header=setting,set,alpha,target,repeat,method,estimate,abs_error,posterior_mae,error,f1,roc_auc,seconds
middle_header=$header,low,high,log_loss,brier,calibration,plain_log_loss
new_header=$middle_header,auc_gap,auc_held,precision_gap,precision_held,recall_gap,recall_held,f1_gap,f1_held,asked_precision,curve_precision_gap,curve_recall_gap

# results KIND: all synthetic cells, or two data sets in two settings; three repeats with known errors.
results() {
    awk -v kind="$1" -v header="$header" '
        function row(setting, set, alpha, method, repeat, error, quoted) {
            printf "%s,%s,%s,%s,%d,%s,%.6f,%.6f,%.6f,%.6f,0.9,0.9,0.5\n", setting, set, alpha, alpha, repeat,
                method, alpha, error, error, error
        }
        function rows(setting, set, alpha, better) {
            for (repeat = 0; repeat < 3; repeat++) {
                spread = 0.001 * (repeat - 1)
                row(setting, set, alpha, "dedpul", repeat, 0.01 * better + 0.002 * alpha + spread)
                row(setting, set, alpha, "dedpul_gmm", repeat, 0.015 + 0.001 * alpha + spread)
                row(setting, set, alpha, "en_e3", repeat, 0.02 + 0.003 * alpha + spread)
                if (set != "wine")
                    row(setting, set, alpha, "km2", repeat, 0.9)
            }
        }
        BEGIN {
            print header
            n = split(kind == "synthetic" ? "0.01 0.05 0.25 0.5 0.75 0.95 0.99" : "0.05 0.25 0.5 0.75 0.95", alpha, " ")
            m = split(kind == "synthetic" ? "L(1,1) L(2,1) L(4,1) L(0,2) L(0,4)" : "bank wine mnist", set, " ")
            for (s = 1; s <= m; s++)
                for (a = 1; a <= n; a++)
                    if (kind == "synthetic")
                        rows("synthetic/paper", "\"" set[s] "\"", alpha[a], 1)
                    else {
                        rows("datasets/paper", set[s], alpha[a], 1)
                        if (set[s] != "mnist")
                            rows("datasets/default+classifier=gbdt", set[s], alpha[a], 0.5)
                    }
        }'
}

# well_formed FILE...: XML, where there is a parser; else at least whole.
well_formed() {
    local file
    for file in "$@"; do
        if command -v python3 >/dev/null; then
            python3 -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])' "$file" || return 1
        else
            tail -1 "$file" | grep -q '</svg>' || return 1
        fi
    done
}

# embedded DIRECTORY: each figure that the report shows is there, and as PNG too.
embedded() {
    local figure
    [ "$(grep -c '^!\[' "$1/report.md")" -gt 0 ] || return 1
    grep -o '(figures/[^)]*)' "$1/report.md" | tr -d '()' | while read -r figure; do
        [ -s "$1/$figure" ] && [ "$(head -c 4 "$1/${figure%.svg}.png" | tail -c 3)" = PNG ] || exit 1
    done
}

mkdir synthetic datasets
results synthetic >synthetic/results.csv
results datasets >datasets/results.csv

# ---- without gnuplot ----
mkdir bare
cp synthetic/results.csv bare
PATH=/nowhere "$DEDPUL" bench report bare >out.txt 2>err.txt
check 'without gnuplot the report fails' [ $? -eq 1 ]
check 'the message names gnuplot' grep -q 'gnuplot does not start' err.txt
check 'the report is there all the same' grep -q 'There are no figures' bare/report.md
check 'without intervals there is no table of them' [ "$(grep -cE '^## (Intervals|Posteriors)' bare/report.md)" -eq 0 ]
check 'it embeds none' [ "$(grep -c '!\[' bare/report.md)" -eq 0 ]
check 'the summary is there' [ "$(wc -l <bare/summary.csv)" -eq 141 ]

# ---- synthetic ----
if command -v gnuplot >/dev/null; then
    expect 0 '' bench report synthetic
    check 'nothing to complain of' [ ! -s err.txt ]
    check 'figures are embedded' embedded synthetic
    check 'figures are well-formed' well_formed synthetic/figures/*.svg
    for figure in synthetic-paper-{proportion,classification}-{methods,ablations}{,-ranks} example-curve; do
        check "$figure is there" [ -s "synthetic/figures/$figure.svg" ]
    done
    check 'no temporary file is left' [ -z "$(find synthetic -name '.*' -type f)" ]
    # Mean over alphas 0.01, ..., 0.99: 0.01 + 0.002 * 0.5 = 0.011; the published mean is 0.0276.
    check 'the table has ours beside the published' \
        grep -Eq '^\| DEDPUL \|.* \*\*0\.0110\*\* \(0\.0276\) \| 35 \| 3 \|$' synthetic/report.md
    check 'the overview has it too' grep -Fq '| synthetic/paper | DEDPUL | 0.0110 (0.0276) | 0.0110 (0.0291) |' \
        synthetic/report.md
    check 'methods are tested' grep -q "^Friedman's test of 3 methods over 35 cells: p = .*, so they differ" \
        synthetic/report.md
    check 'KM2 is clearly worse everywhere' grep -Eq '^\| KM2 \| 35 \| 0\.9000 \| 0\.0574 \| .* \*\*worse\*\* \| 35 \|$' \
        synthetic/report.md
    check 'and listed' grep -q '^- KM2: L(1,1) 0.01: 0.9000 ± 0.0000' synthetic/report.md

    # ---- data sets, partial ----
    expect 0 '' bench report datasets
    check 'partial results are said to be' grep -q 'partial results:\*\* 15 of the protocol.s 50 cells' datasets/report.md
    check 'a mean over fewer cells is marked' grep -Fq '0.9000\*' datasets/report.md
    check 'there are common cells' grep -q '10 common cells' datasets/report.md
    check 'images are told from UCI' grep -q '^| method | bank | wine | mnist | all | UCI |' datasets/report.md
    trees=$(awk -F, '/^(bank|wine),.*,dedpul_catboost,/ { sum += $5 } END { printf "%.4f", sum / 10 }' \
        "$SOURCE/experiments/published/datasets.csv")
    check 'trees are compared with trees' grep -Eq "^\| DEDPUL \| 10 \| 0\.0060 \| $trees \|" datasets/report.md
    check 'each cell is in the summary' [ "$(wc -l <datasets/summary.csv)" -eq $((1 + 15 * 3 + 10 + 10 * 3 + 5)) ]
fi

# ---- results that make no sense ----
mkdir none bad empty single blocked
expect 1 'there are no results in none/results.csv' bench report none
expect 1 'there are no results in missing/results.csv' bench report missing
printf '%s\ndatasets/paper,bank,0.05,0.05,0,dedpool,,0.1,,,,,\n' "$header" >bad/results.csv
expect 1 "unknown method 'dedpool'" bench report bad
check 'nothing is written' [ ! -e bad/report.md ]
row=datasets/paper,bank,0.05,0.05,0,dedpul,0.1,0.05,,0.1,,,1
printf '%s\n%s\n%s\n' "$header" "$row" "$row" >bad/results.csv
expect 1 'two rows of datasets/paper, bank, alpha 0.05, repeat 0, dedpul' bench report bad
echo "$header" >empty/results.csv
expect 1 'there are no results in empty/results.csv' bench report empty
printf '%s\n%s\n' "$header" "$row" | tee single/results.csv >blocked/results.csv
echo >blocked/figures
expect 1 'cannot write figures to the directory blocked/figures' bench report blocked
check 'the report is there without them' grep -q 'There are no figures' blocked/report.md

# ---- intervals, and posteriors of the method's own estimate: by hand ----
# learned INTERVAL LOG_LOSS PLAIN: prints a row of a repeat on wine; the target is 0.25.
learned() { echo "datasets/paper,wine,0.25,0.25,$((repeat++)),learned,0.3,0.05,,0.1,0.9,0.9,1,$1,$2,0.08,0.03,$3"; }
mkdir intervals
repeat=0
{
    echo "$middle_header"
    echo datasets/paper,wine,0.25,0.25,0,dedpul,0.3,0.05,,0.1,0.9,0.9,1,,,0.5,0.1,0.05,
    learned 0.2,0.4 0.3 0.4
    learned 0.25,0.35 0.2 0.25
    learned 0.26,0.36 0.1 0.1
    learned , 0.4 0.6
    echo datasets/paper,bank,0.5,0.5,0,learned,0.6,0.1,,0.1,0.9,0.9,1,0.55,0.75,0.6,0.2,0.07,0.8
} >intervals/results.csv
PATH=/nowhere "$DEDPUL" bench report intervals >out.txt 2>err.txt
check 'coverage and width by set, and over all' \
    grep -Fqx '| datasets/paper | Learned | 0.0% of 1, 0.200 | | | | | | | 66.7% of 3, 0.133 | | | 50.0% of 4, 0.150 |' intervals/report.md
check 'one table of intervals' [ "$(grep -c '^## Intervals$' intervals/report.md)" -eq 1 ]
check 'posteriors' grep -Fqx '| datasets/paper | Learned | 5 | 0.3200 | 0.4300 | 0.1040 | 0.0380 |' intervals/report.md
check 'posteriors of a method without a distribution' \
    grep -Fqx '| datasets/paper | DEDPUL | 1 | 0.5000 | | 0.1000 | 0.0500 |' intervals/report.md
check 'the summary has them' grep -Eq '^datasets/paper,wine,0.25,learned,4,.*,0.666667,0.333333,0.133333,' intervals/summary.csv
check 'the overview has the method' grep -Fq '| datasets/paper | Learned | 0.0750 ' intervals/report.md
check 'without evaluations there is no table of them' [ "$(grep -c '^## Evaluation' intervals/report.md)" -eq 0 ]
check 'and no columns' [ "$(head -1 intervals/summary.csv | grep -c gap)" -eq 0 ]

# ---- evaluations: by hand ----
# evaluated SET ALPHA GAPS ASKED CURVE: prints a row of a repeat.
evaluated() { echo "datasets/paper,$1,$2,$2,$((repeat++)),pooled,0.3,0.05,,0.1,0.9,0.9,1,0.2,0.4,0.3,0.1,0.05,0.4,$3,$4,$5"; }
mkdir evaluations
repeat=0
{
    echo "$new_header"
    evaluated wine 0.25 0.01,1,-0.1,0,0.02,1,0.04,1 0.95 0.1,0.02
    evaluated wine 0.25 -0.03,0,0.2,1,0.02,1,0.02,0 0.6 0.3,0.04
    evaluated bank 0.95 0.05,1,,,0.05,1,0.03,1 '' ,
} >evaluations/results.csv
PATH=/nowhere "$DEDPUL" bench report evaluations >out.txt 2>err.txt
check 'by set' grep -Fqx '| wine | 2 | 0.0200, 50.0% | 0.1500, 50.0% | 0.0200, 100.0% | 0.0300, 50.0% | 0.2000, 0.0300 | 50.0% of 2 |' evaluations/report.md
check 'by share' grep -Fqx '| alpha 0.95 | 1 | 0.0500, 100.0% | | 0.0500, 100.0% | 0.0300, 100.0% | | |' evaluations/report.md
check 'over all' grep -Fqx '| all | 3 | 0.0300, 66.7% | 0.1500, 50.0% | 0.0300, 100.0% | 0.0300, 66.7% | 0.2000, 0.0300 | 50.0% of 2 |' evaluations/report.md
check 'the summary has them' awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } $2 == "wine" { ok = $at["auc_gap"] == 0.02 && $at["precision_held"] == 0.5 && $at["asked_reached"] == 0.5 }
    END { exit !ok }' evaluations/summary.csv

# ---- one cell with one repeat, one without values; a setting with a comma and signs in its name ----
if command -v gnuplot >/dev/null; then
    printf '"datasets/default+layers=16,16",bank,0.%s,0.05,0,%s\n' 05 dedpul,0.1,0.05,,,,,1 05 en_e3,,0.1,,,,,1 \
        25 dedpul,,,,,,,1 >>single/results.csv
    expect 0 '' bench report single
    check 'one repeat does not tell' grep -q '^| DEDPUL | 1 | .* | one repeat does not tell |$' single/report.md
    check 'nor rank' grep -q 'Too few results to rank' single/report.md
    check 'the summary is a table' awk -F, -v n="$(head -1 single/summary.csv | tr -cd , | wc -c)" \
        '{ gsub(/"[^"]*"/, "") } NF != n + 1 { exit 1 }' single/summary.csv
    check 'names of files are plain' [ -s single/figures/datasets-default-layers-16-16-proportion-methods.svg ]
    check 'figures are well-formed' well_formed single/figures/*.svg
fi

# ---- all is done, but not in order ----
places() { tail -n +2 "$1" | tr -d '"' | cut -d, -f1-4,6,7; }
mkdir backwards
{ echo "$header"; tail -n +2 synthetic/results.csv | tac; } >backwards/results.csv
expect 0 '' bench synthetic --out backwards --preset paper --repeats 3 --methods dedpul,dedpul_gmm,en_e3,km2
check 'nothing is done again' grep -q '^0 runs done, 105 were done before' out.txt
check 'rows are put in order' diff <(places backwards/results.csv) <(places synthetic/results.csv)
check 'and get the columns that they lack' [ "$(head -1 backwards/results.csv)" = "$new_header" ]
check 'which are empty' [ "$(grep -c ',0\.500,,,,,,,,,,,,,,,,,$' backwards/results.csv)" -eq "$(($(wc -l <backwards/results.csv) - 1))" ]

# ---- time and accuracy: settings that were run on all UCI sets, the fastest first ----
mkdir costs
{
    echo "$new_header"
    for setting in 'default+effort=high,4,0.01' 'default,2,0.02' 'default+effort=low,1,0.03'; do
        IFS=, read -r name seconds error <<<"$setting"
        for set in bank concrete landsat mushroom pageblock shuttle spambase wine; do
            [ "$name$set" = default+effort=lowwine ] && continue
            for alpha in 0.05 0.25 0.5 0.75 0.95; do
                echo "datasets/$name,$set,$alpha,$alpha,0,pooled,$alpha,$error,,0.05,0.9,0.9,$seconds,0,1,0.1,0.1,0.1,0.2,,,,,,,,,"
            done
        done
    done
} >costs/results.csv
if command -v gnuplot >/dev/null; then
    expect 0 '' bench report costs
    check 'the figure of costs' well_formed costs/figures/datasets-cost.svg
    check 'is shown' grep -q 'figures/datasets-cost.svg' costs/report.md
else
    PATH=/nowhere "$DEDPUL" bench report costs 2>err.txt
fi
check 'the table of costs' diff <(grep -E '^\| [0-9] \| datasets.*100.0% \|$' costs/report.md) - <<'END'
| 1 | datasets/default | 40 | 2.00 | 0.0200 | 0.0500 | 0.1000 | 100.0% |
| 2 | datasets/default+effort=high | 40 | 4.00 | 0.0100 | 0.0500 | 0.1000 | 100.0% |
END

# ---- our own results ----
mkdir own
cp "$SOURCE/experiments/results/results.csv" own
PATH=/nowhere "$DEDPUL" bench report own 2>err.txt
check 'the summary of our own results is that of their rows' cmp own/summary.csv "$SOURCE/experiments/results/summary.csv"
finish
