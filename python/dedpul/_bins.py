"""Scores in bins. An estimate from the bins of any number of rows is nearly that of the rows.

A bin has one score, the mean of all its rows, labeled or not. So a labeled and an unlabeled row of a bin tie,
and methods that look at the order of scores see the bin as a whole. (With a mean for each label, all labeled
rows of a bin would come before its unlabeled ones, or after them, and an estimate that follows the highest
scores would be wrong by this.)
"""
from __future__ import annotations

from typing import Callable, Iterable, NamedTuple, Optional

import numpy as np

MOST_ROWS = 10_000  # weighted rows that the library gets
FRACTION = 16384    # the finest bins are at most this part of the deviation of the logits; kernels have 0.08 of it
MOST_CELLS = 1 << 18  # (but this part of the range of the logits if that is wider); both as in bins.sql
LEAST = 1e-12       # logits of scores nearer to 0 or 1 do not differ
_WIDE = 16          # as many of the finest are joined wherever no order is lost by it
_AROUND = 1024      # and as many tell how dense rows are


class Bins(NamedTuple):
    """Bins in the order of their scores, which are distinct."""

    score: np.ndarray              # (n) mean score
    positive: np.ndarray           # (n) sum of the weights of labeled rows
    unlabeled: np.ndarray          # (n) that of unlabeled ones
    positive_squares: np.ndarray   # (n) sum of the squares of the weights of labeled rows
    unlabeled_squares: np.ndarray  # (n) that of unlabeled ones
    truth: Optional[np.ndarray] = None  # (n, 2) of the weights of unlabeled rows, those of known negatives and positives

    def n_rows(self) -> int:
        """How many weighted rows they are."""
        return np.count_nonzero(self.positive) + np.count_nonzero(self.unlabeled)

    def each(self, change: Callable[[np.ndarray], np.ndarray]) -> Bins:
        return Bins(*(None if values is None else change(values) for values in self))


class WeightedRows(NamedTuple):
    """What `estimate_rows` takes."""

    scores: np.ndarray
    labels: np.ndarray
    weights: np.ndarray
    squares: np.ndarray  # by these it is known how many rows weights are worth that are no counts
    truth: Optional[np.ndarray] = None  # 1, 0 or NaN


def bin_rows(scores: np.ndarray, labels: np.ndarray, weights: Optional[np.ndarray] = None,
             squares: Optional[np.ndarray] = None, *, truth: Optional[np.ndarray] = None, most: int = MOST_ROWS) -> Bins:
    """Bins of rows with scores in [0, 1] and labels 1 and 0: exact if at most `most` of the rows differ.

    If a row stands for several, `squares` are the sums of the squares of their weights. `truth` has true classes, 1 and 0,
    and any other value for what is not known.
    """
    weights = np.ones(len(scores)) if weights is None else np.asarray(weights, float)
    squares = weights**2 if squares is None else np.asarray(squares, float)
    is_positive = np.asarray(labels) == 1
    rows = Bins(np.asarray(scores, float), *(np.where(counts, values, 0) for values in (weights, squares)
                                             for counts in (is_positive, ~is_positive)))
    if truth is not None:
        known = [np.where(~is_positive & (truth == value), weights, 0) for value in (0, 1)]
        rows = rows._replace(truth=np.stack(known, axis=1))
    return _coarsen(rows, most)


def merge(parts: Iterable[Bins], *, most: int = MOST_ROWS) -> Bins:
    """Bins of all rows from those of parts of them."""
    parts = list(parts)
    return _coarsen(Bins(*(None if values[0] is None else np.concatenate(values) for values in zip(*parts))), most)


def weighted_rows(bins: Bins) -> WeightedRows:
    """A row for each label in a bin or, if there is truth, one for each class of the unlabeled ones that is known."""
    groups = [(1, np.nan, bins.positive, bins.positive_squares)]
    rest, whole = bins.unlabeled, np.where(bins.unlabeled > 0, bins.unlabeled, 1)
    for value in () if bins.truth is None else (0, 1):
        known = bins.truth[:, value]
        groups.append((0, value, known, bins.unlabeled_squares * known / whole))
        rest = rest - known
    rest = np.where(rest > 1e-9 * whole, rest, 0)  # beyond the errors of sums
    groups.append((0, np.nan, rest, bins.unlabeled_squares * rest / whole))
    rows = [(bins.score[weight > 0], np.full(np.count_nonzero(weight), float(label)), weight[weight > 0], squares[weight > 0],
             np.full(np.count_nonzero(weight), truth)) for label, truth, weight, squares in groups]
    *columns, truth = map(np.concatenate, zip(*rows))
    return WeightedRows(*columns, None if bins.truth is None else truth)


