"""Wrong input: an error that says what is wrong, never a crash."""
import numpy as np
import pytest

import dedpul

SCORES = np.linspace(0.01, 0.99, 50)
LABELS = np.arange(50) % 2
X = np.column_stack([SCORES, SCORES[::-1] ** 2])
NAN = np.where(np.arange(50) == 3, np.nan, SCORES)

pytestmark = pytest.mark.filterwarnings("ignore::dedpul.DedpulWarning")


@pytest.mark.parametrize("scores, labels, message", [
    (SCORES[:, None], LABELS, r"scores must have one dimension, but its shape is \(50, 1\)"),
    (0.5, 1, "scores must have one dimension"),
    (SCORES[:-1], LABELS, "labels has 50 values, but scores has 49"),
    (["a", "b"], [1, 0], "scores must be numbers"),
    ([b"1", b"0"], [1, 0], "scores must be numbers"),
    (SCORES.astype(str), LABELS, "scores must be numbers"),
    (SCORES.astype(object), LABELS, "scores must be numbers, but their type is object"),
    (SCORES.astype(complex), LABELS, "scores must be numbers, but their type is complex128"),
    (SCORES.astype("datetime64[s]"), LABELS, "scores must be numbers"),
    (None, LABELS, "scores"),
    ({}, LABELS, "scores"),
    ([[1], [1, 2]], LABELS, "scores"),
    (NAN, LABELS, r"score\[3\] is nan"),
    (np.where(NAN == NAN, SCORES, np.inf), LABELS, r"score\[3\] is inf"),
    (SCORES * 2, LABELS, r"scores must lie in \[0, 1\]"),
    (-SCORES, LABELS, r"scores must lie in \[0, 1\]"),
    ([], [], "row"),
    (np.full(50, 0.5), LABELS, "scores.*equal"),
    (np.ma.masked_less(SCORES, 0.3), LABELS, "scores has masked values"),
    (SCORES, LABELS + 1, "labels must be 1 .* but one is 2"),
    (SCORES, LABELS - 1, "but both 0 and -1 are there"),
    (SCORES, LABELS - 2, "but one is -2"),
    (SCORES, np.arange(50) % 3 - 1, "but both 0 and -1 are there"),
    (SCORES, LABELS.astype(str), "labels must be 1"),
    (SCORES, ["P"] * 25 + ["U"] * 25, "labels must be 1"),
    (SCORES, LABELS * 0.5, "but one is 0.5"),
    (SCORES, np.where(NAN == NAN, LABELS, np.nan), "but one is nan"),
    (SCORES, LABELS.astype(np.uint8) * 255, "but one is 255"),
    (SCORES, LABELS[:, None], "labels must have one dimension"),
    (SCORES, np.ones(50), "row"),
    (SCORES, np.zeros(50), "row"),
    (SCORES, None, "labels"),
    (SCORES, "1" * 50, "labels"),
])
def test_estimate(scores, labels, message):
    with pytest.raises(ValueError, match=message):
        dedpul.estimate(scores, labels)


@pytest.mark.parametrize("options, message", [
    ({"bandwidth_p": -1}, "bandwidth-p.*-1"),
    ({"bandwidth_p": float("nan")}, "bandwidth-p.*nan"),
    ({"smoothing": "papr"}, "smoothing"),
    ({"method": "dedpull"}, "dedpul"),
    ({"method": "km1"}, "km1"),
    ({"method": "dedpul\0"}, "NUL"),
    ({"resamples": -1}, "resamples"),
    ({"resamples": 10**30}, "resamples"),
    ({"resamples": 1.5}, "resamples"),
    ({"alpha": "\ud800"}, ""),
    ({"alpha": object()}, "alpha.*option"),
    ({"alpha": {}}, "alpha.*option"),
    ({"alpha": 1.1}, "alpha.*1\\.1"),
    ({"interval": "boot"}, "interval: 'boot' is not off.on.bootstrap"),
    ({"interval": 1}, "interval: '1' is not off.on.bootstrap"),
    ({"interval": object()}, "interval.*option"),
    ({"posterior": "median"}, "posterior: 'median' is not mean.plain"),
    ({"seed": -1}, "seed"),
    ({"weights": [1, 2]}, "weights has 2 values, but the data has 50"),
    ({"weights": -SCORES}, r"weight\[0\] is -0.01"),
    ({"weights": NAN}, r"weight\[3\] is nan"),
    ({"weights": ["a"] * 50}, "weights must be numbers"),
    ({"weights": np.zeros(50)}, "weight"),
])
def test_options(options, message):
    with pytest.raises(ValueError, match=message):
        dedpul.estimate(SCORES, LABELS, **options)


