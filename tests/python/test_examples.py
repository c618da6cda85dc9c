"""Each program of docs/examples runs, and says something."""
import contextlib
import glob
import importlib.util
import io
import json
import os
import subprocess
import sys
import tempfile
import unittest

import numpy as np

HERE = os.getcwd()


class Examples(unittest.TestCase):
    def run_example(self, name, *arguments):
        with tempfile.TemporaryDirectory() as folder:
            path = [p if os.path.isabs(p) else os.path.join(HERE, p) for p in sys.path if p]
            done = subprocess.run([sys.executable, os.path.join(HERE, "docs/examples", name), *arguments], cwd=folder,
                                  capture_output=True, text=True, env={**os.environ, "PYTHONPATH": os.pathsep.join(path)})
            self.assertEqual(done.returncode, 0, done.stderr)
            return done.stdout, {f: open(os.path.join(folder, f), "rb").read() for f in os.listdir(folder)}

    def test_all_run(self):
        files = {os.path.basename(f) for f in glob.glob("docs/examples/*.py")}
        self.assertEqual(files, {"ariadne_graph.py", "centralised_critic.py", "compare_families.py", "expert_iteration.py",
                                 "first_run.py", "graph_baselines.py", "gym_loop.py", "imitate.py", "mappo.py",
                                 "messages.py", "my_strategy.py", "read_log.py", "rllib_env.py", "ros_controller.py",
                                 "train_frontier_mlp.py", "usar_controller.py"})
        # test_cli_rosbridge runs ros_controller, test_cli_usar_controller the other one; test_adapters rllib_env.
        said, made = self.run_example("first_run.py")
        self.assertIn("r4 drove", said)
        self.assertTrue(made["first_run.png"].startswith(b"\x89PNG"))
        self.assertIn("99.", self.run_example("ariadne_graph.py")[0].split("m, ")[1])
        said = self.run_example("graph_baselines.py")[0].splitlines()
        self.assertEqual([line.split()[0] for line in said[1:]], ["nearest", "utility", "next_best_view", "tour"])
        for line in said[1:]:
            self.assertRegex(line, r" 99\.\d+ %$")
        self.assertIn("LargeAndNear(power=1)", self.run_example("my_strategy.py")[0])
        said = self.run_example("messages.py", "--seeds", "2")[0]
        alone, together = (float(line.split(": ")[1].split()[0]) for line in said.splitlines())
        self.assertLess(together, alone)
        self.assertIn("map 2:", self.run_example("gym_loop.py")[0])
        self.assertIn("state (20, 4,", self.run_example("centralised_critic.py")[0])
        said, _ = self.run_example("compare_families.py", "--families", "office", "--ranges", "20", "--seeds", "2", "--size",
                                   "100", "80")
        self.assertIn("mlp", said)
        self.assertIn("run again it is the same: True", self.run_example("read_log.py")[0])

    def test_the_notebook_runs_from_top_to_bottom(self):
        with open("docs/examples/first_look.ipynb") as file:
            cells = json.load(file)["cells"]
        space = {}
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            for cell in cells:
                self.assertFalse(cell.get("outputs"))
                if cell["cell_type"] == "code":
                    exec("".join(cell["source"]), space)
        self.assertTrue(space["r"]._repr_png_().startswith(b"\x89PNG"))
        self.assertIn("run again it is the same: True", said.getvalue())
        self.assertIn("steps, reward", said.getvalue())

    def test_imitation_learns_to_choose_as_the_strategy_did(self):
        import outrider
        from outrider.demonstrations import demonstrate, write
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "d.npz")
            write(demonstrate(outrider.generated("office", width=200, height=150), "nearest", episodes=3, robots=2), path)
            said, made = self.run_example("imitate.py", path, "--rounds", "200", "--curve", "c.csv")
            self.assertEqual(len(made["c.csv"].splitlines()), 21)
            chosen = [float(line.split("same choice in ")[1].split()[0]) for line in said.splitlines()[1:]]
            self.assertGreater(chosen[-1], 80)
            network = os.path.join(folder, "imitation.json")
            with open(network, "wb") as file:
                file.write(made["imitation.json"])
            run = outrider.run("rooms", strategy=f"mlp(weights={network})", robots=2, steps=20)
            self.assertEqual(run.reason, "step_limit")

    def test_expert_iteration_gives_the_same_network_again(self):
        short = ["--rounds", "1", "--episodes", "1", "--tests", "1", "--tries", "2", "--ahead", "8", "--size", "100", "80",
                 "--out", "e.json", "--curve", "e.csv"]
        (said, one), (_, two) = self.run_example("expert_iteration.py", *short), self.run_example("expert_iteration.py", *short)
        self.assertEqual(one, two)
        self.assertEqual(len(one["e.csv"].splitlines()), 3)
        self.assertIn("round 1: the network needs", said)
        import outrider
        with tempfile.TemporaryDirectory() as folder:
            for name in one:
                with open(os.path.join(folder, name), "wb") as file:
                    file.write(one[name])
            run = outrider.run("rooms", strategy=f"mlp(weights={folder}/e.json)", robots=2, steps=20)
            self.assertEqual(run.reason, "step_limit")
            picture = os.path.join(folder, "e.svg")
            curve = [sys.executable, "tools/curve.py", os.path.join(folder, "e.csv"), "-o", picture, "--columns"]
            subprocess.run([*curve, "network_steps"], check=True)
            with open(picture) as file:
                self.assertIn("<polyline", file.read())
            refused = subprocess.run([*curve, "steps"], capture_output=True, text=True)
            self.assertIn("no column steps; expected one of round,", refused.stderr)

    @unittest.skipUnless(importlib.util.find_spec("torch"), "PyTorch is not installed")
    def test_mappo_gives_the_same_policy_again_and_it_is_a_strategy(self):
        short = ["--iterations", "2", "--envs", "2", "--steps", "12", "--robots", "2", "--size", "100", "80", "--limit", "30",
                 "--tests", "2", "--test-every", "1", "--curve", "m.csv"]
        (said, one), (_, two) = self.run_example("mappo.py", *short), self.run_example("mappo.py", *short)
        curves = [[line.split(",")[1:] for line in made["m.csv"].decode().splitlines()] for made in (one, two)]
        self.assertEqual(*curves)
        self.assertEqual(len(curves[0]), 4)  # names, and before and after each iteration
        self.assertIn("Policy(model='mappo.pt'", said)
        import outrider
        from outrider.learned import Policy
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "mappo.pt")
            with open(path, "wb") as file:
                file.write(one["mappo.pt"])
            run = outrider.run("rooms", strategy=Policy(model=path), robots=2, steps=20)
            self.assertEqual(run.reason, "step_limit")

    @unittest.skipUnless(importlib.util.find_spec("torch"), "PyTorch is not installed")
    def test_what_mappo_learns_from(self):
        import torch
        spec = importlib.util.spec_from_file_location("mappo", "docs/examples/mappo.py")
        mappo = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(mappo)

        # Robot 0 decides, 3 steps later again, and 2 steps later the episode is over; robot 1 goes on all the while.
        decisions = mappo.Decisions(8, 1, 2)
        due, over = np.array([[True, False]]), np.array([False])
        decisions.add((np.array([0, 0]), np.array([0, 1])), value=[1.0, 5.0])
        decisions.pay(np.array([[2.0, 9.0]]), np.array([[3, 3]]), due, over)
        decisions.add((np.array([0]), np.array([0])), value=[4.0])
        decisions.pay(np.array([[7.0, 0.0]]), np.array([[2, 2]]), due, over)
        decisions.add((np.array([0]), np.array([0])), value=[6.0])
        second = 7 + 0.5**2 * 6 - 4  # that it is at the third counts as its value
        np.testing.assert_allclose(decisions.advantages(0.5, 0.25),
                                   [2 + 0.5**3 * (4 + 0.25 * second) - 1, 0, second, 0])
        decisions.forget()
        self.assertEqual((decisions.count, decisions.last.tolist(), decisions.value[:2].tolist()), (2, [[0, 1]], [6, 5]))
        decisions.pay(np.array([[1.0, 3.0]]), np.array([[1, 8]]), due, np.array([True]))
        np.testing.assert_allclose(decisions.advantages(0.5, 0.25), [1 - 6, 3 - 5])  # nothing comes after the end
        self.assertEqual(decisions.last.tolist(), [[-1, -1]])

        torch.manual_seed(1)
        actor = mappo.Actor()
        torch.nn.init.normal_(actor.score[2].weight)
        rows, mask = torch.rand(1, 16, mappo.COLUMNS), torch.arange(16)[None] < 9
        own, order = torch.rand(1, mappo.OWN), torch.randperm(16)
        scores = actor(rows, mask, own)
        torch.testing.assert_close(actor(rows[:, order], mask[:, order], own), scores[:, order])
        self.assertLess(int(scores.argmax()), 9)

    def test_training_is_repeatable_and_its_network_is_a_strategy(self):
        short = ["--generations", "2", "--pairs", "2", "--size", "80", "60", "--steps", "60",
                 "--robots", "2", "1", "--families", "office", "cave"]
        one, two = (self.run_example("train_frontier_mlp.py", *short, "--curve", "c.csv", "--threads", str(threads))[1]
                    for threads in (1, 2))
        self.assertEqual(one["policy.json"].split(b'"inputs"')[1], two["policy.json"].split(b'"inputs"')[1])
        self.assertEqual(len(one["c.csv"].splitlines()), 3)
        import outrider
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "policy.json")
            with open(path, "wb") as file:
                file.write(one["policy.json"])
            run = outrider.run("rooms", strategy=f"mlp(weights={path})", robots=2, steps=20)
            self.assertEqual(run.reason, "step_limit")


if __name__ == "__main__":
    unittest.main()
