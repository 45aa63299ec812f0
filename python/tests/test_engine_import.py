"""Without Dask or Spark, what is missing is named, and all else works."""
import sys

import pytest

import dedpul


@pytest.mark.parametrize("module, missing, advice", [("dask", "dask", r"pip install 'dask\[dataframe,distributed\]'"),
                                                     ("spark", "pyspark", "pip install pyspark pyarrow pandas")])
def test_missing_engine(monkeypatch, module, missing, advice):
    monkeypatch.setitem(sys.modules, missing, None)  # its import fails
    monkeypatch.delitem(sys.modules, f"dedpul.{module}", raising=False)
    with pytest.raises(ImportError, match=f"dedpul.{module} needs .*{advice}"):
        __import__(f"dedpul.{module}")
    assert dedpul.estimate_two([0.6, 0.9], [0.1, 0.8], alpha=0.5).alpha == 0.5
