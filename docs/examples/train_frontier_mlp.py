"""Trains the network of the strategy mlp: which frontier a robot drives to.

    tools/python docs/examples/train_frontier_mlp.py --seconds 420 --out my_policy.json
    outrider run office --strategy "mlp(weights=my_policy.json)"

Evolution strategies (Salimans et al. 2017): pairs of networks that differ from the present one by the same random step,
forwards and backwards, explore the same generated maps; the network moves towards those that needed fewer steps. It
needs numpy alone. Time is CPU time, and a seed gives the same network on every machine if --generations ends it.
"""
import argparse
import csv
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
SIZE = len(INPUTS) * HIDDEN + HIDDEN + HIDDEN  # weights, biases, weights of the score


def begin(random):
    """A network that goes to the nearest frontier, and small random numbers elsewhere."""
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


def centred_ranks(steps):
    """By map (row): 0.5 for the network that needed the fewest steps, -0.5 for the one that needed the most."""
    ranks = np.empty(steps.shape)
    for row, of_map in zip(ranks, steps):
        order = np.argsort(np.argsort(-of_map, kind="stable"), kind="stable").astype(float)
        for value in np.unique(of_map):  # equal steps, equal ranks
            order[of_map == value] = order[of_map == value].mean()
        row[:] = order / (len(of_map) - 1) - 0.5
    return ranks


def as_json(theta, about):
    weights, bias, output = layers(theta)
    return json.dumps({"outrider_network": 1, "about": about, "inputs": INPUTS, "most": MOST, "layers": [
        {"weights": np.round(weights.T, 4).tolist(), "bias": np.round(bias, 4).tolist()},
        {"weights": [np.round(output, 4).tolist()], "bias": [0]}]})


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--family", default="office", help="family of the maps (outrider generate --help)")
    parser.add_argument("--size", type=int, nargs=2, default=(300, 200), help="width and height of the maps in cells")
    parser.add_argument("--robots", type=int, nargs="+", default=(4, 1), help="team sizes: a map for each")
    parser.add_argument("--range-m", type=float, default=20, help="of the radio")
    parser.add_argument("--seconds", type=float, default=420, help="CPU time to train in")
    parser.add_argument("--generations", type=int, default=10**9, help="end after so many, whatever the time")
    parser.add_argument("--pairs", type=int, default=10, help="networks tried per generation: twice as many")
    parser.add_argument("--steps", type=int, default=400, help="an episode is cut off after so many")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--out", default="policy.json")
    parser.add_argument("--curve", help="CSV: generation, seconds, mean steps of the networks tried")
    given = parser.parse_args()

    random = np.random.default_rng(given.seed)
    width, height = given.size
    tried = 2 * given.pairs
    teams = [outrider.make_vec(outrider.generated(given.family, width=width, height=height), tried, robots=robots,
                               threads=given.threads, frontiers=ROWS, every="event", patience=15, steps=given.steps,
                               autoreset="disabled", copy=False, **{"comm.range_m": given.range_m})
             for robots in given.robots]
    theta, mean, square = begin(random), np.zeros(SIZE), np.zeros(SIZE)
    rows = []
    for generation in range(1, given.generations + 1):
        noise = random.standard_normal((given.pairs, SIZE))
        thetas = np.concatenate([theta + 0.1 * noise, theta - 0.1 * noise])
        first = 10**6 * given.seed + generation * len(teams)
        needed = np.array([explore(env, thetas, np.full(tried, first + k)) for k, env in enumerate(teams)])
        worth = centred_ranks(needed).mean(axis=0)
        gradient = (worth[:given.pairs] - worth[given.pairs:]) @ noise / given.pairs - 0.0005 * theta
        mean, square = 0.9 * mean + 0.1 * gradient, 0.99 * square + 0.01 * gradient**2  # Adam
        theta = theta + 0.05 * (mean / (1 - 0.9**generation)) / (np.sqrt(square / (1 - 0.99**generation)) + 1e-8)
        rows.append((generation, round(time.process_time(), 1), round(float(needed.mean()), 2)))
        if generation % 10 == 0 or generation < 4:
            print("generation %d, %.0f s: %.1f steps" % (*rows[-1][:2], np.mean([r[2] for r in rows[-10:]])), flush=True)
        if time.process_time() > given.seconds:
            break
    about = "%s %dx%d, teams of %s, radio %g m, seed %d, %d generations, %.0f s" % (
        given.family, width, height, " and ".join(map(str, given.robots)), given.range_m, given.seed, len(rows), time.process_time())
    with open(given.out, "w") as file:
        file.write(as_json(theta, about) + "\n")
    if given.curve:
        with open(given.curve, "w", newline="") as file:
            csv.writer(file).writerows([("generation", "seconds", "steps"), *rows])
    print("%s: %s" % (given.out, about))


if __name__ == "__main__":
    sys.exit(main())
