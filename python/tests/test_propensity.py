"""Positives that were labeled with a chance that depends on the row."""
import pickle

import numpy as np
import pytest

import dedpul

SMALL = {"classifier": "gbdt", "folds": 3, "ensemble": 1}


@pytest.fixture(scope="module")
def rows():
    """Positives are at 4 in the first column; the second decides about labels. Its two values are 0 and 1."""
    random = np.random.default_rng(5)
    positive = np.arange(2500) < 1000
    X = np.column_stack([random.normal(size=2500) + 4 * positive, np.arange(2500) % 2])
    chance = np.where(X[:, 1] == 1, 0.1, 0.5)
    y = (positive & (random.random(2500) < chance)).astype(int)
    return X, y, np.where(y == 1, chance, np.nan), positive[y == 0].mean()


def test_estimated(rows):
    X, y, _, truth = rows
    plain = dedpul.fit(X, y, **SMALL)
    assert plain.alpha < truth - 0.08 and plain.result.propensities is None
    model = dedpul.fit(X, y, propensity=["2"], interval=True, **SMALL)
    found = model.result.propensities
    assert abs(model.alpha - truth) < 0.04
    assert found.alpha_without == plain.alpha and np.isnan(found.alpha_by_values)
    assert [(group.column, group.values) for group in found.groups] == [("2", "0"), ("2", "1")]
    assert [group.propensity for group in found.groups] == pytest.approx([0.5, 0.1], abs=0.08)
    assert sum(group.n_labeled for group in found.groups) == y.sum()
    assert found.lowest <= found.mean <= found.highest
    assert np.isclose(model.result.row_weights[y == 1].sum(), y.sum())
    assert "chance" in repr(model.result)
    assert pickle.loads(pickle.dumps(model.result)).propensities.groups == found.groups
    assert abs(model.result.evaluation().alpha - model.alpha) < 1e-9


def test_names(rows):
    X, y, _, _ = rows
    alpha = dedpul.fit(X, y, names=["x", "region"], propensity="region", **SMALL).alpha
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(X, columns=["x", "region"])
    assert dedpul.fit(frame, y, propensity=["region"], **SMALL).alpha == alpha
    with pytest.raises(ValueError, match="no feature 'site'"):
        dedpul.fit(frame, y, propensity="site", **SMALL)


def test_known(rows, tmp_path):
    X, y, chance, truth = rows
    model = dedpul.fit(X, y, propensity_value=chance, **SMALL)
    found = model.result.propensities
    assert abs(model.alpha - truth) < 0.04
    assert (found.lowest, found.highest, found.groups) == (0.1, 0.5, [])
    assert found.alpha_by_values == pytest.approx((1 / chance[y == 1] - 1).sum() / (y == 0).sum())
    chances = [None if np.isnan(value) else value for value in chance]
    assert dedpul.fit(X, y, propensity_value=chances, **SMALL).alpha == model.alpha
    path = tmp_path / "rows.csv"
    with open(path, "w") as file:
        file.write("label,x,z,e\n" + "".join(f"{label},{row[0]!r},{row[1]:.0f},{'' if np.isnan(e) else e}\n"
                                             for label, row, e in zip(y, X.tolist(), chance)))
    assert dedpul.fit(path, propensity_value="e", **SMALL).alpha == model.alpha
    assert dedpul.fit(path, propensity="z", ignore="e", **SMALL).result.propensities.groups
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"x": X[:, 0], "z": X[:, 1], "e": chance})
    assert dedpul.fit(frame, y, propensity_value="e", **SMALL).alpha == model.alpha


def test_mistakes(rows):
    X, y, chance, _ = rows
    with pytest.raises(ValueError, match="propensity_value has 3 values"):
        dedpul.fit(X, y, propensity_value=[0.1, 0.2, 0.3], **SMALL)
    with pytest.raises(ValueError, match="X has no column 'e'"):
        dedpul.fit(X, y, propensity_value="e", **SMALL)
    with pytest.raises(ValueError, match="propensity_value"):
        dedpul.fit(X, y, propensity_value=["often"] * len(y), **SMALL)
    with pytest.raises(ValueError, match="its propensity is 2"):
        dedpul.fit(X, y, propensity_value=np.full(len(y), 2.0), **SMALL)
    with pytest.raises(ValueError, match="known or estimated"):
        dedpul.fit(X, y, propensity="2", propensity_value=chance, **SMALL)
