"""Messages as actions: an agent decides where to go and what to send, in one action.

    tools/python docs/examples/messages.py

A rule is in place of a policy: a robot announces its goal (an Intent with a Word of x and y in centimetres) and
prefers frontiers that no team-mate announced nearby. Beside it are teams that read no announcements.
"""
import argparse

import numpy as np
import outrider

ANNOUNCED = 100  # topic of the word
APART_M = 4.0

parser = argparse.ArgumentParser()
parser.add_argument("--seeds", type=int, default=10)
a = parser.parse_args()


def announced(belief):
    """The goals that team-mates announced last, in metres of this robot's frame: (n, 2)."""
    words = [word for mate in belief.team.values() if mate for word in mate["words"] if word.topic == ANNOUNCED]
    return np.array([word.values for word in words], float).reshape(-1, 2) / 100


def decide(belief, reads):
    """The action of an agent: an order, and words to all."""
    f = belief.frontiers
    f = f[np.isfinite(f["way"])]
    if not len(f):
        return outrider.Goto(*belief.home)
    cost = f["way"].astype(float)
    for goal in announced(belief) if reads else ():
        cost += 100.0 * (np.hypot(f["x"] - goal[0], f["y"] - goal[1]) < APART_M)
    best = f[cost.argmin()]
    word = outrider.Word(ANNOUNCED, [round(100 * float(best["x"])), round(100 * float(best["y"]))])
    return outrider.Intent(outrider.Goto.frontier(best), words=[word])


def explore(env, seed, reads):
    """Steps that the team needs."""
    _, infos = env.reset(seed=seed)
    steps = 0
    while env.agents:
        actions = {one: decide(env.belief(one), reads) for one in env.agents if infos[one]["due"]}
        _, _, _, _, infos = env.step(actions)
        steps = max(steps, *(info["step"] for info in infos.values()))
    return steps


env = outrider.ParallelEnv(outrider.generated("office", width=200, height=150), robots=3, every="event", steps=600,
                           settings={"sensor.range_m": 8})
for reads in (False, True):
    steps = [explore(env, seed, reads) for seed in range(1, 1 + a.seeds)]
    print("%s: %.1f steps on average" % ("reads announcements" if reads else "reads none", np.mean(steps)), flush=True)
