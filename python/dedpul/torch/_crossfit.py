"""Cross-fitting of networks: each row gets the logit of networks that have not seen it."""
from __future__ import annotations

import hashlib
import sys
import time
from contextlib import contextmanager
from dataclasses import dataclass, field, fields
from itertools import zip_longest
from typing import Any, Callable, NamedTuple, Optional, Union

import numpy as np
import torch

from .. import _arrays
from .._result import DedpulWarning, warn
from ._checkpoint import Checkpoint
from ._data import read_data
from ._folds import Decks, Examples, choose_watched, deal_folds, mixed_seed, steps_per_epoch
from ._members import is_out_of_memory, make_teams


class Epoch(NamedTuple):
    """An epoch of the training: the mean loss of its steps, and the loss of the averaged held-out logits."""

    epoch: int
    training_loss: float
    loss: float
    seconds: float


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
        return 1 / (1 + np.exp(-self.logits))


@dataclass
class Settings:
    """How networks are trained; `crossfit` says what each of them means."""

    folds: int = 5
    partitions: int = 3
    batch: int = 64
    rate: float = 1e-3
    decay: float = 1e-4
    epochs: int = 250
    min_epochs: int = 8
    patience: int = 15
    epoch_steps: int = 12
    optimizer: Optional[Callable] = None
    schedule: Optional[Callable] = None
    transform: Optional[Callable] = None
    precision: Optional[str] = None
    device: Any = None
    together: Optional[bool] = None
    graph: Optional[bool] = None
    score_batch: int = 1024
    seed: int = 0
    progress: Any = None
    checkpoint: Any = None
    checkpoint_every: float = 60
    n_labeled: int = field(init=False)  # rows of each class in a step, once it is known how many there are
    n_unlabeled: int = field(init=False)

    def __post_init__(self):
        least = {"folds": 2, "partitions": 1, "batch": 1, "epochs": 1, "min_epochs": 1, "patience": 1, "epoch_steps": 1,
                 "score_batch": 1, "seed": 0}
        for name, low in least.items():
            if _arrays.whole(getattr(self, name), name) < low:
                raise ValueError(f"{name}: {getattr(self, name)} is too low; the least is {low}")
        if not self.rate > 0 or not self.decay >= 0:
            raise ValueError(f"rate must be above 0 and decay at least 0, but they are {self.rate} and {self.decay}")
        if self.precision not in (None, "bf16"):
            raise ValueError(f"precision: {self.precision!r} is unknown; give 'bf16' (mixed precision) or None")
        self.devices = self._devices()

    def _devices(self):
        given = self.device
        if given is None:
            given = "cuda" if torch.cuda.is_available() else "cpu"
        given = given if isinstance(given, (list, tuple)) else [given]
        devices = [torch.device(name) for name in given]
        return [torch.device("cuda", torch.cuda.current_device()) if device == torch.device("cuda") else device
                for device in devices]


_SETTINGS = [one.name for one in fields(Settings) if one.init]


def show_bar(stage, epoch, epochs, loss):
    """Draws a line that is replaced at each epoch."""
    done = 30 * epoch // epochs
    end = "\n" if epoch == epochs else ""
    print(f"\r{stage} [{'#' * done:<30}] epoch {epoch} of at most {epochs}, held-out loss {loss:.4f} ", end=end,
          file=sys.stderr, flush=True)


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


