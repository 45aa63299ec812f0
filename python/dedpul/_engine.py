"""What `dedpul.spark` and `dedpul.dask` share: all but how an engine runs a task on each partition of a frame.

Training needs a sample, an estimate needs bins of scores, and a score needs its row alone. So workers count,
sample, score and bin, and the driver fits a sample and estimates from bins. A task depends on nothing but its
partition, its number and the model: if a worker is lost, the engine runs the task again, with the same answer.
"""
from __future__ import annotations

import logging
import os
import threading
from contextlib import contextmanager
from ctypes import POINTER, byref
from dataclasses import dataclass
from typing import Any, Iterable, NamedTuple, Optional, Protocol

import numpy as np

from . import _arrays
from ._bins import Bins, bin_rows, merge, weighted_rows
from ._evaluation import Rows
from ._frames import is_pandas
from ._library import call, constants, library, make_options, pointer_to, text, types
from ._model import Model, Table, fit_table, load_model, model_from_bytes, predict_options
from ._result import Result, estimate_rows, evaluate_result
from ._warnings import warn

log = logging.getLogger("dedpul")

SAMPLE = 100_000   # rows of each label that a fit gets
BATCH = 1 << 16    # rows that are scored at a time


class Task(Protocol):
    """What is done with a partition, on a worker. The answer can be pickled."""

    def __call__(self, parts: Iterable[Any], number: int, model: Optional[bytes]) -> Any: ...


class Engine(Protocol):
    def columns(self, frame: Any) -> list[str]: ...

    def run(self, frame: Any, columns: list[str], task: Task, model: Optional[bytes] = None) -> list:
        """The answers, in the order of the partitions."""

    def run_bins(self, frame: Any, columns: list[str], task: Task, model: Optional[bytes] = None) -> Binned:
        """The answers, which are `Binned`, as one. They are joined in the order of the partitions."""


# ---- parts of a frame: of pandas, or tables of pyarrow ----

def _names(part):
    return list(part.columns) if is_pandas(part) else part.column_names


def _values(part, name):
    return part[name].to_numpy() if is_pandas(part) else part.column(name).to_numpy()


def _rows(part, chosen):
    return part[chosen] if is_pandas(part) else part.filter(chosen)


def _columns(part, names):
    return part[names] if is_pandas(part) else part.select(names)


@contextmanager
def _named(number):
    """Errors say which partition it is."""
    try:
        yield
    except ValueError as error:
        raise ValueError(f"partition {number} (from 0): {error}") from None


def _check_part(part, names):
    missing = [name for name in names if name not in _names(part)]
    if missing:
        raise ValueError(f"there is no column {missing[0]!r}")


def _labels(part, name):
    return _arrays.labels(_values(part, name), f"column {name!r}")


def _weights(part, name):
    """None if there is no such column."""
    if name is None:
        return None
    weights = _arrays.vector(_values(part, name), f"column {name!r}")
    wrong = ~((weights >= 0) & (weights < np.inf))
    if wrong.any():
        raise ValueError(f"{np.count_nonzero(wrong)} values of column {name!r} are no weights, such as {weights[wrong][0]:g}")
    return weights


def _taken(names):
    """The names that are given."""
    return [name for name in names if name is not None]


# ---- models on workers ----

_of_thread = threading.local()  # a model is used by one call at a time


def _model_of(data):
    """The model, which a thread keeps until it gets another one."""
    if getattr(_of_thread, "data", None) != data:
        _of_thread.model = model_from_bytes(data)
        _of_thread.data = data
    return _of_thread.model


def _apply(model, part, want, pn=False, alpha=None, folds=0):
    """Scores or posteriors. One thread does it: an engine has a task for each core."""
    if len(part) == 0:
        return np.empty(0)
    _check_part(part, list(model.info["columns"]))
    return model._predict(_columns(part, list(model.info["columns"])), want,
                          predict_options(pn, 1, alpha, folds=folds), None)[0]


# ---- tasks ----

