#!/bin/bash
# Debian packages, wheels and pip: what they hold runs, and they say what they need.
# shellcheck source=tests/cli/common.sh disable=SC2154
. "$SOURCE/tests/cli/common.sh"
[ -z "$SANITIZE" ] && [ "$COVERAGE" = OFF ] || exit 77
for tool in cpack dpkg-shlibdeps "$PYTHON"; do
    if ! command -v "$tool" >/dev/null; then
        echo "$tool is not installed: packages were not tried"
        exit 77
    fi
done
version=$("$DEDPUL" --version | cut -d' ' -f2)
soname=libdedpul${version%.*}
estimate="import dedpul; import numpy
label, score = numpy.loadtxt('$sample', delimiter=',', skiprows=1, usecols=(0, 1), unpack=True)
assert 0.4 < dedpul.estimate(score, label).alpha < 0.6"
import_from() { # DIRECTORY PYTHON: runs it with the package there, away from the source tree
    env -u DEDPUL_LIBRARY PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$1" "$PYTHON" -c "$2"
}

# Debian packages
check 'builds Debian packages' cpack --config "$BUILD/CPackConfig.cmake" -B "$work"
field() { # PACKAGE FIELD
    dpkg-deb -f packages/"$1"_*.deb "$2"
}
check 'there are four' [ "$(find packages -name '*.deb' | wc -l)" -eq 4 ]
for needed in libdnnl2 libgomp1 libxgboost0 zlib1g; do
    check "the library needs $needed" grep -qw "$needed" <(field "$soname" Depends)
    check "the command needs $needed" grep -qw "$needed" <(field dedpul Depends)
done
check 'the command needs jansson' grep -qw libjansson4 <(field dedpul Depends)
check 'headers are for this library' grep -qF "$soname (= $version)" <(field libdedpul-dev Depends)
check 'Python needs this library' grep -qF "$soname (= $version)" <(field python3-dedpul Depends)
check 'Python is for all machines' [ "$(field python3-dedpul Architecture)" = all ]
for package in packages/*.deb; do
    check "$package is unpacked" dpkg-deb -x "$package" root
done
check 'the command runs' root/usr/bin/dedpul scores "$sample"
check 'manuals are compressed' [ "$(find root -name '*.1.gz' | wc -l)" -eq "$(find "$SOURCE/cli" -name '*.1' | wc -l)" ]
for script in bash-completion/completions/dedpul zsh/vendor-completions/_dedpul fish/vendor_completions.d/dedpul.fish; do
    check "$script is there" [ -s "root/usr/share/$script" ]
done
export LD_LIBRARY_PATH=$work/root/usr/lib
check 'the Python package finds the library' import_from root/usr/lib/python3/dist-packages "$estimate"
check 'C programs compile' "$CC" "$SOURCE/examples/estimate.c" -Iroot/usr/include -Lroot/usr/lib -ldedpul -o estimate
check 'and run' ./estimate "$sample"
unset LD_LIBRARY_PATH

# A wheel with all that it needs
check 'builds a wheel' env DEDPUL_LIBRARY="$BUILD/wheel_library/libdedpul.so" "$PYTHON" "$SOURCE/python/backend.py" wheel wheel
check 'unpacks it' "$PYTHON" -m zipfile -e wheel/*.whl unpacked
check 'it runs by its own libraries' import_from unpacked "$estimate
loaded = open('/proc/self/maps').read()
for name in ('libdedpul.so', 'libs/libdnnl.so', 'libs/libxgboost.so', 'libs/libgomp.so'):
    assert '$work/unpacked/dedpul/' + name in loaded, name"
check 'with their terms' [ "$(find unpacked -path '*/licenses/*' | wc -l)" -ge 3 ]

# pip, without a network and without setuptools
if "$PYTHON" -m pip --version >/dev/null 2>&1; then
    check 'pip installs from the repository' env DEDPUL_LIBRARY="$LIBRARY" "$PYTHON" -m pip install --quiet --no-index \
        --no-deps --target installed "$SOURCE/python"
    check 'it runs' import_from installed "$estimate"
    check 'it has its types' [ -f installed/dedpul/py.typed ]
    check 'pip knows its version' import_from installed "import importlib.metadata; assert importlib.metadata.version('dedpul') == '$version'"
else
    echo 'pip is not installed: it was not tried'
fi
cd "$SOURCE/python" || exit 1
says=$(env -u DEDPUL_LIBRARY PATH=/nowhere PYTHONDONTWRITEBYTECODE=1 "$(command -v "$PYTHON")" -c "import backend; backend.build_wheel('$work')" 2>&1)
cd "$work" || exit 1
check "what is missing is said: $says" grep -q 'needs CMake, a C compiler and .*bootstrap.sh build' <<<"$says"
finish
