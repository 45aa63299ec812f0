"""Fits, predictions and estimates for data frames of Spark, however many rows they have.

Executors must have dedpul and pyarrow, too. A partition is a task, which gets Arrow batches and has one thread. (The
sessions of Spark Connect have no broadcasts, and are not supported.)
"""
from __future__ import annotations

import pickle
from contextlib import contextmanager
from typing import Any, Optional, Union

try:
    import pyarrow
    import pyspark
    from pyspark.sql import DataFrame
    from pyspark.sql.types import BinaryType, DoubleType, LongType, StructField, StructType
except ImportError as error:
    raise ImportError(f"dedpul.spark needs Spark and pyarrow ({error}): pip install pyspark pyarrow pandas") from None

from . import _engine
from ._evaluation import Evaluation
from ._model import Model
from ._names import option_names, takes_all_names
from ._result import Result

__all__ = ["estimate", "evaluate", "fit", "predict", "score"]

_JOINED = 64  # answers at a time
_ANSWERS = StructType([StructField("number", LongType()), StructField("answer", BinaryType())])


def _parts(batches):
    """Tables of enough rows: Spark's batches are small."""
    waiting, rows = [], 0
    for batch in batches:
        waiting.append(batch)
        rows += batch.num_rows
        if rows >= _engine.BATCH:
            yield pyarrow.Table.from_batches(waiting)
            waiting, rows = [], 0
    if waiting:
        yield pyarrow.Table.from_batches(waiting)


def _answer(number, answer):
    """A row with the answer of a task."""
    return pyarrow.RecordBatch.from_arrays([pyarrow.array([number], pyarrow.int64()),
                                            pyarrow.array([pickle.dumps(answer)], pyarrow.binary())], ["number", "answer"])


def _number():
    return pyspark.TaskContext.get().partitionId()


def _value(model):
    return None if model is None else model.value


class _RunTask:
    def __init__(self, task, model):
        self.task, self.model = task, model

    def __call__(self, batches):
        yield _answer(_number(), self.task(_parts(batches), _number(), _value(self.model)))


class _AddColumn(_RunTask):
    def __call__(self, batches):
        for part in _parts(batches):
            yield from self.task(part, _number(), _value(self.model)).to_batches()


def _join(rows):
    """Joins a group of answers, in the order of their partitions."""
    rows = rows.sort_values("number")
    answer = _engine.join_bins(map(pickle.loads, rows["answer"]))
    return rows.iloc[:1].assign(answer=[pickle.dumps(answer)])


class _Spark:
    def columns(self, frame):
        if not isinstance(frame, DataFrame):
            raise ValueError(f"a frame of Spark is needed, not an object of type {type(frame).__name__}; "
                             "spark.createDataFrame makes one")
        return frame.columns

    def run(self, frame, columns, task, model=None):
        with _described(frame, task), _broadcast(frame, model) as model:
            return _collect(_answers(frame, columns, task, model))

    def run_bins(self, frame, columns, task, model=None):
        with _described(frame, task), _broadcast(frame, model) as model:
            answers = _answers(frame, columns, task, model)
            if frame.rdd.getNumPartitions() > _JOINED:
                group = (answers["number"] / _JOINED).cast("long")
                answers = answers.groupBy(group).applyInPandas(_join, _ANSWERS)
            return _engine.join_bins(_collect(answers))


_ENGINE = _Spark()


def _answers(frame, columns, task, model):
    return _select(frame, columns).mapInArrow(_RunTask(task, model), _ANSWERS)


def _select(frame, names):
    for name in names:
        if "." in name or "`" in name:
            raise ValueError(f"the column {name!r} has a character in its name with which Spark does not hand it over; "
                             "rename it (withColumnRenamed)")
    return frame.select(*names)


def _collect(answers):
    try:
        rows = answers.collect()
    except pyspark.errors.PythonException as error:
        raise _of_worker(error) from error
    return [pickle.loads(row["answer"]) for row in sorted(rows, key=lambda row: row["number"])]


def _of_worker(error):
    """What a worker raised, if it says which partition it is about."""
    lines = str(error).splitlines()
    found = next((line for line in lines if line.startswith("ValueError: partition ")), None)
    return error if found is None else ValueError(found.removeprefix("ValueError: "))


@contextmanager
def _described(frame, task):
    """The job's name in Spark's pages."""
    context = frame.sparkSession.sparkContext
    before = context.getLocalProperty("spark.job.description")
    context.setJobDescription(f"dedpul: {type(task).__name__}")
    try:
        yield
    finally:
        context.setLocalProperty("spark.job.description", before)


