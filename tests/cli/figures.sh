#!/bin/bash
# Figures of the answer: --plot FILE.svg, FILE.png and FILE.pdf.
# shellcheck source=tests/cli/common.sh disable=SC2154
. "$SOURCE/tests/cli/common.sh"
command -v gnuplot >/dev/null || exit 77

well_formed() { # FILE.svg...
    python3 -c 'import sys, xml.dom.minidom; [xml.dom.minidom.parse(file) for file in sys.argv[1:]]' "$@"
}
is_png() { # FILE: begins and ends as a PNG does
    cmp <(head -c 8 "$1") <(printf '\x89PNG\r\n\x1a\n') && cmp <(tail -c 8 "$1") <(printf 'IEND\xaeB`\x82')
}
has_panels() { # FILE.svg NUMBER
    [ "$(grep -oE 'How scores are distributed|Ratio of the densities|D\(alpha\) = alpha|How probable it is' "$1" | sort -u | wc -l)" -eq "$2" ]
}

# The name after = or in the next argument, before and after the input.
expect 0 '' scores "$sample" --plot a.svg
check 'the summary stays' cmp out.txt <("$DEDPUL" scores "$sample")
check 'the SVG is well-formed' well_formed a.svg
check 'it has four panels' has_panels a.svg 4
check 'and alpha' grep -q "wine_scores.csv: alpha = $(sed -n 's/^  alpha *\([0-9.]*\) .*/\1/p' out.txt) (method pooled)" a.svg
check 'and no interval' bash -c '! grep -q band: a.svg'
expect 0 '' scores --plot b.svg "$sample"
check 'it is the same' cmp a.svg b.svg
expect 0 '' scores --plot=c.SVG "$sample"
check 'it is the same' cmp a.svg c.SVG
expect 0 '' scores --interval --plot i.svg "$sample" --json
low=$(jq '.interval.low' out.txt)
check 'the interval is shown' grep -qF "band: 95%, $(printf %.3f "$low") to " i.svg
expect 0 '' scores "$sample" --plot a.png
check 'the PNG is one' is_png a.png
for command in scores evaluate; do
    expect 0 '' $command "$sample" --plot a.pdf
    check "$command: the PDF is one" cmp <(head -c 5 a.pdf; tail -n 1 a.pdf) <(printf '%%PDF-%%%%EOF\n')
    rm a.pdf
done

# Without a name it is the terminal's, whatever comes next.
expect 0 '' scores --plot "$sample"
check 'the plot is there' grep -q 'D(alpha) = alpha - mean posterior' out.txt
cp out.txt terminal.txt
expect 0 '' scores "$sample" --plot
check 'it is the same' cmp out.txt terminal.txt

# What a method has is drawn, and rows with weights count as often.
expect 0 '' scores "$sample" --method en_e1 --plot en.svg
check 'no densities, two panels' has_panels en.svg 2
expect 0 '' scores "$sample" --method bbe --density hist --alpha 0.3 --plot given.svg
check 'four panels' has_panels given.svg 4
awk -F, 'NR == 1 { print "label,score,n" } NR > 1 { print $1 "," $2 ",1000" }' "$sample" >weighted.csv
expect 0 '' scores weighted.csv --weight n --plot weighted.svg
check 'an axis of many rows' grep -qE '> ?(1e\+06|1000000)<' weighted.svg

# Text of users stays text.
hostile="it's {*9 _x_} & <b>.csv"
cp "$sample" "$hostile"
expect 0 '' scores "$hostile" --plot hostile.svg
check 'the SVG is well-formed' well_formed hostile.svg
check 'with the name as it is' grep -qF "it's {*9 _x_} &amp; &lt;b" hostile.svg

# Scores that hardly differ have no densities to draw; names that are no UTF-8 become some.
{ echo label,score; for i in 1 2 3 4 5 6; do echo "$((i % 2)),0.$((9 - i % 3 / 2))00000000000000$((i % 2))"; done; } >ulp.csv
expect 0 '' scores ulp.csv --plot ulp.svg
check 'the SVG is well-formed' well_formed ulp.svg
cp "$sample" "$(printf 'caf\351.csv')"
expect 0 '' scores "$(printf 'caf\351.csv')" --plot latin.svg
check 'the SVG is well-formed' well_formed latin.svg

# A file is there whole or not at all.
mkdir empty closed broken
PATH=/nonexistent "$DEDPUL" scores "$sample" --plot empty/x.svg >out.txt 2>err.txt
check 'without gnuplot: a failure' [ $? -eq 1 ]
check 'that says what to install' grep -q gnuplot-nox err.txt
check 'after the answer' grep -q '^  alpha ' out.txt
for script in 'exit 0' 'echo "<svg>"' 'cat >/dev/null; exit 1'; do
    printf '#!/bin/sh\n%s\n' "$script" >broken/gnuplot
    chmod +x broken/gnuplot
    cp a.svg empty/old.svg
    for file in empty/x.svg empty/old.svg; do
        PATH=$work/broken:$PATH "$DEDPUL" scores "$sample" --plot "$file" >out.txt 2>err.txt
        check "gnuplot as '$script': a failure" [ $? -eq 1 ]
        check 'that tells' grep -q 'cannot plot: gnuplot' err.txt
    done
    check 'what was there stays' cmp a.svg empty/old.svg
    rm empty/old.svg
    check 'nothing is left' [ -z "$(ls -A empty)" ]
done
expect 1 'cannot write' scores "$sample" --plot missing/x.svg
finish
