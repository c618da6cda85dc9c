"""What Gymnasium and PettingZoo ask of environments (checks.py): kept by all of them, and missed by faulty ones."""
import os
import subprocess
import sys
import tempfile
import unittest

import numpy as np
import outrider
from checks import check_env, check_parallel_env, check_vector_env

SMALL = dict(robots=2, steps=300, **{"sensor.range_m": 6})
ACTIONS = (dict(action="frontier"), dict(action="node", observation="graph", nodes=64),
           dict(action="view", observation="graph", nodes=64), dict(action="waypoint"),
           dict(action="velocity", observation=["window", "own"]), dict(action="meta", strategies=["nearest", "minpos"]))
MASKED = ACTIONS[:3]


class Contracts(unittest.TestCase):
    def test_of_pettingzoo(self):
        for arguments in ACTIONS + (dict(observation=["frontiers", "window"], scale=4), dict(observation="graph")):
            for every in (1, 3, "event"):
                for robots in (1, 2):
                    with self.subTest(**arguments, every=every, robots=robots):
                        check_parallel_env(outrider.ParallelEnv(
                            "rooms", **{**SMALL, **arguments, "robots": robots, "every": every}), 20)

    def test_of_gymnasium(self):
        for arguments in ACTIONS:
            for every in (1, "event"):
                for robots in (1, 2):
                    with self.subTest(**arguments, every=every, robots=robots):
                        check_env(outrider.Env("rooms", robots=robots, steps=12, every=every, **arguments))

    def test_of_gymnasiums_vectors(self):
        for mode in ("next_step", "same_step"):
            for arguments in ACTIONS:
                for every in (1, "event"):
                    for robots in (1, 2):
                        with self.subTest(**arguments, mode=mode, every=every, robots=robots):
                            check_vector_env(outrider.make_vec("rooms", 3 - robots, robots=robots, steps=8,
                                                               autoreset=mode, every=every, **arguments), 20)


class Faults(unittest.TestCase):
    """Each of them is found."""

    def test_random_numbers_that_do_not_follow_the_seed(self):
        class Unseeded(outrider.Env):
            def reset(self, *, seed=None, options=None):
                observation, info = super().reset(seed=seed, options=options)
                self._np_random = None
                return observation, info

        with self.assertRaisesRegex(AssertionError, "random numbers of the base class"):
            check_env(Unseeded("rooms", robots=1, steps=12))

    def test_options_that_are_refused(self):
        class Strict(outrider.ParallelEnv):
            def reset(self, seed=None, options=None):
                if options and options.keys() - {"map"}:
                    raise outrider.Error("reset: no such option")
                return super().reset(seed, options)

        with self.assertRaisesRegex(outrider.Error, "no such option"):
            check_parallel_env(Strict("rooms", **SMALL))

    def test_modes_that_are_only_names(self):
        env = outrider.make_vec("rooms", 1, robots=1, steps=12)
        env.metadata = {**env.metadata, "autoreset_mode": "next_step"}
        with self.assertRaisesRegex(AssertionError, "next_step"):
            check_vector_env(env)

    def test_observations_outside_of_their_space(self):
        class Wrong(outrider.ParallelEnv):
            def step(self, actions):
                observations, *others = super().step(actions)
                for one in observations.values():
                    one["own"] = one["own"] + 100
                return (observations, *others)

        with self.assertRaisesRegex(AssertionError, "is not in"):
            check_parallel_env(Wrong("rooms", **SMALL))


class Bases(unittest.TestCase):
    def test_the_classes_of_gymnasium_are_used_where_they_are(self):
        """A stand-in of it: what is asked of its base classes, and of its registry."""
        files = {"__init__.py": """
class Env:
    def reset(self, *, seed=None, options=None): self.told = seed
""", "vector.py": """
import enum
class VectorEnv:
    def reset(self, *, seed=None, options=None): self.told = seed
class AutoresetMode(enum.Enum):
    NEXT_STEP, SAME_STEP, DISABLED = "NextStep", "SameStep", "Disabled"
""", "envs/__init__.py": "", "envs/registration.py": """
known = {}
def register(id, entry_point): known[id] = entry_point
"""}
        code = """
import gymnasium, gymnasium.vector, outrider
from gymnasium.envs.registration import known
module, name = known["outrider/Explore-v0"].split(":")
env = getattr(__import__(module), name)("rooms", robots=1, steps=3)
assert isinstance(env, gymnasium.Env)
env.reset(seed=5)
vector = outrider.make_vec("rooms", 2, robots=1, steps=3)
assert isinstance(vector, gymnasium.vector.VectorEnv)
vector.reset(seed=7)
assert (env.told, vector.told) == (5, 7)
assert vector.metadata["autoreset_mode"] is gymnasium.vector.AutoresetMode.NEXT_STEP
"""
        with tempfile.TemporaryDirectory() as folder:
            for name, text in files.items():
                path = os.path.join(folder, "gymnasium", name)
                os.makedirs(os.path.dirname(path), exist_ok=True)
                with open(path, "w") as file:
                    file.write(text)
            here = os.path.dirname(os.path.dirname(outrider.__file__))
            done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                                  env={**os.environ, "PYTHONPATH": os.pathsep.join([folder, here])})
        self.assertEqual(done.returncode, 0, done.stderr)


