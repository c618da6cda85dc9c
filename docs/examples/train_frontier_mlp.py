"""Trains the network of the strategy mlp: which frontier a robot drives to.

    tools/python docs/examples/train_frontier_mlp.py --seconds 420 --out my_policy.json
    outrider run office --strategy "mlp(weights=my_policy.json)"

Evolution strategies (Salimans et al. 2017): pairs of networks that differ from the present one by the same random step,
forwards and backwards, explore the same generated maps, one of each family; the network moves towards those that needed
fewer steps, in shares of the map's steps, so that families weigh equally. The result is a mean over late generations.
It needs numpy alone. Time is CPU time, and a seed gives the same network on every machine if --generations ends it.
"""
import argparse
import csv
import itertools
import json
import sys
import time

import numpy as np
import outrider

INPUTS = ["way", "size", "sight", "mate", "claim", "nearer", "target", "home", "turn", "leftover"]
COLUMNS = [outrider.frontier_features.index(name) for name in INPUTS]
MOST = 3  # what is farther is as good as infinitely far: a policy for teams has to work alone, too
HIDDEN = 8
ROWS = 8  # frontiers to choose from
STEP, RATE = 0.1, 0.03  # how far networks are tried, and Adam's rate
MOST_SHARE = 0.5  # a map on which a network drives to and fro for ever counts no more than this
SIZE = len(INPUTS) * HIDDEN + HIDDEN + HIDDEN  # weights, biases, weights of the score


def begin(random, path):
    """The network of a file; without one, a network that goes to the nearest frontier, and small random numbers."""
    if path:
        with open(path) as file:
            first, last = json.load(file)["layers"]
        return np.concatenate([np.transpose(first["weights"]).ravel(), first["bias"], last["weights"][0]])
    theta = 0.1 * random.standard_normal(SIZE)
    theta[:HIDDEN] = -0.5  # weights of the way
    theta[-HIDDEN:] = 1 / HIDDEN
    return theta


def layers(theta):
    """theta: (..., SIZE); weights (..., inputs, hidden), biases (..., hidden), output (..., hidden)."""
    weights, bias, output = np.split(theta, [len(INPUTS) * HIDDEN, SIZE - HIDDEN], axis=-1)
    return weights.reshape(*theta.shape[:-1], len(INPUTS), HIDDEN), bias, output


def choose(networks, observations):
    """The row with the highest score, for each environment (with a network of its own) and agent."""
    weights, bias, output = networks
    rows, mask = np.minimum(observations["frontiers"][..., COLUMNS], MOST), observations["mask"]
    alone = rows.ndim == 3  # a single agent has no axis of its own
    if alone:
        rows, mask = rows[:, None], mask[:, None]
    hidden = np.tanh(np.einsum("eakf,efh->eakh", rows, weights) + bias[:, None, None])
    scores = np.einsum("eakh,eh->eak", hidden, output)
    chosen = np.where(mask > 0, scores, -np.inf).argmax(axis=2)
    return chosen[:, 0] if alone else chosen


def explore(env, thetas, seeds):
    """Steps that each network needs on the map of its seed."""
    networks = layers(thetas)
    observations, infos = env.reset(seed=seeds)
    while True:
        observations, _, over, cut, infos = env.step(choose(networks, observations))
        if (over | cut).all():
            return infos["step"]


def worth_of(steps):
    """Of each network, from steps by map (row): how much shorter than the map's median, in logarithms."""
    shares = np.log(np.median(steps, axis=1, keepdims=True) / steps)
    worth = np.clip(shares, -MOST_SHARE, MOST_SHARE).mean(axis=0)
    return worth / (worth.std() + 1e-8)


def as_json(theta, about):
    weights, bias, output = layers(theta)
    return json.dumps({"outrider_network": 1, "about": about, "inputs": INPUTS, "most": MOST, "layers": [
        {"weights": np.round(weights.T, 4).tolist(), "bias": np.round(bias, 4).tolist()},
        {"weights": [np.round(output, 4).tolist()], "bias": [0]}]})


def write(given, theta, rows):
    about = "%s %dx%d, teams of %s, radio %g m, seed %d, %d generations, %.0f s" % (
        ", ".join(given.families), *given.size, ", ".join(map(str, given.robots)), given.range_m, given.seed, len(rows),
        rows[-1][1])
    with open(given.out, "w") as file:
        file.write(as_json(theta, about) + "\n")
    if given.curve:
        with open(given.curve, "w", newline="") as file:
            csv.writer(file).writerows([("generation", "seconds", "steps"), *rows])
    return about


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--families", nargs="+", default=["office", "rooms", "hospital", "warehouse", "cave", "ruin"],
                        help="of the maps, one of each per generation (outrider generate --help)")
    parser.add_argument("--size", type=int, nargs=2, default=(300, 200), help="width and height of the maps in cells")
    parser.add_argument("--robots", type=int, nargs="+", default=(4, 4, 4, 1), help="team sizes, drawn for each map")
    parser.add_argument("--range-m", type=float, default=20, help="of the radio")
    parser.add_argument("--seconds", type=float, default=1200, help="CPU time to train in")
    parser.add_argument("--generations", type=int, default=10**9, help="end after so many, whatever the time")
    parser.add_argument("--pairs", type=int, default=10, help="networks tried per generation: twice as many")
    parser.add_argument("--steps", type=int, default=400, help="an episode is cut off after so many")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--begin", help="a network of this shape to begin with")
    parser.add_argument("--out", default="policy.json")
    parser.add_argument("--curve", help="CSV: generation, seconds, steps of the networks tried, geometric mean over maps")
    given = parser.parse_args()

    random = np.random.default_rng(given.seed)
    width, height = given.size
    tried = 2 * given.pairs
    team = given.robots[0] if len(given.robots) == 1 else outrider.among(*given.robots)
    envs = [outrider.make_vec(outrider.generated(family, width=width, height=height), tried, robots=team,
                              threads=given.threads, frontiers=ROWS, every="event", patience=15, steps=given.steps,
                              autoreset="disabled", copy=False, **{"comm.range_m": given.range_m})
            for family in given.families]
    theta, mean, square = begin(random, given.begin), np.zeros(SIZE), np.zeros(SIZE)
    late, rows = theta, []
    for generation in itertools.count(1):
        noise = random.standard_normal((given.pairs, SIZE))
        thetas = np.concatenate([theta + STEP * noise, theta - STEP * noise])
        first = 10**6 * given.seed + generation * len(envs)
        needed = np.array([explore(env, thetas, np.full(tried, first + k)) for k, env in enumerate(envs)])
        worth = worth_of(needed)
        gradient = (worth[:given.pairs] - worth[given.pairs:]) @ noise / given.pairs - 0.0005 * theta
        mean, square = 0.9 * mean + 0.1 * gradient, 0.99 * square + 0.01 * gradient**2  # Adam
        theta = theta + RATE * (mean / (1 - 0.9**generation)) / (np.sqrt(square / (1 - 0.99**generation)) + 1e-8)
        late = late + max(0.02, 1 / generation) * (theta - late)
        rows.append((generation, round(time.process_time(), 1), round(float(np.exp(np.log(needed).mean())), 2)))
        if generation % 10 == 0 or generation < 4:
            print("generation %d, %.0f s: %.1f steps" % (*rows[-1][:2], np.mean([r[2] for r in rows[-10:]])), flush=True)
        over = time.process_time() > given.seconds or generation == given.generations
        if over or generation % 20 == 0:
            about = write(given, late, rows)
        if over:
            break
    print("%s: %s" % (given.out, about))


if __name__ == "__main__":
    sys.exit(main())
