"""Kinds of positives that were labeled at different rates."""
import pickle

import numpy as np
import pytest

import dedpul

SMALL = {"classifier": "gbdt", "folds": 3, "ensemble": 1}


@pytest.fixture(scope="module")
def rows():
    """Kind a is at (4, 0), b at (0, 4), negatives at 0. Of the labeled rows, 9 of 10 are of kind a."""
    random = np.random.default_rng(3)
    kind = np.repeat([0, 1, 0, 1, 2], [270, 30, 150, 300, 1050])
    X = random.normal(size=(1800, 2)) + 4 * np.array([[1, 0], [0, 1], [0, 0]])[kind]
    y = (np.arange(1800) < 300).astype(int)
    return X, y, [("a" if k == 0 else "b") if label else None for k, label in zip(kind, y)]


@pytest.fixture(scope="module")
def model(rows):
    X, y, kind = rows
    return dedpul.fit(X, y, kind=kind, interval=True, **SMALL)


def test_shares(rows, model):
    X, y, _ = rows
    result = model.result
    assert dedpul.fit(X, y, **SMALL).alpha < 0.2
    assert abs(result.alpha - 0.3) < 0.06
    assert [kind.name for kind in result.kinds] == ["a", "b"]
    assert [kind.n_labeled for kind in result.kinds] == [270, 30]
    for kind, share in zip(result.kinds, (0.1, 0.2)):
        assert abs(kind.share - share) < 0.06
        assert kind.low <= min(share, kind.share) and max(share, kind.share) <= kind.high
        assert kind.label_rate_low <= kind.label_rate <= kind.label_rate_high
    assert abs(sum(kind.share for kind in result.kinds) - result.alpha) < 1e-9
    assert np.allclose(sum(kind.posterior for kind in result.kinds), result.posterior)
    assert "kind" in repr(result)


def test_evaluation_is_about_corrected_rows(model):
    """Its recall of kind b counts as its share of positives, not as its few labels."""
    evaluation = model.result.evaluation()
    assert abs(evaluation.alpha - model.alpha) < 1e-9
    weights = model.result.row_weights
    assert np.isclose(weights[:300].sum(), 300) and (weights[300:] == 1).all()
    assert len(np.unique(weights[:300].round(9))) == 2
    assert (model.result._rows.weights == weights).all()


def test_prediction_and_pickle(model, tmp_path):
    posterior = model.predict([[4, 0], [0, 4], [-1, -1]])
    assert (posterior[:2] > 0.7).all() and posterior[2] < 0.3
    by_kind = model.predict_kinds([[4, 0], [0, 4], [-1, -1]])
    assert list(by_kind) == ["a", "b"]
    assert np.allclose(by_kind["a"] + by_kind["b"], posterior)
    assert by_kind["a"][0] > 0.9 * posterior[0] and by_kind["b"][1] > 0.9 * posterior[1]
    model.save(tmp_path / "kinds.model")
    loaded = dedpul.load_model(tmp_path / "kinds.model")
    assert (loaded.predict([[4, 0], [0, 4], [-1, -1]]) == posterior).all()
    assert (loaded.predict_kinds([[4, 0], [0, 4], [-1, -1]])["a"] == by_kind["a"]).all()
    again = pickle.loads(pickle.dumps(model.result))
    assert [kind.share for kind in again.kinds] == [kind.share for kind in model.result.kinds]


