"""The planners that papers on learned policies compare with, on the same graph and with the same sensing: one robot that
looks around only at the places of its graph, until 250 pixels are left or no place promises anything.

    tools/python docs/examples/graph_baselines.py FOLDER_OR_MAP...      # maps of ARiADNE or IR2
    tools/python docs/examples/graph_baselines.py                       # generated offices instead
"""
import heapq
import os
import sys

import numpy as np
import outrider

DX, DY, UTILITY = (outrider.place_features.index(name) for name in ("dx", "dy", "utility"))


class Graph:
    """What a robot observes: places, their utilities, and shortest paths from where it is; in ranges of its sensor."""

    def __init__(self, seen):
        self.here = int(seen["node"][0])
        count = int(seen["node_mask"].sum())
        self.places = seen["nodes"][:count][:, [DX, DY]].astype(float)
        self.utility = seen["nodes"][:count, UTILITY].astype(float)
        self.neighbours = seen["neighbours"][:count]
        self.way, self.before = self.ways_from(self.here) if self.here >= 0 else (np.full(count, np.inf), None)

    def ways_from(self, start):
        way, before = np.full(len(self.places), np.inf), np.full(len(self.places), -1)
        way[start] = 0
        queue = [(0.0, start)]
        while queue:
            length, at = heapq.heappop(queue)
            if length > way[at]:
                continue
            for to in self.neighbours[at][self.neighbours[at] >= 0]:
                further = length + np.hypot(*(self.places[to] - self.places[at]))
                if further < way[to]:
                    way[to], before[to] = further, at
                    heapq.heappush(queue, (further, int(to)))
        return way, before

    def path_to(self, place):
        path = [int(place)]
        while self.before[path[-1]] >= 0:
            path.append(int(self.before[path[-1]]))
        return path[::-1]

    def candidates(self):
        """Places that promise something. The one where the robot is only when it is beside it, and nothing else is left:
        then any neighbour, to come back to it."""
        there = np.isfinite(self.way) & (np.arange(len(self.way)) != self.here)
        promising = np.flatnonzero((self.utility > 0) & there)
        if len(promising) > 0 or self.here < 0 or self.utility[self.here] == 0:
            return promising
        return np.flatnonzero(there)[:1]


def nearest(graph):
    return min(graph.candidates(), key=lambda k: graph.way[k])


def utility(graph, decay=1.0):
    """Utility over way: Gonzalez-Banos and Latombe, IJRR 21, 2002."""
    return max(graph.candidates(), key=lambda k: graph.utility[k] * np.exp(-decay * graph.way[k]))


def next_best_view(graph, decay=1.0):
    """The branch with the largest sum of utilities on the way, each by its way: Bircher and others, ICRA 2016."""
    def gain(k):
        return sum(graph.utility[p] * np.exp(-decay * graph.way[p]) for p in graph.path_to(k))
    return max(graph.candidates(), key=gain)


def tour(graph, radius=1.0):
    """The first of a short tour through places that see all of the frontier: after TARE (Cao and others, RSS 2021)."""
    left, stops = set(graph.candidates()), []
    while left:  # each stop covers the places around it
        stop = max(left, key=lambda k: graph.utility[k])
        stops.append(stop)
        left -= {k for k in left if np.hypot(*(graph.places[k] - graph.places[stop])) < radius / 2}
    ways = {k: graph.ways_from(k)[0] for k in stops}
    order, open_stops, at = [], set(stops), graph.way
    while open_stops:  # the nearest first, then turned round where that is shorter
        stop = min(open_stops, key=lambda k: at[k])
        order.append(stop)
        open_stops.remove(stop)
        at = ways[stop]

    def length(stops):
        return graph.way[stops[0]] + sum(ways[a][b] for a, b in zip(stops, stops[1:]))
    best, shorter = length(order), True
    while shorter:
        shorter = False
        for i in range(len(order) - 1):
            for j in range(i + 2, len(order) + 1):
                turned = order[:i] + order[i:j][::-1] + order[j:]
                if length(turned) < best - 1e-9:
                    order, best, shorter = turned, length(turned), True
    return order[0]


def explore(world, choose, seed=1, **settings):
    """The path in metres to 90, 95 and 99 % and to the end, and the share known in the end."""
    settings = {"body.speed_mps": 100, "stop.of": "team", "stop.fraction": 1.0, "stop.left_m2": 250, **settings}
    env = outrider.ParallelEnv(world, robots=1, observation="graph", action="node", every="event", nodes=2048, **settings)
    seen, infos = env.reset(seed=seed)
    ways = {}
    while env.agents:
        agent = env.agents[0]
        graph = Graph(seen[agent])
        if len(graph.candidates()) == 0:
            break
        first = graph.path_to(choose(graph))[1]
        slot = np.flatnonzero(graph.neighbours[graph.here] == first)[0]
        seen, _, _, _, infos = env.step({agent: int(slot)})
        for level in (90, 95, 99):
            if infos[agent]["team_share"] >= level / 100:
                ways.setdefault(level, infos[agent]["way_m"])
    last = infos[agent]
    env.close()
    return [ways.get(level, np.nan) for level in (90, 95, 99)] + [last["way_m"], last["team_share"]]


def maps_in(arguments):
    for name in arguments:
        if os.path.isdir(name):
            yield from (os.path.join(folder, f) for folder, _, files in sorted(os.walk(name)) for f in sorted(files))
        else:
            yield name


if __name__ == "__main__":
    worlds = [outrider.marmotlab(m) for m in maps_in(sys.argv[1:])]
    settings = {}
    if not worlds:
        worlds = [outrider.generated("office", seed=s, width=200, height=150) for s in (1,)]
        settings = {"sensor.range_m": 8, "sensor.fov_deg": 360, "stop.left_m2": 2.5}
    print("%d maps; median way in m            90 %%    95 %%    99 %%   in all   known" % len(worlds))
    for choose in (nearest, utility, next_best_view, tour):
        rows = np.array([explore(world, choose, **settings) for world in worlds])
        print("%-28s %8.0f %7.0f %7.0f %8.0f %6.2f %%" % (choose.__name__, *np.nanmedian(rows[:, :4], axis=0),
                                                        100 * rows[:, 4].mean()))
