"""Runs and environments that are saved, restored, copied and pickled go on as they would have."""
import copy
import pickle
import unittest

import numpy as np
import outrider
from checks import equal

# Noise and SLAM, walls that change, people, fire, smoke, batteries, failures, radios, sensors, teams of several kinds.
SCENARIOS = ("battery", "campus", "changing", "crowd", "dying_robot", "fading", "failures", "glass", "hazards", "hills",
             "late", "line_of_sight", "lossy", "mixed_team", "narrow_link", "prior", "rescue", "rough",
             "second_channel", "smoke", "sonar", "unknown_starts")
SLAM = {"noise.odometry_share": 0.05, "noise.range_m": 0.01}


class Simulations(unittest.TestCase):
    def test_the_rest_of_a_run_is_the_same(self):
        seen = 0
        methods = [{**SLAM, "slam.method": name} for name in ("scan_match", "particle")]
        for name, settings in [(name, {}) for name in SCENARIOS] + [("small_office", m) for m in methods]:
            with self.subTest(scenario=name, **settings):
                sim = outrider.Simulation(name, seed=5, settings=settings)
                for _ in range(5):
                    sim.step()
                sim.perceive()
                other, before = pickle.loads(pickle.dumps(sim)), sim.digest
                self.assertEqual((other.steps_done, other.perceived, other.digest), (5, True, before))
                for one in (sim, other):
                    one.act()
                    for _ in range(3):
                        one.step()
                self.assertEqual((other.digest, other.summary[0]["distance_m"]), (sim.digest, sim.summary[0]["distance_m"]))
                self.assertNotEqual(sim.digest, before)
                seen += 1
        self.assertGreaterEqual(seen, 20)

    def test_intents_and_other_seeds_are_part_of_it(self):
        sim = outrider.Simulation("rooms", strategy="remote", robots=2)
        sim.reset(9)
        for step in range(12):
            sim.perceive()
            sim.act({"r1": outrider.Drive(0.5, 0.1 * step)} if step % 3 == 0 else {})
        saved, before = sim.save(), sim.digest
        others = [sim.copy(), copy.copy(sim), copy.deepcopy(sim), pickle.loads(pickle.dumps(sim))]
        sim.step()  # what r1 was told still holds
        for other in others:
            self.assertEqual((other.seed, other.digest), (9, before))
            other.step()
            self.assertEqual(other.digest, sim.digest)
        sim.restore(saved)
        self.assertEqual(sim.digest, before)
        sim.finish()
        self.assertEqual(sim.copy().reason, "interrupted")


class Environments(unittest.TestCase):
    ARGUMENTS = (dict(every="event"), dict(observation="graph", action="node", every="event", nodes=64),
                 dict(action="velocity", observation=["window", "own"]), dict(action="waypoint", every=4),
                 dict(action="meta", strategies=["nearest", "minpos"], every=5))

    def test_agents_go_on_as_they_would_have(self):
        for arguments in self.ARGUMENTS:
            with self.subTest(**arguments):
                env = outrider.ParallelEnv("rooms", robots=2, steps=3000, **{**arguments, "sensor.range_m": 5})
                env.reset(seed=3)
                for agent in env.agents:
                    env.action_space(agent).seed(1)
                infos = self.play(env, 15)[-1][-1]
                others = [env.copy(), pickle.loads(pickle.dumps(env))]
                actions = [{a: env.action_space(a).sample() for a in env.agents} for _ in range(15)]
                saved = env.save()
                mine = [env.step(a) for a in actions]
                for other in others:
                    self.assertEqual(other._infos(other.agents)["r1"]["step"], infos["r1"]["step"])
                    self.expect_equal(mine, [other.step(a) for a in actions])
                    self.assertEqual(other._team.core.digest(0), env._team.core.digest(0))
                env.restore(saved)
                self.expect_equal(mine, [env.step(a) for a in actions])

    @staticmethod
    def play(env, steps):
        return [env.step({a: env.action_space(a).sample() for a in env.agents}) for _ in range(steps)]

    def expect_equal(self, mine, theirs):
        for ours, others in zip(mine, theirs):
            for a, b in zip(ours, others):
                self.assertTrue(equal(a, b), (a, b))

    def test_intents_among_the_actions(self):
        env = outrider.ParallelEnv("rooms", robots=2, every="event")
        env.reset(seed=3)
        goal = env.belief("r1").home
        env.step({"r1": outrider.Intent(outrider.Goto(*goal), words=[outrider.Word(7, [1])], role="relay"), "r2": 0})
        env.step({"r1": 0, "r2": 0})
        self.assertEqual(env.copy()._team.core.digest(0), env._team.core.digest(0))

    def test_vectors_with_other_maps_on_threads(self):
        env = outrider.make_vec("rooms", 3, robots=2, steps=12, threads=2)
        env.reset(seed=1, options={"map": outrider.generated("cave", width=80, height=60)})
        for _ in range(15):  # over the end of an episode
            env.step(np.zeros((3, 2), int))
        other, saved = pickle.loads(pickle.dumps(env)), env.save()
        self.assertEqual(other.digests(), env.digests())
        for k in range(15):
            a, b = env.step(np.full((3, 2), k % 2)), other.step(np.full((3, 2), k % 2))
            self.assertTrue(equal(a[0], b[0]) and equal(a[1], b[1]) and equal(a[4], b[4]))
        self.assertEqual(other.digests(), env.digests())
        fresh = outrider.make_vec("rooms", 3, robots=2, steps=12)
        fresh.restore(saved)
        env.restore(saved)
        self.assertEqual(fresh.digests(), env.digests())

    def test_an_environment_of_gymnasium(self):
        env = outrider.Env("rooms", robots=1, steps=40)
        env.reset(seed=2)
        env.step(0)
        other = copy.deepcopy(env)
        self.assertEqual(other.np_random.random(), env.np_random.random())
        self.assertTrue(equal(env.step(1)[0], other.step(1)[0]))


class Intents(unittest.TestCase):
    def test_each_part_comes_back(self):
        overlay = outrider.Overlay.candidates("why", [(1, 2)], [3.0])
        for one in (outrider.Goto(1, 2, 0.5, face=(3, 4)), outrider.Goto(1, 2), outrider.Drive(1, 2),
                    outrider.Follow([(1, 2), (2, 2)], face=(0, 0)), outrider.Stay((1, 1)), outrider.RandomStep(),
                    outrider.Word(5, [1, 2], to=2), overlay,
                    outrider.Intent(outrider.Goto(1, 2), done=True, role="relay", words=[outrider.Word(5, [1])],
                                    share="summary", summary_tiles=3, overlays=[overlay])):
            with self.subTest(kind=type(one).__name__):
                state = one.__getstate__()
                for other in (pickle.loads(pickle.dumps(one)), copy.deepcopy(one)):
                    self.assertIs(type(other), type(one))
                    self.assertEqual(pickle.dumps(other.__getstate__()), pickle.dumps(state))


if __name__ == "__main__":
    unittest.main()
