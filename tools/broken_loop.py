#!/usr/bin/env python3
"""Writes the log of a robot that drives once round a corridor, with odometry that takes each turn to be larger than it
is: tools/broken_loop.py loop.csv [--turn 1.3] [--seed 1]. A log for `outrider slam`, on which a single filter breaks
(docs/slam.md)."""
import argparse
import math
import random

WALLS = []
for x, y, w, h in ((0, 0, 16, 12), (2, 2, 12, 8)):  # metres: the outer walls, and the block in the middle
    corners = [(x, y), (x + w, y), (x + w, y + h), (x, y + h), (x, y)]
    WALLS += list(zip(corners, corners[1:]))
BEAMS, FIELD, RANGE, NOISE = 181, math.radians(90), 8.0, 0.01


def reading(x, y, angle):
    c, s = math.cos(angle), math.sin(angle)
    best = math.inf
    for (ax, ay), (bx, by) in WALLS:
        dx, dy, ox, oy = bx - ax, by - ay, ax - x, ay - y
        det = s * dx - c * dy
        if abs(det) < 1e-12:
            continue
        t, u = (oy * dx - ox * dy) / det, (c * oy - s * ox) / det
        if t > 0 and 0 <= u <= 1:
            best = min(best, t)
    return best


def moved(pose, forward, turn):
    x, y, yaw = pose
    return x + forward * math.cos(yaw), y + forward * math.sin(yaw), yaw + turn


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("log")
    options.add_argument("--turn", type=float, default=1.3, help="what odometry says of a turn of 1")
    options.add_argument("--seed", type=int, default=1, help="of the noise of the ranges")
    given = options.parse_args()
    noise = random.Random(given.seed)
    truth = said = (1.0, 1.0, 0.0)
    motions = [(0.0, 0.0)]
    for side in range(4):
        motions += [(0.5, 0.0)] * (20 if side % 2 else 28) + [(0.0, math.pi / 2)]
    with open(given.log, "w", encoding="utf-8") as out:
        for time, (forward, turn) in enumerate(motions):
            truth, said = moved(truth, forward, turn), moved(said, forward, given.turn * turn)
            ranges = []
            for k in range(BEAMS):
                r = reading(truth[0], truth[1], truth[2] + FIELD * (k / (BEAMS - 1) - 0.5)) + noise.gauss(0, NOISE)
                ranges.append(f"{min(r, RANGE):.3f}")
            out.write("odom,%d,%.4f,%.4f,%.5f\n" % (time, *said))
            out.write("scan,%d,%.6f,%.6f,%g,%s\n" % (time, -FIELD / 2, FIELD / (BEAMS - 1), RANGE, ",".join(ranges)))


if __name__ == "__main__":
    main()