@contextmanager
def _broadcast(frame, model):
    """Sends the model to each executor once."""
    if model is None:
        yield None
        return
    sent = frame.sparkSession.sparkContext.broadcast(model)
    try:
        yield sent
    finally:
        sent.unpersist()


def _add_column(frame, task, needed, model):
    kept = {field.name: field for field in frame.schema.fields}
    schema = StructType([kept[name] for name in task.keep] + [StructField(task.into, DoubleType())])
    sent = frame.sparkSession.sparkContext.broadcast(model)
    return _select(frame, needed).mapInArrow(_AddColumn(task, sent), schema)


def score(model: Any, frame: Any, *, into: str = "score", keep: Optional[list[str]] = None, pn: bool = False) -> Any:
    """The frame with a column more, the score of each row: high if it looks labeled rather than unlabeled.

    The parameters are those of `predict`.
    """
    return _add_column(frame, *_engine.plan_column(_ENGINE, model, frame, "score", into, keep, pn))


def predict(model: Any, frame: Any, *, into: str = "posterior", keep: Optional[list[str]] = None,
            alpha: Optional[float] = None, pn: bool = False) -> Any:
    """The frame with a column more, the posterior of each row: the probability that it is positive.

    Parameters
    ----------
    model : Model or path
        A path is one of the driver. The model is sent to the executors, so that they need no file.
    frame : pyspark.sql.DataFrame
        With the columns that the model was fitted with, and any others.
    into : str
        Name of the new column.
    keep : list of str, optional
        Columns of the frame to keep; by default all. Fewer are faster.
    alpha, pn
        As in `Model.predict`.

    Nothing is computed before the answer is. There are no warnings of drift: a partition need not be like the whole.
    """
    return _add_column(frame, *_engine.plan_column(_ENGINE, model, frame, "posterior", into, keep, pn, alpha))


@takes_all_names(option_names(of_fit=True))
def fit(frame: Any, *, label: str, weight: Optional[str] = None, features: Optional[list[str]] = None,
        sample: int = _engine.SAMPLE, interval: Union[bool, str] = False, **options: Any) -> Model:
    """Fits a sample of the rows, lets executors score the others, and estimates from the scores of all.

    Parameters
    ----------
    frame : pyspark.sql.DataFrame
        Its rows must be the same, in the same order, whenever it is computed, as those of files are. After a join or
        another shuffle, write it to Parquet first.
    label : str
        The column that is 1 or true for labeled positive rows, and 0, -1 or false for unlabeled ones.
    weight : str, optional
        The column of weights. A weight has the meaning of a count of rows.
    features : list of str, optional
        The columns to learn from; by default all others.
    sample : int
        About this many labeled rows and as many unlabeled ones are fitted, or all if there are not more. The driver
        must have memory for them.
    interval : bool or "bootstrap"
        As in `dedpul.fit`.
    **options
        Any option of `dedpul fit`, with _ for -. The `seed` decides about the sample, too.

    Returns
    -------
    Model
        As `dedpul.fit` returns it. Its `result` is about bins of scores; weight_positive and weight_unlabeled
        count the rows. `scores` are the cross-fitted ones of the sample.
    """
    return _engine.fit(_ENGINE, frame, label, weight, features, sample, {**options, "interval": interval})


@takes_all_names(option_names(of_fit=False))
def estimate(frame: Any, *, label: str, score: str, weight: Optional[str] = None, interval: Union[bool, str] = False,
             **options: Any) -> Result:
    """Estimates alpha from a column of scores. Each row must be scored by a model that has not seen it.

    Executors bin the scores, and the estimate is made from at most 10,000 weighted rows, however many there are. The
    options are those of `dedpul.estimate`. The result's arrays are about bins.
    """
    return _engine.estimate(_ENGINE, frame, label, score, weight, {**options, "interval": interval})


@takes_all_names(option_names(of_fit=False))
def evaluate(frame: Any, *, label: str, score: Optional[str] = None, weight: Optional[str] = None,
             truth: Optional[str] = None, model: Any = None, threshold: Any = None, level: Optional[float] = None,
             **options: Any) -> Evaluation:
    """How good scores are: those of a column or, of rows that it has not seen, those of a model.

    truth names a column with the true classes of some unlabeled rows: 1 and 0, or NaN where it is not known. threshold
    and level are as in `dedpul.metrics.evaluate`; the options are those of the estimate of alpha.
    """
    return _engine.evaluate(_ENGINE, frame, label, score, weight, truth, model, threshold, level, options)