def logit(scores: np.ndarray) -> np.ndarray:
    """The logits that bins are equally wide in."""
    inside = np.clip(scores, LEAST, 1 - LEAST)
    return np.log(inside / (1 - inside))


def _coarsen(bins, most):
    """Puts equal scores together and, if there are still too many rows, near ones: cells of equal width in logits.

    Widths are powers of 2, so that cells of one width are whole cells of any narrower one. At first, cells are joined
    that have rows of one label, or nothing between them: there the order of labeled and unlabeled rows stays. Where rows
    are dense they come first, since where rows are few the curve may rise much from one to the next. If this is not enough,
    wider cells are made where the fewest pairs lose their order.
    """
    order = np.argsort(bins.score, kind="stable")
    bins = bins.each(lambda values: values[order])
    bins = _gather(bins, bins.score)
    if bins.n_rows() <= most:
        return bins
    finest = _cell_width(bins)
    bins = _gather(bins, _cells(bins, finest))
    width = _WIDE * finest
    while bins.n_rows() > most and width > finest:
        bins = _join(bins, _cells(bins, width), most, _density(bins, _AROUND * finest))
        width /= 2
    while bins.n_rows() > most:
        width *= 2
        bins = _join(bins, _cells(bins, width), most)
    return bins


def _density(bins, width):
    """The weight of the cell that each bin is in."""
    cells = _cells(bins, width)
    first = _first(cells)
    return np.repeat(np.add.reduceat(bins.positive + bins.unlabeled, first), _sizes(first, cells))


def _cells(bins, width):
    # The library moves scores of exactly 0 and 1 to where the next ones say, so they stay apart.
    cells = np.floor(logit(bins.score) / width)
    return np.where(bins.score <= 0, -np.inf, np.where(bins.score >= 1, np.inf, cells))


def _join(bins, cells, most, density=None):
    """Joins the bins of cells until there are at most this many rows, or of all cells if they are not enough.

    Cells come first whose labeled and unlabeled rows lose their order least, that is, in the fewest pairs. If densities
    are given, no order may be lost, and the densest cells come first.
    """
    joined = _gather(bins, cells)
    first = _first(cells)
    kept = sum(np.add.reduceat(values > 0, first, dtype=int) for values in (bins.positive, bins.unlabeled))
    saved = kept - (joined.positive > 0) - (joined.unlabeled > 0)
    lost = joined.positive * joined.unlabeled - np.add.reduceat(bins.positive * bins.unlabeled, first)
    order = np.argsort(lost if density is None else -density[first], kind="stable")
    order = order[(saved[order] > 0) & (True if density is None else lost[order] <= 0)]
    enough = np.searchsorted(np.cumsum(saved[order]), bins.n_rows() - most) + 1
    is_joined = np.zeros(len(first), bool)
    is_joined[order[:enough]] = True
    is_joined = np.repeat(is_joined, _sizes(first, cells))
    return _gather(bins, np.where(is_joined, cells, np.arange(len(cells)) + 0.5))


def _first(cells):
    """Where each cell begins."""
    return np.flatnonzero(np.concatenate([[True], cells[1:] != cells[:-1]]))


def _sizes(first, cells):
    """How many bins each cell has."""
    return np.diff(np.append(first, len(cells)))


def _cell_width(bins):
    """The width of cells that are fine enough for any method."""
    inside = (bins.score > 0) & (bins.score < 1)
    logits = logit(bins.score[inside])
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
    first = _first(cells)
    least = bins.score[first]
    weight = bins.positive + bins.unlabeled
    beyond = bins.score - np.repeat(least, _sizes(first, cells))
    total = np.add.reduceat(weight, first)
    # The mean from the least score on: that of equal scores is the score, to the last bit.
    score = least + np.add.reduceat(weight * beyond, first) / np.where(total > 0, total, 1)
    return bins.each(lambda values: np.add.reduceat(values, first))._replace(score=score)
