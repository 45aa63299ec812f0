"""Whether labeled rows may be a random draw of the positives."""
import pickle

import numpy as np
import pytest

import dedpul

SMALL = {"classifier": "gbdt", "folds": 3, "ensemble": 1}


def make_rows(labeled_of_a):
    """Kind a is at (4, 0), b at (0, 4), negatives at 0; of the unlabeled rows, a fifth is a, and a fifth is b."""
    random = np.random.default_rng(3)
    n_a = int(400 * labeled_of_a)
    kind = np.repeat([0, 1, 0, 1, 2], [n_a, 400 - n_a, 400, 400, 1200])
    X = random.normal(size=(2400, 2)) + 4 * np.array([[1, 0], [0, 1], [0, 0]])[kind]
    y = (np.arange(2400) < 400).astype(int)
    return X, y, [("a" if k == 0 else "b") if label else None for k, label in zip(kind, y)]


@pytest.mark.parametrize("picked", [False, True])
@pytest.mark.parametrize("has_kinds", [False, True])
@pytest.mark.filterwarnings("ignore::dedpul.DedpulWarning")
def test_check(picked, has_kinds):
    X, y, kind = make_rows(0.9 if picked else 0.5)
    result = dedpul.fit(X, y, kind=kind if has_kinds else None, check_labels=True, **SMALL).result
    check = result.label_check
    assert (check.p_value < check.level) == picked
    assert ("picked_labels" in [warning.code for warning in result.warnings]) == picked
    assert check.found_kinds != has_kinds
    assert sum(kind.n_labeled for kind in check.kinds) == 400
    assert all(kind.label_rate_low <= kind.label_rate_high for kind in check.kinds)
    if has_kinds:
        assert [kind.name for kind in check.kinds] == ["a", "b"]
    assert "p = " in repr(result)
    assert pickle.loads(pickle.dumps(result)).label_check == check


def test_comparison():
    X, y, _ = make_rows(0.5)
    found = dedpul.compare(X, y, methods="bbe", check_labels=True, **SMALL)
    assert found.label_check == dedpul.fit(X, y, check_labels=True, **SMALL).result.label_check
    assert dedpul.compare(X, y, methods="bbe", **SMALL).label_check is None


def test_not_asked_for():
    X, y, _ = make_rows(0.5)
    assert dedpul.fit(X, y, **SMALL).result.label_check is None
