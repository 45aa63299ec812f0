"""Frames of Dask and Spark, on two worker processes each."""
import datetime
import os
import signal
import sys
import threading
import time
from functools import partial
from pathlib import Path

import numpy as np
import pytest

import dedpul
from dedpul import _engine

pandas = pytest.importorskip("pandas")

FAST = {"classifier": "gbdt", "folds": 3, "ensemble": 1, "threads": 1}
N = 24_000
ALPHA = 0.375
ENVIRONMENT = {name: os.environ[name] for name in ("PYTHONPATH", "DEDPUL_LIBRARY") if name in os.environ}


class Dask:
    """Two workers of one thread."""

    def __init__(self, directory):
        distributed = pytest.importorskip("distributed", reason="Dask is not installed")
        self.dataframe = pytest.importorskip("dask.dataframe")
        import dedpul.dask
        self.module = dedpul.dask
        self.cluster = distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None)
        self.client = distributed.Client(self.cluster)

    def frame(self, rows):
        return self.dataframe.from_pandas(rows, npartitions=6)

    def collect(self, frame):
        return frame.compute()

    def total(self, frame):
        return frame.posterior.sum().compute()

    def worker_of(self, process):
        return process

    def close(self):
        self.client.close()
        self.cluster.close()


class Spark:
    """Two executors of one core, which are processes of their own."""

    def __init__(self, directory):
        pytest.importorskip("pyspark", reason="Spark is not installed")
        pytest.importorskip("pyarrow")
        self.directory, self.n = directory, 0
        os.environ.update(PYSPARK_PYTHON=sys.executable, SPARK_LOCAL_DIRS=str(directory), SPARK_WORKER_DIR=str(directory))
        from pyspark.sql import SparkSession
        import dedpul.spark
        self.module = dedpul.spark
        settings = {"spark.ui.enabled": "false", "spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1",
                    "spark.executor.memory": "512m", "spark.sql.shuffle.partitions": "2",
                    "spark.ui.showConsoleProgress": "false", "spark.sql.files.maxPartitionBytes": "100000",
                    "spark.task.maxFailures": "2",
                    **{f"spark.executorEnv.{name}": value for name, value in ENVIRONMENT.items()}}
        builder = SparkSession.builder.master("local-cluster[2,1,512]")
        for name, value in settings.items():
            builder = builder.config(name, value)
        self.session = builder.getOrCreate()
        self.session.sparkContext.setLogLevel("OFF")

    def frame(self, rows):
        self.n += 1
        path = self.directory / f"rows{self.n}"
        path.mkdir()
        for i in range(6):
            rows[i * len(rows) // 6:(i + 1) * len(rows) // 6].to_parquet(path / f"{i}.parquet")
        return self.session.read.parquet(str(path))

    def collect(self, frame):
        return frame.toPandas()

    def total(self, frame):
        """Spark adds up in the order in which tasks end; here it is that of the partitions."""
        from pyspark.sql.functions import spark_partition_id
        return sum(row[1] for row in sorted(frame.groupBy(spark_partition_id()).sum("posterior").collect()))

    def worker_of(self, process):
        """The executor that has begun the process, or its parent."""
        while "CoarseGrainedExecutorBackend" not in Path(f"/proc/{process}/cmdline").read_text():
            process = int(Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[1])
        return process

    def close(self):
        self.session.stop()


def make_rows():
    """1/5 of the rows are labeled, and ALPHA of the others are positive."""
    random = np.random.default_rng(0)
    is_positive = np.arange(N) < N // 2
    rows = pandas.DataFrame(random.normal(size=(N, 3)) + 2 * is_positive[:, None], columns=["a", "b", "c"])
    rows["text"] = np.where(random.random(N) < 0.3, "x", np.where(is_positive, "y", "z"))
    rows["label"] = (np.arange(N) < N // 5).astype(int)
    return rows.sample(frac=1, random_state=0).reset_index(drop=True)


@pytest.fixture(scope="module")
def rows():
    return make_rows()


@pytest.fixture(scope="module")
def known(rows):
    """The rows with true classes, some of which are not known, and weights: 2 for positives, if they are not labeled."""
    is_positive = pandas.Series(np.arange(N) < N // 2).sample(frac=1, random_state=0).to_numpy()
    return rows.assign(truth=np.where(np.arange(N) % 3 == 0, np.nan, is_positive),
                       weight=np.where(is_positive & (rows.label == 0), 2.0, 1.0))


pytestmark = pytest.mark.filterwarnings("ignore::dedpul.DedpulWarning")


@pytest.fixture(scope="module", params=[Dask, Spark])
def engine(request, tmp_path_factory):
    made = request.param(tmp_path_factory.mktemp("engine"))
    yield made
    made.close()


@pytest.fixture(scope="module")
def frame(engine, rows):
    return engine.frame(rows)


@pytest.fixture(scope="module")
def fitted(engine, frame):
    return engine.module.fit(frame, label="label", sample=2000, **FAST)


def test_a_fit_estimates_from_all_rows(fitted):
    assert fitted.alpha == pytest.approx(ALPHA, abs=0.02)
    assert fitted.info["n_positive"] == N // 5 and fitted.info["n_unlabeled"] == N - N // 5
    assert fitted.result.weight_unlabeled == N - N // 5
    assert 3000 < len(fitted.scores) < 5000
    assert list(fitted.info["columns"]) == ["a", "b", "c", "text"]


def test_its_model_is_that_of_the_command(engine, frame, rows, fitted, command, tmp_path):
    fitted.save(tmp_path / "model")
    rows.to_csv(tmp_path / "rows.csv", index=False)
    command("predict", tmp_path / "model", tmp_path / "rows.csv", "--out", tmp_path / "out.csv")
    expected = pandas.read_csv(tmp_path / "out.csv").posterior
    found = engine.collect(engine.module.predict(str(tmp_path / "model"), frame, keep=["a"]))
    assert list(found.columns) == ["a", "posterior"]
    both = pandas.DataFrame({"a": rows.a, "expected": expected}).merge(found, on="a")
    assert len(both) == N and np.allclose(both.expected, both.posterior, atol=1e-6)


def test_sampled_rows_only(engine, rows):
    """If the sample has all rows, the answer is that of the ordinary fit."""
    frame = engine.frame(rows[:3000])
    few = engine.collect(frame)
    model = engine.module.fit(frame, label="label", features=["a", "text"], **FAST)
    expected = dedpul.fit(few[["a", "text"]], few.label.to_numpy(), **FAST)
    assert model.alpha == pytest.approx(expected.alpha, abs=1e-6)
    assert np.allclose(model.predict(few), expected.predict(few), atol=1e-6)


def test_estimate_and_evaluate(engine, frame, fitted):
    scored = engine.module.score(fitted, frame, keep=["label"])
    whole = engine.collect(scored)
    expected = dedpul.estimate(whole.score, whole.label)
    assert engine.module.estimate(scored, label="label", score="score").alpha == pytest.approx(expected.alpha, abs=1e-3)
    by_column = engine.module.evaluate(scored, label="label", score="score", threshold=("recall", 0.8))
    by_model = engine.module.evaluate(frame, label="label", model=fitted, threshold=("recall", 0.8))
    assert by_column.auc.value == pytest.approx(expected.evaluation().auc.value, abs=1e-3)
    assert by_column.auc == by_model.auc
    assert by_column.threshold.score == pytest.approx(expected.evaluation(("recall", 0.8)).threshold.score, abs=1e-3)


def test_weights(engine, known, fitted):
    """They change alpha as more rows would, and scores are told how much they are worth."""
    frame, expected_alpha = engine.frame(known), 2 * ALPHA / (1 + ALPHA)
    model = engine.module.fit(frame, label="label", weight="weight", features=["a", "b", "c", "text"], sample=2000, **FAST)
    assert model.alpha == pytest.approx(expected_alpha, abs=0.03)
    assert model.result.weight_unlabeled == known.weight[known.label == 0].sum()
    scored = engine.module.score(fitted, frame, keep=["label", "weight"])
    whole = engine.collect(scored)
    expected = dedpul.estimate(whole.score, whole.label, weights=whole.weight / 3, interval=True)
    third = scored.assign(weight=scored.weight / 3) if hasattr(scored, "assign") else \
        scored.withColumn("weight", scored.weight / 3)
    result = engine.module.estimate(third, label="label", score="score", weight="weight", interval=True)
    assert result.alpha == pytest.approx(expected.alpha, abs=1e-3)
    assert np.allclose(result.interval[:2], expected.interval[:2], atol=2e-3)
    with pytest.raises(ValueError, match=r"partition \d.*values of column 'a' are no weights, such as -"):
        engine.module.estimate(engine.frame(known.assign(score=0.5)), label="label", score="score", weight="a")
    with pytest.raises(ValueError, match="column 'weight' of weights is among the features"):
        engine.module.fit(frame, label="label", weight="weight", features=["a", "weight"])


def test_truth(engine, known, fitted):
    scored = engine.module.score(fitted, engine.frame(known), keep=["label", "weight", "truth"])
    whole = engine.collect(scored)
    for weight in (None, "weight"):
        expected = dedpul.metrics.evaluate(whole.score, whole.label, truth=whole.truth, threshold=0.5,
                                           weights=None if weight is None else whole[weight])
        found = engine.module.evaluate(scored, label="label", score="score", truth="truth", weight=weight, threshold=0.5)
        assert found.truth.rows == expected.truth.rows and found.truth.alpha == pytest.approx(expected.truth.alpha)
        assert found.truth.auc == pytest.approx(expected.truth.auc, abs=1e-4)
        assert found.truth.precision == pytest.approx(expected.truth.precision, abs=1e-3)
        assert found.auc.value == pytest.approx(expected.auc.value, abs=1e-3)


def held_task(kind):
    """Tasks of a kind, one of which does not go on before its worker is killed: it writes its process into a file."""
    class Task(kind):
        def __init__(self, file, *rest, **named):
            super().__init__(*rest, **named)
            self.file = file

        def __call__(self, part, number, model):
            if model is not None and number == 1 and not os.path.exists(self.file):
                with open(self.file + ".part", "w") as file:
                    file.write(str(os.getpid()))
                os.rename(self.file + ".part", self.file)
                time.sleep(120)
            return super().__call__(part, number, model)
    return Task


class Kill(threading.Thread):
    """Kills the worker that holds a task."""

    def __init__(self, engine, file):
        super().__init__(daemon=True)
        self.engine, self.file, self.killed = engine, file, False
        self.start()

    def run(self):
        while not self.file.exists():
            time.sleep(0.05)
        os.kill(self.engine.worker_of(int(self.file.read_text())), signal.SIGKILL)
        self.killed = True


@pytest.mark.parametrize("kind", ["BinRows", "AddColumn"])
def test_a_lost_worker_changes_nothing(engine, frame, fitted, kind, monkeypatch, tmp_path):
    """It is killed while it runs a task."""
    expected = engine.total(engine.module.predict(fitted, frame, keep=[]))
    monkeypatch.setattr(_engine, kind, partial(held_task(getattr(_engine, kind)), str(tmp_path / "held")))
    killed = Kill(engine, tmp_path / "held")
    if kind == "BinRows":
        assert engine.module.fit(frame, label="label", sample=2000, **FAST).to_bytes() == fitted.to_bytes()
    else:
        assert engine.total(engine.module.predict(fitted, frame, keep=[])) == expected
    assert killed.killed


def test_frames_that_cannot_be_used(engine, frame, rows, fitted):
    module = engine.module
    with pytest.raises(ValueError, match="method tice looks at the features"):
        module.fit(frame, label="label", method="tice")
    with pytest.raises(ValueError, match="check_labels looks at the features"):
        module.fit(frame, label="label", check_labels=True)
    with pytest.raises(ValueError, match="has no rows"):
        module.fit(engine.frame(rows[:0]), label="label")
    with pytest.raises(ValueError, match="no labeled rows"):
        module.fit(engine.frame(rows[rows.label == 0][:600]), label="label")
    with pytest.raises(ValueError, match="no column 'wrong'; its columns are 'a', 'b', 'c', 'text', 'label'"):
        module.fit(frame, label="wrong")
    with pytest.raises(ValueError, match=r"partition \d.*column 'text' must be 1 "):
        module.fit(frame, label="text")
    with pytest.raises(ValueError, match=r"partition \d.*values of column 'a' are not scores from 0 to 1"):
        module.estimate(frame, label="label", score="a")
    with pytest.raises(ValueError, match="no column 'c'"):
        module.predict(fitted, frame[["a", "b", "text"]])
    with pytest.raises(ValueError, match="has a column 'a' already"):
        module.predict(fitted, frame, into="a")
    with pytest.raises(ValueError, match="either score=.* or model="):
        module.evaluate(frame, label="label")
    with pytest.raises(ValueError, match="of Dask is needed|of Spark is needed"):
        module.fit(rows, label="label")
    with pytest.raises(OSError, match="nowhere"):
        module.predict("nowhere", frame)
    with pytest.raises(Exception, match=r"partition \d.*'b'"):
        engine.collect(module.predict(fitted, engine.frame(rows.assign(b=datetime.date(2020, 1, 1)))))


def test_rows_that_change(engine, rows, monkeypatch):
    """It would be wrong to score rows of the sample by models that have seen them."""
    frames = [engine.frame(rows), engine.frame(rows[::-1].reset_index(drop=True))]
    run_bins = type(engine.module._ENGINE).run_bins
    monkeypatch.setattr(type(engine.module._ENGINE), "run_bins", lambda self, frame, *rest: run_bins(self, frames[1], *rest))
    with pytest.raises(ValueError, match="same rows in the same order"):
        engine.module.fit(frames[0], label="label", sample=2000, **FAST)


def test_partitions_that_are_not_as_the_frame_says(rows):
    """Only Dask has them."""
    dataframe = pytest.importorskip("dask.dataframe")
    import dask
    import dedpul.dask
    parts = [dask.delayed(rows[:900]), dask.delayed(rows[900:1800].drop(columns="b"))]
    frame = dataframe.from_delayed(parts, meta=rows[:0], verify_meta=False)
    with dask.config.set(scheduler="synchronous"), pytest.raises(ValueError, match="'b'"):
        dedpul.dask.fit(frame, label="label", **FAST)
