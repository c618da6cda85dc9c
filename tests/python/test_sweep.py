"""Sweeps from Python: the program's own, with its results as columns."""
import os
import sqlite3
import subprocess
import sys
import tempfile
import unittest

import numpy as np
import outrider

SWEEP = """
name = "two"
maps = ["environments/small_office.toml"]
seeds = "1..3"
metrics = ["t50_team", "distance_m"]
[set]
team.robots = 2
[axes]
strategy = ["nearest", "minpos"]
comm.range_m = [5, 50]
"""


class Sweeps(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.file = os.path.join(self.folder.name, "two.toml")
        self.out = os.path.join(self.folder.name, "out")
        with open(self.file, "w") as file:
            file.write(SWEEP.replace("environments/", os.getcwd() + "/environments/"))

    def test_results_are_those_of_the_program(self):
        sweep = outrider.Sweep.load(self.file)
        self.assertEqual((sweep.name, sweep.runs, len(sweep.cells)), ("two", 12, 4))
        results = sweep.run(self.out, threads=2).results
        self.assertEqual(sweep.failures, [])
        self.assertEqual(list(results), ["map", "start", "repetition", "cell", "team.strategy", "comm.range_m",
                                         *sweep.metrics])
        self.assertEqual(sorted(set(results["start"])), [1, 2, 3])
        merged = os.path.join(self.folder.name, "merged.sqlite")
        subprocess.run([os.environ["OUTRIDER_PROGRAM"], "sweep", "merge", self.out, "-o", merged], check=True,
                       stdout=subprocess.DEVNULL)
        with sqlite3.connect(merged) as db:
            rows = db.execute("SELECT distance_m FROM run").fetchall()
        np.testing.assert_array_equal(sorted(results["distance_m"]), sorted(r[0] for r in rows))
        names = sweep.report(os.path.join(self.folder.name, "r.html"))
        self.assertTrue(all(os.path.getsize(n) > 0 for n in names))
        with self.assertRaisesRegex(outrider.Error, "resume=True goes on with it"):
            sweep.run(self.out)
        again = outrider.Sweep.load(self.file).run(self.out, resume=True)
        np.testing.assert_array_equal(again.results["distance_m"], results["distance_m"])

    def test_interrupted_it_goes_on_later(self):
        program = (f"import outrider, threading, os, signal\n"
                   f"s = outrider.Sweep.load({self.file!r})\n"
                   f"threading.Timer(0.05, lambda: os.kill(os.getpid(), signal.SIGINT)).start()\n"
                   f"try:\n    s.run({self.out!r}, threads=1)\n    print('all')\n"
                   f"except KeyboardInterrupt as e:\n    print('stopped', e)\n")
        said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True,
                              env={**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}).stdout
        self.assertRegex(said, "^(stopped .*resume=True.? goes on|all)")
        self.assertEqual(len(outrider.Sweep.load(self.file).run(self.out, resume=True).results["start"]), 12)

    def test_mistakes(self):
        with open(self.file) as file:
            text = file.read()
        with open(self.file, "w") as file:
            file.write(text.replace('"minpos"', '"minpoz"'))
        with self.assertRaisesRegex(outrider.Error, "two.toml:.*minpoz.*minpos"):
            outrider.Sweep.load(self.file)
        with self.assertRaises(outrider.Error):
            outrider.Sweep.load(os.path.join(self.folder.name, "none.toml"))


if __name__ == "__main__":
    unittest.main()
