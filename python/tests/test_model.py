"""Fits, models and comparisons: the command's, bit for bit."""
import csv
import math
import os
import pickle
import signal
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from conftest import DATA, digits, read_columns, slow

import dedpul

CHEAP = {"classifier": "gbdt", "folds": 2, "ensemble": 1, "tree_rounds": 20, "seed": 4}
FLAGS = "--classifier gbdt --folds 2 --ensemble 1 --tree-rounds 20 --seed 4".split()
NETWORKS = {"layers": [8], "epochs": 5, "folds": 2, "ensemble": 1}

pytestmark = pytest.mark.filterwarnings("ignore::dedpul.DedpulWarning")


@pytest.fixture(scope="module")
def model(wine):
    X, y, names = wine
    return dedpul.fit(X, y, names=names, **CHEAP)


@pytest.fixture(scope="module")
def fitted(command, tmp_path_factory):
    """The command's answer, and the directory of its files."""
    files = tmp_path_factory.mktemp("fit")
    return command("fit", DATA / "wine.csv", *FLAGS, "--json", "--model", files / "model", "--posteriors",
                   files / "p.csv", "--scores", files / "s.csv"), files


def test_fit_is_the_commands(model, fitted, tmp_path):
    answer, files = fitted
    assert model.alpha == model.result.alpha == answer["alpha"]
    assert model.info["classifier"] == answer["classifier"]
    assert (model.scores == read_columns(files / "s.csv", "score")[0]).all()
    assert (digits(12, model.result.posterior) == read_columns(files / "p.csv", "posterior")[0]).all()
    model.save(tmp_path / "model")
    assert (tmp_path / "model").read_bytes() == (files / "model").read_bytes()


def test_fit_of_a_file(fitted, tmp_path):
    dedpul.fit(DATA / "wine.csv", columns={"label": "label"}, **CHEAP).save(tmp_path / "model")
    assert (tmp_path / "model").read_bytes() == (fitted[1] / "model").read_bytes()


@pytest.mark.parametrize("threshold, flags", [(None, []), (("recall", 0.8), ["--recall", "0.8"]),
                                              (0.7, ["--threshold", "0.7"])])
def test_evaluate_is_the_commands(model, fitted, command, threshold, flags):
    answer = command("evaluate", fitted[1] / "model", *flags, "--json")
    found = model.evaluate(threshold)
    assert found.auc == tuple(answer["auc"].values())
    assert found.threshold.score == answer["threshold"]["score"]
    assert found.threshold.precision == tuple(answer["threshold"]["precision"].values())


@pytest.mark.parametrize("options, flags", [({"alpha": 0.2}, ["--alpha", "0.2"]),
                                            ({"alpha": "auto", "threshold": ("top", 9)},
                                             ["--alpha", "auto", "--top", "9"]),
                                            ({"threshold": ("recall", 0.8)}, ["--recall", "0.8"])])
def test_other_shares_and_thresholds_are_the_commands(model, fitted, command, tmp_path, options, flags):
    new = DATA / "wine_new.csv"
    command("predict", fitted[1] / "model", new, "--out", tmp_path / "out.csv", *flags)
    model.predict_file(new, tmp_path / "own.csv", **options)
    assert (tmp_path / "own.csv").read_bytes() == (tmp_path / "out.csv").read_bytes()
    if "alpha" in options:
        posterior = model.predict(np.loadtxt(new, delimiter=",", skiprows=1), alpha=options["alpha"])
        assert (digits(9, posterior) == read_columns(tmp_path / "out.csv", "posterior")[0]).all()


@pytest.mark.parametrize("alpha", [0, 1.5, "often", True])
def test_a_wrong_share(model, wine, alpha):
    with pytest.raises(ValueError, match="alpha: .* is not a number above 0 and below 1"):
        model.predict(wine[0], alpha=alpha)


def test_predict_is_the_commands(model, fitted, command, tmp_path):
    new = DATA / "wine_new.csv"
    command("predict", fitted[1] / "model", new, "--out", tmp_path / "out.csv")
    score, posterior = read_columns(tmp_path / "out.csv", "score", "posterior")
    X = np.loadtxt(new, delimiter=",", skiprows=1)
    for one in (model, dedpul.load_model(fitted[1] / "model"), pickle.loads(pickle.dumps(model))):
        assert (digits(9, one.predict(X)) == posterior).all()
        assert (digits(9, one.score(X)) == score).all()
    assert model.predict_file(new, tmp_path / "own.csv") == len(X)
    assert (tmp_path / "own.csv").read_bytes() == (tmp_path / "out.csv").read_bytes()


