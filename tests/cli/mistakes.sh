#!/bin/bash
# What a new user is likely to do wrong, and what the command says then. docs/MISTAKES.md is made of this list and checked
# against it. After a change of a message, UPDATE=1 writes it anew:
#   UPDATE=1 SOURCE=. DEDPUL=build/dev/dedpul tests/cli/mistakes.sh
# shellcheck disable=SC2154,SC2016
SOURCE=$(realpath "$SOURCE") DEDPUL=$(realpath "$DEDPUL")
# shellcheck source=tests/cli/common.sh
. "$SOURCE/tests/cli/common.sh"
command -v gnuplot >/dev/null || exit 77
export LC_ALL=C

total=0
heading() { printf '\n## %s\n' "$1" >>mistakes.md; }

# mistake WHAT CODE WORDS BEFORE ARGUMENT...: the exit code, and words of what to do. BEFORE is what version 0.7 said, or
# (what it did), if that was worse. The document shows all of it.
mistake() {
    local what=$1 want=$2 words=$3 before=$4
    shift 4
    total=$((total + 1))
    expect "$want" "$words" "$@"
    if [ "$want" -eq 0 ]; then # what else it warns of is none of this
        grep -F "${words:-no warning}" err.txt >about.txt
        mv about.txt err.txt
    fi
    check "$what: one line" [ "$(wc -l <err.txt)" -eq "$([ -z "$words" ] && echo 0 || echo 1)" ]
    record "$what" "dedpul $(quoted "$@")" "$before"
}

# As it would be typed.
quoted() {
    local word line=
    for word in "$@"; do
        case $word in *[\ \'\"\;]*) word="'$word'" ;; esac
        line="$line $word"
    done
    echo "${line# }"
}

# record WHAT COMMAND BEFORE: an entry of the document, with the messages in err.txt.
record() {
    {
        printf '\n**%s**\n\n```\n$ %s\n' "$1" "$2"
        cat err.txt
        [ -s err.txt ] || echo '(works)'
        printf '```\n'
        case $3 in
        '') ;;
        \(*) printf '\nBefore 0.8: %s\n' "${3:1:-1}" ;;
        *) printf '\nBefore 0.8: `%s`\n' "$3" ;;
        esac
    } >>mistakes.md
}

# rows FORMAT [SEPARATOR]: 400 rows of label, x, y with a header, x and y in that form. Half of the unlabeled are positive.
rows() {
    awk -v format="$1" -v s="${2:-,}" 'BEGIN { print "label" s "x" s "y"
        for (i = 1; i <= 400; i++)
            printf "%d" s format s format "\n", i % 3 == 1, i * 6181 % 9973 / 9973 + 0.7 * (i % 3 != 1 && i % 2), i * 7549 % 9967 / 9967 }'
}
with_column() { # NAME AWK-EXPRESSION: one more column, from the row's number i
    rows %.4f | awk -F, -v OFS=, "NR == 1 { print \$0, \"$1\" } NR > 1 { i = NR - 2; print \$0, $2 }"
}

cat >mistakes.md <<'END'
# Likely mistakes

What a new user is likely to do wrong, and what the command says then. This page is made by `tests/cli/mistakes.sh`, which
runs each of these commands and fails if an answer is not the one below.
END

rows %.4f >table.csv
with_column code 'i % 50 + 100' >codes.csv
awk -F, -v OFS=, 'NR == 1 { print "label,score" } NR > 1 { print $1, $2 / 2 }' table.csv >scores.csv
fast=(--classifier logistic)

