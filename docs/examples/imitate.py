"""Imitates a strategy with a network of one layer of eight, from its demonstrations; the result is a policy for `mlp`.

    tools/python -m outrider learn export office --strategy sight_greedy --robots 4 -o demonstrations.npz
    tools/python docs/examples/imitate.py demonstrations.npz --out imitation.json
    tools/run run office --strategy "mlp(weights=imitation.json)"

Training needs numpy alone: softmax over the rows of an observation, cross entropy, gradient descent with momentum.
"""
import argparse
import csv
import json

import numpy as np

parser = argparse.ArgumentParser()
parser.add_argument("demonstrations")
parser.add_argument("--out", default="imitation.json")
parser.add_argument("--rounds", type=int, default=400)
parser.add_argument("--curve", help="CSV file: in how many of the decisions it chooses the same")
parser.add_argument("--seed", type=int, default=1)
a = parser.parse_args()

data = np.load(a.demonstrations)
about = json.loads(str(data["about"]))
inputs = ["way", "size", "sight", "mate", "claim", "nearer", "target", "home", "turn", "leftover"]
columns = [about["frontier_features"].index(name) for name in inputs]
known = (data["action"] >= 0) & (data["mask"].sum(axis=1) > 1)  # where there was something to choose
most = 3.0  # larger values count as this, in training as in `mlp`
x = np.minimum(data["frontiers"][known][:, :, columns], most).astype(float)
there, action = data["mask"][known] > 0, data["action"][known]
test = data["episode"][known] % 5 == 4 if about["episodes"] >= 5 else np.zeros(len(x), bool)

random = np.random.default_rng(a.seed)
weights = [random.normal(0, 0.3, (len(inputs), 8)), np.zeros(8), random.normal(0, 0.3, 8)]
speeds = [np.zeros_like(w) for w in weights]


def scores(rows):
    hidden = np.tanh(rows @ weights[0] + weights[1])
    return hidden, hidden @ weights[2]


def agreement(which):
    if not which.any():
        return float("nan")
    return float((np.where(there[which], scores(x[which])[1], -np.inf).argmax(axis=1) == action[which]).mean())


print("%d decisions of %s; the nearest frontier is its choice in %.1f %% of them"
      % (len(x), about["strategy"], 100 * (action == 0).mean()))
curve = []
for k in range(a.rounds):
    pick = random.integers(0, len(x), 256)
    pick = pick[~test[pick]]
    hidden, score = scores(x[pick])
    score = np.where(there[pick], score, -np.inf)
    share = np.exp(score - score.max(axis=1, keepdims=True))
    share /= share.sum(axis=1, keepdims=True)
    share[np.arange(len(pick)), action[pick]] -= 1  # now the gradient of the scores
    share /= len(pick)
    back = share[:, :, None] * weights[2] * (1 - hidden ** 2)
    for weight, speed, gradient in zip(weights, speeds, (
            np.einsum("nri,nrh->ih", x[pick], back), back.sum(axis=(0, 1)), np.einsum("nr,nrh->h", share, hidden))):
        speed *= 0.9
        speed -= 0.1 * gradient
        weight += speed
    if a.curve and k % 10 == 0:
        curve.append([k, agreement(~test), agreement(test)])
    if (k + 1) % max(1, a.rounds // 4) == 0:
        print("round %d: the same choice in %.1f %% (of episodes that it did not see: %.1f %%)"
              % (k + 1, 100 * agreement(~test), 100 * agreement(test)))
with open(a.out, "w") as file:
    json.dump({"outrider_network": 1, "inputs": inputs, "most": most, "layers": [
        {"weights": weights[0].T.tolist(), "bias": weights[1].tolist()},
        {"weights": [weights[2].tolist()], "bias": [0.0]}]}, file)
if a.curve:
    with open(a.curve, "w", newline="") as file:
        csv.writer(file).writerows([["round", "same_choice", "same_choice_unseen"], *curve])
