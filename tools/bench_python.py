"""What Python costs, as ratios of CPU time side by side (medians of five).

    tools/python tools/bench_python.py             ratios
    tools/python tools/bench_python.py --memory    memory along 20,000 episodes
    tools/python tools/bench_python.py --mixed     what it takes to begin episodes on one map, and on all at once
"""
import glob
import os
import statistics
import sys
import time

import numpy as np
import outrider

OFFICE = dict(robots=4, seed=1, steps=300)


def cpu(part):
    begun = time.process_time()
    steps = part()
    return (time.process_time() - begun) / steps * 1e3


def whole():
    sim = outrider.Simulation("office", **OFFICE)
    sim.run()
    return sim.steps_done


def stepped():
    sim = outrider.Simulation("office", **OFFICE)
    while not sim.done:
        sim.step()
    return sim.steps_done


def by_frontiers(choose, **arguments):
    def part():
        env = outrider.ParallelEnv("office", done_share=None, **OFFICE, **arguments)
        observations, infos = env.reset()
        while env.agents:
            observations, _, _, _, infos = env.step({a: choose for a in env.agents if infos[a]["due"]})
        return infos["r1"]["step"]
    return part


def resets():
    env = outrider.make_vec("office", 1, robots=4)
    for seed in range(200):
        env.reset(seed=seed)
    return 200


def vector(threads):
    env = outrider.make_vec("office", 16, robots=4, threads=threads, steps=10**6)
    env.reset()
    begun = time.perf_counter()
    for _ in range(100):
        env.step(np.zeros((16, 4), int))
    return 1600 / (time.perf_counter() - begun)


class Nearest(outrider.Strategy):
    """The rule of the native strategy: chooses on its beat, or when the target is gone."""

    def begin(self):
        self.goal = None

    def choose(self, belief, rng):
        if belief.step % 15 == 0 or self.goal is None or belief.goal_unreachable:
            f = belief.frontiers
            self.goal = f[f["way"].argmin()] if len(f) else None
        return outrider.Goto.frontier(self.goal) if self.goal is not None else outrider.Intent(done=True)


def nearest(strategy):
    def part():
        sim = outrider.Simulation("office", strategy=strategy, **OFFICE)
        sim.run()
        return sim.steps_done
    return part


def memory(episodes=20_000):
    """Resident memory while episodes go by, on a new small map each time."""
    env = outrider.make_vec(outrider.generated("office", width=80, height=60), 20, robots=2, steps=8, every=4,
                            observation=["frontiers", "window"], autoreset="same_step")
    env.reset(seed=1)
    done = shown = 0
    while done < episodes:
        over, cut = env.step(np.zeros((20, 2), int))[2:4]
        done += int((over | cut).sum())
        if done >= shown:
            with open("/proc/self/statm") as file:
                print("%6d episodes, %.1f MiB" % (done, int(file.read().split()[1]) / 256))
            shown += episodes // 10


def share_of_resets(scenario, episodes=24, **arguments):
    """Of the CPU time of a vector environment, whose episodes go on to 99 %: what drawing, making and beginning takes."""
    env = outrider.make_vec(scenario, 8, every="event", **arguments)
    env.reset(seed=1)
    begin, spent, done = env._team.reset, 0.0, 0

    def timed(*given):
        nonlocal spent
        begun = time.process_time()
        begin(*given)
        spent += time.process_time() - begun

    env._team.reset = timed
    begun = time.process_time()
    while done < episodes:
        over, cut = env.step(np.zeros((8, len(env.agents)), int))[2:4]
        done += int((over | cut).sum())
    return spent / (time.process_time() - begun)


def mixed():
    files = sorted(f for f in glob.glob("environments/suites/*/*.png") if os.path.basename(f) != "sheet.png")[:60]
    families = [outrider.generated(family) for family in ("office", "cave", "ruin")]
    drawn = {"robots": outrider.between(1, 8), "comm.range_m": outrider.among(8, 20)}
    for name, scenario, arguments in (
            ("one map, four robots", "office", {"robots": 4}), ("60 maps (PNG)", files, drawn),
            ("three families", families, drawn), ("all of these, and a suite", [*families, outrider.suite("office-12@1"),
                                                                                outrider.among(*files)], drawn)):
        print("%-26s %.1f %% of the CPU time in resets" % (name, 100 * share_of_resets(scenario, **arguments)), flush=True)


def main():
    if sys.argv[1:] == ["--memory"]:
        return memory()
    if sys.argv[1:] == ["--mixed"]:
        return mixed()
    parts = {"loop in C++": whole, "loop in Python": stepped,
             "velocities, own state": by_frontiers(np.array([0.5, 0.1]), action="velocity", observation="own"),
             "velocities, windows": by_frontiers(np.array([0.5, 0.1]), action="velocity", observation="window"),
             "velocities, frontiers": by_frontiers(np.array([0.5, 0.1]), action="velocity"),
             "events, frontiers": by_frontiers(0, every="event"),
             "events, also graphs": by_frontiers(0, every="event", observation=["frontiers", "graph"]),
             "nearest in C++": nearest("nearest"), "nearest in Python": nearest(Nearest), "reset": resets}
    times = {name: [] for name in parts}
    for _ in range(5):
        for name, part in parts.items():
            times[name].append(cpu(part))
    for name, values in times.items():
        print("%-24s %.3f ms" % (name, statistics.median(values)))
    for one, other in (("loop in Python", "loop in C++"), ("velocities, windows", "velocities, own state"),
                       ("velocities, frontiers", "velocities, own state"), ("events, also graphs", "events, frontiers"), ("nearest in Python", "nearest in C++")):
        ratios = [a / b for a, b in zip(times[one], times[other])]
        print("%s : %s = %.2f" % (one, other, statistics.median(ratios)))
    rates = [(vector(1), vector(2)) for _ in range(5)]
    print("vector environment, team steps a second of wall time: %.0f with one thread, %.2f times as many with two"
          % (statistics.median(r[0] for r in rates), statistics.median(b / a for a, b in rates)))


if __name__ == "__main__":
    main()
