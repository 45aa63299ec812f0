"""How good a classifier is, though no negative is known: estimates from labeled positives and unlabeled rows.

The scores are those of any classifier of labeled against unlabeled rows; each row should be scored by a model
that has not seen it. All measures are about the unlabeled rows. They assume that the labeled rows are a
random draw of the positives.
"""
from __future__ import annotations

from typing import Any, Callable

import numpy as np

from ._evaluation import GOALS, Evaluation, Range, Threshold, Truth, check_threshold
from ._library import list_options, make_options
from ._names import option_names, takes_all_names
from ._result import estimate_rows, evaluate_result
from ._warnings import warn

__all__ = ["Evaluation", "Range", "Threshold", "Truth", "average_precision", "evaluate", "f1", "lift",
           "precision", "recall", "roc_auc", "scorer"]

_LEFT_OUT = ("interval", "resamples", "bands")  # they are about alpha's own interval
_OPTIONS = [name for name in option_names(False) if name not in _LEFT_OUT]


def _evaluate(scores, labels, weights, truth, threshold, options):
    """Does what `evaluate` does, but gives no warnings."""
    settings = make_options(options, False)
    result = estimate_rows(scores, labels, weights, options)
    evaluation = evaluate_result(result, threshold, truth, settings.level, settings.threads)
    evaluation.warnings = result.warnings + evaluation.warnings
    return evaluation


def _one_threshold(threshold, goals):
    """Of the argument `threshold` and the command's `precision=0.9`, ..., one may be given."""
    given = [pair for pair in goals.items() if pair[1] is not None]
    if len(given) + (threshold is not None) > 1:
        raise TypeError(f"{given[-1][0]!r} is one threshold too many; give one")
    return given[0] if given else threshold


@takes_all_names([*_OPTIONS, *GOALS])
@list_options(of_fit=False, without=_LEFT_OUT)
def evaluate(scores: Any, labels: Any, *, weights: Any = None, truth: Any = None, threshold: Any = None,
             **options: Any) -> Evaluation:
    """Estimates how good scores are, and what a threshold achieves, as `dedpul evaluate`.

    Parameters
    ----------
    scores, labels, weights
        As for `dedpul.estimate`.
    truth : array of shape (n,), optional
        True classes of some unlabeled rows, to check the estimates: 1 and 0 or -1, or True and False; NaN is
        one that is not known. Those of labeled rows are not read.
    threshold : float or pair, optional
        A score: rows with at least this score are flagged. Or what the threshold must achieve: ("precision",
        0.9) or ("recall", 0.8), with a probability of 85%; ("top", 500) or ("share", 0.1) of the rows flagged;
        ("cost", "1:5"), what a false positive and a false negative cost; ("max", "f1"); ("posterior", 0.7).
        The command's names are taken, too: `precision=0.9`. By default, rows are flagged that are more likely
        positive than not.
    **options
        Any option of `dedpul evaluate`, with _ for -. `dedpul.options()` lists them.

    Returns
    -------
    Evaluation

    Examples
    --------
    >>> import numpy as np, dedpul
    >>> random = np.random.default_rng(0)
    >>> scores = np.concatenate([random.beta(4, 2, 500), random.beta(4, 2, 400), random.beta(2, 6, 600)])
    >>> labels, truth = np.repeat([1, 0], [500, 1000]), np.repeat([1, 0], [900, 600])
    >>> found = dedpul.metrics.evaluate(scores, labels, truth=truth, threshold=("precision", 0.8))
    >>> found.auc.low < found.truth.auc < found.auc.high
    True
    >>> found.truth.precision > 0.8
    True
    >>> found.curve["recall"].shape == found.curve["score"].shape
    True
    """
    goals = {name: options.pop(name) for name in GOALS if name in options}
    evaluation = _evaluate(scores, labels, weights, truth, _one_threshold(threshold, goals), options)
    warn(evaluation.warnings, 3)
    return evaluation


# ---- one measure ----

def _value(evaluation, measure):
    """The estimate of a measure, which is one of the whole or of the threshold."""
    return getattr(evaluation if hasattr(evaluation, measure) else evaluation.threshold, measure).value


def _measure(measure, scores, labels, weights, threshold, options):
    evaluation = _evaluate(scores, labels, weights, None, threshold, options)
    warn(evaluation.warnings, 4)
    return _value(evaluation, measure)


@takes_all_names(_OPTIONS)
def roc_auc(scores: Any, labels: Any, *, weights: Any = None, **options: Any) -> float:
    """The chance that a positive has a higher score than a negative; `evaluate` also gives its range."""
    return _measure("auc", scores, labels, weights, None, options)


