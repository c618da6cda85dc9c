"""A single robot, or a team as one, with the API of Gymnasium."""
from __future__ import annotations

from copy import deepcopy
from typing import Any, Dict, Mapping, Optional, Sequence, Tuple, Union

import numpy as np
from numpy.typing import ArrayLike

from ._bases import Env as EnvBase
from ._scenarios import expect_seed
from ._team import Rendered, Size, expect_mode
from ._types import AnySetting, Curriculum, Info, Observation, Reward, Robots, Scenarios, Settings
from ._value import Saved, Value, given
from ._vector import VectorEnv


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

    def page(self) -> str:
        """As of ParallelEnv."""
        return self._vector.page(0)

    def close(self) -> None:
        self._vector.close()
