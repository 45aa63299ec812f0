"""A classifier with scikit-learn's conventions. It is imported only when it is used."""
from __future__ import annotations

import inspect
import numbers
from typing import Any, Optional, Union

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.model_selection import StratifiedGroupKFold, StratifiedKFold, cross_val_predict
from sklearn.utils import check_random_state
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import (_check_sample_weight, check_array, check_consistent_length,
                                      check_is_fitted, column_or_1d, has_fit_parameter)

from . import _arrays, _frames
from ._evaluation import Evaluation, check_threshold
from ._library import default_of, list_options
from ._model import Table, fit_table
from ._names import takes_all_names
from ._result import Interval, estimate_rows, evaluate_result
from ._warnings import warn
from .metrics import scores_of, to_scores


def _check_features(estimator, X, reset):
    """Sets or compares n_features_in_ and feature_names_in_. Before scikit-learn 1.6, methods did this."""
    if _frames.is_frame(X) and not _frames.is_pandas(X):  # scikit-learn does not know all of them
        _check_names(estimator, _frames.column_names(X), reset)
    elif hasattr(estimator, "_check_feature_names"):
        estimator._check_feature_names(X, reset=reset)
        estimator._check_n_features(X, reset=reset)
    else:
        from sklearn.utils.validation import validate_data
        validate_data(estimator, X, reset=reset, skip_check_array=True)


def _check_names(estimator, names, reset):
    """The same for a frame with these names, which may be in any order at predictions."""
    if names is None:
        raise ValueError("X does not tell the names of its columns: give a frame, not a stream of rows")
    if reset:
        estimator.n_features_in_ = len(names)
        estimator.feature_names_in_ = np.array(names, dtype=object)
    missing = [name for name in getattr(estimator, "feature_names_in_", ()) if name not in names]
    if missing:
        raise ValueError(f"X has no column {missing[0]!r}, which was there at the fit")


def _numbers(X):
    """An array for the library's own classifiers, which accept missing values."""
    # Called force_all_finite before scikit-learn 1.6.
    is_new = "ensure_all_finite" in inspect.signature(check_array).parameters
    return check_array(X, **{"ensure_all_finite" if is_new else "force_all_finite": "allow-nan"})


# Options that are parameters of the classifier, and how these are called.
_PARAMETERS = {"method": "method", "alpha": "alpha", "interval": "interval", "seed": "random_state",
               "classifier": "estimator", "folds": "cv"}


