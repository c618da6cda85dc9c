"""Runs: whole ones, and step by step."""
from __future__ import annotations

import os
from typing import Any, Dict, List, Mapping, Optional, Tuple, Union

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._scenarios import expect_scenario, expect_seed, settings_of
from ._strategy import maker_of, text_of
from ._types import Scenario, Setting
from ._value import Saved, Value, given


class Simulation(Value, _core.Simulation):
    """A run, step by step.

    scenario: the name of one ("office"), a scenario file, a map (PNG), a dict with the content of a scenario file,
    outrider.generated(...), a map of a family for each seed, or outrider.marmotlab(...), a map of ARiADNE or IR2.
    strategy: of all robots: the text of a native one ("minpos", "mresim_greedy(alpha=3)"), "remote" for robots that
    are ordered by act(), a Strategy class or object, or a function that makes an object with
    choose(belief, rng).
    robots, seed, steps: number of robots, seed of all random numbers, step limit; None: as the scenario says.
    threads: 0: one for every sixteen robots. log: file of the log, which must not be there yet; "": none. log_level:
    "metrics", "poses" or "full". folder: from where a dict names its map. settings: any option, {"comm.range_m": 8}, also
    as keywords: **{"comm.range_m": 8}.

    Raises Error, with the place and what was expected.
    """

    def __init__(self, scenario: Scenario, *, strategy: Any = None, robots: Optional[int] = None,
                 seed: Optional[int] = None, steps: Optional[int] = None, threads: int = 0,
                 log: Union[str, "os.PathLike[str]"] = "", log_level: str = "poses", folder: Optional[str] = None,
                 settings: Optional[Mapping[str, Setting]] = None, **more: Setting) -> None:
        self._given = {**given(locals()), "log": ""}  # a copy writes no log
        self._intents: List[Tuple[int, Dict[Any, Any]]] = []  # before which step
        log = os.fspath(log)
        if log and os.path.lexists(log):
            raise _core.Error(f"log: {log} exists already; expected the name of a new file")
        maker = maker_of(strategy)
        decide = None
        if maker is not None:
            strategy = asked = text_of(strategy)

            def decide(name: str, text: str) -> Any:
                return maker() if maker and text == asked else None
        super().__init__(expect_scenario(scenario), settings=settings_of(settings, more, robots, seed, steps),
                         strategy=strategy, folder=folder, threads=threads, log=log, log_level=log_level,
                         decide=decide)

    def act(self, intents: Mapping[Union[str, int], Union[_core.Intent, _core.Action]] = {}) -> None:
        if intents:
            self._intents.append((self.steps_done, dict(intents)))
        super().act(dict(intents))

    act.__doc__ = _core.Simulation.act.__doc__

    def reset(self, seed: int) -> None:
        super().reset(expect_seed(seed))
        self._intents = []

    reset.__doc__ = _core.Simulation.reset.__doc__

    def save(self) -> Saved:
        """This moment, as a value that can be pickled: restore() comes back to it, here or in another object that was
        made with the same arguments. What strategies in Python know is not in it: they are asked again."""
        return {"seed": self.seed, "steps": self.steps_done, "intents": list(self._intents), "reason": self.reason,
                "perceived": self.perceived}

    def restore(self, saved: Saved) -> None:
        self.reset(saved["seed"])
        intents = dict(saved["intents"])
        while self.steps_done < saved["steps"]:
            self.perceive()
            self.act(intents.get(self.steps_done, {}))
        if saved["perceived"]:
            self.perceive()
        if saved["reason"] is not None:
            self.finish()

    def _twin(self) -> "Simulation":
        out = self._like()
        _core.Simulation.__init__(out, self)
        out._intents = list(self._intents)
        return out

    @property
    def metrics(self) -> Dict[str, float]:
        """Metrics of the team up to now, by name (docs/metrics.md); nan: never reached."""
        return self.summary[0]

    @property
    def robot_metrics(self) -> Dict[str, Dict[str, float]]:
        """Metrics of each robot, by name of the robot and of the metric."""
        return self.summary[1]


