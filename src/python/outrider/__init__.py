"""Outrider: multi-robot exploration, simulated; the same program as `outrider`, to the bit.

    import outrider
    r = outrider.run("office", strategy="minpos", robots=4, seed=1)
    r.metrics["t90_team"]

A run step by step, with a robot that is ordered where to go:

    sim = outrider.Simulation("office", strategy="remote", robots=1)
    while not sim.done:
        sim.perceive()
        f = sim.belief("r1").frontiers
        sim.act({"r1": outrider.Goto.frontier(f[f["way"].argmin()]) if len(f) else outrider.Intent(done=True)})
"""
import os as _os

try:
    import numpy as _numpy
except ImportError as _error:
    raise ImportError("outrider needs numpy: python3 -m pip install numpy, or on Debian: apt install python3-numpy",
                      name="numpy") from _error

from . import _core, spaces
from ._bases import register as _register
from ._compare import Comparison, compare
from ._core import (Belief, Drive, Error, Follow, Goto, Intent, Overlay, Random, RandomStep, RunFailure, Stay, Word,
                    frontier_features, own_features, place_features, reward_terms, strategies, version,
                    window_channels)
from ._draws import among, between, case, folder, on_suite, suite
from ._env import Env
from ._parallel import ParallelEnv
from ._run import Log, Result, Simulation, load_log, run
from ._scenarios import generated, marmotlab
from ._strategy import Strategy, option
from ._sweep import Sweep
from ._turns import Turns
from ._vector import VectorEnv, make_vec

Error.__module__ = RunFailure.__module__ = "outrider"  # as they are caught

# Named scenarios such as "office": installed with the package, or those of the checkout that it was built in.
for _folder in ("environments", "../../../environments"):
    _core.add_shipped_folder(_os.path.join(_os.path.dirname(_os.path.abspath(__file__)), _folder))

_register()

__version__ = version
__all__ = ["Belief", "Comparison", "Drive", "Env", "Error", "Follow", "Goto", "Intent", "Log", "Overlay", "ParallelEnv",
           "Random", "RandomStep", "Result", "RunFailure", "Simulation", "Stay", "Strategy", "Sweep", "Turns",
           "VectorEnv", "Word", "among", "between", "case", "compare", "folder", "frontier_features", "generated", "load_log",
           "make_vec", "marmotlab", "on_suite", "option", "own_features", "place_features", "reward_terms", "run",
           "spaces", "strategies", "suite", "version", "window_channels"]
