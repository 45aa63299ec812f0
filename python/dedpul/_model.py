"""Fits of tables, and their models."""
from __future__ import annotations

import math
import os
import tempfile
import threading
from ctypes import POINTER, byref, c_char_p, c_void_p, pointer, string_at
from typing import Any, Callable, NamedTuple, Optional, Union

import numpy as np

from . import _arrays, _frames
from ._evaluation import Evaluation, Rows, evaluate_model, goal_options
from ._library import (call, encode, encode_path, free_with, library, list_options, make_options, new,
                       option_text, pointer_to, text, types, watched)
from ._names import COLUMNS, option_names, takes_all_names
from ._result import Result
from ._warnings import DedpulWarning, read_warnings, warn

Progress = Callable[[str, int, int, float], Any]


# ---- tables ----

def _matrix(X):
    """The struct, and the shape of images or None."""
    array, image = _arrays.matrix(X)
    n, width = array.shape
    single = array.dtype == np.float32
    matrix = types.dedpul_matrix(n, width)
    setattr(matrix, "f32" if single else "f64", pointer_to(array))
    matrix.array = array  # the struct borrows it
    return matrix, image


def _columns(columns):
    """The struct that says what columns are."""
    c = new("dedpul_columns")
    kinds = dict(c._fields_)
    for name, value in columns.items():
        if name not in COLUMNS:
            raise ValueError(f"columns: {name!r} is unknown; known are {', '.join(COLUMNS)}")
        is_text = kinds[name] is c_char_p
        setattr(c, name, encode(option_text(name, value)) if is_text else _arrays.whole(value, name))
    return c


def _kind_text(value):
    """A kind as the library takes it; None: the row has none."""
    if _arrays.is_missing(value):
        return None
    if isinstance(value, (float, np.floating)) and value.is_integer():
        value = int(value)
    return encode(str(value))


