"""Scores in bins. An estimate from the bins of any number of rows is nearly that of the rows.

A bin has one score, the mean of all its rows, labeled or not. So a labeled and an unlabeled row of a bin tie,
and methods that look at the order of scores see the bin as a whole. (With a mean for each label, all labeled
rows of a bin would come before its unlabeled ones, or after them, and an estimate that follows the highest
scores would be wrong by this.)
"""
from __future__ import annotations

from typing import Iterable, NamedTuple, Optional

import numpy as np

MOST_ROWS = 10_000  # weighted rows that the library gets
FRACTION = 1024     # a bin is at most this part of the deviation of the logits; the narrowest kernels have 0.08
MOST_CELLS = 32768  # nor is it narrower than this part of the range of the logits
LEAST = 1e-12       # logits of scores nearer to 0 or 1 do not differ


class Bins(NamedTuple):
    """Bins in the order of their scores, which are distinct."""

    score: np.ndarray      # (n) mean score
    positive: np.ndarray   # (n) sum of the weights of labeled rows
    unlabeled: np.ndarray  # (n) that of unlabeled ones

    def n_rows(self) -> int:
        """How many weighted rows they are."""
        return np.count_nonzero(self.positive) + np.count_nonzero(self.unlabeled)


class WeightedRows(NamedTuple):
    """What `dedpul.estimate` takes."""

    scores: np.ndarray
    labels: np.ndarray
    weights: np.ndarray


def bin_rows(scores: np.ndarray, labels: np.ndarray, weights: Optional[np.ndarray] = None, *,
             most: int = MOST_ROWS) -> Bins:
    """Bins of rows with scores in [0, 1] and labels 1 and 0: exact if at most `most` of the rows differ."""
    weights = np.ones(len(scores)) if weights is None else np.asarray(weights, float)
    is_positive = np.asarray(labels) == 1
    rows = Bins(np.asarray(scores, float), np.where(is_positive, weights, 0), np.where(is_positive, 0, weights))
    return _coarsen(rows, most)


def merge(parts: Iterable[Bins], *, most: int = MOST_ROWS) -> Bins:
    """Bins of all rows from those of parts of them."""
    parts = list(parts)
    return _coarsen(Bins(*(np.concatenate(values) for values in zip(*parts))), most)


def weighted_rows(bins: Bins) -> WeightedRows:
    """A row for each label in a bin."""
    has_positive, has_unlabeled = bins.positive > 0, bins.unlabeled > 0
    return WeightedRows(
        np.concatenate([bins.score[has_positive], bins.score[has_unlabeled]]),
        np.repeat(np.array([1, 0], np.uint8), [np.count_nonzero(has_positive), np.count_nonzero(has_unlabeled)]),
        np.concatenate([bins.positive[has_positive], bins.unlabeled[has_unlabeled]]))


def logit(scores: np.ndarray) -> np.ndarray:
    """The logits that bins are equally wide in."""
    inside = np.clip(scores, LEAST, 1 - LEAST)
    return np.log(inside / (1 - inside))


def _coarsen(bins, most):
    """Puts equal scores together and, if there are still too many rows, near ones: cells of equal width in logits.

    Widths are powers of 2, so that cells of one width are whole cells of any narrower one.
    """
    order = np.argsort(bins.score, kind="stable")
    bins = Bins(*(values[order] for values in bins))
    bins = _gather(bins, bins.score)
    if bins.n_rows() <= most:
        return bins
    logits = logit(bins.score)
    width = _cell_width(bins, logits)
    while True:
        # The library moves scores of exactly 0 and 1 to where the next ones say, so they stay apart.
        cells = np.where(bins.score <= 0, -np.inf, np.where(bins.score >= 1, np.inf, np.floor(logits / width)))
        coarse = _gather(bins, cells)
        if coarse.n_rows() <= most:
            return coarse
        width *= 2


def _cell_width(bins, logits):
    """The width of cells that are fine enough for any method."""
    inside = (bins.score > 0) & (bins.score < 1)
    logits = logits[inside]
    deviations = [_deviation(logits, weights[inside]) for weights in (bins.positive, bins.unlabeled)]
    deviation = min((value for value in deviations if value > 0), default=0)
    return 2.0 ** np.floor(np.log2(max(deviation / FRACTION, np.ptp(logits) / MOST_CELLS)))


def _deviation(values, weights):
    total = weights.sum()
    if not total > 0:
        return 0
    mean = (weights * values).sum() / total
    return float(np.sqrt((weights * (values - mean) ** 2).sum() / total))


def _gather(bins, cells):
    """Bins of the rows that are in the same cell; both are in the order of the scores."""
    if len(cells) == 0:
        return bins
    first = np.flatnonzero(np.concatenate([[True], cells[1:] != cells[:-1]]))
    least = bins.score[first]
    weight = bins.positive + bins.unlabeled
    beyond = bins.score - np.repeat(least, np.diff(np.append(first, len(cells))))
    total = np.add.reduceat(weight, first)
    # The mean from the least score on: that of equal scores is the score, to the last bit.
    score = least + np.add.reduceat(weight * beyond, first) / np.where(total > 0, total, 1)
    return Bins(score, np.add.reduceat(bins.positive, first), np.add.reduceat(bins.unlabeled, first))