heading 'Calling the command'
mistake 'A command that is misspelled' 2 "did you mean 'fit'?" "unknown command 'fti'; see 'dedpul --help'" fti table.csv
mistake 'No command' 2 "'dedpul fit table.csv' for a table" "unknown command 'table.csv'; see 'dedpul --help'" table.csv
mistake 'Options before the command' 2 'the command comes before its options' "unknown command '--classifier'; see 'dedpul --help'" --classifier gbdt fit table.csv
mistake 'One dash' 2 'did you mean --classifier?' "option '-c' is ambiguous; see 'dedpul fit --help'" fit -classifier gbdt table.csv
mistake 'An option that is misspelled' 2 'did you mean --classifier?' '' fit --clasifier gbdt table.csv
mistake 'A classifier that there is not' 1 "there are 'mlp'" '' fit --classifier xgboost table.csv
mistake 'No file' 2 "see 'dedpul fit --help'" '' fit
mistake 'A picture of another kind' 2 'end in .svg, .png or .pdf' "more than one file given; see 'dedpul scores --help'" scores scores.csv --plot out.jpg
mistake 'A picture as PDF' 0 '' "more than one file given; see 'dedpul scores --help'" scores scores.csv --plot out.pdf
mistake 'A file that is not there' 1 'check the name' 'cannot read tabel.csv: No such file or directory' fit tabel.csv
mistake 'An output over the input' 2 'is the input' '' fit table.csv --model table.csv
mistake 'A share in percent' 1 'a share between 0 and 1' '' scores scores.csv --alpha 30
mistake 'Scores that are not there' 1 'Name the column of scores (--score COL)' '' scores table.csv

with_column rate '$1 == 1 ? (i % 7 == 3 ? 35 : 0.4) : ""' >rates.csv
mistake 'A chance of being labeled in percent' 1 'a propensity is the chance' '' fit rates.csv --propensity-value rate
with_column rate '$1 == 1 && i % 9 != 3 ? 0.4 : ""' >rates.csv
mistake 'A labeled row without its chance' 1 'is labeled, but has no propensity' '' fit rates.csv --propensity-value rate
mistake 'Labels that depend on a column that is not there' 1 "there are 'x', 'y'" '' fit table.csv --propensity region
with_column region '$1 == 1 ? "north" : i % 2 ? "north" : "south"' >regions.csv
mistake 'Labels that depend on a column in which labeled rows are all alike' 1 'does not tell labeled rows apart' '' fit regions.csv --propensity region

set -m # else an interrupt may be ignored
sleep 3 | env --default-signal=INT timeout --preserve-status -s INT 0.5 "$DEDPUL" fit - >out.txt 2>err.txt
check 'an interrupt: exit code' [ "${PIPESTATUS[1]}" -eq 130 ]
check 'an interrupt: the message' grep -qx 'dedpul: interrupted; nothing was written' err.txt
set +m
total=$((total + 1))
record 'Ctrl-C' 'dedpul fit table.csv, and Ctrl-C' '(nothing at all)'

heading 'Files of other programs'
foreign() { # WHAT FILE WORDS BEFORE BYTES
    printf "%b" "$5" >"$2"
    mistake "$1" 1 "$3" "$4" fit "$2"
}
zip='PK\x03\x04\x14\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0'
foreign Parquet table.parquet "pandas.read_parquet('table.parquet').to_csv(" 'table.parquet: byte 7 is zero, so this is no text file' 'PAR1\x15\x04\0'
foreign JSON table.json "pandas.read_json('table.json').to_csv(" "table.json: there is no column 'label'; there are '[{\"label\": 1', '\"x\": 0.5}]'. Name the column of labels (--label COL), or a file of labels (--labels FILE)" '[{"label": 1, "x": 0.5}]\n'
foreign 'JSON lines' table.jsonl "pandas.read_json('table.jsonl', lines=True).to_csv(" "table.jsonl: there is no column 'label'; there are '{\"label\": 1', '\"x\": 0.5}'. Name the column of labels (--label COL), or a file of labels (--labels FILE)" '{"label": 1, "x": 0.5}\n{"label": 0, "x": 0.4}\n'
foreign 'A pickle' table.pkl "pandas.read_pickle('table.pkl').to_csv(" 'table.pkl: byte 5 is zero, so this is no text file' '\x80\x04\x95\x10\0'
foreign Feather table.feather "pandas.read_feather('table.feather').to_csv(" 'table.feather: byte 7 is zero, so this is no text file' 'ARROW1\0\0'
foreign Excel table.xlsx "pandas.read_excel('table.xlsx').to_csv(" 'table.xlsx is a zip archive (.npz, .xlsx?); save it as CSV, or with numpy.save as .npy' "$zip"'\x13\0\0\0[Content_Types].xml'
foreign SPSS table.sav "pandas.read_spss('table.sav').to_csv(" 'table.sav: byte 25 is zero, so this is no text file' '$FL2@(#) SPSS DATA FILE \0'
foreign 'Several NumPy arrays' table.npz 'numpy.save' 'table.npz is a zip archive (.npz, .xlsx?); save it as CSV, or with numpy.save as .npy' "$zip"'\x07\0\0\0arr.npy'
foreign 'UTF-16, as Excel saves "Unicode text"' table.txt 'iconv -f UTF-16' 'table.txt: byte 4 is zero, so this is no text file (or UTF-16: convert it to UTF-8)' '\xff\xfel\0a\0'
foreign 'A page in place of the data' download.csv 'download the data itself' "download.csv: there is no column 'label'; there are '<!DOCTYPE html>' (columns are separated by comma, semicolon or tab). Name the column of labels (--label COL), or a file of labels (--labels FILE)" '<!DOCTYPE html>\n<p>Sign in</p>\n'

