"""Environments for learning: their contracts, what they add up to, and what they refuse."""
import contextlib
import io
import itertools
import threading
import unittest

import numpy as np
import outrider

WAY = outrider.frontier_features.index("way")
SMALL = dict(robots=2, steps=300, **{"sensor.range_m": 6})
LONG = {**SMALL, "steps": 2500}


def nearest(observation):
    """The first row is the nearest frontier."""
    return 0


def play(env, seed=None, choose=nearest):
    """An episode; its rewards by agent, and its number of calls."""
    observations, infos = env.reset(seed=seed)
    total, calls = dict.fromkeys(env.possible_agents, 0.0), 0
    while env.agents:
        actions = {a: choose(observations[a]) for a in env.agents if infos[a]["due"]}
        observations, rewards, _, _, infos = env.step(actions)
        for agent, reward in rewards.items():
            total[agent] += reward
        calls += 1
    return total, calls, infos


class Episodes(unittest.TestCase):
    def test_the_nearest_choice_explores_and_the_reward_adds_up(self):
        env = outrider.ParallelEnv("rooms", every="event", patience=15,
                                   reward={"area_team": 1, "way": -0.5, "done": 20, "steps": -0.1}, **LONG)
        observations, infos = env.reset(seed=4)
        sums, total = dict.fromkeys(outrider.reward_terms, 0.0), 0.0
        while env.agents:
            observations, rewards, _, _, infos = env.step({a: 0 for a in env.agents if infos[a]["due"]})
            total += sum(rewards.values())
            for agent in rewards:
                if infos[agent]["due"] or not env.agents:
                    self.assertAlmostEqual(rewards[agent], infos[agent]["return_since_decision"])
                    for name, value in infos[agent]["terms"].items():
                        sums[name] += value
                else:
                    self.assertEqual(rewards[agent], 0)
        self.assertGreater(infos["r1"]["team_share"], 0.99)
        self.assertAlmostEqual(total, sums["area_team"] - 0.5 * sums["way"] + 20 * sums["done"] - 0.1 * sums["steps"])
        self.assertAlmostEqual(sums["way"], infos["r1"]["way_m"], places=6)
        self.assertEqual((sums["steps"], sums["done"]), (2 * infos["r1"]["step"], 2))
        self.assertAlmostEqual(sums["area_own"] / sums["area_team"], 0.5, delta=0.3)

    def test_a_reward_may_be_a_function(self):
        env = outrider.ParallelEnv("rooms", reward=lambda agent, terms: terms["steps"] * (2 if agent == "r2" else 1),
                                   **SMALL)
        total, calls, _ = play(env)
        self.assertEqual((total["r1"], total["r2"]), (calls, 2 * calls))

    def test_events_ask_less_often_and_explore_as_well(self):
        shares, calls = [], []
        for every in (1, "event"):
            _, called, infos = play(outrider.ParallelEnv("rooms", every=every, **SMALL), seed=1)
            shares.append(infos["r1"]["team_share"])
            calls.append(called)
        self.assertLess(calls[1], calls[0])
        self.assertGreaterEqual(shares[1], shares[0])

    def test_from_place_to_place_along_the_guideposts_everything_is_explored(self):
        env = outrider.ParallelEnv("rooms", robots=1, steps=2500, observation="graph", action="node", every="event",
                                   **{"sensor.range_m": 6})
        observations, infos = env.reset(seed=2)
        column = outrider.place_features.index
        while env.agents:
            self.assertTrue(infos["r1"]["due"])
            one = observations["r1"]
            np.testing.assert_array_equal(infos["r1"]["action_mask"], one["slots"])
            there = one["neighbours"][one["node"][0]]
            np.testing.assert_array_equal(there[there >= 0], there[one["slots"] > 0][there[one["slots"] > 0] >= 0])
            nodes = one["nodes"][there]
            score = (nodes[:, column("guidepost")] - nodes[:, column("visited")]
                     + 0.1 * nodes[:, column("utility")])
            observations, _, over, _, infos = env.step({"r1": int(np.where(one["slots"] > 0, score, -9).argmax())})
        self.assertTrue(over["r1"])
        self.assertGreaterEqual(infos["r1"]["team_share"], 0.99)

    def test_a_robot_looks_where_it_was_to_look_at_its_place(self):
        narrow = {"sensor.range_m": 6, "sensor.beams": 61, "sensor.fov_deg": 60}
        slow = {**narrow, "body.kinematics": "diff_drive", "body.turn_deg_s": 15}
        known = []
        for heading, settings in itertools.product(range(8), (narrow, slow)):
            env = outrider.ParallelEnv("rooms", robots=1, steps=60, observation="graph", action="view", every="event",
                                       settings=settings)
            env.reset(seed=2)
            seen = env.step({"r1": outrider.Stay()})[0]["r1"]  # until it meets the base, which makes it due
            slot = int(seen["slots"].argmax())
            place = seen["nodes"][seen["neighbours"][seen["node"][0], slot], :2] * 6 + env.belief("r1").pose[:2]
            _, _, _, _, infos = env.step({"r1": 8 * slot + heading})
            x, y, yaw = env.belief("r1").pose
            self.assertLess(infos["r1"]["dt"], 30)
            np.testing.assert_allclose([x, y], place, atol=0.11)
            self.assertAlmostEqual(np.cos(yaw - heading * np.pi / 4), 1, places=2)
            known.append(env.state()[1].tobytes())
        self.assertEqual(len(set(known[::2])), 8)  # it is seen from there

    def test_seeds_decide_and_begin_anew(self):
        env = outrider.ParallelEnv("rooms", **SMALL, **{"start.jitter_cells": 10})
        digests = []
        for seed in (7, 8, 7, None):
            play(env, seed=seed)
            digests.append(env._team.core.digest(0))
        self.assertEqual(digests[0], digests[2])
        self.assertEqual(digests[1], digests[3])  # the one after the last
        self.assertNotEqual(digests[0], digests[1])

    def test_new_maps_by_seed_or_by_option(self):
        env = outrider.ParallelEnv(outrider.generated("office", width=200, height=150), **SMALL)
        states = [env.reset(seed=seed) and env.state()[0] for seed in (1, 2, 1)]
        self.assertFalse(states[0].shape == states[1].shape and np.array_equal(states[0], states[1]))
        np.testing.assert_array_equal(states[0], states[2])
        env.reset(seed=5, options={"map": outrider.generated("office", seed=2, width=200, height=150)})
        np.testing.assert_array_equal(env.state()[0], states[1])
        run = outrider.run(outrider.generated("office", width=200, height=150), seed=2, steps=5, strategy="nearest")
        self.assertEqual(run.reason, "step_limit")

    def test_native_mates_and_dead_agents(self):
        env = outrider.ParallelEnv({"map": {"file": "environments/rooms.png"}, "robot": [
            {"name": "mine"}, {"name": "mate", "strategy": "nearest"}, {"name": "frail", "dies_at_step": 5}]}, steps=12,
            robots=3)
        self.assertEqual(env.possible_agents, ["mine", "frail"])
        observations, infos = env.reset()
        seen = []
        while env.agents:
            seen.append(list(env.agents))
            observations, _, terminations, truncations, _ = env.step({a: 0 for a in env.agents})
        self.assertIn(["mine"], seen)
        self.assertEqual((truncations, terminations), ({"mine": True}, {"mine": False}))

    def test_pictures_and_texts(self):
        env = outrider.ParallelEnv("rooms", render_mode="rgb_array", **SMALL)
        env.reset()
        picture = env.render()
        self.assertEqual((picture.dtype, picture.shape[2]), (np.uint8, 3))
        env.render_mode = "ansi"
        self.assertIn("R", env.render())
        small = outrider.Env("rooms", render_mode="rgb_array", render_size=(120, 80), **SMALL)
        small.reset()
        self.assertEqual(small.render().shape, (80, 120, 3))
        self.assertGreater(len(np.unique(small.render().reshape(-1, 3), axis=0)), 3)
        for kind, action in ((outrider.ParallelEnv, {"r1": 0, "r2": 0}), (outrider.Env, [0, 0])):
            said = io.StringIO()
            with contextlib.redirect_stdout(said):
                shown = kind("rooms", render_mode="human", **SMALL)
                shown.reset()
                shown.step(action)
            self.assertGreaterEqual(said.getvalue().count("R"), 2)
            self.assertIsNone(shown.render())
            self.assertIn("</html>", shown.page())
        state = env.state()
        self.assertTrue(env.state_space.contains(state))
        self.assertEqual(state[2].sum(), 2)


