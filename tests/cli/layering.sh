#!/bin/bash
# Each layer sees the headers of the layers it is granted in CMakeLists.txt, no others, and uses every grant.
# shellcheck source=tests/cli/common.sh disable=SC2154
. "$SOURCE/tests/cli/common.sh"

common=include/common # which every layer sees
mapfile -t layers < <(cd "$SOURCE" && printf '%s\n' src/*/)
layers=("${layers[@]%/}" experiments cli)

# granted DIRECTORY: the directories of headers that its sources may see, by line.
granted() {
    echo "$1"
    echo "$common"
    case "$1" in
    experiments) printf '%s\n' include "$SOURCE"/src/*/ | sed "s,^$SOURCE/,,; s,/\$,," ;;
    cli) printf '%s\n' include experiments ;;
    src/public) echo include ;;&
    src/*) awk -v name="${1#src/}" '$1 == name { print "src/" $2 }' "$BUILD/layers.txt" ;;
    esac
}

# flags DIRECTORY: the include directories and definitions that its sources are compiled with, by line.
flags() {
    local example
    example=$(find "$SOURCE/$1" -name '*.c' | sort | head -1)
    jq -r --arg file "$example" '.[] | select(.file == $file) | .command' "$BUILD/compile_commands.json" |
        grep -oE -- '-I[^ ]+|-D[^ ]+'
}

compile() { "$CC" "${flags[@]}" -std=gnu11 "$@"; }
refused() { ! compile "$@"; }

# included DIRECTORY: the directories of all headers that its files include, also by way of other headers.
included() {
    compile -MM "$SOURCE/$1"/*.[ch] | tr -s ' \\' '\n' | sed -n "s,^$SOURCE/\(.*\)/[^/]*\.h\$,\1,p" | sort -u
}

# Prints the directory and name of every header of the tree that the compiler finds.
(cd "$SOURCE" && find src include experiments cli -name '*.h' | sort) >headers.txt
sed -E 's,^(.*)/([^/]*)$,#if __has_include("\2")\n\1 \2\n#endif,' headers.txt >probe.c

check 'there are grants' test -s "$BUILD/layers.txt"
for layer in "${layers[@]}"; do
    mapfile -t flags < <(flags "$layer")
    granted "$layer" | sort -u >granted.txt
    sed -E 's,/([^/]*)$, \1,' headers.txt | awk 'NR == FNR { may[$1]; next } $1 in may' granted.txt - >expected.txt
    compile -I"$SOURCE/$layer" -nostdinc -E -P probe.c >visible.txt # the system has a search.h, too
    check "$layer sees the headers it is granted, no others" diff expected.txt visible.txt
    included "$layer" >included.txt
    check "$layer includes nothing by another path" test -z "$(comm -13 granted.txt included.txt)"
    [[ $layer == src/* ]] || continue
    check "$layer uses every layer it is granted" diff <(grep ^src/ granted.txt) <(grep ^src/ included.txt)
    awk '{ print "#include \"" $2 "\"" }' visible.txt >all.c
    check "each header that $layer sees compiles there" compile -fsyntax-only all.c
    [ "$layer" = src/public ] && continue
    for header in "$SOURCE"/include/*.h; do # the others see only what all calls share
        echo "#include \"$(basename "$header")\"" >public.c
        check "$layer may not include $(basename "$header")" refused -fsyntax-only public.c
    done
done

# What only the registries and the table of options may know: which names there are. Elsewhere, comparing with
# one means that a new method, density or classifier has to be added there, too.
may_compare='^(src/public/(option_types|options|names)\.c|src/estimators/registry\.c|src/density/density\.c|src/classify/classifier\.c)$'
"$DEDPUL" fit --help | awk '/^[A-Z].*:$/ { is_list = /^(Methods|Classifiers|Densities):/; next } is_list && /^  [a-z]/ { print $1 }' >names.txt
check 'methods, classifiers and densities are listed' grep -qxF -e dedpul names.txt
check 'methods, classifiers and densities are listed' test "$(grep -cxE 'kde|mlp|nnpu|auto' names.txt)" -eq 4
# compared: FILE NAME of each name in a line that compares texts.
compared() {
    local name
    (cd "$SOURCE" && grep -rnE 'str[a-z]*cmp *\(|text_equal|name_find' src cli experiments --include='*.[ch]') >lines.txt
    while read -r name; do
        grep -F "\"$name\"" lines.txt | sed "s/:.*/ $name/"
    done <names.txt | awk -v may="$may_compare" '$1 !~ may' | sort -u
}
check 'no name of a method, density or classifier is compared outside the registries' diff /dev/null <(compared)

# A name that two files have would be found or not by the order of directories.
check 'names of files are unique' diff /dev/null \
    <(cd "$SOURCE" && find src cli experiments include -name '*.[ch]' -printf '%f\n' | sort | uniq -d)
finish
