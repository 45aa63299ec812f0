#!/bin/bash
# Help, version, and wrong command lines.
# shellcheck source=tests/cli/common.sh disable=SC2154
. "$SOURCE/tests/cli/common.sh"

expect 0 '' --help
for command in fit predict show scores compare sql bench; do
    check "help names $command" grep -q "^  $command " out.txt
done
expect 0 '' --version
check 'version is three numbers' grep -Eqx 'dedpul [0-9]+\.[0-9]+\.[0-9]+' out.txt
for shell in bash zsh fish; do
    expect 0 '' --completion "$shell"
    check "$shell: all commands are there" [ "$(grep -cE "^    '(fit|predict|show|scores|evaluate|compare|sql|bench report)'\)|__dedpul_in '(fit|predict|show|scores|evaluate|compare|sql|bench report)'\" -l help" out.txt)" -eq 8 ]
done
expect 0 '' scores --help
check 'help of scores goes to standard output' grep -q -- '--bandwidth-p X|Xsd|auto' out.txt
check 'help lists the methods' grep -q '  dedpul_bbe ' out.txt
check 'help lists the densities' grep -q '  hist ' out.txt
check 'help fits a terminal of 100 columns' awk 'length($0) > 100 { exit 1 }' out.txt

for command in fit predict show compare; do
    expect 0 '' "$command" --help
    check "help of $command has examples" grep -q "^  .*dedpul $command " out.txt
    check "help of $command fits a terminal" awk 'length($0) > 100 { exit 1 }' out.txt
    expect 2 "see 'dedpul $command --help'" "$command"
    expect 2 "unknown option '--qqqq'" "$command" --qqqq
    expect 2 'needs a value' predict --out
done
expect 0 '' fit --help
check 'help lists the classifiers' grep -q '  blend ' out.txt
expect 0 '' bench --help
check 'help of bench has examples' grep -q '^  .*dedpul bench report' out.txt
check 'help of bench fits a terminal' awk 'length($0) > 100 { exit 1 }' out.txt
check 'it is that of its parts, too' diff out.txt <("$DEDPUL" bench synthetic --help)
expect 2 "see 'dedpul bench --help'" bench
expect 2 "see 'dedpul bench --help'" bench sythetic
expect 2 "'dedpul bench synthetic' needs --out DIR" bench synthetic
expect 2 "'dedpul bench datasets' needs --data DIR" bench datasets --out bench
expect 2 'did you mean --repeats?' bench synthetic --repeat5 3
expect 2 'more than one file given' bench report a b
expect 2 'MODEL FILE' predict a.model
expect 2 'MODEL FILE' predict a.model b.csv c.csv
expect 2 "'predic'; did you mean 'predict'?" predic
expect 2 'did you mean --classifier?' fit --clasifier gbdt x.csv
expect 2 'is the input' fit x.csv --model x.csv
expect 2 'the same file' fit x.csv --model y --scores y
expect 2 '--model needs' fit x.csv --model -
expect 2 '--plot' fit --json --plot x.csv
expect 2 'is the input' predict a.model x.csv --out a.model
expect 2 'is the input' predict a.model x.csv --out x.csv

expect 2 "no command given"
expect 2 "'score'; did you mean 'scores'?" score
expect 2 "'zzz'; see 'dedpul --help'" zzz
expect 2 'no file given' scores
expect 2 'more than one file given' scores a b
expect 2 'did you mean --smoothing?' scores --smothing none x.csv
expect 2 "unknown option '--qqqq'" scores --qqqq x.csv
expect 2 "unknown option '-x'" scores -x x.csv
expect 2 '--alpha needs a value' scores x.csv --alpha
expect 2 ambiguous scores --po x x.csv
expect 2 "'--json=1'" scores --json=1 x.csv
expect 2 "unknown option '-xyz'" scores x.csv -xyz
expect 2 'is the input' scores x.csv --posteriors x.csv
expect 2 'the same file' scores x.csv --posteriors y.csv --curve y.csv
expect 2 'the same file' scores x.csv --posteriors y.csv --curve ./y.csv
expect 2 '--posteriors needs' scores x.csv --posteriors=
expect 2 '--curve needs' scores x.csv --curve -
cp "$sample" copy.csv && ln -s copy.csv link.csv
expect 2 'is the input' scores copy.csv --posteriors link.csv
expect 2 '--plot' scores --json --plot x.csv
expect 2 "--interval: 'nonsense' is not bootstrap; the option may also stand alone" scores --interval=nonsense x.csv
expect 2 "--interval: ''" fit --interval= x.csv
expect 2 'no file given' scores --interval bootstrap
expect 2 'more than one file given' scores --interval nonsense x.csv
expect 2 "--plot: 'x.jpg'" scores --plot=x.jpg x.csv
expect 2 "--plot: ''" fit --plot= x.csv
expect 2 'no file given' scores --plot x.svg
expect 2 'more than one file given' scores --plot x.jpg x.csv
expect 2 'the same file' scores x.csv --report y.svg --plot ./y.svg
expect 2 'is the input' fit x.svg --plot=x.svg

expect 1 "alpha: '1.5'" scores --alpha 1.5 "$sample"
expect 1 "'dedpool'; did you mean 'dedpul'?" scores --method dedpool "$sample"
check 'the message lists the methods' grep -q "'en_e1', 'en_e3'" err.txt
expect 1 "'gauss'" scores --density gauss "$sample"
expect 1 'trend|paper|none' scores --smoothing some "$sample"
expect 1 'gmm' scores --density gmm --bandwidth-p 0.3 "$sample"
expect 1 'mean|plain' scores --posterior median "$sample"

