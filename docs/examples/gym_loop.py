"""An environment with Gymnasium's API: one robot, which goes to the frontier that shows most for its distance.

    tools/python docs/examples/gym_loop.py
"""
import outrider

WAY, SIGHT = (outrider.frontier_features.index(name) for name in ("way", "sight"))

env = outrider.Env(outrider.generated("office", width=200, height=150), robots=1, every="event")
for episode in range(3):
    observation, info = env.reset(seed=episode)
    total, over = 0.0, False
    while not over:
        rows = observation["frontiers"]
        worth = (rows[:, SIGHT] + 0.01) / (rows[:, WAY] + 0.05)
        worth[observation["mask"] == 0] = -1
        observation, reward, terminated, truncated, info = env.step(worth.argmax())
        total += reward
        over = terminated or truncated
    print("map %d: %d steps, %.0f m, reward %.1f" % (episode, info["step"], info["way_m"], total))
