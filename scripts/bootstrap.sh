#!/bin/bash
# Installs the Debian packages that a target of the Makefile needs and that are missing. Quiet, and
# without any network, when everything is there. "extras" also makes build/venv, with the Python packages that
# Debian does not have: some tests need them, and are skipped without them.
set -eu

packages() {
    case "$1" in
    build) echo gcc libc6-dev cmake make pkg-config zlib1g-dev libjansson-dev libdnnl-dev libxgboost-dev ;;
    demo) echo "$(packages build)" gnuplot-nox ;;
    package) echo "$(packages build)" dpkg-dev file python3 ;;
    check) echo "$(packages demo)" "$(packages package)" zsh fish libcmocka-dev jq mandoc python3-numpy python3-pip \
        python3-scipy chromium chromium-driver python3-selenium python3-sklearn python3-pandas python3-matplotlib python3-pytest python3-torch \
        postgresql python3-psycopg2 ;;
    lint) echo "$(packages check)" clang-format clang-tidy shellcheck git ;;
    coverage) echo "$(packages check)" gcovr ;;
    fuzz) echo "$(packages build)" clang libclang-rt-14-dev ;;
    extras) echo python3-numpy python3-pandas python3-pip python3-pytest python3-sklearn openjdk-17-jre-headless ;;
    esac
}

# Later versions of pyarrow need another NumPy than Debian's, and Dask a later pandas. Spark needs Java 17, too.
extras=("pyarrow<24" polars duckdb "pandas>=2,<2.3" "numpy<2" "pyspark<4" dask distributed)

# Does what is due after Debian's packages.
finish() {
    [ "$1" = extras ] || exit 0
    cd "$(dirname "$0")/.."
    python=build/venv/bin/python
    [ -x "$python" ] || /usr/bin/python3 -m venv --without-pip --system-site-packages build/venv
    installed=build/venv/installed
    [ "$(cat "$installed" 2>/dev/null)" = "${extras[*]}" ] && exit 0
    echo "Installing ${extras[*]} into build/venv" >&2
    "$python" -m pip install -q --disable-pip-version-check "${extras[@]}" || {
        echo "Could not install: ${extras[*]}" >&2
        exit 1
    }
    echo "${extras[*]}" >"$installed"
    exit 0
}

if ! command -v dpkg-query >/dev/null; then
    echo "This is no Debian system; please install the equivalents of: $(packages "$1")" >&2
    exit 0
fi

missing=()
for package in $(packages "$1"); do
    case "$(dpkg-query -W -f '${Status}' "$package" 2>/dev/null)" in
    *"ok installed") ;;
    *) missing+=("$package") ;;
    esac
done
[ "${#missing[@]}" -eq 0 ] && finish "$1"

if [ "$(id -u)" -eq 0 ]; then
    as_root=()
elif command -v sudo >/dev/null; then
    as_root=(sudo)
else
    echo "Missing packages; install them as root: apt-get install ${missing[*]}" >&2
    exit 1
fi
echo "Installing ${missing[*]}" >&2
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! { "${as_root[@]}" apt-get update -q &&
    DEBIAN_FRONTEND=noninteractive "${as_root[@]}" apt-get install -q -y --no-install-recommends "${missing[@]}"; } >"$log" 2>&1; then
    cat "$log" >&2
    echo "Could not install: ${missing[*]}" >&2
    exit 1
fi
finish "$1"
