"""Examples of the docstrings, the documentation and the example script run."""
import doctest
import re
import subprocess
import sys
import typing

import pytest
from conftest import SOURCE, slow

import dedpul
from dedpul import _model, _result

pytestmark = pytest.mark.filterwarnings("ignore::dedpul.DedpulWarning")


@pytest.mark.parametrize("module", [dedpul, _result, _model, "_sklearn"], ids=str)
def test_docstrings(module):
    if module == "_sklearn":
        pytest.importorskip("sklearn")
        from dedpul import _sklearn as module
    found = doctest.testmod(module, extraglobs={"dedpul": dedpul})
    assert found.attempted > 0 and found.failed == 0


def test_annotations():
    for name in ("estimate", "estimate_two", "fit", "compare", "load_model", "options"):
        assert "return" in typing.get_type_hints(getattr(dedpul, name)), name


@slow
def test_documentation(tmp_path):
    pytest.importorskip("sklearn")
    text = (SOURCE / "docs" / "python.md").read_text()
    blocks = re.findall(r"```python\n(.*?)```", text, re.S)
    assert len(blocks) >= 4
    (tmp_path / "examples").symlink_to(SOURCE / "examples")
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", "\n".join(blocks)], cwd=tmp_path,
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    shown = re.search(r"```\n(dedpul.Result\n.*?)```", text, re.S)[1]
    assert shown in done.stdout


@slow
def test_example(tmp_path):
    pytest.importorskip("sklearn")
    done = subprocess.run([sys.executable, SOURCE / "examples" / "wine.py"], cwd=tmp_path,
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    shares = [float(share) for share in re.findall(r"alpha +(0\.\d+)", done.stdout)]
    assert len(shares) >= 2 and all(0.4 < share < 0.6 for share in shares)
