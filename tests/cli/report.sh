#!/bin/bash
# The page of --report: what is in the file, and what a browser makes of it.
# shellcheck source=tests/cli/common.sh disable=SC2154
. "$SOURCE/tests/cli/common.sh"

quick=(--classifier gbdt --tree-rounds 20 --ensemble 1 --folds 3 --quiet)
hostile="it's \"so\" & <b>.csv"

# data FILE: the numbers that the script draws.
data() { sed -n 's|^<script type="application/json" id="data">\(.*\)</script>$|\1|p' "$1"; }
is_small() { [ "$(wc -c <"$1")" -lt 1000000 ]; }

# One estimate from scores.
expect 0 '' scores "$sample" --interval --bands --report scores.html --posteriors posteriors.csv --json
check 'the answer is printed, too' jq -e '.alpha > 0' out.txt
check 'alpha, as precise as its interval' grep -qF "id=\"alpha\">$(jq -r '.alpha' out.txt | xargs printf %.2f)<" scores.html
check 'the interval' grep -qE '95% interval: <strong id="interval">0\.[0-9]{2} to 0\.[0-9]{2}<' scores.html
check 'an answer without doubts looks sure' grep -qF '<section class="headline" ' scores.html
check 'where it comes from' grep -qF '<dt>Interval</dt><dd>learned on simulated problems, checked on real ones</dd>' scores.html
check 'what alpha is' grep -qF '<dt>Found by</dt><dd>median: the median of alpha' scores.html
check 'the scales of posteriors' jq -e '(.scales | length) > 1 and ((.scales | map(.[1]) | add) - 1 | fabs) < 1e-9' <(data scores.html)
check 'what posteriors are' grep -qF 'Those of the answer are means over alpha' scores.html
check 'no warnings' grep -q 'No warnings' scores.html
check 'every slot was filled' bash -c '! grep -q "{{" scores.html'
check 'the numbers' jq -e '.rows == 2198 and (.points.rows | add) == 2198 and (.curve | length) == 1001 and .summarised == false and
    (.grid.logit | length) == (.grid.ratio | length) and .interval[0] < .alpha and .alpha < .interval[1]' <(data scores.html)
check 'ratios grow' jq -e '.points.ratio == (.points.ratio | unique)' <(data scores.html)
best=$(tail -n +2 posteriors.csv | sort -t, -k4,4gr -k2,2gr | head -50 | cut -d, -f1)
check 'the rows with the highest posterior' diff <(sed -nE '/id="top"/,/<\/table>/s/^<tr><td>([0-9]+)<.*/\1/p' scores.html) <(echo "$best")
expect 0 'prior_not_supported' scores "$sample" --alpha 0.9 --report given.html
check 'an answer with doubts looks less sure' grep -qF '<section class="headline unsure" ' given.html
check 'alpha, if it has no interval' grep -qF 'id="alpha">0.9000<' given.html
check 'warnings are in the page' grep -qF '<li><code>prior_not_supported</code>: the scores do not support a share of 0.9' given.html
expect 0 '' scores "$sample" --density hist --method bbe --report other.html
check 'and no interval' grep -qF 'No interval: <code>--interval</code>' other.html
check 'one scale' jq -e '.scales == [[.scale, 1]]' <(data other.html)
check 'a formula' grep -qF "<dt>Found by</dt><dd>formula: the method's own formula</dd>" other.html
check 'nothing about means' bash -c '! grep -qF "Those of the answer" other.html'
expect 0 '' scores "$sample" --interval bootstrap --posterior plain --posteriors plain.csv --report bootstrap.html
check 'resamples, if they are asked for' grep -qF '<dt>Interval</dt><dd>by 200 resamples of the rows' bootstrap.html
check 'plain posteriors' jq -e '.scales == [[.scale, 1]]' <(data bootstrap.html)

