"""Prints the seconds that scipy's gaussian_kde needs for the density of n points at these points."""
import sys
import time

import numpy
from scipy.stats import gaussian_kde

points = numpy.random.default_rng(3).normal(size=int(sys.argv[1]))
best = float("inf")
for _ in range(2):
    start = time.perf_counter()
    gaussian_kde(points, 0.05)(points)
    best = min(best, time.perf_counter() - start)
print(best)
