"""Environments that are received when they are ready, and arrays that others use without copies."""
import threading
import unittest

import numpy as np
import outrider

SMALL = dict(robots=2, steps=20, every="event", **{"sensor.range_m": 6, "start.jitter_cells": 8})


def action_of(e, k):
    """Of both robots in an environment's k-th step."""
    return np.array([(e + k) % 2, (e * k) % 3])


class Batches(unittest.TestCase):
    STEPS, ENVS = 30, 5

    def together(self):
        env = outrider.make_vec("rooms", self.ENVS, **SMALL)
        env.reset(seed=3)
        rows = [[] for _ in range(self.ENVS)]
        for k in range(self.STEPS):
            seen, rewards, over, cut, infos = env.step([action_of(e, k) for e in range(self.ENVS)])
            for e in range(self.ENVS):
                rows[e].append((seen["frontiers"][e].sum(), rewards[e], over[e], cut[e], *infos["rewards"][e],
                                infos["step"][e], *infos["due"][e]))
        return rows, env.digests()

    def apart(self, threads, count):
        env = outrider.make_vec("rooms", self.ENVS, threads=threads, **SMALL)
        env.reset(seed=3)
        rows = [[] for _ in range(self.ENVS)]
        env.send([action_of(e, 0) for e in range(self.ENVS)])
        left = self.ENVS
        while left:
            seen, rewards, over, cut, infos = env.recv(min(count, left))
            for row, e in enumerate(infos["env_id"]):
                rows[e].append((seen["frontiers"][row].sum(), rewards[row], over[row], cut[row],
                                *infos["rewards"][row], infos["step"][row], *infos["due"][row]))
            again = [e for e in infos["env_id"] if len(rows[e]) < self.STEPS]
            left -= len(infos["env_id"]) - len(again)
            if again:
                env.send([action_of(e, len(rows[e])) for e in again], again)
        env.close()
        return rows, env.digests()

    def test_each_environment_does_what_it_does_in_steps_of_all(self):
        expected = self.together()
        for threads, count in ((1, 1), (2, 2), (3, 5), (4, 3)):
            with self.subTest(threads=threads, count=count):
                self.assertEqual(self.apart(threads, count), expected)
        self.assertGreater(sum(row[3] for row in expected[0][0]), 0)  # episodes ended, and others began

    def test_those_that_are_ready_do_not_wait_for_others(self):
        """The reset of one environment waits for a curriculum, until the other one was received."""
        go_on = threading.Event()

        def curriculum(e, seed, last):
            if e == 1 and last is not None:
                go_on.wait(60)
            return "rooms"

        env = outrider.make_vec("rooms", 2, threads=2, curriculum=curriculum, **{**SMALL, "steps": 1})
        env.reset(seed=1)
        env.step(np.zeros((2, 2), int))  # both episodes are over
        env.send(np.zeros((2, 2), int))
        self.assertEqual(env.recv(1)[4]["env_id"].tolist(), [0])
        env.belief(0, "r1").pose
        for refused in (lambda: env.belief(1, "r1"), env.save, env.copy, env.reset, env.digests, env.state,
                        lambda: env.step(np.zeros((2, 2), int)), lambda: env.send(np.zeros((1, 2), int), [1])):
            with self.assertRaisesRegex(outrider.Error, "recv\\(\\) comes before"):
                refused()
        go_on.set()
        self.assertEqual(env.recv()[4]["env_id"].tolist(), [1])
        env.copy().step(np.zeros((2, 2), int))

    def test_beliefs_end_with_the_step_of_their_own_environment(self):
        env = outrider.make_vec("rooms", 2, **SMALL)
        env.reset(seed=1)
        mine, other = env.belief(0, "r1"), env.belief(1, "r1")
        env.send([[0, 0]], [0])
        env.recv()
        self.assertEqual(len(other.pose), 3)
        with self.assertRaisesRegex(outrider.Error, "of a step that is over"):
            mine.pose

    def test_mistakes(self):
        env = outrider.make_vec("rooms", 3, **SMALL)
        env.reset(seed=1)
        before = env.digests()
        for text, call in (("recv: expected 1 to 0, as many as were sent, got 0", env.recv),
                           (r"env_id: expected different numbers from 0 to 2, got \[1, 1\]",
                            lambda: env.send(np.zeros((2, 2), int), [1, 1])),
                           (r"env_id: expected .* got \[3\]", lambda: env.send(np.zeros((1, 2), int), [3])),
                           (r"actions: expected shape \(1, 2\), got \(2, 2\)",
                            lambda: env.send(np.zeros((2, 2), int), [1]))):
            with self.assertRaisesRegex(outrider.Error, text):
                call()
        env.send([[0, 0], [0, 99]], [0, 1])
        with self.assertRaisesRegex(outrider.Error, "environment 1: action of r2: expected 0 to 15, got 99"):
            env.recv()
        self.assertEqual(env.recv()[4]["env_id"].tolist(), [0])
        after = env.digests()
        self.assertEqual((after[1:], after[0] == before[0]), (before[1:], False))
        same = outrider.make_vec("rooms", 1, autoreset="same_step", **SMALL)
        with self.assertRaisesRegex(outrider.Error, "autoreset='next_step'"):
            same.send([[0, 0]])


class Views(unittest.TestCase):
    def test_others_read_the_arrays_without_copies(self):
        for robots in (1, 2):
            env = outrider.make_vec("rooms", 3, copy=False, observation=["frontiers", "window"],
                                    **{**SMALL, "robots": robots})
            observations, _ = env.reset(seed=1)
            views = {name: np.from_dlpack(array) for name, array in observations.items()}
            for _ in range(10):
                again, *_ = env.step(np.zeros((3, robots) if robots > 1 else 3, int))
            for name, array in observations.items():
                self.assertTrue(array.flags.writeable)  # torch.from_dlpack takes no others
                self.assertTrue(np.shares_memory(views[name], again[name]))
                np.testing.assert_array_equal(views[name], again[name])
            kept = views["frontiers"].copy()
            del env, observations, again, array  # a view keeps what it shows
            np.testing.assert_array_equal(views["frontiers"], kept)


if __name__ == "__main__":
    unittest.main()