# How good it is, and where to cut. A page has some of the curve's thresholds, and the one in force.
awk -F, 'NR == 1 { print "label,score,truth" } NR > 1 { print $1 "," $2 "," ($3 == "red") }' "$sample" >truth.csv
for_alpha() { jq ".evaluations.supposed[$2].alpha" <(data "$1"); }
# curve_of NUMBER PAGE: score, posterior, rows, precision and its range, the share of negatives; as in a file of --curve.
curve_of() { data "$2" | jq -r ".evaluations.supposed[$1].curve | [.score, .posterior, .rows, .precision[], .fall_out[0]] | transpose[] | @csv"; }
# is_of_curve NUMBER PAGE FILE: all thresholds of the page are in the file, which has more, and so are the numbers.
is_of_curve() {
    curve_of "$1" "$2" | awk -F, 'function near(a, b) { return a - b < 6e-5 && b - a < 6e-5 }
        NR == FNR { line[$3] = $0; n += FNR > 1; next }
        !($3 in line) { exit 1 }
        { split(line[$3], c, ",") }
        !(near($1, c[1]) && near($2, c[2]) && near($4, c[5]) && near($5, c[6]) && near($6, c[7]) && near($7, c[17])) { print line[$3], $0; exit 1 }
        { k++ } END { exit !(k >= 100 && k < 260 && n > k) }' "$3" -
}
expect 0 '' evaluate "$sample" --curve curve.csv --json
cp out.txt evaluation.json
check 'the curve' is_of_curve 1 scores.html curve.csv
check 'the threshold in force' [ "$(jq '.threshold.rows' evaluation.json)" = "$(data scores.html | jq '.evaluations | .supposed[1] | .curve.rows[.threshold]')" ]
check 'alpha at both ends of its interval' jq -e '.evaluations.estimate == 1 and [.interval[0], .alpha, .interval[1]] == [.evaluations.supposed[].alpha]' <(data scores.html)
check 'the calibration' jq -e --slurpfile answer evaluation.json '[.evaluations.supposed[1].bins[] | .[1]] as $share |
    ([$answer[0].calibration.bins[].share, $share[]] | length) == 20 and
    all(range(10); ($share[.] - $answer[0].calibration.bins[.].share) | fabs < 6e-5) and
    all(.evaluations.supposed[1].bins[]; .[2] <= .[1] and .[1] <= .[3])' <(data scores.html)
auc=$(jq -r '.auc | .value, .low, .high' evaluation.json | xargs printf '<td class="text">AUC</td><td>%.4f</td><td>%.4f to %.4f</td>')
check 'the table of measures' grep -qF "$auc" scores.html
for end in 0 2; do # without an interval, the ends are those of alpha's distribution
    alpha=$(for_alpha bootstrap.html $end)
    expect 0 '' evaluate "$sample" --alpha "$alpha" --posterior plain --curve "end$end.csv"
    check "the curve at the end of alpha's range, $alpha" is_of_curve $end bootstrap.html "end$end.csv"
done
expect 0 '' evaluate truth.csv --truth truth --top 500 --level 0.9 --report truth.html --json
check 'the truth stands beside the estimates' grep -qF "$(jq -r '.threshold.precision.value, .threshold.precision.low, .threshold.precision.high, .truth.precision' out.txt |
    xargs printf '<td class="text">precision</td><td>%.4f</td><td>%.4f to %.4f</td><td>%.4f</td>')" truth.html
check 'the level' grep -qF '<th scope="col">90% range</th><th scope="col">truth</th>' truth.html
check 'the goal' grep -qF '500 of 2198 unlabeled rows have a score of at least' truth.html
check 'without an interval, the ends are those of the distribution' jq -e '.evaluations.supposed | length == 3 and .[0].alpha < .[1].alpha and .[1].alpha < .[2].alpha' <(data truth.html)
check 'an alpha that is given has no range' jq -e '.evaluations.supposed | length == 1 and .[0].alpha == 0.9' <(data given.html)
check 'nor has that of a method that does not know it' jq -e '.evaluations.supposed | length == 1' <(data other.html)
check 'which is said' grep -qF '<li><code>alpha_as_known</code>: ranges leave out' other.html
check 'and there is nothing to choose' bash -c '! grep -q "id=\"suppose\"" given.html other.html'
expect 0 '' scores "$sample" --alpha 1 --report all.html
check 'nothing to evaluate' grep -qF 'id="no-evaluation">How good the scores are cannot be told: alpha is 1, so all unlabeled rows count as positive' all.html
check 'and no such section' bash -c '! grep -qE "How good is it|showEvaluations" all.html'
expect 0 '' fit "$table" --method nnpu --epochs 2 --ensemble 1 --folds 3 --quiet --report networks.html
check 'posteriors of networks are not evaluated' grep -qF 'cannot be told: the posteriors of method nnpu are from networks of its own' networks.html
expect 1 'cannot write' evaluate "$sample" --report /nonexistent/x.html

# A model, by the scores of its fit and on new rows; its threshold is in force.
expect 0 '' fit "$table" "${quick[@]}" --model m.model --top 300 --report chosen.html
expect 0 '' evaluate m.model --report model.html --curve model.csv --json
threshold="$(jq -r '.threshold | .rows, .score' out.txt | xargs printf '%.0f of 1998 unlabeled rows have a score of at least %.6g')"
check 'the threshold of the fit' grep -qF "$threshold" chosen.html
check 'that of the model' grep -qF "$threshold" model.html
check 'its curve' is_of_curve 1 model.html model.csv
check 'its range of alpha' jq -e '.evaluations.supposed | length == 3 and .[0].alpha < .[1].alpha and .[1].alpha < .[2].alpha' <(data model.html)
check 'if all rows are flagged, precision is alpha' jq -e '.evaluations.supposed | all((.alpha - .curve.precision[0][-1]) | fabs < 0.02)' <(data model.html)
check 'its settings' grep -qE '<dt>tree-rounds</dt><dd>20</dd>' model.html
paste -d, "$new" <(cut -d, -f2 "$new_truth") >checked.csv
expect 0 '' evaluate m.model checked.csv --truth positive --report new.html
check 'new rows and their classes' grep -qF '<th scope="col">truth</th>' new.html
expect 2 '--curve and --report name the same file' evaluate "$sample" --curve x.html --report x.html

