"""RLlib: an environment in which only the robots that have to decide are asked.

    pip install "ray[rllib]" torch
    tools/python docs/examples/rllib_env.py

A MultiAgentEnv returns observations of those agents that act next. What an agent is paid when it is asked again is the
sum since its last decision, so RLlib sees each decision with all that it brought. RLlib and Ray are not in the tests of
this project, which run without them; the class itself is tested.
"""
import outrider

try:
    from ray.rllib.env.multi_agent_env import MultiAgentEnv
except ImportError:  # the class works without it
    MultiAgentEnv = object


class DueAgents(MultiAgentEnv):
    """env_config: the arguments of outrider.ParallelEnv."""

    def __init__(self, env_config):
        super().__init__()
        self.env = outrider.ParallelEnv(**{"every": "event", **env_config})
        self.possible_agents = list(self.env.possible_agents)
        self.agents = list(self.possible_agents)
        self.observation_spaces, self.action_spaces = self.env.observation_spaces, self.env.action_spaces

    def reset(self, *, seed=None, options=None):
        observations, infos = self.env.reset(seed, options)
        self.agents = list(self.env.agents)
        return self._only([a for a in self.agents if infos[a]["due"]], observations, infos)

    def step(self, actions):
        observations, rewards, terminated, truncated, infos = self.env.step(actions)
        self.agents = list(self.env.agents)
        asked = [a for a in observations if infos[a]["due"] or terminated[a] or truncated[a]]
        observations, rewards, terminated, truncated, infos = self._only(
            asked, observations, rewards, terminated, truncated, infos)
        cut = not self.agents and any(truncated.values())
        return (observations, rewards, {**terminated, "__all__": not self.agents and not cut},
                {**truncated, "__all__": cut}, infos)

    @staticmethod
    def _only(asked, *dicts):
        return tuple({a: values[a] for a in asked} for values in dicts)


if __name__ == "__main__":
    from ray.rllib.algorithms.ppo import PPOConfig
    from ray.rllib.connectors.env_to_module import FlattenObservations

    config = (PPOConfig()
              .environment(DueAgents, env_config={"scenario": "small_office", "robots": 2})
              .env_runners(num_env_runners=0, env_to_module_connector=lambda env, spaces, device: FlattenObservations(
                  multi_agent=True))
              .multi_agent(policies={"shared"}, policy_mapping_fn=lambda agent, episode, **more: "shared"))
    algorithm = config.build_algo()
    for _ in range(3):
        print(algorithm.train()["env_runners"]["episode_return_mean"])