@dataclass
class Sampling:
    """Which rows a fit gets. It is drawn by a row's place: the same whenever a partition is computed again."""

    seed: int
    rates: tuple[float, float]  # of unlabeled and of labeled rows

    def chosen(self, labels, number, first):
        """Which rows of a part, whose first row has this place in its partition."""
        place = np.arange(first, first + len(labels), dtype=np.uint64)
        key = _mix(place + _mix(np.array([number], np.uint64) + _mix(np.array([self.seed], np.uint64))))
        return (key >> np.uint64(11)) * 2.0**-53 < np.where(labels == 1, self.rates[1], self.rates[0])


def _mix(values):
    """SplitMix64."""
    values = values + np.uint64(0x9E3779B97F4A7C15)
    values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return values ^ (values >> np.uint64(31))


def _checksum(part):
    """Does not depend on the order of the rows."""
    from pandas.util import hash_pandas_object
    frame = part if is_pandas(part) else part.to_pandas()
    return int(hash_pandas_object(frame, index=False).to_numpy().sum(dtype=np.uint64))


@dataclass
class CountLabels:
    label: str

    def __call__(self, parts, number, model):
        counts = np.zeros(2, np.int64)
        with _named(number):
            for part in parts:
                _check_part(part, [self.label])
                counts += np.bincount(_labels(part, self.label), minlength=2)
        return counts


class Sample(NamedTuple):
    parts: list
    labels: np.ndarray
    weights: np.ndarray  # none, if the frame has none
    checksum: int


@dataclass
class DrawSample:
    label: str
    weight: Optional[str]
    features: list[str]
    sampling: Sampling

    def __call__(self, parts, number, model):
        drawn, drawn_labels, drawn_weights, checksum, first = [], [np.empty(0, np.uint8)], [np.empty(0)], 0, 0
        with _named(number):
            for part in parts:
                _check_part(part, [*_taken([self.label, self.weight]), *self.features])
                labels = _labels(part, self.label)
                weights = _weights(part, self.weight)
                chosen = self.sampling.chosen(labels, number, first)
                first += len(labels)
                drawn.append(_rows(_columns(part, self.features), chosen))
                drawn_labels.append(labels[chosen])
                drawn_weights.append(np.empty(0) if weights is None else weights[chosen])
                checksum += _checksum(drawn[-1])
        return Sample(drawn, np.concatenate(drawn_labels), np.concatenate(drawn_weights), checksum % 2**64)


class Binned(NamedTuple):
    """Bins, and what of the rows was left out of them because the fit had it."""

    bins: Bins
    checksum: int = 0


def join_bins(parts: Iterable[Binned]) -> Binned:
    parts = list(parts)
    return Binned(merge(part.bins for part in parts), sum(part.checksum for part in parts) % 2**64)


@dataclass
class BinRows:
    """Bins of a column of scores or, if there is none, of the model's; without rows that its fit had."""

    label: str
    weight: Optional[str] = None
    truth: Optional[str] = None
    score: Optional[str] = None
    features: Optional[list[str]] = None
    sampling: Optional[Sampling] = None

    def __call__(self, parts, number, model):
        found, first = [Binned(self._bins(np.empty(0), np.empty(0, np.uint8), None, np.empty(0)))], 0
        with _named(number):
            for part in parts:
                _check_part(part, _taken([self.label, self.weight, self.truth, self.score]))
                labels, checksum = _labels(part, self.label), 0
                if self.sampling is not None:
                    _check_part(part, self.features)
                    chosen = self.sampling.chosen(labels, number, first)
                    checksum = _checksum(_rows(_columns(part, self.features), chosen))
                    first += len(labels)
                    part, labels = _rows(part, ~chosen), labels[~chosen]
                scores = _scores(part, self.score) if model is None else self._by_model(part, _model_of(model))
                truth = None if self.truth is None else _values(part, self.truth)
                found.append(Binned(self._bins(scores, labels, _weights(part, self.weight), truth), checksum))
        return join_bins(found)

    def _bins(self, scores, labels, weights, truth):
        if self.truth is None:
            return bin_rows(scores, labels, weights)
        return bin_rows(scores, labels, weights,
                        truth=_arrays.classes(truth, len(labels), constants["DEDPUL_TRUTH_UNKNOWN"], f"column {self.truth!r}"))

    def _by_model(self, part, model):
        # Cross-fitted scores of the sample are by some of the members. Those of the other rows must be, too: a mean of
        # more members is another score, and alpha is wrong if a label has more of one kind.
        folds = 0 if self.sampling is None else int(model.info["settings"]["folds"])
        return _apply(model, part, "score", folds=folds)