# Every option that a help text names is known, however many there are.
for command in fit predict show scores compare 'bench synthetic'; do
    # shellcheck disable=SC2086
    for option in $("$DEDPUL" $command --help | grep -oE '^  --[a-z0-9-]+' | grep -v -- --help); do
        run $command "$option"
        check "$command knows $option" [ "$code" -eq 2 ]
        check "$command knows $option: $err" bash -c '! grep -q unknown err.txt'
    done
done

# A command may have any number of options: here it has 200.
cat >many.c <<'END'
#include "command_line.h"
#include "drawing.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct option_group groups[] = {{.options = NULL}};

static const dedpul_option_info *library(size_t index)
{
    static dedpul_option_info info = {.value = "N", .default_value = "0", .help = "A number."};
    static char name[200][8];
    if (index >= 200)
        return NULL;
    snprintf(name[index], sizeof name[index], "o%03zu", index);
    info.name = name[index];
    return &info;
}

static dedpul_status set(void *request, const char *name, const char *value, dedpul_error *error)
{
    (void)error;
    *(int *)request += atoi(name + 1) == atoi(value);
    return DEDPUL_OK;
}

bool is_figure_name(const char *path) /* in place of drawing.c */
{
    return path == NULL;
}

int main(void)
{
    const struct command_line line = {"many", groups, library, set, 0, "none"};
    char word[201][16] = {"many"}, *argument[202] = {word[0]};
    int matches = 0;
    bool help;
    for (int i = 0; i < 200; i++) {
        snprintf(word[i + 1], sizeof word[0], "--o%03d=%d", i, i);
        argument[i + 1] = word[i + 1];
    }
    return command_line_read(&line, &matches, 201, argument, NULL, &help) == 0 && matches == 200 ? 0 : 1;
}
END
sanitizer=()
[ -z "$SANITIZE" ] || sanitizer=(-fsanitize="$SANITIZE")
check 'a command of 200 options compiles' "$CC" -std=gnu11 "${sanitizer[@]}" -I"$SOURCE/cli" -I"$SOURCE/include" \
    -I"$SOURCE/include/common" many.c "$SOURCE"/cli/{command_line,option_list,message}.c -o many "$LIBRARY"
LD_LIBRARY_PATH=$(dirname "$LIBRARY") check 'all 200 are read' ./many

# Standard input that comes from an output file is refused as the file itself is.
cp "$table" t.csv
cp "$sample" s.csv
ln -s t.csv t_link.csv
refuses_input() { # FILE ARGUMENT...: standard input is that file
    local file=$1
    shift
    cp "$file" before.csv
    "$DEDPUL" "$@" <"$file" >out.txt 2>err.txt
    check "$*: wrong usage" [ $? -eq 2 ]
    check "$*: it says why" grep -q 'is the input' err.txt
    check "$*: the file is as it was" cmp "$file" before.csv
}
refuses_input t.csv fit - --posteriors t.csv
refuses_input t.csv fit - --model t_link.csv
refuses_input t.csv compare - --report ./t.csv
refuses_input s.csv scores - --posteriors s.csv
refuses_input s.csv scores - --report s.csv
"$DEDPUL" scores - --posteriors new.csv <s.csv >out.txt 2>err.txt
check 'another file is written' [ $? -eq 0 ]

# Outputs are looked at before the input.
expect 1 'cannot write nowhere/p.csv' scores missing.csv --posteriors nowhere/p.csv

# What users wrote does not control the terminal.
has_no_controls() { ! LC_ALL=C grep -qP '[\x00-\x1f\x7f\x80-\xff]' "$1"; }
expect 2 'fit\x1b[31m' $'fit\033[31m'
check 'a command: no controls' has_no_controls err.txt
expect 1 'no\xc2\x9bfile' fit $'no\302\233file'
check 'a file: no C1' has_no_controls err.txt
expect 1 'caf\xe9\x0a.csv' scores $'caf\351\n.csv'
check 'a file: no newline, no Latin-1' has_no_controls err.txt
expect 2 '--opt\x1b' fit $'--opt\033' x.csv
check 'an option: no controls' has_no_controls err.txt
expect 2 '--plot' scores $'--plot=\033[2J.gif' x.csv
check 'a value: no controls' has_no_controls err.txt
expect 1 '\x07' scores --method $'x\a' "$sample"
check 'a method: no controls' has_no_controls err.txt
expect 1 'cannot write nowhere\x1b/x' fit "$table" --model $'nowhere\033/x'
check 'an output: no controls' has_no_controls err.txt
expect 1 'é—中.csv' scores é—中.csv # letters stay letters
cp "$sample" $'s\033[31m\302\233.csv'
expect 0 '' scores $'s\033[31m\302\233.csv'
check 'the answer: no controls' has_no_controls out.txt

# A full disk is named, once.
full() { # ARGUMENT...: standard output is full
    "$DEDPUL" "$@" >/dev/full 2>err.txt
    check "$*: a full disk is an error" [ $? -eq 1 ]
    check "$*: it is named" grep -q 'cannot write to standard output: No space left on device' err.txt
    check "$*: once" [ "$(wc -l <err.txt)" -eq 1 ]
}
full --help
full --version
full fit --help
full scores "$sample"
full scores "$sample" --json
full fit "$table" --classifier gbdt --tree-rounds 5 --folds 2 --json
for option in posteriors curve report; do
    expect 1 'cannot write /dev/full: No space left on device' scores "$sample" "--$option" /dev/full
    check "$option: one message" [ "$(wc -l <err.txt)" -eq 1 ]
done
for option in model scores posteriors; do
    expect 1 'cannot write /dev/full: No space left on device' fit "$table" --classifier gbdt --tree-rounds 5 --folds 2 "--$option" /dev/full
    check "$option: one message" [ "$(wc -l <err.txt)" -eq 1 ]
done
finish
