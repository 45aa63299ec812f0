"""Comparisons of methods, and of classifiers."""
from __future__ import annotations

import html
from ctypes import POINTER, byref
from typing import Any, NamedTuple, Optional

from . import _frames
from ._evaluation import Range, read_fields
from ._library import call, encode, library, make_options, text, types, watched
from ._model import Progress, Table
from ._names import option_names, takes_all_names
from ._result import LabelCheck, read_label_check
from ._warnings import DedpulWarning, read_warnings, warn


class Compared(NamedTuple):
    """What one method says about the scores of one classifier.

    auc (of positives against negatives), average_precision and precision (of the rows that are more likely
    positive than not) are estimates; their values are NaN if the method trains networks of its own or alpha is
    0 or 1, and their ranges if the method does not know alpha's distribution. auc_unlabeled is that of labeled
    against unlabeled rows. is_reference marks the default method, or the classifier with the highest AUC;
    differs, that alpha differs from the reference's by more than the uncertainty of both, or that a
    classifier's AUC is lower by more than chance, whose probability is `chance`.
    """

    method: str
    alpha: float
    low: float
    high: float
    seconds: float
    differs: bool
    note: str
    classifier: str
    auc: Range
    average_precision: Range
    precision: Range
    auc_unlabeled: float
    chance: float
    is_reference: bool


def _entries(n, pointers):
    for i in range(n):
        entry = read_fields(Compared, pointers[i][0])
        yield entry._replace(method=text(entry.method), classifier=text(entry.classifier),
                             note=text(entry.note) or "", differs=bool(entry.differs),
                             is_reference=bool(entry.is_reference))


def _number(value):
    return f"{value:.4f}" if value == value else "-"


def _interval(low, high):
    return f"{low:.4f} to {high:.4f}" if low == low else ""


