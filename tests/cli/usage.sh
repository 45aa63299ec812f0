#!/bin/bash
# Help, version, and wrong command lines.
# shellcheck source=tests/cli/common.sh disable=SC2154
. "$SOURCE/tests/cli/common.sh"

expect 0 '' --help
for command in fit predict show scores compare bench; do
    check "help names $command" grep -q "^  $command " out.txt
done
expect 0 '' --version
check 'version is three numbers' grep -Eqx 'dedpul [0-9]+\.[0-9]+\.[0-9]+' out.txt
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
expect 2 "'dedpul predict' needs MODEL FILE" predict a.model
expect 2 "'dedpul predict' needs MODEL FILE" predict a.model b.csv c.csv
expect 2 "unknown command 'predic'; did you mean 'predict'?" predic
expect 2 'did you mean --classifier?' fit --clasifier gbdt x.csv
expect 2 'is the input' fit x.csv --model x.csv
expect 2 '--model and --scores name the same file' fit x.csv --model y --scores y
expect 2 '--model needs the name of a file' fit x.csv --model -
expect 2 '--json and --plot exclude each other' fit --json --plot x.csv
expect 2 'is the input' predict a.model x.csv --out a.model
expect 2 'is the input' predict a.model x.csv --out x.csv

expect 2 "no command given"
expect 2 "unknown command 'score'; did you mean 'scores'?" score
expect 2 "unknown command 'zzz'; see 'dedpul --help'" zzz
expect 2 'no file given' scores
expect 2 'more than one file given' scores a b
expect 2 'did you mean --smoothing?' scores --smothing none x.csv
expect 2 "unknown option '--qqqq'" scores --qqqq x.csv
expect 2 "unknown option '-x'" scores -x x.csv
expect 2 '--alpha needs a value' scores x.csv --alpha
expect 2 "option '--po' is ambiguous" scores --po x x.csv
expect 2 "option '--json=1' takes no value" scores --json=1 x.csv
expect 2 "unknown option '-x'" scores x.csv -xyz
expect 2 'is the input' scores x.csv --posteriors x.csv
expect 2 'name the same file' scores x.csv --posteriors y.csv --curve y.csv
expect 2 'name the same file' scores x.csv --posteriors y.csv --curve ./y.csv
expect 2 '--posteriors needs the name of a file' scores x.csv --posteriors=
expect 2 '--curve needs the name of a file' scores x.csv --curve -
cp "$sample" copy.csv && ln -s copy.csv link.csv
expect 2 'is the input' scores copy.csv --posteriors link.csv
expect 2 '--json and --plot exclude each other' scores --json --plot x.csv
expect 2 "--plot: 'x.pdf' does not end in .svg or .png" scores --plot=x.pdf x.csv
expect 2 "--plot: '' does not end in .svg or .png" fit --plot= x.csv
expect 2 'no file given' scores --plot x.svg
expect 2 'more than one file given' scores --plot x.pdf x.csv
expect 2 'name the same file' scores x.csv --report y.svg --plot ./y.svg
expect 2 'is the input' fit x.svg --plot=x.svg

expect 1 "dedpul: alpha: '1.5' is not a share between 0 and 1" scores --alpha 1.5 "$sample"
expect 1 "dedpul: unknown method 'dedpool'; did you mean 'dedpul'?" scores --method dedpool "$sample"
check 'the message lists the methods' grep -q "'en_e1', 'en_e3'" err.txt
expect 1 "unknown density 'gauss'" scores --density gauss "$sample"
expect 1 'is not trend|paper|none' scores --smoothing some "$sample"
expect 1 'density gmm has no bandwidth' scores --density gmm --bandwidth-p 0.3 "$sample"

"$DEDPUL" --help >/dev/full 2>err.txt
check 'a full disk is an error' [ $? -eq 1 ]
finish