# Rows of the top table can be told apart by their scores, and pictures have the colours of the page.
awk 'BEGIN { print "label,score"; for (i = 0; i < 400; i++) printf "%d,%.12f\n", i % 3 == 0, i % 2 ? 0.3 + i / 4000 : 0.9999999 - i * 1e-9 }' >near.csv
expect 0 '' scores near.csv --report near.html
check 'scores that differ look different' [ "$(sed -nE '/id="top"/,/<\/table>/s/^<tr><td>[0-9]+<\/td><td>([0-9.]+)<.*/\1/p' near.html | sort -u | wc -l)" -eq 50 ]
expect 0 '' scores "$sample" --plot colours.svg
for class in labeled unlabeled; do
    colour=$(sed -nE "s/.*--$class: #(..)(..)(..);/0x\\1 0x\\2 0x\\3/p" scores.html | head -1) # the first is on paper
    # shellcheck disable=SC2086
    check "$class rows have the same colour in pictures" grep -qF "fill=\"$(printf 'rgb(%d,%d,%d)' $colour)\" font" <(grep -B1 ">$class rows" colours.svg | head -1)
done

# Weights count as rows do.
awk -F, 'NR == 1 { print $0 ",n" } NR > 1 { print $0 "," 1 + NR % 3 }' "$sample" >weighted.csv
expect 0 '' scores weighted.csv --weight n --report weighted.html --json
check 'weights are there' jq -e --argjson weight "$(jq .weight_unlabeled out.txt)" '(.points.weight | add) == $weight and (.points.rows | add) == 2198' <(data weighted.html)

# Names of files and columns stay text.
sed '1s/alcohol/"<script>alert(1)<\/script>"/' "$table" >"$hostile"
expect 0 '' fit "$hostile" "${quick[@]}" --report fit.html
check 'the column is text' grep -qF '&lt;script&gt;alert(1)&lt;/script&gt;' fit.html
check 'the file is text' grep -qF 'it&#39;s &quot;so&quot; &amp; &lt;b&gt;.csv' fit.html
auc_alone() { sed -nE "s/^<tr><td class=\"text long\">$1<\/td><td>([0-9.]+)<.*/\1/p" fit.html; }
counted=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) { if ($i == "chlorides") c = i; if ($i == "label") l = i } }
    NR > 1 { if ($l == 1) p[++n] = $c; else u[++m] = $c }
    END { for (i = 1; i <= n; i++) for (k = 1; k <= m; k++) won += p[i] + 0 > u[k] + 0 ? 1 : p[i] + 0 == u[k] + 0 ? 0.5 : 0; printf "%.3f", won / n / m }' "$hostile")
check 'what a column tells by itself' [ "$(auc_alone chlorides)" = "$counted" ]
check 'the best column is first' diff <(sed -nE '/id="columns"/,/<\/table>/s/^<tr><td[^>]*>[^<]*<\/td><td>([0-9.]+)<.*/\1/p' fit.html) <(
    sed -nE '/id="columns"/,/<\/table>/s/^<tr><td[^>]*>[^<]*<\/td><td>([0-9.]+)<.*/\1/p' fit.html | sort -rg)
check 'medians of labeled and unlabeled rows' grep -qE '^<tr><td class="text long">ph</td><td>0\.[0-9]{3}</td><td>0%</td><td class="text">3\.3</td><td class="text">3\.25</td><td class="text">rank</td>' fit.html
awk -F, 'NR == 1 { print $0 ",shop" } NR > 1 { print $0 "," (NR % 7 == 0 ? "" : $1 == 1 ? "<i>cellar" : NR % 3 ? "market" : "cellar") }' "$table" >shop.csv
expect 0 '' fit shop.csv "${quick[@]}" --report shop.html
check 'the most frequent texts' grep -qE '^<tr><td class="text long">shop</td><td>0\.[0-9]{3}</td><td>14\.3%</td><td class="text long">&lt;i&gt;cellar \(100%\)</td><td class="text long">market \([0-9]+%\)</td>' shop.html
check 'nothing of it is a tag' bash -c '! grep -qE "<b>|<script>alert" fit.html'
check 'the settings' grep -qE '<dt>tree-rounds</dt><dd>20</dd>' fit.html

