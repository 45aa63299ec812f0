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
alpha=$(jq -r '.alpha * 10000 | round / 10000' out.txt)
check 'alpha' grep -qF "id=\"alpha\">$alpha" scores.html
check 'the interval' grep -qE '95% interval: <strong id="interval">0\.[0-9]{4} to 0\.[0-9]{4}<' scores.html
check 'where it comes from' grep -qF '<dt>Interval</dt><dd>learned on simulated problems, checked on real ones</dd>' scores.html
check 'what alpha is' grep -qF '<dt>Found by</dt><dd>median: the median of alpha' scores.html
check 'the scales of posteriors' jq -e '(.scales | length) > 1 and ((.scales | map(.[1]) | add) - 1 | fabs) < 1e-9' <(data scores.html)
check 'what posteriors are' grep -qF 'Those of the answer are means over alpha' scores.html
check 'no warnings' grep -q 'No warnings' scores.html
check 'every slot was filled' bash -c '! grep -q "{{" scores.html'
check 'the numbers' jq -e '.rows == 2198 and (.points.rows | add) == 2198 and (.curve | length) == 1001 and .summarised == false and
    (.grid.logit | length) == (.grid.ratio | length) and .interval[0] < .alpha and .alpha < .interval[1]' <(data scores.html)
check 'ratios grow' jq -e '.points.ratio == (.points.ratio | unique)' <(data scores.html)
best=$(tail -n +2 posteriors.csv | sort -t, -k4,4gr -k3,3gr -k2,2gr | head -50 | cut -d, -f1)
check 'the rows with the highest posterior' diff <(sed -nE '/id="top"/,/<\/table>/s/^<tr><td>([0-9]+)<.*/\1/p' scores.html) <(echo "$best")
expect 0 'prior_not_supported' scores "$sample" --alpha 0.9 --report given.html
check 'warnings are in the page' grep -qF '<li><code>prior_not_supported</code>: the scores do not support a share of 0.9' given.html
expect 0 '' scores "$sample" --density hist --method bbe --report other.html
check 'and no interval' grep -qF 'No interval: ask for it with <code>--interval</code>' other.html
check 'one scale' jq -e '.scales == [[.scale, 1]]' <(data other.html)
check 'a formula' grep -qF "<dt>Found by</dt><dd>formula: the method's own formula</dd>" other.html
check 'nothing about means' bash -c '! grep -qF "Those of the answer" other.html'
expect 0 '' scores "$sample" --interval bootstrap --posterior plain --posteriors plain.csv --report bootstrap.html
check 'resamples, if they are asked for' grep -qF '<dt>Interval</dt><dd>by 200 resamples of the rows' bootstrap.html
check 'plain posteriors' jq -e '.scales == [[.scale, 1]]' <(data bootstrap.html)

# Weights count as rows do.
awk -F, 'NR == 1 { print $0 ",n" } NR > 1 { print $0 "," 1 + NR % 3 }' "$sample" >weighted.csv
expect 0 '' scores weighted.csv --weight n --report weighted.html --json
check 'weights are there' jq -e --argjson weight "$(jq .weight_unlabeled out.txt)" '(.points.weight | add) == $weight and (.points.rows | add) == 2198' <(data weighted.html)

# Names of files and columns stay text.
sed '1s/alcohol/"<script>alert(1)<\/script>"/' "$table" >"$hostile"
expect 0 '' fit "$hostile" "${quick[@]}" --report fit.html
check 'the column is text' grep -qF '&lt;script&gt;alert(1)&lt;/script&gt;' fit.html
check 'the file is text' grep -qF 'it&#39;s &quot;so&quot; &amp; &lt;b&gt;.csv' fit.html
check 'nothing of it is a tag' bash -c '! grep -qE "<b>|<script>alert" fit.html'
check 'the settings' grep -qE '<dt>tree-rounds</dt><dd>20</dd>' fit.html

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
for page in scores given other bootstrap weighted fit compare classifiers large; do
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
