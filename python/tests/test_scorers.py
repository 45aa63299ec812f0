"""Scorers for scikit-learn that need no negatives, and thresholds of DedpulClassifier."""
import pickle

import numpy as np
import pytest
from conftest import slow

import dedpul

pytest.importorskip("sklearn")
from sklearn.base import clone  # noqa: E402
from sklearn.dummy import DummyClassifier  # noqa: E402
from sklearn.linear_model import LogisticRegression  # noqa: E402
from sklearn.metrics import roc_auc_score  # noqa: E402
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_val_score  # noqa: E402
from sklearn.pipeline import Pipeline, make_pipeline  # noqa: E402
from sklearn.preprocessing import PolynomialFeatures, StandardScaler  # noqa: E402
from sklearn.svm import LinearSVC  # noqa: E402
from sklearn.tree import DecisionTreeClassifier  # noqa: E402

pytestmark = [slow, pytest.mark.filterwarnings("ignore")]

OWN = dedpul.DedpulClassifier("gbdt", cv=2, options={"ensemble": 1, "tree_rounds": 20})
FOLDS = StratifiedKFold(2, shuffle=True, random_state=0)
scorer = dedpul.metrics.scorer


@pytest.fixture(scope="module")
def moons():
    """2400 rows whose classes bend around each other, labels, and true classes; alpha is 0.4."""
    random = np.random.default_rng(3)
    truth = np.arange(2400) < 1200
    angle = random.uniform(0, np.pi, 2400)
    X = np.column_stack([np.cos(angle), np.sin(angle)])
    X = np.where(truth[:, None], X, [1, 0.5] - X) + random.normal(0, 0.3, (2400, 2))
    return X, (np.arange(2400) < 400).astype(int), truth


def true_auc(classifier, X, y, truth):
    """By the true classes of the unlabeled rows of each fold."""
    found = []
    for learned, held in FOLDS.split(X, y):
        scores = clone(classifier).fit(X[learned], y[learned]).predict_proba(X[held])[:, 1]
        unlabeled = y[held] == 0
        found.append(roc_auc_score(truth[held][unlabeled], scores[unlabeled]))
    return np.mean(found)


@pytest.mark.parametrize("make", [lambda one: one, lambda one: dedpul.DedpulClassifier(one, cv=2)],
                         ids=["scikit-learn's", "ours"])
def test_grid_search(make, moons):
    """It chooses as the truth would, and its values are near the truth."""
    X, y, truth = moons
    plain = [make_pipeline(PolynomialFeatures(n), StandardScaler(), LogisticRegression()) for n in (1, 3, 5)]
    classifiers = [make(one) for one in (*plain, DecisionTreeClassifier(random_state=0))]
    alpha = dedpul.DedpulClassifier("gbdt", cv=3, options={"ensemble": 1}).fit(X, y).alpha_
    search = GridSearchCV(Pipeline([("estimator", None)]), {"estimator": classifiers}, cv=FOLDS,
                          scoring=scorer("roc_auc", alpha=alpha)).fit(X, y)
    true = [true_auc(classifier, X, y, truth) for classifier in classifiers]
    assert max(true) - min(true) > 0.05
    assert true[search.best_index_] > max(true) - 0.01
    assert np.abs(search.cv_results_["mean_test_score"] - true).max() < 0.05
    assert abs(search.best_score_ - max(true)) < 0.03


@pytest.mark.parametrize("classifier", [OWN, LinearSVC(), make_pipeline(StandardScaler(), OWN)],
                         ids=["own", "decisions", "pipeline"])
def test_classifiers(classifier, blobs):
    found = cross_val_score(classifier, *blobs, scoring=scorer("roc_auc"), cv=FOLDS, error_score="raise")
    assert ((0.9 < found) & (found <= 1)).all(), found


@pytest.mark.parametrize("measure", ["auc", "average_precision", "best_f1", "precision", "recall", "f1",
                                     "lift"])
def test_measures(measure, blobs):
    found = cross_val_score(LogisticRegression(), *blobs, scoring=scorer(measure), cv=FOLDS,
                            error_score="raise")
    assert ((0.8 < found) & (found <= (2.5 if measure == "lift" else 1))).all(), found


def test_it_is_evaluate(blobs):
    X, y = blobs
    classifier = LinearSVC().fit(X[::2], y[::2])
    scores = 1 / (1 + np.exp(-classifier.decision_function(X)))
    weights = np.arange(600) % 3 + 1
    found = dedpul.metrics.evaluate(scores, y, weights=weights, threshold=("share", 0.3), alpha=0.4).threshold
    one = scorer("precision", ("share", 0.3), alpha=0.4)
    assert one(classifier, X, y, sample_weight=weights) == pytest.approx(found.precision.value, abs=1e-9)
    again = pickle.loads(pickle.dumps(one))
    assert again(classifier, X, y, weights) == one(classifier, X, y, weights)
    assert repr(again) == "dedpul.metrics.scorer('precision', threshold=('share', 0.3), alpha=0.4)"


@pytest.mark.parametrize("y", [lambda y: y == 1, lambda y: np.where(y, 1, -1)], ids=["bool", "signs"])
def test_labels(y, blobs):
    X = blobs[0]
    assert cross_val_score(LogisticRegression(), X, y(blobs[1]), scoring=scorer("auc"), cv=FOLDS).min() > 0.9