class Returns(unittest.TestCase):
    """Over an episode, rewards sum to the area known."""
    REWARD = {"area_team": 1.0}

    def setUp(self):
        env = outrider.ParallelEnv("rooms", reward=self.REWARD, **{**SMALL, "steps": 1})
        env.reset()
        _, rewards, _, _, infos = env.step({"r1": 0, "r2": 0})
        self.sensable = rewards["r1"] / infos["r1"]["team_share"]
        known = env.state()[1] > env.state()[0]
        cell_m = env.belief("r1").cell_m
        self.assertAlmostEqual(rewards["r1"], cell_m * cell_m * known.sum(), delta=0.02 * rewards["r1"])

    def test_of_agents(self):
        for every in (1, 4, "event"):
            env = outrider.ParallelEnv("rooms", reward=self.REWARD, every=every, **SMALL)
            observations, infos = env.reset(seed=4)
            total, at_decisions = dict.fromkeys(env.agents, 0.0), dict.fromkeys(env.agents, 0.0)
            while env.agents:
                _, rewards, over, cut, infos = env.step({a: 0 for a in env.agents if infos[a]["due"]})
                for agent, reward in rewards.items():
                    total[agent] += reward
                    if infos[agent]["due"] or over[agent] or cut[agent]:
                        at_decisions[agent] += infos[agent]["return_since_decision"]
            self.assertEqual(total, at_decisions)
            for agent in total:
                self.assertAlmostEqual(total[agent], infos[agent]["team_share"] * self.sensable)

    def test_of_a_team_as_one_and_of_a_single_robot(self):
        for robots in (1, 2):
            for every in (1, 4, "event"):
                env = outrider.Env("rooms", reward=self.REWARD, every=every, **{**SMALL, "robots": robots})
                _, info = env.reset(seed=4)
                total, over = 0.0, False
                while not over:
                    _, reward, terminated, truncated, info = env.step(np.zeros(env.action_space.shape, int))
                    total, over = total + reward, terminated or truncated
                    if robots == 1:
                        self.assertAlmostEqual(reward, info["return_since_decision"])
                self.assertAlmostEqual(total, info["team_share"] * self.sensable)

    def test_of_many_environments(self):
        for mode in ("next_step", "same_step", "disabled"):
            env = outrider.make_vec("rooms", 2, reward=self.REWARD, every="event", autoreset=mode,
                                    **{**SMALL, "steps": 60})
            env.reset(seed=4)
            total, agents, over = np.zeros(2), np.zeros((2, 2)), np.zeros(2, bool)
            while not over.all():
                _, rewards, terminated, truncated, infos = env.step(np.zeros((2, 2), int))
                total += np.where(over, 0, rewards)
                agents += np.where(over[:, None], 0, infos["rewards"])
                end = infos.get("final_info", infos)
                for e in np.flatnonzero((terminated | truncated) & ~over):
                    self.assertAlmostEqual(total[e], end["team_share"][e] * self.sensable)
                    np.testing.assert_allclose(agents[e], total[e])
                over |= terminated | truncated


class Masks(unittest.TestCase):
    def test_an_agent_that_is_due_has_something_to_choose(self):
        decisions, random = 0, np.random.default_rng(1)
        for arguments, every in zip(MASKED + MASKED, 3 * [1] + 3 * ["event"]):
            env = outrider.make_vec(outrider.generated("cave", width=60, height=40), 8, threads=2, every=every, **{
                **arguments, "observation": "graph" if "nodes" in arguments else "own", "robots": 3, "steps": 150,
                "done_share": None, "sensor.range_m": 1.5, "stop.of": "none"})
            observations, infos = env.reset(seed=1)
            name = "slots" if "nodes" in arguments else "mask"
            for _ in range(1300):
                masks, due = infos["action_mask"], infos["due"]
                self.assertTrue(masks[due].any(axis=-1).all())
                there = observations[name]
                np.testing.assert_array_equal(masks, np.repeat(there, masks.shape[-1] // there.shape[-1], axis=-1))
                self.assertEqual((masks.dtype, observations[name].dtype), (np.int8, np.int8))
                decisions += int(due.sum())
                observations, _, _, _, infos = env.step((random.random(masks.shape) * (masks + 1e-9)).argmax(axis=-1))
        self.assertGreater(decisions, 100_000)


if __name__ == "__main__":
    unittest.main()
