"""The curve from score to posterior as straight lines in the logit, for whoever applies it elsewhere."""
from __future__ import annotations

from typing import NamedTuple

import numpy as np

TOLERANCE = 1e-5  # of posteriors
N_CELLS = 1024
_FAR = 1e300  # beyond any logit


class Line(NamedTuple):
    """The posterior of a logit in the cell with low <= logit < high is start + slope * (logit - low)."""

    cell: int
    low: float
    high: float
    start: float
    slope: float


class Curve(NamedTuple):
    """Lines, the first and the last of them level and without end.

    So that a row's line is found by an equality, logits are divided into N_CELLS cells, from 0 on: cell i begins at
    origin + i * width, and logits before the first cell or after the last one belong to these. A line is
    listed for each cell that it crosses.
    """

    origin: float
    width: float
    lines: list[Line]


def posterior_curve(result) -> Curve:
    """The curve of an estimate. Its posteriors are right up to TOLERANCE."""
    logits, posteriors = _thin(*_vertices(result))
    origin = float(logits[0])
    width = float(logits[-1] - origin) / N_CELLS or 1.0
    low, high = np.append(-_FAR, logits), np.append(logits, _FAR)
    start = np.append(posteriors[0], posteriors)
    slope = np.concatenate([[0], np.diff(posteriors) / np.diff(logits), [0]])
    first, last = (np.clip(np.floor((ends - origin) / width), 0, N_CELLS - 1).astype(int) for ends in (low, high))
    lines = zip(first.tolist(), last.tolist(), low.tolist(), high.tolist(), start.tolist(), slope.tolist())
    return Curve(origin, width, [Line(cell, *line) for begin, end, *line in lines for cell in range(begin, end + 1)])


def _vertices(result):
    """Where the curve bends: between points the ratio is linear, and the posterior bends where a scale times it is 1."""
    logits, ratios = result.point_logit, result.point_ratio
    step = np.diff(ratios)
    places = [logits]
    for bend in 1 / result.scales[result.scales > 0]:
        crosses = (ratios[:-1] - bend) * (ratios[1:] - bend) < 0
        way = (bend - ratios[:-1][crosses]) / step[crosses]
        places.append(logits[:-1][crosses] + way * np.diff(logits)[crosses])
    places = np.unique(np.concatenate(places))
    ratio = np.interp(places, logits, ratios)
    return places, np.minimum(np.outer(ratio, result.scales), 1) @ result.scale_weights


def _thin(x, y):
    """Leaves out points that are within TOLERANCE of the line between their neighbours."""
    kept, steepest, flattest = [0], np.inf, -np.inf
    for i in range(1, len(x)):
        run, rise = x[i] - x[kept[-1]], y[i] - y[kept[-1]]
        if not flattest <= rise / run <= steepest:
            kept.append(i - 1)
            steepest, flattest = np.inf, -np.inf
            run, rise = x[i] - x[i - 1], y[i] - y[i - 1]
        steepest = min(steepest, (rise + TOLERANCE) / run)
        flattest = max(flattest, (rise - TOLERANCE) / run)
    if len(x) > 1:
        kept.append(len(x) - 1)
    return x[kept], y[kept]