class Table:
    """A table of the library, from arrays, a frame or a file."""

    def __init__(self, X, y, weights, names, columns, id=None, groups=None, progress=None, kind=None, propensity=None,
                 propensity_value=None):
        self.pointer = c_void_p()
        self._ids = None
        try:
            self._make(X, y, weights, names, dict(columns or {}), id, groups, progress, kind, propensity_value)
            if propensity is not None:
                call("dedpul_table_set_propensity", self.pointer, encode(option_text("propensity", propensity)))
        except BaseException:
            library.dedpul_table_free(self.pointer)
            raise
        free_with(self, "dedpul_table_free", self.pointer)
        self.n = library.dedpul_table_rows(self.pointer)

    def _make(self, X, y, weights, names, columns, id, groups, progress, kind, propensity_value):
        if isinstance(X, (str, os.PathLike)):
            if y is not None or weights is not None or names is not None or groups is not None:
                raise ValueError("a file has its own labels, weights, names and groups; group=, label= and weight= "
                                 "name their columns")
            own = {"id": id, "kind": kind, "propensity_value": propensity_value}
            for name, column in own.items():
                if column is not None and not isinstance(column, str):
                    raise ValueError(f"{name} must name a column, since X is a file")
            c = _columns({**columns, **{name: column for name, column in own.items() if column is not None}})
            with watched(c, progress):
                call("dedpul_table_read", encode_path(X), byref(c), None, byref(self.pointer))
        elif names is None and _frames.is_frame(X):
            self._take(X, y, weights, columns, id, groups, kind, propensity_value, progress)
        elif columns:
            raise ValueError("columns= says what the columns of a file or a frame are, but X is not a file or a "
                             "frame")
        else:
            self._copy(X, y, weights, names, id, groups)
            self._set_kinds(kind)
            self._set_propensities(propensity_value)

    def _take(self, frame, y, weights, columns, id, groups, kind, propensity_value, progress):
        """Reads a frame. Labels, weights, identifiers, groups and kinds are names of its columns, or arrays."""
        if isinstance(id, str):
            columns["id"] = id
        if isinstance(kind, str):
            columns["kind"], kind = kind, None
        if isinstance(propensity_value, str):
            columns["propensity_value"], propensity_value = propensity_value, None
        if isinstance(weights, str):
            columns["weight"], weights = weights, None
        if isinstance(groups, str):
            columns["group"], groups = groups, None
        if isinstance(y, str):
            columns["label"], y = y, None
        c = _columns(columns)
        if y is not None:
            c.label = None
        ignored = {name.strip() for name in (text(c.ignore) or "").split(",")} - {""}
        names = _frames.column_names(frame)
        wanted = None if names is None else {name for name in names if name.strip() not in ignored}
        with _frames.stream_of(frame, wanted) as stream, watched(c, progress):
            call("dedpul_table_from_arrow", stream, byref(c), None, byref(self.pointer))
        self._set_rows(frame, y, weights, id, groups, kind)
        self._set_propensities(propensity_value)

    def _set_rows(self, frame, y, weights, id, groups, kind):
        """Sets what is given as arrays."""
        n = library.dedpul_table_rows(self.pointer)
        self._ids = _frames.values_of(frame, id) if isinstance(id, str) else _arrays.identifiers(id, n)
        label = library.dedpul_table_labels(self.pointer)
        if y is not None:
            y = _arrays.labels(y, "y")
            _arrays.same_length(y, n, "y", "X")
            label = pointer_to(y)
        weights = _arrays.weights(weights, n)
        if y is not None or weights is not None:
            call("dedpul_table_set_labels", self.pointer, n, label, pointer_to(weights))
        groups = _arrays.groups(groups, n)
        if groups is not None:
            call("dedpul_table_set_groups", self.pointer, pointer_to(groups))
        self._set_kinds(kind)

    def _copy(self, X, y, weights, names, id, groups):
        if y is None:
            raise ValueError("y is missing: 1 for labeled positive rows, 0 for unlabeled ones")
        if isinstance(id, str):
            raise ValueError(f"id: X has no column {id!r}, since it is an array; give one value for each row")
        if isinstance(groups, str):
            raise ValueError(f"groups: X has no column {groups!r}, since it is an array; give one value for each row")
        matrix, image = _matrix(X)
        label = _arrays.labels(y, "y")
        _arrays.same_length(label, matrix.n, "y", "X")
        self._ids = _arrays.identifiers(id, matrix.n)
        weights = _arrays.weights(weights, matrix.n)
        groups = _arrays.groups(groups, matrix.n)
        if names is not None:
            _arrays.same_length(names, matrix.width, "names", "X")
        call("dedpul_table_from_matrix", byref(matrix), pointer_to(label), pointer_to(weights), None,
             byref(self.pointer))
        if names is not None:
            texts = (c_char_p * len(names))(*(encode(str(name)) for name in names))
            call("dedpul_table_set_names", self.pointer, texts)
        if image is not None:
            call("dedpul_table_set_shape", self.pointer, *image)
        if groups is not None:
            call("dedpul_table_set_groups", self.pointer, pointer_to(groups))

    def _set_kinds(self, kind):
        """Kinds are texts or whole numbers; None, NaN and "" stand for none."""
        if kind is None:
            return
        if isinstance(kind, str) and kind == "auto":
            call("dedpul_table_find_kinds", self.pointer)
            return
        if isinstance(kind, str):
            raise ValueError(f"kind: X has no column {kind!r}, since it is an array; give one value for each row")
        values = np.asarray(kind, dtype=object).ravel()
        _arrays.same_length(values, library.dedpul_table_rows(self.pointer), "kind", "X")
        texts = (c_char_p * len(values))(*map(_kind_text, values))
        call("dedpul_table_set_kinds", self.pointer, texts)

    def _set_propensities(self, values):
        """Chances of positives to be labeled; None and NaN stand for those that are not known."""
        if values is None:
            return
        if isinstance(values, str):
            raise ValueError(f"propensity_value: X has no column {values!r}, since it is an array; give one value for "
                             "each row")
        values = _arrays.vector([math.nan if _arrays.is_missing(value) else value
                                 for value in np.asarray(values, dtype=object).ravel()], "propensity_value")
        _arrays.same_length(values, library.dedpul_table_rows(self.pointer), "propensity_value", "X")
        call("dedpul_table_set_propensity_values", self.pointer, pointer_to(values))

    def _read_ids(self):
        """Identifiers of a file, as texts; None if it has none."""
        found = library.dedpul_table_ids(self.pointer)
        if not found:
            return None
        offset = np.ctypeslib.as_array(found[0].offset, (self.n + 1,)).tolist()
        address = c_void_p.from_buffer(found[0], types.dedpul_ids.bytes.offset).value
        texts = string_at(address, offset[-1])
        return np.array([texts[begin:end].decode("utf-8", "surrogateescape")
                         for begin, end in zip(offset, offset[1:])], dtype=object)

    def rows(self, scores, result):
        """Its rows with these scores, and with the weights that they have in the result."""
        label, weights = (np.ctypeslib.as_array(pointer, (self.n,)) if pointer else None for pointer in (
            library.dedpul_table_labels(self.pointer),
            result.row_weights or library.dedpul_table_weights(self.pointer)))
        ids = self._read_ids() if self._ids is None else self._ids
        return Rows(scores, label, weights, ids).copy()