class Result:
    """A finished run: metrics, steps, tracks, picture. In a notebook it shows itself."""

    def __init__(self, sim: Simulation, picture: bool = True) -> None:
        self._png = sim.png() if picture else None
        self.metrics: Dict[str, float]
        self.robot_metrics: Dict[str, Dict[str, float]]
        self.metrics, self.robot_metrics = sim.summary
        #: Columns of the row per step, float64 arrays by name.
        self.steps = sim.columns
        #: By robot the path that it drove: float64 array (n, 2), metres from the map's lower left corner.
        self.tracks = sim.tracks
        self.reason: str = sim.reason or ""
        self.digest, self.notes, self.toml = sim.digest, sim.notes, sim.toml

    def to_pandas(self) -> Any:
        """The steps as a pandas.DataFrame."""
        import pandas  # type: ignore
        return pandas.DataFrame(self.steps)

    def picture(self, path: Union[None, str, "os.PathLike[str]"] = None) -> bytes:
        """The picture of the map with the tracks: bytes of a PNG; written to `path` when one is given."""
        if self._png is None:
            raise _core.Error("this run was made with picture=False")
        if path is not None:
            with open(path, "wb") as file:
                file.write(self._png)
        return self._png

    def _repr_png_(self) -> Optional[bytes]:
        return self._png

    def __repr__(self) -> str:
        m = self.metrics
        return (f"<run of {m['steps']:.0f} steps, {self.reason}: team {100 * m['final_team']:.1f} %, "
                f"90 % at step {m['t90_team']:.0f}>")


def run(scenario: Scenario, *, strategy: Any = None, robots: Optional[int] = None, seed: Optional[int] = None,
        steps: Optional[int] = None, threads: int = 0, log: Union[str, "os.PathLike[str]"] = "",
        log_level: str = "poses", folder: Optional[str] = None, picture: bool = True,
        settings: Optional[Mapping[str, Setting]] = None, **more: Setting) -> Result:
    """Runs a scenario to its end; arguments as of Simulation. Returns a Result; picture: whether it has one.

        r = outrider.run("office", strategy="minpos", robots=4, seed=1, **{"comm.range_m": 8})
        r.metrics["t99_team"]; r.steps["team_share"]; r.picture("why.png")
    """
    sim = Simulation(scenario, strategy=strategy, robots=robots, seed=seed, steps=steps, threads=threads, log=log,
                     log_level=log_level, folder=folder, settings=settings_of(settings, more, None, None, None))
    sim.run()
    return Result(sim, picture)


class Log(_core.Log):
    """A log that load_log() opened."""

    def map(self, robot: Union[str, int], step: int) -> Tuple[NDArray[np.uint8], Tuple[int, int]]:
        """Cells that a robot knew at a step: uint8 array (height, width), row 0 the lowest: 0 unknown, 1 free, 2
        occupied; and the (column, row) of its first cell. Full logs alone."""
        belief = self.belief(robot, step)
        column, row, width, height = belief.extent
        return belief.cells(column, row, max(1, width), max(1, height)), (column, row)

    def rerun(self, allow_external: bool = False) -> bool:
        """Runs it again; whether all steps are the same. allow_external: programs and Python modules that the log names
        may run, in this process from now on."""
        return self.first_difference(allow_external) is None


def load_log(path: Union[str, "os.PathLike[str]"]) -> Log:
    """Opens the log of a run: steps, poses, meta; of a full log also belief(), map() and why() of any step.

        log = outrider.load_log("logs/run.sqlite")
        log.steps["team_share"], log.poses["r1"], log.why("r1", 60), log.rerun()

    Starts no program that the log names. Raises Error when it is no log.
    """
    return Log(os.fspath(path))
