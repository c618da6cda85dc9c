"""What all environments share, on one extension class that takes the steps of many of them together."""
from __future__ import annotations

import sys
from copy import copy
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np
from numpy.typing import NDArray

from . import _core, spaces
from ._core import frontier_features, max_feature, own_features, place_features, reward_terms, window_channels
from ._draws import Drawn, draw, largest, varies
from ._scenarios import expect_scenario, near, settings_of
from ._types import AnySetting, Curriculum, Reward, Robots, Scenarios, Settings
from ._value import Saved

#: Weights of the terms of the reward unless others are given.
default_reward = {"area_team": 1.0, "way": -0.02, "done": 20.0}
_blocks = ("frontiers", "window", "graph", "own")


Size = Tuple[int, int]
#: Of some environments.
Rows = Union[slice, NDArray[np.int64]]
Rendered = Union[None, str, NDArray[np.uint8]]


class Team:
    """The arguments, the arrays, spaces and rewards."""

    def __init__(self, scenario: Scenarios, *, num_envs: int = 1, threads: int = 1, robots: Robots = None,
                 observation: Union[str, Sequence[str]] = "frontiers", action: str = "frontier",
                 reward: Optional[Reward] = None, every: Union[int, str] = 1, seed: Optional[int] = None,
                 steps: Optional[int] = None, done_share: Optional[float] = 0.99, frontiers: int = 16,
                 window: int = 64, scale: int = 1, nodes: int = 512, spacing_m: float = 0.0,
                 strategies: Sequence[str] = (), patience: int = 30, strategy: str = "remote",
                 settings: Settings = None, curriculum: Optional[Curriculum] = None, **more: AnySetting) -> None:
        several: List[Optional[Mapping[str, AnySetting]]] = (
            [settings] if settings is None or isinstance(settings, Mapping) else list(settings) or [None])
        #: Of environment e: the one at e % their number.
        self.settings = [settings_of(one, more, robots, seed, steps) for one in several]
        if done_share is not None:
            for one in self.settings:
                one.setdefault("stop.of", "team")
                one.setdefault("stop.fraction", done_share)
        whole = {"num_envs": num_envs, "threads": threads, "frontiers": frontiers, "window": window, "scale": scale,
                 "nodes": nodes, "patience": patience}
        for name, number in whole.items():
            if isinstance(number, bool) or not isinstance(number, (int, np.integer)) or number < 1:
                raise _core.Error(f"{name}: expected 1 or more, a whole number, got {number!r}")
        if isinstance(spacing_m, bool) or not isinstance(spacing_m, (int, float)):
            raise _core.Error(f"spacing_m: expected a number, got {spacing_m!r}")
        if isinstance(strategies, str) or not all(isinstance(s, str) for s in strategies):
            raise _core.Error(f"strategies: expected a list of names, got {strategies!r}")
        blocks = [observation] if isinstance(observation, str) else list(observation)
        for block in blocks:
            if block not in _blocks:
                raise _core.Error(f"observation: no '{block}'" + near(block, _blocks))
        if every == "event":
            every = 0
        elif not isinstance(every, int) or isinstance(every, bool) or every < 1:
            raise _core.Error(f"every: expected a number of steps, or \"event\", got {every!r}")
        self.reward: Reward = default_reward if reward is None else reward
        if not callable(self.reward):
            for name in self.reward:
                if name not in reward_terms:
                    raise _core.Error(f"reward: no term '{name}'" + near(name, reward_terms))
            self.weights = np.array([self.reward.get(name, 0.0) for name in reward_terms])
        self.scenario, self.strategy, self.num, self.curriculum = scenario, strategy, num_envs, curriculum
        #: By environment: what its next episodes are drawn from, and what was drawn for this one; None: all are alike.
        self.sources: List[Any] = [scenario] * num_envs
        drawn = len(several) > 1 or curriculum is not None or varies(scenario) or varies(self.settings[0])
        self.drawn: List[Optional[Drawn]] = [None] * num_envs
        self.draws = [drawn] * num_envs
        first, self.extent = (largest(scenario, self.settings, strategy) if drawn
                              else ((scenario, self.settings[0]), (0, 0)))
        self.core = _core.Environments(
            expect_scenario(first[0]), settings=first[1], strategy=strategy, count=num_envs, action=action,
            most=frontiers, window=(window, scale) if "window" in blocks else None,
            graph=(nodes, spacing_m) if "graph" in blocks else None, strategies=list(strategies), every=every,
            patience_steps=patience, frontiers="frontiers" in blocks, threads=threads)
        self.arrays, self.names, self.seed = self.core.arrays, self.core.agents, self.core.seed
        graph = ("nodes", "neighbours", "node_mask", "node", "ahead")
        self.blocks: List[str] = ([b for b in ("frontiers", "window") if b in blocks] + ["own"]
                                  + [b for b in ("mask",) + graph + ("slots",) if b in self.arrays])
        self.discrete = self.core.actions > 0
        self._mask_name = {"frontier": "mask", "node": "slots", "view": "slots"}.get(action)
        self.make_spaces(action)
        self.no_actions = np.zeros((num_envs, len(self.names)) + (() if self.discrete else (2,)),
                                   np.int64 if self.discrete else np.float64)

    def make_spaces(self, action: str) -> None:
        features = ("own", "frontiers", "nodes", "ahead")
        one = {}
        for b in self.blocks:
            shape = self.arrays[b].shape[2:]
            low, high = ((-max_feature, max_feature) if b in features else (0, 255) if b == "window"
                         else (-1, self.arrays["nodes"].shape[2] - 1) if b in ("node", "neighbours") else (0, 1))
            one[b] = (low, high, shape, self.arrays[b].dtype)
        self.observation_space = {name: spaces.Dict({b: spaces.Box(*one[b]) for b in self.blocks})
                                  for name in self.names}
        self.action_space: Dict[str, Any] = {}
        for k, name in enumerate(self.names):
            if self.discrete:
                self.action_space[name] = spaces.Discrete(self.core.actions)
            else:
                most = np.array(self.core.bounds(k), np.float32)
                self.action_space[name] = spaces.Box(-most, most, (2,), np.float32)

    def masks(self, rows: Rows = slice(None)) -> Optional[NDArray[np.int8]]:
        """Which actions are possible: (environments, agents, actions). None: all are."""
        if self._mask_name is None:
            return None
        there = self.arrays[self._mask_name][rows]
        return np.repeat(there, self.core.actions // there.shape[-1], axis=-1)  # a slot for all its headings

    def values(self, terms: NDArray[np.float64]) -> NDArray[np.float64]:
        """What terms are worth: (environments, agents)."""
        if not callable(self.reward):
            return np.asarray(terms @ self.weights)
        out = np.empty(terms.shape[:2])
        for e in range(terms.shape[0]):
            for a, name in enumerate(self.names):
                out[e, a] = self.reward(name, dict(zip(reward_terms, terms[e, a].tolist())))
        return out

    def rewards(self, rows: Rows = slice(None)) -> "tuple[NDArray[np.float64], NDArray[np.float64]]":
        """Of each agent: what it is paid, that is, all since its last decision when it is due again or out, else
        nothing; and what there is to be paid so far."""
        since = self.values(self.arrays["since"][rows])
        return np.where(self.arrays["settled"][rows], since, 0.0), since

    def reset(self, which: Sequence[int], seeds: Sequence[int], options: Optional[Mapping[str, Any]] = None) -> None:
        """options: {"map": what to draw from, from now on}; others are left to wrappers."""
        other = (options or {}).get("map")
        fixed = [k for k, e in enumerate(which) if other is None and not self.draws[e]]
        drawn = [k for k, e in enumerate(which) if other is not None or self.draws[e]]
        for e in which if other is not None else ():
            self.sources[e], self.draws[e] = other, True
        if fixed:
            self.core.reset([which[k] for k in fixed], [seeds[k] for k in fixed])
        if drawn:
            self.begin([which[k] for k in drawn], [seeds[k] for k in drawn],
                       [self.draw(which[k], seeds[k]) for k in drawn])

    def draw(self, e: int, seed: int) -> Drawn:
        source = self.sources[e]
        if self.curriculum is not None:
            source = self.curriculum(e, seed, self.last(e))
        return draw(source, self.settings[e % len(self.settings)], seed)

    def last(self, e: int) -> Optional[Dict[str, Any]]:
        """How an environment's last episode went; None before there was one."""
        if self.arrays["steps"][e] == 0:
            return None
        return {"steps": int(self.arrays["steps"][e]), "team_share": float(self.arrays["team_share"][e]),
                "way_m": float(self.arrays["way_m"][e]), "terminated": bool(self.arrays["terminated"][e]),
                "scenario": None if self.drawn[e] is None else self.drawn[e][0]}  # type: ignore[index]

    def begin(self, which: Sequence[int], seeds: Sequence[int], drawn: Sequence[Drawn]) -> None:
        self.core.reset(which, seeds, [(expect_scenario(s), {**settings, "run.seed": seed})
                                       for (s, settings), seed in zip(drawn, seeds)], self.strategy)
        for e, one in zip(which, drawn):
            self.drawn[e] = one

    def twin(self) -> "Team":
        """See Value._twin()."""
        out = copy(self)
        out.core = _core.Environments(self.core)
        out.arrays = out.core.arrays
        out.drawn, out.sources, out.draws = list(self.drawn), list(self.sources), list(self.draws)
        out.action_space = {name: spaces.twin(space) for name, space in self.action_space.items()}
        return out

    def save(self) -> Saved:
        return {"runs": [self.core.save(e) for e in range(self.num)], "drawn": list(self.drawn),
                "sources": list(self.sources), "draws": list(self.draws),
                "rows": {name: array.copy() for name, array in self.arrays.items()}}

    def restore(self, saved: Saved) -> None:
        for e, one in enumerate(saved["drawn"]):
            if one is not None or self.drawn[e] is not None:
                self.begin([e], [saved["runs"][e][0]], [one or (self.scenario, self.settings[0])])
            self.drawn[e] = one
        self.sources, self.draws = list(saved["sources"]), list(saved["draws"])
        self.core.restore(list(range(self.num)), saved["runs"])
        for name, array in self.arrays.items():
            array[:] = saved["rows"][name]

    def state(self, environment: int) -> NDArray[np.uint8]:
        """The truth; as large as the largest map that is drawn, with walls around smaller ones."""
        state = self.core.state(environment)
        rows, columns = (max(0, most - n) for most, n in zip(self.extent, state.shape[1:]))
        if rows or columns:
            state = np.pad(state, ((0, 0), (0, rows), (0, columns)))
            state[0, state.shape[1] - rows:] = state[0, :, state.shape[2] - columns:] = 1
        return state

    def page(self, environment: int) -> str:
        return self.core.page(environment).decode()

    def text(self, environment: int) -> str:
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

    def render(self, environment: int, mode: Optional[str], size: Optional[Size]) -> Rendered:
        if mode is None:
            return None
        if mode != "rgb_array":
            return self.text(environment)
        picture = self.core.render(environment)
        if size is None:
            return picture
        rows, columns = (np.arange(n) * have // n for n, have in zip(size[::-1], picture.shape))
        return np.asarray(picture[rows][:, columns])

    def show(self) -> None:
        """For people who look at a terminal, where each text takes the place of the one before."""
        print(("\x1b[H\x1b[2J" if sys.stdout.isatty() else "") + self.text(0), flush=True)


def expect_mode(mode: Optional[str], size: Optional[Size], modes: Sequence[str]) -> Optional[str]:
    if mode is not None and mode not in modes:
        raise _core.Error(f"render_mode: expected None, {', '.join(map(repr, modes))}, got {mode!r}")
    if size is not None and not (np.shape(size) == (2,) and all(isinstance(n, int) and n > 0 for n in size)):
        raise _core.Error(f"render_size: expected (width, height), got {size!r}")
    return mode