def _scores(part, name):
    scores = _arrays.vector(_values(part, name), f"column {name!r}")
    outside = ~((scores >= 0) & (scores <= 1))
    if outside.any():
        raise ValueError(f"{np.count_nonzero(outside)} values of column {name!r} are not scores from 0 to 1, such as "
                         f"{scores[outside][0]:g}")
    return scores


@dataclass
class AddColumn:
    """Scores or posteriors of rows, as another column."""

    want: str
    into: str
    keep: list[str]
    pn: bool = False
    alpha: Optional[float] = None

    def __call__(self, part, number, model):
        with _named(number):
            _check_part(part, self.keep)
            values = _apply(_model_of(model), part, self.want, self.pn, self.alpha)
            part = _columns(part, self.keep)
            return part.assign(**{self.into: values}) if is_pandas(part) else part.append_column(self.into, [values])


# ---- verbs ----

def plan_column(engine: Engine, model: Any, frame: Any, want: str, into: str, keep: Optional[list[str]], pn: bool,
                alpha: Optional[float] = None) -> tuple[AddColumn, list[str], bytes]:
    """What `score` and `predict` do, with the columns that are needed, and the model."""
    if isinstance(alpha, str):
        raise ValueError("alpha must be a number: a worker sees a partition at a time. estimate(...).alpha is that of a "
                         "frame with scores")
    if isinstance(model, (str, os.PathLike)):
        model = load_model(model)
    names = engine.columns(frame)
    keep = names if keep is None else list(keep)
    _check_frame(names, [*model.info["columns"], *keep])
    if into in keep:
        raise ValueError(f"the frame has a column {into!r} already; name that of the answers by into=")
    needed = [name for name in names if name in keep or name in model.info["columns"]]
    return AddColumn(want, into, keep, pn, alpha), needed, model.to_bytes()


def _check_frame(names, needed):
    for name in needed:
        if name not in names:
            raise ValueError(f"the frame has no column {name!r}; its columns are {', '.join(map(repr, names))}")


def _counted(bins, label):
    """The bins as weighted rows, if there are enough of them."""
    _check_counts(bins.unlabeled.sum(), bins.positive.sum(), label)
    return weighted_rows(bins)


def _check_counts(n_unlabeled, n_positive, label):
    if n_unlabeled + n_positive == 0:
        raise ValueError("the frame has no rows")
    for n, what in ((n_positive, "labeled rows (1 or true)"), (n_unlabeled, "unlabeled rows (0, -1 or false)")):
        if n == 0:
            raise ValueError(f"the frame has no {what}, by its column {label!r}")


def fit(engine: Engine, frame: Any, label: str, weight: Optional[str], features: Optional[list[str]], sample: int,
        options: dict) -> Model:
    names = engine.columns(frame)
    own = _taken([label, weight])
    features = [name for name in names if name not in own] if features is None else list(features)
    needed = [*own, *features]
    _check_frame(names, needed)
    for name, what in zip(own, ("labels", "weights")):
        if needed.count(name) > 1:
            raise ValueError(f"the column {name!r} of {what} is among the features")
    if _arrays.whole(sample, "sample") < 2:
        raise ValueError("sample must be 2 or more")
    of_fit = make_options(options, True)
    _check_method(text(of_fit.method))
    if of_fit.check_labels:
        raise ValueError("check_labels looks at the features of all rows, so it cannot be used here: check a sample of the "
                         "rows with dedpul.fit")
    counts = sum(engine.run(frame, [label], CountLabels(label)), np.zeros(2, np.int64))
    _check_counts(*counts, label)
    seed = _arrays.whole(options.get("seed", 0), "seed")
    sampling = Sampling(seed, tuple(min(1.0, sample / n) for n in counts.tolist()))
    log.info("dedpul: %d labeled and %d unlabeled rows; shares of %.3g and %.3g of them are fitted", counts[1], counts[0],
             *sampling.rates[::-1])
    drawn = engine.run(frame, needed, DrawSample(label, weight, features, sampling))
    labels = np.concatenate([part.labels for part in drawn])
    weights = None if weight is None else np.concatenate([part.weights for part in drawn])
    model = fit_table(Table(_concatenate([part for one in drawn for part in one.parts]), labels, weights, None, None), None,
                      {**options, "interval": False})
    log.info("dedpul: alpha of the sample is %.4f", model.alpha)
    others = engine.run_bins(frame, needed, BinRows(label, weight, features=features, sampling=sampling), model.to_bytes())
    if others.checksum != sum(part.checksum for part in drawn) % 2**64:
        raise ValueError("the frame does not have the same rows in the same order whenever it is computed, so the rows of "
                         "the sample could not be told from the others: write it to a file (Parquet), and fit that")
    _set_estimate(model, weighted_rows(merge([others.bins, bin_rows(model.scores, labels, weights)])), options)
    log.info("dedpul: alpha of all rows is %.4f", model.alpha)
    warn(model.result.warnings, 4)
    return model


