"""Frames of pandas: texts, categories and missing values go straight into the library."""
import datetime
from decimal import Decimal

import numpy as np
import pytest

import dedpul
from dedpul import _frames
from dedpul._model import Table
from conftest import SOURCE

pandas = pytest.importorskip("pandas")

FAST = {"classifier": "gbdt", "folds": 3, "ensemble": 1}


def make_frame(n=600):
    """Positives are larger and mostly red; half of them are labeled, and all kinds of columns are there."""
    random = np.random.default_rng(1)
    is_positive = np.arange(n) < 2 * n // 3
    frame = pandas.DataFrame({
        "label": (np.arange(n) < n // 3).astype(int),
        "size": random.normal(size=n) + 2 * is_positive,
        "colour": np.where(random.random(n) < 0.2 + 0.6 * is_positive, "red", "blaü"),
        "count": random.integers(0, 50, n),
        "gap": np.where(random.random(n) < 0.1, np.nan, random.normal(size=n).round(3)),
        "kind": random.choice(["a", "b", None], n),
    })
    return frame.iloc[random.permutation(n)]  # an index that is no feature


def model_bytes(model, path):
    model.save(path)
    return path.read_bytes()


def assert_same_model(frame, table, tmp_path, **columns):
    """A model of the frame, or an equal one, has the same bytes as that of the file."""
    table.to_csv(tmp_path / "table.csv", index=False)
    expected = model_bytes(dedpul.fit(tmp_path / "table.csv", **columns, **FAST), tmp_path / "file.model")
    assert model_bytes(dedpul.fit(frame, **columns, **FAST), tmp_path / "frame.model") == expected


@pytest.mark.filterwarnings("error::FutureWarning")
def test_same_as_file(tmp_path):
    frame = make_frame()
    assert_same_model(frame, frame, tmp_path)
    assert_same_model(frame, frame, tmp_path, categorical="count", ignore="kind")
    renamed = frame.rename(columns={"label": "bought", "count": "n"})
    assert_same_model(renamed, renamed, tmp_path, label="bought", weight="n")
    named = frame.assign(label=np.where(frame["label"] == 1, "yes", "no"))
    assert_same_model(named, named, tmp_path, label="label", positive="yes")


@pytest.mark.parametrize("change", [
    lambda frame: frame.astype({"colour": "category", "kind": "category"}),
    lambda frame: frame.astype({"count": "Int64", "gap": "Float64", "size": "Float64"}),
    lambda frame: frame.astype({"colour": "string", "kind": "string"}),
    lambda frame: frame.astype({"count": "uint8", "label": "bool"}),
    lambda frame: frame.astype({"count": "object", "gap": "object"}),
    lambda frame: frame.assign(label=frame["label"].astype("boolean")),
    lambda frame: frame.assign(count=[Decimal(int(value)) for value in frame["count"]]),
    lambda frame: frame.assign(size=frame["size"].astype(">f8"), gap=frame["gap"].astype(np.longdouble)),
    lambda frame: pandas.DataFrame(frame.to_numpy(), columns=frame.columns),
])
def test_types(tmp_path, change):
    frame = make_frame()
    assert_same_model(change(frame), frame, tmp_path)


def test_categories_of_numbers(tmp_path):
    frame = make_frame()
    assert_same_model(frame.astype({"count": "category"}), frame, tmp_path, categorical="count")


def test_intervals(tmp_path):
    frame = make_frame()
    frame["bin"] = pandas.cut(frame.pop("size"), 5)
    assert_same_model(frame, frame, tmp_path)


def test_many_arrays(tmp_path, monkeypatch):
    """The rows of a frame come in several arrays."""
    frame = make_frame()
    monkeypatch.setattr(_frames, "_ROWS", 70)
    assert_same_model(frame.astype({"kind": "category"}), frame, tmp_path)


def test_labels_apart(tmp_path):
    frame = make_frame()
    expected = model_bytes(dedpul.fit(frame, **FAST), tmp_path / "1.model")
    X, y = frame.drop(columns="label"), frame["label"]
    for arguments in [{"y": y}, {"label": y.to_numpy()}, {"labels": list(y)}, {"y": y == 1, "weights": np.ones(len(y))}]:
        assert model_bytes(dedpul.fit(X, **arguments, **FAST), tmp_path / "2.model") == expected
    weights = np.arange(len(y)) % 3
    expected = model_bytes(dedpul.fit(frame.assign(w=weights), weight="w", **FAST), tmp_path / "1.model")
    assert model_bytes(dedpul.fit(X, y, weights=weights, **FAST), tmp_path / "2.model") == expected
    assert model_bytes(dedpul.fit(frame, "label", weights=weights, **FAST), tmp_path / "2.model") == expected


def test_values_of_pandas_types(tmp_path):
    """Labels, weights and kinds apart from the frame may be of pandas' own types, with NA."""
    frame = make_frame()
    X, label = frame.drop(columns="label"), frame["label"]
    weights = pandas.Series(np.arange(len(frame)) % 3 + 1)
    expected = model_bytes(dedpul.fit(X, label, weights=weights, **FAST), tmp_path / "1.model")
    own = dedpul.fit(X, label.astype("Int64"), weights=weights.astype("Float64"), **FAST)
    assert model_bytes(own, tmp_path / "2.model") == expected
    kinds = frame["colour"].where(label == 1, None)
    expected = model_bytes(dedpul.fit(X, label, kind=kinds, **FAST), tmp_path / "1.model")
    assert model_bytes(dedpul.fit(X, label, kind=kinds.astype("string"), **FAST), tmp_path / "2.model") == expected


def test_odd_columns():
    """A name may be blank, a category have no value, and blanks around a name do not count."""
    frame = make_frame().reset_index(drop=True)
    assert Table(frame.rename(columns={"size": ""}), None, None, None, None).n == 600
    empty = dedpul.fit(frame.assign(none=pandas.Categorical([None] * 600)), **FAST)
    assert empty.alpha == dedpul.fit(frame, **FAST).alpha
    assert dedpul.fit(frame.assign(**{" key ": frame.index}), id="key", **FAST).ids[1] == "1"


def test_identifiers(tmp_path):
    """They are kept as they are, and are no feature; groups stay together."""
    frame = make_frame()
    expected = model_bytes(dedpul.fit(frame, **FAST), tmp_path / "1.model")
    keys = 2**60 + np.arange(len(frame))[::-1]
    for model in (dedpul.fit(frame.assign(key=keys), id="key", **FAST), dedpul.fit(frame, id=keys, **FAST)):
        assert model_bytes(model, tmp_path / "2.model") == expected
        assert (model.ids == keys).all() and (model.result.ids == keys[frame["label"] == 0]).all()
        assert (model.result.to_frame()["id"] == model.result.ids).all()
    grouped = frame.assign(site=np.arange(len(frame)) // 3)
    assert_same_model(grouped, grouped, tmp_path, group="site")
    with pytest.raises(ValueError, match="there is no column 'nokey'"):
        dedpul.fit(frame, id="nokey")


def test_predict(tmp_path):
    frame = make_frame()
    model = dedpul.fit(frame, **FAST)
    new = make_frame(9000).drop(columns="label")
    new.loc[new.index[:5], "colour"] = "green"
    new.to_csv(tmp_path / "new.csv", index=False)
    with pytest.warns(dedpul.DedpulWarning):
        model.predict_file(tmp_path / "new.csv", tmp_path / "answer.csv")
        posterior, score = model.predict(new), model.score(new)
    answer = pandas.read_csv(tmp_path / "answer.csv")
    assert np.abs(answer["posterior"] - posterior).max() < 1e-8
    assert np.abs(answer["score"] - score).max() < 1e-8
    assert (model.predict(new[new.columns[::-1]].assign(when=datetime.date(2020, 1, 1))) == posterior).all()
    assert model.predict(new[:0]).shape == (0,)
    with pytest.raises(ValueError, match="the table has no column 'kind', which the model needs"):
        model.predict(new.drop(columns="kind"))
    with pytest.raises(ValueError, match=r"row 1, column 'size': 'large' is not a number, but the column held only"):
        model.predict(new.assign(size="large"))


def test_numbered_columns(blobs):
    X, y = blobs
    frame = pandas.DataFrame(X)
    model, plain = dedpul.fit(frame, y, **FAST), dedpul.fit(X, y, **FAST)
    assert list(model.info["columns"]) == ["1", "2"]
    for other in (X, frame, frame.rename(columns={0: "a", 1: "b"})):
        assert (model.predict(other) == plain.predict(X)).all() and (plain.predict(other) == plain.predict(X)).all()


def test_classifier():
    frame = make_frame()
    X, y = frame.drop(columns="label"), frame["label"]
    fitted = dedpul.DedpulClassifier("gbdt", cv=3, options={"ensemble": 1}).fit(X, y)
    assert (fitted.predict_proba(X)[:, 1] == dedpul.fit(frame, **FAST).predict(X)).all()
    assert fitted.feature_names_in_.tolist() == list(X.columns)
    assert set(fitted.predict(X)) == {0, 1}


def test_compare():
    found = dedpul.compare(make_frame(), label="label", methods=["dedpul", "bbe"], **FAST)
    frame = found.to_frame()
    assert frame["method"].tolist() == ["dedpul", "bbe"] and frame["alpha"].between(0, 1).all()
    assert "auc_low" in frame.columns


def test_to_frame():
    frame = make_frame()
    model = dedpul.fit(frame, **FAST)
    rows = model.result.to_frame()
    assert rows["row"].tolist() == np.flatnonzero(frame["label"] == 0).tolist()
    assert (rows["score"] == model.scores[rows["row"]]).all() and (rows["posterior"] == model.result.posterior).all()
    curve = model.evaluate().to_frame()
    assert len(curve) > 10 and {"score", "precision_low"} <= set(curve.columns)
    bands = dedpul.estimate(model.scores, frame["label"], bands=True, resamples=20).to_frame()
    assert (bands["posterior_low"] <= bands["posterior_high"]).all()


@pytest.mark.parametrize("column, message", [
    (pandas.date_range("2020-01-01", periods=600), "column 'bad' is of the type 'timestamp', .* turn it into a number"),
    (pandas.date_range("2020-01-01", periods=600, tz="UTC"), "column 'bad' is of the type 'timestamp'"),
    (pandas.to_timedelta(np.arange(600), "s"), "column 'bad' is of the type 'duration'"),
    (pandas.period_range("2020-01-01", periods=600), "column 'bad': row 1 is of the type 'Period'"),
    ([datetime.date(2020, 1, 1)] * 600, "column 'bad': row 1 is of the type 'date'"),
    ([[1]] * 600, "column 'bad': row 1 is of the type 'list'"),
    ([None] + [[1]] * 599, "column 'bad': row 2 is of the type 'list'"),
    ([b"x"] * 600, "column 'bad': row 1 is of the type 'bytes'"),
    (np.ones(600, complex), "column 'bad' is of the type 'unknown'"),
    (["a\0b"] * 600, "column 'bad': row 1: a text has a byte 0"),
    ([1.0, -np.inf] * 300, "row 2, column 'bad': '-inf' is not finite"),
    ([str(i) + "x" for i in range(600)], "column 'bad'"),
])
def test_bad_columns(column, message):
    frame = make_frame().assign(bad=column)
    with pytest.raises(ValueError, match=message):
        Table(frame, None, None, None, None)
    assert Table(frame, None, None, None, {"ignore": "bad"}).n == 600


def test_bad_frames():
    frame = make_frame()
    for wrong, message in [
            (frame.drop(columns="label"), "there is no column 'label'.*--label COL"),
            (frame[:0], "no rows"),
            (frame.assign(label=0), "there are 0 labeled positive rows"),
            (pandas.concat([frame, frame["size"]], axis=1), "columns 2 and 7 are both called 'size'"),
            (frame[["label"]], "has no columns beside")]:
        with pytest.raises(ValueError, match=message):
            dedpul.fit(wrong, **FAST)
    with pytest.raises(ValueError, match="y has 3 values, but X has 600"):
        dedpul.fit(frame, [1, 0, 0])
    with pytest.raises(ValueError, match="columns: 'colour' is unknown"):
        dedpul.fit(frame, columns={"colour": "x"})
    with pytest.raises(ValueError, match="X is not a file or a frame"):
        dedpul.fit(np.ones((3, 2)), [1, 0, 0], columns={"ignore": "x"})
    with pytest.raises(TypeError, match="it is about the columns of a file or a frame"):
        dedpul.fit(np.ones((3, 2)), [1, 0, 0], ignore="x")


def test_all_released(monkeypatch):
    frame = make_frame()
    Table(frame, None, None, None, None)
    monkeypatch.setattr(_frames, "_ROWS", 100)
    for bad in (frame.assign(bad=[1] * 550 + [[]] * 50), frame.assign(bad=[1.0] * 550 + [np.inf] * 50)):
        with pytest.raises(ValueError):
            Table(bad, None, None, None, None)
    assert not _frames._handed_out


def test_structs_agree():
    """The structs are those of the header."""
    header = (SOURCE / "include" / "common" / "dedpul_arrow.h").read_text()
    for struct, name in [(_frames._Schema, "ArrowSchema"), (_frames._Array, "ArrowArray"),
                         (_frames._Stream, "ArrowArrayStream")]:
        body = header.split(f"struct {name} {{\n")[1].split("};")[0]
        fields = [line.split("(*")[1].split(")")[0] if "(*" in line else line.replace("*", " ").rstrip(";").split()[-1]
                  for line in body.strip().splitlines()]
        assert fields == [field for field, _ in struct._fields_]


def test_progress(monkeypatch):
    """Reading tells of itself, and ends if it must."""
    def stop(stage, *_):
        raise RuntimeError(f"enough of {stage}")
    monkeypatch.setattr(_frames, "_ROWS", 100)
    with pytest.raises(RuntimeError, match="enough of read"):
        dedpul.fit(make_frame(), progress=stop)
    assert not _frames._handed_out
