"""Types of what environments are given and return."""
from __future__ import annotations

import os
from typing import Any, Callable, Dict, Mapping, Optional, Sequence, TypedDict, Union

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._draws import among, between, case, on_suite
from ._scenarios import generated, marmotlab

#: A value of an option of a scenario.
Setting = Union[bool, int, float, str]
#: A value, or what one is drawn from for each episode.
AnySetting = Union[bool, int, float, str, between, among]
Robots = Union[None, int, between, among]
#: A name, a file, the content of a scenario file, or a map of a family for each seed.
Scenario = Union[str, "os.PathLike[str]", Dict[str, Any], generated, marmotlab, on_suite]
#: A scenario, or what one is drawn from for each episode: several, a folder of maps, a suite.
Scenarios = Union[Scenario, among, case, Sequence[Any]]
#: A number of a choice, two numbers, or what a robot is to do.
Action = Union[int, np.integer[Any], Sequence[float], NDArray[Any], _core.Intent, _core.Goto,
               _core.Follow, _core.Drive, _core.Stay, _core.RandomStep]
#: Weights of outrider.reward_terms, or a function of an agent's name and the terms.
Reward = Union[Mapping[str, float], Callable[[str, Dict[str, float]], float]]
#: One for all environments, or several by turns.
Settings = Union[None, Mapping[str, AnySetting], Sequence[Mapping[str, AnySetting]]]
#: Of an environment's number, the seed of its next episode, and how its last one went (steps, team_share, way_m,
#: terminated, scenario; None before the first): what the next scenario is drawn from.
Curriculum = Callable[[int, int, Optional[Dict[str, Any]]], Scenarios]


class Observation(TypedDict, total=False):
    """What one agent observes (docs/learning.md); for VectorEnv with (num_envs, agents) in front."""
    own: NDArray[np.float32]
    frontiers: NDArray[np.float32]
    mask: NDArray[np.int8]
    window: NDArray[np.uint8]
    nodes: NDArray[np.float32]
    neighbours: NDArray[np.int32]
    node_mask: NDArray[np.int8]
    node: NDArray[np.int32]
    ahead: NDArray[np.float32]
    slots: NDArray[np.int8]


class TrueGraph(TypedDict):
    """For critics (docs/learning.md)."""
    nodes: NDArray[np.float32]
    neighbours: NDArray[np.int32]
    node_mask: NDArray[np.int8]
    agents: NDArray[np.int32]


class Info(TypedDict, total=False):
    """infos[agent]. action_mask: with the actions frontier, node and view. agent: of Turns."""
    agent: str
    due: bool
    dt: int
    step: int
    team_share: float
    way_m: float
    terms: Dict[str, float]
    return_since_decision: float
    action_mask: NDArray[np.int8]


class VectorInfo(TypedDict, total=False):
    """Of all environments, and of their agents. final_*: where an episode ended in this step (autoreset "same_step").
    env_id: of recv()."""
    env_id: NDArray[np.int64]
    agents: NDArray[np.bool_]
    due: NDArray[np.bool_]
    dt: NDArray[np.int32]
    step: NDArray[np.int32]
    team_share: NDArray[np.float64]
    way_m: NDArray[np.float64]
    rewards: NDArray[np.float64]
    return_since_decision: NDArray[np.float64]
    action_mask: NDArray[np.int8]
    final_obs: Observation
    final_info: "VectorInfo"
    _final_obs: NDArray[np.bool_]
    _final_info: NDArray[np.bool_]