@takes_all_names(_OPTIONS)
def average_precision(scores: Any, labels: Any, *, weights: Any = None, **options: Any) -> float:
    """The mean of precision over the positives; `evaluate` also gives its range."""
    return _measure("average_precision", scores, labels, weights, None, options)


@takes_all_names(_OPTIONS)
def precision(scores: Any, labels: Any, threshold: Any = None, *, weights: Any = None, **options: Any) -> float:
    """The share of positives among the flagged rows; NaN if there are none. `threshold` is as in `evaluate`."""
    return _measure("precision", scores, labels, weights, threshold, options)


@takes_all_names(_OPTIONS)
def recall(scores: Any, labels: Any, threshold: Any = None, *, weights: Any = None, **options: Any) -> float:
    """The share of the positives that are flagged. `threshold` is as in `evaluate`."""
    return _measure("recall", scores, labels, weights, threshold, options)


@takes_all_names(_OPTIONS)
def lift(scores: Any, labels: Any, threshold: Any = None, *, weights: Any = None, **options: Any) -> float:
    """Precision / alpha; NaN if no row is flagged. `threshold` is as in `evaluate`."""
    return _measure("lift", scores, labels, weights, threshold, options)


@takes_all_names(_OPTIONS)
def f1(scores: Any, labels: Any, threshold: Any = None, *, weights: Any = None, **options: Any) -> float:
    """The harmonic mean of precision and recall. `threshold` is as in `evaluate`."""
    return _measure("f1", scores, labels, weights, threshold, options)


# ---- scorers ----

def scores_of(classifier, X):
    """Scores in [0, 1], from probabilities or, if a classifier has none, from its decisions."""
    if not hasattr(classifier, "predict_proba"):
        return to_scores(classifier.decision_function(X))
    return to_scores(classifier.predict_proba(X))


def to_scores(answers):
    answers = np.asarray(answers, dtype=np.float64)
    if answers.ndim == 2 and answers.shape[1] == 2:
        return np.clip(answers[:, 1], 0, 1)
    return 0.5 + 0.5 * np.tanh(0.5 * answers)  # the logistic function


_MEASURES = {"roc_auc": "auc", **{name: name for name in (
    "auc", "average_precision", "best_f1", "precision", "recall", "lift", "f1")}}


class _Scorer:
    """A class, and not a function within `scorer`, so that it can be pickled for other processes."""

    def __init__(self, measure, threshold, options):
        self.measure, self.threshold, self.options = measure, threshold, options

    def __call__(self, estimator, X, y, sample_weight=None):
        scores = scores_of(estimator, X)
        return _value(_evaluate(scores, y, sample_weight, None, self.threshold, self.options),
                      _MEASURES[self.measure])

    def __repr__(self):
        given = [repr(self.measure)]
        given += [] if self.threshold is None else [f"threshold={self.threshold!r}"]
        return f"dedpul.metrics.scorer({', '.join(given + [f'{n}={v!r}' for n, v in self.options.items()])})"


@takes_all_names(_OPTIONS)
def scorer(measure: str, threshold: Any = None, **options: Any) -> Callable[..., float]:
    """A scorer for scikit-learn's `cross_val_score`, `GridSearchCV` and the like, which needs no negatives.

    It scores any classifier that has `predict_proba` or `decision_function`, `DedpulClassifier` among them,
    on rows with labels y: 1 (labeled positive) and 0 or -1 (unlabeled).

    To compare classifiers, give all of them the same `alpha`, such as that of a first fit. Without it, alpha
    is estimated for each classifier and fold: a poor classifier makes alpha look larger, and with it itself.

    If a fold has too few rows, or its scores are all the same, the scorer raises a ValueError; scikit-learn
    makes it the `error_score`, NaN by default. It gives no warnings; `evaluate` does.

    Parameters
    ----------
    measure : str
        "roc_auc" (or "auc"), "average_precision", "best_f1", or at the threshold "precision", "recall",
        "lift", "f1".
    threshold, **options
        As in `evaluate`.

    Examples
    --------
    >>> import numpy as np, dedpul
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.model_selection import cross_val_score
    >>> random = np.random.default_rng(0)
    >>> kind = random.permutation(np.repeat(["labeled", "positive", "negative"], 300))
    >>> X = random.normal(size=(900, 2)) + 2 * (kind != "negative")[:, None]
    >>> y = kind == "labeled"
    >>> found = cross_val_score(LogisticRegression(), X, y, scoring=dedpul.metrics.scorer("roc_auc"), cv=3)
    >>> bool((found > 0.9).all())
    True
    """
    if measure not in _MEASURES:
        raise ValueError(f"there is no measure {measure!r}; there are {', '.join(_MEASURES)}")
    make_options(options, False)  # what is wrong is refused now
    check_threshold(threshold)
    return _Scorer(measure, threshold, options)
