"""Fits, predictions and estimates for data frames of Dask, however many rows they have.

Workers must have dedpul, too. A frame has its rows in partitions; each is a task, which one thread does.

>>> import dask.dataframe, numpy as np, pandas, dedpul.dask
>>> random = np.random.default_rng(0)
>>> rows = pandas.DataFrame({"x": random.normal(size=3000) + 3 * (np.arange(3000) < 2000), "label": np.arange(3000) < 1000})
>>> frame = dask.dataframe.from_pandas(rows, npartitions=3)
>>> model = dedpul.dask.fit(frame, label="label", classifier="gbdt", folds=3, ensemble=1)
>>> abs(model.alpha - 0.5) < 0.1
True
>>> dedpul.dask.predict(model, frame).columns.tolist()
['x', 'label', 'posterior']
"""
from __future__ import annotations

from typing import Any, Optional, Union

try:
    import dask
    import dask.dataframe
except ImportError as error:
    raise ImportError(f"dedpul.dask needs Dask ({error}): pip install 'dask[dataframe,distributed]'") from None

from . import _engine
from ._evaluation import Evaluation
from ._model import Model
from ._names import option_names, takes_all_names
from ._result import Result

__all__ = ["estimate", "evaluate", "fit", "predict", "score"]

_JOINED = 16  # answers at a time


def _run_task(task, part, number, model):
    return task([part], number, model)


class _Dask:
    def columns(self, frame):
        if not isinstance(frame, dask.dataframe.DataFrame):
            raise ValueError(f"a frame of Dask is needed, not an object of type {type(frame).__name__}; "
                             "dask.dataframe.from_pandas makes one")
        return list(frame.columns)

    def run(self, frame, columns, task, model=None):
        return _compute(*self._tasks(frame, columns, task, model))

    def run_bins(self, frame, columns, task, model=None):
        answers = self._tasks(frame, columns, task, model)
        while len(answers) > 1:
            answers = [dask.delayed(_engine.join_bins)(answers[i:i + _JOINED]) for i in range(0, len(answers), _JOINED)]
        return _compute(*answers)[0]

    @staticmethod
    def _tasks(frame, columns, task, model):
        model = None if model is None else dask.delayed(model)  # it goes to a worker once
        run = dask.delayed(_run_task, pure=False)
        name = f"dedpul-{type(task).__name__}-{dask.base.tokenize(frame, columns, task)}"
        return [run(task, part, number, model, dask_key_name=(f"{name}-{number}"))
                for number, part in enumerate(frame[columns].to_delayed())]


_ENGINE = _Dask()


def _compute(*answers):
    try:
        return list(dask.compute(*answers))
    except KeyError as error:
        raise ValueError(f"a partition does not have the columns that the frame says it has: {error.args[0]}") from None


def _add_column_to(part, task, model, partition_info=None):
    return task(part, 0 if partition_info is None else partition_info["number"], model)


def _add_column(frame, task, needed, model):
    meta = frame._meta[task.keep].assign(**{task.into: 0.0})
    return frame[needed].map_partitions(_add_column_to, task, dask.delayed(model), meta=meta)


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
        It is sent to the workers, so that they need no file.
    frame : dask.dataframe.DataFrame
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
    """Fits a sample of the rows, lets workers score the others, and estimates from the scores of all.

    Parameters
    ----------
    frame : dask.dataframe.DataFrame
        Its rows must be the same whenever it is computed, as those of files are.
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

    Workers bin the scores, and the estimate is made from at most 10,000 weighted rows, however many there are. The
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
