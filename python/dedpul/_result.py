"""Estimates from scores, and their results."""
from __future__ import annotations

import html
import math
from ctypes import POINTER, byref, c_char_p, c_double, c_int, c_size_t, c_uint
from typing import Any, NamedTuple, Optional, Union

import numpy as np

from . import _arrays, _frames
from ._evaluation import Evaluation, Rows, evaluate_rows
from ._library import (call, constants, encode, free_with, library, list_options, make_options, new,
                       pointer_to, text, types, view)
from ._names import option_names, takes_all_names
from ._warnings import DedpulWarning, read_warnings, warn


class Interval(NamedTuple):
    """How far alpha may be off.

    low and high are the interval, as the command prints it. If resamples is 0, they are quantiles of alpha's
    distribution, which the methods "pooled" and "learned" know from simulated problems; percentile_low and percentile_high
    are the same. Else they are percentiles of the alphas of resamples of the rows, not of the training,
    corrected for the bias of their median; percentile_low and percentile_high are the plain percentiles.
    upper_bound is a bound of alpha with this level that assumes nothing about the distributions.
    """

    low: float
    high: float
    level: float
    resamples: int
    percentile_low: float
    percentile_high: float
    upper_bound: float


class Kind(NamedTuple):
    """A kind of positives, if the fit was told of kinds or found some; see `fit`.

    share is that of the unlabeled rows that are positives of this kind, and label_rate the share of the positives
    of this kind that are labeled. low and high are the ends of an interval of the share, by resamples of the
    rows. posterior is the probability of each unlabeled row of being positive and of this kind.
    """

    name: str
    n_labeled: int
    weight_labeled: float
    share: float
    low: float
    high: float
    label_rate: float
    label_rate_low: float
    label_rate_high: float
    posterior: np.ndarray


class CheckedKind(NamedTuple):
    """What a check of the labels says of the positives of one kind; see `LabelCheck`.

    traits is what tells its labeled rows from the others. The share of its positives that is labeled lies between
    label_rate_low and label_rate_high, but for chance; they are NaN if there are too few rows. deviation is how far
    that is from one rate for all kinds, in standard deviations: above 0, labeled too often.
    """

    name: str
    traits: str
    n_labeled: int
    label_rate_low: float
    label_rate_high: float
    deviation: float


class LabelCheck(NamedTuple):
    """Whether it is plausible that labeled rows are a random draw of the positives: `fit(..., check_labels=True)`.

    If they are, p_value is below level (0.05) in at most that share of fits. label_rate is the share of the positives
    that is labeled, if it is the same for all kinds. found_kinds tells that kinds were found among the labeled rows.
    """

    p_value: float
    level: float
    label_rate: float
    found_kinds: bool
    kinds: list[CheckedKind]


def read_label_check(pointer):
    """The check that a struct points to, or None."""
    if not pointer:
        return None
    c = pointer[0]
    kinds = [CheckedKind(text(kind.name), text(kind.traits), *(getattr(kind, name) for name in CheckedKind._fields[2:]))
             for kind in (c.kinds[k][0] for k in range(c.n_kinds))]
    return LabelCheck(c.p_value, c.level, c.label_rate, bool(c.has_found_kinds), kinds)


class PropensityGroup(NamedTuple):
    """Rows with a value of a column, or with numbers of a bin; propensity is the share of their positives that are
    labeled.
    """

    column: str
    values: str
    n_labeled: int
    propensity: float


class Propensities(NamedTuple):
    """The chance of a positive to be labeled, if the fit was told that it differs; see `fit`.

    lowest and highest are those of labeled rows, and mean is that of all positives. alpha_without is the estimate
    as if the chance were the same for all. alpha_by_values is the share of positives that follows from known
    chances alone; NaN if they were estimated. groups has the chance by values of each column that was named.
    """

    lowest: float
    highest: float
    mean: float
    alpha_without: float
    alpha_by_values: float
    groups: list[PropensityGroup]


def _read_propensities(c):
    groups = [c.groups[k][0] for k in range(c.n_groups)]
    return Propensities(*(getattr(c, name) for name in Propensities._fields[:-1]),
                        [PropensityGroup(text(group.column), text(group.values), group.n_labeled, group.propensity)
                         for group in groups])


