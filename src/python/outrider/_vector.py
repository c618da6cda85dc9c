"""Many environments at once, and a team as one, with the APIs of Gymnasium."""
from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from copy import deepcopy
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core, spaces
from ._bases import AutoresetMode, Env as EnvBase, VectorEnv as VectorBase
from ._scenarios import expect_seed, near
from ._team import Rendered, Size, Team, expect_mode
from ._types import AnySetting, Curriculum, Info, Observation, Reward, Robots, Scenarios, Settings, TrueGraph, VectorInfo
from ._value import Saved, Value, given

_modes = {"next_step": AutoresetMode.NEXT_STEP, "same_step": AutoresetMode.SAME_STEP,
          "disabled": AutoresetMode.DISABLED}
_Stepped = Tuple[Observation, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], VectorInfo]


class VectorEnv(Value, VectorBase):  # type: ignore
    """Many environments at once, with the vector API of Gymnasium (which need not be installed).

    A team acts as one: arrays of observations are (num_envs, agents, ...), of actions (num_envs, agents); with a single
    agent the axis of agents is left out. Rewards are those of the step, as the mean over agents; infos["rewards"] holds
    those of each agent, which are paid when it is due again. Results do not depend on `threads`. Episodes of
    environment e have the seeds seed + e, then num_envs more each time.

    autoreset: "next_step" (the step after the end of an episode begins the next one, its action is ignored),
    "same_step" (infos["final_obs"] holds the last observations) or "disabled" (those that are over stay as they are
    until reset()); or Gymnasium's enumerator. copy: whether observations are copies; without, they are the arrays that
    the next step overwrites. Other arguments as of ParallelEnv.
    """

    metadata: Dict[str, Any] = {"render_modes": ["rgb_array", "ansi"], "render_fps": 10}

    def __init__(self, scenario: Scenarios, num_envs: int, *, threads: int = 1,
                 autoreset: Union[str, AutoresetMode] = "next_step", copy: bool = True, robots: Robots = None,
                 observation: Union[str, Sequence[str]] = "frontiers", action: str = "frontier",
                 reward: Optional[Reward] = None, every: Union[int, str] = 1, seed: Optional[int] = None,
                 steps: Optional[int] = None, done_share: Optional[float] = 0.99, frontiers: int = 16,
                 window: int = 64, scale: int = 1, nodes: int = 512, spacing_m: float = 0.0,
                 strategies: Sequence[str] = (), patience: int = 30, strategy: str = "remote",
                 render_mode: Optional[str] = None, render_size: Optional[Size] = None,
                 settings: Settings = None,
                 curriculum: Optional[Curriculum] = None, **more: AnySetting) -> None:
        self._given = given(locals())
        mode = _modes.get(autoreset) if isinstance(autoreset, str) else autoreset
        if mode not in list(AutoresetMode):
            raise _core.Error(f"autoreset: expected 'next_step', 'same_step' or 'disabled', got {autoreset!r}")
        own = ("autoreset", "copy", "render_mode", "render_size")
        self._team = Team(**{name: value for name, value in self._given.items() if name not in own})
        self.num_envs, self.autoreset, self._copies = num_envs, mode, copy
        self.render_mode = expect_mode(render_mode, render_size, type(self).metadata["render_modes"])
        self._size = render_size
        self.metadata = {**type(self).metadata, "autoreset_mode": mode}
        self.agents: List[str] = list(self._team.names)
        self._single = len(self.agents) == 1
        self._make_spaces()
        self._seeds = np.arange(num_envs) + self._team.seed
        self._over = np.ones(num_envs, bool)  # no episode yet
        self._pool: Optional[ThreadPoolExecutor] = None
        self._waiting: Optional["Future[_Stepped]"] = None

    def _make_spaces(self) -> None:
        one, arrays = self._team.observation_space[self.agents[0]], self._team.arrays

        def boxes(lead: Tuple[int, ...]) -> spaces.Dict:
            return spaces.Dict({b: spaces.Box(one[b].low.min(), one[b].high.max(),
                                              lead + arrays[b].shape[(2 if self._single else 1):], arrays[b].dtype)
                                for b in self._team.blocks})

        self.single_observation_space, self.observation_space = boxes(()), boxes((self.num_envs,))
        acts = [self._team.action_space[a] for a in self.agents]
        lead = (self.num_envs,) if self._single else (self.num_envs, len(acts))
        if self._team.discrete:
            n = acts[0].n
            self.single_action_space = acts[0] if self._single else spaces.MultiDiscrete([n] * len(acts))
            self.action_space = spaces.MultiDiscrete(np.full(lead, n))
        else:
            high = acts[0].high if self._single else np.stack([s.high for s in acts])
            self.single_action_space = spaces.Box(-high, high, high.shape, np.float32)
            every = np.broadcast_to(high, (self.num_envs,) + high.shape)
            self.action_space = spaces.Box(-every, every, every.shape, np.float32)

    def _take(self, array: NDArray[Any], copy: bool = True) -> NDArray[Any]:
        array = array[:, 0] if self._single else array
        return array.copy() if copy else array

    def _observations(self, copy: bool = True) -> Observation:
        return {b: self._take(self._team.arrays[b], copy) for b in self._team.blocks}  # type: ignore

    def _infos(self) -> VectorInfo:
        arrays = self._team.arrays
        out = VectorInfo(agents=self._take(arrays["members"]).astype(bool),
                         due=self._take(arrays["due"]).astype(bool), dt=self._take(arrays["waited"]), step=arrays["steps"].copy(), team_share=arrays["team_share"].copy(),
                         way_m=arrays["way_m"].copy(),
                         return_since_decision=self._take(self._team.values(arrays["since"])))
        if self._team.mask is not None:
            out["action_mask"] = self._take(self._team.mask)
        return out

    def _begin(self, which: NDArray[Any], options: Optional[Mapping[str, Any]] = None) -> None:
        self._team.reset([int(e) for e in which], [int(self._seeds[e]) for e in which], options)
        self._seeds[which] += self.num_envs
        self._over[which] = False

    def _wanted(self, options: Optional[Mapping[str, Any]]) -> NDArray[Any]:
        mask = (options or {}).get("reset_mask")
        if mask is None:
            return np.arange(self.num_envs)
        mask = np.asarray(mask)
        if mask.shape != (self.num_envs,) or mask.dtype != bool or not mask.any():
            raise _core.Error(f"reset: reset_mask: expected bool of shape ({self.num_envs},), one of them True, got {mask!r}")
        return np.flatnonzero(mask)

    def _set_seeds(self, seed: Union[int, Sequence[int]]) -> None:
        if np.ndim(seed) == 0:
            self._seeds = expect_seed(seed) + np.arange(self.num_envs)
            return
        seeds = [expect_seed(s) for s in seed]  # type: ignore[union-attr]
        if len(seeds) != self.num_envs:
            raise _core.Error(f"reset: expected {self.num_envs} seeds, got {len(seeds)}")
        self._seeds = np.array(seeds)

    def reset(self, *, seed: Union[None, int, Sequence[int]] = None, options: Optional[Mapping[str, Any]] = None
              ) -> Tuple[Observation, VectorInfo]:
        """Begins all episodes. seed: of the first environment, or a list of them. options: "map": what scenarios are drawn
        from, from now on; "reset_mask": bool (num_envs,), which environments begin, while others go on; others are left
        to wrappers."""
        if seed is not None:
            self._set_seeds(seed)
            super().reset(seed=int(self._seeds[0]))
        self._begin(self._wanted(options), options)
        return self._observations(self._copies), self._infos()

    def step(self, actions: ArrayLike) -> _Stepped:
        """observations, rewards, terminations, truncations (arrays), infos (a dict of arrays)."""
        team, arrays = self._team, self._team.arrays
        actions = np.asarray(actions)
        fits = self._single and actions.ndim > 0 and len(actions) == self.num_envs
        over = np.flatnonzero(self._over)
        if self.autoreset is AutoresetMode.DISABLED and len(over) == self.num_envs:
            raise _core.Error("step: all episodes are over; reset() begins others")
        team.core.step(actions.reshape(team.no_actions.shape) if fits else actions)  # those that are over stay
        members = arrays["members"].copy()
        rewards, paid = team.values(arrays["terms"]), team.rewards()[0]
        rewards[over] = paid[over] = 0
        if len(over) and self.autoreset is AutoresetMode.NEXT_STEP:
            self._begin(over)
        terminated, truncated = arrays["terminated"].astype(bool), arrays["truncated"].astype(bool)
        self._over = terminated | truncated
        infos = VectorInfo()
        if self.autoreset is AutoresetMode.SAME_STEP and self._over.any():
            infos["final_obs"], infos["final_info"] = self._observations(), self._infos()
            infos["_final_obs"] = infos["_final_info"] = self._over.copy()
            self._begin(np.flatnonzero(self._over))
        infos.update(self._infos())
        infos["rewards"] = paid
        mean = (rewards * members).sum(axis=1) / members.sum(axis=1)
        return self._observations(self._copies), mean, terminated, truncated, infos

    def step_async(self, actions: ArrayLike) -> None:
        """Begins a step in another thread; step_wait() returns what step() would."""
        if self._waiting is not None:
            raise _core.Error("step_async: step_wait() comes before the next step")
        self._pool = self._pool or ThreadPoolExecutor(1)
        self._waiting = self._pool.submit(self.step, actions)

    def step_wait(self) -> _Stepped:
        if self._waiting is None:
            raise _core.Error("step_wait: step_async() comes before it")
        waiting, self._waiting = self._waiting, None
        return waiting.result()

    def render(self) -> Tuple[Rendered, ...]:
        """A picture or a text of each environment."""
        return tuple(self._team.render(e, self.render_mode, self._size) for e in range(self.num_envs))

    def _twin(self) -> "VectorEnv":
        out = self._like()
        out._team, out._pool, out._waiting = self._team.twin(), None, None
        out._seeds, out._over, out._np_random = self._seeds.copy(), self._over.copy(), deepcopy(self._np_random)
        out.single_action_space = spaces.twin(self.single_action_space)
        out.action_space = spaces.twin(self.action_space)
        return out

    def save(self) -> Saved:
        return {**self._team.save(), "seeds": self._seeds.copy(), "over": self._over.copy(),
                "random": deepcopy(self._np_random)}

    def restore(self, saved: Saved) -> None:
        self._team.restore(saved)
        self._seeds, self._over = saved["seeds"].copy(), saved["over"].copy()
        self._np_random = deepcopy(saved["random"])

    def state(self) -> NDArray[np.uint8]:
        """The truth of each environment, for centralised critics: uint8 (num_envs, 4, height, width), as of
        ParallelEnv; maps that differ in size have walls around them."""
        states = [self._team.state(e) for e in range(self.num_envs)]
        rows, columns = (max(s.shape[k] for s in states) for k in (1, 2))
        out = np.zeros((self.num_envs, 4, rows, columns), np.uint8)
        out[:, 0] = 1
        for e, state in enumerate(states):
            out[e, :, :state.shape[1], :state.shape[2]] = state
        return out

    def true_graph(self, nodes: int = 2048) -> TrueGraph:
        """As of ParallelEnv, of all environments: arrays with num_envs in front."""
        all_of = [self._team.core.true_graph(e, nodes) for e in range(self.num_envs)]
        return {name: np.stack([one[name] for one in all_of]) for name in all_of[0]}  # type: ignore[return-value]

    def belief(self, environment: int, agent: str) -> _core.Belief:
        """What an agent of an environment knows, until the next step."""
        if agent not in self.agents:
            raise _core.Error(f"belief: no agent '{agent}'" + near(agent, self.agents))
        return self._team.core.belief(environment, self.agents.index(agent))

    def digests(self) -> List[str]:
        """Of the runs so far, one for each environment."""
        return [self._team.core.digest(e) for e in range(self.num_envs)]

    def close(self, **_: Any) -> None:
        if self._pool:
            self._pool.shutdown()
            self._pool = None