def test_drift(model, fitted, tmp_path, recwarn):
    new = DATA / "wine_new.csv"
    X = np.loadtxt(new, delimiter=",", skiprows=1)
    names = list(model.info["columns"])
    one = dedpul.load_model(fitted[1] / "model")
    assert one.drift is None  # nothing was predicted yet
    one.predict(X)
    assert one.drift == [] and not recwarn.list
    X[:, 3] *= 100
    with pytest.warns(dedpul.DedpulWarning, match=f"1 of 12 columns are not as in the fit: '{names[3]}'") as caught:
        one.predict(X)
    assert caught[0].filename == __file__ and caught[0].message.code == "drift"
    drift, = one.drift
    assert drift.column == names[3] and drift.change.startswith("above ") and drift.share_before == 0
    assert drift.share == drift.out_of_range > 0.5 and drift.chance < 1e-9 and drift.distance > 0.5
    assert drift.mean == pytest.approx(X[:, 3].mean()) and drift.missing == 0
    X[:, 5] = np.nan
    np.savetxt(tmp_path / "new.csv", X, "%.17g", ",", header=",".join(names), comments="")
    with pytest.warns(dedpul.DedpulWarning, match=r"2 of 12 columns.*\(missing: 0.0% before, 100.0% now\)"):
        one.predict_file(tmp_path / "new.csv", tmp_path / "out.csv")
    assert {drift.column for drift in one.drift} == {names[3], names[5]}
    one.score(X[:19])
    assert one.drift is None  # too few rows to tell


def test_networks_are_the_commands(wine, command):
    X, y, _ = wine
    flags = "--classifier mlp --layers 8 --epochs 5 --folds 2 --ensemble 1".split()
    assert dedpul.fit(X, y, classifier="mlp", **NETWORKS).alpha == \
        command("fit", DATA / "wine.csv", *flags, "--json")["alpha"]


def test_compare_is_the_commands(wine, command):
    X, y, names = wine
    flags = [*FLAGS, "--methods", "dedpul,bbe,tice", "--resamples", "10"]
    answer = command("compare", DATA / "wine.csv", *flags, "--json")
    found = dedpul.compare(X, y, names=names, methods=["dedpul", "bbe", "tice"], resamples=10, **CHEAP)
    assert [m.alpha for m in found.methods] == [m["alpha"] for m in answer]
    assert [m.high for m in found.methods[:2]] == [m["high"] for m in answer[:2]]
    assert found["bbe"].differs == answer[1]["differs"] and found["bbe"].classifier == "gbdt"
    assert [m.auc.value for m in found.methods] == [m["auc"]["value"] for m in answer]
    assert [m.precision.value for m in found.methods] == [m["precision"]["value"] for m in answer]
    learned = dedpul.compare(X, y, methods="learned", **CHEAP)["learned"]
    by_resamples = dedpul.compare(X, y, methods="learned", interval="bootstrap", **CHEAP)["learned"]
    assert learned.alpha == by_resamples.alpha and learned.high != by_resamples.high
    assert found.n_unlabeled == 1998 and "tice" in repr(found) and "<td>bbe</td>" in found._repr_html_()
    with pytest.raises(KeyError):
        found["nothing"]
    with pytest.raises(ValueError, match="nothing"):
        dedpul.compare(X, y, methods="nothing", **CHEAP)


def test_compare_classifiers_is_the_commands(wine, command):
    X, y, names = wine
    options = {name: value for name, value in CHEAP.items() if name != "classifier"}
    flags = [*FLAGS[2:], "--classifiers", "gbdt,logistic", "--method", "learned"]
    answer = command("compare", DATA / "wine.csv", *flags, "--json")
    found = dedpul.compare(X, y, names=names, classifiers=["gbdt", "logistic"], method="learned", **options)
    assert [c.classifier for c in found.classifiers] == ["gbdt", "logistic"] and found.methods == []
    for c, expected in zip(found.classifiers, answer):
        assert c.alpha == expected["alpha"] and c.method == "learned"
        assert c.auc._asdict() == expected["auc"] and c.precision._asdict() == expected["precision"]
        assert (c.is_reference, c.differs) == (expected["best"], expected["worse"])
    assert found.best == max(found.classifiers, key=lambda c: c.auc.value)
    assert found.alpha == found[found.alpha_of].alpha and found.classifier is None
    assert "highest AUC" in repr(found) and "<td>logistic</td>" in found._repr_html_()
    with pytest.raises(KeyError):
        found["learned"]
    for wrong in [{"methods": "all"}, {"classifier": "gbdt"}]:
        with pytest.raises(ValueError, match="does not go with classifiers="):
            dedpul.compare(X, y, classifiers="all", **wrong)
    with pytest.raises(ValueError, match="goes with classifiers="):
        dedpul.compare(X, y, method="bbe", **CHEAP)
    with pytest.raises(ValueError, match="did you mean 'logistic'"):
        dedpul.compare(X, y, classifiers="logistics", **options)