# Arrays of the struct, and the field that counts their values. Its texts and numbers need no such table.
_ARRAYS = {"ratio": "n_unlabeled", "posterior": "n_unlabeled", "posterior_low": "n_unlabeled",
           "posterior_high": "n_unlabeled", "grid_logit": "n_grid", "grid_positive": "n_grid",
           "grid_unlabeled": "n_grid", "grid_ratio": "n_grid", "point_logit": "n_points",
           "point_ratio": "n_points", "curve_alpha": "n_curve", "curve_d": "n_curve", "scales": "n_scales",
           "scale_weights": "n_scales", "quantile_levels": "n_quantiles", "quantiles": "n_quantiles"}


def _plain_fields(c):
    """Names and types of the texts and numbers of a struct."""
    return [(name, kind) for name, kind in c._fields_
            if kind in (c_char_p, c_double, c_int, c_size_t, c_uint) and name != "size"]


class Result:
    """An estimate. Arrays are read-only, and in the order of the unlabeled rows.

    Attributes
    ----------
    alpha : float
        Share of positives among the unlabeled rows (an upper bound if the classes overlap everywhere).
    interval : Interval or None
        Of alpha. None if none was asked for, alpha was given, the method has no interval, or there are too
        few rows or resamples.
    posterior, ratio : ndarray
        Probability of being positive, and smoothed density ratio, of each unlabeled row.
    ids : ndarray or None
        Identifier of each unlabeled row, if `id=` was given.
    posterior_low, posterior_high : ndarray or None
        Intervals of posteriors, if `bands=True`; else None.
    curve_alpha, curve_d : ndarray
        The curve D(alpha).
    grid_logit, grid_positive, grid_unlabeled, grid_ratio : ndarray
        Densities of scores on their logit, and the ratio.
    warnings : list of DedpulWarning
        Doubts about the estimate.
    method, density, rule : str
        How alpha was found.
    alpha_c, alpha_n, scale, mean_ratio, auc, bandwidth_p, bandwidth_u : float
        Numbers with the meaning that they have in the command's answer.
    scales, scale_weights : ndarray
        A posterior is the sum of scale_weights * minimum(scales * ratio, 1): its mean over alpha's
        distribution. With `posterior="plain"`, and by methods that do not know the distribution, there is one
        scale, `scale`. Methods that train networks have posteriors of their own.
    quantile_levels, quantiles : ndarray
        Quantiles of alpha's distribution at nine levels; empty if the method does not know it.
    n_positive, n_unlabeled, weight_positive, weight_unlabeled
        Numbers of rows, and sums of weights.
    kinds : list of Kind
        Shares, rates of labels and posteriors by kind, if the fit was told of kinds or found some. The
        shares add up to alpha.
    row_weights : ndarray
        What each row of the table counts, as if kinds had been labeled at the same rate, or labels were a random
        draw; empty without kinds and propensities.
    row_kinds : ndarray
        The place in `kinds` of each labeled row's kind, and len(kinds) for unlabeled rows; empty without kinds.
    label_check : LabelCheck
        Whether labeled rows may be a random draw of the positives, with `check_labels=True` or `kind="auto"`;
        else None.
    propensities : Propensities or None
        The chance of a positive to be labeled, if the fit was told that it differs.

    Every other text or number of the library's result is an attribute, too.
    """

    method: str
    density: Optional[str]
    rule: str
    alpha: float
    alpha_c: float
    alpha_n: float
    scale: float
    mean_ratio: float
    auc: float
    bandwidth_p: float
    bandwidth_u: float
    n_positive: int
    n_unlabeled: int
    weight_positive: float
    weight_unlabeled: float
    ratio: np.ndarray
    posterior: np.ndarray
    posterior_low: Optional[np.ndarray]
    posterior_high: Optional[np.ndarray]
    grid_logit: np.ndarray
    grid_positive: np.ndarray
    grid_unlabeled: np.ndarray
    grid_ratio: np.ndarray
    curve_alpha: np.ndarray
    curve_d: np.ndarray
    scales: np.ndarray
    scale_weights: np.ndarray
    quantile_levels: np.ndarray
    quantiles: np.ndarray
    interval: Optional[Interval]
    warnings: list[DedpulWarning]
    kinds: list[Kind]
    row_weights: np.ndarray
    row_kinds: np.ndarray
    label_check: Optional[LabelCheck]
    propensities: Optional[Propensities]

    def __init__(self, pointer, rows):
        c = pointer[0]
        owner = _Owner(pointer)
        self._rows = rows
        for name, kind in _plain_fields(c):
            value = getattr(c, name)
            setattr(self, name, text(value) if kind is c_char_p else value)
        for name, count in _ARRAYS.items():
            pointer = getattr(c, name)
            setattr(self, name, view(pointer, getattr(c, count), owner) if pointer else None)
        self.rule = text(library.dedpul_rule_name(c.rule))
        self.interval = None
        if c.interval and not math.isnan(c.interval[0].low):
            self.interval = Interval(*(getattr(c.interval[0], name) for name in Interval._fields))
        self.warnings = read_warnings(c.n_warnings, c.warnings)
        self.row_weights = view(c.row_weights, len(rows.scores), owner)
        self.row_kinds = (np.ctypeslib.as_array(c.row_kinds, (len(rows.scores),)).astype(np.int64) if c.row_kinds
                          else np.empty(0, np.int64))
        self.kinds = [self._read_kind(c.kinds[k][0], owner) for k in range(c.n_kinds)]
        self.label_check = read_label_check(c.label_check)
        self.propensities = _read_propensities(c.propensities[0]) if c.propensities else None

    def _read_kind(self, c, owner):
        values = [getattr(c, name) for name in Kind._fields[1:-1]]
        return Kind(text(c.name), *values, view(c.posterior, self.n_unlabeled, owner))

    @property
    def ids(self) -> Optional[np.ndarray]:
        rows = self._rows
        return None if rows is None or rows.ids is None else rows.ids[rows.label == 0]

    def _struct(self):
        """The library's struct again, without the interval and the warnings."""
        c = new("dedpul_result")
        values = {**vars(self), "rule": constants["DEDPUL_RULE_" + self.rule.upper()]}
        for name, _ in _plain_fields(c):
            value = values.get(name)
            if value is not None:
                setattr(c, name, encode(value) if isinstance(value, str) else value)
        for name, count in _ARRAYS.items():
            array = values.get(name)
            if array is not None:
                setattr(c, name, pointer_to(array))
                setattr(c, count, len(array))
        c.n_kinds = 0
        return c

    def evaluate(self, scores: Any) -> np.ndarray:
        """Posteriors of scores that took no part in the estimate.

        Examples
        --------
        >>> result = dedpul.estimate_two([0.6, 0.7, 0.8, 0.9], [0.1, 0.2, 0.3, 0.7, 0.8, 0.9])
        >>> bool((result.evaluate([0.1, 0.95]) == result.posterior[[0, 5]]).all())
        True
        """
        scores = _arrays.vector(scores, "scores")
        posterior = np.empty(len(scores))
        call("dedpul_result_evaluate", byref(self._struct()), len(scores), pointer_to(scores), None,
             pointer_to(posterior))
        return posterior

    def evaluation(self, threshold: Any = None, *, truth: Any = None, level: Optional[float] = None,
                   threads: int = 0) -> Evaluation:
        """How good the scores are that it was made from; the parameters are those of `metrics.evaluate`."""
        evaluation = evaluate_result(self, threshold, truth, level, threads)
        warn(evaluation.warnings, 2)
        return evaluation

    def to_frame(self) -> Any:
        """The unlabeled rows as a data frame: row (from 0), score, ratio, posterior; id, bands and kinds, if there are.

        Examples
        --------
        >>> result = dedpul.estimate_two([0.6, 0.7, 0.8, 0.9], [0.1, 0.2, 0.3, 0.7, 0.8, 0.9])
        >>> frame = result.to_frame()
        >>> list(frame.columns)
        ['row', 'score', 'ratio', 'posterior']
        """
        columns = {"ratio": self.ratio, "posterior": self.posterior}
        if self._rows is not None:
            row = np.flatnonzero(self._rows.label == 0)
            columns = {"row": row, "score": self._rows.scores[row], **columns}
        if self.ids is not None:
            columns = {"id": self.ids, **columns}
        if self.posterior_low is not None:
            columns.update(posterior_low=self.posterior_low, posterior_high=self.posterior_high)
        columns.update((f"posterior {kind.name}", kind.posterior) for kind in self.kinds or ())
        return _frames.make_frame(columns)

    def curves(self) -> np.ndarray:
        """Precision, recall, lift and F1 by threshold, with their ranges: the `curve` of `evaluation()`.

        It is a structured array with the columns of the command's `--curve`. A data frame can be made of it.

        Examples
        --------
        >>> result = dedpul.estimate_two([0.6, 0.7, 0.8, 0.9], [0.1, 0.2, 0.3, 0.7, 0.8, 0.9])
        >>> curves = result.curves()
        >>> curves["score"]
        array([0.9, 0.8, 0.7, 0.3, 0.2, 0.1])
        >>> bool((curves["recall_low"] <= curves["recall"]).all())
        True
        """
        return evaluate_result(self).curve

    def _lines(self):
        """The lines to show: pairs of a name, and a value with a note."""
        about = self.alpha * self.weight_unlabeled
        yield "alpha", (f"{self.alpha:.4f}", "share of positives among the unlabeled: about "
                        f"{about:.0f} of {self.weight_unlabeled:.0f}")
        if self.interval is not None:
            i = self.interval
            level = f"{100 * i.level:g}%"
            origin = (f"by {i.resamples} resamples of the rows, not of the training" if i.resamples > 0
                      else "learned on simulated problems, checked on real ones")
            yield "interval", (f"{i.low:.4f} to {i.high:.4f}", f"{level}, {origin}")
            if not math.isnan(i.upper_bound):
                yield "at most", (f"{i.upper_bound:.4f}",
                                  f"{level} bound that assumes nothing about the distributions")
        for kind in self.kinds:
            yield "kind", (f"{kind.share:.4f}", f"{kind.name}: {kind.low:.4f} to {kind.high:.4f}; "
                           f"{kind.label_rate:.4f} of its positives are labeled")
        if self.label_check is not None:
            check = self.label_check
            verdict = "are probably not" if check.p_value < check.level else "may be"
            yield "labels", (f"p = {check.p_value:.2g}", f"labeled rows {verdict} a random draw of the positives")
        if self.propensities is not None:
            p = self.propensities
            yield "without", (f"{p.alpha_without:.4f}", "alpha, if all positives had the same chance to be labeled")
            yield "chance", (f"{p.mean:.4f}", "of a positive to be labeled, on average; from "
                             f"{p.lowest:.4f} to {p.highest:.4f}")
        yield "found by", (self.rule, f"method {self.method}")
        yield "AUC", (f"{self.auc:.4f}", f"{self.weight_positive:.0f} labeled against {self.weight_unlabeled:.0f} unlabeled")
        for warning in self.warnings:
            yield "warning", (warning.code, warning.message)

    def __repr__(self) -> str:
        width = 18 if self.interval is not None else 9
        lines = [f"  {name:<9} {value:<{width}} {note}" for name, (value, note) in self._lines()]
        return "\n".join(["dedpul.Result", *lines])

    def _repr_html_(self) -> str:
        left = "style='text-align:left'"
        rows = "".join(f"<tr><th {left}>{html.escape(name)}</th><td>{html.escape(value)}</td>"
                       f"<td {left}>{html.escape(note)}</td></tr>"
                       for name, (value, note) in self._lines())
        return f"<table>{rows}</table>"

    def plot(self, axes=None):
        """Draws D(alpha) with alpha and its interval, by matplotlib; returns the axes."""
        try:
            import matplotlib.pyplot as plt
        except ImportError:
            raise ImportError("Result.plot needs matplotlib") from None
        if axes is None:
            axes = plt.subplots()[1]
        axes.plot(self.curve_alpha, self.curve_d)
        axes.axhline(0, color="0.6", linewidth=0.8)
        axes.axvline(self.alpha, color="C3", linestyle="--", label=f"alpha = {self.alpha:.4f}")
        if self.interval is not None:
            axes.axvspan(self.interval.low, self.interval.high, color="C3", alpha=0.15,
                         label=f"{100 * self.interval.level:g}% interval")
        axes.set(xlabel="alpha", ylabel="D(alpha)", xlim=(0, 1))
        axes.legend()
        return axes

    def __setstate__(self, state):
        earlier = {"_rows": None, "scales": np.array([state["scale"]]), "scale_weights": np.ones(1),
                   "n_quantiles": 0, "quantile_levels": np.empty(0), "quantiles": np.empty(0),
                   "n_kinds": 0, "kinds": [], "row_weights": np.empty(0), "row_kinds": np.empty(0, np.int64),
                   "label_check": None, "propensities": None}
        self.__dict__.update({**earlier, **state})  # what earlier versions had, or did not have
        for name in _ARRAYS:
            if getattr(self, name) is not None:
                getattr(self, name).flags.writeable = False


