"""Cross-fitting of networks: each row gets the logit of networks that have not seen it."""
from __future__ import annotations

import hashlib
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Callable, Optional

import numpy as np
import torch

from .. import _arrays
from .._arrays import logistic
from .._warnings import DedpulWarning, warn
from ._checkpoint import Checkpoint
from ._data import read_data
from ._folds import Examples, deal_folds
from ._members import is_out_of_memory
from ._settings import read_settings
from ._training import Epoch, Training


@dataclass
class CrossFit:
    """Networks that were trained side by side, and what they say about the rows that they have not seen."""

    logits: np.ndarray
    """(n) The mean over partitions of the logit by the network that has not seen the row."""
    labels: np.ndarray
    fold: np.ndarray
    """(partitions, n) The fold of each row; the member `k * folds + f` has not seen fold f of partition k."""
    members: list
    """The networks, at the epoch that was kept."""
    best_epoch: int
    history: list[Epoch]
    steps: int
    """Steps of an epoch."""
    notes: dict
    """How the members were trained: why they were not stacked, or not as CUDA graphs; None: they were."""
    warnings: list = field(default_factory=list)

    @property
    def scores(self) -> np.ndarray:
        """(n) Sigmoids of the logits: what `dedpul.estimate` takes."""
        return logistic(self.logits)


@contextmanager
def _reproducible(devices):
    """Same seed, same result: random states are set here and given back, and cuDNN chooses no random algorithms."""
    indices = [device.index for device in devices if device.type == "cuda"]
    with torch.random.fork_rng(indices), torch.backends.cudnn.flags(enabled=torch.backends.cudnn.enabled, benchmark=False,
                                                                    deterministic=True, allow_tf32=True):
        yield


@contextmanager
def _clear_about_memory(settings):
    try:
        yield
    except RuntimeError as error:
        if not is_out_of_memory(error):
            raise
        raise MemoryError(
            f"out of memory on {', '.join(map(str, settings.devices))} ({str(error).splitlines()[0]}). Use fewer rows in a "
            f"step (batch=, now {settings.batch} of each class) or in a piece of scoring (score_batch=, now "
            f"{settings.score_batch}), train the networks one after the other (together=False), or use mixed precision "
            "(precision='bf16')") from error


def _fingerprint(training, labels):
    """What a checkpoint must have in common with the training that goes on from it."""
    s = training.settings
    digest = hashlib.sha256(labels.tobytes() + training.fold.tobytes() + training.examples.weights().tobytes())
    names = ("folds", "partitions", "batch", "rate", "decay", "epochs", "min_epochs", "patience", "epoch_steps",
             "precision", "seed")
    return {**{name: getattr(s, name) for name in names}, "stage": training.stage, "steps": training.steps,
            "devices": [str(device) for device in s.devices], "together": training.not_together is None,
            "labels, groups and weights": digest.hexdigest()}


def train_examples(make_model, rows, labels, examples, fold, settings, stage, checkpoint):
    """Trains members on examples of the rows, with the same folds for every stage."""
    with _reproducible(settings.devices), _clear_about_memory(settings):
        training = Training(make_model, rows, examples, fold, settings, stage)
        kept_in = None
        if checkpoint is not None:
            kept_in = Checkpoint(checkpoint, settings.checkpoint_every, _fingerprint(training, labels))
        notes = training.run(kept_in)
        logits = training.held_out(np.arange(rows.n))
        members = training.members()
    warnings = []
    if len(training.history) - training.best_epoch < settings.patience:
        warnings.append(DedpulWarning("epoch_limit", f"training ({stage}) ended after {settings.epochs} epochs while its "
                                      "loss could still fall: scores may get better with more (epochs=)"))
    return CrossFit(logits, labels, fold, members, training.best_epoch, training.history, training.steps, notes, warnings)


def read_arguments(data, labels, weights, groups, collate, workers, training):
    """Rows, labels, weights, folds and settings from the arguments of `crossfit` and `fit`."""
    settings = read_settings(training)
    rows, labels = read_data(data, labels, collate, workers)
    if isinstance(weights, torch.Tensor):
        weights = weights.cpu().numpy()
    weights = _arrays.weights(weights, rows.n)
    if weights is not None and not (np.isfinite(weights).all() and (weights >= 0).all()):
        raise ValueError("weights must be finite and at least 0")
    fold = deal_folds(labels, groups, settings.folds, settings.partitions, settings.seed)
    return rows, labels, weights, fold, settings


def crossfit(make_model: Callable[[], torch.nn.Module], data: Any, labels: Any = None, *, weights: Any = None,
             groups: Any = None, collate: Optional[Callable] = None, workers: int = 0, **training: Any) -> CrossFit:
    """Trains networks on labeled against unlabeled rows so that each row is scored by networks that have not seen it.

    Parameters
    ----------
    make_model : function
        Returns a new network, any nn.Module with one logit for each row. Its weights follow from torch's random state,
        which is set for each member, so that members differ and a seed gives the same ones again.
    data : tensor, array or Dataset; or a pair (labeled, unlabeled) of them
        Of an item that is a tuple, the first part is the input; `collate` can make other batches of items.
    labels : array, optional
        1 (labeled positive) and 0 or -1 (unlabeled); without it, data is a pair.
    weights : array, optional
        Rows are drawn in proportion to them, and count so in the loss that is watched.
    groups : array, optional
        Rows of a group, such as images of one patient, stay in one fold.
    collate, workers
        As of a DataLoader, for datasets.
    folds, partitions : int, default 5 and 3
        Partitions of the rows into folds. Each has a network for each fold; logits are averaged over partitions.
    batch : int, default 64
        Rows of each class in a step.
    rate, decay : float, default 1e-3 and 1e-4
        Of Adam, with the decay added to the gradient.
    optimizer : function, optional
        Makes another optimizer from a list of parameters.
    schedule : function, optional
        Factor of the rate from the share of `epochs` that is done, 0 to 1.
    epochs, min_epochs, patience, epoch_steps : int, default 250, 8, 15 and 12
        All networks end with the epoch, not before min_epochs, that has the lowest loss of the averaged held-out logits;
        training ends after `patience` epochs without a lower one. An epoch is a pass over the smaller class, of at least
        epoch_steps and at most 200 steps (or epoch_steps, if that is more).
    transform : function, optional
        Changes a batch on the device at training only, such as random flips. It should draw from torch's random state.
    precision : "bf16", optional
        Mixed precision.
    device : device or list of devices, optional
        Members are dealt out to several. The default is the GPU if there is one.
    together : bool, optional
        Train all networks of a device as one, by torch.func.vmap. By default, if they have no convolutions and can.
    graph : bool, optional
        Replay steps as CUDA graphs. By default, on a GPU whose memory holds the data, if they can be captured.
    score_batch : int, default 1024
        Rows that are scored at a time.
    seed : int, default 0
        The same seed gives the same result on the same device.
    progress : True or function, optional
        True draws a bar; a function is called as progress(stage, epoch, epochs, loss).
    checkpoint : path, optional
        A file to go on from after an interrupt. It is written every `checkpoint_every` seconds (default 60) at the end of
        an epoch, and stays: the same call later trains no more than is missing.

    Returns
    -------
    CrossFit
    """
    rows, labels, weights, fold, settings = read_arguments(data, labels, weights, groups, collate, workers, training)
    examples = Examples(np.arange(rows.n), labels, weights)
    found = train_examples(make_model, rows, labels, examples, fold, settings, "network", settings.checkpoint)
    warn(found.warnings, 2)
    return found
