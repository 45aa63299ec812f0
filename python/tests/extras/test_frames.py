"""Frames of other libraries."""
import numpy as np
import pytest

import dedpul

polars = pytest.importorskip("polars")

FAST = {"classifier": "gbdt", "folds": 3, "ensemble": 1}


def test_polars_numbers(blobs):
    X, y = blobs
    model = dedpul.fit(polars.DataFrame(X, schema=["a", "b"]), y, **FAST)
    assert np.array_equal(model.scores, dedpul.fit(X, y, **FAST).scores)
