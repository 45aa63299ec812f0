"""Examples of the docstrings, the documentation and the example script run."""
import doctest
import re
import subprocess
import sys
import typing

import numpy as np
import pytest
from conftest import SOURCE, slow

import dedpul
from dedpul import _model, _result, metrics, sql

pytestmark = pytest.mark.filterwarnings("ignore::dedpul.DedpulWarning")


@pytest.mark.parametrize("module", [dedpul, metrics, sql, _result, _model, "_sklearn"], ids=str)
def test_docstrings(module):
    if module in (metrics, "_sklearn"):
        pytest.importorskip("sklearn")
    if module == "_sklearn":
        from dedpul import _sklearn as module
    runner, finder = doctest.DocTestRunner(), doctest.DocTestFinder()
    for name, value in vars(module).items():
        if getattr(value, "__module__", None) == module.__name__ and getattr(value, "__doc__", None):
            # By itself, the finder passes over functions that have a decorator.
            for example in finder.find(value, name, module=False, globs={"dedpul": dedpul}):
                runner.run(example)
    assert runner.summarize().attempted > 0 and runner.summarize().failed == 0


def test_annotations():
    for name in ("estimate", "estimate_two", "fit", "compare", "load_model", "options"):
        assert "return" in typing.get_type_hints(getattr(dedpul, name)), name
    for name in metrics.__all__:
        assert typing.get_type_hints(getattr(metrics, name)), name


def run_blocks(text, directory):
    """Runs the Python blocks of a page in a directory that has the examples."""
    blocks = re.findall(r"```python\n(.*?)```", text, re.S)
    assert len(blocks) >= 4
    (directory / "examples").symlink_to(SOURCE / "examples")
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", "\n".join(blocks)], cwd=directory,
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


@slow
def test_documentation(tmp_path):
    pytest.importorskip("sklearn")
    text = (SOURCE / "docs" / "python.md").read_text()
    shown = re.search(r"```\n(dedpul.Result\n.*?)```", text, re.S)[1]
    assert shown in run_blocks(text, tmp_path)


def test_guide_to_databases(tmp_path):
    text = (SOURCE / "docs" / "guide" / "databases.md").read_text()
    done = run_blocks(text, tmp_path)
    for shown in re.findall(r"```python\n.*?```\n(?:\n```\n(.*?)```)?", text, re.S):
        assert shown in done


@slow
def test_guide(tmp_path):
    """It prints what is shown, up to a little in numbers, which depend on scikit-learn's version."""
    pytest.importorskip("sklearn")
    text = (SOURCE / "docs" / "guide" / "evaluation.md").read_text()
    shown = "".join(re.findall(r"```python\n[^`]*```\n\n```\n(.*?)```", text, re.S))
    printed = run_blocks(text, tmp_path)
    number = r"\d+(?:\.\d+)?"
    assert re.sub(number, "N", printed).split() == re.sub(number, "N", shown).split()
    assert np.allclose([float(n) for n in re.findall(number, printed)],
                       [float(n) for n in re.findall(number, shown)], rtol=0.02, atol=0.02)


@slow
def test_example(tmp_path):
    pytest.importorskip("sklearn")
    done = subprocess.run([sys.executable, SOURCE / "examples" / "wine.py"], cwd=tmp_path,
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    shares = [float(share) for share in re.findall(r"alpha +(0\.\d+)", done.stdout)]
    assert len(shares) >= 2 and all(0.4 < share < 0.6 for share in shares)


@slow
def test_own_classifier(texts):
    pytest.importorskip("sklearn")
    program = [sys.executable, "-W", "ignore", SOURCE / "examples" / "own_classifier.py", texts]
    done = subprocess.run([*program, "ships"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    truth = float(re.search(r"In truth, (0\.\d+)", done.stdout)[1])
    assert abs(float(re.search(r"logistic, C=1 +(0\.\d+)", done.stdout)[1]) - truth) < 0.1
    done = subprocess.run([*program, "cars"], capture_output=True, text=True)
    assert done.returncode == 1 and "has no topic cars; it has ships, trees" in done.stderr