def test_frames(wine, model):
    pandas = pytest.importorskip("pandas")
    X, y, names = wine
    frame = pandas.DataFrame(X, columns=names)
    own = dedpul.fit(frame, pandas.Series(y), **CHEAP)
    assert list(own.info["columns"]) == names and own.alpha == model.alpha
    expected = model.predict(X[:9])
    assert (own.predict(frame[:9]) == expected).all()
    assert (own.predict(frame[:9][names[::-1]]) == expected).all()  # found by name
    with pytest.raises(ValueError, match=f"has no column '{names[2]}', which the model needs"):
        own.predict(frame.drop(columns=names[2]))


def test_identifiers_of_files(fitted, command, tmp_path):
    names = ["p%d", 'a, "%d"', " %d ", "two\nlines %d", "é%d"]
    with open(DATA / "wine.csv", newline="") as file:
        rows = list(csv.reader(file))
    ids = [names[i % 5] % i for i in range(len(rows) - 1)]
    with open(tmp_path / "table.csv", "w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([other, *row] for other, row in zip(["who", *ids], rows))
    model = dedpul.fit(tmp_path / "table.csv", id="who", **CHEAP)
    assert list(model.ids) == ids and len(model.ids) == len(model.scores)
    label = np.array([int(row[0]) for row in rows[1:]])
    assert list(model.result.ids) == list(np.array(ids)[label == 0])
    assert list(pickle.loads(pickle.dumps(model)).ids) == ids
    assert dedpul.fit(tmp_path / "table.csv", columns={"id": "who"}, **CHEAP).ids[0] == ids[0]
    model.save(tmp_path / "model")
    assert (tmp_path / "model").read_bytes() == (fitted[1] / "model").read_bytes()

    assert model.predict_file(tmp_path / "table.csv", tmp_path / "new.csv", id="who") == len(ids)
    command("predict", tmp_path / "model", tmp_path / "table.csv", "--id", "who", "--out", tmp_path / "c.csv")
    assert (tmp_path / "new.csv").read_bytes() == (tmp_path / "c.csv").read_bytes()
    with open(tmp_path / "new.csv", newline="", encoding="utf-8") as file:
        assert [row["who"] for row in csv.DictReader(file)] == ids
    with pytest.raises(ValueError, match="no column 'whom'; did you mean 'who'"):
        dedpul.fit(tmp_path / "table.csv", id="whom", **CHEAP)
    assert dedpul.load_model(tmp_path / "model").ids is None


def test_identifiers_of_arrays(blobs, model):
    X, y = blobs
    ids = np.array([f"r{i}" for i in range(len(y))])
    found = dedpul.fit(X, y, id=ids, **CHEAP)
    assert list(found.ids) == list(ids) and list(found.result.ids) == list(ids[np.array(y) == 0])
    result = dedpul.estimate(found.scores, y, id=ids)
    assert list(result.ids) == list(found.result.ids)
    assert model.ids is None and model.result.ids is None
    with pytest.raises(ValueError, match="id has 2 values, but the data has"):
        dedpul.fit(X, y, id=ids[:2], **CHEAP)
    with pytest.raises(ValueError, match="X has no column 'who', since it is an array"):
        dedpul.fit(X, y, id="who", **CHEAP)


def test_identifiers_of_frames(blobs):
    pandas = pytest.importorskip("pandas")
    X, y = blobs
    frame = pandas.DataFrame(X, columns=["a", "b"])
    frame.insert(1, "who", [f"r{i}" for i in range(len(y))])
    found = dedpul.fit(frame, y, id="who", **CHEAP)
    assert list(found.ids) == list(frame["who"]) and list(found.info["columns"]) == ["a", "b"]
    assert (found.predict(frame) == found.predict(frame[["a", "b"]])).all()
    with pytest.raises(ValueError, match="there is no column 'whom'; did you mean 'who'"):
        dedpul.fit(frame, y, id="whom", **CHEAP)


def test_forms_of_X(blobs):
    X, y = blobs
    expected = dedpul.fit(X, y, **CHEAP)
    assert dedpul.fit(np.asfortranarray(X), y, **CHEAP).alpha == expected.alpha
    assert dedpul.fit(X.tolist(), y.tolist(), **CHEAP).alpha == expected.alpha
    assert dedpul.fit(X.astype(object), y, **CHEAP).alpha == expected.alpha
    single = dedpul.fit(X.astype(np.float32), y, **CHEAP)
    assert single.alpha == dedpul.fit(X.astype(np.float32).astype(float), y, **CHEAP).alpha
    X = X.copy()
    X[3, 1] = np.nan
    assert 0 <= dedpul.fit(X, y, **CHEAP).alpha <= 1


def test_images(blobs):
    X = np.random.default_rng(0).normal(size=(80, 4, 4)) + (np.arange(80) < 50)[:, None, None]
    model = dedpul.fit(X, np.arange(80) < 25, epochs=1, min_epochs=1, epoch_steps=1, folds=2, ensemble=1)
    assert (model.info["height"], model.info["width"], model.info["channels"]) == (4, 4, 1)
    assert model.info["classifier"] == "conv"
    assert model.predict(X[:5]).shape == (5,)


def test_weights_and_pn(blobs):
    X, y = blobs
    assert dedpul.fit(X, y, weights=np.ones(600), **CHEAP).alpha == dedpul.fit(X, y, **CHEAP).alpha
    model = dedpul.fit(X, y, pn=True, interval=True, resamples=20, **CHEAP)
    assert model.info["has_pn"] and model.result.interval.resamples == 20
    assert (model.predict(X, pn=True) != model.predict(X)).any()
    assert "gbdt" in repr(model) and model.info["settings"]["tree-rounds"] == "20"


def test_posteriors_of_models(blobs, tmp_path):
    """Models keep the scales: they predict as the result evaluates."""
    X, y = blobs
    for kind in ("mean", "plain"):
        model = dedpul.fit(X, y, posterior=kind, interval=True, **CHEAP)
        model.save(tmp_path / kind)
        expected = model.result.evaluate(model.score(X))
        for one in (model, dedpul.load_model(tmp_path / kind), pickle.loads(pickle.dumps(model))):
            assert np.allclose(one.predict(X), expected, atol=1e-3), kind
        assert model.result.interval.resamples == 0
        assert (len(model.result.scales) > 1) == (kind == "mean")


def test_progress(blobs):
    X, y = blobs
    stages = []
    dedpul.fit(X, y, progress=lambda *state: stages.append(state), **CHEAP)
    assert [stage for stage, step, *_ in stages if step == 1] == ["encode", "gbdt"] and stages[-1][1] >= 1

    def stop(*_):
        raise LookupError("enough")
    with pytest.raises(LookupError, match="enough"):
        dedpul.fit(X, y, progress=stop, **CHEAP)


def test_progress_of_reading(tmp_path):
    path, stages = tmp_path / "rows.csv", []
    path.write_text("label,x\n" + "".join(f"{i % 2},{i % 7 + i % 2}\n" for i in range(400)))
    dedpul.fit(path, progress=lambda *state: stages.append(state), **CHEAP)
    stage, step, steps, loss = stages[0]
    assert stage == "read" and 0 <= step <= steps == path.stat().st_size and math.isnan(loss)

    def stop(stage, *_):
        raise LookupError(stage)
    with pytest.raises(LookupError, match="read"):
        dedpul.fit(path, progress=stop, **CHEAP)
    with pytest.raises(LookupError, match="read"):
        dedpul.compare(path, methods="dedpul", progress=stop, **CHEAP)


def test_threads(model, wine):
    X = wine[0]
    expected = model.predict(X)
    with ThreadPoolExecutor(4) as pool:
        for posterior in pool.map(model.predict, [X] * 8):
            assert (posterior == expected).all()


def test_interrupt(blobs):
    X, y = blobs
    steps = []

    def interrupt(*_):
        steps.append(0)
        if len(steps) == 2:
            os.kill(os.getpid(), signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        dedpul.fit(X, y, classifier="mlp", layers="8", progress=interrupt)
    assert len(steps) < 5
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


@slow
def test_preset_goes_first(blobs):
    X, y = blobs
    model = dedpul.fit(X, y, layers="4", epochs=2, folds=2, preset="paper")
    assert model.info["settings"]["layers"] == "4" and model.info["settings"]["stopping"] == "each"


def test_files_as_spreadsheets_write_them(fitted, tmp_path):
    """Decimal commas and no header: the same answer, and the same predictions."""
    lines = (DATA / "wine.csv").read_text().replace(",", ";").replace(".", ",").splitlines(True)
    (tmp_path / "commas.csv").write_text("".join(lines))
    dedpul.fit(tmp_path / "commas.csv", **CHEAP).save(tmp_path / "model")
    assert (tmp_path / "model").read_bytes() == (fitted[1] / "model").read_bytes()
    (tmp_path / "rows.csv").write_text("".join(lines[1:]))
    columns = {"header": "no", "label": "1", "decimal": ","}
    model = dedpul.fit(tmp_path / "rows.csv", columns=columns, **CHEAP)
    assert model.alpha == fitted[0]["alpha"]
    with pytest.raises(ValueError, match="line 1 looks like data"):
        model.predict_file(tmp_path / "rows.csv", tmp_path / "out.csv")
    assert model.predict_file(tmp_path / "rows.csv", tmp_path / "out.csv", header="no") == len(lines) - 1
    with pytest.raises(ValueError, match="decimal: ';'"):
        dedpul.fit(tmp_path / "rows.csv", columns={"decimal": ";"})
