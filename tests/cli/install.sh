#!/bin/bash
# What is installed can be used: through pkg-config, statically, and through CMake.
# shellcheck source=tests/cli/common.sh disable=SC2154
. "$SOURCE/tests/cli/common.sh"

[ -z "$SANITIZE" ] && [ "$COVERAGE" = OFF ] || exit 77
check 'install' cmake --install "$BUILD" --prefix "$work/prefix"
libraries=$(dirname "$(find "$work/prefix" -name libdedpul.a)")
export PKG_CONFIG_PATH=$libraries/pkgconfig LD_LIBRARY_PATH=$libraries
example=$SOURCE/examples/estimate.c

# shellcheck disable=SC2046
check 'compiles with pkg-config' "$CC" "$example" $(pkg-config --cflags --libs dedpul) -o shared
check 'runs' ./shared "$sample"
# shellcheck disable=SC2046
check 'compiles statically' "$CC" "$example" -I"$work/prefix/include" "$libraries/libdedpul.a" $(pkg-config --static --libs dedpul | sed "s/-ldedpul//") -o static
check 'runs statically' env -u LD_LIBRARY_PATH ./static "$sample"
# shellcheck disable=SC2046
check 'compiles the example of fit' "$CC" "$SOURCE/examples/fit.c" $(pkg-config --cflags --libs dedpul) -o fit
check 'fits, saves, loads, predicts' ./fit "$table" wine.model "$new" posteriors.csv
check 'a posterior for each new row' [ "$(wc -l <posteriors.csv)" -eq 201 ]
mkdir consumer
cat >consumer/CMakeLists.txt <<END
cmake_minimum_required(VERSION 3.25)
project(consumer C)
find_package(dedpul REQUIRED)
add_executable(with_shared $example)
target_link_libraries(with_shared PRIVATE dedpul::dedpul)
add_executable(with_static $example)
target_link_libraries(with_static PRIVATE dedpul::dedpul_static)
END
check 'configures with CMake' cmake -S consumer -B consumer/build -DCMAKE_PREFIX_PATH="$work/prefix"
check 'builds with CMake' cmake --build consumer/build
check 'runs' consumer/build/with_shared "$sample"
check 'runs statically' consumer/build/with_static "$sample"
command -v g++ >/dev/null && check 'the header is C++ too' g++ -fsyntax-only -x c++ "$work/prefix/include/dedpul.h"
for page in dedpul dedpul-bench dedpul-compare dedpul-fit dedpul-predict dedpul-scores dedpul-show dedpul-sql; do
    check "$page.1 is installed" [ -f "$work/prefix/share/man/man1/$page.1" ]
done
for script in bash-completion/completions/dedpul zsh/site-functions/_dedpul fish/vendor_completions.d/dedpul.fish; do
    check "$script is installed" [ -s "$work/prefix/share/$script" ]
done
check 'the installed command runs' "$work/prefix/bin/dedpul" scores "$sample"

touch "$work/prefix/bin/another"
check 'uninstall' cmake -D MANIFEST="$BUILD/install_manifest.txt" -P "$SOURCE/cmake/uninstall.cmake"
check 'it removes what was installed, and nothing else' diff <(find "$work/prefix" ! -type d) <(echo "$work/prefix/bin/another")
check 'and its own directory' [ ! -d "$libraries/cmake/dedpul" ]
check 'there is nothing to remove then' bash -c "! cmake -D MANIFEST='$BUILD/install_manifest.txt' -P '$SOURCE/cmake/uninstall.cmake'"
finish
