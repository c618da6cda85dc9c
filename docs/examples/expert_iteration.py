"""Expert iteration: a network that chooses frontiers is improved by a search, and the search by the network.

    tools/python docs/examples/expert_iteration.py --out expert.json --curve expert.csv
    tools/run run office --strategy "mlp(weights=expert.json)"

The expert is the network and a look ahead: at each decision copies of the environment try each of the best few rows,
follow the network for some steps, and the row that brought most is taken. The network then imitates all that the expert did (Anthony, Tian & Barber 2017). At first it drives to the
nearest frontier. Numpy alone; the same seed gives the same network.
"""
import argparse
import csv
import json

import numpy as np
import outrider

INPUTS = ["way", "size", "sight", "mate", "claim", "nearer", "target", "home", "turn", "leftover"]
COLUMNS = [outrider.frontier_features.index(name) for name in INPUTS]
MOST, HIDDEN = 3.0, 8  # larger values count as MOST, in training as in `mlp`

parser = argparse.ArgumentParser()
parser.add_argument("--out", default="expert.json")
parser.add_argument("--curve")
parser.add_argument("--rounds", type=int, default=4)
parser.add_argument("--episodes", type=int, default=6, help="of the expert in a round")
parser.add_argument("--tries", type=int, default=4, help="rows that are tried at a decision")
parser.add_argument("--ahead", type=int, default=25, help="steps")
parser.add_argument("--tests", type=int, default=12, help="maps on which each network is tested")
parser.add_argument("--robots", type=int, default=2)
parser.add_argument("--size", type=int, nargs=2, default=(200, 150), help="of maps, in cells")
parser.add_argument("--seed", type=int, default=1)
a = parser.parse_args()

random = np.random.default_rng(a.seed)
weights = [0.1 * random.standard_normal((len(INPUTS), HIDDEN)), np.zeros(HIDDEN), np.full(HIDDEN, 1 / HIDDEN)]
weights[0][0] = -0.5  # the way: the nearest frontier


def environment():
    return outrider.ParallelEnv(outrider.generated("office", width=a.size[0], height=a.size[1]), robots=a.robots,
                                every="event", reward={"area_team": 1, "steps": -0.5, "done": 20}, steps=600,
                                settings={"sensor.range_m": 8})


def rows_of(observation):
    return np.minimum(observation["frontiers"][:, COLUMNS], MOST).astype(float)


def scores(rows):
    hidden = np.tanh(rows @ weights[0] + weights[1])
    return hidden, hidden @ weights[2]


def ranked(observation):
    """The rows that there are, best first."""
    there = np.flatnonzero(observation["mask"])
    return there[np.argsort(-scores(rows_of(observation))[1][there], kind="stable")]


def follow(env, observations, infos, until):
    """What the network brings an agent until then, or to the end."""
    total, agent = 0.0, env.possible_agents[0]
    while env.agents and infos[env.agents[0]]["step"] < until:
        actions = {one: ranked(observations[one])[0] for one in env.agents if infos[one]["due"]}
        observations, rewards, _, _, infos = env.step(actions)
        total += rewards[agent]
    return total + (infos[agent]["return_since_decision"] if agent in env.agents else 0.0)


def search(env, actions, agent, row, until):
    branch = env.copy()
    observations, rewards, _, _, infos = branch.step({**actions, agent: row})
    return rewards[branch.possible_agents[0]] + follow(branch, observations, infos, until)


def explore(env, seed, data=None):
    """Steps to the end of an episode; of the expert, if its choices are to join the data."""
    observations, infos = env.reset(seed=seed)
    steps = 0
    while env.agents:
        actions = {one: ranked(observations[one])[0] for one in env.agents if infos[one]["due"]}
        for one in list(actions) if data is not None else ():
            tried = ranked(observations[one])[:a.tries]
            if len(tried) < 2:
                continue
            until = infos[one]["step"] + a.ahead
            worth = [search(env, actions, one, row, until) for row in tried]
            actions[one] = tried[int(np.argmax(worth))]  # of equal ones the network's
            data.append((rows_of(observations[one]), observations[one]["mask"] > 0, actions[one]))
        observations, _, _, _, infos = env.step(actions)
        steps = max([steps, *(info["step"] for info in infos.values())])
    return steps


def imitate(data, rounds=300):
    """Softmax over the rows, cross entropy, gradient descent with momentum."""
    x, there, action = (np.array(part) for part in zip(*data))
    speeds = [np.zeros_like(w) for w in weights]
    for _ in range(rounds):
        pick = random.integers(0, len(x), 256)
        hidden, score = scores(x[pick])
        score = np.where(there[pick], score, -np.inf)
        share = np.exp(score - score.max(axis=1, keepdims=True))
        share /= share.sum(axis=1, keepdims=True)
        share[np.arange(len(pick)), action[pick]] -= 1  # now the gradient of the scores
        share /= len(pick)
        back = share[:, :, None] * weights[2] * (1 - hidden ** 2)
        gradients = (np.einsum("nri,nrh->ih", x[pick], back), back.sum(axis=(0, 1)),
                     np.einsum("nr,nrh->h", share, hidden))
        for weight, speed, gradient in zip(weights, speeds, gradients):
            speed *= 0.9
            speed -= 0.1 * gradient
            weight += speed


env, data, curve = environment(), [], []
for k in range(a.rounds + 1):
    tested = np.mean([explore(env, 10_000 + n) for n in range(a.tests)])
    curve.append([k, len(data), tested])
    print("round %d: the network needs %.1f steps" % (k, tested), end="", flush=True)
    if k < a.rounds:
        expert = np.mean([explore(env, a.seed * 100_000 + k * a.episodes + n, data) for n in range(a.episodes)])
        curve[-1].append(expert)
        imitate(data)
        print(", the expert %.1f on maps of its own; %d decisions" % (expert, len(data)), end="")
    print(flush=True)
with open(a.out, "w") as file:
    json.dump({"outrider_network": 1, "inputs": INPUTS, "most": MOST, "layers": [
        {"weights": weights[0].T.tolist(), "bias": weights[1].tolist()},
        {"weights": [weights[2].tolist()], "bias": [0.0]}]}, file)
if a.curve:
    with open(a.curve, "w", newline="") as file:
        csv.writer(file).writerows([["round", "decisions", "network_steps", "expert_steps"], *curve])
