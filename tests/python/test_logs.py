"""Logs read from Python, and comparisons of strategies."""
import os
import subprocess
import sys
import tempfile
import unittest

import numpy as np
import outrider


class Mine(outrider.Strategy):
    weight = outrider.option(0.0, low=0, high=1)

    def choose(self, belief, rng):
        f = belief.frontiers
        if not len(f):
            return outrider.Intent(done=True)
        best = f[f["way"].argmin()]
        return outrider.Intent(outrider.Goto.frontier(best), overlays=[outrider.Overlay.rule("the nearest")])


class Logs(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def run_to(self, name, level, **arguments):
        path = os.path.join(self.folder.name, name)
        return path, outrider.run("rooms", robots=2, steps=60, seed=3, log=path, log_level=level, **arguments)

    def test_a_log_holds_what_the_run_was(self):
        path, run = self.run_to("a.sqlite", "full", strategy="minpos")
        log = outrider.load_log(path)
        self.assertEqual((log.robots, log.meta["end_reason"]), (["r1", "r2"], "step_limit"))
        for name, values in run.steps.items():
            np.testing.assert_allclose(log.steps[name], values, rtol=1e-6, err_msg=name)
        # A track begins with the start and holds corners of the way; a pose is where a step ended.
        np.testing.assert_allclose(log.poses["r1"][-1, :2], run.tracks["r1"][-1], atol=0.11)
        self.assertEqual(log.poses["r1"].shape, (60, 3))
        self.assertTrue(log.rerun())
        self.assertEqual(outrider.run({"map": {"file": "environments/rooms.png"}}, steps=1, robots=2).reason, "step_limit")

    def test_what_a_robot_knew_and_why_it_decided(self):
        path, _ = self.run_to("b.sqlite", "full", strategy="nearest")
        log = outrider.load_log(path)
        sim = outrider.Simulation("rooms", robots=2, steps=60, seed=3, strategy="nearest")
        known = []
        for step in range(41):
            sim.step()
            if step in (10, 40):
                known.append(sim.belief("r2").cells(*sim.belief("r2").extent))
        late, _ = log.map("r2", 40)
        early, low = log.map("r2", 10)
        np.testing.assert_array_equal(early, known[0])
        np.testing.assert_array_equal(late, known[1])
        self.assertEqual(len(low), 2)
        reasons = log.why("r2", 40)
        self.assertEqual({r["layer"] for r in reasons}, {"candidates", "rule"})
        marks = next(r for r in reasons if r["layer"] == "candidates")
        self.assertEqual(marks["points"].shape, (len(marks["values"]), 2))
        belief = log.belief("r1", 40)
        self.assertEqual((belief.name, belief.step), ("r1", 40))
        log.belief("r1", 41)
        with self.assertRaisesRegex(outrider.Error, "of a step that is over"):
            belief.pose

    def test_a_strategy_in_python_shows_its_reasons_too(self):
        path, _ = self.run_to("c.sqlite", "full", strategy=Mine(weight=0.5))
        log = outrider.load_log(path)
        self.assertIn("the nearest", [r["text"] for r in log.why("r1", 30)])
        self.assertIn("python(test_logs:Mine, weight=0.5)", log.toml)
        self.assertTrue(log.rerun())  # this process was given the class; another one refuses it
        path, _ = self.run_to("p.sqlite", "poses", strategy=Mine(weight=0.5))
        here = {**os.environ, "PYTHONPATH": os.path.dirname(os.path.abspath(__file__))}
        program = os.environ["OUTRIDER_PROGRAM"]
        refused = subprocess.run([program, "rerun", path], capture_output=True, text=True, env=here)
        self.assertNotEqual(refused.returncode, 0)
        self.assertIn("python test_logs:Mine", refused.stderr)
        again = subprocess.run([program, "rerun", "--allow-external", path], capture_output=True, text=True, env=here)
        self.assertEqual((again.returncode, again.stderr), (0, ""))

    def test_a_strategy_on_the_command_line_is_the_same(self):
        here = {**os.environ, "PYTHONPATH": os.path.dirname(os.path.abspath(__file__))}

        def call(strategy, *more):
            return subprocess.run([os.environ["OUTRIDER_PROGRAM"], "run", "rooms", "--robots", "2", "--steps", "40", "--log",
                                   "none", "--strategy", strategy, *more], capture_output=True, text=True, env=here)

        digest = outrider.run("rooms", robots=2, steps=40, strategy=Mine).digest
        for threads in ("1", "2"):
            done = call("python(test_logs:Mine)", "--threads", threads)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn(digest, done.stdout)
        self.assertEqual(outrider.run("rooms", robots=2, steps=40, strategy="python(test_logs:Mine)").digest, digest)
        for strategy, text in (("python(test_logs:Nobody)", "has no attribute 'Nobody'"),
                               ("python(test_log:Mine)", "No module named 'test_log'"),
                               ("python(test_logs:Mine, size=3)", "no option 'size'; there are: weight"),
                               ("python(test_logs:Mine, weight=3)", "weight = 3: expected 0 to 1"),
                               ("python(Mine)", "expected python(module:Class, option=value, ...), got the class 'Mine'"),
                               ("python", "expected python(module:Class")):
            failed = call(strategy)
            self.assertNotEqual(failed.returncode, 0)
            self.assertIn(text, failed.stderr)

    def test_mistakes(self):
        path, _ = self.run_to("d.sqlite", "poses", strategy="nearest")
        log = outrider.load_log(path)
        with self.assertRaisesRegex(outrider.Error, "in logs of the level full alone; this one has the level poses"):
            log.why("r1", 3)
        full, _ = self.run_to("e.sqlite", "full", strategy="nearest")
        with self.assertRaisesRegex(outrider.Error, "step 60 is not in it; it has 0 to 59"):
            outrider.load_log(full).why("r1", 60)
        with self.assertRaisesRegex(outrider.Error, "no robot 'r9'; there are base, r1, r2"):
            outrider.load_log(full).why("r9", 6)
        with self.assertRaisesRegex(outrider.Error, "nothing.sqlite"):
            outrider.load_log(os.path.join(self.folder.name, "nothing.sqlite"))
        with self.assertRaises(outrider.Error):
            outrider.load_log("README.md")

    def test_a_log_starts_no_program(self):
        path = os.path.join(self.folder.name, "asked.sqlite")
        command = f"{sys.executable} tools/external_nearest.py"
        done = subprocess.run([os.environ["OUTRIDER_PROGRAM"], "run", "rooms", "--robots", "1", "--steps", "3", "--log",
                               "poses", "--log-file", path, "--strategy", f'external(cmd="{command}")'], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        with self.assertRaisesRegex(outrider.Error, "external_nearest.py"):  # typed there, not here
            outrider.load_log(path).rerun()


class Comparisons(unittest.TestCase):
    def test_values_are_those_of_the_runs_and_threads_change_nothing(self):
        arguments = dict(robots=2, steps=200, **{"start.jitter_cells": 5})
        one = outrider.compare(["minpos", Mine, "nearest"], ["rooms"], seeds=[4, 2], **arguments)
        two = outrider.compare(["minpos", Mine, "nearest"], "rooms", seeds=[4, 2], threads=3, **arguments)
        self.assertEqual(one.names, ["minpos", "Mine", "nearest"])
        self.assertEqual(repr(one.rows), repr(two.rows))
        alone = outrider.run("rooms", strategy="nearest", seed=2, **arguments)
        self.assertEqual(one.values("nearest", "final_team")[1], alone.metrics["final_team"])
        text = one.table("distance_m")
        self.assertIn("ratio", text)
        self.assertEqual(len(text.splitlines()), 5)
        self.assertIn("a difference cannot be shown with so few starts (2; at least 7 are needed)", text)
        self.assertIn("runs never got there", outrider.compare(["nearest"], "rooms", seeds=1, steps=3).table("t99_team"))

    def test_the_statistics_are_those_of_the_program(self):
        differences = np.array([3.1, -0.4, 2.2, 5.0, 1.7, -1.1, 4.2, 0.9])
        signs = 1 - 2 * (np.arange(2 ** 8)[:, None] >> np.arange(8) & 1)  # every choice
        exact = np.mean(np.abs(signs @ differences) >= abs(differences.sum()) - 1e-9)
        zeros = [0.0] * 8
        for maps, starts in ((range(8), [1] * 8), ([0] * 8, range(8))):  # over maps; of one map over its starts
            (mean, p, too_few), = outrider._core.compare_samples(zeros, [list(differences)], list(maps), list(starts))
            self.assertAlmostEqual(mean, differences.mean())
            self.assertAlmostEqual(p, exact)
            self.assertEqual(too_few, "")

    def test_mistakes(self):
        with self.assertRaisesRegex(outrider.Error, "at least one strategy"):
            outrider.compare([], "rooms")
        with self.assertRaisesRegex(outrider.Error, "two strategies are called 'nearest'"):
            outrider.compare(["nearest", "nearest"], "rooms")
        with self.assertRaisesRegex(outrider.Error, "did you mean 'minpos'"):
            outrider.compare(["minpo"], "rooms")


if __name__ == "__main__":
    unittest.main()
