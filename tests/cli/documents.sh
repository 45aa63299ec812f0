#!/bin/bash
# The manual pages and the README tell of every option, method and command, and the README's examples run.
# shellcheck source=tests/cli/common.sh disable=SC2154
. "$SOURCE/tests/cli/common.sh"

"$DEDPUL" scores --help >help.txt
options=$(grep -oE '^  --[a-z-]+' help.txt | tr -d ' ')
methods=$(sed -n '/^Methods:/,/^$/s/^  \([a-z_0-9]*\) .*/\1/p' help.txt)
check 'the help was understood' [ "$(wc -w <<<"$options $methods")" -ge 24 ]
mandoc -T ascii "$SOURCE/cli/dedpul-scores.1" | sed 's/.\x08//g' >manual.txt
for word in $options $methods kde gmm hist; do
    check "the manual tells of $word" grep -qwF -- "$word" manual.txt
done
for page in dedpul dedpul-scores; do
    check "$page.1 is well formed" mandoc -T lint -W warning "$SOURCE/cli/$page.1"
done
for word in $methods; do
    check "the README tells of $word" grep -qwF -- "$word" "$SOURCE/README.md"
done
check 'the changelog tells of this version' grep -qF "[$("$DEDPUL" --version | cut -d' ' -f2)]" "$SOURCE/CHANGELOG.md"

# The README shows what the command answers.
(cd "$SOURCE" && "$DEDPUL" scores examples/data/wine_scores.csv) >answer.txt
sed -n '/^examples.*unlabeled rows$/,/^```/p' "$SOURCE/README.md" | grep -v '```' >shown.txt
check 'the README shows the answer' diff answer.txt shown.txt

# The README's example lines that begin with build/dedpul.
cd "$SOURCE" || exit 1
grep -E '^build/dedpul ' README.md | sed "s|^build/dedpul|\"\$DEDPUL\"|; s|posteriors.csv|$work/posteriors.csv|" >"$work/examples.sh"
cd "$work" || exit 1
check 'the README has examples' [ "$(wc -l <examples.sh)" -ge 3 ]
while IFS= read -r line; do
    check "README: $line" bash -c "cd '$SOURCE' && $line"
done <examples.sh
finish