def test_two():
    with pytest.raises(ValueError, match="scores_u must have one dimension"):
        dedpul.estimate_two(SCORES, X)
    with pytest.raises(ValueError):
        dedpul.estimate_two(SCORES, [])
    with pytest.raises(ValueError, match="weights_p has 1 values"):
        dedpul.estimate_two(SCORES, SCORES, weights_p=[1])


@pytest.mark.parametrize("rows, y, message", [
    (SCORES, LABELS, "X must have 2 dimensions.*Reshape your data"),
    (X[:, :0], LABELS, "at least 1 row and 1 feature"),
    (X[:0], LABELS[:0], "at least 1 row and 1 feature"),
    (X.reshape(50, 2, 1, 1, 1), LABELS, "X must have 2 dimensions"),
    (X, LABELS[:-1], "y has 49 values, but X has 50"),
    (X, None, "y is missing"),
    (X.astype(str), LABELS, "X must be numbers"),
    (X.astype(str).astype(object), LABELS, "X must be numbers"),
    (np.full((50, 2), {}), LABELS, "X must be numbers"),
    (X.astype(complex), LABELS, "X must be numbers"),
    (np.where(X > 0.9, np.inf, X), LABELS, "finite"),
    (X, LABELS * 2, "y must be 1"),
    (X, LABELS * 0, ""),
    (X * 0, LABELS, ""),
    (None, LABELS, "X"),
    (X.reshape(50, 1, 2) * np.nan, LABELS, "missing"),
])
def test_fit(rows, y, message):
    with pytest.raises(ValueError, match=message):
        dedpul.fit(rows, y, classifier="gbdt")


def test_sparse():
    sparse = pytest.importorskip("scipy.sparse")
    with pytest.raises(ValueError, match="X is sparse"):
        dedpul.fit(sparse.csr_matrix(X), LABELS)


@pytest.mark.parametrize("options, message", [
    ({"names": ["a"]}, "names has 1 values, but X has 2"),
    ({"names": ["a", "a"]}, "columns.*'a'"),
    ({"names": ["a", ""]}, "column 2"),
    ({"names": ["a", "b\0"]}, "NUL"),
    ({"columns": {"label": "y"}}, "not a file"),
    ({"classifier": "forest"}, "classifier.*forest"),
    ({"folds": 1}, "folds"),
    ({"interval": "boot"}, "interval.*boot"),
    ({"layers": [0]}, "layers"),
    ({"weights": -SCORES}, "weight"),
])
def test_fit_options(options, message):
    with pytest.raises(ValueError, match=message):
        dedpul.fit(X, LABELS, **{"classifier": "gbdt", **options})


def test_files(tmp_path):
    with pytest.raises(OSError, match="/nonexistent"):
        dedpul.load_model("/nonexistent")
    with pytest.raises(OSError, match="/nonexistent"):
        dedpul.fit("/nonexistent")
    with pytest.raises(ValueError, match="NUL"):
        dedpul.load_model("a\0b")
    (tmp_path / "bad").write_bytes(b"nothing like a model")
    with pytest.raises(ValueError, match="bad"):
        dedpul.load_model(tmp_path / "bad")
    (tmp_path / "t.csv").write_text("label,a\n1,2\n0,3\n")
    with pytest.raises(ValueError, match="columns.*lable"):
        dedpul.fit(tmp_path / "t.csv", columns={"lable": "y"})
    with pytest.raises(ValueError, match="file.*labels"):
        dedpul.fit(tmp_path / "t.csv", LABELS)


def test_predict(tmp_path):
    model = dedpul.fit(X, LABELS, classifier="logistic", epochs=2, folds=2, ensemble=1)
    for rows in (SCORES, X[:, :1], [["a", "b"]], [[1, np.inf]], X[:0], None):
        with pytest.raises(ValueError):
            model.predict(rows)
    for threads in (-1, 1.5, "2", None, 2**40):
        with pytest.raises(ValueError, match="threads"):
            model.predict(X, threads=threads)
    with pytest.raises(ValueError, match="pn"):
        model.predict(X, pn=True)
    with pytest.raises(OSError):
        model.save(tmp_path / "none" / "model")
