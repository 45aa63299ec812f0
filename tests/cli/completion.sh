#!/bin/bash
# Completions: what real shells offer for a line. A shell that is not installed is left out.
# shellcheck source=tests/cli/common.sh disable=SC2154
. "$SOURCE/tests/cli/common.sh"
[ -z "$SANITIZE" ] || exit 77 # shells are not sanitized; usage.sh prints the scripts

expect 2 'bash, zsh or fish' --completion
expect 2 'bash, zsh or fish' --completion tcsh

touch table.csv 'two words.csv' # files to complete
mkdir samples

# A line and what is offered, one word after the other; "LINE|-" means nothing at all.
cat >expected.txt <<'END'
dedpul ev|evaluate
dedpul fit --mod|--model
dedpul fit --classifier gb|gbdt
dedpul fit --method po|pooled
dedpul fit --density k|kde
dedpul fit --effort |low normal high
dedpul fit --stopping e|each
dedpul fit --bandwidth-p a|auto
dedpul fit --alpha |-
dedpul fit --model tab|table.csv
dedpul fit tab|table.csv
dedpul fit --json tab|table.csv
dedpul fit --plot tab|table.csv
dedpul scores --method km|-
dedpul fit --method km|km1 km2
dedpul predict --pn tab|table.csv
dedpul bench |synthetic datasets selected report
dedpul bench synthetic --repe|--repeats
dedpul bench datasets --preset p|paper
dedpul bench datasets --out sam|samples
dedpul bench report |samples
END
cut -d'|' -f1 expected.txt >lines.txt
commands=$("$DEDPUL" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p' | sed 's/bench/bench synthetic/')
while IFS= read -r command; do
    echo "dedpul $command --"
done <<<"$commands" >>lines.txt
echo 'dedpul compare --methods dedpul,ti' >>lines.txt

# offered SHELL LINE: sorted, without the slash of a directory, the = of an option and what stands before a comma
offered() {
    grep -F "$2"$'\t' "$1.txt" | cut -f2 | sed 's|[/=]$||; s|.*,||' | sort -u
}

# as_expected SHELL: for each line of expected.txt
as_expected() {
    local line words
    while IFS='|' read -r line words; do
        check "$1: $line" diff <(offered "$1" "$line") <(tr ' ' '\n' <<<"$words" | grep -vx -- - | sort)
    done <expected.txt
    while IFS= read -r command; do
        # shellcheck disable=SC2086
        check "$1: options of $command" diff <(offered "$1" "dedpul $command --") \
            <("$DEDPUL" $command --help | grep -oE '^  --[a-z0-9-]+' | tr -d ' ' | sort)
    done <<<"$commands"
    check "$1: a list" [ "$(offered "$1" 'dedpul compare --methods dedpul,ti')" = tice ]
}

try() { # SHELL OPTION SCRIPT
    if ! command -v "$1" >/dev/null; then
        echo "$1 is not installed: its completions were not tried"
        return
    fi
    check "$1 reads its script" "$1" -n "$BUILD/completions/$3"
    "$1" "$2" "$SOURCE/tests/cli/offers.$1" "$BUILD/completions/$3" <lines.txt >"$1.txt" 2>err.txt
    as_expected "$1"
}
try bash --norc dedpul
check 'bash: a name with a space' grep -qxF $'dedpul fit two\ttwo words.csv' \
    <(bash --norc "$SOURCE/tests/cli/offers.bash" "$BUILD/completions/dedpul" <<<'dedpul fit two')
check 'bash: behind =' [ "$(bash --norc "$SOURCE/tests/cli/offers.bash" "$BUILD/completions/dedpul" <<<'dedpul fit --effort=h' | cut -f2)" = high ]
try zsh -f _dedpul
try fish --no-config dedpul.fish
finish
