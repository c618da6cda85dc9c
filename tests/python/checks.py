"""What users of PettingZoo and Gymnasium rely on, checked without these packages; with them, their own checks run too."""
import copy
import enum

import numpy as np


def equal(a, b):
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(equal(a[k], b[k]) for k in a)
    return type(a) is type(b) and np.array_equal(a, b)


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
    assert env.metadata["is_parallelizable"] and env.unwrapped is env
    env.reset(seed=0, options={"of a wrapper": 1})
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
    take_turns(env, steps)
    env.close()


def take_turns(env, rounds):
    """An episode as PettingZoo's conversion plays it: one agent after the other, each with an action, due or not; those
    that are over take a last turn without one. What an agent is paid between two turns adds up to all rewards."""
    env.reset(seed=1, options=None)
    owed, paid = dict.fromkeys(env.agents, 0.0), dict.fromkeys(env.agents, 0.0)
    total, turns = dict.fromkeys(env.agents, 0.0), list(env.agents)
    for _ in range(rounds):
        actions = {}
        for agent in turns:
            paid[agent], owed[agent] = paid[agent] + owed[agent], 0.0
            actions[agent] = env.action_space(agent).sample()
        _, rewards, terminations, truncations, _ = env.step(actions)
        for agent, reward in rewards.items():
            total[agent], owed[agent] = total[agent] + reward, owed[agent] + reward
        for agent in [a for a in turns if terminations[a] or truncations[a]]:
            turns.remove(agent)
            paid[agent], owed[agent] = paid[agent] + owed[agent], 0.0
        assert turns == env.agents
        if not turns:
            break
    assert all(np.isclose(paid[a] + owed[a], total[a]) for a in total)


def expect_begun_anew(env, reset):
    """Random numbers of Gymnasium's base class follow the seed of a reset; what wrappers are told is let through."""
    states = []
    for seed in (123, 123, 456):
        reset(seed=seed)
        assert env.unwrapped._np_random is not None, "reset() does not begin the random numbers of the base class"
        states.append(env.unwrapped._np_random.bit_generator.state)
    assert states[0] == states[1] != states[2], "random numbers of the base class do not follow the seed"
    reset(options={})
    reset(seed=1, options={"of a wrapper": 1})


def check_env(env, steps=60):
    """Gymnasium: five values, spaces, seeds that repeat, episodes that end."""
    try:
        from gymnasium.utils.env_checker import check_env as theirs
        theirs(env, skip_render_check=True)
    except ImportError:
        pass
    assert isinstance(env.metadata["render_modes"], list) and env.unwrapped is env
    expect_begun_anew(env, env.reset)
    rolls = []
    for _ in range(2):
        observation, info = env.reset(seed=3)
        expect_in(env.observation_space, observation)
        assert isinstance(info, dict)
        env.action_space.seed(4)
        roll, ended = [copy.deepcopy(observation), copy.deepcopy(info)], False
        for _ in range(steps):
            action = env.action_space.sample()
            observation, reward, terminated, truncated, info = env.step(action)
            expect_in(env.observation_space, observation)
            assert isinstance(reward, float) and isinstance(terminated, bool) and isinstance(truncated, bool)
            roll += [copy.deepcopy(observation), copy.deepcopy(info), {"reward": reward}]
            if terminated or truncated:
                ended = True
                break
        assert ended, "give an environment whose episodes are short"
        rolls.append(roll)
    assert len(rolls[0]) == len(rolls[1]) and all(map(equal, *rolls)), "the same seed and actions give another episode"
    env.close()


def check_vector_env(env, steps=50):
    """Gymnasium's vector API: batches of everything, and episodes that begin again by themselves."""
    mode = env.metadata["autoreset_mode"]
    assert isinstance(mode, enum.Enum) and type(mode).__name__ == "AutoresetMode", mode
    assert mode.value == {"NEXT_STEP": "NextStep", "SAME_STEP": "SameStep", "DISABLED": "Disabled"}[mode.name]
    expect_begun_anew(env, env.reset)
    env.reset(seed=list(range(env.num_envs)))
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
        assert isinstance(infos, dict) and "episode" not in infos  # a wrapper's
        ends += int((terminated | truncated).sum())
    assert ends >= env.num_envs, "no episode ended"
    env.close()
