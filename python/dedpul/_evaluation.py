"""How good scores are, and from which one on to act, though no negative is known."""
from __future__ import annotations

import html
import numbers
from ctypes import POINTER, byref
from typing import Any, NamedTuple, Optional

import numpy as np

from . import _arrays, _frames
from ._library import call, constants, encode, library, new, option_text, pointer_to, types
from ._warnings import DedpulWarning, read_warnings


class Rows(NamedTuple):
    """The rows of an estimate."""

    scores: np.ndarray
    label: np.ndarray
    weights: Optional[np.ndarray]
    ids: Optional[np.ndarray] = None

    def copy(self):
        return Rows(*(None if array is None else array.copy() for array in self))

    def sample(self):
        """For the library, which borrows the arrays."""
        return types.dedpul_sample(len(self.scores), pointer_to(self.scores), pointer_to(self.weights))


# ---- goals ----

# What the command calls them; dedpul_evaluate_options_set knows them.
GOALS = ("precision", "recall", "top", "share", "cost", "max")


def _set_goal(options, threshold):
    """Sets what the threshold must achieve: ("precision", 0.9) is the command's --precision 0.9.

    A number is a score. A posterior is a cost to the library.
    """
    pair = ("score", threshold) if isinstance(threshold, numbers.Real) else threshold
    if not isinstance(pair, (list, tuple)) or len(pair) != 2 or not isinstance(pair[0], str):
        raise ValueError(f"threshold: {threshold!r} is not a number or a pair such as ('precision', 0.9), "
                         "('top', 500), ('cost', '1:5') or ('max', 'f1')")
    name, value = pair
    if name in ("posterior", "score"):
        value = _arrays.between(value, name)
    if name == "posterior":
        name, value = "cost", f"{value!r}:{1 - value!r}"
    if name == "score":
        name = "threshold"
    call("dedpul_evaluate_options_set", byref(options), encode(name), encode(option_text(name, value)))


def check_threshold(threshold):
    """Refuses what no rows could reach."""
    goal_options(threshold)


# ---- answers ----

class Range(NamedTuple):
    """An estimate, and a range that should hold the true value at the level of the evaluation."""

    value: float
    low: float
    high: float


class Threshold(NamedTuple):
    """What a threshold achieves among the unlabeled rows: those with at least its score are flagged.

    posterior is that of rows with this score; rows and flagged are the number and the share of flagged rows.
    If none is flagged, score, precision and lift are NaN.
    """

    score: float
    posterior: float
    rows: float
    flagged: float
    precision: Range
    recall: Range
    lift: Range
    f1: Range


class Truth(NamedTuple):
    """The measures of the unlabeled rows whose classes are known; the last four are at the threshold."""

    rows: float
    positives: float
    alpha: float
    auc: float
    average_precision: float
    best_f1: float
    precision: float
    recall: float
    lift: float
    f1: float


def _value(value):
    return Range(value.value, value.low, value.high) if isinstance(value, types.dedpul_range) else value


def read_fields(kind, struct):
    """A named tuple of a struct's fields of the same names."""
    return kind(*(_value(getattr(struct, name)) for name in kind._fields))


def _columns(struct):
    """Names and types of a table of such structs. A range has three columns, as in the command's files."""
    for name, kind in struct._fields_:
        if kind is types.dedpul_range:
            yield from ((name + end, float) for end in ("", "_low", "_high"))
        else:
            yield name, kind


def _table(struct, n, pointers):
    """A structured array, with a copy of what the pointers point to."""
    rows = b"".join(bytes(pointers[i][0]) for i in range(n))
    return np.frombuffer(rows, dtype=list(_columns(struct)))


