"""Outrider: multi-robot exploration, simulated; the same program as `outrider`, to the bit.

    import outrider
    r = outrider.run("office", strategy="minpos", robots=4, seed=1)
    r.metrics["t90_team"]

A run step by step, with a robot that is told where to go:

    sim = outrider.Simulation("office", strategy="remote", robots=1)
    while not sim.done:
        sim.perceive()
        f = sim.belief("r1").frontiers
        sim.act({"r1": outrider.Goto.frontier(f[f["way"].argmin()]) if len(f) else outrider.Intent(done=True)})
"""
from ._core import (Belief, Drive, Error, Follow, Goto, Intent, Overlay, Random, RandomStep, RunFailure, Stay, Word,
                    strategies, version)
from ._run import Result, Simulation, run
from ._strategy import Strategy, option

__version__ = version
__all__ = ["Belief", "Drive", "Error", "Follow", "Goto", "Intent", "Overlay", "Random", "RandomStep", "Result",
           "RunFailure", "Simulation", "Stay", "Strategy", "Word", "option", "run", "strategies", "version"]
