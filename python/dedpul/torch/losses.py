"""Risks of positive-unlabeled learning, for training loops of your own.

Each takes the logits of the labeled rows of a batch and those of the unlabeled ones, and returns what a step goes down
on. They are the risks of the C library (src/math/risk.h), which names their papers.
"""
from __future__ import annotations

import math

import torch
from torch.nn.functional import softplus

# The loss of a positive row with this logit. That of a negative row is the loss at -logit.
_LOSSES = {
    "sigmoid": lambda logit: torch.sigmoid(-logit),
    "brier": lambda logit: torch.sigmoid(-logit) ** 2,
    "logistic": lambda logit: softplus(-logit),
}


def _loss(name):
    if name not in _LOSSES:
        raise ValueError(f"loss: {name!r} is unknown; known are {', '.join(_LOSSES)}")
    return _LOSSES[name]


def _check_share(alpha):
    if not 0 <= alpha <= 1:
        raise ValueError(f"alpha: {alpha!r} is not a share from 0 to 1")


def balanced(labeled: torch.Tensor, unlabeled: torch.Tensor) -> torch.Tensor:
    """Log-loss of labeled against unlabeled rows; both classes count the same. `crossfit` trains on it."""
    return (softplus(-labeled).mean() + softplus(unlabeled).mean()) / 2


def _parts(labeled, unlabeled, alpha, loss):
    """The risk of positives, and that of negatives: mean l(U, -) - alpha mean l(P, -)."""
    _check_share(alpha)
    of = _loss(loss)
    return alpha * of(labeled).mean(), of(-unlabeled).mean() - alpha * of(-labeled).mean()


def upu(labeled: torch.Tensor, unlabeled: torch.Tensor, alpha: float, loss: str = "sigmoid") -> torch.Tensor:
    """The unbiased risk of positives against negatives, if the share alpha of the unlabeled rows is positive."""
    positive, negative = _parts(labeled, unlabeled, alpha, loss)
    return positive + negative


def nnpu(labeled: torch.Tensor, unlabeled: torch.Tensor, alpha: float, loss: str = "sigmoid", beta: float = 0.0,
         gamma: float = 1.0) -> torch.Tensor:
    """The same, but where the risk of negatives is below -beta, the step goes back: up on it, gamma times as far."""
    positive, negative = _parts(labeled, unlabeled, alpha, loss)
    return torch.where(negative < -beta, -gamma * negative, positive + negative)


def cvir(labeled: torch.Tensor, unlabeled: torch.Tensor, alpha: float) -> torch.Tensor:
    """Log-loss without the share alpha of the unlabeled rows that looks most positive."""
    return balanced(labeled, unlabeled[least_positive(unlabeled, alpha)])


def least_positive(unlabeled: torch.Tensor, alpha: float) -> torch.Tensor:
    """CVIR's selection, as a mask: the rows with a logit up to the (1 - alpha) quantile, a lower order statistic."""
    _check_share(alpha)
    position = math.floor((1 - alpha) * (len(unlabeled) - 1))
    return unlabeled <= unlabeled.detach().sort().values[position]


def pn(logit: torch.Tensor, posterior: torch.Tensor) -> torch.Tensor:
    """Log-loss of positives against negatives, where each row is both, with the weights of its posterior.

    Labeled rows have posterior 1. Both classes count the same, so add logit(alpha) to the logits of a network that is
    trained on it before you read them as probabilities.
    """
    rest = 1 - posterior
    return ((posterior * softplus(-logit)).sum() / posterior.sum() + (rest * softplus(logit)).sum() / rest.sum()) / 2
