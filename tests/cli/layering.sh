#!/bin/bash
# An include that breaks the layering does not compile.
# shellcheck source=tests/cli/common.sh disable=SC2154
. "$SOURCE/tests/cli/common.sh"

# includes LAYER HEADER: whether a source file of the layer, compiled as those are, may include it.
includes() {
    local example flags
    example=$(find "$SOURCE/src/$1" "$SOURCE/$1" -name '*.c' 2>/dev/null | sort | head -1)
    flags=$(jq -r --arg file "$example" '.[] | select(.file == $file) | .command' "$BUILD/compile_commands.json" |
        grep -oE -- '-I[^ ]+|-D[^ ]+' | tr '\n' ' ')
    # shellcheck disable=SC2086
    echo "#include \"$2\"" | "$CC" $flags -std=gnu11 -fsyntax-only -x c -
}
refused() { ! includes "$1" "$2"; }

check 'estimators may use ratio' includes estimators ratio.h
check 'density may use math' includes density sort.h
check 'density may not use table' refused density csv.h
check 'ratio may not use density' refused ratio density.h
check 'mixture may not use ratio' refused mixture ratio.h
check 'base may not use math' refused base sort.h
check 'estimators may not use api' refused estimators result.h
check 'features may use table' includes features table.h
check 'features may not use classify' refused features classifier.h
check 'features may not use density' refused features density.h
check 'classify may use math' includes classify gemm.h
check 'classify may not use table' refused classify table.h
check 'classify may not use features' refused classify encoding.h
check 'classify may not use api' refused classify result.h
check 'table may not use features' refused table encoding.h
check 'api may use classify' includes api classifier.h
check 'api may not use table' refused api table.h
check 'api may not use features' refused api encoding.h
check 'model may use features' includes model encoding.h
check 'model may use api' includes model result.h
check 'model may not use ratio' refused model ratio.h
check 'nothing below may use model' refused api model.h
check 'nothing below may use experiments' refused model protocol.h
check 'experiments may use model' includes experiments model.h
check 'experiments may not use the command' refused experiments command.h
check 'the command may use experiments' includes cli experiments.h
check 'the command may use the public header' includes cli dedpul.h
check 'the command may not use the insides of the library' refused cli context.h
finish