class Vectors(unittest.TestCase):
    @staticmethod
    def rollout(threads, mode="next_step", asynchronous=False):
        env = outrider.make_vec("rooms", 5, threads=threads, autoreset=mode, seed=3, robots=2, steps=40,
                                observation=["frontiers", "window"], **{"start.jitter_cells": 8})
        env.reset(seed=3)
        seen = []
        for k in range(60):
            actions = np.full((5, 2), k % 3)
            if asynchronous:
                env.step_async(actions)
                observations, rewards, over, cut, _ = env.step_wait()
            else:
                observations, rewards, over, cut, _ = env.step(actions)
            seen.append((observations["frontiers"].sum(), observations["window"].sum(), *rewards, *over, *cut))
        env.close()
        return seen, env.digests()

    def test_threads_and_waiting_change_nothing(self):
        one = self.rollout(1)
        self.assertEqual(one, self.rollout(3))
        self.assertEqual(one, self.rollout(2, asynchronous=True))

    def test_each_environment_is_what_it_is_alone(self):
        env = outrider.make_vec("rooms", 3, robots=1, steps=30, every=2, **{"start.jitter_cells": 8})
        together, _ = env.reset(seed=11)
        rows = [together]
        for _ in range(10):
            rows.append(env.step(np.zeros(3, int))[0])
        for e in range(3):
            alone = outrider.Env("rooms", robots=1, steps=30, every=2, **{"start.jitter_cells": 8})
            mine = [alone.reset(seed=11 + e)[0]] + [alone.step(0)[0] for _ in range(10)]
            for k, row in enumerate(rows):
                np.testing.assert_array_equal(row["frontiers"][e], mine[k]["frontiers"])

    def test_resetting_by_itself(self):
        later = outrider.make_vec("rooms", 1, robots=1, steps=10, autoreset="next_step")
        same = outrider.make_vec("rooms", 1, robots=1, steps=10, autoreset="same_step")
        for env in (later, same):
            env.reset(seed=1)
            for _ in range(9):
                env.step([0])
        end, _, _, cut, infos = later.step([0])
        begun, _, _, cut_too, final = same.step([0])
        self.assertTrue(cut[0] and cut_too[0])
        np.testing.assert_array_equal(end["frontiers"], final["final_obs"]["frontiers"])
        self.assertEqual(final["final_info"]["step"][0], 10)
        first, reward, _, cut, infos = later.step([0])
        self.assertEqual((reward[0], cut[0], infos["step"][0]), (0, False, 0))
        np.testing.assert_array_equal(first["frontiers"], begun["frontiers"])
        stops = outrider.make_vec("rooms", 1, robots=1, steps=1, autoreset="disabled")
        stops.reset()
        stops.step([0])
        with self.assertRaisesRegex(outrider.Error, "all episodes are over; reset\\(\\)"):
            stops.step([0])

    def test_other_threads_of_python_go_on(self):
        env = outrider.make_vec("rooms", 8, robots=2, steps=200)
        env.reset()
        counted, stop = [0], threading.Event()

        def count():
            while not stop.is_set():
                counted[0] += 1

        thread = threading.Thread(target=count)
        thread.start()
        for _ in range(50):
            env.step(np.zeros((8, 2), int))
        stop.set()
        thread.join()
        self.assertGreater(counted[0], 0)


