#!/usr/bin/env python3
"""Makes path scenarios in MovingAI's format for maps of this project, with optimal lengths by a plain Dijkstra that has
nothing in common with the program's planners. Standard library only.

usage: make_scen.py MAP.png COUNT SEED > MAP.scen
"""
import heapq
import math
import os
import random
import struct
import sys
import zlib


def read_png(path):
    """Rows of 0 (wall) and 1 (free) of a grey PNG with one bit per pixel and no filters but those of the standard."""
    data = open(path, "rb").read()
    at, width, height, packed = 8, 0, 0, b""
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + size]
        if kind == b"IHDR":
            width, height, bits, colour = struct.unpack(">IIBB", body[:10])
            assert bits == 1 and colour == 0, "expected a map of outrider generate"
        elif kind == b"IDAT":
            packed += body
        at += 12 + size
    raw, stride, rows, last = zlib.decompress(packed), (width + 7) // 8, [], None
    for y in range(height):
        line = bytearray(raw[y * (stride + 1) + 1:(y + 1) * (stride + 1)])
        method = raw[y * (stride + 1)]
        for i in range(stride):
            left, up = (line[i - 1] if i else 0), (last[i] if last else 0)
            corner = last[i - 1] if last and i else 0
            if method == 1:
                add = left
            elif method == 2:
                add = up
            elif method == 3:
                add = (left + up) // 2
            elif method == 4:
                p = left + up - corner
                add = min((abs(p - left), 0, left), (abs(p - up), 1, up), (abs(p - corner), 2, corner))[2]
            else:
                add = 0
            line[i] = (line[i] + add) & 255
        rows.append([line[x >> 3] >> (7 - (x & 7)) & 1 for x in range(width)])
        last = line
    return rows


def length(free, start, goal):
    """Octile, no corner cutting; None without a way."""
    height, width = len(free), len(free[0])
    done, queue, best = set(), [(0.0, start)], {start: 0.0}
    while queue:
        cost, (x, y) = heapq.heappop(queue)
        if (x, y) == goal:
            return cost
        if (x, y) in done:
            continue
        done.add((x, y))
        for dx in (-1, 0, 1):
            for dy in (-1, 0, 1):
                u, v = x + dx, y + dy
                if (dx, dy) == (0, 0) or not (0 <= u < width and 0 <= v < height):
                    continue
                if not (free[v][u] and free[y][u] and free[v][x]):
                    continue
                there = cost + math.hypot(dx, dy)
                if there < best.get((u, v), math.inf):
                    best[u, v] = there
                    heapq.heappush(queue, (there, (u, v)))
    return None


def main():
    path, count, rng = sys.argv[1], int(sys.argv[2]), random.Random(int(sys.argv[3]))
    free = read_png(path)
    cells = [(x, y) for y, row in enumerate(free) for x, f in enumerate(row) if f]
    print("version 1")
    for _ in range(count):
        a, b = rng.choice(cells), rng.choice(cells)
        print(0, os.path.basename(path), len(free[0]), len(free), *a, *b, "%.8f" % (length(free, a, b) or 0), sep="\t")


if __name__ == "__main__":
    main()