#: A VectorEnv: environments that take their steps together, on `threads` threads.
make_vec = VectorEnv


class Env(Value, EnvBase):  # type: ignore
    """One environment with the API of Gymnasium (which need not be installed): a single robot, or a team as one agent.

    Arguments as of ParallelEnv; arrays of a team have an axis of agents in front.
    """

    metadata: Dict[str, Any] = {"render_modes": ["human", "rgb_array", "ansi"], "render_fps": 10}

    def __init__(self, scenario: Scenarios, *, robots: Robots = None,
                 observation: Union[str, Sequence[str]] = "frontiers", action: str = "frontier",
                 reward: Optional[Reward] = None, every: Union[int, str] = 1, seed: Optional[int] = None,
                 steps: Optional[int] = None, done_share: Optional[float] = 0.99, frontiers: int = 16,
                 window: int = 64, scale: int = 1, nodes: int = 512, spacing_m: float = 0.0,
                 strategies: Sequence[str] = (), patience: int = 30, strategy: str = "remote", threads: int = 1,
                 render_mode: Optional[str] = None, render_size: Optional[Size] = None,
                 settings: Settings = None,
                 curriculum: Optional[Curriculum] = None, **more: AnySetting) -> None:
        self._given = given(locals())
        self.render_mode = expect_mode(render_mode, render_size, self.metadata["render_modes"])
        shown = {"render_mode": "ansi"} if render_mode == "human" else {}
        self._vector = VectorEnv(num_envs=1, autoreset="disabled", **{**self._given, **shown})
        self.observation_space = self._vector.single_observation_space
        self.action_space = self._vector.single_action_space

    def _twin(self) -> "Env":
        out = self._like()
        out._vector, out._np_random = self._vector._twin(), deepcopy(self._np_random)
        out.action_space = out._vector.single_action_space
        return out

    def save(self) -> Saved:
        return {**self._vector.save(), "env_random": deepcopy(self._np_random)}

    def restore(self, saved: Saved) -> None:
        self._vector.restore(saved)
        self._np_random = deepcopy(saved["env_random"])

    @staticmethod
    def _first(batch: Any) -> Any:
        return {name: value[0] for name, value in batch.items()}

    def reset(self, *, seed: Optional[int] = None, options: Optional[Mapping[str, Any]] = None
              ) -> Tuple[Observation, Info]:
        """Begins an episode, as of ParallelEnv."""
        if seed is not None:
            super().reset(seed=expect_seed(seed))
        observation, info = self._vector.reset(seed=seed, options=options)
        if self.render_mode == "human":
            self._vector._team.show()
        return self._first(observation), self._first(info)

    def step(self, action: ArrayLike) -> Tuple[Observation, float, bool, bool, Info]:
        """An action, of a team an array of them; the observation, reward, terminated, truncated, info."""
        observation, reward, terminated, truncated, info = self._vector.step(np.asarray(action)[None])
        if self.render_mode == "human":
            self._vector._team.show()
        return self._first(observation), float(reward[0]), bool(terminated[0]), bool(truncated[0]), self._first(info)

    def render(self) -> Rendered:
        """As of ParallelEnv."""
        return None if self.render_mode == "human" else self._vector.render()[0]

    def close(self) -> None:
        self._vector.close()
