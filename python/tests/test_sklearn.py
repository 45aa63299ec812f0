"""DedpulClassifier keeps scikit-learn's conventions."""
import pickle

import numpy as np
import pytest
from conftest import slow

import dedpul

pytest.importorskip("sklearn")
from sklearn.base import clone  # noqa: E402
from sklearn.linear_model import LogisticRegression, SGDClassifier  # noqa: E402
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_val_predict  # noqa: E402
from sklearn.neighbors import KNeighborsClassifier  # noqa: E402
from sklearn.pipeline import make_pipeline  # noqa: E402
from sklearn.preprocessing import StandardScaler  # noqa: E402
from sklearn.svm import LinearSVC  # noqa: E402
from sklearn.utils.estimator_checks import check_estimator  # noqa: E402

pytestmark = [slow, pytest.mark.filterwarnings("ignore")]

OWN = {"ensemble": 1, "epochs": 8, "rate": 0.1}
GBDT = dedpul.DedpulClassifier("gbdt", cv=2, options={"ensemble": 1, "tree_rounds": 20})

# What positive-unlabeled data do not allow.
SKIPPED = {
    "check_classifiers_classes":
        "expects rows of both classes to be predicted as labeled; but where no unlabeled row is like the "
        "labeled ones, alpha is 0 and all rows are negative",
}


class AnyTwoClasses(dedpul.DedpulClassifier):
    """Many checks label rows 1 and 2, or by text, which does not say which are positive: here the greater."""

    @staticmethod
    def _labels(y):
        classes, label = np.unique(y, return_inverse=True)
        if len(classes) > 2:
            raise ValueError("Only binary classification is supported")
        return label.astype(np.uint8), classes


AnyTwoClasses.__name__ = "DedpulClassifier"


@pytest.mark.parametrize("estimator", [
    AnyTwoClasses("logistic", cv=2, options=OWN), AnyTwoClasses(LogisticRegression(), cv=3),
    AnyTwoClasses(LinearSVC(random_state=0), cv=3)], ids=["own", "LogisticRegression", "LinearSVC"])
def test_check_estimator(estimator):
    failed, passed = [], 0
    for instance, check in check_estimator(estimator, generate_only=True):
        name = check.func.__name__
        try:
            check(instance)
            passed += 1
        except Exception as error:
            if type(error).__name__ != "SkipTest":
                failed.append((name, error))
    assert sorted({name for name, _ in failed} - set(SKIPPED)) == [], failed
    assert passed > 30


@pytest.mark.parametrize("classifier", [
    GBDT, dedpul.DedpulClassifier(LogisticRegression()),
    dedpul.DedpulClassifier(make_pipeline(StandardScaler(), LinearSVC())),
    dedpul.DedpulClassifier(KNeighborsClassifier(30), cv=StratifiedKFold(4)),
    dedpul.DedpulClassifier(SGDClassifier(loss="log_loss", random_state=0), method="bbe", alpha=None)],
    ids=["gbdt", "logistic", "svm", "neighbors", "sgd"])
@pytest.mark.parametrize("kind", [int, bool, "signs"])
def test_answers(classifier, kind, blobs):
    X, y = blobs
    y = np.where(y, 1, -1) if kind == "signs" else y.astype(kind)
    fitted = clone(classifier).fit(X, y)
    assert abs(fitted.alpha_ - 0.5) < 0.15
    assert fitted.classes_.tolist() == sorted(set(y.tolist()))
    assert fitted.classes_.dtype == y.dtype
    p = fitted.predict_proba(X)
    assert p.shape == (600, 2) and (p >= 0).all() and (p <= 1).all() and np.allclose(p.sum(axis=1), 1)
    predicted = fitted.predict(X)
    assert (predicted == fitted.classes_[(p[:, 1] > 0.5).astype(int)]).all()
    assert ((fitted.decision_function(X) > 0) == (p[:, 1] > 0.5)).all()
    truth = np.arange(600) < 400
    assert ((predicted == fitted.classes_[1]) == truth).mean() > 0.85
    again = pickle.loads(pickle.dumps(fitted))
    assert (again.predict_proba(X) == p).all() and again.alpha_ == fitted.alpha_


def test_own_is_fit(blobs):
    X, y = blobs
    fitted = clone(GBDT).set_params(random_state=7, interval=True).fit(X, y)
    model = dedpul.fit(X, y, classifier="gbdt", folds=2, ensemble=1, tree_rounds=20, seed=7, interval=True)
    assert fitted.alpha_ == model.alpha and fitted.interval_ == model.result.interval
    assert (fitted.predict_proba(X)[:, 1] == model.predict(X)).all()


@pytest.mark.parametrize("estimator", ["gbdt", LogisticRegression()], ids=str)
def test_intervals(estimator, blobs):
    classifier = dedpul.DedpulClassifier(estimator, cv=2, interval="bootstrap", options={"resamples": 20})
    assert classifier.get_params()["interval"] == clone(classifier).get_params()["interval"] == "bootstrap"
    assert clone(classifier).fit(*blobs).interval_.resamples == 20
    default = clone(classifier).set_params(interval=True, options=None).fit(*blobs)
    assert default.result_.method == "pooled" and default.interval_.resamples == 0
    assert default.interval_.low < default.alpha_ < default.interval_.high
    assert clone(default).set_params(interval=False).fit(*blobs).interval_ is None


