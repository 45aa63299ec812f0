"""From data to answers: the fit, its model, and its file."""
from __future__ import annotations

import os
from typing import Any, Callable, Optional, Union

import numpy as np
import torch

from .._library import version
from .._arrays import logistic
from .._evaluation import Rows
from .._result import Interval, Result, estimate_rows
from .._warnings import DedpulWarning, warn
from . import _files
from ._crossfit import CrossFit, read_arguments, train_examples
from ._data import read_rows
from ._folds import Examples
from ._members import one_logit
from ._settings import read_settings

_KIND = "model of dedpul.torch 1"
_FEWEST_NEGATIVES = 20  # to learn positives against negatives from: every fold leaves some


class Ensemble:
    """Trained networks whose logits are averaged."""

    def __init__(self, members, precision):
        self.members, self.precision = members, precision

    def logits(self, rows, batch):
        device = next((p.device for p in self.members[0].parameters()), torch.device("cpu"))
        found = []
        pieces = torch.arange(rows.n).split(batch)
        context = torch.autocast(device.type, torch.bfloat16, enabled=self.precision == "bf16")
        with torch.no_grad(), context:
            for piece, inputs in zip(pieces, rows.batches(pieces, device)):
                outputs = [one_logit(member(inputs), len(piece)).double() for member in self.members]
                found.append(torch.stack(outputs).mean(0).cpu())
        return torch.cat(found).numpy()


class Model:
    """A fitted model, as `fit` and `load` return it.

    Attributes
    ----------
    result : dedpul.Result
        The estimate: alpha, its interval, posteriors of the unlabeled rows, ...
    pn_posterior : ndarray or None
        With `pn=True`: cross-fitted posteriors of the unlabeled rows by networks of positives against negatives.
    crossfit, pn_crossfit : CrossFit or None
        The trainings; None if the model was loaded.
    """

    def __init__(self, result, ensembles, shift, crossfit=None, pn_crossfit=None, pn_posterior=None):
        self.result, self._ensembles, self._shift = result, ensembles, shift
        self.crossfit: Optional[CrossFit] = crossfit
        self.pn_crossfit: Optional[CrossFit] = pn_crossfit
        self.pn_posterior: Optional[np.ndarray] = pn_posterior

    @property
    def alpha(self) -> float:
        return self.result.alpha

    def _logits(self, data, pn, batch, collate, workers):
        if pn and "pn" not in self._ensembles:
            raise ValueError("the model has no networks of positives against negatives; fit it with pn=True")
        rows = read_rows(data, collate, workers)
        return self._ensembles["pn" if pn else "ntc"].logits(rows, batch)

    def score(self, data: Any, *, batch: int = 1024, collate: Optional[Callable] = None, workers: int = 0) -> np.ndarray:
        """Score of each row, high if it looks labeled rather than unlabeled: the mean of all networks."""
        return logistic(self._logits(data, False, batch, collate, workers))

    def predict(self, data: Any, *, pn: bool = False, batch: int = 1024, collate: Optional[Callable] = None,
                workers: int = 0) -> np.ndarray:
        """Posterior of each row: the probability that it is positive, as one among the unlabeled."""
        logits = self._logits(data, pn, batch, collate, workers)
        return logistic(logits + self._shift) if pn else self.result.evaluate(logistic(logits))

    def to(self, device: Any) -> "Model":
        """Moves the networks to a device."""
        for ensemble in self._ensembles.values():
            for member in ensemble.members:
                member.to(device)
        return self

    def save(self, path: Any) -> None:
        """Writes one file that `load` reads: weights and numbers, no code."""
        ensembles = {name: {"members": [member.state_dict() for member in ensemble.members],
                            "precision": ensemble.precision} for name, ensemble in self._ensembles.items()}
        _files.write(path, {"kind": _KIND, "version": version, "shift": self._shift, "ensembles": ensembles,
                            "result": _plain(self.result), "pn_posterior": _plain_array(self.pn_posterior)})

    def __repr__(self) -> str:
        ensembles = ", ".join(f"{len(e.members)} networks ({name})" for name, e in self._ensembles.items())
        return f"dedpul.torch.Model\n  scores    {ensembles}\n" + "\n".join(repr(self.result).splitlines()[1:])


# ---- files ----

def _plain_array(array):
    return None if array is None else torch.from_numpy(np.array(array))


def _plain(result):
    """A result as tensors, numbers and texts."""
    plain = {}
    for name, value in vars(result).items():
        if isinstance(value, np.ndarray):
            value = _plain_array(value)
        elif isinstance(value, Interval):
            value = list(value)
        elif isinstance(value, Rows):
            value = [_plain_array(array) for array in value]
        elif name == "warnings":
            value = [[warning.code, warning.message] for warning in value]
        plain[name] = value
    return plain


def _array_of(value):
    return value.cpu().numpy() if isinstance(value, torch.Tensor) else value


def _result_of(plain):
    state = {name: _array_of(value) for name, value in plain.items()}
    state["_rows"] = Rows(*map(_array_of, state["_rows"]))
    state["interval"] = None if state["interval"] is None else Interval(*state["interval"])
    state["warnings"] = [DedpulWarning(*warning) for warning in state["warnings"]]
    result = Result.__new__(Result)
    result.__setstate__(state)
    return result