heading 'Headers and separators'
tail -n +2 table.csv >rows.csv
mistake 'A file without a header' 1 'say so (--no-header)' "rows.csv: there is no column 'label'; there are '1', '0.6198', '0.7574'. Name the column of labels (--label COL), or a file of labels (--labels FILE)" fit rows.csv
mistake 'A file without a header, its first column named' 1 'say so (--no-header)' '(nothing: the first row was taken for names, and was lost)' fit rows.csv --label 1
mistake 'No header, but no column of labels' 1 'Name the column of labels (--label COL)' '' fit rows.csv --no-header
mistake 'No header, all said' 0 '' '' fit rows.csv --no-header --label 1 "${fast[@]}"
sed 's/[0-9.]*$/red/; s/^[01]/red/' rows.csv >texts.csv
mistake 'A file without a header, all of texts' 1 '(--no-header)' "texts.csv: line 1: columns 1 and 3 are both called 'red'; rename one" fit texts.csv
tr , '|' <table.csv >pipes.csv
mistake 'Another separator' 1 'separated by comma, semicolon or tab' '' fit pipes.csv
sed 's/\./,/g' table.csv >both.csv
mistake 'Commas between columns, and decimal commas' 1 'must stand in double quotes' 'both.csv: line 2 has 5 fields, but the header names 3 columns' fit both.csv
printf 'label,x\n1,"2\n0,3\n' >quote.csv
mistake 'A quote that is not closed' 1 'close it' 'quote.csv: line 2: a quote is opened but never closed' fit quote.csv

