"""Rows that belong together."""
import numpy as np
import pytest

import dedpul
from dedpul import _arrays

# What these rows tell is who is of which group, so all scores are doubtful.
pytestmark = pytest.mark.filterwarnings("ignore::dedpul.DedpulWarning")
FAST = {"classifier": "gbdt", "ensemble": 1, "tree_rounds": 60, "folds": 3}


@pytest.fixture(scope="module")
def grouped():
    """Rows of 100 groups that are recognised by their place; groups are labeled as a whole."""
    random = np.random.default_rng(0)
    group = np.repeat(np.arange(100), 8)
    X = 3 * random.normal(size=(100, 4))[group] + 0.1 * random.normal(size=(800, 4))
    return X, (group < 40).astype(int), group


def test_groups_stay_together(grouped):
    X, y, group = grouped
    assert dedpul.fit(X, y, **FAST).result.auc > 0.75
    assert dedpul.fit(X, y, groups=group, **FAST).result.auc < 0.65


def test_forms_of_groups(grouped):
    X, y, group = grouped
    scores = dedpul.fit(X, y, groups=group, **FAST).scores
    for same in (group * 7 - 300, [f"patient {g}" for g in group], group.astype(float), list(group),
                 np.array([f"p{g}" for g in group], dtype=object)):
        assert (dedpul.fit(X, y, group=same, **FAST).scores == scores).all()


def test_missing_groups():
    codes = _arrays.groups(np.array([3, np.nan, 3, np.nan, 1.5]), 5)
    assert codes[0] == codes[2] and len(set(codes)) == 4
    codes = _arrays.groups(np.array(["a", None, "a", None, float("nan")], dtype=object), 5)
    assert codes[0] == codes[2] and len(set(codes)) == 4


def test_column_of_a_frame(grouped):
    pandas = pytest.importorskip("pandas")
    X, y, group = grouped
    frame = pandas.DataFrame(X, columns=list("abcd"))
    frame["patient"] = [f"p{g}" for g in group]
    model = dedpul.fit(frame, y, group="patient", **FAST)
    assert (model.scores == dedpul.fit(X, y, groups=group, **FAST).scores).all()
    assert list(model.info["columns"]) == list("abcd")
    assert len(model.predict(frame)) == 800
    with pytest.raises(ValueError, match="no column 'pateint'"):
        dedpul.fit(frame, y, group="pateint", **FAST)


def test_column_of_a_file(grouped, tmp_path):
    X, y, group = grouped
    path = tmp_path / "table.csv"
    rows = (",".join(map(repr, map(float, row))) for row in X)
    path.write_text("label,patient,1,2,3,4\n" + "".join(f"{l},p{g},{row}\n" for l, g, row in zip(y, group, rows)))
    by_file = dedpul.fit(path, group="patient", **FAST)
    assert (by_file.scores == dedpul.fit(X, y, groups=group, **FAST).scores).all()
    with pytest.raises(ValueError, match="group=, label= and weight= name"):
        dedpul.fit(path, groups=group, **FAST)


def test_compare(grouped):
    X, y, group = grouped
    found = dedpul.compare(X, y, groups=group, methods="bbe", **FAST)
    assert found.auc < 0.65 < dedpul.compare(X, y, methods="bbe", **FAST).auc


@pytest.mark.parametrize("estimator", ["gbdt", "sklearn"])
def test_sklearn(grouped, estimator):
    X, y, group = grouped
    if estimator == "sklearn":
        estimator = pytest.importorskip("sklearn.neighbors").KNeighborsClassifier(3)

    def auc(**groups):
        return dedpul.DedpulClassifier(estimator, cv=3).fit(X, y, **groups).result_.auc
    assert auc() > 0.75
    assert auc(groups=group) < 0.65


def test_bad_groups(grouped):
    X, y, group = grouped
    with pytest.raises(ValueError, match="groups has 3 values, but the data has 800"):
        dedpul.fit(X, y, groups=[1, 2, 3], **FAST)
    with pytest.raises(ValueError, match="groups must have one dimension"):
        dedpul.fit(X, y, groups=np.zeros((800, 2)), **FAST)
    with pytest.raises(ValueError, match="groups: X has no column 'patient', since it is an array"):
        dedpul.fit(X, y, groups="patient", **FAST)
    with pytest.raises(ValueError, match="too few for 3 folds: use at most 2 folds"):
        dedpul.fit(X, y, groups=np.where(y == 1, group % 2, group), **FAST)
