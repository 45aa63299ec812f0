"""How networks are trained."""
import sys
from dataclasses import dataclass, field, fields
from typing import Any, Callable, Optional

import torch

from .. import _arrays


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


def read_settings(training):
    """Settings from keyword arguments."""
    unknown = set(training) - set(_SETTINGS)
    if unknown:
        raise TypeError(f"{sorted(unknown)[0]!r} is no setting of the training; known are {', '.join(_SETTINGS)}")
    settings = Settings(**training)
    if settings.progress is True:
        settings.progress = show_bar
    return settings
