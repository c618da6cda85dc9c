"""Sweeps: many runs from one file, with results that are kept."""
from __future__ import annotations

import os

from . import _core


class Columns(dict):
    """Columns by name, of the same length."""

    def to_pandas(self):
        import pandas
        return pandas.DataFrame(self)


class Sweep:
    """A sweep (docs/sweeps.md): every combination of maps, starts and options, as runs in a fixed order.

        s = outrider.Sweep.load("environments/sweeps/radio.toml")
        s.run("logs/radio", threads=2)
        s.results["t90_base"], s.results["strategy"]
        s.report("radio.html")

    The folder is that of `outrider sweep`: the program goes on with what Python began, and the other way round.
    """

    def __init__(self, plan):
        self._plan, self.folder, self._results = plan, None, None

    @classmethod
    def load(cls, path, shards=0):
        """Reads a sweep file. shards: parts that several workers can take; 0: as the file says. Raises Error."""
        return cls(_core.SweepPlan(os.fspath(path), shards))

    name = property(lambda self: self._plan.name)
    runs = property(lambda self: self._plan.runs, doc="How many runs there are.")
    cells = property(lambda self: list(self._plan.cells), doc="Each choice of options.")
    metrics = property(lambda self: list(self._plan.metrics), doc="Metrics of the results.")

    def run(self, folder, *, threads=0, resume=False, retry=False, mix=False, allow_external=False):
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
    def results(self):
        """Columns: map, start, repetition, cell, one for each axis, and one for each metric (nan: never reached); a row
        for each run that was done and did not fail. to_pandas() makes a DataFrame."""
        if self.folder is None:
            raise _core.Error("results: run(folder) comes before it")
        if self._results is None:
            self._results = Columns(_core.sweep_columns(self.folder))
        return self._results

    def report(self, path, overwrite=False):
        """Writes the report that `outrider sweep report` makes, with its tables as CSV beside it; the files' names."""
        self.results
        return _core.sweep_report(self.folder, os.fspath(path), overwrite)
