"""Demonstrations of strategies, written and read with numpy alone."""
import json
import os
import subprocess
import sys
import tempfile
import unittest

import numpy as np
import outrider
from outrider.demonstrations import demonstrate, write

SMALL = dict(robots=2, steps=400, settings={"sensor.range_m": 6})


class Demonstrations(unittest.TestCase):
    def test_the_program_writes_what_numpy_reads(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in ("d.npz", "d"):
                path = os.path.join(folder, name)
                command = [sys.executable, "-m", "outrider", "learn", "export", "rooms", "--strategy", "minpos", "--robots", "2",
                           "--steps", "30", "--episodes", "2", "--set", "sensor.range_m=6", "-o", path]
                environment = {**os.environ, "PYTHONPATH": os.path.dirname(os.path.dirname(outrider.__file__))}
                done = subprocess.run(command, capture_output=True, text=True, env=environment)
                self.assertEqual(done.returncode, 0, done.stderr)
                again = subprocess.run(command, capture_output=True, text=True, env=environment)
                self.assertEqual((again.returncode, "it exists" in again.stderr), (2, True))
            # Nothing of outrider is needed to read them.
            code = ("import numpy, sys; a = numpy.load(sys.argv[1]); b = {k: numpy.load(f'{sys.argv[2]}/{k}.npy') for k in a};"
                    "print(all((a[k] == b[k]).all() or k == 'goal' for k in a), len(a['action']), 'outrider' in sys.modules)")
            said = subprocess.run([sys.executable, "-c", code, os.path.join(folder, "d.npz"), os.path.join(folder, "d")],
                                  capture_output=True, text=True, check=True)
            self.assertEqual(said.stdout.split(), ["True", "24", "False"])  # 2 episodes, 2 agents, 30 steps / 5

    def test_rows_are_those_of_the_run(self):
        data = demonstrate("rooms", "nearest", episodes=1, seed=4, reward={"area_team": 1}, **SMALL)
        run = outrider.run("rooms", strategy="nearest", seed=4, picture=False, robots=2, steps=400, settings={
            "sensor.range_m": 6, "stop.of": "team", "stop.fraction": 0.99})
        one = data["agent"] == 0
        self.assertEqual(int(data["step"].max() + data["dt"][data["step"].argmax()]), len(run.steps["team_share"]))
        self.assertEqual(data["dt"][one].sum(), len(run.steps["team_share"]))
        share = run.steps["team_share"]
        gained = data["reward"][one]
        at = data["step"][one] + data["dt"][one] - 1
        np.testing.assert_allclose(np.cumsum(gained) / gained.sum(), share[at] / share[-1], atol=1e-9)
        self.assertEqual(data["done"][one][-1] + data["truncated"][one][-1], 1)
        self.assertEqual((data["done"] + data["truncated"]).sum(), 2)
        about = json.loads(str(data["about"]))
        self.assertEqual((about["strategy"], about["agents"]), ("nearest", ["r1", "r2"]))

    def test_actions_are_rows_towards_the_goal(self):
        goals = demonstrate("rooms", "sight_greedy", episodes=1, seed=4, **SMALL)
        self.assertGreater((goals["action"] >= 0).mean(), 0.9)  # its goals are those of the rows
        data = demonstrate("rooms", "nearest", episodes=1, seed=4, **SMALL)  # its goals lie along long frontiers
        chosen = data["action"] >= 0
        self.assertGreater(chosen.mean(), 0.4)
        rows = np.flatnonzero(chosen)
        self.assertTrue(data["mask"][rows, data["action"][rows]].all())
        way = data["frontiers"][rows, :, outrider.frontier_features.index("way")]
        mine = way[np.arange(len(rows)), data["action"][rows]]
        least = np.where(data["mask"][rows] > 0, way, np.inf).min(axis=1)
        self.assertGreater((mine <= least + 0.5).mean(), 0.8)  # `nearest` keeps a goal until it is reached

    def test_the_plan_that_knows_the_map(self):
        with tempfile.TemporaryDirectory() as folder:
            plan = os.path.join(folder, "4.json")
            subprocess.run([os.environ["OUTRIDER_PROGRAM"], "bound", "rooms", "--set", "team.robots=2", "--set", "run.seed=4",
                            "--set", "sensor.range_m=6", "--evaluations", "500", "-o", plan], check=True, capture_output=True)
            plans = f"tour(plan={folder}/{{seed}}.json)"
            data = demonstrate("rooms", plans, seed=4, hindsight=30, done_share=None, **{**SMALL, "steps": 60})
            with self.assertRaisesRegex(outrider.Error, "5.json"):  # of the seed 5 there is none
                demonstrate("rooms", plans, seed=5, **SMALL)
        self.assertGreater((data["action"] >= 0).mean(), 0.8)
        self.assertGreater(data["reward"].sum(), 300)  # it drives: mostly square metres that became known
        # Where a strategy names its goals, it comes to most of the rows that it names.
        named, came = (demonstrate("rooms", "sight_greedy", seed=4, hindsight=n, **SMALL)["action"] for n in (0, 60))
        both = (named >= 0) & (came >= 0)
        self.assertGreater((named == came)[both].mean(), 0.4)  # others change on the way

    def test_what_is_refused(self):
        for text, arguments in (("unknown strategy 'nearst'", dict(strategy="nearst")), ("episodes: expected 1 or more", dict(strategy="nearest", episodes=0)),
                                ("every: expected 1 or more", dict(strategy="nearest", every=0)),
                                ("hindsight: expected 0 or more", dict(strategy="nearest", hindsight=-1))):
            with self.assertRaisesRegex(outrider.Error, text):
                demonstrate("rooms", **arguments)


if __name__ == "__main__":
    unittest.main()
