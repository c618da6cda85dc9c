"""Robots as agents, with the parallel API of PettingZoo."""
from __future__ import annotations

from typing import Any, Dict, Iterable, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np
from numpy.typing import NDArray

from . import _core, spaces
from ._bases import ParallelEnv as ParallelBase
from ._core import reward_terms
from ._scenarios import expect_seed, near
from ._team import Rendered, Size, Team, expect_mode
from ._types import Action, AnySetting, Curriculum, Info, Observation, Reward, Robots, Scenarios, Settings, TrueGraph
from ._value import Saved, Value, given

_intents = (_core.Intent, _core.Goto, _core.Follow, _core.Drive, _core.Stay, _core.RandomStep)


def checked(agent: str, action: Any, discrete: bool) -> NDArray[Any]:
    """An action as a number, or a pair of them."""
    array = np.asarray(action)
    if discrete and (array.shape != () or array.dtype.kind not in "iu"):
        raise _core.Error(f"action of {agent}: expected a whole number, got {action!r}")
    if not discrete and (array.shape != (2,) or array.dtype.kind not in "iuf"):
        raise _core.Error(f"action of {agent}: expected two numbers, got {action!r}")
    return array


class ParallelEnv(Value, ParallelBase):  # type: ignore
    """The robots of a scenario as agents, with the parallel API of PettingZoo (which need not be installed).

        env = outrider.ParallelEnv("office", robots=4, reward={"area_team": 1, "way": -0.02, "done": 20})
        observations, infos = env.reset(seed=7)
        while env.agents:
            actions = {a: observations[a]["frontiers"][:, 2].argmin() for a in env.agents}
            observations, rewards, terminations, truncations, infos = env.step(actions)

    scenario, robots, seed, steps, settings, **{"section.key": value}: as of Simulation; also outrider.generated(...).
    observation: "frontiers", "window", "graph", "own", or a list of these (docs/learning.md). action: "frontier" (the
    number of a row of observation["frontiers"]), "node" (the slot of a neighbour in the graph), "view" (8 * slot + the
    heading there in eighths of a turn), "waypoint" (metres from the robot: dx, dy), "velocity" (m/s, rad/s) or "meta"
    (which of `strategies` decides).
    reward: weights of outrider.reward_terms, or a function (agent, terms) that returns a number.
    every: steps between decisions, or "event": only agents that are due act; infos[agent]["due"] says who is.
    done_share: the episode ends when the team knows this share of what can be sensed; None: as the scenario says.
    frontiers: rows at most. window, scale: pixels of a side, and cells of a pixel's side. nodes, spacing_m: rows of the
    graph at most, and metres between its places (0: a fifth of the sensor's range).
    strategy: of the team; agents are the robots that are "remote", and others may be given one of their own.

    Raises Error, with the place and what was expected.
    """

    metadata: Dict[str, Any] = {"name": "outrider_v0", "render_modes": ["human", "rgb_array", "ansi"], "render_fps": 10,
                "is_parallelizable": True}

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
        self._team = Team(**{name: value for name, value in self._given.items() if not name.startswith("render_")})
        self.render_mode = expect_mode(render_mode, render_size, self.metadata["render_modes"])
        self._size = render_size
        self.possible_agents: List[str] = list(self._team.names)
        self.agents: List[str] = []
        self.observation_spaces, self.action_spaces = self._team.observation_space, self._team.action_space
        state = self._team.state(0)
        self.state_space = spaces.Box(0, 1, state.shape, np.uint8)
        self._next_seed = self._team.seed

    def observation_space(self, agent: str) -> spaces.Dict:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def _observations(self, agents: Iterable[str]) -> Dict[str, Observation]:
        arrays, at = self._team.arrays, self._team.names.index
        return {a: {b: arrays[b][0, at(a)].copy() for b in self._team.blocks} for a in agents}  # type: ignore[misc]

    def _infos(self, agents: Iterable[str]) -> Dict[str, Info]:
        arrays, out = self._team.arrays, {}
        since, masks = self._team.values(arrays["since"]), self._team.masks()
        for agent in agents:
            k = self._team.names.index(agent)
            info = Info(due=bool(arrays["due"][0, k]), dt=int(arrays["waited"][0, k]), step=int(arrays["steps"][0]),
                        team_share=float(arrays["team_share"][0]), way_m=float(arrays["way_m"][0]),
                        terms=dict(zip(reward_terms, arrays["since"][0, k].tolist())),
                        return_since_decision=float(since[0, k]))
            if masks is not None:
                info["action_mask"] = masks[0, k]
            out[agent] = info
        return out

    def reset(self, seed: Optional[int] = None, options: Optional[Mapping[str, Any]] = None
              ) -> Tuple[Dict[str, Observation], Dict[str, Info]]:
        """Begins an episode; without a seed the one after the last. options: {"map": another scenario}; others are left
        to wrappers."""
        if seed is not None:
            self._next_seed = expect_seed(seed)
        self._team.reset([0], [self._next_seed], options)
        self._next_seed += 1
        self.agents = [a for a, there in zip(self.possible_agents, self._team.arrays["members"][0]) if there]
        if self.render_mode == "human":
            self._team.show()
        return self._observations(self.agents), self._infos(self.agents)

    def step(self, actions: Mapping[str, Action]
             ) -> Tuple[Dict[str, Observation], Dict[str, float], Dict[str, bool], Dict[str, bool], Dict[str, Info]]:
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
                given[0, self._team.names.index(agent)] = checked(agent, action, self._team.discrete)
        missing = [a for a in self.agents if arrays["due"][0, self._team.names.index(a)] and a not in actions]
        if missing:
            raise _core.Error(f"step: no action for {', '.join(missing)}, who must decide now (infos say who is due)")
        for index, intent in intents.items():
            if arrays["due"][0, index]:
                self._team.core.decide(0, index, intent)
        self._team.core.step([0], given)
        if self.render_mode == "human":
            self._team.show()
        agents, rewards = self.agents, self._team.rewards()[0]
        over, cut = bool(arrays["terminated"][0]), bool(arrays["truncated"][0])
        dead = {a: not arrays["alive"][0, self._team.names.index(a)] for a in agents}
        self.agents = [] if over or cut else [a for a in agents if not dead[a]]
        return (self._observations(agents), {a: float(rewards[0, self._team.names.index(a)]) for a in agents},
                {a: over or dead[a] for a in agents}, {a: cut for a in agents}, self._infos(agents))

    def _twin(self) -> "ParallelEnv":
        out = self._like()
        out._team, out.agents = self._team.twin(), list(self.agents)
        out.action_spaces = out._team.action_space
        return out

    def save(self) -> Saved:
        return {**self._team.save(), "agents": list(self.agents), "next_seed": self._next_seed}

    def restore(self, saved: Saved) -> None:
        self._team.restore(saved)
        self.agents, self._next_seed = list(saved["agents"]), saved["next_seed"]

    def belief(self, agent: str) -> _core.Belief:
        """What an agent knows (outrider.Belief), until the next step: its map, team, and its action."""
        if agent not in self.possible_agents:
            raise _core.Error(f"belief: no agent '{agent}'" + near(agent, self.possible_agents))
        return self._team.core.belief(0, self._team.names.index(agent))

    def state(self) -> NDArray[np.uint8]:
        """The truth, for centralised critics: uint8 (4, height, width), 1 for walls, known to the team, robots, bases.
        Where maps are drawn it is as large as the largest, with walls around smaller ones."""
        return self._team.state(0)

    def true_graph(self, nodes: int = 2048) -> TrueGraph:
        """The graph of places on the true map, for critics: "nodes" float32 (nodes, 3): x, y from the team's origin in
        ranges of the sensor, and utility, the area that nobody knows in sight within two lattice steps, in squares of
        that range; "neighbours" and "node_mask" as in observations; "agents" int32, the row where each agent is, or
        -1. Raises Error when the map has more places."""
        return self._team.core.true_graph(0, nodes)  # type: ignore[return-value]

    def render(self) -> Rendered:
        """A picture of what the team knows (uint8 (height, width, 3); `render_size`: (width, height)), or text. With
        the mode "human" each reset and step prints that text."""
        return None if self.render_mode == "human" else self._team.render(0, self.render_mode, self._size)

    def page(self) -> str:
        """HTML that plays the episode so far in any browser, as of `outrider run --html`. Its steps are taken again."""
        return self._team.page(0)

    def close(self) -> None:
        """Nothing has to be closed."""
