#!/usr/bin/env python3
"""Prints the reference values of tests/test_statistics*.cpp, computed by scipy (Debian: python3-scipy) and numpy."""
import numpy as np
from scipy import stats

plain = [1.1, -0.4, 2.7, 3.2, -1.9, 0.8, 5.5, 4.1, -0.2, 2.2]
tied = [1, -1, 2, 3, 3, -2, 5, 5, 0, 4, 4, -3, 0, 6, 1]
large = [((i * 37) % 101 - 38) + i / 1000 for i in range(60)]
print("quantiles", [float(np.quantile(plain, p)) for p in (0, 0.25, 0.5, 0.9, 1)])
for name, d in (("plain", plain), ("tied", tied)):
    r = stats.permutation_test((d,), np.mean, permutation_type="samples", n_resamples=np.inf)
    print("sign flips", name, repr(float(r.pvalue)))
print("normal quantile", repr(float(stats.norm.ppf(0.975))))
x, y = [3, 1, 4, 1, 5, 9, 2, 6], [5, 3, 5, 8, 9, 7, 9]
u = stats.mannwhitneyu(y, x).statistic  # pairs in which y is above x, ties half
print("probability_below", float(u) / (len(x) * len(y)))
p = np.array([0.01, 0.04, 0.03, 0.005, 0.5])
order = np.argsort(p)
adjusted = np.minimum(1, np.maximum.accumulate(p[order] * (len(p) - np.arange(len(p)))))
print("holm", adjusted[np.argsort(order)].tolist())
r = stats.bootstrap((large,), np.median, n_resamples=10000, method="percentile", random_state=1)
print("bootstrap", float(r.confidence_interval.low), float(r.confidence_interval.high))

for name, a, b in (("small", plain[:7], [0.3, 5.9, 7.1, -3.3, 8.8, 9.4]), ("ties", x, y), ("large", large, [v + 11.5 for v in plain * 3])):
    r = stats.mannwhitneyu(a, b)
    print("mann-whitney", name, float(r.statistic), repr(float(r.pvalue)))
print("iqm", [float(stats.trim_mean(v, 0.25)) for v in (plain, tied, large)])
r = stats.bootstrap((plain,), lambda v, axis: stats.trim_mean(v, 0.25, axis=axis), n_resamples=20000, method="percentile", vectorized=True, random_state=1)
print("iqm bootstrap", float(r.confidence_interval.low), float(r.confidence_interval.high))
print("kendall", float(stats.kendalltau(x[:7], y).statistic), float(stats.kendalltau(tied[:10], plain).statistic))

# Kaplan-Meier is not in scipy 1.10: by its definition, with Greenwood's variance on the log-log scale.
times, seen = [6, 6, 6, 6, 7, 9, 10, 10, 11, 13, 16, 17, 19, 20, 22, 23, 25, 32, 32, 34, 35], [1, 1, 1, 0, 1, 0, 1, 0, 0, 1, 1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0]
s, g = 1.0, 0.0
for t in sorted({t for t, e in zip(times, seen) if e}):
    n = sum(u >= t for u in times)
    d = sum(u == t and e for u, e in zip(times, seen))
    s, g = s * (1 - d / n), g + d / (n * (n - d))
    reach = stats.norm.ppf(0.975) * g ** 0.5 / np.log(s)
    print("kaplan-meier", t, s, s ** np.exp(-reach), s ** np.exp(reach))
