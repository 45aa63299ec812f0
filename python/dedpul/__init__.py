"""Positive-unlabeled learning with DEDPUL.

There are labeled positives and unlabeled rows. What share of the unlabeled rows is positive (alpha), and
which rows are? `estimate` and `estimate_two` answer from the scores of any classifier. `fit` answers from a
table, and so does `DedpulClassifier`, with scikit-learn's conventions. `compare` asks several methods.
`metrics` tells how good a classifier is, though no negative is known. `sql` answers from scores in a database.
"""
from __future__ import annotations

from ._library import (argument_name as _argument_name, library as _c, option_form as _option_form,
                       option_infos as _option_infos, text as _text, version)
from . import metrics, sql
from ._comparison import Compared, Comparison, compare
from ._model import Drift, Model, fit, load_model
from ._result import (CheckedKind, Interval, Kind, LabelCheck, Propensities, PropensityGroup, Result, estimate,
                      estimate_two)
from ._warnings import DedpulWarning

__version__ = version
__all__ = ["CheckedKind", "Compared", "Comparison", "DedpulClassifier", "DedpulWarning", "Drift", "Interval", "Kind",
           "LabelCheck", "Model", "Propensities", "PropensityGroup", "Result", "classifiers", "compare", "estimate",
           "estimate_two", "fit", "load_model", "metrics", "options", "sql"]


def options(of_fit: bool = True) -> dict[str, str]:
    """Options by name, with their form, bounds, default and meaning; without `of_fit`, those of `estimate`.

    Examples
    --------
    >>> print(dedpul.options()["smoothing"])
    trend|paper|none [trend]: Smoothing of DEDPUL's density ratio: the paper's two steps and the trend, \
the two steps alone, or none.
    >>> print(dedpul.options()["tree_depth"])
    N from 1 to 16 [4]: Depth of boosted trees.
    """
    return {_argument_name(info): f"{_option_form(info)}: {_text(info.help)}" for info in _option_infos(of_fit)}


def classifiers() -> list[str]:
    """Names of the library's own classifiers."""
    return [_text(_c.dedpul_classifier_name(i)) for i in range(_c.dedpul_classifier_count())]


def __getattr__(name):
    """DedpulClassifier needs scikit-learn, so it is imported only when it is used."""
    if name != "DedpulClassifier":
        raise AttributeError(f"module 'dedpul' has no attribute '{name}'")
    try:
        from ._sklearn import DedpulClassifier
    except ImportError as error:
        raise ImportError(f"dedpul.DedpulClassifier needs scikit-learn ({error})") from None
    return DedpulClassifier


def __dir__():
    return sorted(set(globals()) | set(__all__))
