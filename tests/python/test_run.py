"""Runs from Python are those of the program, to the bit."""
import csv
import os
import re
import subprocess
import sys
import tempfile
import tomllib
import unittest

import numpy as np
import outrider

PROGRAM = os.environ["OUTRIDER_PROGRAM"]
RADIO = {"comm.range_m": 8}


def program(*arguments):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, check=True).stdout


class Runs(unittest.TestCase):
    def test_same_digest_and_metrics_as_the_program(self):
        with tempfile.TemporaryDirectory() as folder:
            rows = os.path.join(folder, "rows.csv")
            said = program("run", "rooms", "--strategy", "minpos", "--robots", "3", "--seed", "5", "--steps", "150",
                           "--set", "comm.range_m=8", "--log", "none", "--csv", rows)
            table = list(csv.DictReader(open(rows)))
        r = outrider.run("rooms", strategy="minpos", robots=3, seed=5, steps=150, **RADIO)
        self.assertEqual(re.search(r"hash of all steps\s+(\w+)", said)[1], r.digest)
        self.assertEqual(list(table[0]), list(r.steps))
        for name, column in r.steps.items():
            self.assertEqual([float(row[name]) for row in table], list(column), name)
        self.assertEqual(r.metrics["steps"], len(table))
        self.assertIn("r1", r.robot_metrics)

    def test_step_by_step_and_in_halves_it_is_the_same_run(self):
        whole = outrider.run("rooms", strategy="mresim_greedy", robots=2, steps=120)
        for threads in (1, 3):
            stepped = outrider.Simulation("rooms", strategy="mresim_greedy", robots=2, steps=120, threads=threads)
            halves = outrider.Simulation("rooms", strategy="mresim_greedy", robots=2, steps=120, threads=threads)
            while not stepped.done:
                stepped.step()
            while not halves.done:
                halves.perceive()
                halves.act()
            self.assertEqual(stepped.digest, whole.digest)
            self.assertEqual(halves.digest, whole.digest)
            self.assertEqual(halves.reason, whole.reason)

    def test_a_dict_is_a_scenario_file(self):
        file = "environments/rooms.toml"
        with open(file, "rb") as f:
            content = tomllib.load(f)
        self.assertEqual(outrider.run(content, folder="environments", steps=80).digest,
                         outrider.run(file, steps=80).digest)
        content["map"]["file"] = os.path.abspath("environments/" + content["map"]["file"])
        self.assertEqual(outrider.run(content, steps=80).digest, outrider.run(file, steps=80).digest)

    def test_a_reset_is_a_fresh_run_with_that_seed(self):
        arguments = dict(strategy="random_walk", robots=2, steps=60)
        sim = outrider.Simulation("rooms", seed=1, **arguments)
        first = sim.run() and sim.digest
        sim.reset(7)
        self.assertFalse(sim.done)
        sim.run()
        self.assertNotEqual(sim.digest, first)
        self.assertEqual(sim.digest, outrider.run("rooms", seed=7, **arguments).digest)

    def test_log_is_that_of_the_program(self):
        with tempfile.TemporaryDirectory() as folder:
            log = os.path.join(folder, "run.sqlite")
            outrider.run("rooms", strategy="nearest", robots=1, steps=40, log=log, log_level="full")
            self.assertIn("same", program("rerun", log))
            with self.assertRaisesRegex(outrider.Error, "exists"):
                outrider.run("rooms", steps=40, log=log)
            log = os.path.join(folder, "none.sqlite")
            with self.assertRaises(outrider.Error):
                outrider.run("rooms", robots=-1, log=log)
            self.assertFalse(os.path.exists(log))

    def test_picture_and_tracks(self):
        with tempfile.TemporaryDirectory() as folder:
            r = outrider.run("rooms", strategy="nearest", robots=1, steps=40)
            picture = r.picture(os.path.join(folder, "run.png"))
            self.assertEqual(open(os.path.join(folder, "run.png"), "rb").read(), picture)
        self.assertTrue(picture.startswith(b"\x89PNG"))
        self.assertEqual(r._repr_png_(), picture)
        way = np.hypot(*np.diff(r.tracks["r1"], axis=0).T).sum()
        missing = r.metrics["distance_m"] - way  # a track begins a cell after the start
        self.assertTrue(-1e-9 < missing < 0.15, missing)

    def test_without_numpy_the_import_says_what_to_install(self):
        hidden = "import sys; sys.modules['numpy'] = None; import outrider"
        path = os.pathsep.join(p for p in sys.path if p)
        r = subprocess.run([sys.executable, "-c", hidden], env={**os.environ, "PYTHONPATH": path}, capture_output=True,
                           text=True)
        self.assertIn("ImportError: outrider needs numpy: python3 -m pip install numpy", r.stderr)

    def test_mistakes(self):
        def says(text, **arguments):
            with self.assertRaisesRegex(outrider.Error, text):
                outrider.run(**{"scenario": "rooms", **arguments})
        says("offic: cannot be read", scenario="offic")
        says("unknown strategy 'minpo'; did you mean 'minpos'", strategy="minpo")
        says("^strategy: unknown strategy 'greedy'; did you mean 'mresim_greedy'", strategy="greedy")
        says("^robots: team.robots = -1: expected a whole number", robots=-1)
        says("^settings: unknown option 'comm.rang_m'", settings={"comm.rang_m": 1})
        self.assertEqual(outrider.Error.__module__, "outrider")
        says("no argument 'robot'; options of a scenario are written section.key", robot=3)
        says("unknown option 'comm.rang_m'; did you mean 'comm.range_m'", settings={"comm.rang_m": 1})
        says("expected a number, a bool or a str", settings={"comm.range_m": [1]})
        says("team.robots", robots=-1)
        says("log_level: expected one of none, metrics, poses, full, got 'all'", log_level="all")
        says("steps", steps="many")


if __name__ == "__main__":
    unittest.main()
