"""What the tests share: the built command, the samples, and whether the library is instrumented."""
import csv
import json
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest

SOURCE = Path(__file__).resolve().parents[2]
DATA = SOURCE / "examples" / "data"
IS_SLOW = bool(os.environ.get("IS_SLOW"))  # sanitizers and counters make the code many times as slow

slow = pytest.mark.skipif(IS_SLOW, reason="takes long where the library is instrumented")


@pytest.fixture(scope="session")
def command():
    """Runs the command, and gives its answer as JSON where it is asked for."""
    path = os.environ.get("DEDPUL", str(SOURCE / "build" / "dedpul"))

    def run(*arguments):
        done = subprocess.run([path, *map(str, arguments)], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout) if "--json" in arguments else done.stdout
    return run


def read_columns(path, *names):
    """Columns of numbers of a CSV file."""
    with open(path, newline="") as file:
        rows = list(csv.DictReader(file))
    return [np.array([float(row[name]) for row in rows]) for name in names]


def digits(n, numbers):
    """With as many digits as a file has."""
    return np.array([float(f"{number:.{n}g}") for number in numbers])


@pytest.fixture(scope="session")
def scored():
    """Scores and labels of wines."""
    return read_columns(DATA / "wine_scores.csv", "score", "label")


@pytest.fixture(scope="session")
def wine():
    """Features, labels and names of columns."""
    with open(DATA / "wine.csv") as file:
        names = file.readline().strip().split(",")
    numbers = np.loadtxt(DATA / "wine.csv", delimiter=",", skiprows=1)
    return np.ascontiguousarray(numbers[:, 1:]), numbers[:, 0].astype(int), names[1:]


@pytest.fixture(scope="session")
def blobs():
    """600 rows of 2 columns: positives, half of them labeled, and negatives; alpha is one half."""
    random = np.random.default_rng(0)
    X = random.normal(size=(600, 2)) + 3 * (np.arange(600) < 400)[:, None]
    return X, (np.arange(600) < 200).astype(int)


@pytest.fixture
def texts(tmp_path):
    """A directory of texts about ships and trees, which differ in how often words occur."""
    random = np.random.default_rng(0)
    words = np.array([f"{a}{b}{c}" for a in "abcdef" for b in "aeiou" for c in "klmnop"])
    for topic in ("ships", "trees"):
        (tmp_path / "texts" / topic).mkdir(parents=True)
        chance = random.permutation(np.linspace(1, 20, len(words)) ** 2)
        for i in range(300):
            text = " ".join(random.choice(words, 40, p=chance / chance.sum()))
            (tmp_path / "texts" / topic / f"{i}.txt").write_text(text)
    return tmp_path / "texts"