def test_files_and_numbers(rows, model, tmp_path):
    """A file and whole numbers give the same answer."""
    X, y, kind = rows
    path = tmp_path / "rows.csv"
    lines = [f"{label},{k or ''},{float(a)!r},{float(b)!r}" for label, k, (a, b) in zip(y, kind, X)]
    path.write_text("\n".join(["label,kind,x,y", *lines]) + "\n")
    from_file = dedpul.fit(path, kind="kind", **SMALL)
    assert [k.share for k in from_file.result.kinds] == [k.share for k in model.result.kinds]
    frame = pytest.importorskip("pandas").read_csv(path)
    for given in ("kind", frame.kind):
        from_frame = dedpul.fit(frame if isinstance(given, str) else frame.drop(columns="kind"), kind=given, **SMALL)
        assert [k.share for k in from_frame.result.kinds] == [k.share for k in model.result.kinds]
    with pytest.raises(ValueError, match="kind: X has no column 'kind', since it is an array"):
        dedpul.fit(X, y, kind="kind", **SMALL)
    numbers = np.array([np.nan if k is None else {"a": 4.0, "b": 7.0}[k] for k in kind])
    by_number = dedpul.fit(X, y, kind=numbers, **SMALL)
    assert [k.name for k in by_number.result.kinds] == ["4", "7"]
    assert by_number.alpha == model.alpha


def test_comparison(rows, model):
    """Methods see the corrected scores."""
    X, y, kind = rows
    found = dedpul.compare(X, y, kind=kind, methods=["pooled", "dedpul"], **SMALL)
    assert found["pooled"].alpha == model.alpha and abs(found["dedpul"].alpha - 0.3) < 0.08
    with pytest.raises(ValueError, match="classifiers are not compared with kinds"):
        dedpul.compare(X, y, kind=kind, classifiers=["gbdt", "logistic"])


def test_bad_kinds(rows):
    X, y, kind = rows
    with pytest.raises(ValueError, match="kind"):
        dedpul.fit(X, y, kind=kind[:-1], **SMALL)
    with pytest.raises(ValueError, match="row 1800 is unlabeled, but has the kind 'a'"):
        dedpul.fit(X, y, kind=[*kind[:-1], "a"], **SMALL)
    with pytest.raises(ValueError, match="all labeled rows are of the kind 'c'"):
        dedpul.fit(X, y, kind=np.where(y == 1, "c", ""), **SMALL)


def test_kinds_that_are_found(rows):
    """The rates differ by a factor of 18; with equal rates the answer is the ordinary one."""
    X, y, _ = rows
    result = dedpul.fit(X, y, kind="auto", **SMALL).result
    assert abs(result.alpha - 0.3) < 0.12
    assert result.label_check.p_value < 0.05 and result.label_check.found_kinds
    assert [kind.name for kind in result.kinds] == [f"kind {k + 1}" for k in range(len(result.kinds))]
    assert (np.bincount(result.row_kinds[:300]) == [kind.n_labeled for kind in result.kinds]).all()
    assert (result.row_kinds[300:] == len(result.kinds)).all()
    again = pickle.loads(pickle.dumps(result))
    assert (again.row_kinds == result.row_kinds).all()

    equal = np.r_[np.arange(300, 400), np.arange(450, 650), np.arange(400, 450), np.arange(650, 1800)]
    y = (np.arange(len(equal)) < 300).astype(int)  # of 450 positives that were not labeled, 100 of a and 200 of b are
    found, plain = (dedpul.fit(X[equal], y, kind=kind, **SMALL).result for kind in ("auto", None))
    assert found.label_check.p_value >= 0.05
    assert found.kinds == [] and len(found.row_kinds) == 0
    assert found.alpha == plain.alpha and (found.posterior == plain.posterior).all()


def test_kinds_are_found_in_frames_and_files(rows, tmp_path):
    pandas = pytest.importorskip("pandas")
    X, y, _ = rows
    frame = pandas.DataFrame(X, columns=["x", "y"]).assign(label=y)
    frame.to_csv(tmp_path / "rows.csv", index=False)
    results = [dedpul.fit(X, y, kind="auto", names=["x", "y"], **SMALL).result,
               dedpul.fit(frame, "label", kind="auto", **SMALL).result,
               dedpul.fit(tmp_path / "rows.csv", kind="auto", **SMALL).result]
    assert len({result.alpha for result in results}) == 1
    with pytest.raises(ValueError, match="has a column 'auto'"):
        dedpul.fit(frame.rename(columns={"x": "auto"}), "label", kind="auto", **SMALL)
    with pytest.raises(ValueError, match="19 labeled rows"):
        dedpul.fit(X[281:], y[281:], kind="auto", **SMALL)
