#!/bin/bash
# Tests that need the packages of scripts/bootstrap.sh extras. Usage: python_extras.sh SOURCE
set -eu
python="$1/build/venv/bin/python"
if [ ! -x "$python" ]; then
    echo "There is no build/venv; scripts/bootstrap.sh extras makes it."
    exit 77
fi
"$python" -m pytest -q -rs -p no:cacheprovider "$1/python/tests/extras" "$1/python/tests/test_sql.py"