def evaluate_result(result, threshold=None, truth=None, level=None, threads=0):
    """Does what `Result.evaluation` does, but gives no warnings."""
    if result._rows is None:
        raise ValueError("the result was pickled by a version before 0.8, which did not keep its scores; "
                         "dedpul.metrics.evaluate takes scores and labels")
    return evaluate_rows(result._struct(), result._rows, threshold, truth, level, threads)


class _Owner:
    """Frees a result of the library once neither a Result nor an array needs it."""

    def __init__(self, pointer):
        free_with(self, "dedpul_result_free", pointer)


def _sample(scores, label, weights, end):
    """One of two samples, whose rows have the same label."""
    scores = _arrays.vector(scores, "scores" + end)
    weights = _arrays.weights(weights, len(scores), "weights" + end)
    return Rows(scores, np.full(len(scores), label, np.uint8), weights)


def _join(p, u):
    weights = None
    if p.weights is not None or u.weights is not None:
        weights = np.concatenate([np.ones(len(rows.scores)) if rows.weights is None else rows.weights
                                  for rows in (p, u)])
    return Rows(np.concatenate([p.scores, u.scores]), np.concatenate([p.label, u.label]), weights)


def estimate_rows(scores, labels, weights, options, *, id=None, squares=None):
    """Does what `estimate` does, but gives no warnings.

    If a row stands for several, `squares` are the sums of the squares of their weights.
    """
    scores = _arrays.vector(scores, "scores")
    rows = Rows(scores, _arrays.labels(labels), _arrays.weights(weights, len(scores)),
                _arrays.identifiers(id, len(scores)))
    _arrays.same_length(rows.label, len(scores), "labels", "scores")
    pointer = POINTER(types.dedpul_result)()
    c = make_options(options, False)
    c.squares = pointer_to(squares)
    call("dedpul_estimate", byref(rows.sample()), pointer_to(rows.label), byref(c), byref(pointer))
    return Result(pointer, rows.copy())


