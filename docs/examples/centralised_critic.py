"""What a critic that is trained centrally gets: the truth, beside what each agent observes.

    tools/python docs/examples/centralised_critic.py
"""
import numpy as np
import outrider

env = outrider.ParallelEnv("small_office", robots=2, observation=["frontiers", "window"], scale=2, every=5, steps=100)
observations, infos = env.reset(seed=1)
batch = {"state": [], "window": [], "reward": []}
while env.agents:
    batch["state"].append(env.state())  # (4, height, width): walls, known to the team, robots, bases
    batch["window"].append([observations[a]["window"] for a in env.agents])  # (7, 64, 64) each: no truth in it
    observations, rewards, terminations, truncations, infos = env.step({a: 0 for a in env.agents})
    batch["reward"].append(list(rewards.values()))
for name, values in batch.items():
    print(name, np.asarray(values).shape)