class Training:
    """The members in training, and when to stop."""

    def __init__(self, make_model, rows, examples, fold, settings, stage):
        self.rows, self.examples, self.fold, self.settings, self.stage = rows, examples, fold, settings, stage
        self.make_model = make_model
        self.n_members = settings.partitions * settings.folds
        self.decks = [Decks(examples, *self._held_out(m)) for m in range(self.n_members)]
        self.steps = steps_per_epoch(self.decks, settings.batch, settings.epoch_steps)
        settings.n_unlabeled, settings.n_labeled = (
            min(settings.batch, min(len(deck.examples[label]) for deck in self.decks)) for label in (0, 1))
        self._find_watched()
        self.history, self.best_epoch, self.lowest, self.kept = [], 0, np.inf, None
        self._make_teams()

    def _held_out(self, member):
        partition, held_out = divmod(member, self.settings.folds)
        return self.fold[partition], held_out

    def _unseen(self, member, rows):
        fold, held_out = self._held_out(member)
        return rows[fold[rows] == held_out]

    def _find_watched(self):
        examples, weight = self.examples, self.examples.weights()
        chosen = choose_watched(examples.label, weight > 0, self.settings.seed)
        self.watched_example = chosen
        self.watched = np.unique(examples.row[chosen])
        self.watched_weight = weight[chosen]

    def make(self, member):
        """A new network of the user's."""
        torch.manual_seed(mixed_seed(self.settings.seed, 3, member))
        model = self.make_model()
        if not isinstance(model, torch.nn.Module):
            raise ValueError(f"make_model() must return a torch.nn.Module, but it returned a {type(model).__name__}")
        return model

    def _make_teams(self):
        devices = self.settings.devices
        dealt = {device: list(range(self.n_members))[k::len(devices)] for k, device in enumerate(devices)}
        dealt = {device: members for device, members in dealt.items() if members}
        self.teams, self.not_together = make_teams(self.make, dealt, self.rows, self.settings)
        of_device = [[team for team in self.teams if team.device == device] for device in dealt]
        self.rounds = [[team for team in turn if team is not None] for turn in zip_longest(*of_device)]

    # ---- training ----

    def _transform(self, batch, is_stack):
        transform = self.settings.transform
        if transform is None:
            return batch
        if is_stack:  # to a transform, rows of all members are one batch
            return transform(batch.flatten(0, 1)).unflatten(0, batch.shape[:2])
        return transform(batch)

    def _draw(self, team, epoch):
        """Rows of an epoch's batches: (steps, rows) or, for all members of a stack, (steps, members, rows)."""
        lines = []
        for member in team.members:
            random = np.random.default_rng(mixed_seed(self.settings.seed, 4, member, epoch))
            drawn = [self.decks[member].draw(label, self.steps * n, random).reshape(self.steps, n)
                     for label, n in ((1, self.settings.n_labeled), (0, self.settings.n_unlabeled))]
            lines.append(np.concatenate(drawn, 1))
        return torch.from_numpy(np.stack(lines, 1) if team.is_stack else lines[0])

    def capture_graphs(self):
        """Makes CUDA graphs of the teams' steps where that can be done. Returns the reason why not, or None."""
        if self.settings.graph is False:
            return "graph=False"
        pools = {}
        for team in self.teams:
            if not self.rows.is_on(team.device) or team.device.type != "cuda":
                return "the data are not on a GPU"
            pool = pools.setdefault(team.device, torch.cuda.graph_pool_handle())
            index = self._draw(team, 0)[0].to(team.device)
            team.train(True)
            reason = team.capture(self.rows, index, lambda batch: self._transform(batch, team.is_stack), pool)
            if reason is not None:
                for other in self.teams:
                    other.graph = None
                return reason
        return None

    def _team_steps(self, team, epoch):
        """Takes the steps of an epoch, one at a time."""
        index = self._draw(team, epoch)
        team.train(True)
        team.loss_sum.zero_()
        batches = index.to(team.device) if team.graph else self.rows.batches(index, team.device)
        for step, batch in enumerate(batches):
            if self.settings.schedule is not None:
                done = (epoch - 1 + step / self.steps) / self.settings.epochs
                team.set_rate(self.settings.schedule(done))
            if team.graph is not None:
                team.replay(batch)
            else:
                team.step(self._transform(batch, team.is_stack))
            yield

    def _advance(self, epoch):
        for k, turn in enumerate(self.rounds):
            torch.manual_seed(mixed_seed(self.settings.seed, 5, epoch, k))
            for _ in zip_longest(*(self._team_steps(team, epoch) for team in turn)):
                pass  # teams take turns, so that their devices work side by side
        losses = np.concatenate([team.loss_sum.cpu().numpy() for team in self.teams]) / self.steps
        self._check_finite(losses, epoch)
        self.rows.check()
        return float(losses.mean())

    def _check_finite(self, values, epoch):
        if np.isfinite(values).all():
            return
        row = self.rows.first_not_finite()
        if row is not None:
            raise FloatingPointError(f"row {row} of data has a value that is not finite: fill it, or leave the row out")
        raise FloatingPointError(f"training broke down in epoch {epoch}: the loss is not finite any more. Use a lower rate "
                                 f"(rate=, now {self.settings.rate:g}), scale the inputs, or train without mixed precision")

    # ---- held-out logits ----

    def _score(self, team, wanted):
        """Logits of the rows wanted, one array for each member of the team."""
        longest = max(map(len, wanted))
        if longest == 0:
            return [np.empty(0) for _ in wanted]
        index = torch.from_numpy(np.stack([np.resize(rows, longest) for rows in wanted]))
        pieces = (index if team.is_stack else index[0]).split(self.settings.score_batch, -1)
        team.train(False)
        found = [team.logits(batch, piece.shape[-1])
                 for batch, piece in zip(self.rows.batches(pieces, team.device), pieces)]
        found = torch.cat(found, -1).double().cpu().numpy().reshape(len(wanted), longest)
        return [logits[:len(rows)] for logits, rows in zip(found, wanted)]

    def held_out(self, rows):
        """The mean over partitions of the held-out logit of each of these rows, in an array over all rows."""
        mean = np.zeros(self.rows.n)
        for team in self.teams:
            wanted = [self._unseen(member, rows) for member in team.members]
            for of_member, logits in zip(wanted, self._score(team, wanted)):
                mean[of_member] += logits / self.settings.partitions
        return mean

    def _watch(self):
        """The loss of the averaged held-out logits; both classes count the same."""
        logit = self.held_out(self.watched)[self.examples.row[self.watched_example]]
        label = self.examples.label[self.watched_example]
        loss = np.logaddexp(0, np.where(label == 1, -logit, logit))
        return sum(np.average(loss[label == k], weights=self.watched_weight[label == k]) for k in (0, 1)) / 2

    # ---- when to stop ----

    def _one_epoch(self, epoch):
        begin = time.perf_counter()
        training_loss = self._advance(epoch)
        loss = self._watch()
        self._check_finite(loss, epoch)
        fewest = min(self.settings.min_epochs, self.settings.epochs)
        if epoch >= fewest and (loss < self.lowest or self.best_epoch == 0):
            self.lowest, self.best_epoch = loss, epoch
            self.kept = [team.weights() for team in self.teams]
        self.history.append(Epoch(epoch, training_loss, float(loss), time.perf_counter() - begin))

    def _is_over(self):
        epoch = len(self.history)
        return epoch >= self.settings.epochs or self.best_epoch > 0 and epoch - self.best_epoch >= self.settings.patience

    def run(self, checkpoint):
        state = checkpoint.read() if checkpoint is not None else None
        if state is not None:
            self._go_on_from(state)
        reason = self.capture_graphs() if not self._is_over() else None
        while not self._is_over():
            self._one_epoch(len(self.history) + 1)
            if self.settings.progress is not None:
                self.settings.progress(self.stage, len(self.history), self.settings.epochs, self.history[-1].loss)
            if checkpoint is not None and (checkpoint.is_due() or self._is_over()):
                checkpoint.write(self._state())
        for team, weights in zip(self.teams, self.kept):
            team.set_weights(weights)
        return {"together": self.not_together, "graph": reason}

    def _state(self):
        return {"history": [list(epoch) for epoch in self.history], "best_epoch": self.best_epoch,
                "lowest": float(self.lowest), "kept": self.kept, "teams": [team.state() for team in self.teams]}

    def _go_on_from(self, state):
        self.history = [Epoch(*epoch) for epoch in state["history"]]
        self.best_epoch, self.lowest, self.kept = state["best_epoch"], state["lowest"], state["kept"]
        for team, own in zip(self.teams, state["teams"]):
            team.restore(own)

    def members(self):
        """The networks, with the weights that were kept."""
        found = [None] * self.n_members
        for team in self.teams:
            for member in team.members:
                found[member] = team.network(member, self.make).eval()
        return found


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


def read_settings(training):
    """Settings from keyword arguments."""
    unknown = set(training) - set(_SETTINGS)
    if unknown:
        raise TypeError(f"{sorted(unknown)[0]!r} is no setting of the training; known are {', '.join(_SETTINGS)}")
    settings = Settings(**training)
    if settings.progress is True:
        settings.progress = show_bar
    return settings


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