def test_several(blobs):
    measures = {name: scorer(name, alpha=0.5) for name in ("roc_auc", "f1")}
    search = GridSearchCV(LogisticRegression(), {"C": [0.1, 1]}, scoring=measures, refit="f1", cv=FOLDS)
    found = search.fit(*blobs).cv_results_
    assert {"mean_test_roc_auc", "mean_test_f1"} <= set(found)


def test_what_cannot_be_scored(blobs):
    """It is scikit-learn's error_score: NaN, or the error."""
    X, y = blobs
    with pytest.raises(ValueError, match="scores.*equal"):
        cross_val_score(DummyClassifier(), X, y, scoring=scorer("auc"), cv=2, error_score="raise")
    assert np.isnan(cross_val_score(DummyClassifier(), X, y, scoring=scorer("auc"), cv=2)).all()
    few = np.r_[:5, 200:600]
    folds = StratifiedKFold(5)
    with pytest.raises(ValueError, match="labeled"):
        cross_val_score(LogisticRegression(), X[few], y[few], scoring=scorer("auc"), cv=folds,
                        error_score="raise")
    few = np.r_[:20, 200:260, 400:440]
    assert cross_val_score(LogisticRegression(), X[few], y[few], scoring=scorer("auc"), cv=4).min() > 0.5
    search = GridSearchCV(LogisticRegression(), {"C": [1e-300, 1]}, scoring=scorer("auc"), cv=2).fit(X, y)
    assert search.best_params_["C"] == 1
    for wrong in ("accuracy", "Auc"):
        with pytest.raises(ValueError, match=f"no measure '{wrong}'; there are roc_auc, auc"):
            scorer(wrong)
    for options, message in [({"alpha": 2}, "alpha"), ({"threshold": ("precison", 1)}, "precison")]:
        with pytest.raises(ValueError, match=message):
            scorer("auc", **options)
    with pytest.raises(TypeError, match="did you mean 'alpha'"):
        scorer("auc", alfa=0.2)


# ---- thresholds of DedpulClassifier ----

@pytest.mark.parametrize("classifier", [OWN, dedpul.DedpulClassifier(LogisticRegression(), cv=3)],
                         ids=["own", "scikit-learn's"])
def test_thresholds(classifier, moons):
    X, y, truth = moons
    unlabeled = y == 0

    def fit(threshold):
        return clone(classifier).set_params(threshold=threshold).fit(X, y)
    plain = fit(None)
    posterior = plain.predict_proba(X)[:, 1]
    assert plain.threshold_ == 0.5 and plain.evaluation_ is None
    assert (plain.predict(X) == (posterior > 0.5)).all()
    high = fit(0.8)
    assert high.threshold_ == 0.8 and (high.predict(X) == (posterior > 0.8)).all()
    sure = 0.7 if classifier is OWN else 0.5  # of a logistic regression, which cannot bend, less is known
    for goal in (("precision", sure), ["recall", 0.9], ("top", 300), ("share", 0.3), ("cost", "1:5"),
                 ("max", "f1")):
        fitted = fit(goal)
        at = fitted.evaluation_.threshold
        assert fitted.threshold_ == at.posterior
        flagged = unlabeled & (fitted.scores_ >= at.score)
        assert flagged.sum() == at.rows
        reached = {"precision": truth[flagged].mean(), "recall": truth[flagged].sum() / truth[unlabeled].sum(),
                   "top": flagged.sum(), "share": flagged.sum() / unlabeled.sum()}
        if goal[0] in reached:  # fewer than the top 300 if some tie
            assert 0.95 * goal[1] <= reached[goal[0]] <= (1 if goal[0] in ("precision", "recall") else goal[1])
        new = X + 1e-3
        scores = fitted.model_.score(new) if classifier is OWN else fitted.estimator_.predict_proba(new)[:, 1]
        assert (fitted.predict(new) == (scores >= at.score)).all()
        again = pickle.loads(pickle.dumps(fitted))
        assert (again.predict(new) == fitted.predict(new)).all()
    assert fit(("cost", "1000:1")).predict(X).sum() < fit(("cost", "1:1000")).predict(X).sum()


@pytest.mark.parametrize("threshold, message", [
    (("precision", 0.9999), "a precision of 0.9999 cannot be had .* the highest that is so sure is 0"),
    (("precison", 0.9), "unknown goal 'precison'"), (1.5, "threshold: 1.5 is not a number above 0 and below 1"),
    (True, "threshold: True"), ("f1", "threshold: 'f1' is not a number or a pair"),
    (("top", 10**6), "rows cannot be flagged")])
def test_wrong_thresholds(threshold, message, moons):
    with pytest.raises(ValueError, match=message):
        clone(OWN).set_params(threshold=threshold).fit(*moons[:2])


def test_wrong_thresholds_are_refused_at_once(blobs, monkeypatch):
    """Not after the training."""
    monkeypatch.setattr("dedpul._sklearn.fit_table", None)
    for threshold in (2, "f1", ("precision", 2), ("precison", 0.9), ("score", 2)):
        with pytest.raises(ValueError):
            clone(OWN).set_params(threshold=threshold).fit(*blobs)


def test_thresholds_in_a_search(moons):
    """A threshold is a parameter as others are."""
    search = GridSearchCV(OWN, {"threshold": [None, 0.3, ("share", 0.2)]}, cv=2).fit(*moons[:2])
    assert search.best_params_["threshold"] in (None, 0.3, ("share", 0.2))