# Kinds of positives.
awk -F, -v OFS=, 'NR == 1 { print $0, "kind" } NR > 1 { print $0, $1 != 1 ? "" : NR % 3 ? "<i>sour" : "sweet" }' "$table" >kinds.csv
expect 0 '' fit kinds.csv --kind kind --interval "${quick[@]}" --report kinds.html --json
check 'a kind, its share, its labeled rows and their rate' grep -qF "<td class=\"text long\">&lt;i&gt;sour</td>$(jq -r '.kinds[] | select(.kind == "<i>sour") |
    [.share, .low, .high, .n_labeled, .label_rate, .label_rate_low, .label_rate_high] | @tsv' out.txt |
    xargs printf '<td>%.4f</td><td>%.4f to %.4f</td><td>%d</td><td>%.4f</td><td>%.4f to %.4f</td></tr>')" kinds.html
check 'its interval is wider' grep -qF 'wider because the shares of kinds are uncertain' kinds.html
check 'a page without kinds says nothing of them' bash -c '! grep -q "id=\"kinds\"" fit.html'

# Methods side by side.
expect 0 '' compare "$table" "${quick[@]}" --methods pooled,en_e1,tice --level 0.9 --report compare.html --json
check 'the methods' jq -e --slurpfile answer out.txt '[.methods[].name] == [$answer[0][].method] and
    .methods[0].reference and (.methods[0].low < .methods[0].value) and .methods[2].low == null' <(data compare.html)
check 'the table of methods' grep -qE '<td class="text">en_e1</td><td>0\.[0-9]{4}</td><td>0\.[0-9]{4} to 0\.[0-9]{4}</td><td>[+-]0\.[0-9]{4}' compare.html
check 'the level' grep -qF '<th scope="col">90% interval</th>' compare.html

expect 0 '' compare "$table" "${quick[@]:2}" --classifiers gbdt,logistic --report classifiers.html --json
check 'the classifiers' jq -e --slurpfile answer out.txt '[.methods[].name] == [$answer[0][].classifier] and .measure == "AUC" and
    [.methods[].reference] == [$answer[0][].best] and .from < (.methods | map(.low) | min)' <(data classifiers.html)
check 'the table of classifiers' grep -qE '<td class="text">gbdt</td>.*<td>0\.[0-9]{4} to [01]\.[0-9]{4}</td>(<td>[01]\.[0-9]{4}</td>){2}' classifiers.html
check 'the best one' grep -qE '^The highest AUC is that of (gbdt|logistic)' classifiers.html

# However many rows there are.
awk 'BEGIN { srand(1); print "label,score"; for (i = 0; i < 100000; i++) { y = i % 4 == 0 || rand() < 0.4
    print (i % 4 == 0) "," (y ? 0.3 + 0.7 * rand() : 0.8 * rand() * rand()) } }' >large.csv
expect 0 '' scores large.csv --report large.html
check 'it is summarised' jq -e '.summarised and (.points.ratio | length) <= 2000 and (.points.rows | add) == 75000' <(data large.html)
check 'and says so' grep -q 'id="summarised"' large.html
for page in scores given other bootstrap truth all networks chosen model new weighted fit shop kinds compare classifiers large; do
    check "$page.html is small" is_small "$page.html"
    check "$page.html names nothing elsewhere" bash -c "! grep -oE '(https?:)?//[a-z]+[.][a-z.]+[^ \"]*' $page.html | grep -v '^http://www.w3.org/2000/svg$'"
done

# Files appear whole or not at all, and not in place of others.
expect 2 'is the input' scores "$sample" --report "$sample"
expect 2 '--curve and --report name the same file' scores "$sample" --curve x.html --report x.html
expect 2 'is the input' compare x.csv --report x.csv
expect 2 '--report needs the name of a file' fit x.csv --report -
expect 1 'cannot write' fit "$table" --report /nonexistent/x.html
expect 1 'cannot write' compare "$table" --report /nonexistent/x.html
expect 1 'cannot write' scores "$sample" --report /nonexistent/x.html
expect 1 'cannot write' scores "$sample" --report /dev/full
check 'nothing is left' nothing_left x.html

# In a browser. What it shows does not depend on how the command was built.
if [ -n "$SANITIZE" ] || [ "$COVERAGE" = ON ] || ! /usr/bin/python3 -c 'import selenium' 2>/dev/null || ! command -v chromedriver >/dev/null; then
    echo 'not looked at in a browser'
    finish
fi
expect 0 '' scores "$sample" --alpha 0.6 --posterior plain --posteriors known.csv
check 'the pages in a browser' /usr/bin/python3 "$SOURCE/tests/report_page.py" "$work"
cat check.txt
finish