heading 'Numbers'
rows %.4f \; | sed 's/\./,/g' >commas.csv
mistake 'Decimal commas between semicolons' 0 '' "commas.csv: line 258, column 'x' has more than 256 distinct texts; it looks like an identifier. Leave it out (--ignore 'x'), or allow more (--max-levels N)" fit commas.csv "${fast[@]}"
rows %d \; | awk -F\; -v OFS=\; 'NR > 1 { $2 = $1 + NR % 7 + 1 "," NR % 9 + 1 } { print }' >pairs.csv
mistake 'Decimal commas, or pairs?' 0 'Say so (--decimal ,)' "column 'x' counts as text, since its numbers have decimal commas; write them with points" fit pairs.csv "${fast[@]}"
rows %d \; | awk -F\; -v OFS=\; 'NR > 1 { $2 = NR % 9 + 1 "," 100 + NR * 2 % 800 } { print }' >thousands.csv
mistake 'Decimal commas, or thousands?' 1 'Say that these are decimal commas (--decimal ,)' "thousands.csv: line 258, column 'x' has more than 256 distinct texts; it looks like an identifier. Leave it out (--ignore 'x'), or allow more (--max-levels N)" fit thousands.csv
with_column tax '$2 "%"' >percents.csv
mistake 'Numbers with a sign' 1 'Write the numbers alone' "percents.csv: line 258, column 'tax' has more than 256 distinct texts; it looks like an identifier. Leave it out (--ignore 'tax'), or allow more (--max-levels N)" fit percents.csv
with_column z 'i == 30 ? "inf" : i' >infinite.csv
mistake 'A value that is not finite' 1 'leave the cell empty' '' fit infinite.csv
awk -F, -v OFS=, 'NR > 1 { $2 *= 100 } { print }' scores.csv >percent.csv
mistake 'Scores in percent' 1 '--scale percent' "percent.csv: line 2, column 'score': '30.99' is out of range; scores lie in [0, 1]" scores percent.csv
awk -F, -v OFS=, 'NR > 1 { $2 = 4 * $2 - 2 } { print }' scores.csv >logits.csv
mistake 'Scores that are logits, or margins' 1 '--scale logit' "logits.csv: line 2, column 'score': '-0.7604' is out of range; scores lie in [0, 1]" scores logits.csv
mistake 'Scores in percent, said' 0 '' '' scores percent.csv --scale percent
printf 'label,score\n1,"0,93"\n0,"0,12"\n' >quoted.csv
mistake 'Scores with quoted decimal commas' 1 '(then say --decimal ,)' "quoted.csv: line 2, column 'score': '0,93' is not a number; scores lie in [0, 1]" scores quoted.csv

heading Labels
sed 1s/label/target/ table.csv >target.csv
mistake 'Labels with another name' 1 'Name the column of labels (--label COL)' '' fit target.csv
sed 's/^1,/yes,/; s/^0,/no,/' table.csv >yes.csv
mistake 'Labels that are words' 1 '(--positive VALUE)' '' fit yes.csv
mistake 'A label that no row has' 1 'Name one of these (--positive VALUE)' "yes.csv: no row has 'Yes' in column 'label'; found 'yes' (line 2), 'no' (line 3)" fit yes.csv --positive Yes
cut -d, -f2- table.csv >features.csv
cut -d, -f1 rows.csv >labels.txt
mistake 'A file of labels without a header' 1 'Add such a line' '' fit features.csv --labels labels.txt
head -n 301 table.csv | cut -d, -f1 >short.txt
mistake 'Too few labels' 1 'one for each row' 'features.csv has 400 rows, but short.txt 300 labels' fit features.csv --labels short.txt

heading Columns
with_column id '"w" i' >id.csv
mistake 'An identifier' 1 "(--id 'id')" '' fit id.csv
mistake 'A column of identifiers that is not there' 1 'Name the column of identifiers (--id COL)' '' fit id.csv --id ident
mistake 'The label as the identifier' 1 'cannot be both the label and the identifier' '' fit id.csv --id label
with_column day 'sprintf("2024-%02d-%02d", i / 28 + 1, i % 28 + 1)' >dates.csv
mistake 'Dates' 1 'Turn its dates into numbers' "dates.csv: line 258, column 'day' has more than 256 distinct texts; it looks like an identifier. Leave it out (--ignore 'day'), or allow more (--max-levels N)" fit dates.csv
with_column note '"he said so on page " i' >notes.csv
mistake 'Free text' 1 'Turn it into numbers, for example by TF-IDF' "notes.csv: line 258, column 'note' has more than 256 distinct texts; it looks like an identifier. Leave it out (--ignore 'note'), or allow more (--max-levels N)" fit notes.csv
with_column index '(i * 7) % 400' >index.csv
mistake 'The index of a data frame, rows mixed' 0 "leave it out (--ignore 'index')" '(nothing)' fit index.csv "${fast[@]}"
with_column entered 'i * 7919 % 100 + ($1 ? 60 : 0)' >entered.csv
mistake 'A column that came with the labeling' 0 "column 'entered' alone tells" '' fit entered.csv "${fast[@]}"
with_column source '$1 ? "clinic" : "register"' >source.csv
mistake 'A column that is the label' 0 "column 'source' alone tells" '' fit source.csv "${fast[@]}"
mistake 'Codes that are no amounts' 0 '' '(there was no such option: codes were taken for amounts)' fit codes.csv --categorical code --model codes.model "${fast[@]}"
mistake 'Codes, very many' 1 'Allow more (--max-levels N)' '' fit codes.csv --categorical code --max-levels 20
mistake 'A column to leave out that is misspelled' 1 "did you mean 'code'?" '' fit codes.csv --ignore kode
with_column patient '$1 == 1 ? "p" int(i / 3) % 3 : "u" i % 40' >patients.csv
mistake 'Fewer groups than folds' 1 'use at most 3 folds (--folds 3)' '(there was no such option: rows of a patient fell into different folds)' fit patients.csv --group patient
mistake 'Only labels' 1 'a fit needs columns' 'codes.csv has no columns beside those of labels, of weights and to leave out' fit codes.csv --ignore x,y,code

