"""One vector environment over a distribution of maps, teams and radios."""
import os
import pickle
import subprocess
import tempfile
import unittest

import numpy as np
import outrider
from checks import check_parallel_env, check_vector_env, equal

SMALL = {"sensor.range_m": 3, "stop.of": "none"}


def small(family):
    return outrider.generated(family, width=outrider.between(130, 150), height=90)


def rest(env, steps=6):
    return [env.step(np.full((env.num_envs, len(env.agents)), k % 2)) for k in range(steps)]


class Draws(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        for k in range(6):
            subprocess.run([os.environ["OUTRIDER_PROGRAM"], "generate", "cave", "--size", "80x60", "--seed", str(k), "-o",
                            os.path.join(cls.folder.name, f"{k}.png")], check=True, capture_output=True)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def everything(self, num_envs=12, **arguments):
        """Three families, a suite, a folder of maps; one to eight robots; two radios."""
        return outrider.make_vec(
            [small("office"), small("warehouse"), small("cave"), outrider.suite("office-12@1"), self.folder.name], num_envs,
            **{**SMALL, "steps": 4, "robots": outrider.between(1, 8), "done_share": None,
               "comm.range_m": outrider.among(5, 20), **arguments})

    def test_each_episode_is_drawn_by_its_seed_whatever_the_threads(self):
        rows = []
        for threads in (1, 2):
            env = self.everything(threads=threads)
            self.assertEqual(len(env.agents), 8)
            env.reset(seed=3)
            rest(env, 9)  # into the second and third episode of each
            rows.append((env.digests(), [one[0] for one in env._team.drawn], [one[1] for one in env._team.drawn]))
        self.assertEqual(rows[0][0], rows[1][0])
        self.assertEqual(rows[0][2], rows[1][2])
        alone = self.everything(1)
        _, infos = alone.reset(seed=3 + 2 * 12 + 5)  # the third episode of environment 5
        self.assertEqual(alone._team.drawn[0][1], rows[0][2][5])
        self.assertEqual(repr(alone._team.drawn[0][0]), repr(rows[0][1][5]))

    def test_everything_is_drawn_at_some_time(self):
        env = self.everything(60)
        _, infos = env.reset(seed=1)
        sizes = infos["agents"].sum(axis=1)
        self.assertEqual(set(sizes.tolist()), set(range(1, 9)))
        self.assertEqual({one[1]["comm.range_m"] for one in env._team.drawn}, {5, 20})
        scenarios = [one[0] for one in env._team.drawn]
        families = {one.family for one in scenarios if hasattr(one, "family")}
        self.assertEqual(families, {"office", "warehouse", "cave"})
        self.assertGreater(len({one.options["width"] for one in scenarios if hasattr(one, "family")}), 10)
        self.assertGreater(len({one.index for one in scenarios if hasattr(one, "suite")}), 4)
        self.assertGreater(len({one for one in scenarios if isinstance(one, str)}), 3)

    def test_who_is_not_in_a_team_is_left_out(self):
        env = self.everything(20)
        observations, infos = env.reset(seed=1)
        out = ~infos["agents"]
        self.assertFalse((infos["due"] & out).any())
        for block in observations.values():
            self.assertFalse(block[out].any())
        _, rewards, _, _, infos = env.step(np.zeros((20, 8), int))
        self.assertFalse(infos["rewards"][out].any())
        first = (infos["rewards"] * ~out).sum(axis=1) / (~out).sum(axis=1)
        np.testing.assert_allclose(rewards, first)  # every step: all are due

    def test_it_keeps_the_contracts_and_is_a_value(self):
        check_vector_env(self.everything(3), 30)
        check_parallel_env(outrider.ParallelEnv([small("warehouse"), small("cave")], robots=outrider.between(1, 3),
                                                steps=9, **SMALL), 20)
        env = self.everything(4)
        env.reset(seed=8)
        rest(env, 6)
        other = pickle.loads(pickle.dumps(env))
        self.assertEqual(other.digests(), env.digests())
        for a, b in zip(rest(env), rest(other)):
            self.assertTrue(equal(a[0], b[0]) and equal(a[4], b[4]))

    def test_the_truth_of_all_of_them_for_a_critic(self):
        env = self.everything(6)
        env.reset(seed=8)
        states = env.state()
        for e in range(6):
            walls = env._team.core.state(e)
            np.testing.assert_array_equal(states[e, :, :walls.shape[1], :walls.shape[2]], walls)
            self.assertTrue(states[e, 0, walls.shape[1]:].all() and states[e, 0, :, walls.shape[2]:].all())
            cells = env.belief(e, "r1").cells(0, 0, 4, 4)
            self.assertEqual(cells.shape, (4, 4))
        self.assertEqual(states.shape[2:], env._team.extent)

    def test_masks_of_resets(self):
        env = self.everything(3, autoreset="disabled")
        env.reset(seed=1)
        rest(env, 2)
        before = env.digests()
        _, infos = env.reset(options={"reset_mask": np.array([False, True, False])})
        self.assertEqual(infos["step"].tolist(), [2, 0, 2])
        self.assertEqual([a == b for a, b in zip(before, env.digests())], [True, False, True])
        for mask in (np.array([True, False]), np.zeros(3, bool), [1, 0, 0]):
            with self.assertRaisesRegex(outrider.Error, "reset_mask: expected bool of shape \\(3,\\)"):
                env.reset(options={"reset_mask": mask})

    def test_a_curriculum_is_asked_before_each_episode(self):
        asked = []

        def harder(environment, seed, last):
            asked.append((environment, seed, last))
            return small("warehouse" if last is None else "office")

        env = outrider.make_vec([small("warehouse"), small("office")], 2, curriculum=harder, robots=2, steps=3, **SMALL)
        env.reset(seed=5)
        rest(env, 5)
        self.assertEqual([a[:2] for a in asked], [(0, 5), (1, 6), (0, 7), (1, 8)])
        self.assertEqual([a[2] and a[2]["steps"] for a in asked], [None, None, 3, 3])
        self.assertEqual([one[0].family for one in env._team.drawn], ["office", "office"])

    def test_settings_by_environment_and_cases(self):
        env = outrider.make_vec([outrider.case(small("warehouse"), robots=1, **{"comm.range_m": 7}), small("warehouse")], 30,
                                settings=[{"sensor.range_m": 2}, {"sensor.range_m": 4, "comm.range_m": 9}], robots=3,
                                steps=3, **{"stop.of": "none"})
        env.reset(seed=1)
        for e, (_, settings) in enumerate(env._team.drawn):
            self.assertEqual(settings["sensor.range_m"], (2, 4)[e % 2])
            if settings["robots"] == 1:
                self.assertEqual(settings["comm.range_m"], 7)
        self.assertEqual({one[1]["robots"] for one in env._team.drawn}, {1, 3})

    def test_weights(self):
        from outrider._draws import draw
        drawn = [draw(outrider.among("a", "b", "c", weights=[3, 1, 0]), {}, seed)[0] for seed in range(2000)]
        self.assertAlmostEqual(drawn.count("a") / 2000, 0.75, delta=0.03)
        self.assertEqual(drawn.count("c"), 0)

    def test_what_is_refused(self):
        def refuses(text, function, *arguments, **named):
            with self.assertRaisesRegex(outrider.Error, text):
                function(*arguments, **named)

        refuses("between: expected two numbers, the lower one first", outrider.between, 3, 1)
        refuses("among: expected a value", outrider.among)
        refuses("among: expected 2 weights", outrider.among, 1, 2, weights=[1])
        refuses("expected a folder with maps", outrider.folder, "docs")
        refuses("expected a suite", outrider.suite, "environments/office.toml")
        refuses("nowhere", outrider.make_vec, ["rooms", "nowhere.png"], 2, robots=1)
        env = outrider.make_vec("rooms", 1, robots=2, steps=5, **SMALL)
        env.reset(seed=1)
        before = env.digests()
        refuses("expected 2 agents at most, got 3", env.reset, options={"map": outrider.case("rooms", robots=3)})
        self.assertEqual(env.digests(), before)


if __name__ == "__main__":
    unittest.main()
