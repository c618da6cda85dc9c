"""The input of policies on graphs (ARiADNE, IR2) as arrays, and a planner on the graph in place of a policy.

    tools/python docs/examples/ariadne_graph.py
"""
import numpy as np
import outrider

DX, DY, UTILITY = (outrider.place_features.index(name) for name in ("dx", "dy", "utility"))


def nearest_with_utility(seen):
    """The neighbour on the shortest path over the graph to a place with utility: what a trained policy improves on."""
    count, here = int(seen["node_mask"].sum()), int(seen["node"][0])
    places, neighbours = seen["nodes"][:count], seen["neighbours"][:count]
    length, first = np.full(count, np.inf), np.full(count, -1)
    length[here] = 0
    left = set(range(count))
    while left:
        at = min(left, key=length.__getitem__)
        left.remove(at)
        if at != here and (places[at, UTILITY] > 0 or not np.isfinite(length[at])):
            break
        for slot, to in enumerate(neighbours[at]):
            if to < 0:
                continue
            further = length[at] + np.hypot(*(places[to, [DX, DY]] - places[at, [DX, DY]]))
            if further < length[to]:
                length[to] = further
                first[to] = slot if at == here else first[at]
    found = first[at] >= 0 and places[at, UTILITY] > 0
    return int(first[at]) if found else int(seen["slots"].argmax())


env = outrider.ParallelEnv("rooms", robots=2, observation="graph", action="node", every="event",
                           **{"sensor.range_m": 8, "sensor.fov_deg": 360})
observations, infos = env.reset(seed=1)
shapes = {name: array.shape for name, array in observations["r1"].items()}
print("each agent observes", shapes)
decisions = 0
while env.agents:
    actions = {a: nearest_with_utility(observations[a]) for a in env.agents if infos[a]["due"]}
    decisions += len(actions)
    observations, rewards, terminations, truncations, infos = env.step(actions)
print("%d decisions, %d steps, %.0f m, %.1f %% of the map known"
      % (decisions, infos["r1"]["step"], infos["r1"]["way_m"], 100 * infos["r1"]["team_share"]))
