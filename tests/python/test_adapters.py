"""Environments in which only robots that are due decide, for packages that train policies. The packages themselves are
used where they are installed."""
import importlib.util
import sys
import unittest

import numpy as np
import outrider
from checks import check_env

SMALL = dict(robots=2, steps=150, **{"sensor.range_m": 6})
MASKED = (dict(action="frontier"), dict(action="node", observation="graph", nodes=64),
          dict(action="view", observation="graph", nodes=64))


def installed(name):
    return importlib.util.find_spec(name) is not None


class Turns(unittest.TestCase):
    def test_the_run_is_that_of_the_same_decisions_by_agents(self):
        turns, env = (kind("rooms", every="event", **SMALL) for kind in (outrider.Turns, outrider.Env))
        observation, info = turns.reset(seed=4)
        _, infos = env.reset(seed=4)
        total, expected, decisions, over = 0.0, 0.0, 0, False
        while not over:
            due = [turns.agents[k] for k in np.flatnonzero(infos["due"])]
            for agent in due:  # one turn each, and nothing is paid before the last of them
                self.assertEqual((info["agent"], info["due"]), (agent, True))
                np.testing.assert_array_equal(turns.action_masks(), info["action_mask"])
                np.testing.assert_array_equal(observation["mask"], info["action_mask"])
                self.assertTrue(turns.action_masks().any())
                observation, reward, terminated, truncated, info = turns.step(0)
                self.assertTrue(agent == due[-1] or reward == 0)
                total, decisions = total + reward, decisions + 1
            _, reward, *ends, infos = env.step([0, 0])
            expected, over = expected + reward, any(ends)
            self.assertEqual([terminated, truncated], ends)
        self.assertAlmostEqual(total, expected)
        self.assertGreater(decisions, 10)
        digests = [one._team.core.digest(0) for one in (turns, env._vector)]
        self.assertEqual(digests[0], digests[1])
        with self.assertRaisesRegex(outrider.Error, "the episode is over; reset"):
            turns.step(0)

    def test_it_keeps_the_contract_of_gymnasium(self):
        for arguments in MASKED + (dict(action="velocity"), dict(action="meta", strategies=["nearest", "minpos"])):
            for robots in (1, 3):
                with self.subTest(**arguments, robots=robots):
                    check_env(outrider.Turns("rooms", robots=robots, steps=12, **arguments))

    def test_a_wrong_action_is_named_and_loses_nothing(self):
        for arguments, wrong, text in ((MASKED[0], 16, "action of r1: expected 0 to 15, got 16"),
                                       (MASKED[0], 0.5, "action of r1: expected a whole number"),
                                       (dict(action="velocity"), [99.0, 0.0], "action of r1: expected .* got .99")):
            turns = outrider.Turns("rooms", **SMALL, **arguments)
            with self.assertRaisesRegex(outrider.Error, "reset\\(\\) begins"):
                turns.step(0)
            turns.reset(seed=1)
            with self.assertRaisesRegex(outrider.Error, text):
                turns.step(wrong)
            self.assertEqual(turns.step(turns.action_space.sample())[-1]["agent"], "r2")

    @unittest.skipUnless(installed("sb3_contrib"), "sb3-contrib is not installed")
    def test_maskable_ppo_learns(self):
        from sb3_contrib import MaskablePPO
        model = MaskablePPO("MultiInputPolicy", outrider.Turns("rooms", **SMALL), n_steps=32, batch_size=16)
        model.learn(64)

    @unittest.skipUnless(installed("torchrl"), "TorchRL is not installed")
    def test_torchrl_rolls_out(self):
        from torchrl.envs import ActionMask, GymWrapper, TransformedEnv
        env = GymWrapper(outrider.Turns("rooms", **SMALL), categorical_action_encoding=True)
        self.assertEqual(TransformedEnv(env, ActionMask(mask_key="mask")).rollout(8)["action"].shape[0], 8)


class DueAgents(unittest.TestCase):
    """docs/examples/rllib_env.py"""

    def setUp(self):
        spec = importlib.util.spec_from_file_location("rllib_env", "docs/examples/rllib_env.py")
        self.module = sys.modules["rllib_env"] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(self.module)

    def test_only_agents_that_are_due_are_asked_and_all_is_paid(self):
        scenario = {"map": {"file": "environments/rooms.png"}, "robot": [{"name": "a"}, {"name": "b"},
                                                                         {"name": "frail", "dies_at_step": 20}]}
        more = {**SMALL, "robots": 3, "reward": {"area_team": 1, "way": -0.1}}
        env = self.module.DueAgents({"scenario": scenario, **more})
        plain = outrider.ParallelEnv(scenario, every="event", **more)
        observations, infos = env.reset(seed=4)
        plain.reset(seed=4)
        paid, expected = dict.fromkeys(env.agents, 0.0), dict.fromkeys(env.agents, 0.0)
        ended, calls, gone = {"__all__": False}, [], []
        while not ended["__all__"]:
            self.assertTrue(all(infos[a]["due"] for a in observations))
            actions = {a: 0 for a in observations if a in env.agents}
            observations, rewards, terminated, truncated, infos = env.step(actions)
            for agent, reward in plain.step(actions)[1].items():
                expected[agent] += reward
            self.assertEqual(observations.keys(), rewards.keys())
            self.assertEqual(observations.keys(), infos.keys())
            for agent, reward in rewards.items():
                paid[agent] += reward
            ended = {name: terminated[name] or truncated[name] for name in terminated}
            gone += [a for a in ended if ended[a] and env.agents]
            observations = {a: o for a, o in observations.items() if not ended[a]}
            infos = {a: infos[a] for a in observations}
            calls.append(len(observations))
        self.assertEqual((paid, gone), (expected, ["frail"]))
        self.assertEqual((terminated["__all__"], truncated["__all__"]), (False, True))
        self.assertIn(1, calls)  # not always all of them

    @unittest.skipUnless(installed("ray"), "Ray is not installed")
    def test_rllib_takes_it(self):
        from ray.rllib.env.multi_agent_env import MultiAgentEnv
        self.assertIsInstance(self.module.DueAgents({"scenario": "rooms", **SMALL}), MultiAgentEnv)


if __name__ == "__main__":
    unittest.main()