def load(path: Any, make_model: Callable[[], torch.nn.Module], device: Any = None) -> Model:
    """Reads a file of `Model.save`. The networks are made by `make_model`; the file holds their weights, and no code."""
    device = device if device is not None else "cuda" if torch.cuda.is_available() else "cpu"
    state = _files.read(path, device, _KIND)
    ensembles = {}
    for name, ensemble in state["ensembles"].items():
        members = [make_model() for _ in ensemble["members"]]
        for member, weights in zip(members, ensemble["members"]):
            try:
                member.load_state_dict(weights)
            except RuntimeError as error:
                raise ValueError(f"{path}: make_model() does not make the networks that were saved ({error})") from None
            member.to(device).eval()
        ensembles[name] = Ensemble(members, ensemble["precision"])
    return Model(_result_of(state["result"]), ensembles, state["shift"], pn_posterior=_array_of(state["pn_posterior"]))


# ---- fits ----

def _pn_examples(labels, weights, posterior):
    """Each unlabeled row is an example twice: positive with the weight of its posterior, and negative with the rest."""
    p = np.ones(len(labels))
    p[labels == 0] = posterior
    weight = np.concatenate((p, 1 - p)) * (1 if weights is None else np.tile(weights, 2))
    row, label = np.tile(np.arange(len(labels)), 2), np.repeat(np.array([1, 0], np.uint8), len(labels))
    counts = weight > 0
    return Examples(row[counts], label[counts], weight[counts])


def _pn_settings(training, pn):
    """Settings of the networks of positives against negatives, or None if there are none."""
    if not isinstance(pn, dict):
        return read_settings(training) if pn else None
    if "folds" in pn or "partitions" in pn:
        raise ValueError("pn: folds and partitions are those of the first training; leave them out")
    return read_settings({**training, **pn})


def fit(make_model: Callable[[], torch.nn.Module], data: Any, labels: Any = None, *, weights: Any = None,
        groups: Any = None, options: Optional[dict] = None, pn: Union[bool, dict] = False, collate: Optional[Callable] = None,
        workers: int = 0, **training: Any) -> Model:
    """Cross-fits networks, and goes on to alpha, its interval and posteriors.

    Parameters
    ----------
    make_model, data, labels, weights, groups, collate, workers, **training
        As of `crossfit`.
    options : dict, optional
        Options of `dedpul.estimate`, such as {"method": "dedpul"}; an interval is asked for unless it says otherwise.
    pn : bool or dict
        Also train networks of positives against negatives, on the posteriors: mostly a better classifier. A dict holds
        settings of that training that differ, such as {"epochs": 50}. Its checkpoint, if there is one, has `.pn` at the
        end of its name.

    Returns
    -------
    Model

    Examples
    --------
    >>> import numpy as np, torch, dedpul.torch
    >>> random = np.random.default_rng(0)
    >>> x = torch.tensor(random.normal(size=(900, 2)) + 3 * (np.arange(900) < 500)[:, None], dtype=torch.float32)
    >>> labels = (np.arange(900) < 200).astype(int)
    >>> model = dedpul.torch.fit(lambda: torch.nn.Linear(2, 1), x, labels, partitions=1, epochs=20, rate=0.05, device="cpu")
    >>> abs(model.alpha - 3 / 7) < 0.1
    True
    >>> (model.predict(torch.tensor([[3., 3.], [0., 0.]])) > 0.5).tolist()
    [True, False]
    """
    rows, labels, weights, fold, settings = read_arguments(data, labels, weights, groups, collate, workers, training)
    pn_settings = _pn_settings(training, pn)
    examples = Examples(np.arange(rows.n), labels, weights)
    ntc = train_examples(make_model, rows, labels, examples, fold, settings, "network", settings.checkpoint)
    result = estimate_rows(ntc.scores, labels, weights, {"interval": True, "seed": settings.seed, **(options or {})})
    ensembles = {"ntc": Ensemble(ntc.members, settings.precision)}
    shift, of_pn, pn_posterior = 0.0, None, None
    warnings = ntc.warnings + result.warnings
    if pn_settings is not None:
        examples = _pn_examples(labels, weights, result.posterior)
        if (examples.label == 0).sum() < _FEWEST_NEGATIVES:
            raise ValueError(f"pn=True: fewer than {_FEWEST_NEGATIVES} unlabeled rows may be negative, too few to learn from")
        checkpoint = None if settings.checkpoint is None else os.fspath(settings.checkpoint) + ".pn"
        of_pn = train_examples(make_model, rows, labels, examples, fold, pn_settings, "pn network", checkpoint)
        share = min(max(result.alpha, 1e-6), 1 - 1e-6)
        shift = float(np.log(share / (1 - share)))  # both classes counted the same
        ensembles["pn"] = Ensemble(of_pn.members, pn_settings.precision)
        pn_posterior = logistic(of_pn.logits + shift)[labels == 0]
        warnings = warnings + of_pn.warnings
    warn(warnings, 2)
    return Model(result, ensembles, shift, ntc, of_pn, pn_posterior)