heading 'Kinds of positives'
with_column site '$1 ? (i % 2 ? "north" : "south") : ""' >kinds.csv
mistake 'A column of kinds that is not there' 1 'Name the column of kinds (--kind COL)' '' fit kinds.csv --kind sites
sed '2,$s/north\|south/north/' kinds.csv >one_kind.csv
mistake 'All rows of one kind' 1 'leave --kind out' '' fit one_kind.csv --kind site
with_column site '$1 ? "s" i : ""' >own_kinds.csv
mistake 'A kind for each row' 1 'a column of identifiers is not one of kinds (--id)' '' fit own_kinds.csv --kind site
with_column site 'i % 2 ? "north" : "south"' >all_kinds.csv
mistake 'Kinds of unlabeled rows' 1 'Leave the cell empty' '' fit all_kinds.csv --kind site
with_column site '$1 && i % 4 ? (i % 3 ? "north" : "south") : ""' >some_kinds.csv
mistake 'Labeled rows without a kind' 1 "such as 'unknown'" '' fit some_kinds.csv --kind site
with_column site '$1 ? (i < 380 ? "north" : "south") : ""' >rare_kind.csv
mistake 'A kind with too few rows' 1 'Join kinds that are alike' '' fit rare_kind.csv --kind site
mistake 'Sites that are kinds and groups' 1 'cannot be both' '' fit kinds.csv --kind site --group site

heading 'New rows'
"$DEDPUL" fit table.csv "${fast[@]}" --model table.model >/dev/null 2>&1
cut -d, -f2 table.csv >x.csv
mistake 'A column is not there' 1 "has no column 'y', which the model needs" '' predict table.model x.csv
mistake 'New rows without a header' 1 '(--no-header)' "rows.csv has no column 'x', which the model needs; there are '1', '0.6198', '0.7574'" predict table.model rows.csv
mistake 'New rows without a header, and that said' 1 'add a first line with the names' '' predict table.model rows.csv --no-header
sed '3s/,[^,]*$/,unknown/' table.csv >unknown.csv
mistake 'A text among the numbers' 1 'leave the cell empty' '' predict table.model unknown.csv --out p.csv
sed 's/,100$/,777/' codes.csv >newcodes.csv
mistake 'A code that the fit has not seen' 0 'they count as unknown' '' predict codes.model newcodes.csv --out p.csv
mistake 'An identifier that is a feature' 1 'cannot be both the identifier and a column that the model needs' '' predict table.model table.csv --id x
mistake 'Model and rows swapped' 1 'table.csv' '' predict table.csv table.model

check 'there are at least 30 mistakes' [ "$total" -ge 30 ]
[ -z "${UPDATE:-}" ] || cp mistakes.md "$SOURCE/docs/MISTAKES.md"
check 'docs/MISTAKES.md shows these messages (see the head of this script)' diff "$SOURCE/docs/MISTAKES.md" mistakes.md
finish
