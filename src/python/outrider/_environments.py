"""Environments for learning, on one extension class that takes the steps of many of them together."""
from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np

from . import _core, spaces
from ._core import frontier_features, max_feature, own_features, place_features, reward_terms, window_channels
from ._scenarios import expect_scenario, near, settings_of

try:
    from pettingzoo import ParallelEnv as _ParallelBase
except ImportError:
    _ParallelBase = object
try:
    from gymnasium import Env as _EnvBase
    from gymnasium.vector import VectorEnv as _VectorBase
except ImportError:
    _EnvBase = _VectorBase = object

#: Weights of the terms of the reward unless others are given.
default_reward = {"area_team": 1.0, "way": -0.02, "done": 20.0}


class _Team:
    """What all environments share: the arguments, the arrays, spaces and rewards."""

    def __init__(self, scenario, *, num_envs=1, threads=1, robots=None, observation="frontiers", action="frontier",
                 reward=None, every=1, seed=None, steps=None, done_share=0.99, frontiers=16, window=64, scale=1,
                 nodes=512, spacing_m=0.0, strategies=(), patience=30, strategy="remote", settings=None, **more):
        self.settings = settings_of(settings, more, robots, seed, steps)
        if done_share is not None:
            self.settings.setdefault("stop.of", "team")
            self.settings.setdefault("stop.fraction", done_share)
        blocks = [observation] if isinstance(observation, str) else list(observation)
        for block in blocks:
            if block not in ("frontiers", "window", "graph", "own"):
                raise _core.Error(f"observation: no '{block}'" + near(block, ("frontiers", "window", "graph", "own")))
        if every == "event":
            every = 0
        elif not isinstance(every, int) or isinstance(every, bool) or every < 1:
            raise _core.Error(f"every: expected a number of steps, or \"event\", got {every!r}")
        self.reward = default_reward if reward is None else reward
        if not callable(self.reward):
            for name in self.reward:
                if name not in reward_terms:
                    raise _core.Error(f"reward: no term '{name}'" + near(name, reward_terms))
            self.weights = np.array([self.reward.get(name, 0.0) for name in reward_terms])
        self.strategy, self.num = strategy, num_envs
        self.core = _core.Environments(
            expect_scenario(scenario), settings=self.settings, strategy=strategy, count=num_envs, action=action,
            most=frontiers, window=(window, scale) if "window" in blocks else None,
            graph=(nodes, spacing_m) if "graph" in blocks else None, strategies=list(strategies), every=every,
            patience_steps=patience, frontiers="frontiers" in blocks, threads=threads)
        self.arrays, self.names, self.seed = self.core.arrays, self.core.agents, self.core.seed
        graph = ("nodes", "neighbours", "node_mask", "node")
        self.blocks = ([b for b in ("frontiers", "window") if b in blocks] + ["own"]
                       + [b for b in ("mask",) + graph + ("slots",) if b in self.arrays])
        self.discrete = self.core.actions > 0
        #: Which actions are possible.
        self.mask = self.arrays.get({"frontier": "mask", "node": "slots"}.get(action))

        one = {"own": spaces.Box(-max_feature, max_feature, (len(own_features),), np.float32)}
        if "frontiers" in blocks:
            one["frontiers"] = spaces.Box(-max_feature, max_feature, (frontiers, len(frontier_features)), np.float32)
        if "window" in blocks:
            one["window"] = spaces.Box(0, 255, (len(window_channels), window, window), np.uint8)
        if "mask" in self.arrays:
            one["mask"] = spaces.Box(0, 1, (frontiers,), np.uint8)
        if "graph" in blocks:
            slots = self.arrays["neighbours"].shape[-1]
            one["nodes"] = spaces.Box(-max_feature, max_feature, (nodes, len(place_features)), np.float32)
            one["neighbours"] = spaces.Box(-1, nodes - 1, (nodes, slots), np.int32)
            one["node_mask"] = spaces.Box(0, 1, (nodes,), np.uint8)
            one["node"] = spaces.Box(-1, nodes - 1, (1,), np.int32)
            if action == "node":
                one["slots"] = spaces.Box(0, 1, (slots,), np.uint8)
        self.observation_space = {name: spaces.Dict({b: one[b] for b in self.blocks}) for name in self.names}
        if self.discrete:
            self.action_space = {name: spaces.Discrete(self.core.actions) for name in self.names}
        else:
            self.action_space = {}
            for k, name in enumerate(self.names):
                most = np.array(self.core.bounds(k), np.float32)
                self.action_space[name] = spaces.Box(-most, most, (2,), np.float32)
        self.no_actions = np.zeros((num_envs, len(self.names)) + (() if self.discrete else (2,)),
                                   np.int64 if self.discrete else np.float64)

    def rewards(self):
        """(environments, agents)"""
        terms = self.arrays["terms"]
        if not callable(self.reward):
            return terms @ self.weights
        out = np.empty(terms.shape[:2])
        for e in range(terms.shape[0]):
            for a, name in enumerate(self.names):
                out[e, a] = self.reward(name, dict(zip(reward_terms, terms[e, a].tolist())))
        return out

    def reset(self, environment, seed, options):
        options = dict(options or {})
        other = options.pop("map", None)
        if options:
            raise _core.Error(f"reset: no option '{next(iter(options))}'; there are: map")
        if other is None:
            self.core.reset([environment], [seed])
        else:
            self.core.reset_to(environment, seed, expect_scenario(other), self.settings, self.strategy)

    def text(self, environment):
        """A small map for a terminal."""
        state = self.core.state(environment)
        scale = max(1, -(-state.shape[2] // 100))
        lines = []
        for row in range(state.shape[1] - 1, -1, -2 * scale):
            line = ""
            for column in range(0, state.shape[2], scale):
                walls, known, robots, bases = state[:, max(0, row - 2 * scale + 1):row + 1, column:column + scale]
                line += ("R" if robots.any() else "B" if bases.any() else " " if not known.any()
                         else "#" if (walls & known).any() else ".")
            lines.append(line.rstrip())
        return "\n".join(lines)

    def render(self, environment, mode):
        if mode is None:
            return None
        return self.core.render(environment) if mode == "rgb_array" else self.text(environment)


def _expect_mode(mode):
    if mode not in (None, "rgb_array", "ansi"):
        raise _core.Error(f"render_mode: expected None, 'rgb_array' or 'ansi', got {mode!r}")
    return mode


class ParallelEnv(_ParallelBase):
    """The robots of a scenario as agents, with the parallel API of PettingZoo (which need not be installed).

        env = outrider.ParallelEnv("office", robots=4, reward={"area_team": 1, "way": -0.02, "done": 20})
        observations, infos = env.reset(seed=7)
        while env.agents:
            actions = {a: observations[a]["frontiers"][:, 2].argmin() for a in env.agents}
            observations, rewards, terminations, truncations, infos = env.step(actions)

    scenario, robots, seed, steps, settings, **{"section.key": value}: as of Simulation; also outrider.generated(...).
    observation: "frontiers", "window", "graph", "own", or a list of these (docs/learning.md). action: "frontier" (the
    number of a row of observation["frontiers"]), "node" (the slot of a neighbour in the graph), "waypoint" (metres from
    the robot: dx, dy), "velocity" (m/s, rad/s) or "meta" (which of `strategies` decides).
    reward: weights of outrider.reward_terms, or a function (agent, terms) that returns a number.
    every: steps between decisions, or "event": only agents that are due act; infos[agent]["due"] says who is.
    done_share: the episode ends when the team knows this share of what can be sensed; None: as the scenario says.
    frontiers: rows at most. window, scale: pixels of a side, and cells of a pixel's side. nodes, spacing_m: rows of the
    graph at most, and metres between its places (0: a fifth of the sensor's range).
    strategy: of the team; agents are the robots that are "remote", and others may be given one of their own.

    Raises Error, with the place and what was expected.
    """

    metadata = {"name": "outrider_v0", "render_modes": ["rgb_array", "ansi"], "is_parallelizable": True}

    def __init__(self, scenario, *, render_mode=None, **arguments):
        self._team = _Team(scenario, **arguments)
        self.render_mode = _expect_mode(render_mode)
        self.possible_agents = list(self._team.names)
        self.agents = []
        self.observation_spaces, self.action_spaces = self._team.observation_space, self._team.action_space
        state = self._team.core.state(0)
        self.state_space = spaces.Box(0, 1, state.shape, np.uint8)
        self._next_seed = self._team.seed

    def observation_space(self, agent):
        return self.observation_spaces[agent]

    def action_space(self, agent):
        return self.action_spaces[agent]

    @property
    def num_agents(self):
        return len(self.agents)

    @property
    def max_num_agents(self):
        return len(self.possible_agents)

    @property
    def unwrapped(self):
        return self

    def _observations(self, agents):
        arrays, at = self._team.arrays, self._team.names.index
        return {a: {b: arrays[b][0, at(a)].copy() for b in self._team.blocks} for a in agents}

    def _infos(self, agents):
        arrays, out = self._team.arrays, {}
        for agent in agents:
            k = self._team.names.index(agent)
            out[agent] = {"due": bool(arrays["due"][0, k]), "dt": int(arrays["waited"][0, k]),
                          "step": int(arrays["steps"][0]), "team_share": float(arrays["team_share"][0]),
                          "way_m": float(arrays["way_m"][0]),
                          "terms": dict(zip(reward_terms, arrays["terms"][0, k].tolist()))}
            if self._team.mask is not None:
                out[agent]["action_mask"] = self._team.mask[0, k].astype(np.int8)
        return out

    def reset(self, seed=None, options=None):
        """Begins an episode; without a seed the one after the last. options: {"map": another scenario}."""
        if seed is not None:
            self._next_seed = int(seed)
        self._team.reset(0, self._next_seed, options)
        self._next_seed += 1
        self.agents = list(self.possible_agents)
        return self._observations(self.agents), self._infos(self.agents)

    def step(self, actions):
        """Actions by agent, of those that are due; observations, rewards, terminations, truncations, infos by agent.

        An Intent, or Goto, Drive, ..., may stand in place of any action: with words, a role, a place to look at.
        """
        if not self.agents:
            raise _core.Error("step: the episode is over; reset() begins another one")
        given, intents = self._team.no_actions.copy(), {}
        arrays = self._team.arrays
        for agent, action in actions.items():
            if agent not in self.possible_agents:
                raise _core.Error(f"step: no agent '{agent}'" + near(agent, self.possible_agents))
            if agent not in self.agents:
                raise _core.Error(f"step: agent '{agent}' is out of service")
            if isinstance(action, _intents):
                intents[self._team.names.index(agent)] = action
            else:
                given[0, self._team.names.index(agent)] = _checked(agent, action, self._team.discrete)
        missing = [a for a in self.agents if arrays["due"][0, self._team.names.index(a)] and a not in actions]
        if missing:
            raise _core.Error(f"step: no action for {', '.join(missing)}, who must decide now (infos say who is due)")
        for index, intent in intents.items():
            if arrays["due"][0, index]:
                self._team.core.decide(0, index, intent)
        self._team.core.step(given)
        agents, rewards = self.agents, self._team.rewards()
        over, cut = bool(arrays["terminated"][0]), bool(arrays["truncated"][0])
        dead = {a: not arrays["alive"][0, self._team.names.index(a)] for a in agents}
        self.agents = [] if over or cut else [a for a in agents if not dead[a]]
        return (self._observations(agents), {a: float(rewards[0, self._team.names.index(a)]) for a in agents},
                {a: over or dead[a] for a in agents}, {a: cut for a in agents}, self._infos(agents))

    def belief(self, agent):
        """What an agent knows (outrider.Belief), until the next step: its map, team, and what it was told."""
        if agent not in self.possible_agents:
            raise _core.Error(f"belief: no agent '{agent}'" + near(agent, self.possible_agents))
        return self._team.core.belief(0, self._team.names.index(agent))

    def state(self):
        """The truth, for centralised critics: uint8 (4, height, width), 1 for walls, known to the team, robots, bases."""
        return self._team.core.state(0)

    def render(self):
        """A picture of what the team knows (uint8 (height, width, 3)), or text."""
        return self._team.render(0, self.render_mode)

    def close(self):
        """Nothing has to be closed."""


_intents = (_core.Intent, _core.Goto, _core.Follow, _core.Drive, _core.Stay, _core.RandomStep)


def _checked(agent, action, discrete):
    """An action as a number, or a pair of them."""
    array = np.asarray(action)
    if discrete and (array.shape != () or array.dtype.kind not in "iu"):
        raise _core.Error(f"action of {agent}: expected a whole number, got {action!r}")
    if not discrete and (array.shape != (2,) or array.dtype.kind not in "iuf"):
        raise _core.Error(f"action of {agent}: expected two numbers, got {action!r}")
    return array


class VectorEnv(_VectorBase):
    """Many environments at once, with the vector API of Gymnasium (which need not be installed).

    A team acts as one: arrays of observations are (num_envs, agents, ...), of actions (num_envs, agents); with a single
    agent the axis of agents is left out. Rewards are the mean over agents; infos["rewards"] holds those of each.
    Results do not depend on `threads`. Episodes of environment e have the seeds seed + e, then num_envs more each time.

    autoreset: "next_step" (the step after the end of an episode begins the next one, its action is ignored),
    "same_step" (infos["final_obs"] holds the last observations) or "disabled" (those that are over stay as they are until
    reset()). copy: whether observations are copies;
    without, they are the arrays that the next step overwrites.
    """

    metadata = {"render_modes": ["rgb_array", "ansi"]}

    def __init__(self, scenario, num_envs, *, threads=1, autoreset="next_step", copy=True, render_mode=None,
                 **arguments):
        if autoreset not in ("next_step", "same_step", "disabled"):
            raise _core.Error(f"autoreset: expected 'next_step', 'same_step' or 'disabled', got {autoreset!r}")
        self._team = _Team(scenario, num_envs=num_envs, threads=threads, **arguments)
        self.num_envs, self.autoreset, self.copy = num_envs, autoreset, copy
        self.render_mode = _expect_mode(render_mode)
        self.metadata = {**type(self).metadata, "autoreset_mode": autoreset}
        self.agents = list(self._team.names)
        self._single = len(self.agents) == 1
        arrays = self._team.arrays
        one = self._team.observation_space[self.agents[0]]
        shapes = {b: arrays[b].shape[(2 if self._single else 1):] for b in self._team.blocks}
        lows = {b: (one[b].low.min(), one[b].high.max()) for b in self._team.blocks}
        box = {b: (lambda lead, b=b: spaces.Box(*lows[b], lead + shapes[b], arrays[b].dtype)) for b in shapes}
        self.single_observation_space = spaces.Dict({b: box[b](()) for b in shapes})
        self.observation_space = spaces.Dict({b: box[b]((num_envs,)) for b in shapes})
        acts = [self._team.action_space[a] for a in self.agents]
        agents = len(acts)
        if self._team.discrete:
            n = acts[0].n
            self.single_action_space = acts[0] if self._single else spaces.MultiDiscrete([n] * agents)
            self.action_space = spaces.MultiDiscrete(np.full((num_envs,) if self._single else (num_envs, agents), n))
        else:
            high = np.stack([s.high for s in acts])
            high = high[0] if self._single else high
            self.single_action_space = spaces.Box(-high, high, high.shape, np.float32)
            every = np.broadcast_to(high, (num_envs,) + high.shape)
            self.action_space = spaces.Box(-every, every, every.shape, np.float32)
        self._seeds = np.arange(num_envs) + self._team.seed
        self._over = np.ones(num_envs, bool)  # no episode yet
        self._pool = self._waiting = None

    @property
    def unwrapped(self):
        return self

    def _take(self, array):
        array = array[:, 0] if self._single else array
        return array.copy() if self.copy else array

    def _observations(self):
        return {b: self._take(self._team.arrays[b]) for b in self._team.blocks}

    def _infos(self):
        arrays = self._team.arrays
        out = {"due": self._take(arrays["due"]).astype(bool), "dt": self._take(arrays["waited"]),
               "step": arrays["steps"].copy(), "team_share": arrays["team_share"].copy(),
               "way_m": arrays["way_m"].copy()}
        if self._team.mask is not None:
            out["action_mask"] = self._take(self._team.mask)
        return out

    def _begin(self, which):
        self._team.core.reset([int(e) for e in which], [int(self._seeds[e]) for e in which])
        self._seeds[which] += self.num_envs
        self._over[which] = False

    def reset(self, *, seed=None, options=None):
        """Begins all episodes. seed: of the first environment, or a list of them; options: {"map": another scenario}."""
        if seed is not None:
            seeds = np.asarray(seed)
            self._seeds = seeds.astype(int) if seeds.ndim else int(seed) + np.arange(self.num_envs)
            if len(self._seeds) != self.num_envs:
                raise _core.Error(f"reset: expected {self.num_envs} seeds, got {len(self._seeds)}")
        if options:
            for e in range(self.num_envs):
                self._team.reset(e, int(self._seeds[e]), options)
            self._seeds += self.num_envs
            self._over[:] = False
        else:
            self._begin(np.arange(self.num_envs))
        return self._observations(), self._infos()

    def step(self, actions):
        """observations, rewards, terminations, truncations (arrays), infos (a dict of arrays)."""
        team, arrays = self._team, self._team.arrays
        actions = np.asarray(actions)
        given = actions.reshape(team.no_actions.shape) if self._single and len(actions) == self.num_envs else actions
        over = np.flatnonzero(self._over)
        if self.autoreset == "disabled" and len(over) == self.num_envs:
            raise _core.Error("step: all episodes are over; reset() begins others")
        team.core.step(given)  # those that are over stay as they are
        rewards = team.rewards()
        rewards[over] = 0
        if len(over) and self.autoreset == "next_step":
            self._begin(over)
        terminated, truncated = arrays["terminated"].astype(bool), arrays["truncated"].astype(bool)
        self._over = terminated | truncated
        infos = {"rewards": rewards}
        if self.autoreset == "same_step" and self._over.any():
            copy, self.copy = self.copy, True
            infos["final_obs"], infos["final_info"], infos["_final_obs"] = (self._observations(), self._infos(),
                                                                            self._over.copy())
            self.copy = copy
            self._begin(np.flatnonzero(self._over))
        infos.update(self._infos())
        return self._observations(), rewards.mean(axis=1), terminated, truncated, infos

    def step_async(self, actions):
        """Begins a step in another thread; step_wait() returns what step() would."""
        if self._waiting is not None:
            raise _core.Error("step_async: step_wait() comes before the next step")
        self._pool = self._pool or ThreadPoolExecutor(1)
        self._waiting = self._pool.submit(self.step, actions)

    def step_wait(self):
        if self._waiting is None:
            raise _core.Error("step_wait: step_async() comes before it")
        waiting, self._waiting = self._waiting, None
        return waiting.result()

    def render(self):
        """A picture or a text of each environment."""
        return tuple(self._team.render(e, self.render_mode) for e in range(self.num_envs))

    def digests(self):
        """Of the runs so far, one for each environment."""
        return [self._team.core.digest(e) for e in range(self.num_envs)]

    def close(self, **_):
        if self._pool:
            self._pool.shutdown()
            self._pool = None


def make_vec(scenario, num_envs, **arguments):
    """A VectorEnv: `num_envs` environments that take their steps together, on `threads` threads."""
    return VectorEnv(scenario, num_envs, **arguments)


class Env(_EnvBase):
    """One environment with the API of Gymnasium (which need not be installed): a single robot, or a team as one agent.

    Arguments as of ParallelEnv; arrays of a team have an axis of agents in front.
    """

    metadata = {"render_modes": ["rgb_array", "ansi"]}
    spec = None

    def __init__(self, scenario, *, render_mode=None, **arguments):
        self._vector = VectorEnv(scenario, 1, autoreset="disabled", render_mode=render_mode, **arguments)
        self.render_mode = render_mode
        self.observation_space = self._vector.single_observation_space
        self.action_space = self._vector.single_action_space

    @property
    def unwrapped(self):
        return self

    @staticmethod
    def _first(info):
        return {name: value[0] for name, value in info.items()}

    def reset(self, *, seed=None, options=None):
        if seed is not None:
            self._vector.action_space.seed(seed)
        observation, info = self._vector.reset(seed=seed, options=options)
        return self._first(observation), self._first(info)

    def step(self, action):
        observation, reward, terminated, truncated, info = self._vector.step(np.asarray(action)[None])
        return self._first(observation), float(reward[0]), bool(terminated[0]), bool(truncated[0]), self._first(info)

    def render(self):
        return self._vector.render()[0]

    def close(self):
        self._vector.close()