class Comparison:
    """Several methods on the same rows and scores, or several classifiers; `comparison["bbe"]` is one of them.

    Attributes
    ----------
    methods, classifiers : list of Compared
        One of them is empty.
    classifier : str
        The one that gave the scores, or None if classifiers are compared.
    auc, seconds : float
        AUC of labeled against unlabeled scores, and the time that the scores took, if all have the same.
    alpha, alpha_of : float, str
        The alpha for which classifiers are evaluated, and the classifier that it is from.
    best : Compared
        The classifier with the highest AUC; None if methods are compared, or if none has any.
    n_positive, n_unlabeled : int
    warnings : list of DedpulWarning
    label_check : LabelCheck
        Whether labeled rows may be a random draw, with `check_labels=True`; else None.
    """

    methods: list[Compared]
    classifiers: list[Compared]
    warnings: list[DedpulWarning]
    label_check: Optional[LabelCheck]

    def __init__(self, c):
        self.methods = list(_entries(c.n_methods, c.methods))
        self.classifiers = list(_entries(c.n_classifiers, c.classifiers))
        self.best = next((entry for entry in self.classifiers if entry.is_reference), None)
        self.classifier = text(c.classifier)
        self.auc, self.seconds = c.auc, c.seconds
        self.alpha, self.alpha_of = c.alpha, text(c.alpha_of)
        self.n_positive, self.n_unlabeled = c.n_positive, c.n_unlabeled
        self.warnings = read_warnings(c.n_warnings, c.warnings)
        self.label_check = read_label_check(c.label_check)

    def __getitem__(self, name: str) -> Compared:
        for entry in self.methods + self.classifiers:
            if name == (entry.classifier if self.classifiers else entry.method):
                return entry
        raise KeyError(name)

    def to_frame(self) -> Any:
        """A data frame with a row for each method or classifier. A range has three columns, such as auc_low."""
        columns = {}
        for entry in self.methods + self.classifiers:
            for name, value in entry._asdict().items():
                values = zip(("", "_low", "_high"), value) if isinstance(value, Range) else [("", value)]
                for end, number in values:
                    columns.setdefault(name + end, []).append(number)
        return _frames.make_frame(columns)

    def _heads(self):
        measures = ["AUC", "range", "av. precision"] if self.classifiers else ["AUC"]
        first = "classifier" if self.classifiers else "method"
        return [first, "alpha", "interval", *measures, "precision", "seconds", "note"]

    def _cells(self):
        for entry in self.methods + self.classifiers:
            name, mark, measures = entry.method, "differs", [_number(entry.auc.value)]
            if self.classifiers:
                name, mark = entry.classifier, "lower"
                measures += [_interval(entry.auc.low, entry.auc.high), _number(entry.average_precision.value)]
            marks = ["highest AUC" if entry is self.best else "", mark if entry.differs else "", entry.note]
            yield [name, _number(entry.alpha), _interval(entry.low, entry.high), *measures,
                   _number(entry.precision.value), f"{entry.seconds:.2f}", ", ".join(filter(None, marks))]

    def __repr__(self) -> str:
        rows = [self._heads(), *self._cells()]
        widths = [max(len(cell) for cell in column) for column in zip(*rows)]
        lines = ["  " + "  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows]
        if self.label_check is not None:
            lines.append(f"  labels    p = {self.label_check.p_value:.2g} by the check of labels")
        return "\n".join(["dedpul.Comparison", *lines])

    def _repr_html_(self) -> str:
        def row(tag, cells):
            return "<tr>" + "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in cells) + "</tr>"
        return f"<table>{row('th', self._heads())}{''.join(row('td', cells) for cells in self._cells())}</table>"


def _names(value):
    return encode(value if isinstance(value, str) else ",".join(value))


@takes_all_names(option_names(of_fit=True), of_file=True)
def compare(X: Any, y: Any = None, *, methods: Any = None, classifiers: Any = None, weights: Any = None,
            groups: Any = None, names: Any = None, columns: Optional[dict] = None, kind: Any = None,
            progress: Optional[Progress] = None, **options: Any) -> Comparison:
    """Estimates alpha by several methods on the same rows, or compares classifiers, as `dedpul compare`.

    `methods` is "all" (the default), "fast" (without those that train networks of their own), a name or a list
    of names. With `classifiers`, which is "all", a name or a list of names, these are compared by the method
    of the option `method`: how well they tell positives from negatives, although no negatives are known. The
    other parameters are those of `fit`. Alphas have intervals if their methods do; with
    `interval="bootstrap"`, all of these are by resamples of the rows.

    Examples
    --------
    >>> import numpy as np, dedpul
    >>> random = np.random.default_rng(0)
    >>> X = random.normal(size=(600, 2)) + 3 * (np.arange(600) < 400)[:, None]
    >>> y = np.arange(600) < 200
    >>> found = dedpul.compare(X, y, methods=["learned", "bbe"], classifier="gbdt")
    >>> [m.method for m in found.methods]
    ['learned', 'bbe']
    >>> abs(found["bbe"].alpha - 0.5) < 0.1
    True
    >>> found = dedpul.compare(X, y, classifiers=["gbdt", "logistic"])
    >>> found.best.auc.value > 0.95
    True
    """
    if classifiers is not None and methods is not None:
        raise ValueError("methods= does not go with classifiers=, which are compared by one: method=")
    if classifiers is not None and options.get("classifier") is not None:
        raise ValueError("classifier= does not go with classifiers=: leave it out")
    if classifiers is None and options.get("method") is not None:
        raise ValueError("method= goes with classifiers=; methods= names those to compare")
    table = Table(X, y, weights, names, columns, groups=groups, progress=progress, kind=kind)
    c = make_options(options, True)
    pointer = POINTER(types.dedpul_comparison)()
    function, wanted = "dedpul_compare_classifiers", classifiers
    if classifiers is None:
        function, wanted = "dedpul_compare", "all" if methods is None else methods
    with watched(c, progress):
        call(function, table.pointer, byref(c), _names(wanted), byref(pointer))
    try:
        comparison = Comparison(pointer[0])
    finally:
        library.dedpul_comparison_free(pointer)
    warn(comparison.warnings, 3)
    return comparison