class Intents(unittest.TestCase):
    """In place of actions."""

    def test_one_gives_the_run_of_the_action_that_it_is(self):
        digests = []
        for as_intent in (False, True):
            env = outrider.ParallelEnv("rooms", action="velocity", **SMALL)
            env.reset(seed=4)
            for step in range(40):
                speed, turn = 1.0 - step / 100, 0.4
                action = outrider.Drive(speed, turn) if as_intent else [speed, turn]
                env.step({"r1": action, "r2": [0.5, 0.0]})
            digests.append(env._team.core.digest(0))
        self.assertEqual(digests[0], digests[1])

    def test_words_arrive_and_beliefs_end_with_the_step(self):
        env = outrider.ParallelEnv("rooms", action="frontier", every="event", **SMALL)
        _, infos = env.reset(seed=4)
        home = env.belief("r1").home
        for step in range(3):
            known = env.belief("r2")
            actions = {a: 0 for a in env.agents if infos[a]["due"]}
            if "r1" in actions:
                goal = outrider.Goto(*home, face=(home[0] + 5, home[1]))
                actions["r1"] = outrider.Intent(goal, role="explorer", words=[outrider.Word(77, [7, 5])])
            _, _, _, _, infos = env.step(actions)
            with self.assertRaisesRegex(outrider.Error, "of a step that is over"):
                known.pose
        heard = env.belief("r2").team["r1"]
        self.assertEqual(heard["role"], "explorer")
        self.assertEqual([(w.topic, list(w.values)) for w in heard["words"]], [(77, [7, 5])])
        self.assertEqual(heard["goal"], home)

    def test_what_is_refused(self):
        env = outrider.ParallelEnv("rooms", action="meta", strategies=["nearest", "minpos"], **SMALL)
        env.reset()
        with self.assertRaisesRegex(outrider.Error, "action of r1: 'meta' takes no intents"):
            env.step({"r1": outrider.Stay(), "r2": 0})
        with self.assertRaisesRegex(outrider.Error, "belief: no agent 'r9'; there are: r1, r2"):
            env.belief("r9")


