"""Strategies side by side, on the same scenarios with the same seeds."""
from __future__ import annotations

import math
import os
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Dict, Iterable, List, Mapping, Optional, Sequence, Tuple, Union

from . import _core
from ._run import run
from ._scenarios import settings_of, values
from ._types import Scenario, Setting


def _name_of(strategy: Any) -> str:
    if isinstance(strategy, str):
        return strategy
    kind = strategy if isinstance(strategy, type) else type(strategy)
    given = getattr(strategy, "given", None)
    inner = ", ".join(f"{name}={value!r}" for name, value in given.items()) if given else ""
    return f"{kind.__name__}({inner})" if inner else str(getattr(strategy, "__name__", kind.__name__))


class Comparison:
    """Results of compare(): rows of one run each, and a table of medians with paired differences to the first."""

    def __init__(self, names: List[str], rows: List[Dict[str, Any]]) -> None:
        self.names, self.rows = names, rows

    def values(self, name: str, metric: str) -> List[float]:
        """A metric of a strategy, in the order of scenarios and seeds; never reached is nan."""
        return [row[metric] for row in self.rows if row["strategy"] == name]

    def table(self, metric: str = "t99_team") -> str:
        """As text: the median with its 95 % interval and, against the first strategy, the median of paired ratios, how
        many pairs were lower and higher, and p of the mean difference, adjusted for their number (Holm). Runs of one
        scenario are alike, so each scenario counts once; of a single scenario p is over its seeds, and holds there
        only. "–": so few cannot show anything."""
        limit = max((row["steps"] for row in self.rows), default=0) + 1
        values = {name: [limit if math.isnan(v) else v for v in self.values(name, metric)] for name in self.names}
        first = values[self.names[0]]
        rows = [row for row in self.rows if row["strategy"] == self.names[0]]
        scenarios, seeds = (sorted({row[key] for row in rows}) for key in ("scenario", "seed"))
        tests = _core.compare_samples(first, [values[n] for n in self.names[1:]],
                                      [scenarios.index(row["scenario"]) for row in rows], [seeds.index(row["seed"]) for row in rows])
        lines = ["%-32s %8s %19s %8s %6s %6s %9s" %
                 (metric, "median", "95 % interval", "ratio", "lower", "higher", "p")]
        for k, name in enumerate(self.names):
            low, high = _core.median_interval(values[name])
            line = "%-32s %8.5g %9.5g %9.5g" % (name, _core.median(values[name]), low, high)
            if k > 0:
                pairs = list(zip(first, values[name]))
                ratios = [b / a for a, b in pairs if a > 0]
                _, p, too_few = tests[k - 1]
                line += " %8.3f %6d %6d %9s" % (_core.median(ratios) if ratios else math.nan,
                                                  sum(b < a for a, b in pairs), sum(b > a for a, b in pairs),
                                                "–" if too_few else "%.2g" % p)
            lines.append(line)
        if tests:
            over = f"{len(scenarios)} scenarios" if len(scenarios) > 1 else f"the seeds of {scenarios[0]}, and holds there only"
            lines.append(f"a difference {tests[0][2]}" if tests[0][2] else f"p is over {over}")
        never = sum(math.isnan(v) for name in self.names for v in self.values(name, metric))
        if never:
            lines.append(f"{never} runs never got there and count as {limit}")
        return "\n".join(lines)

    def to_pandas(self) -> Any:
        import pandas  # type: ignore
        return pandas.DataFrame(self.rows)

    def __repr__(self) -> str:
        return self.table()


def compare(strategies: Iterable[Any], scenarios: Union[Scenario, Sequence[Scenario]], *,
            seeds: Union[int, Iterable[int]] = 10, threads: int = 1, robots: Optional[int] = None,
            steps: Optional[int] = None, folder: Optional[str] = None,
            settings: Optional[Mapping[str, Setting]] = None, **more: Setting) -> Comparison:
    """Runs each strategy on each scenario with each seed, and compares them in pairs.

        c = outrider.compare(["mresim_greedy", "minpos", MyStrategy], ["office", "rooms"], seeds=10)
        print(c.table("t90_team"))

    strategies: as of run(), at least one; the first is what the others are compared with. scenarios: one or a list, as
    of run(). seeds: how many (1, 2, ...), or a list. threads: runs at a time; results do not depend on it. Other
    arguments: as of run().
    """
    compared, given = list(strategies), settings_of(settings, more, robots, None, steps)
    if not compared:
        raise _core.Error("compare: expected at least one strategy")
    names = [_name_of(s) for s in compared]
    twice = next((n for n in names if names.count(n) > 1), None)
    if twice:
        raise _core.Error(f"compare: two strategies are called '{twice}'")
    several: List[Any] = [scenarios] if isinstance(scenarios, (str, os.PathLike, *values)) else list(scenarios)  # type: ignore
    seeds = list(range(1, seeds + 1) if isinstance(seeds, int) else seeds)
    jobs = [(k, s, seed) for k in range(len(compared)) for s in several for seed in seeds]

    def one(job: Tuple[int, Any, int]) -> Dict[str, Any]:
        k, scenario, seed = job
        result = run(scenario, strategy=compared[k], seed=seed, picture=False, folder=folder, settings=given)
        return {"strategy": names[k], "scenario": str(scenario), "seed": seed, "reason": result.reason, **result.metrics}

    with ThreadPoolExecutor(threads) as pool:
        return Comparison(names, list(pool.map(one, jobs)))
