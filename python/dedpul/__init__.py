"""Positive-unlabeled learning with DEDPUL.

There are labeled positives and unlabeled rows. What share of the unlabeled is positive (alpha), and which
rows? From the scores of any classifier: `estimate`, `estimate_two`. From a table: `fit`, or
`DedpulClassifier` with scikit-learn's conventions. By several methods: `compare`.
"""
from __future__ import annotations

from ._library import library as _c, option_infos as _option_infos, text as _text, version
from ._model import Compared, Comparison, Model, compare, fit, load_model
from ._result import DedpulWarning, Interval, Result, estimate, estimate_two

__version__ = version
__all__ = ["Compared", "Comparison", "DedpulClassifier", "DedpulWarning", "Interval", "Model", "Result",
           "classifiers", "compare", "estimate", "estimate_two", "fit", "load_model", "options"]


def options(of_fit: bool = True) -> dict[str, str]:
    """Options by name, with their form, default and meaning; with `of_fit`, also those of a fit.

    Examples
    --------
    >>> print(dedpul.options()["smoothing"])
    trend|paper|none [trend]: Smoothing of DEDPUL's density ratio: the paper's two steps and the trend, \
the two steps alone, or none.
    """
    of_estimate, of_table = _option_infos()
    return {name.replace("-", "_"): f"{form} [{default}]: {meaning}" if default else f"{form}: {meaning}"
            for name, form, default, meaning in of_estimate + (of_table if of_fit else [])}


def classifiers() -> list[str]:
    """Names of the library's own classifiers."""
    return [_text(_c.dedpul_classifier_name(i)) for i in range(_c.dedpul_classifier_count())]


def __getattr__(name):
    """DedpulClassifier needs scikit-learn, which is imported with it only."""
    if name != "DedpulClassifier":
        raise AttributeError(f"module 'dedpul' has no attribute '{name}'")
    try:
        from ._sklearn import DedpulClassifier
    except ImportError as error:
        raise ImportError(f"dedpul.DedpulClassifier needs scikit-learn ({error})") from None
    return DedpulClassifier


def __dir__():
    return sorted(set(globals()) | set(__all__))