class Evaluation:
    """How good scores are, and what a threshold achieves. All is about the unlabeled rows.

    Attributes
    ----------
    alpha, level : float
        Share of positives among the unlabeled rows, and the level of ranges.
    auc, average_precision, best_f1 : Range
        AUC of positives against negatives; mean of precision over the positives; highest F1 of all thresholds.
    threshold : Threshold
        The one in force.
    curve : structured ndarray
        Thresholds from the highest score down, with the columns of the command's `--curve`: score, posterior,
        rows, flagged, precision, precision_low, precision_high, and so on for recall, lift, f1 and fall_out (the
        false positive rate); and true_precision, true_recall, ... if there is truth.
    bins : structured ndarray
        Rows of similar scores, from the highest down: highest, lowest (scores), labeled, unlabeled (numbers
        of rows), posterior (mean of the unlabeled rows), share (of positives, as labeled rows say), and its
        range by chance alone, share_low and share_high.
    calibration_difference, calibration_chance : float
        Mean difference of share and posterior, and the probability that chance makes it so large.
    truth : Truth or None
        The same measures by known classes.
    warnings : list of DedpulWarning
        Doubts about the evaluation.
    """

    alpha: float
    level: float
    auc: Range
    average_precision: Range
    best_f1: Range
    threshold: Threshold
    curve: np.ndarray
    bins: np.ndarray
    calibration_difference: float
    calibration_chance: float
    truth: Optional[Truth]
    warnings: list[DedpulWarning]

    def __init__(self, c):
        for name in ("alpha", "level", "auc", "average_precision", "best_f1", "calibration_difference",
                     "calibration_chance"):
            setattr(self, name, _value(getattr(c, name)))
        self.threshold = read_fields(Threshold, c.threshold[0])
        curve = _table(types.dedpul_threshold, c.n_curve, c.curve)
        known = [name for name in curve.dtype.names if c.truth or not name.startswith("true_")]
        self.curve = curve[known].copy()
        self.bins = _table(types.dedpul_calibration_bin, c.n_bins, c.bins)
        self.truth = read_fields(Truth, c.truth[0]) if c.truth else None
        self.warnings = read_warnings(c.n_warnings, c.warnings)

    def to_frame(self) -> Any:
        """The `curve` as a data frame."""
        return _frames.make_frame({name: self.curve[name] for name in self.curve.dtype.names})

    def _cells(self):
        """The lines to show: a name, and an estimate, a range and perhaps the truth."""
        truth = self.truth
        yield "", "estimate", f"{100 * self.level:g}% range", "truth" if truth else ""
        yield "alpha", f"{self.alpha:.4f}", "", f"{truth.alpha:.4f}" if truth else ""
        for of, field, name in [(self, "auc", "AUC"), (self, "average_precision", "average precision"),
                                (self, "best_f1", "best F1"), (self.threshold, "precision", "precision"),
                                (self.threshold, "recall", "recall"), (self.threshold, "lift", "lift"),
                                (self.threshold, "f1", "F1")]:
            measure = getattr(of, field)
            yield (name, f"{measure.value:.4f}", f"{measure.low:.4f} to {measure.high:.4f}",
                   f"{getattr(truth, field):.4f}" if truth else "")

    def _note(self):
        at = self.threshold
        return f"threshold: score {at.score:.4g}, posterior {at.posterior:.4f}, {at.rows:.10g} rows flagged"

    def __repr__(self) -> str:
        lines = [f"  {name:<18} {value:<9} {span:<17} {truth}".rstrip()
                 for name, value, span, truth in self._cells()]
        return "\n".join(["dedpul.metrics.Evaluation", *lines, "  " + self._note()])

    def _repr_html_(self) -> str:
        rows = "".join("<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in cells) + "</tr>"
                       for cells in self._cells())
        return f"<table>{rows}</table><p>{html.escape(self._note())}</p>"


def goal_options(threshold):
    options = new("dedpul_evaluate_options")
    if threshold is not None:
        _set_goal(options, threshold)
    return options


def _options(threshold, level, threads):
    options = goal_options(threshold)
    options.threads = _arrays.whole(threads, "threads")
    if level is not None:
        options.level = level
    return options


def _take(pointer):
    """Copies what the library found, and frees it."""
    try:
        return Evaluation(pointer[0])
    finally:
        library.dedpul_evaluation_free(pointer)


def evaluate_rows(result, rows, threshold, truth, level, threads) -> Evaluation:
    """`result` is the library's struct, and was made from these rows. It gives no warnings."""
    options = _options(threshold, level, threads)
    classes = _arrays.classes(truth, len(rows.label), constants["DEDPUL_TRUTH_UNKNOWN"])
    pointer = POINTER(types.dedpul_evaluation)()
    call("dedpul_evaluate", byref(result), byref(rows.sample()), pointer_to(rows.label), pointer_to(classes),
         byref(options), byref(pointer))
    return _take(pointer)


def evaluate_model(model, threshold, level, threads) -> Evaluation:
    """By the scores that the fit kept; `model` is the library's pointer. It gives no warnings."""
    options = _options(threshold, level, threads)
    if threshold is None:
        info = library.dedpul_model_describe(model)[0]
        if info.has_threshold and np.isnan(info.threshold):  # no row is flagged
            options.goal, options.value = info.goal, info.goal_value
        elif info.has_threshold:
            _set_goal(options, info.threshold)
    pointer = POINTER(types.dedpul_evaluation)()
    call("dedpul_model_evaluate", model, byref(options), byref(pointer))
    return _take(pointer)
