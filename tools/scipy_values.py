#!/usr/bin/env python3
"""Prints the reference values of tests/test_statistics.cpp, computed by scipy (Debian: python3-scipy) and numpy."""
import numpy as np
from scipy import stats

plain = [1.1, -0.4, 2.7, 3.2, -1.9, 0.8, 5.5, 4.1, -0.2, 2.2]
tied = [1, -1, 2, 3, 3, -2, 5, 5, 0, 4, 4, -3, 0, 6, 1]
large = [((i * 37) % 101 - 38) + i / 1000 for i in range(60)]
print("quantiles", [float(np.quantile(plain, p)) for p in (0, 0.25, 0.5, 0.9, 1)])
for name, d in (("plain", plain), ("tied", tied), ("large", large)):
    r = stats.wilcoxon(d)
    print("wilcoxon", name, float(r.statistic), repr(float(r.pvalue)))
x, y = [3, 1, 4, 1, 5, 9, 2, 6], [5, 3, 5, 8, 9, 7, 9]
u = stats.mannwhitneyu(y, x).statistic  # pairs in which y is above x, ties half
print("probability_below", float(u) / (len(x) * len(y)))
p = np.array([0.01, 0.04, 0.03, 0.005, 0.5])
order = np.argsort(p)
adjusted = np.minimum(1, np.maximum.accumulate(p[order] * (len(p) - np.arange(len(p)))))
print("holm", adjusted[np.argsort(order)].tolist())
r = stats.bootstrap((large,), np.median, n_resamples=10000, method="percentile", random_state=1)
print("bootstrap", float(r.confidence_interval.low), float(r.confidence_interval.high))
