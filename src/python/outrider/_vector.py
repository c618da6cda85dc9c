"""Many environments at once, with the vector API of Gymnasium."""
from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from copy import deepcopy
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core, spaces
from ._bases import AutoresetMode, VectorEnv as VectorBase
from ._batches import Batches
from ._scenarios import expect_seed, near
from ._team import Rendered, Rows, Size, Team, expect_mode
from ._types import AnySetting, Curriculum, Observation, Reward, Robots, Scenarios, Settings, TrueGraph, VectorInfo
from ._value import Saved, Value, given

_modes = {"next_step": AutoresetMode.NEXT_STEP, "same_step": AutoresetMode.SAME_STEP,
          "disabled": AutoresetMode.DISABLED}
_Stepped = Tuple[Observation, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], VectorInfo]


class VectorEnv(Batches, Value, VectorBase):  # type: ignore
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
        self._begin_batches(threads)

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

    def _observations(self, copy: bool = True, rows: Rows = slice(None)) -> Observation:
        return {b: self._take(self._team.arrays[b][rows], copy) for b in self._team.blocks}  # type: ignore

    def _infos(self, rows: Rows = slice(None)) -> VectorInfo:
        arrays, masks = self._team.arrays, self._team.masks(rows)
        out = VectorInfo(agents=self._take(arrays["members"][rows]).astype(bool),
                         due=self._take(arrays["due"][rows]).astype(bool), dt=self._take(arrays["waited"][rows]),
                         step=arrays["steps"][rows].copy(), team_share=arrays["team_share"][rows].copy(),
                         way_m=arrays["way_m"][rows].copy(),
                         return_since_decision=self._take(self._team.values(arrays["since"][rows])))
        if masks is not None:
            out["action_mask"] = self._take(masks)
        return out

    def _outcome(self, rows: Rows = slice(None)) -> "Tuple[NDArray[np.float64], NDArray[np.float64]]":
        """Of the last step of each environment: the reward, and what each of its agents is paid."""
        members = self._team.arrays["members"][rows]
        rewards = (self._team.values(self._team.arrays["terms"][rows]) * members).sum(axis=1) / members.sum(axis=1)
        return rewards, self._team.rewards(rows)[0]

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
        self.expect_received("reset")
        if seed is not None:
            self._set_seeds(seed)
            super().reset(seed=int(self._seeds[0]))
        self._begin(self._wanted(options), options)
        return self._observations(self._copies), self._infos()

    def step(self, actions: ArrayLike) -> _Stepped:
        """observations, rewards, terminations, truncations (arrays), infos (a dict of arrays)."""
        team, arrays = self._team, self._team.arrays
        self.expect_received("step")
        over = np.flatnonzero(self._over)
        if self.autoreset is AutoresetMode.DISABLED and len(over) == self.num_envs:
            raise _core.Error("step: all episodes are over; reset() begins others")
        team.core.step(list(range(self.num_envs)), self._of_agents(actions))  # those that are over stay
        rewards, paid = self._outcome()
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
        return self._observations(self._copies), rewards, terminated, truncated, infos

    def _of_agents(self, actions: ArrayLike) -> NDArray[Any]:
        """With an axis of agents."""
        actions = np.asarray(actions)
        shape = (len(actions), *self._team.no_actions.shape[1:]) if actions.ndim else ()
        return actions.reshape(shape) if self._single and actions.size == np.prod(shape) else actions

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
        self.expect_received("render")
        return tuple(self._team.render(e, self.render_mode, self._size) for e in range(self.num_envs))

    def _twin(self) -> "VectorEnv":
        self.expect_received("copy")
        out = self._like()
        out._team, out._pool, out._waiting = self._team.twin(), None, None
        out._begin_batches(self._given["threads"])
        out._seeds, out._over, out._np_random = self._seeds.copy(), self._over.copy(), deepcopy(self._np_random)
        out.single_action_space = spaces.twin(self.single_action_space)
        out.action_space = spaces.twin(self.action_space)
        return out

    def save(self) -> Saved:
        self.expect_received("save")
        return {**self._team.save(), "seeds": self._seeds.copy(), "over": self._over.copy(),
                "random": deepcopy(self._np_random)}

    def restore(self, saved: Saved) -> None:
        self.expect_received("restore")
        self._team.restore(saved)
        self._seeds, self._over = saved["seeds"].copy(), saved["over"].copy()
        self._np_random = deepcopy(saved["random"])

    def state(self) -> NDArray[np.uint8]:
        """The truth of each environment, for centralised critics: uint8 (num_envs, 4, height, width), as of
        ParallelEnv; maps that differ in size have walls around them."""
        self.expect_received("state")
        states = [self._team.state(e) for e in range(self.num_envs)]
        rows, columns = (max(s.shape[k] for s in states) for k in (1, 2))
        out = np.zeros((self.num_envs, 4, rows, columns), np.uint8)
        out[:, 0] = 1
        for e, state in enumerate(states):
            out[e, :, :state.shape[1], :state.shape[2]] = state
        return out

    def true_graph(self, nodes: int = 2048) -> TrueGraph:
        """As of ParallelEnv, of all environments: arrays with num_envs in front."""
        self.expect_received("true_graph")
        all_of = [self._team.core.true_graph(e, nodes) for e in range(self.num_envs)]
        return {name: np.stack([one[name] for one in all_of]) for name in all_of[0]}  # type: ignore[return-value]

    def belief(self, environment: int, agent: str) -> _core.Belief:
        """What an agent of an environment knows, until the next step."""
        if agent not in self.agents:
            raise _core.Error(f"belief: no agent '{agent}'" + near(agent, self.agents))
        self.expect_received("belief", environment)
        return self._team.core.belief(environment, self.agents.index(agent))

    def digests(self) -> List[str]:
        """Of the runs so far, one for each environment."""
        self.expect_received("digests")
        return [self._team.core.digest(e) for e in range(self.num_envs)]

    def page(self, environment: int) -> str:
        """As of ParallelEnv, of an environment."""
        self.expect_received("page", environment)
        return self._team.page(environment)

    def close(self, **_: Any) -> None:
        self.close_batches()
        if self._pool:
            self._pool.shutdown()
            self._pool = None


#: A VectorEnv: environments that take their steps together, on `threads` threads.
make_vec = VectorEnv
