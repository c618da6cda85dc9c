"""What environments are derived from: the classes of Gymnasium and PettingZoo or, where these are not installed, the part
of them that is used here."""
from __future__ import annotations

import enum
from typing import Any, Optional

import numpy as np


class _Seeded:
    """Random numbers that reset(seed=...) begins anew, as those of Gymnasium."""
    spec: Any = None
    _np_random: Optional[np.random.Generator] = None
    _np_random_seed: Optional[int] = None

    def reset(self, *, seed: Optional[int] = None, options: Any = None) -> None:
        if seed is not None:
            self._np_random, self._np_random_seed = np.random.default_rng(seed), seed

    @property
    def np_random(self) -> np.random.Generator:
        if self._np_random is None:
            self._np_random = np.random.default_rng()
        return self._np_random

    @np_random.setter
    def np_random(self, value: np.random.Generator) -> None:
        self._np_random, self._np_random_seed = value, -1

    @property
    def unwrapped(self) -> Any:
        return self


try:
    from gymnasium import Env  # type: ignore
    from gymnasium.vector import VectorEnv  # type: ignore
except ImportError:
    class Env(_Seeded):  # type: ignore
        pass

    class VectorEnv(_Seeded):  # type: ignore
        closed = False

try:
    from gymnasium.vector import AutoresetMode  # type: ignore
except ImportError:
    class AutoresetMode(enum.Enum):  # type: ignore
        """When an environment whose episode is over begins the next one."""
        NEXT_STEP = "NextStep"
        SAME_STEP = "SameStep"
        DISABLED = "Disabled"

try:
    from pettingzoo import ParallelEnv  # type: ignore
except ImportError:
    class ParallelEnv:  # type: ignore
        agents: list[str]
        possible_agents: list[str]

        @property
        def num_agents(self) -> int:
            return len(self.agents)

        @property
        def max_num_agents(self) -> int:
            return len(self.possible_agents)

        @property
        def unwrapped(self) -> Any:
            return self


def register() -> None:
    """gymnasium.make("outrider/Explore-v0", scenario="office", robots=1)"""
    try:
        from gymnasium.envs.registration import register as add  # type: ignore
    except ImportError:
        return
    add(id="outrider/Explore-v0", entry_point="outrider:Env")


__all__ = ["AutoresetMode", "Env", "ParallelEnv", "VectorEnv"]