@takes_all_names(option_names(of_fit=False))
@list_options(of_fit=False, without=["interval"])
def estimate(scores: Any, labels: Any, *, weights: Any = None, id: Any = None,
             interval: Union[bool, str] = False, **options: Any) -> Result:
    """Estimates alpha and posteriors from the scores of a classifier of labeled against unlabeled rows.

    Parameters
    ----------
    scores : array of shape (n,)
        In [0, 1], high for positives. Each row must be scored by a model that has not seen it
        (cross-fitting).
    labels : array of shape (n,)
        1 (labeled positive) and 0 or -1 (unlabeled), or True and False.
    weights : array of shape (n,), optional
        A weight has the meaning of a count of rows.
    id : array of shape (n,), optional
        Identifiers of the rows; `Result.ids` has those of the unlabeled ones.
    interval : bool or "bootstrap"
        Give alpha an interval: from its distribution if the method knows it, as "pooled" does; otherwise, or
        with "bootstrap", by resamples of the rows, 200 or as many as `resamples=` says.
    **options
        Any option of `dedpul scores`, with _ for -. `dedpul.options()` lists them.

    Returns
    -------
    Result

    Examples
    --------
    >>> import numpy as np, dedpul
    >>> random = np.random.default_rng(0)
    >>> scores = np.concatenate([random.beta(4, 2, 500), random.beta(4, 2, 400), random.beta(2, 6, 600)])
    >>> labels = np.repeat([1, 0], [500, 1000])
    >>> result = dedpul.estimate(scores, labels, interval=True)
    >>> abs(result.alpha - 0.4) < 0.1 and result.interval.low < result.alpha < result.interval.high
    True
    >>> result.method, result.interval.resamples
    ('pooled', 0)
    >>> dedpul.estimate(scores, labels, interval="bootstrap").interval.resamples
    200
    >>> result.posterior.shape
    (1000,)
    """
    result = estimate_rows(scores, labels, weights, {**options, "interval": interval}, id=id)
    warn(result.warnings, 3)
    return result


@takes_all_names(option_names(of_fit=False))
def estimate_two(scores_p: Any, scores_u: Any, *, weights_p: Any = None, weights_u: Any = None,
                 interval: Union[bool, str] = False, **options: Any) -> Result:
    """Does what `estimate` does, with the scores of labeled and of unlabeled rows in two arrays.

    Examples
    --------
    >>> result = dedpul.estimate_two([0.6, 0.7, 0.8, 0.9], [0.1, 0.2, 0.3, 0.7, 0.8, 0.9], alpha=0.5)
    >>> result.rule
    'given'
    """
    p, u = _sample(scores_p, 1, weights_p, "_p"), _sample(scores_u, 0, weights_u, "_u")
    pointer = POINTER(types.dedpul_result)()
    c = make_options({**options, "interval": interval}, False)
    call("dedpul_estimate_two", byref(p.sample()), byref(u.sample()), byref(c), byref(pointer))
    result = Result(pointer, _join(p, u))
    warn(result.warnings, 3)
    return result
