"""Frames of Polars, pyarrow and DuckDB, and those of pandas with pyarrow's types."""
import datetime
import decimal
import re
import subprocess
import sys

import numpy as np
import pytest
from conftest import SOURCE

import dedpul

pyarrow = pytest.importorskip("pyarrow")
pytest.importorskip("pyarrow.csv")
polars = pytest.importorskip("polars")
duckdb = pytest.importorskip("duckdb")
pandas = pytest.importorskip("pandas")

FAST = {"classifier": "gbdt", "folds": 3, "ensemble": 1}
N = 900


def make_table():
    """All the types that a CSV file can have without loss."""
    random = np.random.default_rng(1)
    is_positive = np.arange(N) < 2 * N // 3
    order = random.permutation(N)
    columns = {
        "label": (np.arange(N) < N // 3).astype(int),
        "size": random.normal(size=N) + 2 * is_positive,
        "half": random.normal(size=N).round(1).astype(np.float16),
        "colour": np.where(random.random(N) < 0.2 + 0.6 * is_positive, "red", "a text of more than twelve bytes"),
        "count": random.integers(-5, 50, N).astype(np.int16),
        "large": random.integers(0, 2**63, N).astype(np.uint64),
    }
    table = pyarrow.table({name: values[order] for name, values in columns.items()})
    missing = random.random(N) < 0.1
    table = table.append_column("gap", pyarrow.array(random.normal(size=N).round(3), mask=missing))
    kinds = pyarrow.array(random.choice(["a", "b", "ç"], N).tolist(), mask=missing)
    table = table.append_column("kind", kinds)
    prices = [decimal.Decimal(int(value)) / 100 for value in random.integers(0, 9999, N)]
    return table.append_column("price", pyarrow.array(prices, pyarrow.decimal128(10, 2)))


def widen(table):
    """The same numbers without halves, which not all can read."""
    return table.set_column(2, "half", table["half"].cast("float32").cast("float64"))


@pytest.fixture(scope="module")
def table():
    return make_table()


@pytest.fixture(scope="module")
def file_model(table, tmp_path_factory):
    """A model of the same values in a CSV file."""
    path = tmp_path_factory.mktemp("csv") / "table.csv"
    pyarrow.csv.write_csv(widen(table), path)
    return dedpul.fit(path, **FAST)


def saved(model, tmp_path):
    model.save(tmp_path / "saved.model")
    return (tmp_path / "saved.model").read_bytes()


FRAMES = {
    "pyarrow": lambda table: table,
    "batches": lambda table: pyarrow.Table.from_batches(table.to_batches(max_chunksize=100)),
    "reader": lambda table: table.to_reader(max_chunksize=100),
    "slice": lambda table: pyarrow.concat_tables([table.slice(0, 3), table.slice(3, 500), table.slice(503)]),
    "large texts": lambda table: table.set_column(7, "kind", table["kind"].cast(pyarrow.large_string())),
    "views": lambda table: table.set_column(3, "colour", table["colour"].cast(pyarrow.string_view())),
    "dictionary": lambda table: table.set_column(7, "kind", table["kind"].dictionary_encode()),
    "decimal256": lambda table: table.set_column(8, "price", table["price"].cast(pyarrow.decimal256(60, 2))),
    "boolean labels": lambda table: table.set_column(0, "label", table["label"].cast(pyarrow.bool_())),
    "polars": polars.from_arrow,
    "polars in chunks": lambda table: polars.from_arrow(
        pyarrow.Table.from_batches(table.to_batches(max_chunksize=100)), rechunk=False),
    "polars categories": lambda table: polars.from_arrow(table).with_columns(
        polars.col("kind").cast(polars.Categorical)),
    "polars enum": lambda table: polars.from_arrow(table).with_columns(
        polars.col("kind").cast(polars.Enum(["ç", "b", "a", "never"]))),
    "duckdb": lambda table: duckdb.from_arrow(widen(table)),
    "pandas": lambda table: table.to_pandas(),
}
if hasattr(pandas, "ArrowDtype"):
    FRAMES["pandas of Arrow"] = lambda table: table.to_pandas(types_mapper=pandas.ArrowDtype)


@pytest.mark.parametrize("name", FRAMES)
def test_same_as_file(table, file_model, tmp_path, name):
    model = dedpul.fit(FRAMES[name](table), label="label", **FAST)
    assert saved(model, tmp_path) == saved(file_model, tmp_path)


@pytest.mark.parametrize("name", FRAMES)
def test_predict(table, file_model, name):
    frame = FRAMES[name](table)
    assert (file_model.predict(frame) == dedpul.fit(table, **FAST).predict(table)).all()


def test_labels_apart(table, file_model, tmp_path):
    y = table["label"].to_numpy()
    for X in (table.drop(["label"]), polars.from_arrow(table).drop("label")):
        assert saved(dedpul.fit(X, y, **FAST), tmp_path) == saved(file_model, tmp_path)
    with pytest.raises(ValueError, match=f"y has 3 values, but X has {N}"):
        dedpul.fit(table, [1, 0, 0])


def test_classifier(table, file_model):
    y = table["label"].to_numpy()
    for X in (table.drop(["label"]), polars.from_arrow(table).drop("label"), table.drop(["label"]).to_pandas()):
        fitted = dedpul.DedpulClassifier("gbdt", cv=3, options={"ensemble": 1}).fit(X, y)
        assert (fitted.predict_proba(X)[:, 1] == file_model.predict(table)).all()
        assert fitted.n_features_in_ == 8 and fitted.feature_names_in_[0] == "size"
    with pytest.raises(ValueError, match="has no column 'size'"):
        fitted.predict(polars.from_arrow(table).drop("size"))


def test_identifiers(table, file_model, tmp_path):
    keys = 2**60 + np.arange(N)
    keyed = table.append_column("key", pyarrow.array(keys))
    for frame in (keyed, polars.from_arrow(keyed), duckdb.from_arrow(widen(keyed)), keyed.to_reader()):
        model = dedpul.fit(frame, id="key", **FAST)
        assert saved(model, tmp_path) == saved(file_model, tmp_path)
        assert (model.ids.astype(int) == keys).all()  # DuckDB's are texts


def test_numbers_by_order(blobs):
    """A model of a matrix takes the columns of a frame by their order."""
    X, y = blobs
    model = dedpul.fit(X, y, **FAST)
    frame = polars.DataFrame(X, schema=["a", "b"])
    assert (model.predict(frame) == model.predict(X)).all()
    assert (dedpul.fit(frame, y, **FAST).scores == model.scores).all()
    with pytest.raises(ValueError, match="has 1 columns; the model was fitted on a file with 2"):
        model.predict(frame[["a"]])


@pytest.mark.parametrize("column, message", [
    (pyarrow.array([datetime.date(2020, 1, 1)] * N), "'bad' is of the type 'date', which cannot be read: turn it"),
    (pyarrow.array([datetime.datetime(2020, 1, 1)] * N), "'timestamp'"),
    (pyarrow.array([[1, 2]] * N), "list', which cannot be read: make a column of each part"),
    (pyarrow.array([{"a": 1}] * N), "'struct'"),
    (pyarrow.array([b"x"] * N), "'binary"),
    (pyarrow.array([float("inf")] * N), "row 1, column 'bad': 'inf' is not finite"),
])
def test_bad_columns(table, column, message):
    bad = table.append_column("bad", column)
    for frame in (bad, polars.from_arrow(bad)):
        with pytest.raises(ValueError, match=message):
            dedpul.fit(frame, **FAST)
    assert dedpul.fit(bad, ignore="bad", **FAST).alpha == dedpul.fit(table, **FAST).alpha


def test_bad_frames(table):
    with pytest.raises(ValueError, match="X is a lazy frame: give X.collect()"):
        dedpul.fit(polars.from_arrow(table).lazy())
    with pytest.raises(ValueError, match="have no columns; give it those of a whole table"):
        dedpul.fit(table["size"])
    with pytest.raises(ValueError, match="no rows"):
        dedpul.fit(table.slice(0, 0))
    reader = table.to_reader()
    dedpul.fit(reader, **FAST)
    with pytest.raises(ValueError, match="no rows"):  # they were read
        dedpul.fit(reader, **FAST)


def test_guide(tmp_path):
    text = (SOURCE / "docs" / "guide" / "frames.md").read_text()
    blocks = re.findall(r"```python\n(.*?)```", text, re.S)
    (tmp_path / "examples").symlink_to(SOURCE / "examples")
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", "\n".join(blocks)], cwd=tmp_path,
                          capture_output=True, text=True)
    assert done.returncode == 0 and done.stdout.startswith("dedpul.Result"), done.stderr


def test_failing_stream(table):
    def batches():
        yield table.to_batches()[0]
        raise RuntimeError("the connection is lost")
    reader = pyarrow.RecordBatchReader.from_batches(table.schema, batches())
    with pytest.raises(OSError, match="cannot read the table: .*the connection is lost"):
        dedpul.fit(reader)
