#!/bin/bash
# The manual pages and the README tell of every option, method and command; examples of the README and the guides run.
# shellcheck source=tests/cli/common.sh disable=SC2154
. "$SOURCE/tests/cli/common.sh"
[ "$SANITIZE" != thread ] || exit 77 # nothing here is about threads

manual() { # PAGE
    mandoc -T ascii "$SOURCE/cli/$1.1" | sed 's/.\x08//g'
}
names() { # HEADING: the names listed below it in help.txt
    sed -n "/^$1:/,/^\$/s/^  \([a-z_0-9]*\) .*/\1/p" help.txt
}

"$DEDPUL" --help >help.txt
commands=$(names Commands)
check 'there are commands' [ "$(wc -w <<<"$commands")" -ge 4 ]
manual dedpul >overview.txt
check 'dedpul.1 is well formed' mandoc -T lint -W warning "$SOURCE/cli/dedpul.1"
for command in $commands; do
    "$DEDPUL" "$command" --help >help.txt
    options=$(grep -oE '^  --[a-z0-9-]+(, -[a-z])?' help.txt | tr -d ',')
    check "the help of $command was understood" [ "$(wc -w <<<"$options")" -ge 2 ]
    manual "dedpul-$command" >manual.txt
    for word in $(names Methods); do
        check "the manual of $command tells of $word" grep -qwF -- "$word" manual.txt
    done
    # Options that compare and bench share with fit are in the manual of fit, and those of evaluate in that of scores.
    case $command in compare | bench) manual dedpul-fit >>manual.txt ;; evaluate) manual dedpul-scores >>manual.txt ;; esac
    for word in $options $(names Classifiers) $(names Densities); do
        check "the manual of $command tells of $word" grep -qwF -- "$word" manual.txt
    done
    check "dedpul-$command.1 is well formed" mandoc -T lint -W warning "$SOURCE/cli/dedpul-$command.1"
    check "dedpul.1 tells of $command" grep -qwF "dedpul-$command(1)" overview.txt
    check "the README tells of $command" grep -q "^build/dedpul $command " "$SOURCE/README.md"
done
"$DEDPUL" fit --help >help.txt
check 'the lists were understood' [ "$({ names Classifiers; names Methods; names Densities; } | grep -cxE 'blend|dedpul|tedn|kde')" -eq 4 ]
for word in $(names Classifiers) $(names Methods) $(names Densities); do
    check "the README tells of $word" grep -qF -- "\`$word\`" "$SOURCE/README.md"
done
sed -n '/^#define DEDPUL_WARNING_LIST/,/[^\\]$/s/.*"\(.*\)".*/\1/p' "$SOURCE/include/common/dedpul_common.h" >warnings.txt
check 'the warnings were understood' [ "$(wc -l <warnings.txt)" -ge 8 ]
{ manual dedpul-fit; manual dedpul-scores; manual dedpul-evaluate; manual dedpul-predict; } >manual.txt
while IFS= read -r word; do
    check "the manual tells of $word" grep -qwF "$word" manual.txt
done <warnings.txt
check 'the manual of show warns of models from others' grep -q 'trust' <(manual dedpul-show)
check 'the changelog tells of this version' grep -qF "[$("$DEDPUL" --version | cut -d' ' -f2)]" "$SOURCE/CHANGELOG.md"

# The README's example lines that begin with build/dedpul, in their order; outputs go elsewhere, and networks are small.
small='--layers 16 --rate 0.01 --epochs 20'
grep -E '^build/dedpul ' "$SOURCE/README.md" |
    sed -E "s|^build/dedpul|'$DEDPUL'|; s| ([a-z_]*posteriors.csv\|wine.model)| '$work'/\1|g; s| build/results| '$work'/results|; / (fit|compare) /s|\$| $small|; / compare /{/--classifiers/!s|\$| --methods dedpul,tice|}" >examples.sh
check 'the README has examples' [ "$(wc -l <examples.sh)" -ge 6 ]
while IFS= read -r line; do
    check "README: $line" bash -c "cd '$SOURCE' && $line"
done <examples.sh

mask() { sed -E 's/[0-9]+(\.[0-9]+)?/N/g; s/ +/ /g'; }

# What the guides show: each line of a block but the first, the command, is one that it prints. Numbers of trained models and
# with all digits may differ, and networks are small.
mkdir -p guide/build
ln -s "$SOURCE/examples" guide/examples
ln -s "$DEDPUL" guide/build/dedpul
cd guide || exit 1
check 'samples and figures of the guides' "$SOURCE/docs/guide/figures.sh" build/guide figures
check 'the figures are those that are shown' diff <(ls figures) \
    <(grep -ohE '\(figures/[^)]*' "$SOURCE"/docs/guide/*.md | sed 's|.*/||' | sort -u)
check 'all of them are there' diff <(ls figures) <(ls "$SOURCE/docs/guide/figures")
shows() { # COMMAND SHOWN: whether it works, and prints these lines
    local line=${1#\$ } mask=cat
    case $line in *' fit '*) line="$line $small" mask=mask ;; *' --json'* | *' predict '*) mask=mask ;; esac
    bash -c "$line" >answer.txt 2>&1 || { cat answer.txt; return 1; }
    ! grep . <<<"$2" | $mask | grep -vxF -f <($mask <answer.txt)
}
guides() { # each block as a command, then its lines, then a separator
    awk '/^```/ { if (shows) print "\f"; shows = /console/; next } shows' "$SOURCE"/docs/guide/*.md
}
blocks=0
while IFS= read -r -d $'\f' block; do
    block=${block#$'\n'}
    check "guides: ${block%%$'\n'*}" shows "${block%%$'\n'*}" "${block#*$'\n'}"
    blocks=$((blocks + 1))
done < <(guides)
check 'the guides have examples' [ "$blocks" -ge 15 ]
cd "$work" || exit 1

# The README shows what the command answers, up to its numbers.
# shellcheck disable=SC2086
(cd "$SOURCE" && "$DEDPUL" fit examples/data/wine.csv --interval $small) | mask >answer.txt
sed -n '/^examples.*unlabeled rows$/,/^```/{/^```/q;p}' "$SOURCE/README.md" | mask >shown.txt # the first one
check 'the README shows the answer' diff answer.txt shown.txt
finish
