"""What users of PettingZoo and Gymnasium rely on, checked without these packages; with them, their own checks run too."""
import copy

import numpy as np


def equal(a, b):
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(equal(a[k], b[k]) for k in a)
    return np.array_equal(a, b)


def expect_in(space, value):
    assert space.contains(value), f"{value!r} is not in {space!r}"


def check_parallel_env(env, steps=60):
    """The parallel API: agents and spaces, dicts by agent in step and reset, episodes that end, seeds that repeat."""
    try:
        from pettingzoo.test import parallel_api_test
        parallel_api_test(env, steps)
    except ImportError:
        pass
    assert env.metadata["name"] and isinstance(env.metadata["render_modes"], list)
    for agent in env.possible_agents:
        assert env.observation_space(agent) is env.observation_space(agent)
        assert env.action_space(agent) is env.action_space(agent)
        env.action_space(agent).seed(1)
    for episode in range(2):
        observations, infos = env.reset(seed=5)
        assert env.agents == env.possible_agents and env.num_agents == env.max_num_agents
        assert set(observations) == set(infos) == set(env.agents)
        for agent, observation in observations.items():
            expect_in(env.observation_space(agent), observation)
        if episode == 0:
            first = copy.deepcopy(observations)
        assert equal(first, observations), "the same seed gives other observations"
        live = set(env.agents)
        for _ in range(steps):
            if not env.agents:
                break
            actions = {a: env.action_space(a).sample() for a in env.agents}
            for agent, action in actions.items():
                expect_in(env.action_space(agent), action)
            observations, rewards, terminations, truncations, infos = env.step(actions)
            for given in (observations, rewards, terminations, truncations, infos):
                assert set(given) == live, (set(given), live)
            for agent in live:
                expect_in(env.observation_space(agent), observations[agent])
                assert np.isscalar(rewards[agent]) and np.isfinite(rewards[agent])
                assert isinstance(terminations[agent], bool) and isinstance(truncations[agent], bool)
                assert isinstance(infos[agent], dict)
            live = {a for a in live if not (terminations[a] or truncations[a])}
            assert set(env.agents) == live, "agents that are over stay, or others left"
    observations, _ = env.reset(seed=6)  # in the middle of an episode
    kept = copy.deepcopy(observations)
    env.step({a: env.action_space(a).sample() for a in env.agents})
    assert equal(kept, observations), "a step changes observations that were given before"
    expect_in(env.state_space, env.state())
    env.close()


def check_env(env, steps=60):
    """Gymnasium: five values, spaces, seeds that repeat, episodes that end."""
    try:
        from gymnasium.utils.env_checker import check_env as theirs
        theirs(env, skip_render_check=True)
    except ImportError:
        pass
    assert isinstance(env.metadata["render_modes"], list) and env.unwrapped is env
    rolls = []
    for _ in range(2):
        observation, info = env.reset(seed=3)
        expect_in(env.observation_space, observation)
        assert isinstance(info, dict)
        env.action_space.seed(4)
        roll, ended = [copy.deepcopy(observation)], False
        for _ in range(steps):
            action = env.action_space.sample()
            observation, reward, terminated, truncated, info = env.step(action)
            expect_in(env.observation_space, observation)
            assert isinstance(reward, float) and isinstance(terminated, bool) and isinstance(truncated, bool)
            roll.append(copy.deepcopy(observation))
            if terminated or truncated:
                ended = True
                break
        assert ended, "give an environment whose episodes are short"
        rolls.append(roll)
    assert len(rolls[0]) == len(rolls[1]) and all(map(equal, *rolls)), "the same seed and actions give another episode"
    env.close()


def check_vector_env(env, steps=50):
    """Gymnasium's vector API: batches of everything, and episodes that begin again by themselves."""
    assert env.metadata["autoreset_mode"] in ("next_step", "same_step", "disabled")
    observations, infos = env.reset(seed=2)
    expect_in(env.observation_space, observations)
    for e in range(env.num_envs):
        expect_in(env.single_observation_space, {k: v[e] for k, v in observations.items()})
    env.action_space.seed(1)
    ends = 0
    for _ in range(steps):
        actions = env.action_space.sample()
        observations, rewards, terminated, truncated, infos = env.step(actions)
        expect_in(env.observation_space, observations)
        assert rewards.shape == terminated.shape == truncated.shape == (env.num_envs,)
        assert terminated.dtype == truncated.dtype == bool and np.isfinite(rewards).all()
        ends += int((terminated | truncated).sum())
    assert ends >= env.num_envs, "no episode ended"
    env.close()
