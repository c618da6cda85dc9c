"""What a strategy did, for policies that imitate it: arrays that numpy alone reads.

    python3 -m outrider learn export office --strategy sight_greedy --episodes 20 -o demonstrations.npz

or, in Python, write(demonstrate("office", "sight_greedy", episodes=20), "demonstrations.npz"). A row is an agent in a
step in which it was asked (docs/learning.md#demonstrations):

    own, frontiers, mask, ...    what it observed, as in an environment
    action    the row of its frontiers that is nearest to where the strategy drove; -1: it drove to none of them. With
              hindsight: the row that it came to
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


def _came_to(row: Dict[str, Any], track: NDArray[np.float64], range_m: float) -> int:
    """The row whose goal an agent came to first, a tenth of the sensor's range near, on the track from here on; else
    the one that it came nearest to, if that is half a range at most; else -1."""
    rows = np.flatnonzero(row["mask"])
    if not len(rows) or not len(track):
        return -1
    goals = row["frontiers"][rows, :2] * range_m + track[0]
    away = np.hypot(*(goals[:, None] - track[None]).transpose(2, 0, 1))
    near = away <= range_m / 10
    if near.any():
        return int(rows[np.where(near.any(axis=1), near.argmax(axis=1), len(track)).argmin()])
    return int(rows[away.min(axis=1).argmin()]) if away.min() <= range_m / 2 else -1


def demonstrate(scenario: Scenarios, strategy: str, *, episodes: int = 1, seed: int = 1, every: int = 5,
                robots: Robots = None, steps: Optional[int] = None, done_share: Optional[float] = 0.99,
                observation: Union[str, Sequence[str]] = "frontiers", frontiers: int = 16,
                reward: Optional[Reward] = None, hindsight: int = 0,
                settings: Optional[Mapping[str, AnySetting]] = None) -> Arrays:
    """Episodes of a native strategy, of the seeds from `seed` on; an agent is asked every so many steps. "{seed}" in
    the strategy's text stands for the episode's seed, as in "tour(plan=plans/{seed}.json)". hindsight: actions are the
    rows that the agents came to within so many steps, not those nearest to where the strategy says that it drives: for
    plans, which name the next step alone. Other arguments as of ParallelEnv; "frontiers" is always observed. Raises
    Error."""
    for name, number, least in (("episodes", episodes, 1), ("every", every, 1), ("hindsight", hindsight, 0)):
        if isinstance(number, bool) or not isinstance(number, int) or number < least:
            raise _core.Error(f"demonstrate: {name}: expected {least} or more, a whole number, got {number!r}")
    blocks = ["frontiers"] + [b for b in ([observation] if isinstance(observation, str) else observation)
                              if b != "frontiers"]

    def environment(text: str) -> ParallelEnv:
        return ParallelEnv(scenario, action="meta", strategies=[text], observation=blocks, every=1, robots=robots,
                           steps=steps, done_share=done_share, frontiers=frontiers, reward=reward, settings=settings)

    text = strategy.replace("{seed}", str(seed))
    env = environment(text)
    rows: List[Dict[str, Any]] = []
    for episode in range(episodes):
        wanted = strategy.replace("{seed}", str(seed + episode))
        if wanted != text:
            text, env = wanted, environment(wanted)
        _episode(env, episode, seed + episode, every, hindsight, rows)
    arrays = {name: np.array([row[name] for row in rows]) for name in rows[0]}
    about = {"strategy": strategy, "scenario": repr(scenario), "episodes": episodes, "seed": seed, "every": every,
             "hindsight": hindsight,
             "version": _core.version, "frontier_features": list(_core.frontier_features),
             "own_features": list(_core.own_features), "agents": env.possible_agents}
    arrays["about"] = np.array(json.dumps(about))
    return arrays


def _episode(env: ParallelEnv, episode: int, seed: int, every: int, hindsight: int, rows: List[Dict[str, Any]]) -> None:
    observations, infos = env.reset(seed=seed)
    open_rows: Dict[str, Dict[str, Any]] = {}
    first, begun = len(rows), infos[env.agents[0]]["step"]
    tracks: Dict[str, List[Sequence[float]]] = {a: [] for a in env.agents}
    range_m = env._team.core.bounds(0)[0]  # of the sensor
    while env.agents:
        here = list(env.agents)
        asked = here if infos[here[0]]["step"] % every == 0 else []
        for agent in asked:
            open_rows[agent] = {**observations[agent], "episode": episode, "agent": env.possible_agents.index(agent),
                                "step": infos[agent]["step"], "reward": 0.0}
            rows.append(open_rows[agent])
        poses = {a: env.belief(a).pose for a in here}
        for agent in here:
            tracks[agent].append(poses[agent][:2])
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
    for row in rows[first:] if hindsight else ():
        at = row["step"] - begun
        track = np.array(tracks[env.possible_agents[row["agent"]]][at:at + hindsight + 1])
        row["action"] = _came_to(row, track, range_m)


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
