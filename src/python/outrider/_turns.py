"""A team for packages that know a single agent: the robots that have to decide take turns."""
from __future__ import annotations

from typing import Any, Dict, List, Mapping, Optional, Tuple, Union

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._bases import Env as EnvBase
from ._env import Env
from ._parallel import checked
from ._scenarios import expect_seed
from ._team import Rendered
from ._types import Action, Info, Observation, Scenarios


class Turns(EnvBase):  # type: ignore
    """A team whose robots share one policy, with the API of Gymnasium: each step is the decision of one robot.

    It is observed as that robot alone knows the world; info["agent"] names it. When all robots that are due have
    decided, the simulation goes on until some robot is due again: only the last of them is rewarded, by what Env would
    be (the mean over agents), so that an episode's rewards have the same sum. Arguments as of Env; every="event" unless
    another is given.
    """

    metadata: Dict[str, Any] = Env.metadata

    def __init__(self, scenario: Scenarios, *, every: Union[int, str] = "event", **arguments: Any) -> None:
        self._env = Env(scenario, every=every, **arguments)
        self._team = self._env._vector._team
        self.agents: List[str] = list(self._team.names)
        self.render_mode = self._env.render_mode
        self.observation_space = self._team.observation_space[self.agents[0]]
        self.action_space = self._team.action_space[self.agents[0]]
        self._actions: NDArray[Any] = self._team.no_actions[0]
        self._due: List[int] = []  # those whose turns are left, in their order
        self._turn, self._ends = 0, (True, False)

    def reset(self, *, seed: Optional[int] = None, options: Optional[Mapping[str, Any]] = None
              ) -> Tuple[Observation, Info]:
        """Begins an episode, as of ParallelEnv."""
        if seed is not None:
            super().reset(seed=expect_seed(seed))
        self._env.reset(seed=seed, options=options)
        self._ends = (False, False)
        self._take_turn(self._now_due())
        return self._seen()

    def step(self, action: Action) -> Tuple[Observation, float, bool, bool, Info]:
        """The decision of the robot whose turn it is; then what the next one observes or, at the end, the same one."""
        if any(self._ends):
            raise _core.Error("step: the episode is over; reset() begins another one")
        self._actions[self._turn] = self._valid(action)
        reward, due = 0.0, self._due[1:]
        while not due and not any(self._ends):
            actions = self._actions if len(self.agents) > 1 else self._actions[0]
            _, gained, terminated, truncated, _ = self._env.step(actions)
            reward, due, self._ends = reward + gained, self._now_due(), (terminated, truncated)
        self._take_turn(due)
        observation, info = self._seen()
        return observation, reward, *self._ends, info

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions the robot whose turn it is can take: what MaskablePPO of sb3-contrib asks for."""
        masks = self._team.masks()
        if masks is None:
            return np.ones(self._team.core.actions, bool)
        return np.asarray(masks[0, self._turn], bool)

    def _valid(self, action: Action) -> NDArray[Any]:
        agent, space = self.agents[self._turn], self.action_space
        array = checked(agent, action, self._team.discrete)
        low, high = (0, space.n - 1) if self._team.discrete else (space.low, space.high)
        if not (np.all(low <= array) and np.all(array <= high)):
            raise _core.Error(f"action of {agent}: expected {low} to {high}, got {action!r}")
        return array

    def _now_due(self) -> List[int]:
        return [int(k) for k in np.flatnonzero(self._team.arrays["due"][0])]

    def _take_turn(self, due: List[int]) -> None:
        self._due = due
        self._turn = due[0] if due else self._turn

    def _seen(self) -> Tuple[Observation, Info]:
        arrays, turn = self._team.arrays, self._turn
        info = Info(agent=self.agents[turn], due=bool(arrays["due"][0, turn]), dt=int(arrays["waited"][0, turn]),
                    step=int(arrays["steps"][0]), team_share=float(arrays["team_share"][0]),
                    way_m=float(arrays["way_m"][0]))
        masks = self._team.masks()
        if masks is not None:
            info["action_mask"] = masks[0, turn]
        return {b: arrays[b][0, turn].copy() for b in self._team.blocks}, info  # type: ignore

    def render(self) -> Rendered:
        """As of ParallelEnv."""
        return self._env.render()

    def page(self) -> str:
        """As of ParallelEnv."""
        return self._env.page()

    def close(self) -> None:
        self._env.close()