def _check_method(method):
    for i in range(library.dedpul_method_count()):
        if text(library.dedpul_method_name(i)) == method and library.dedpul_method_needs_table(i):
            raise ValueError(f"method {method} looks at the features of all rows, so it cannot be used here: fit a sample of "
                             "the rows with dedpul.fit, or choose another method")


def _concatenate(parts):
    if is_pandas(parts[0]):
        from pandas import concat
        return concat(parts, ignore_index=True)
    from pyarrow import concat_tables
    return concat_tables(parts)


def _set_estimate(model, rows, options):
    """Makes the model's estimate again, from these rows."""
    pointer = POINTER(types.dedpul_result)()
    c, squares = make_options(options, True), rows.squares
    c.squares = pointer_to(squares)
    rows = Rows(rows.scores, _arrays.labels(rows.labels), rows.weights)
    call("dedpul_model_estimate", model._pointer, byref(rows.sample()), pointer_to(rows.label), byref(c), byref(pointer))
    of_sample, model.result = model.result, Result(pointer, rows)
    of_table = [warning for warning in of_sample.warnings if warning.code in _OF_TABLES]
    known = [warning.code for warning in of_table]
    model.result.warnings = of_table + [warning for warning in model.result.warnings if warning.code not in known]


# Warnings of a fit that are about its table or its training, not about its scores.
_OF_TABLES = ("perfect_scores", "dropped_columns", "slow_networks", "more_columns_than_rows", "no_negatives",
              "numbers_as_text", "repeated_rows", "epoch_limit", "decimal_commas", "row_numbers", "leaking_column")


def estimate(engine: Engine, frame: Any, label: str, score: str, weight: Optional[str], options: dict) -> Result:
    needed = _taken([label, weight, score])
    _check_frame(engine.columns(frame), needed)
    rows = _counted(engine.run_bins(frame, needed, BinRows(label, weight, score=score)).bins, label)
    result = estimate_rows(*rows[:3], options, squares=rows.squares)
    warn(result.warnings, 4)
    return result


def evaluate(engine: Engine, frame: Any, label: str, score: Optional[str], weight: Optional[str], truth: Optional[str],
             model: Any, threshold: Any, level: Optional[float], options: dict):
    if (score is None) == (model is None):
        raise ValueError("give either score=, a column of the frame, or model=, whose scores are evaluated")
    if isinstance(model, (str, os.PathLike)):
        model = load_model(model)
    needed = list(dict.fromkeys([*_taken([label, weight, truth, score]), *([] if model is None else model.info["columns"])]))
    _check_frame(engine.columns(frame), needed)
    binned = engine.run_bins(frame, needed, BinRows(label, weight, truth, score), None if model is None else model.to_bytes())
    rows = _counted(binned.bins, label)
    result = estimate_rows(*rows[:3], options, squares=rows.squares)
    evaluation = evaluate_result(result, threshold, rows.truth, level)
    warn(evaluation.warnings, 4)
    return evaluation