# ---- models ----

class Drift(NamedTuple):
    """A column of new rows that is not as in the unlabeled rows of the fit. Shares are of rows.

    change names the values whose share rose most, or "missing", if that changed; share_before and share are
    theirs. The means are those of numbers, NaN otherwise. distance is the share of the rows that would have to
    change. At most a share of `chance` of batches that are like the fit's rows has such a column.
    """

    column: str
    change: str
    share_before: float
    share: float
    missing_before: float
    missing: float
    out_of_range: float
    unseen: float
    mean_before: float
    mean: float
    distance: float
    chance: float

    def __str__(self) -> str:
        return f"'{self.column}' ({self.change}: {self.share_before:.1%} before, {self.share:.1%} now)"


def _read_drift(c):
    """The columns that moved; None if columns were not compared."""
    def read(drift):
        values = (getattr(drift, name) for name in Drift._fields)
        return Drift(*(text(value) if isinstance(value, bytes) else value for value in values))
    return [read(c.drifted[i][0]) for i in range(c.n_drifted)] if c.n_compared > 0 else None


def _doubts(drift, n_columns):
    if not drift:
        return []
    named = ", ".join(map(str, drift[:4])) + (f" and {len(drift) - 4} more" if len(drift) > 4 else "")
    return [DedpulWarning("drift", f"{len(drift)} of {n_columns} columns are not as in the fit: {named}")]


def _copy_array(pointer, n):
    return np.ctypeslib.as_array(pointer, (n,)).copy() if n > 0 else np.empty(0)


def _read_rows(c, want):
    """What is wanted of the rows of a prediction; posteriors by kind are a dictionary."""
    if want != "kind_posterior":
        return _copy_array(getattr(c, want), c.rows)
    by_row = _copy_array(c.kind_posterior, c.rows * c.n_kinds).reshape(c.rows, c.n_kinds)
    return {text(c.kind_names[k]): by_row[:, k].copy() for k in range(c.n_kinds)}


def predict_options(pn, threads, alpha=None, threshold=None, folds=0):
    options = new("dedpul_predict_options")
    options.folds = folds
    options.pn, options.threads = bool(pn), _arrays.whole(threads, "threads")
    if isinstance(alpha, str) and alpha == "auto":
        options.alpha_auto = True
    elif alpha is not None:
        options.alpha = _arrays.between(alpha, "alpha")
    if threshold is not None:
        options.goal = goal_options(threshold)  # the struct borrows it
        options.threshold = pointer(options.goal)
    return options


