"""Runs: whole ones, and step by step."""
from __future__ import annotations

import os

from . import _core
from ._strategy import maker_of


class Simulation(_core.Simulation):
    """A run, step by step.

    scenario: the name of one ("office"), a scenario file, a map (PNG), or a dict with the content of a scenario file.
    strategy: of all robots: the text of a native one ("minpos", "mresim_greedy(alpha=3)"), "remote" for robots that
    are told what to do by act(), a Strategy class or object, or a function that makes an object with
    choose(belief, rng).
    robots, seed, steps: number of robots, seed of all random numbers, step limit; None: as the scenario says.
    threads: 0: one for every sixteen robots. log: file of the log, which must not be there yet; "": none. log_level:
    "metrics", "poses" or "full". folder: from where a dict names its map. settings: any option, {"comm.range_m": 8}, also
    as keywords: **{"comm.range_m": 8}.

    Raises Error, with the place and what was expected.
    """

    def __init__(self, scenario, *, strategy=None, robots=None, seed=None, steps=None, threads=0, log="",
                 log_level="poses", folder=None, settings=None, **more):
        given = {**(settings or {}), **more}
        for name, value in (("team.robots", robots), ("run.seed", seed), ("run.steps", steps)):
            if value is not None:
                given[name] = value
        for name in more:
            if "." not in name:
                raise _core.Error(f"no argument '{name}'; options of a scenario are written section.key, "
                                  "such as **{'comm.range_m': 8}")
        maker = maker_of(strategy)
        decide = None
        if maker is not None:
            strategy = "remote"

            def decide(name, text):
                return maker() if text == "remote" else None
        super().__init__(scenario if isinstance(scenario, dict) else os.fspath(scenario), settings=given,
                         strategy=strategy, folder=folder, threads=threads, log=os.fspath(log), log_level=log_level,
                         decide=decide)

    @property
    def metrics(self):
        """Metrics of the team up to now, by name (docs/metrics.md); nan: never reached."""
        return self.summary[0]

    @property
    def robot_metrics(self):
        """Metrics of each robot, by name of the robot and of the metric."""
        return self.summary[1]


class Result:
    """A finished run: metrics, steps, tracks, picture. In a notebook it shows itself."""

    def __init__(self, sim):
        self._png = sim.png()
        self.metrics, self.robot_metrics = sim.summary
        #: Columns of the row per step, float64 arrays by name.
        self.steps = sim.columns
        #: By robot the way that it drove: float64 array (n, 2), metres from the map's lower left corner.
        self.tracks = sim.tracks
        self.reason, self.digest, self.notes, self.toml = sim.reason, sim.digest, sim.notes, sim.toml

    def to_pandas(self):
        """The steps as a pandas.DataFrame."""
        import pandas
        return pandas.DataFrame(self.steps)

    def picture(self, path=None):
        """The picture of the map with the tracks: bytes of a PNG; written to `path` when one is given."""
        if path is not None:
            with open(path, "wb") as file:
                file.write(self._png)
        return self._png

    def _repr_png_(self):
        return self._png

    def __repr__(self):
        m = self.metrics
        return (f"<run of {m['steps']:.0f} steps, {self.reason}: team {100 * m['final_team']:.1f} %, "
                f"90 % at step {m['t90_team']:.0f}>")


def run(scenario, **arguments):
    """Runs a scenario to its end; arguments as of Simulation. Returns a Result.

        r = outrider.run("office", strategy="minpos", robots=4, seed=1, **{"comm.range_m": 8})
        r.metrics["t99_team"]; r.steps["team_share"]; r.picture("why.png")
    """
    sim = Simulation(scenario, **arguments)
    sim.run()
    return Result(sim)
