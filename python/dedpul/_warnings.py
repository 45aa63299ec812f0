"""Doubts of the library, as Python's warnings."""
from __future__ import annotations

import warnings as python_warnings

from ._library import text


class DedpulWarning(UserWarning):
    """A doubt about an estimate. `code` is its short name, such as "trivial_root"."""

    def __init__(self, code: str, message: str):
        super().__init__(code, message)
        self.code = code
        self.message = message

    def __str__(self) -> str:
        return f"{self.code}: {self.message}"


def read_warnings(n, warnings):
    return [DedpulWarning(text(warnings[i].name), text(warnings[i].message)) for i in range(n)]


def warn(warnings, stacklevel):
    for warning in warnings:
        python_warnings.warn(warning, stacklevel=stacklevel + 1)