class Model:
    """A fitted model, as `fit` and `load_model` return it. It can be pickled.

    Attributes
    ----------
    result : Result or None
        The estimate of the fit; None if the model was loaded.
    scores : ndarray or None
        Cross-fitted score of each row of the fit.
    ids : ndarray or None
        Identifier of each row of the fit, if `id=` was given. `result.ids` has those of the unlabeled rows.
    info : dict
        What `dedpul show` prints about the model.
    drift : list of Drift or None
        Columns that were not as in the fit when rows were predicted or scored last, the farthest first. None
        if columns were not compared: there were fewer than 20 rows, they are images, or the model is of a
        version before 0.8.
    """

    result: Optional[Result]
    scores: Optional[np.ndarray]
    drift: Optional[list[Drift]]

    def __init__(self, pointer, result=None, scores=None):
        self._pointer = pointer
        self._lock = threading.Lock()  # a model is used by one call at a time
        self.result = result
        self.scores = scores
        self.drift = None
        free_with(self, "dedpul_model_free", pointer)

    @property
    def info(self) -> dict:
        c = library.dedpul_model_describe(self._pointer)[0]
        info = {name: getattr(c, name) for name, _ in c._fields_ if name != "size"}
        info = {name: text(value) if isinstance(value, bytes) else value for name, value in info.items()}
        info["rule"] = text(library.dedpul_rule_name(c.rule))
        info["has_pn"] = bool(c.has_pn)
        columns = [c.columns[i][0] for i in range(c.n_columns)]
        info["columns"] = {text(column.name): text(column.use) for column in columns}
        info["settings"] = dict(line.split("=", 1) for line in info["settings"].splitlines() if "=" in line)
        return info

    @property
    def ids(self) -> Optional[np.ndarray]:
        return None if self.result is None or self.result._rows is None else self.result._rows.ids

    @property
    def alpha(self) -> float:
        return library.dedpul_model_describe(self._pointer)[0].alpha

    def evaluate(self, threshold: Any = None, *, level: Optional[float] = None, threads: int = 0) -> Evaluation:
        """How good the model is, by the cross-fitted scores of its fit, which it keeps: as `dedpul evaluate MODEL`.

        threshold is as in `dedpul.metrics.evaluate`; by default it is the model's, if it has one, or flags the
        rows that are more likely positive than not.
        """
        with self._lock:
            evaluation = evaluate_model(self._pointer, threshold, level, threads)
        warn(evaluation.warnings, 3)
        return evaluation

    def _call(self, function, options, progress, *arguments, want=None):
        """Predicts by a function of the library; returns the rows, or what is wanted of them, and warnings."""
        found = POINTER(types.dedpul_prediction)()
        with self._lock, watched(options, progress):
            call(function, self._pointer, *arguments, byref(found))
        try:
            c = found[0]
            self.drift = drift = _read_drift(c)
            rows = c.rows if want is None else _read_rows(c, want)
            return rows, _doubts(drift, c.n_compared) + read_warnings(c.n_warnings, c.warnings)
        finally:
            library.dedpul_prediction_free(found)

    def _predict(self, X, want, options, progress):
        own = list(self.info["columns"])
        is_named = own != [str(i + 1) for i in range(len(own))]
        if _frames.is_frame(X) and not (is_named and _frames.is_pandas(X) and _frames.column_names(X) is None):
            with _frames.stream_of(X, own if is_named else None) as stream:
                return self._call("dedpul_model_predict_arrow", options, progress, stream, byref(options), want=want)
        matrix, _ = _matrix(X)
        if want == "kind_posterior":
            return self._call("dedpul_model_predict", options, progress, byref(matrix), byref(options), None, None,
                              want=want)
        out = np.empty(matrix.n)
        outputs = (pointer_to(out), None) if want == "score" else (None, pointer_to(out))
        warnings = self._call("dedpul_model_predict", options, progress, byref(matrix), byref(options),
                              *outputs)[1]
        return out, warnings

    def predict(self, X: Any, *, alpha: Union[float, str, None] = None, pn: bool = False, threads: int = 0,
                progress: Optional[Progress] = None) -> np.ndarray:
        """Posterior of each row: the probability that it is positive, as one among the unlabeled.

        Columns of a frame are found by name, others by their order. `alpha` is the share of positives among
        these rows, if it is not that of the fit; "auto" estimates it from their scores. With `pn=True`, the
        classifier of positives against negatives answers; the model must have been fitted with `pn=True`. If
        columns or the share are not as in the fit, there is a warning, and `drift` has the columns.
        """
        out, warnings = self._predict(X, "posterior", predict_options(pn, threads, alpha), progress)
        warn(warnings, 2)
        return out

    def predict_kinds(self, X: Any, *, alpha: Union[float, str, None] = None, pn: bool = False, threads: int = 0,
                      progress: Optional[Progress] = None) -> dict[str, np.ndarray]:
        """Posteriors by kind: the probability of each row that it is positive and of this kind.

        They add up to what `predict` returns, whose parameters these are. A model that was fitted without
        `kind=`, or for which kind="auto" used none, has none: the dictionary is empty.
        """
        out, warnings = self._predict(X, "kind_posterior", predict_options(pn, threads, alpha), progress)
        warn(warnings, 2)
        return out

    def score(self, X: Any, *, pn: bool = False, threads: int = 0,
              progress: Optional[Progress] = None) -> np.ndarray:
        """Score of each row: high if it looks labeled rather than unlabeled."""
        out, warnings = self._predict(X, "score", predict_options(pn, threads), progress)
        warn(warnings, 2)
        return out

    def predict_file(self, path: Any, out: Any, *, alpha: Union[float, str, None] = None, threshold: Any = None,
                     pn: bool = False, threads: int = 0, decimal: Optional[str] = None, header: str = "yes",
                     id: Optional[str] = None, progress: Optional[Progress] = None) -> int:
        """Writes row,score,posterior of each row of a file to `out`, as `dedpul predict`; returns the rows.

        threshold is as in `evaluate`, but ("top", 500) and ("share", 0.1) are of these rows. If there is one, a
        column `positive` follows: 1 for rows of at least its score, or 0. `decimal` is the decimal sign of the
        file's numbers, if it is not to be found from its first rows; `header="no"` says that its first line is
        data. `id` names the file's column of identifiers, which then begins each row of `out`. The posteriors of
        kinds, if the model has some, end each row.
        """
        options = predict_options(pn, threads, alpha, threshold)
        options.decimal = None if decimal is None else encode(decimal)
        options.header = encode(header)
        options.id = None if id is None else encode(id)
        rows, warnings = self._call("dedpul_model_predict_file", options, progress, encode_path(path),
                                    byref(options), encode_path(out))
        warn(warnings, 2)
        return rows

    def save(self, path: Any) -> None:
        """Writes the model file that `dedpul predict` and `load_model` read."""
        with self._lock:
            call("dedpul_model_save", self._pointer, encode_path(path))

    def __repr__(self) -> str:
        info = self.info
        return (f"dedpul.Model\n  alpha     {info['alpha']:.4f}\n  scores    {info['classifier']}, "
                f"{info['n_members']} models on {info['n_features']} features\n  fitted on "
                f"{info['n_positive']} labeled and {info['n_unlabeled']} unlabeled rows")

    def to_bytes(self) -> bytes:
        """What `save` writes into a file."""
        with tempfile.TemporaryDirectory() as directory:
            path = os.path.join(directory, "model")
            self.save(path)
            with open(path, "rb") as file:
                return file.read()

    def __getstate__(self):
        return {"model": self.to_bytes(), "result": self.result, "scores": self.scores}

    def __setstate__(self, state):
        self.__init__(_from_bytes(state["model"]), state["result"], state["scores"])


