#!/bin/bash
# The rank tests of the experiments give SciPy's numbers.
# shellcheck source=tests/cli/common.sh disable=SC2154
. "$SOURCE/tests/cli/common.sh"

/usr/bin/python3 -c 'import scipy.stats' 2>/dev/null || exit 77
cat >compare.py <<'END'
import subprocess, sys, warnings
import numpy as np
from scipy import stats

warnings.simplefilter("ignore")  # of few values for the normal approximation
compared = 0

def near(what, ours, theirs):
    global compared
    compared += 1
    if not abs(ours - theirs) <= 1e-9 * abs(theirs):
        sys.exit(f"{what}: {ours!r}, by SciPy {theirs!r}")

def wilcoxon(x, y):
    difference = x - y
    size = np.abs(difference[difference != 0])
    if len(size) == 0:
        return 0, 1
    # SciPy 1.10 takes the distribution without ties also where there are some, and then x, y and y, x differ.
    is_tied = len(np.unique(size)) < len(size)
    return stats.wilcoxon(x, y, method="approx" if is_tied else "auto")

def holm(p):
    order = np.argsort(p)
    adjusted = np.empty(len(p))
    adjusted[order] = np.minimum(np.maximum.accumulate(np.arange(len(p), 0, -1) * p[order]), 1)
    return adjusted

def compare(errors, answers):
    cells, methods = errors.shape
    statistic, p, *ranks = next(answers)
    theirs = stats.friedmanchisquare(*errors.T)
    near(f"Friedman's statistic, {errors.shape}", statistic, theirs.statistic)
    near(f"Friedman's p, {errors.shape}", p, theirs.pvalue)
    for rank, their_rank in zip(ranks, stats.rankdata(errors, axis=1).mean(axis=0), strict=True):
        near("average rank", rank, their_rank)
    pairs = [(a, b) for b in range(methods) for a in range(b)]
    theirs = [wilcoxon(errors[:, a], errors[:, b]) for a, b in pairs]
    adjusted = holm(np.array([p for _, p in theirs]))
    for pair, (statistic, p), their_adjusted in zip(pairs, theirs, adjusted):
        our_statistic, our_p, our_adjusted = next(answers)
        near(f"Wilcoxon's statistic, {errors.shape} {pair}", our_statistic, statistic)
        near(f"Wilcoxon's p, {errors.shape} {pair}", our_p, p)
        near(f"Holm's p, {errors.shape} {pair}", our_adjusted, their_adjusted)

rng = np.random.default_rng(1)
matrices = []
shapes = [(cells, methods) for cells in [5, 6, 9, 10, 20, 35, 49, 50, 51, 60] for methods in [3, 4, 9]]
for cells, methods in shapes + [(50, 32)]:
    errors = rng.exponential(rng.uniform(1, 3, methods), (cells, methods))  # some methods are worse
    matrices += [errors, np.round(errors, 2), np.round(2 * errors)]
text = "".join(f"{m.shape[0]} {m.shape[1]}\n" + " ".join(map(repr, m.ravel().tolist())) + "\n" for m in matrices)
output = subprocess.run([sys.argv[1]], input=text, capture_output=True, text=True, check=True).stdout
answers = ([float(x) for x in line.split()] for line in output.splitlines())
for errors in matrices:
    compare(errors, answers)
if next(answers, None) is not None:
    sys.exit("more answers than questions")
print(f"{compared} numbers compared")
END
check 'as SciPy' /usr/bin/python3 compare.py "$BUILD/tests/rank_statistics"
cat check.txt
finish
