"""What a strategy did, for policies that imitate it: arrays that numpy alone reads.

    python3 -m outrider learn export office --strategy sight_greedy --episodes 20 -o demonstrations.npz

or, in Python, write(demonstrate("office", "sight_greedy", episodes=20), "demonstrations.npz"). A row is an agent in a
step in which it was asked (docs/learning.md#demonstrations):

    own, frontiers, mask, ...    what it observed, as in an environment
    action    the row of its frontiers that is nearest to where the strategy drove; -1: it drove to none of them
    goal      where it drove, in metres of its frame; nan: nowhere
    reward    from this row to the agent's next one; done: 1 in its last row when the team finished, truncated: when not
    episode, agent, step, dt
"""
from __future__ import annotations

import json
import os
from typing import Any, Dict, List, Mapping, Optional, Sequence, Union

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._parallel import ParallelEnv
from ._types import AnySetting, Observation, Reward, Robots, Scenarios

Arrays = Dict[str, NDArray[Any]]


def _chosen(seen: Observation, pose: Sequence[float], goal: Optional[Sequence[float]], range_m: float) -> int:
    """The row nearest to a goal, if it is half a range of the sensor away at most; else -1."""
    rows = np.flatnonzero(seen["mask"])
    if goal is None or not len(rows):
        return -1
    away = np.hypot(*(seen["frontiers"][rows, :2] * range_m + np.subtract(pose[:2], goal)).T)
    return int(rows[away.argmin()]) if away.min() <= range_m / 2 else -1


def demonstrate(scenario: Scenarios, strategy: str, *, episodes: int = 1, seed: int = 1, every: int = 5,
                robots: Robots = None, steps: Optional[int] = None, done_share: Optional[float] = 0.99,
                observation: Union[str, Sequence[str]] = "frontiers", frontiers: int = 16,
                reward: Optional[Reward] = None, settings: Optional[Mapping[str, AnySetting]] = None) -> Arrays:
    """Episodes of a native strategy, of the seeds from `seed` on; an agent is asked every so many steps. Other
    arguments as of ParallelEnv; "frontiers" is always observed. Raises Error."""
    blocks = ["frontiers"] + [b for b in ([observation] if isinstance(observation, str) else observation)
                              if b != "frontiers"]
    env = ParallelEnv(scenario, action="meta", strategies=[strategy], observation=blocks, every=1, robots=robots,
                      steps=steps, done_share=done_share, frontiers=frontiers, reward=reward, settings=settings)
    rows: List[Dict[str, Any]] = []
    for episode in range(episodes):
        _episode(env, episode, seed + episode, every, rows)
    if not rows:
        raise _core.Error("demonstrate: expected an episode or more")
    arrays = {name: np.array([row[name] for row in rows]) for name in rows[0]}
    about = {"strategy": strategy, "scenario": repr(scenario), "episodes": episodes, "seed": seed, "every": every,
             "version": _core.version, "frontier_features": list(_core.frontier_features),
             "own_features": list(_core.own_features), "agents": env.possible_agents}
    arrays["about"] = np.array(json.dumps(about))
    return arrays


def _episode(env: ParallelEnv, episode: int, seed: int, every: int, rows: List[Dict[str, Any]]) -> None:
    observations, infos = env.reset(seed=seed)
    open_rows: Dict[str, Dict[str, Any]] = {}
    range_m = env._team.core.bounds(0)[0]  # of the sensor
    while env.agents:
        here = list(env.agents)
        asked = here if infos[here[0]]["step"] % every == 0 else []
        for agent in asked:
            open_rows[agent] = {**observations[agent], "episode": episode, "agent": env.possible_agents.index(agent),
                                "step": infos[agent]["step"], "reward": 0.0}
            rows.append(open_rows[agent])
        poses = {a: env.belief(a).pose for a in asked}
        observed = observations
        observations, rewards, over, cut, infos = env.step({a: 0 for a in here})
        for agent in asked:  # the strategy has decided
            goal = env.belief(agent).goal
            open_rows[agent]["action"] = _chosen(observed[agent], poses[agent], goal, range_m)
            open_rows[agent]["goal"] = np.array(goal if goal else (np.nan, np.nan))
        for agent in here:
            row = open_rows[agent]
            row["reward"] += rewards[agent]
            row.update(dt=infos[agent]["step"] - row["step"], done=int(over[agent]), truncated=int(cut[agent]))


def write(arrays: Arrays, path: "str | os.PathLike[str]") -> None:
    """To a file .npz, or else to a folder with a file .npy for each array. Raises Error when it is there already."""
    path = os.fspath(path)
    if os.path.exists(path):
        raise _core.Error(f"{path}: it exists; nothing was written")
    if path.endswith(".npz"):
        np.savez_compressed(path, **arrays)
        return
    os.makedirs(path)
    for name, array in arrays.items():
        np.save(os.path.join(path, name + ".npy"), array)
