"""Policies of PyTorch as strategies: with a small stand-in for PyTorch, and with PyTorch where it is installed."""
import contextlib
import importlib.util
import os
import subprocess
import sys
import tempfile
import types
import unittest

import numpy as np
import outrider

WAY, MATE = outrider.frontier_features.index("way"), outrider.frontier_features.index("mate")
GUIDEPOST, UTILITY = outrider.place_features.index("guidepost"), outrider.place_features.index("utility")
SETTINGS = {"robots": 2, "seed": 3, "steps": 150, "sensor.range_m": 8}


def frontier_scores(frontiers, mask, own):
    return -frontiers[:, :, WAY] + 0.25 * frontiers[:, :, MATE]


def slot_scores(nodes, neighbours, node_mask, node, own):
    around = neighbours[0, node[0, 0]]
    rows = nodes[0, np.maximum(around, 0)]
    return (10 * rows[:, GUIDEPOST] + rows[:, UTILITY])[None]


class Array(np.ndarray):
    """What the policy needs of a tensor."""

    def detach(self):
        return self

    def numpy(self):
        return np.asarray(self)


def stand_in(network):
    """A module that looks like PyTorch, and whose models are all this function."""
    torch = types.ModuleType("torch")

    def load(path, map_location):
        with open(path) as file:
            if file.read() != "model":
                raise RuntimeError("unexpected end of file\nand more")
        model = types.SimpleNamespace()
        model.eval = lambda: lambda *inputs: network(*inputs).view(Array)
        return model

    torch.jit = types.SimpleNamespace(load=load)
    torch.from_numpy = lambda array: array
    torch.set_num_threads = lambda n: None
    torch.no_grad = contextlib.nullcontext
    return torch


def decided_in_environment(observation, action, network):
    """The run of an environment whose agents take the highest score; its digest."""
    env = outrider.ParallelEnv("rooms", observation=observation, action=action, every="event", done_share=None,
                               **SETTINGS)
    seen, infos = env.reset(seed=SETTINGS["seed"])
    while env.agents:
        actions = {}
        for agent in env.agents:
            if not infos[agent]["due"]:
                continue
            s = {name: array[None] for name, array in seen[agent].items()}
            if action == "node":
                there = seen[agent]["slots"].astype(bool)
                scores = network(s["nodes"], s["neighbours"], s["node_mask"], s["node"], s["own"])[0]
            else:
                there = seen[agent]["mask"].astype(bool)
                scores = network(s["frontiers"], s["mask"], s["own"])[0]
            actions[agent] = int(np.where(there, scores, -np.inf).argmax())
        seen, _, _, _, infos = env.step(actions)
    return env._team.core.digest(0)


class Learned(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.model = os.path.join(self.folder.name, "policy.pt")
        with open(self.model, "w") as file:
            file.write("model")
        self.torch = sys.modules.get("torch")

    def tearDown(self):
        self.folder.cleanup()
        sys.modules.pop("torch", None)
        if self.torch:
            sys.modules["torch"] = self.torch

    def policy(self, network, **options):
        from outrider import learned
        sys.modules["torch"] = stand_in(network)
        learned._models.clear()
        return learned.Policy(model=self.model, **options)

    def test_drives_as_in_the_environment_that_it_was_trained_in(self):
        for observation, action, network in (("frontiers", "frontier", frontier_scores), ("graph", "node", slot_scores)):
            with self.subTest(observation):
                run = outrider.run("rooms", strategy=self.policy(network, observation=observation), **SETTINGS)
                self.assertEqual(run.digest, decided_in_environment(observation, action, network))
                self.assertGreater(run.metrics["final_team"], 0.3)

    def test_says_what_is_wrong(self):
        def refused(text, network=frontier_scores, **options):
            with self.assertRaisesRegex(outrider.Error, text):
                strategy = self.policy(network, **options)
                outrider.run("rooms", strategy=strategy, **SETTINGS)
        refused("observation: expected frontiers or graph, got 'pixels'", observation="pixels")
        refused("choices = 0: expected 1 to 1000", choices=0)
        from outrider import learned
        with self.assertRaisesRegex(outrider.Error, "model='FILE' is missing"):
            learned.Policy()
        with open(self.model, "w") as file:
            file.write("something else")
        refused("policy.pt: not a TorchScript model: unexpected end of file$")
        self.model += "x"
        refused("policy.ptx: not a TorchScript model: .*No such file")

    def test_scores_of_another_shape_or_none_end_the_run(self):
        for network, text in ((lambda f, m, o: f[:, :, 0][:, :3], r"expected scores of shape \(1, 16\), got \(1, 3\)"),
                              (lambda f, m, o: f[:, :, 0] * np.nan, "a score is not a number")):
            with self.assertRaisesRegex(outrider.RunFailure, text):
                outrider.run("rooms", strategy=self.policy(network), **SETTINGS)

    def test_without_pytorch_it_says_what_to_install(self):
        from outrider import learned
        sys.modules["torch"] = None
        learned._models.clear()
        with self.assertRaisesRegex(outrider.Error, "PyTorch cannot be imported .*python3-torch"):
            learned.Policy(model=self.model)

    def test_its_hash_stands_in_the_log(self):
        import sqlite3
        log = os.path.join(self.folder.name, "a.sqlite")
        parts = []
        for content in ("model", "model"):
            strategy = self.policy(frontier_scores)
            outrider.run("rooms", strategy=strategy, log=log, robots=1, steps=3)
            rows = sqlite3.connect(log).execute("SELECT * FROM provenance").fetchall()
            parts.append({row[1:3]: row[3] for row in rows})
            os.remove(log)
        model, module = parts[0][("model", self.model)], parts[0][("module", "outrider/learned.py")]
        self.assertEqual(parts[0], parts[1])
        for hash_ in (model, module):
            self.assertNotEqual(set(hash_), {"0"})

    @unittest.skipUnless(importlib.util.find_spec("torch"), "PyTorch is not installed")
    def test_a_model_of_pytorch_on_the_command_line(self):
        script = ("import torch\n"
                  "class F(torch.nn.Module):\n"
                  "    def forward(self, frontiers, mask, own):\n"
                  f"        return -frontiers[:, :, {WAY}] + 0.25 * frontiers[:, :, {MATE}]\n"
                  f"torch.jit.script(F()).save({self.model!r})\n")
        path = os.path.join(self.folder.name, "make.py")  # torch.jit.script reads the source
        with open(path, "w") as file:
            file.write(script)
        subprocess.run([sys.executable, path], check=True)
        arguments = ["rooms", "--robots", "2", "--set", "run.seed=3", "--set", "run.steps=150", "--set",
                     "sensor.range_m=8", "--log", "none"]
        run = subprocess.run([os.environ["OUTRIDER_PROGRAM"], "run", *arguments, "--strategy",
                              f"python(outrider.learned:Policy, model='{self.model}')"], capture_output=True, text=True)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn(decided_in_environment("frontiers", "frontier", frontier_scores), run.stdout)
