"""Sweeps: many runs from one file, with results that are kept."""
from __future__ import annotations

import os
from typing import Any, Dict, List, Optional, Union

from . import _core

Path = Union[str, "os.PathLike[str]"]


class Columns(Dict[str, Any]):
    """Columns by name, of the same length."""

    def to_pandas(self) -> Any:
        import pandas  # type: ignore
        return pandas.DataFrame(self)


class Sweep:
    """A sweep (docs/sweeps.md): every combination of maps, starts and options, as runs in a fixed order.

        s = outrider.Sweep.load("environments/sweeps/radio.toml")
        s.run("logs/radio", threads=2)
        s.results["t90_base"], s.results["strategy"]
        s.report("radio.html")

    The folder is that of `outrider sweep`: the program goes on with what Python began, and the other way round.
    """

    def __init__(self, plan: _core.SweepPlan) -> None:
        self._plan = plan
        self.folder: Optional[str] = None
        self._results: Optional[Columns] = None

    @classmethod
    def load(cls, path: Path, shards: int = 0) -> "Sweep":
        """Reads a sweep file. shards: parts that several workers can take; 0: as the file says. Raises Error."""
        return cls(_core.SweepPlan(os.fspath(path), shards))

    @property
    def name(self) -> str:
        return self._plan.name

    @property
    def runs(self) -> int:
        """How many runs there are."""
        return self._plan.runs

    @property
    def cells(self) -> List[str]:
        """Each choice of options."""
        return list(self._plan.cells)

    @property
    def metrics(self) -> List[str]:
        """Metrics of the results."""
        return list(self._plan.metrics)

    def run(self, folder: Path, *, threads: int = 0, resume: bool = False, retry: bool = False, mix: bool = False,
            allow_external: bool = False) -> "Sweep":
        """Does what is left to do in a folder; returns self.

        threads: runs at a time; 0: one for each core. resume: go on in a folder that there is already. retry: run failed
        ones again. mix: go on although a strategy or the program has changed; their runs are kept apart. allow_external:
        let the sweep start the programs and import the modules that it names. Runs that fail do not stop the others:
        see `failures`. Ctrl-C lets the present runs end, keeps them, and raises KeyboardInterrupt.
        """
        folder = os.fspath(folder)
        if os.path.exists(os.path.join(folder, "plan.sqlite")) and not resume:
            raise _core.Error(f"{folder}: there is a sweep already; resume=True goes on with it")
        self._plan.write(folder)
        self.folder, self._results = folder, None
        done = _core.do_sweep(folder, threads, retry, mix, allow_external)
        #: The first twenty runs that failed: number, why.
        self.failures = done["failures"]
        return self

    @property
    def results(self) -> Columns:
        """Columns: map, start, repetition, cell, one for each axis, and one for each metric (nan: never reached); a row
        for each run that was done and did not fail. to_pandas() makes a DataFrame."""
        if self.folder is None:
            raise _core.Error("results: run(folder) comes before it")
        if self._results is None:
            self._results = Columns(_core.sweep_columns(self.folder))
        return self._results

    def report(self, path: Path, overwrite: bool = False) -> List[str]:
        """Writes the report that `outrider sweep report` makes, with its tables as CSV beside it; the files' names."""
        self.results
        assert self.folder is not None  # or there are no results
        return _core.sweep_report(self.folder, os.fspath(path), overwrite)