def test_scores_are_cross_fitted(blobs):
    X, y = blobs
    folds = StratifiedKFold(3)
    balanced = LogisticRegression(class_weight="balanced")
    by_hand = cross_val_predict(balanced, X, y, cv=folds, method="predict_proba")[:, 1]
    fitted = dedpul.DedpulClassifier(balanced, cv=folds).fit(X, y)
    assert (fitted.scores_ == by_hand).all()
    fitted = dedpul.DedpulClassifier(LogisticRegression(), cv=folds).fit(X, y)  # balanced by our weights
    assert np.allclose(fitted.scores_, by_hand, atol=0.01)
    assert fitted.alpha_ == dedpul.estimate(fitted.scores_, y).alpha


def test_default(blobs):
    X, y = blobs
    fitted = dedpul.DedpulClassifier(cv=2, options={"layers": "8", "epochs": 10, "ensemble": 1}).fit(X, y)
    assert fitted.model_.info["classifier"] == "mlp + gbdt" and abs(fitted.alpha_ - 0.5) < 0.15


def test_sparse(blobs):
    sparse = pytest.importorskip("scipy.sparse")
    X, y = blobs
    dense = dedpul.DedpulClassifier(LogisticRegression()).fit(X, y)
    thin = dedpul.DedpulClassifier(LogisticRegression()).fit(sparse.csr_matrix(X), y)
    assert abs(dense.alpha_ - thin.alpha_) < 1e-3
    assert np.allclose(dense.predict_proba(X), thin.predict_proba(sparse.csr_matrix(X)), atol=1e-2)
    with pytest.raises(TypeError, match="[Ss]parse"):
        clone(GBDT).fit(sparse.csr_matrix(X), y)


@pytest.mark.parametrize("estimator", ["gbdt", LogisticRegression()], ids=str)
def test_frames(estimator, blobs):
    pandas = pytest.importorskip("pandas")
    X, y = blobs
    frame = pandas.DataFrame(X, columns=["height", "weight"])
    fitted = dedpul.DedpulClassifier(estimator, cv=2).fit(frame, pandas.Series(y))
    assert fitted.feature_names_in_.tolist() == ["height", "weight"] and fitted.n_features_in_ == 2
    if estimator == "gbdt":
        assert list(fitted.model_.info["columns"]) == ["height", "weight"]
    with pytest.raises(ValueError, match="feature names"):
        fitted.predict(frame[["weight", "height"]])


def test_sample_weight(blobs):
    X, y = blobs
    weights = np.where(np.arange(600) >= 400, 2.0, 1.0)  # twice as many negatives: alpha is one third
    for classifier in (GBDT, dedpul.DedpulClassifier(LogisticRegression())):
        assert abs(clone(classifier).fit(X, y, sample_weight=weights).alpha_ - 1 / 3) < 0.1
    with pytest.raises(ValueError, match="KNeighborsClassifier does not support sample_weight"):
        dedpul.DedpulClassifier(KNeighborsClassifier()).fit(X, y, sample_weight=weights)


def test_grid_search(blobs):
    X, y = blobs
    search = GridSearchCV(dedpul.DedpulClassifier(LogisticRegression()), {"estimator__C": [0.1, 1]}, cv=2)
    assert search.fit(X, y).best_params_["estimator__C"] in (0.1, 1)


@pytest.mark.parametrize("y, message", [
    (np.arange(600) % 2 + 1, "but one is 2"), (np.arange(600) % 3, "but one is 2"),
    (np.where(np.arange(600) % 2, "a", "b"), "y must be 1"), (np.ones(600, int), "1 class"),
    (np.linspace(0, 1, 600), "[Uu]nknown label type"), (np.ones(599), "inconsistent"), (None, "y")])
def test_wrong_labels(y, message, blobs):
    for classifier in (GBDT, dedpul.DedpulClassifier(LogisticRegression())):
        with pytest.raises(ValueError, match=message):
            clone(classifier).fit(blobs[0], y)


def test_wrong_parameters(blobs):
    for parameters, message in [({"estimator": "forest"}, "classifier.*forest"),
                                ({"method": "nothing"}, "nothing"), ({"cv": 1}, "folds"),
                                ({"alpha": 2}, "alpha"), ({"options": {"nothing": 1}}, "nothing"),
                                ({"interval": "boot"}, "interval.*boot"),
                                ({"options": {"interval": True}}, "options: 'interval'.*'interval'"),
                                ({"options": {"seed": 1}}, "options: 'seed'.*'random_state'"),
                                ({"cv": StratifiedKFold(3)}, "folds.*option")]:
        with pytest.raises(ValueError, match=message):
            clone(GBDT).set_params(**parameters).fit(*blobs)