class Mistakes(unittest.TestCase):
    def refuses(self, text, function, *arguments, **named):
        with self.assertRaisesRegex(outrider.Error, text):
            function(*arguments, **named)

    def test_of_arguments(self):
        make = outrider.ParallelEnv
        self.refuses("reward: no term 'area' .did you mean 'area_", make, "rooms", reward={"area": 1})
        self.refuses("observation: no 'windows' .did you mean 'window'", make, "rooms", observation="windows")
        self.refuses("action: expected one of frontier, node, view, waypoint, velocity, meta, got 'go'", make, "rooms", action="go")
        self.refuses("action: 'view' needs the observation 'graph'", make, "rooms", action="view")
        self.refuses("every: expected a number of steps, or \"event\", got 0", make, "rooms", every=0)
        self.refuses("window: expected a scale of 1, 2, 4 or 8, got 3", make, "rooms", observation="window", scale=3)
        self.refuses("no robot has the strategy 'remote'", make, "rooms", strategy="nearest")
        self.refuses("no argument 'robot'", make, "rooms", robot=3)
        self.refuses("did you mean 'office'", make, outrider.generated("ofice"))
        for number in (0, 2.5, "2"):
            self.refuses("num_envs: expected 1 or more, a whole number", outrider.make_vec, "rooms", number)
        for name in ("threads", "frontiers", "window", "scale", "nodes", "patience"):
            self.refuses(f"{name}: expected 1 or more, a whole number, got 0", make, "rooms", **{name: 0})
        self.refuses("spacing_m: expected a number, got 'a'", make, "rooms", spacing_m="a")
        self.refuses("strategies: expected a list of names", make, "rooms", action="meta", strategies="nearest")
        self.refuses("offce: cannot be read; .* did you mean 'office'\\?", make, "offce")
        self.refuses("Goto: y: expected a finite number, got nan", outrider.Goto, 1, float("nan"))
        self.refuses("face: x: expected a finite number, got inf", outrider.Goto, 1, 1, face=(float("inf"), 0))
        self.refuses("Drive: turn: expected a finite number", outrider.Drive, 1, float("-inf"))
        self.refuses("seed: expected a whole number of 0 or more, got -1", outrider.Simulation("rooms").reset, -1)
        self.refuses("autoreset: expected", outrider.make_vec, "rooms", 1, autoreset="always")
        self.refuses("render_mode: expected None, 'human', 'rgb_array', 'ansi'", make, "rooms", render_mode="3d")
        self.refuses("render_mode: expected", outrider.make_vec, "rooms", 1, render_mode="human")
        self.refuses("render_size: expected .width, height.", make, "rooms", render_size=(0, 3))

    def test_of_actions(self):
        env = outrider.ParallelEnv("rooms", **SMALL)
        self.refuses("the episode is over; reset", env.step, {})
        env.reset()
        self.refuses("no action for r2, who must decide", env.step, {"r1": 0})
        self.refuses("no agent 'r3'; there are: r1, r2", env.step, {"r3": 0})
        self.refuses("action of r1: expected a whole number, got 0.5", env.step, {"r1": 0.5, "r2": 0})
        before = env._team.core.digest(0)
        self.refuses("action of r2: expected 0 to 15, got 16", env.step, {"r1": 0, "r2": 16})
        self.assertEqual(env._team.core.digest(0), before)  # nobody moved
        env.step({"r1": 0, "r2": 0})
        self.refuses("seed: expected a whole number of 0 or more, got -1", env.reset, seed=-1)
        vector = outrider.make_vec("rooms", 2, robots=2)
        vector.reset()
        self.refuses(r"actions: expected whole numbers of shape \(2, 2\), got int64 of shape \(2\)", vector.step, [0, 0])
        self.refuses("expected whole numbers of shape .* got float64", vector.step, np.zeros((2, 2)))
        self.refuses("reset: expected 2 seeds, got 3", vector.reset, seed=[1, 2, 3])
        self.refuses("step_async\\(\\) comes before", vector.step_wait)


if __name__ == "__main__":
    unittest.main()