def _from_bytes(data):
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "model")
        with open(path, "wb") as file:
            file.write(data)
        return _load(path)


def model_from_bytes(data):
    return Model(_from_bytes(data))


def _load(path):
    pointer = c_void_p()
    call("dedpul_model_load", encode_path(path), None, None, byref(pointer))
    return pointer


def load_model(path: Any) -> Model:
    """Reads a model file of `Model.save` or of `dedpul fit --model`. Load only files that you trust."""
    return Model(_load(path))


def fit_table(table, progress, options):
    """Does what `fit` does, but gives no warnings."""
    c = make_options(options, True)
    model, result = c_void_p(), POINTER(types.dedpul_result)()
    scores = np.empty(table.n)
    with watched(c, progress):
        call("dedpul_fit", table.pointer, byref(c), byref(model), byref(result), pointer_to(scores))
    return Model(model, Result(result, table.rows(scores, result[0])), scores)


@takes_all_names(option_names(of_fit=True), of_file=True)
@list_options(of_fit=True, without=["interval"])
def fit(X: Any, y: Any = None, *, weights: Any = None, groups: Any = None, names: Any = None,
        columns: Optional[dict] = None, id: Any = None, kind: Any = None, propensity: Any = None,
        propensity_value: Any = None, interval: Union[bool, str] = False, progress: Optional[Progress] = None,
        **options: Any) -> Model:
    """Trains a classifier with cross-fitting and estimates alpha and posteriors from its scores.

    Parameters
    ----------
    X : array of shape (n, features), array of images, data frame, or path
        An array has numbers; NaN is a missing one. Images have 3 or 4 dimensions. A frame of pandas, or one that
        has `__arrow_c_stream__` (Polars, pyarrow, DuckDB), may have texts, categories and missing values. So may
        a file that `dedpul fit` reads, which a path names.
    y : array of shape (n,), or name of a frame's column
        1 (labeled positive) and 0 or -1 (unlabeled), or True and False; a column may have any words that
        `positive=` explains. A frame's column is called "label" by default. A file has its own labels.
    weights : array of shape (n,), or name of a frame's column, optional
        A weight has the meaning of a count of rows.
    groups : array of shape (n,) or str, optional
        Which patient, site or document a row is of, by numbers or texts: rows of one stay in one fold, so that
        none is scored by models that have learned from its group. A missing value (NaN, None) is a group by
        itself. A text names a column of a frame, which is then no feature.
    names : list of str, optional
        Names of the columns of an array.
    columns : dict, optional
        What the columns of a file or a frame are: label, weight, id, group, kind, propensity, propensity_value,
        positive, ignore, most_levels, labels, shape, decimal, categorical, as the command's options;
        {"header": "no"} is the command's --no-header. Each can be an argument, too: `fit(frame, label="bought")`.
    id : str or array of shape (n,), optional
        The column of a file or frame that has the identifiers of rows, or the identifiers themselves. They are
        kept, and are no feature: `Model.ids`, and `Result.ids` of unlabeled rows.
    kind : array of shape (n,), or str for a file or a frame, optional
        Kinds of the labeled rows (subtype, source, site), which may have been labeled at different rates:
        texts or whole numbers, and None, NaN or "" for unlabeled rows. `result.kinds` has the share of each.
        For a file or a frame, the name of their column. "auto" finds kinds among the labeled rows; there are none
        if the labels may be a random draw of the positives. It does not go with groups.
    propensity : str or list of str, optional
        Names of columns on which the chance of a positive to be labeled depends (region, year). That chance is
        estimated, and labeled rows are weighted accordingly; `result.propensities` has it. The columns stay
        features; those of an array are called as `names` says, or "1", "2", ... They do not go with `kind`.
    propensity_value : array of shape (n,), or str for a file or a frame, optional
        That chance, if it is known (rates of inspection): above 0 and at most 1 in labeled rows; in the others
        it may be missing. For a file or a frame, the name of its column, which is then no feature.
    interval : bool or "bootstrap"
        Give alpha an interval: from its distribution if the method knows it, as "pooled" does; otherwise, or
        with "bootstrap", by resamples of the rows, 200 or as many as `resamples=` says.
    progress : callable, optional
        Called as progress(stage, step, steps, loss). If it raises, the fit ends. Ctrl-C ends it, too. The
        stages are "read" (bytes of a file; steps is 0 if its size is not known), "encode" (columns), and those
        of training, whose steps are epochs or rounds; the first two have no loss (NaN).
    **options
        Any option of `dedpul fit`, with _ for -. `dedpul.options()` lists them.

    Returns
    -------
    Model
        With `result` and `scores`.

    Examples
    --------
    >>> import numpy as np, dedpul
    >>> random = np.random.default_rng(0)
    >>> X = random.normal(size=(600, 2)) + 3 * (np.arange(600) < 400)[:, None]
    >>> y = (np.arange(600) < 200).astype(int)
    >>> model = dedpul.fit(X, y, classifier="gbdt", folds=3, ensemble=1)
    >>> abs(model.alpha - 0.5) < 0.1
    True
    >>> model.predict([[3, 3], [0, 0]]).round() + 0.0
    array([1., 0.])
    """
    table = Table(X, y, weights, names, columns, id, groups, progress, kind, propensity, propensity_value)
    model = fit_table(table, progress, {**options, "interval": interval})
    warn(model.result.warnings, 3)
    return model