@list_options(of_fit=True, without=_PARAMETERS)
class DedpulClassifier(ClassifierMixin, BaseEstimator):
    """Tells positive from negative rows, learning from labeled positive and unlabeled ones.

    A classifier learns to tell labeled from unlabeled rows, with cross-fitting; alpha and posteriors follow
    from its scores. New rows are taken to be like the unlabeled ones.

    Parameters
    ----------
    estimator : str, classifier of scikit-learn, or None
        Tells labeled from unlabeled rows. A text names one of the library's own (`dedpul.classifiers()` lists
        them); None is its default. A classifier of scikit-learn learns with balanced weights if it takes
        weights.
    cv : int, or splitter for a classifier of scikit-learn
        Folds of cross-fitting.
    method : str
        How alpha is estimated.
    alpha : float, optional
        The share of positives among the unlabeled rows, if it is known.
    interval : bool or "bootstrap"
        Give alpha an interval: from its distribution if the method knows it, as "pooled" does; otherwise, or
        with "bootstrap", by resamples of the rows, 200 or as many as the option `resamples` says.
    options : dict, optional
        Further options of `dedpul.fit` for one of the library's own classifiers, or of `dedpul.estimate` for
        one of scikit-learn. `dedpul.options()` lists them.
    random_state : int, RandomState or None
        An int is the library's seed; None is seed 0.
    threshold : float or pair, optional
        Rows with a posterior above it are predicted positive; None is one half. Or what the threshold must
        achieve, as in `dedpul.metrics.evaluate`: ("precision", 0.9), ("recall", 0.8), ("top", 500), ("share",
        0.1), ("cost", "1:5"), ("max", "f1"). It is then found at the fit, from the cross-fitted scores; what
        cannot be had is a ValueError that says what can.
    n_jobs : int, optional
        Jobs for the cross-fitting of a classifier of scikit-learn.

    Attributes
    ----------
    alpha_ : float
        Share of positives among the unlabeled rows.
    interval_ : Interval or None
    classes_ : ndarray of shape (2,)
        Unlabeled and labeled positive; for predictions, negative and positive.
    result_ : Result
        Posteriors of the unlabeled rows, the curve D(alpha), warnings, ...
    scores_ : ndarray
        Cross-fitted score of each row.
    threshold_ : float
        The posterior at the threshold.
    evaluation_ : Evaluation or None
        What the threshold achieves, if it was asked to achieve something; else None. Rows with at least the
        score `evaluation_.threshold.score` are predicted positive.
    model_ : Model
        Exists if one of the library's own classifiers learned.
    estimator_ : classifier
        Exists if a classifier of scikit-learn learned; it was fitted on all rows.
    n_features_in_, feature_names_in_
        As everywhere in scikit-learn.

    Examples
    --------
    >>> import numpy as np, dedpul
    >>> from sklearn.linear_model import LogisticRegression
    >>> random = np.random.default_rng(0)
    >>> X = random.normal(size=(600, 2)) + 3 * (np.arange(600) < 400)[:, None]
    >>> y = (np.arange(600) < 200).astype(int)
    >>> classifier = dedpul.DedpulClassifier(LogisticRegression()).fit(X, y)
    >>> abs(classifier.alpha_ - 0.5) < 0.1
    True
    >>> classifier.predict([[3, 3], [0, 0]])
    array([1, 0])
    """

    @takes_all_names()
    def __init__(self, estimator: Any = None, cv: Any = int(default_of("folds")), *,
                 method: str = default_of("method"), alpha: Optional[float] = None,
                 interval: Union[bool, str] = False, options: Optional[dict] = None, random_state: Any = None,
                 threshold: Any = None, n_jobs: Optional[int] = None):
        self.estimator = estimator
        self.cv = cv
        self.method = method
        self.alpha = alpha
        self.interval = interval
        self.options = options
        self.random_state = random_state
        self.threshold = threshold
        self.n_jobs = n_jobs

    alpha_: float
    interval_: Optional[Interval]
    threshold_: float
    evaluation_: Optional[Evaluation]

    def _is_own(self):
        return self.estimator is None or isinstance(self.estimator, str)

    @takes_all_names()
    def fit(self, X: Any, y: Any, sample_weight: Any = None, groups: Any = None) -> "DedpulClassifier":
        """Learns from rows with labels 1 (positive) and 0 or -1 (unlabeled), or True and False.

        Rows of one group (patient, site, document) stay in one fold; `groups` has a number or text for each row.
        """
        if y is None:
            raise ValueError("DedpulClassifier requires y to be passed, but the target y is None")
        y = column_or_1d(y, warn=True)
        check_consistent_length(X, y)
        check_classification_targets(y)
        label, classes = self._labels(y)
        if len(classes) != 2:
            raise ValueError(f"y has {len(classes)} class, but labeled positive and unlabeled rows are "
                             "needed")
        _check_features(self, X, reset=True)
        if sample_weight is not None:
            sample_weight = _check_sample_weight(sample_weight, y, dtype=np.float64)
            if not (sample_weight[label == 1].any() and sample_weight[label == 0].any()):
                raise ValueError("sample_weight is 0 for all rows of a class, but both are needed")
        groups = _arrays.groups(groups, len(label))
        options = self._all_options()
        self._check_threshold()
        if self._is_own():
            self._fit_own(X, label, sample_weight, groups, options)
        else:
            self._fit_estimator(X, label, sample_weight, groups, options)
        self.classes_ = classes
        self.alpha_ = self.result_.alpha
        self.interval_ = self.result_.interval
        warn(self.result_.warnings, 3)
        self._fit_threshold()
        return self

    def _check_threshold(self):
        """Before the work begins."""
        if isinstance(self.threshold, numbers.Real):
            _arrays.between(self.threshold, "threshold")
        else:
            check_threshold(self.threshold)

    def _fit_threshold(self):
        if self.threshold is None or isinstance(self.threshold, numbers.Real):
            self.evaluation_ = None
            self.threshold_ = 0.5 if self.threshold is None else float(self.threshold)
        else:
            self.evaluation_ = evaluate_result(self.result_, self.threshold)
            self.threshold_ = self.evaluation_.threshold.posterior
            warn(self.evaluation_.warnings, 4)

    @staticmethod
    def _labels(y):
        """The labels as bytes 1 and 0, and the classes."""
        return _arrays.labels(y, "y"), np.unique(y)

    def _all_options(self):
        """Those in `options`, and those that are parameters."""
        given = self.options or {}
        for name in _PARAMETERS:
            if name in given:
                raise ValueError(f"options: '{name}' is not read there; set the parameter "
                                 f"'{_PARAMETERS[name]}' of DedpulClassifier")
        return {**given, "method": self.method, "alpha": self.alpha, "interval": self.interval,
                "seed": self._seed()}

    def _seed(self):
        if self.random_state is None or isinstance(self.random_state, (int, np.integer)):
            return self.random_state
        return check_random_state(self.random_state).randint(2**31 - 1)

    def _fit_own(self, X, label, weights, groups, options):
        options.update(classifier=self.estimator, folds=self.cv)
        table = Table(X if _frames.is_frame(X) else _numbers(X), label, weights, None, None, groups=groups)
        self.model_ = fit_table(table, None, options)
        self.result_ = self.model_.result
        self.scores_ = self.model_.scores

    def _fit_options(self, label, weights):
        """Weights that balance the classes, if the estimator takes weights and does not balance them itself."""
        if not has_fit_parameter(self.estimator, "sample_weight"):
            if weights is not None:
                raise ValueError(f"{type(self.estimator).__name__} does not support sample_weight")
            return {}
        if weights is None:
            weights = np.ones(len(label))
        if getattr(self.estimator, "class_weight", None) is None:
            weights = weights / np.bincount(label, weights)[label] * weights.sum() / 2
        return {"sample_weight": weights}

    def _fit_estimator(self, X, label, weights, groups, options):
        fit_options = self._fit_options(label, weights)
        answer = "predict_proba" if hasattr(self.estimator, "predict_proba") else "decision_function"
        cv = self.cv
        if isinstance(cv, (int, np.integer)):
            kind = StratifiedKFold if groups is None else StratifiedGroupKFold
            cv = kind(cv, shuffle=True, random_state=options["seed"] or 0)
        # Called fit_params before scikit-learn 1.4.
        keyword = "params" if "params" in inspect.signature(cross_val_predict).parameters else "fit_params"
        self.scores_ = to_scores(cross_val_predict(
            self.estimator, X, label, groups=groups, cv=cv, n_jobs=self.n_jobs, method=answer,
            **{keyword: fit_options}))
        self.estimator_ = clone(self.estimator).fit(X, label, **fit_options)
        self.result_ = estimate_rows(self.scores_, label, weights, options)

    def _own_answer(self, X, ask):
        rows = X if _frames.is_frame(X) else _numbers(X)
        _check_features(self, X, reset=False)
        return ask(rows)

    def _score(self, X):
        if self._is_own():
            return self._own_answer(X, self.model_.score)
        scores = scores_of(self.estimator_, X)
        _check_features(self, X, reset=False)
        return scores

    def _posterior(self, X):
        check_is_fitted(self)
        if self._is_own():
            return self._own_answer(X, self.model_.predict)
        return self.result_.evaluate(self._score(X))

    def predict_proba(self, X: Any) -> np.ndarray:
        """Probability of each row to be negative and to be positive, columns as `classes_`."""
        posterior = self._posterior(X)
        return np.column_stack([1 - posterior, posterior])

    def decision_function(self, X: Any) -> np.ndarray:
        """Above 0 if a row is more likely positive than not: from -1 to 1."""
        return 2 * self._posterior(X) - 1

    def predict(self, X: Any) -> np.ndarray:
        """The class of each row: positive if its probability is above one half, or by the `threshold`."""
        check_is_fitted(self)
        if self.evaluation_ is None:
            is_positive = self._posterior(X) > self.threshold_
        else:  # posteriors tie more often than scores
            is_positive = self._score(X) >= self.evaluation_.threshold.score
        return self.classes_[is_positive.astype(int)]

    def _more_tags(self):
        """Tags for scikit-learn before 1.6."""
        inner = self.estimator._get_tags() if hasattr(self.estimator, "_get_tags") else {}
        return {"binary_only": True, "poor_score": True,
                "allow_nan": self._is_own() or inner.get("allow_nan", False)}

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        tags.classifier_tags.poor_score = True
        if self._is_own():
            tags.input_tags.allow_nan = True
        else:
            from sklearn.utils import get_tags
            inner = get_tags(self.estimator).input_tags
            tags.input_tags.allow_nan, tags.input_tags.sparse = inner.allow_nan, inner.sparse
        return tags
