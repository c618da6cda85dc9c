#!/usr/bin/env python3
"""Recomputes the metrics of a full log from what the robots perceived, said and did, without Outrider's code.

    tools/score.py LOG             compares with the summary that the log holds; exit 1 when a value differs
    tools/score.py LOG --values    prints the recomputed values as CSV: name,robot,value; also of a run that was cut off

Exit 2: a log that cannot be scored.

A second implementation of docs/model.md with Python's standard library alone. It draws every scan into the map of its
robot, merges what was heard, and counts cells one by one against the true walls. It takes nothing from the columns of
metrics. Truth that it uses: the walls, and the poses and corners of the ways. Of robots that match scans it takes where
they found themselves to be from the log, and leaves out what is tried on their maps (paths_*, skeleton_*). What follows
from what: docs/log.md.
"""
import itertools
import json
import math
import os
import sqlite3
import struct
import sys
from collections import Counter

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from outrider_log import NO_INFORMATION, NOTHING, Log, LogError, compose, into_body, inverse, sin_cos, transform  # noqa: E402

SIZE = 64  # cells along the edge of a tile
ROW = (1 << SIZE) - 1
# Bytes on the air.
AT_BASE, ROUGH = range(2)  # marks of cells
HEADER, RECORD, NAME, COORDINATE, CELLS, MARKS, STAMPS = 64, 48, 20, 4, 3 * 8 * SIZE, 8 * SIZE, 4 * SIZE * SIZE


# A wall of a map is off when no true one is within so many cells; a map with a larger share of those is broken.
OFF_CELLS, BROKEN_SHARE = 5, 0.02
# Two targets this close are the same.
SAME_TARGET_M = 1
WALL_HEIGHT_M = 1
# Arcs of echoes that are longer stay unknown.
LONGEST_ARC_M = 0.5
# By how much poses of matched scans err now and then, and how many cells such a scan has to add to be of use.
POSE_ERROR_M, LEAST_NEWS = 0.2, 10
# Ways tried on maps, skeletons, and people that were found: not recomputed.
LEFT_OUT = {"paths_succeed", "paths_found", "skeleton_true", "skeleton_found", "victims_found", "victims_confirmed",
            "victims_false", "victim_step_mean", "t50_victims", "rescue_score",
            "victims_by_hand", "driven_over_steps", "cleared_m2", "cleared_m2_per_victim"}


def count(bits):
    return bin(bits).count("1")


def tile_of(x, y):
    return x >> 6, y >> 6


def bit_of(x, y):
    return 1 << ((y & 63) * SIZE + (x & 63))


# ---- Rays (Amanatides and Woo's traversal, by columns of the major axis)

class Ray:
    def __init__(self, ox, oy, dx, dy):
        self.x, self.y = math.floor(ox), math.floor(oy)
        self.x_major = abs(dx) >= abs(dy)
        major, along, across = (dx, ox, dy) if self.x_major else (dy, oy, dx)
        self.minor = oy if self.x_major else ox
        self.step = 1 if major >= 0 else -1
        self.first = math.floor(along) + 1 - along if major >= 0 else along - math.floor(along)
        self.slope = min(max(across / abs(major), -(1 - 1e-12)), 1 - 1e-12)
        self.base = self.minor + self.first * self.slope
        self.per_column = 1 / abs(major)
        self.per_minor = 1 / abs(across) if across else math.inf

    def t_column(self, j):
        return (self.first + (j - 1)) * self.per_column

    def t_minor(self, edge):
        return abs(edge - self.minor) * self.per_minor

    def exit(self, j):
        return math.floor(self.base + j * self.slope)

    def entry(self, j):
        return (self.y if self.x_major else self.x) if j == 0 else self.exit(j - 1)

    def cell(self, j, minor):
        major = (self.x if self.x_major else self.y) + j * self.step
        return (major, minor) if self.x_major else (minor, major)

    def walk(self, most):
        """Cells in the order in which the ray enters them, with the length at which it does."""
        j, inside, t = 0, self.entry(0), 0.0
        while t <= most:
            yield self.cell(j, inside), t
            out = self.exit(j)
            if out != inside:
                t = self.t_minor(max(inside, out))
                if t > most:
                    return
                yield self.cell(j, out), t
                inside = out
            j += 1
            t = self.t_column(j)


def segment(a, b):
    length = math.sqrt((b[0] - a[0]) * (b[0] - a[0]) + (b[1] - a[1]) * (b[1] - a[1]))
    if length == 0:
        return [((math.floor(a[0]), math.floor(a[1])), 0.0)]
    return Ray(a[0], a[1], (b[0] - a[0]) * (1 / length), (b[1] - a[1]) * (1 / length)).walk(length)


def outward(j):
    """Columns around j in which rounding may let a ray cross an edge."""
    yield from (j, j + 1)
    for away in itertools.count(2, 2):
        yield from (k for k in (j + away, j + away + 1, j - away, j - away + 1) if k >= 0)


def hit_cells(ray, length, tolerance):
    """The cell or the two cells that a measured range can mean, and the length up to which the ray saw free cells."""
    column = max(1, math.floor(length / ray.per_column - ray.first + 0.5) + 1)
    t_column = ray.t_column(column)
    off_column = abs(t_column - length)
    by_column = ray.cell(column, ray.entry(column))
    if ray.slope == 0:
        return [by_column], t_column
    side = 1 if ray.slope > 0 else -1
    first_edge = math.floor(ray.minor) + (1 if side > 0 else 0)
    edge = math.floor(ray.minor + side * length / ray.per_minor + 0.5)
    edge = max(edge, first_edge) if side > 0 else min(edge, first_edge)
    t_minor = ray.t_minor(edge)
    off_minor = abs(t_minor - length)
    if off_column <= off_minor and off_minor > tolerance:
        return [by_column], t_column
    j = max(0, math.floor(t_minor / ray.per_column - ray.first))
    j = next(k for k in outward(j)
             if max(ray.entry(k), ray.exit(k)) * side >= edge * side and ray.entry(k) != ray.exit(k))
    by_minor = ray.cell(j, ray.exit(j))
    if off_column > tolerance or off_minor > tolerance:
        return ([by_minor], t_minor) if off_minor < off_column else ([by_column], t_column)
    if by_minor == by_column:
        return [by_column], min(t_column, t_minor)
    return [by_column, by_minor], min(t_column, t_minor)


# ---- Maps: a dict of tiles; a tile is three numbers of 64 x 64 bits (known, occupied, safe)

EMPTY = (0, 0, 0)


def merged(mine, theirs):
    """Per cell the claim of higher rank: unknown < occupied < free < safe free < safe occupied."""
    mk, mo, ms = mine
    tk, to, ts = theirs
    safe = ms | ts
    claimed_free = (mk & ~mo) | (tk & ~to)
    return mk | tk, (mo & ms) | (to & ts) | ((mo | to) & ~claimed_free & ~safe), safe


def merged_stamped(mine, my_stamps, theirs, their_stamps):
    """The newer claim, cell by cell; of equally old ones that of higher rank. Stamps: a dict of the steps in which cells
    were observed last, by step a number of bits; cells that are in none were observed in step 0, or never."""
    my_any, their_any = 0, 0
    for bits in my_stamps.values():
        my_any |= bits
    for bits in their_stamps.values():
        their_any |= bits
    newer, same, stamps = 0, theirs[0] & ~their_any & ~my_any, dict(my_stamps)
    for step, bits in their_stamps.items():
        bits &= theirs[0]
        same |= bits & my_stamps.get(step, 0)
        fresh = bits
        for at, older in my_stamps.items():
            if at >= step:
                fresh &= ~older
        newer |= fresh
        if fresh:
            for at in stamps:
                stamps[at] &= ~fresh
            stamps[step] = stamps.get(step, 0) | fresh
    both = merged(mine, tuple(plane & same for plane in theirs))
    tile = tuple(plane & ~newer | other & newer for plane, other in zip(both, theirs))
    return (mine if tile == mine else tile), {step: bits for step, bits in stamps.items() if bits}


class Drawing:
    """One scan: rows of cells as whole numbers, whose bit 0 is the column `left`."""

    def __init__(self, left):
        self.left = left
        self.known, self.occupied, self.safe = {}, {}, {}

    def fill(self, corners, rows):
        toggles = {}
        for i, a in enumerate(corners):
            b = corners[i + 1] if i + 1 < len(corners) else corners[0]
            if a[1] > b[1]:
                a, b = b, a
            first, end = math.ceil(a[1] - 0.5), math.ceil(b[1] - 0.5)
            if first >= end:
                continue
            slope = (b[0] - a[0]) / (b[1] - a[1])
            x = a[0] + (first + 0.5 - a[1]) * slope - 0.5
            for row in range(first, end):
                toggles.setdefault(row, []).append(math.ceil(x))
                x += slope
        for row, columns in toggles.items():
            columns.sort()
            bits = 0
            for begin, end in zip(columns[::2], columns[1::2]):
                bits ^= (1 << end - self.left) - (1 << begin - self.left)
            rows[row] = rows.get(row, 0) | bits

    def bit(self, cell):
        return 1 << cell[0] - self.left

    def claimed(self, cell):
        return self.known.get(cell[1], 0) >> cell[0] - self.left & 1

    def claim(self, cell, occupied, safe):
        row, bit = cell[1], self.bit(cell)
        self.known[row] = self.known.get(row, 0) | bit
        for plane, value in ((self.occupied, occupied), (self.safe, safe)):
            plane[row] = plane.get(row, 0) | bit if value else plane.get(row, 0) & ~bit

    def tiles(self):
        """By coordinate the three planes. `left` is the first column of a tile."""
        planes = {}
        for k, rows in enumerate((self.known, self.occupied, self.safe)):
            for row, bits in rows.items():
                tx, shift = self.left >> 6, (row & 63) * SIZE
                while bits:
                    if bits & ROW:
                        planes.setdefault((tx, row >> 6), [0, 0, 0])[k] |= (bits & ROW) << shift
                    bits >>= SIZE
                    tx += 1
        return {t: tuple(p) for t, p in planes.items()}


class Mapper:
    """Draws the scans of one sensor."""

    def __init__(self, sensor, cell_m, options):
        self.sensor, self.cell_m, self.options = sensor, cell_m, options
        beams = [sin_cos(sensor["mount"][2] + sensor["first_angle"] + i * sensor["step_angle"])
                 for i in range(sensor["beams"])]
        self.body = [(c, s) for s, c in beams]
        self.most = sensor["max_range_m"] / cell_m
        self.unit = sensor["range_unit_m"] / cell_m

    def outline(self, reach):
        corners, last = [self.origin], -1
        for i in range(len(self.beams) - 1):
            length = min(self.beams[i][1], self.beams[i + 1][1], reach)
            if length != last:
                corners.append(self.along(i, length))
            corners.append(self.along(i + 1, length))
            last = length
        return corners

    def along(self, i, length):
        return self.origin[0] + self.directions[i][0] * length, self.origin[1] + self.directions[i][1] * length

    def draw(self, grid, body, ranges):
        """What the scan claims, given what `grid` (a dict of tiles) held before."""
        at = transform(body, self.sensor["mount"])
        self.origin = at[0] / self.cell_m, at[1] / self.cell_m
        s, c = sin_cos(body[2])
        self.directions = [(c * x - s * y, s * x + c * y) for x, y in self.body]
        if self.sensor["cone"] > 0:
            return self.draw_echoes(grid, body, ranges)
        self.beams = []  # ray, length, hit, cells, free up to
        for i, r in enumerate(ranges):
            length = self.most if r == NOTHING else min(r * self.unit, self.most)
            hit = r not in (NO_INFORMATION, NOTHING)
            ray = Ray(*self.origin, *self.directions[i])
            cells, free = hit_cells(ray, length, 1.2 * self.unit) if hit else ([], 0)
            self.beams.append((ray, length, hit, cells, free, self.along(i, length)))
        # A candidate may lie beyond the end of its beam, the body beside the sensor.
        reach = (max([b[1] for b in self.beams] + [0]) + 1.2 * self.unit + 70 +
                 math.hypot(*self.sensor["mount"][:2]) / self.cell_m)
        drawing = Drawing((math.floor(self.origin[0] - reach) >> 6) * SIZE)

        options, several = self.options, len(self.beams) > 1
        step = self.sensor["step_angle"]
        gap = options["max_gap_cells"] / step if step > 0 else 0
        polygon = options["update"] == "polygon" and several
        if polygon:
            drawing.fill(self.outline(gap if gap > 0 else self.most), drawing.known)
        jump = options["jump_cells"] if polygon and gap == 0 else 0
        for i, (ray, length, hit, _, free, _) in enumerate(self.beams):
            beside = min(self.beams[k][1] for k in (i - 1, i, i + 1) if 0 <= k < len(self.beams))
            if length > 0 and (jump == 0 or length - beside > jump):
                self.mark(drawing, ray, free if hit else length, not hit)
        self.join(drawing)
        for beam in self.beams:
            if len(beam[3]) == 1:
                drawing.claim(beam[3][0], True, False)
        self.settle(drawing, grid)
        if options["safe_share"] > 0 and several:
            drawing.fill(self.outline(options["safe_share"] * self.most), drawing.safe)
            self.keep_inside(drawing, grid)
        for beam in self.beams:
            if len(beam[3]) == 1:
                drawing.claim(beam[3][0], True, True)
        centre = body[0] / self.cell_m, body[1] / self.cell_m
        drawing.claim((math.floor(centre[0]), math.floor(centre[1])), False, True)
        if any(self.sensor["mount"][:2]) and any(r != NO_INFORMATION for r in ranges):
            self.claim_body(drawing, grid, centre)
        return self.keep_walls(drawing.tiles(), grid)

    def draw_echoes(self, grid, body, ranges):
        """Beams that are sectors: free up to the echo, and a wall somewhere on the arc at its end."""
        cone, drawing = self.sensor["cone"], Drawing((math.floor(self.origin[0] - self.most - 70) >> 6) * SIZE)
        echoes = [(d, self.most if r == NOTHING else min(r * self.unit, self.most), r != NOTHING)
                  for d, r in zip(self.directions, ranges) if r != NO_INFORMATION]

        def cells(direction, reach):
            least = math.cos(cone / 2)
            (ox, oy), spread = self.origin, math.ceil(reach) + 1
            for y in range(math.floor(oy) - spread, math.floor(oy) + spread + 1):
                for x in range(math.floor(ox) - spread, math.floor(ox) + spread + 1):
                    dx, dy = x + 0.5 - ox, y + 0.5 - oy
                    away = math.sqrt(dx * dx + dy * dy)
                    if away <= reach and dx * direction[0] + dy * direction[1] >= least * away:
                        yield (x, y), away

        for direction, length, wall in echoes:
            if not wall or length * cone > LONGEST_ARC_M / self.cell_m:
                continue
            arc = [(c, grid.get(tile_of(*c), EMPTY)) for c, away in cells(direction, length + 0.75)
                   if away >= length - self.unit]
            if not any(tile[1] & bit_of(*c) for c, tile in arc):
                for c, tile in arc:
                    if not tile[0] & ~tile[1] & bit_of(*c):
                        drawing.claim(c, True, False)
        for direction, length, _ in echoes:
            for c, _ in cells(direction, length - self.unit):
                drawing.claim(c, False, False)
        drawing.claim((math.floor(body[0] / self.cell_m), math.floor(body[1] / self.cell_m)), False, True)
        return self.keep_walls(drawing.tiles(), grid)

    def keep_walls(self, claims, grid):
        """Where poses err, and farther off: a wall of the map stays unless the scan saw free space all around it, and a
        wall in free space counts only where the map has none around."""
        margin = self.options["error_cells"]
        if margin == 0:
            return claims
        near = (self.options["safe_share"] * self.most) ** 2
        at = math.floor(self.origin[0]), math.floor(self.origin[1])
        around = [(dx, dy) for dy in range(-margin, margin + 1) for dx in range(-margin, margin + 1)]

        def free(cell):
            known, occupied, _ = claims.get(tile_of(*cell), EMPTY)
            return known & ~occupied & bit_of(*cell)

        def no_wall(cell):
            return not grid.get(tile_of(*cell), EMPTY)[1] & bit_of(*cell)

        kept = {}
        for t, (known, occupied, safe) in claims.items():
            had, walls, _ = grid.get(t, EMPTY)
            doubtful = (walls & known & ~occupied) | (had & ~walls & occupied)
            dropped = 0
            while doubtful:
                bit = doubtful & -doubtful
                doubtful ^= bit
                i = bit.bit_length() - 1
                x, y = t[0] * SIZE + i % SIZE, t[1] * SIZE + i // SIZE
                if (x - at[0]) ** 2 + (y - at[1]) ** 2 <= near:
                    continue
                holds = free if walls & bit else no_wall
                if not all(holds((x + dx, y + dy)) for dx, dy in around):
                    dropped |= bit
            kept[t] = known & ~dropped, occupied & ~dropped, safe & ~dropped
        return kept

    @staticmethod
    def mark(drawing, ray, end, inclusive):
        """Cells that the ray enters before `end` (or at it)."""
        def before(t):
            return t <= end if inclusive else t < end
        if not before(0):
            return
        last = max(0, math.floor(end / ray.per_column - ray.first))
        while before(ray.t_column(last + 1)):
            last += 1
        while last > 0 and not before(ray.t_column(last)):
            last -= 1
        for j in range(last + 1):
            entry, out = ray.entry(j), ray.exit(j)
            if j == last and out != entry and not before(ray.t_minor(max(entry, out))):
                out = entry
            for minor in {entry, out}:
                x, y = ray.cell(j, minor)
                drawing.known[y] = drawing.known.get(y, 0) | 1 << x - drawing.left

    def join(self, drawing):
        """Closes walls between hits that lie close together along a surface, where the beams are far apart."""
        beams, far = self.beams, 1 / max(1e-9, self.sensor["step_angle"])

        def gap(i):
            if i < 0 or i + 1 >= len(beams) or not beams[i][2] or not beams[i + 1][2]:
                return None
            if min(beams[i][1], beams[i + 1][1]) <= far:
                return None
            d = beams[i + 1][5][0] - beams[i][5][0], beams[i + 1][5][1] - beams[i][5][1]
            return d if math.sqrt(d[0] * d[0] + d[1] * d[1]) < self.options["join_cells"] else None

        def continues(a, b):
            return a and a[0] * b[0] + a[1] * b[1] >= (
                0.8 * math.sqrt(a[0] * a[0] + a[1] * a[1]) * math.sqrt(b[0] * b[0] + b[1] * b[1]))

        for i in range(len(beams) - 1):
            here = gap(i)
            if not here or not (continues(gap(i - 1), here) or continues(gap(i + 1), here)):
                continue
            a, b = beams[i][3][0], beams[i + 1][3][0]
            if (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 <= 2:
                continue
            for cell, _ in segment((a[0] + 0.5, a[1] + 0.5), (b[0] + 0.5, b[1] + 0.5)):
                if cell not in (a, b) and not drawing.claimed(cell):
                    drawing.claim(cell, True, False)

    def settle(self, drawing, grid):
        """Of two candidates one is the wall; when the other is known to be free, this one."""
        def free(cell):
            known, occupied, _ = grid.get(tile_of(*cell), EMPTY)
            if known & ~occupied & bit_of(*cell):
                return True
            return drawing.claimed(cell) and not drawing.occupied.get(cell[1], 0) & drawing.bit(cell)

        for beam in self.beams:
            if len(beam[3]) != 2:
                continue
            first, second = (bool(free(cell)) for cell in beam[3])
            wall = beam[3][1 if first else 0]
            if first != second and not drawing.claimed(wall):
                drawing.claim(wall, True, False)

    def claim_body(self, drawing, grid, centre):
        """From the body's centre to the sensor is body: free, where the scan claims nothing and no wall is known."""
        for cell, _ in segment(centre, self.origin):
            if not drawing.claimed(cell) and not grid.get(tile_of(*cell), EMPTY)[1] & bit_of(*cell):
                drawing.claim(cell, False, False)

    @staticmethod
    def keep_inside(drawing, grid):
        """Safe are free cells without an unknown neighbour."""
        wanted = {row: bits for row, bits in drawing.safe.items() if bits}
        if not wanted:
            return
        width = max(bits.bit_length() for bits in wanted.values()) // SIZE + 2
        first = drawing.left >> 6

        def known(row):
            bits = 0
            for k in range(-1, width):
                tile = grid.get((first + k, row >> 6))
                if tile:
                    part = tile[0] >> (row & 63) * SIZE & ROW
                    bits |= part << (k + 1) * SIZE
            return bits | drawing.known.get(row, 0) << SIZE  # one tile more on the left

        rows = {row + d for row in wanted for d in (-1, 0, 1)}
        around = {}
        for row in rows:
            k = known(row)
            around[row] = k & k << 1 & k >> 1
        for row, bits in wanted.items():
            bits &= drawing.known.get(row, 0) & ~drawing.occupied.get(row, 0)
            drawing.safe[row] = bits & (around[row - 1] & around[row] & around[row + 1]) >> SIZE


# ---- Robots: what they know follows from what they perceived

class Heard:
    """A message: what its sender knew when it said it."""

    def __init__(self, robot, said):
        self.sender, self.said = robot.number, said
        self.cells, self.marks, self.stamps = dict(robot.cells), dict(robot.marks), dict(robot.stamps)
        self.records = dict(robot.records)
        self.maps = dict(robot.maps)  # the maps that the sender last heard: what it goes by
        self.has_map = said["share"] != "none"
        self.fixed = HEADER
        for number, (_, _, words, _) in self.records.items():
            self.fixed += (0 if number == robot.number else RECORD) + sum(4 + 8 * len(w["values"]) for w in words)
        if self.has_map:
            blocks = {(x >> 2, y >> 2) for x, y in self.cells}
            self.fixed += NAME * (len(blocks) + len(robot.changed))

    def tile_bytes(self, t):
        return (COORDINATE + (CELLS if t in self.cells else 0) + MARKS * sum((t, kind) in self.marks for kind in (AT_BASE, ROUGH)) +
                (STAMPS if t in self.stamps else 0))

    def bytes_to(self, receiver, tiles):
        if tiles is not None:
            return self.fixed + sum(self.tile_bytes(t) for t in tiles)
        if not self.has_map:
            return self.fixed
        theirs = self.maps.get(receiver)
        cells, marks, stamps = (theirs.cells, theirs.marks, theirs.stamps) if theirs else ({}, {}, {})
        missing = {t for t, tile in self.cells.items() if cells.get(t) is not tile and cells.get(t) != tile}
        missing |= {key[0] for key, bits in self.marks.items() if marks.get(key) != bits}
        missing |= {t for t, tile in self.stamps.items() if stamps.get(t) is not tile and stamps.get(t) != tile}
        return self.fixed + sum(self.tile_bytes(t) for t in missing)


class Robot:
    def __init__(self, briefing, options, doubt, cuts):
        self.doubt, self.cuts = doubt, cuts  # steps; whether beams that end at team-mates count
        self.number, self.briefing = briefing["self"], briefing
        self.me = briefing["team"][self.number]
        self.pose, self.alive = briefing["start"], True
        self.cells, self.marks, self.stamps = {}, {}, {}
        self.stamped = briefing["cells_change"]
        self.records = {}  # by robot: seq, step, words, position
        self.far = {}      # by robot: seq, step; what came over the second channel
        self.maps = {}     # by robot: the message whose map was heard last
        self.seq, self.merges = 0, 0
        self.matches_scans = options["error_cells"] > 0
        self.mappers = [Mapper(s, briefing["cell_m"], options) for s in briefing["sensors"]]
        self.footprints = [{} for _ in self.mappers]
        self.changed = set()  # tiles, in this step
        self.learnt = set()   # those in which cells changed by what was heard

    def take_in(self, step, now, inbox):
        self.changed, self.learnt = set(), set()
        localised = now["localised"]
        self.pose = localised["pose"] if localised else compose(self.pose, now["motion"])
        heard_from = {h["from"] for h in now["heard"]}
        for h, message in zip(now["heard"], inbox):
            self.learn(message, h["from"])
            for other in message.records:
                if other != self.number and other not in heard_from:
                    self.learn(message, other)
            if message.has_map:
                self.merge(message, h["tiles"])
                self.maps[h["from"]] = message
        self.merges += len(self.learnt)
        self.footprints = [{} for _ in self.mappers]
        self.saw_news, news = False, 0
        for k, scan in enumerate(now["scans"]):
            sensor = scan["sensor"]
            pose = localised["scans"][k] if localised else compose(self.pose, scan["now_from_then"])
            if pose is None:
                continue
            ranges = self.without_floor(scan, now["pitch"], now["roll"])
            if self.cuts:
                ranges = self.without_mates(scan, ranges, now["sightings"])
            claims = self.mappers[sensor].draw(self.cells, pose, ranges)
            if self.doubt > 0:
                claims = {t: self.without_doubtful(t, tile, step) for t, tile in claims.items()}
            seen = self.footprints[sensor]
            for t, tile in claims.items():
                seen[t] = seen.get(t, 0) | tile[0]
                news += count(tile[0] & ~self.cells.get(t, EMPTY)[0])
                self.saw_news |= self.put(t, tile, {step: tile[0]} if step > 0 else {})
        if self.matches_scans:  # where poses err, each scan draws something elsewhere
            self.saw_news = news >= LEAST_NEWS
        for word in now["heard_far"]:
            self.far[word["robot"]] = word["seq"], word["step"], []
        for point in now["rough"]:
            x, y = (math.floor(v / self.briefing["cell_m"]) for v in transform(self.pose, point))
            self.mark(tile_of(x, y), bit_of(x, y), ROUGH)
        for point in now["steps"]:  # walls for sure
            cell = tuple(math.floor(v / self.briefing["cell_m"]) for v in transform(self.pose, point))
            if cell != tuple(math.floor(v / self.briefing["cell_m"]) for v in self.pose[:2]):
                bit = bit_of(*cell)
                self.put(tile_of(*cell), (bit, bit, bit), {step: bit} if step > 0 else {})
        if self.briefing["deliveries"] and self.me["role"] == "base":
            for t in list(self.changed):
                if t in self.cells:
                    self.mark(t, self.cells[t][0], AT_BASE)

    def without_floor(self, scan, pitch, roll):
        """The ranges of a scan; nothing is said by beams of a tilted scanner that may have met the floor, or passed over
        walls."""
        sensor = self.briefing["sensors"][scan["sensor"]]
        height = sensor["tilts_at_m"]
        if height == 0 or (pitch == 0 and roll == 0):
            return scan["ranges"]
        out = []
        for r, (x, y) in zip(scan["ranges"], self.mappers[scan["sensor"]].body):
            rise = -math.tan(pitch) * x + math.tan(roll) * y
            length = sensor["max_range_m"] if r == NOTHING else min(r * sensor["range_unit_m"], sensor["max_range_m"])
            ends = height if rise < 0 else WALL_HEIGHT_M - height
            doubtful = (rise < 0 or r == NOTHING) and length * abs(rise) > 0.8 * ends
            out.append(NO_INFORMATION if doubtful else r)
        return out

    def without_mates(self, scan, ranges, sightings):
        """The ranges; nothing is said by beams that end where team-mates are, or were when they last said so."""
        reach = max(0.2, self.briefing["radius_m"]) + 0.22
        known = [pose[:2] for base, pose in self.briefing["bases"] if base != self.number]
        known += [record[3] for number, record in self.records.items() if number != self.number]
        mates = [pose[:2] for kind, _, pose in sightings if kind == 0] + [into_body(self.pose, p) for p in known]
        sensor = self.briefing["sensors"][scan["sensor"]]
        mount = compose(scan["now_from_then"], sensor["mount"])
        out = []
        for i, r in enumerate(ranges):
            if r not in (NO_INFORMATION, NOTHING):
                s, c = sin_cos(mount[2] + sensor["first_angle"] + i * sensor["step_angle"])
                length = r * sensor["range_unit_m"]
                end = mount[0] + c * length, mount[1] + s * length
                if any(math.dist(end, mate) < reach for mate in mates):
                    r = NO_INFORMATION
            out.append(r)
        return out

    def without_doubtful(self, t, tile, step):
        """Without walls where free space was seen a short time ago."""
        known, occupied, _ = self.cells.get(t, EMPTY)
        stamps, fresh = self.stamps.get(t, {}), 0
        unstamped = known
        for then, bits in stamps.items():
            unstamped &= ~bits
            fresh |= bits if step < then + self.doubt else 0
        fresh |= unstamped if step < self.doubt else 0
        doubtful = tile[1] & known & ~occupied & fresh
        return tuple(plane & ~doubtful for plane in tile)

    def learn(self, message, other):
        record = message.records.get(other)
        if record and record[0] > self.records.get(other, (0,))[0]:
            self.records[other] = record

    def merge(self, message, only):
        wanted = None if only is None else set(only)
        for t, tile in message.cells.items():
            same = self.cells.get(t) is tile and self.stamps.get(t) is message.stamps.get(t)
            if same or (wanted is not None and t not in wanted):
                continue
            before = self.cells.get(t)
            self.put(t, tile, message.stamps.get(t, {}))
            if self.cells.get(t) is not before:
                self.learnt.add(t)
        for (t, kind), bits in message.marks.items():
            if wanted is None or t in wanted:
                self.mark(t, bits, kind)

    def put(self, t, tile, stamps):
        mine = self.cells.get(t, EMPTY)
        if self.stamped:
            mine_then = self.stamps.get(t, {})
            new, then = merged_stamped(mine, mine_then, tile, stamps)
            if new == mine and then == mine_then:
                return False
            if then != mine_then:
                self.stamps[t] = stamps if then == stamps else then
            if new != mine:
                self.cells[t] = tile if new == tile else new
            self.changed.add(t)
            return True
        new = merged(mine, tile)
        if new == mine:
            return False
        self.cells[t] = tile if new == tile else new
        self.changed.add(t)
        return True

    def mark(self, t, bits, kind):
        mine = self.marks.get((t, kind), 0)
        if bits & ~mine:
            self.marks[t, kind] = mine | bits
            self.changed.add(t)

    def say(self, step, said):
        self.seq += 1
        self.records[self.number] = (self.seq, step, said["words"], self.pose[:2])
        return Heard(self, said)


# ---- The truth

class Truth:
    def __init__(self, log, briefings, scenario):
        self.rows = log.map_rows()
        self.width, self.height = log.meta["map_width"], log.meta["map_height"]
        self.origin = log.meta["team_origin_x"], log.meta["team_origin_y"]
        self.cell_m = log.meta["map_cell_m"]
        explorers = []
        for b in briefings:
            if not b["team"][b["self"]]["mobile"]:
                continue
            sees = max([s["max_range_m"] for s in b["sensors"]] + [0])
            start = tuple(math.floor(v / self.cell_m) for v in b["start"][:2])
            explorers.append((self.on_map(start), b["radius_m"] / self.cell_m, sees / self.cell_m))
        self.sensable = {}  # by tile, in the team's frame
        self.rows = [bytearray(row) for row in self.rows]
        at_start = [row[:] for row in self.rows]
        self.open_all(scenario.get("change", []))
        region = scenario.get("region", {})
        wanted = self.region_cells(region) if region else None
        for x, y in self.find_sensable(explorers):
            if wanted is not None and (x, y) not in wanted:
                continue
            x, y = x - self.origin[0], y - self.origin[1]
            self.sensable[tile_of(x, y)] = self.sensable.get(tile_of(x, y), 0) | bit_of(x, y)
        self.rows = at_start
        self.changed, self.changes = 0, {}
        for step, text in log.db.execute("SELECT step, json FROM event WHERE kind = 'changed' ORDER BY rowid"):
            self.changes.setdefault(step, []).append(json.loads(text))

    def region_cells(self, region):
        """The cells of the [region] of interest."""
        if region.get("polygon") or region.get("cells"):
            wanted = set(self.area(region))
        else:
            wanted = {(x, y) for y in range(self.height) for x in range(self.width)}
        return wanted - set(self.area({"cells": region["without"]})) if region.get("without") else wanted

    def area(self, entry):
        """The cells of a [[change]], of a polygon or of runs."""
        def lists(text):
            return [[float(n) for n in item.split()] for item in text.split(",")]

        if entry.get("cells"):
            return [(int(x) + k, int(y)) for x, y, n in lists(entry["cells"]) for k in range(int(n))]
        if entry.get("polygon"):
            corners = lists(entry["polygon"])

            def inside(x, y):
                return sum((a[1] > y) != (b[1] > y) and x < a[0] + (y - a[1]) / (b[1] - a[1]) * (b[0] - a[0])
                           for a, b in zip(corners, corners[1:] + corners[:1])) % 2 == 1
            return [(x, y) for y in range(self.height) for x in range(self.width)
                    if inside((x + 0.5) * self.cell_m, (y + 0.5) * self.cell_m)]

        def cells(low, length):
            return range(math.ceil(low / self.cell_m - 0.5), math.ceil((low + length) / self.cell_m - 0.5))
        return [(x, y) for y in cells(entry["y_m"], entry["height_m"]) for x in cells(entry["x_m"], entry["width_m"])]

    def open_all(self, entries):
        """Frees all that some entry can free: what can be sensed at all."""
        for e in entries:
            area = [(x, y) for x, y in self.area(e) if 0 <= x < self.width and 0 <= y < self.height]
            if e["to"] == "free" or e["to"] == "toggle" and all(self.rows[y][x] for x, y in area):
                for x, y in area:
                    self.rows[y][x] = 0

    def change(self, step):
        for change in self.changes.get(step, []):
            self.changed += 1
            for left, row, n in change["cells"]:
                x, y = self.on_map((left, row))
                for i in range(n):
                    self.rows[y][x + i] = change["to"] == "wall"

    def on_map(self, cell):
        return cell[0] + self.origin[0], cell[1] + self.origin[1]

    def wall(self, cell):
        x, y = cell
        return not (0 <= x < self.width and 0 <= y < self.height) or self.rows[y][x] == 1

    def near_wall(self, cell, within):
        """Whether a wall is within so many rows and columns. That around the map is taken to be one cell thick: else no
        cell beyond it would ever be off."""
        x, y = cell
        outside = max(-1 - x, x - self.width, -1 - y, y - self.height)
        if outside > 0:
            return outside <= within
        return any(self.wall((a, b)) for b in range(y - within, y + within + 1)
                   for a in range(x - within, x + within + 1))

    def connected(self, blocked, start):
        seen, queue = {start}, [start]
        while queue:
            x, y = queue.pop()
            for cell in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
                if cell not in seen and not blocked(cell):
                    seen.add(cell)
                    queue.append(cell)
        return seen

    def grown(self, radius):
        """Cells in which the centre of a disc cannot be."""
        reach = math.ceil(radius + 0.5)
        disc = [(dx, dy) for dx in range(-reach, reach + 1) for dy in range(-reach, reach + 1)
                if math.hypot(max(0.0, abs(dx) - 0.5), max(0.0, abs(dy) - 0.5)) < radius]
        out = set()
        for y in range(-1, self.height + 1):
            for x in range(-1, self.width + 1):
                if self.wall((x, y)):
                    out.update((x + dx, y + dy) for dx, dy in disc)
        return out

    def find_sensable(self, explorers):
        sensable, done = set(), []
        for start, radius, sees in explorers:
            if any(r == radius and (radius == 0 or s == sees) and start in reach for r, s, reach in done):
                continue
            free = self.connected(self.wall, start)
            if radius == 0:
                reach = free
                sensable |= free
            else:
                grown = self.grown(radius)
                reach = self.connected(lambda c: self.wall(c) or c in grown, start)
                seen, queue = set(reach), list(reach)
                while queue:
                    x, y = queue.pop()
                    sensable.add((x, y))
                    for cell in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
                        if cell in free and cell not in seen:
                            seen.add(cell)
                            if self.sees_any(cell, reach, sees):
                                queue.append(cell)
            done.append((radius, sees, reach))
        return sensable

    def sees_any(self, target, cells, length):
        """Whether from the middle of some of the cells the middle of the target is in sight."""
        middle = target[0] + 0.5, target[1] + 0.5
        rays = math.ceil(2 * math.pi * length) + 8
        for k in range(rays):
            s, c = sin_cos(2 * math.pi * k / rays)
            for at, _ in Ray(*middle, c, s).walk(length):
                if at != target and self.wall(at):
                    break
                if at in cells and all(b == target or not self.wall(b)
                                       for b, _ in segment((at[0] + 0.5, at[1] + 0.5), middle)):
                    return True
        return False


# ---- Metrics

class Poses:
    """How far off robots believed to be that match scans; relations: of ten steps."""
    STEPS, LOST_M, LOST_SHARE = 10, 1, 0.01

    def __init__(self, count):
        self.pairs = [[] for _ in range(count)]  # by robot: where it was, where it believed to be

    def add(self, robot, truth, belief):
        self.pairs[robot].append((truth, belief))

    def values(self, mobile):
        """pose_error_m by robot, then the values of the team."""
        squares = steps = largest = relations = metres2 = turns2 = lost = 0
        errors = []
        for robot in mobile:
            pairs = self.pairs[robot]
            off = [math.hypot(t[0] - b[0], t[1] - b[1]) for t, b in pairs]
            errors.append(math.sqrt(sum(d * d for d in off) / len(off)) if off else 0)
            squares, steps, largest = squares + sum(d * d for d in off), steps + len(off), max([largest] + off)
            bad = 0
            for (t0, b0), (t1, b1) in zip(pairs, pairs[self.STEPS:]):
                x, y, yaw = compose(inverse(compose(inverse(t0), t1)), compose(inverse(b0), b1))
                bad += math.hypot(x, y) > self.LOST_M
                metres2, turns2 = metres2 + x * x + y * y, turns2 + yaw * yaw
            here = max(0, len(pairs) - self.STEPS)
            relations += here
            lost += bad > self.LOST_SHARE * here
        return errors, {
            "pose_error_m": math.sqrt(share(squares, steps)), "pose_error_max_m": largest,
            "relative_error_m": math.sqrt(share(metres2, relations)),
            "relative_error_deg": math.degrees(math.sqrt(share(turns2, relations))), "lost_robots": lost}


class Mean:
    def __init__(self):
        self.sum, self.count, self.max = 0.0, 0, 0.0

    def add(self, value):
        self.sum += value
        self.count += 1
        self.max = max(self.max, value)

    def mean(self):
        return self.sum / self.count if self.count else 0


def share(part, whole):
    return part / whole if whole > 0 else 0


class Failures:
    """Who is failing when: by the events of the log, and dead but not by dies_at_step."""

    def __init__(self, log, scenario, count):
        self.possible = scenario.get("failure", {}).get("rate_per_hour", 0) > 0 or bool(scenario.get("event"))
        self.began = self.steps = 0
        self.open, self.dead, self.failing = [0] * count, [False] * count, [False] * count
        dies = [entry["dies_at_step"] for entry in scenario.get("base", []) + scenario.get("robot", [])]
        self.events = {}
        for step, kind, robot in log.db.execute(
                "SELECT step, kind, robot FROM event WHERE kind IN ('failed', 'repaired', 'died')"):
            if kind != "died" or dies[robot] != step:
                self.events.setdefault(step, []).append((kind, robot))

    def step(self, step, alive):
        for kind, robot in self.events.get(step, []):
            if kind == "died":
                self.dead[robot] = True
            else:
                self.open[robot] += 1 if kind == "failed" else -1
        for robot, lives in enumerate(alive):
            if lives or self.dead[robot]:
                now = self.open[robot] > 0 or self.dead[robot]
                self.began += now and not self.failing[robot]
                self.steps += lives and self.open[robot] > 0
                self.failing[robot] = now


class Orders:
    """Orders of an operator: given, obeyed, and what robots did under them."""

    KINDS = ("autonomous", "way_points", "add", "clear", "drive", "drive_carefully", "stop",
             "follow_waypoints", "tele_operation", "conservative", "deployment", "explore_traversability",
             "follow_corridor")
    OBEYED = 0x6f726f62  # topic of the word with the number of the last order that was obeyed

    def __init__(self, robots):
        self.given = self.obeyed = self.latency = self.operated = self.waited = self.marks = 0
        self.sent = []  # by number, from 1: step, and whether the strategy decides again
        self.last, self.under = [0] * len(robots), [False] * len(robots)

    def step(self, step, robots, now):
        for robot, mine in zip(robots, now):
            for order in mine["commands"]:
                self.marks += order["behaviour"].startswith("mark ")
                if order["behaviour"] not in self.KINDS or (order["to"] is None and not robot.me["mobile"]):
                    continue
                self.given += 1
                free = order["behaviour"] == "autonomous"
                if order["to"] is not None:
                    self.sent.append((step, free))
                else:
                    self.obeyed += 1
                    self.under[robot.number] = not free
        for robot, mine in zip(robots, now):
            if not robot.alive or not mine["said"]:
                continue
            k = robot.number
            for word in mine["said"]["words"]:
                if word["topic"] != self.OBEYED or not self.last[k] < word["values"][0] <= len(self.sent):
                    continue
                self.last[k] = word["values"][0]
                given, free = self.sent[self.last[k] - 1]
                self.under[k] = not free
                self.obeyed += 1
                self.latency += step - given
            self.operated += self.under[k]
            self.waited += self.under[k] and not mine["path"]


class Power:
    """What the batteries of the mobile robots gave."""

    def __init__(self, log, scenario, robots):
        entries = scenario.get("base", []) + scenario.get("robot", [])
        plain = scenario.get("battery", {})
        self.options = [entry.get("battery", plain) if r.me["role"] != "base" else {} for entry, r in zip(entries, robots)]
        self.possible = any(o.get("wh", 0) > 0 for o in self.options)
        self.step_s, self.used, self.driven = scenario["run"]["step_s"], 0.0, [0.0] * len(robots)
        self.alive = [True] * len(robots)
        self.stranded = set(log.db.execute("SELECT step, robot FROM event WHERE kind = 'stranded'"))
        self.trips, = log.db.execute("SELECT COUNT(*) FROM event WHERE kind = 'charging'").fetchone()

    def step(self, step, robots, now, ways):
        sent = Counter()
        for mine in now:
            for h in mine["heard"] if mine["alive"] else []:
                sent[h["from"]] = max(sent[h["from"]], h["bytes"])
        for r, mine, o in zip(robots, now, self.options):
            i = r.number
            if o.get("wh", 0) <= 0 or not mine["alive"]:
                continue
            driven, self.driven[i] = ways[i] - self.driven[i], ways[i]
            if step > 0:
                self.used += (o["idle_w"] * self.step_s + o["per_m_j"] * driven + o["per_kb_j"] * sent[i] / 1000 +
                              o["per_scan_j"] * len(r.briefing["sensors"]))


def add_what_briefings_lack(briefing, entry, uneven):
    """Of each sensor of a robot: the width of its beams (radians), and its height where it tilts with the body."""
    said = entry.get("sensor", {})
    said = [s for s in (said if isinstance(said, list) else [said]) if s.get("preset") != "none"]
    for k, sensor in enumerate(briefing["sensors"]):
        options = said[k] if k < len(said) else {}
        sensor["cone"] = math.radians(options.get("cone_deg", 0))
        sensor["tilts_at_m"] = options["height_m"] if uneven and options.get("level") == "none" else 0


class Score:
    def __init__(self, log):
        import tomllib  # Python 3.11
        self.log = log
        briefings = log.briefings()
        try:
            scenario = self.scenario = tomllib.loads(log.meta.get("scenario", ""))
        except tomllib.TOMLDecodeError as error:
            raise LogError("the scenario in it cannot be read (%s)" % error) from None
        matches = any(b["cells_change"] for b in briefings) and scenario["slam"]["method"] != "known"
        if matches and log.version < 4:
            raise LogError("it does not say where robots that match scans found themselves to be; run it again")
        if log.keeps_submaps():
            raise LogError("robots keep apart what each of them drew (slam.method = manifold, or start.frame = unknown); "
                           "only maps that are merged for good are scored")
        uneven = log.layer_is_there("height")
        for briefing, entry in zip(briefings, scenario.get("base", []) + scenario.get("robot", [])):
            add_what_briefings_lack(briefing, entry, uneven)
        self.truth = Truth(log, briefings, scenario)
        self.region = "region" in scenario
        self.whole = sum(count(bits) for bits in self.truth.sensable.values())
        crowd, members = scenario.get("crowd", {}), scenario.get("base", []) + scenario.get("robot", [])
        bodies = [entry.get("body", {}) for entry in members]
        self.seen = any(body.get("seen", False) for body in bodies)
        self.crowded = crowd.get("people", 0) > 0 or self.seen or any(body.get("blocks", False) for body in bodies)
        self.held_up, self.alive, self.unseen, self.noticed = 0, [], [], Mean()
        doubt = crowd["doubt_steps"] if self.crowded else 0
        mapping = {**scenario["mapping"], "error_cells": 0 if scenario["slam"]["method"] == "known" else
                   math.ceil(POSE_ERROR_M / briefings[0]["cell_m"])}
        self.robots = [Robot(b, mapping, doubt, self.seen) for b in briefings]
        self.bases = [r for r in self.robots if r.me["role"] == "base"]
        self.mobile = [r for r in self.robots if r.me["mobile"]]
        n = len(self.robots)
        self.known = [{} for _ in range(n)]    # by tile: the robot's tile and its cells that count
        self.cells = [0] * n                   # known to each
        self.team, self.base, self.first, self.arrived = {}, {}, {}, {}
        self.team_cells = self.base_cells = 0
        self.sensed, self.any_sensed = [{} for _ in range(n)], {}
        self.latencies = Counter()
        self.ways = [0.0] * n
        self.rows = []
        self.at_robots, self.at_base, self.since_update = Mean(), Mean(), Mean()
        self.last_update, self.last_news = -1, 0
        self.connected = self.robot_steps = self.components = 0
        self.messages = self.lost = self.bytes = 0
        self.stood = self.same_target = self.fruitless = 0
        self.spent, self.driven = Counter(), [{"been": set(), "here": None} for _ in range(n)]
        self.longest = []
        self.waits = set(log.db.execute("SELECT step, robot FROM event WHERE kind = 'waited'"))
        self.before = [0.0] * n
        self.poses = Poses(n) if matches else None
        self.complaints = []
        self.failures = Failures(log, scenario, n)
        self.power = Power(log, scenario, self.robots)
        self.changing = bool(scenario.get("change")) or any(
            scenario.get("changes", {}).get(key, 0) > 0 for key in ("doors_per_hour", "debris_per_hour")) or any(
            entry["kind"] == "fire" and entry["debris_share"] > 0 for entry in scenario.get("hazard", []))
        members = scenario.get("base", []) + scenario.get("robot", [])
        self.plan = log.layer("plan") if any(entry.get("has_plan", True) for entry in members) else None
        self.orders = Orders(self.robots)
        self.bytes_far = 0 if scenario.get("radio2", {}).get("range_m", 0) > 0 else None
        self.ground, self.rough_m, self.driving = log.layer("ground"), 0.0, 0
        self.run()

    def run(self):
        truth = zip(self.log.true_poses(), self.log.ways())
        at = [r.briefing["start"] for r in self.robots]
        late = 1 + self.scenario["comm"].get("latency_steps", 0)
        under_way = [[None] * len(self.robots) for _ in range(late)]  # by the step in which they arrive
        expected = 0
        for step, now in self.log.recorded():
            (pose_step, poses), (_, ways) = next(truth, ((None, None), (None, None)))
            if not step == pose_step == expected:
                raise LogError("steps are missing at %d: a damaged log cannot be scored" % expected)
            expected += 1
            arriving = under_way.pop(0)
            self.count_messages(step, now, arriving)
            self.truth.change(step)
            for news in (news for mine in now for news in mine["heard_far"]):
                self.bytes_far += 24 + sum(4 + 8 * len(word["values"]) for word in news["words"])
            under_way.append(self.advance(step, now, arriving))
            self.notice(step)
            self.alive.append(sum(r.alive for r in self.mobile))
            self.held_up += sum(mine["bumped"] for mine in now)
            self.power.step(step, self.robots, now, self.ways)
            self.orders.step(step, self.robots, now)
            for i, (pose, corners) in enumerate(zip(poses, ways)):
                points = [at[i]] + corners + [pose]
                self.ways[i] += sum(math.dist(a[:2], b[:2]) for a, b in zip(points, points[1:]))
                if self.ground is not None and at[i][:2] != pose[:2]:
                    self.driving += 1
                    self.rough_m += sum(self.rough(a, b) for a, b in zip(points, points[1:]))
            if self.poses:
                for robot in self.mobile:
                    if robot.alive:
                        self.poses.add(robot.number, at[robot.number], robot.pose)
            at = poses
            self.failures.step(step, [r.alive for r in self.robots])
            known = self.team_cells
            self.cover(step)
            self.progress(step, now, poses, self.team_cells - known)
            self.longest.append(max((self.ways[r.number] for r in self.mobile), default=0.0))
            self.ages(step)
        if self.log.damaged or next(truth, None):
            raise LogError("steps are missing at %d: a damaged log cannot be scored" % expected)

    def advance(self, step, now, said):
        new = [None] * len(self.robots)
        for robot, mine in zip(self.robots, now):
            robot.died = robot.alive and not mine["alive"]
            robot.alive = mine["alive"]
            robot.changed = set()
            if robot.alive:
                robot.take_in(step, mine, [said[h["from"]] for h in mine["heard"]])
                if mine["said"]:
                    new[robot.number] = robot.say(step, mine["said"])
        return new

    def count_messages(self, step, now, said):
        component = list(range(len(now)))

        def root(i):
            while component[i] != i:
                i = component[i]
            return i
        for i, mine in enumerate(now):
            for other, _ in mine["links"]:
                a, b = root(i), root(other)
                component[max(a, b)] = min(a, b)
        alive = [i for i, mine in enumerate(now) if mine["alive"]]
        with_base = {root(r.number) for r in self.bases if now[r.number]["alive"]}
        self.components += len({root(i) for i in alive})
        for robot in self.mobile:
            if now[robot.number]["alive"]:
                self.robot_steps += 1
                self.connected += root(robot.number) in with_base
        hop = self.scenario["comm"]["delivery"] == "hop"
        for i in alive:
            links = {other for other, _ in now[i]["links"]}
            in_reach = links if hop else {k for k in alive if root(k) == root(i)}
            said_to = sum(1 for k in in_reach if k != i and said[k])
            self.messages += len(now[i]["heard"])
            self.lost += said_to - len(now[i]["heard"])
            for h in now[i]["heard"]:
                size = said[h["from"]].bytes_to(i, h["tiles"])
                self.bytes += size
                if size != h["bytes"] and len(self.complaints) < 10:
                    self.complaints.append("step %d: a message from %d to %d has %d bytes, the log says %d" %
                                           (step, h["from"], i, size, h["bytes"]))

    def notice(self, step):
        """The changes of this step that left somebody with a wrong map, and those that somebody has seen by now."""
        def anybody_believes(cells, wall):
            for robot in (r for r in self.robots if r.alive):
                for x, y in cells:
                    known, occupied, _ = robot.cells.get(tile_of(x, y), EMPTY)
                    bit = bit_of(x, y)
                    if known & bit and bool(occupied & bit) == wall:
                        return True
            return False

        seen = [u for u in self.unseen if anybody_believes(*u[:2])]
        for _, _, then in seen:
            self.noticed.add(step - then)
        self.unseen = [u for u in self.unseen if u not in seen]
        for change in self.truth.changes.get(step, []):
            cells = [(left + i, row) for left, row, n in change["cells"] for i in range(n)]
            self.unseen = [u for u in self.unseen if sorted(u[0]) != sorted(cells)]
            if anybody_believes(cells, change["to"] != "wall"):
                self.unseen.append((cells, change["to"] == "wall", step))

    def recovery(self):
        """Mean over deaths of the steps until the team knows as much as before."""
        recovered = Mean()
        for died in range(1, len(self.rows)):
            before = self.rows[died - 1][0]
            again = next((i for i in range(died, len(self.rows)) if self.rows[i][0] >= before), len(self.rows))
            for _ in range(self.alive[died - 1] - self.alive[died]):
                recovered.add(again - died)
        return recovered.mean() if recovered.count else None

    def progress(self, step, now, poses, news):
        """Of each mobile robot that is not done: whether it stood, had another one's target, and saw nothing new; until the
        team knows 99 % also what it spent the step on."""
        targets, steps = [], []
        for robot in self.mobile:
            driven = self.ways[robot.number] - self.before[robot.number]
            self.before[robot.number] = self.ways[robot.number]
            said = now[robot.number]["said"]
            if not robot.alive or said["done"]:
                steps.append((robot, "still", None))
                continue
            waits = (step, robot.number) in self.waits
            stands = driven < 0.1 * robot.me["speed_mps"] * robot.briefing["step_s"]
            self.stood += not waits and stands
            self.fruitless += not robot.saw_news
            homeward = said["goal"] is not None and any(
                math.dist(said["goal"], base.briefing["start"][:2]) <= SAME_TARGET_M for base in self.bases)
            steps.append((robot, "still" if stands else "homeward" if homeward else "onward", said["goal"]))
            if said["goal"] is not None:
                targets.append(said["goal"])

        def shared(goal):
            return sum(math.dist(goal, other) <= SAME_TARGET_M for other in targets) > 1
        self.same_target += sum(map(shared, targets))
        if step > 0 and self.rows[-2][0] >= 0.99:
            return
        finders = sum(robot.saw_news and robot.alive and not now[robot.number]["said"]["done"] for robot in self.mobile)
        for robot, spent, goal in steps:
            ground, square = self.driven[robot.number], tuple(map(math.floor, poses[robot.number][:2]))
            if square != ground["here"]:
                ground["here"], ground["again"] = square, square in ground["been"]
                ground["been"].add(square)
            if step == 0:
                continue
            b, sensed = robot.briefing, 0
            swept = (2 * max([s["max_range_m"] for s in b["sensors"]] + [0]) * robot.me["speed_mps"] * b["step_s"]
                     / self.truth.cell_m ** 2)
            done = not robot.alive or now[robot.number]["said"]["done"]
            if robot.saw_news and not done and swept > 0:
                sensed = min(1, max(0, news) / finders / swept)
            self.spent["sensing"] += sensed
            self.spent["together" if spent == "onward" and goal is not None and shared(goal) else
                       "back" if spent == "onward" and ground["again"] else spent] += 1 - sensed

    def cover(self, step):
        learned, new_at_base = False, 0
        dirty = set()
        for robot in self.robots:
            dirty |= set(robot.cells) if robot.died else robot.changed
        for t in dirty & self.truth.sensable.keys():
            mask = self.truth.sensable[t]
            team = base = 0
            for robot in self.robots:
                tile = robot.cells.get(t)
                if not robot.alive or not tile:
                    continue
                old, cells = self.known[robot.number].get(t, (None, 0))
                if old is not tile:
                    fresh = tile[0] & ~tile[1] & mask
                    self.cells[robot.number] += count(fresh) - count(cells)
                    self.known[robot.number][t] = tile, fresh
                    cells = fresh
                team |= cells
                if robot.me["role"] == "base":
                    base |= cells
            firsts = self.first.setdefault(t, [])  # step, cells seen for the first time
            unseen = team
            for _, cells in firsts:
                unseen &= ~cells
            if unseen:
                firsts.append((step, unseen))
            delivered = base & ~self.base.get(t, 0)
            if delivered:
                new_at_base += count(delivered)
                delivered &= ~self.arrived.get(t, 0)  # a base may forget cells and learn of them again
                self.arrived[t] = self.arrived.get(t, 0) | delivered
                for since, cells in firsts:
                    if n := count(cells & delivered):
                        self.latencies[step - since] += n
            learned = learned or bool(team & ~self.team.get(t, 0))
            self.team_cells += count(team) - count(self.team.get(t, 0))
            self.base_cells += count(base) - count(self.base.get(t, 0))
            self.team[t], self.base[t] = team, base
        for robot in self.robots:
            if robot.alive:
                for claims in robot.footprints:
                    self.sense(robot.number, claims)
        if new_at_base:
            self.last_update = step
        if learned:
            self.last_news = step
        self.since_update.add(step - self.last_update)
        self.rows.append((share(self.team_cells, self.whole), share(self.base_cells, self.whole)))

    def sense(self, number, claims):
        for t, known in claims.items():
            cells = known & self.truth.sensable.get(t, 0)
            for plane in (self.sensed[number], self.any_sensed):
                if cells & ~plane.get(t, 0):
                    plane[t] = plane.get(t, 0) | cells

    def ages(self, step):
        def age(at, of):
            records = [known[of.number] for known in (at.records, at.far) if of.number in known]
            return step - max(records)[1] if records else step + 1
        for robot in self.mobile:
            if robot.alive and self.bases:
                self.at_robots.add(min([step + 1] + [age(robot, base) for base in self.bases]))
                self.at_base.add(min([step + 1] + [age(base, robot) for base in self.bases]))

    def accuracy(self):
        free, occupied = {}, {}
        for robot in self.robots:
            for t, (known, walls, _) in robot.cells.items():
                free[t] = free.get(t, 0) | known & ~walls
                occupied[t] = occupied.get(t, 0) | walls
        sums = Counter()
        for t, cells in free.items():
            only = occupied[t] & ~cells
            sums["free"] += count(cells)
            sums["occupied"] += count(only)
            wrong = only & self.truth.sensable.get(t, 0)
            sums["falsely_occupied"] += count(wrong)
            if self.truth.changed:
                sums["falsely_occupied"] -= self.walls_in(t, wrong)
            sums["falsely_free"] += self.walls_in(t, cells if self.truth.changed
                                                  else cells & ~self.truth.sensable.get(t, 0))
        return sums

    def rough(self, a, b):
        """Metres of a line over slow ground, on which robots make 75 % of their speed or less."""
        cell_m, length = self.truth.cell_m, 0.0
        ends = [[v / cell_m for v in point[:2]] for point in (a, b)]
        parts = list(segment(*ends)) + [(None, math.dist(*ends))]
        for (cell, t), (_, until) in zip(parts, parts[1:]):
            x, y = self.truth.on_map(cell)
            inside = 0 <= x < self.truth.width and 0 <= y < self.truth.height
            length += (until - t) * cell_m if inside and self.ground[y * self.truth.width + x] <= 75 else 0
        return length

    def prior_right(self, plan):
        known, shown, right = {}, 0, 0
        for robot in self.robots:
            for t, (cells, _, _) in robot.cells.items():
                known[t] = known.get(t, 0) | cells
        for t, cells in known.items():
            while cells:
                i = (cells & -cells).bit_length() - 1
                cells &= cells - 1
                x, y = self.truth.on_map((t[0] * SIZE + i % SIZE, t[1] * SIZE + i // SIZE))
                said = plan[y * self.truth.width + x] if 0 <= x < self.truth.width and 0 <= y < self.truth.height else 0
                shown += said != 0
                right += said != 0 and (said == 2) == self.truth.wall((x, y))
        return share(right, shown)

    def walls_in(self, t, cells):
        walls = 0
        while cells:
            i = (cells & -cells).bit_length() - 1
            cells &= cells - 1
            walls += self.truth.wall(self.truth.on_map((t[0] * SIZE + i % SIZE, t[1] * SIZE + i // SIZE)))
        return walls

    def awareness(self, low, high):
        base = team = last_team = last_base = 0.0
        for now_team, now_base in self.rows:
            a, b = min(max(last_team, low), high), min(max(now_team, low), high)
            if b > a:
                def base_at(t):
                    return last_base + (now_base - last_base) * (t - last_team) / (now_team - last_team)
                base += (b - a) * (base_at(a) + base_at(b)) / 2
                team += (b - a) * (a + b) / 2
            last_team, last_base = now_team, now_base
        return base / team if team > 0 else None

    def summary(self):
        """By (name, robot): values; robot -1 is the team, None means never or undefined."""
        out, steps, area = {}, len(self.rows), self.truth.cell_m ** 2
        limit = self.scenario["run"]["steps"]
        last = self.rows[-1] if self.rows else (0, 0)

        def put(name, value, robot=-1):
            out[name, robot] = value

        put("steps", steps)
        for level in (50, 90, 95, 99):
            for k, name in enumerate(("team", "base")):
                put("t%d_%s" % (level, name), next((i for i, r in enumerate(self.rows) if r[k] >= level / 100), None))
        for k, name in enumerate(("team", "base")):
            put("final_" + name, last[k])
            total = sum(r[k] for r in self.rows) + max(0, limit - steps) * last[k]
            put("auc_" + name, total / max(limit, steps) if steps else 0)
        put("area_left_m2", (self.whole - self.team_cells) * area)
        put("base_awareness", self.awareness(0.20, 0.75))
        if self.failures.possible:
            once = sum(count(cells) for firsts in self.first.values() for _, cells in firsts)
            put("failures", self.failures.began)
            put("failed_steps", self.failures.steps)
            put("lost_knowledge_m2", (once - self.team_cells) * area)
            put("recovery_steps", self.recovery())

        if self.power.possible:
            put("energy_wh", self.power.used / 3600)
            put("stranded", len(self.power.stranded))
            put("charging_trips", self.power.trips)

        ages = sorted(self.latencies.elements())
        put("latency_mean", sum(ages) / len(ages) if ages else None)
        for name, p in (("max", 1), ("p50", 0.5), ("p90", 0.9)):
            put("latency_" + name, ages[int(p * (len(ages) - 1))] if ages else None)
        for name, mean in (("base_update_gap", self.since_update), ("information_age", self.at_base),
                           ("responsiveness", self.at_robots)):
            put(name + "_mean", mean.mean())
            put(name + "_max", mean.max)

        ways = [self.ways[r.number] for r in self.mobile]
        total, squares = sum(ways), sum(w * w for w in ways)
        mean = share(total, len(ways))
        put("distance_m", total)
        put("distance_max_m", max(ways + [0]))
        for level in (90, 95, 99):
            reached = next((i for i, r in enumerate(self.rows) if r[0] >= level / 100), None)
            put("way%d_team_m" % level, None if reached is None else self.longest[reached])
        put("distance_std_m", math.sqrt(share(sum((w - mean) ** 2 for w in ways), len(ways))))
        put("balance", total * total / (len(ways) * squares) if squares > 0 else 1)
        sensed = [sum(map(count, plane.values())) for plane in self.sensed]
        for robot in self.robots:
            put("distance_m", self.ways[robot.number], robot.number)
            put("known_share", share(self.cells[robot.number], self.whole), robot.number)
            put("sensed_share", share(sensed[robot.number], self.whole), robot.number)
        by_any = sum(map(count, self.any_sensed.values()))
        put("overlap", share(sum(sensed) - by_any, self.whole))
        put("redundant_sensing", share(sum(sensed) - by_any, by_any))
        put("efficiency", self.team_cells * area / total if total > 0 else 0)

        accuracy = self.accuracy()
        put("map_complete", last[0])
        put("falsely_free", share(accuracy["falsely_free"], accuracy["free"]))
        put("falsely_occupied", share(accuracy["falsely_occupied"], accuracy["occupied"]))
        if self.changing:
            put("walls_changed", self.truth.changed)
            put("known_ever_share", share(sum(count(c) for firsts in self.first.values() for _, c in firsts), self.whole))
            put("stale_share", share(accuracy["falsely_free"] + accuracy["falsely_occupied"],
                                     accuracy["free"] + accuracy["occupied"]))
            put("notice_steps", self.noticed.mean() if self.noticed.count else None)
        if self.region:
            put("region_m2", self.whole * area)
        if self.plan is not None:
            put("prior_right_share", self.prior_right(self.plan))
        if self.bytes_far is not None:
            put("bytes_far", self.bytes_far)
        if self.crowded:
            put("held_up_steps", self.held_up)
        if self.orders.given or self.orders.marks:
            obeyed = self.orders.obeyed
            put("orders_given", self.orders.given)
            put("orders_obeyed", obeyed)
            put("order_latency_mean", self.orders.latency / obeyed if obeyed else None)
            put("operated_share", share(self.orders.operated, self.robot_steps))
            put("marks_set", self.orders.marks)
            put("order_wait_steps", self.orders.waited)
        if self.ground is not None:
            put("rough_m", self.rough_m)
            put("driving_mps", share(sum(self.ways), self.driving * self.power.step_s))
        put("messages", self.messages)
        put("messages_lost", self.lost)
        put("bytes", self.bytes)
        put("merges", sum(r.merges for r in self.robots))
        put("connected_share", share(self.connected, self.robot_steps))
        put("components_mean", share(self.components, steps))
        for name in ("stood", "same_target", "fruitless"):
            put(name + "_steps", getattr(self, name))
        for name in ("sensing", "still", "homeward", "together", "back", "onward"):
            put("spent_" + name, share(self.spent[name], len(self.mobile)))
        for kind, name in (("met", "meetings_kept"), ("missed", "meetings_missed"), ("waited", "meeting_wait_steps"),
                           ("swapped", "role_swaps"), ("doubted", "role_doubt_steps")):
            events = self.log.db.execute("SELECT json FROM event WHERE kind = ?", (kind,))
            put(name, sum(json.loads(text).get("steps", 1) for (text,) in events))
        self.put_positions(put, steps)
        put("deaths", sum(not r.alive for r in self.mobile))
        if self.poses:
            self.put_poses(put)
        home = self.log.meta.get("end_reason") == "all_home"
        put("return_steps", steps - 1 - self.last_news if home else None)
        return out


    def put_positions(self, put, steps):
        """Positions that robots hold, as events tell: in a robot's step, before its death counts."""
        rows = self.log.db.execute("SELECT step, kind, robot, json FROM event WHERE kind IN ('positioned', 'died')"
                                   " ORDER BY step").fetchall()
        first = next((step for step, kind, _, _ in rows if kind == "positioned"), None)
        if first is None:
            return
        held, changes, doubled, at = {}, 0, 0, 0
        for step in range(first, steps):
            while at < len(rows) and rows[at][0] <= step:
                _, kind, robot, text = rows[at]
                at += 1
                if kind == "died":
                    held.pop(robot, None)
                    continue
                changes += robot in held
                held[robot] = json.loads(text).get("steps", 0)
            now = [position for position in held.values() if position > 0]
            doubled += len(set(now)) < len(now)
        put("position_changes", share(changes, self.robot_steps * self.mobile[0].briefing["step_s"] / 60))
        put("two_holders_share", share(doubled, steps - first))

    def put_poses(self, put):
        errors, of_team = self.poses.values([r.number for r in self.mobile])
        for robot in self.robots:
            put("pose_error_m", 0, robot.number)
        for robot, error in zip(self.mobile, errors):
            put("pose_error_m", error, robot.number)
        for name, value in of_team.items():
            put(name, value)
        off = []
        for robot in self.robots:
            walls = wrong = 0
            for t, (_, bits, _) in robot.cells.items():
                walls += count(bits)
                while bits:
                    i = (bits & -bits).bit_length() - 1
                    bits &= bits - 1
                    cell = t[0] * SIZE + i % SIZE, t[1] * SIZE + i // SIZE
                    wrong += not self.truth.near_wall(self.truth.on_map(cell), OFF_CELLS)
            off.append(share(wrong, walls))
            put("walls_off", off[-1], robot.number)
        put("walls_off", max(off))
        put("broken_maps", sum(o > BROKEN_SHARE for o in off))


# What is counted is equal or wrong; the rest is equal up to the order of its sums.
EXACT = {"steps", "latency_max", "latency_p50", "latency_p90", "base_update_gap_max", "information_age_max",
         "responsiveness_max", "messages", "messages_lost", "bytes", "merges", "meetings_kept", "meetings_missed",
         "meeting_wait_steps", "role_swaps", "role_doubt_steps", "deaths", "return_steps",
         "stood_steps", "same_target_steps", "fruitless_steps", "lost_robots", "broken_maps"} | {
             "t%d_%s" % (level, who) for level in (50, 90, 95, 99) for who in ("team", "base")}


def differences(log, score):
    """Texts, one for each value that differs or is missing on one side."""
    stored = {(name, robot): value for name, robot, value in log.db.execute("SELECT name, robot, value FROM summary")}
    computed = score.summary()
    stored = {key: value for key, value in stored.items() if key[0] not in LEFT_OUT}
    out = list(score.complaints)
    for key in sorted(stored.keys() | computed.keys()):
        if key not in stored or key not in computed:
            out.append("%s (robot %d) is %s" % (*key, "not in the log" if key not in stored else "not recomputed"))
            continue
        a, b = stored[key], computed[key]
        if a is None or b is None:
            same = a is None and b is None
        elif key[0] in EXACT:
            same = a == b
        else:
            same = abs(a - b) <= 1e-12 * max(1, abs(a), abs(b))
        if not same:
            out.append("%s (robot %d): the log says %r, recomputed %r" % (*key, a, b))
    return out, len(stored)


def check(log, compare):
    if "open_loop" in log.meta:
        raise LogError("the log of an open loop: its decisions led nowhere, there is nothing to score")
    if "live" in log.meta:
        raise LogError("a log of robots that are not simulated: each has a frame of its own, and nobody knows the walls")
    if compare and log.meta.get("level") == "full" and not log.db.execute("SELECT 1 FROM summary").fetchone():
        raise LogError("the run was cut off, or still goes on: there is no summary to compare with; --values prints what "
                       "its steps come to")


def fail(text):
    print(text, file=sys.stderr)
    sys.exit(2)


def main():
    arguments = [a for a in sys.argv[1:] if not a.startswith("-")]
    options = [a for a in sys.argv[1:] if a.startswith("-")]
    if len(arguments) != 1 or any(o != "--values" for o in options):
        fail("usage: score.py LOG [--values]")
    try:
        log = Log(arguments[0])
        check(log, compare=not options)
        score = Score(log)
        wrong, values = ([], 0) if options else differences(log, score)
    except (LogError, sqlite3.Error) as error:
        fail("score.py: %s: %s" % (arguments[0], error))
    except (ArithmeticError, LookupError, TypeError, ValueError, struct.error) as error:  # what is missing, or nonsense
        fail("score.py: %s: damaged: %s: %s" % (arguments[0], type(error).__name__, error))
    if options:
        print("name,robot,value")
        for (name, robot), value in score.summary().items():
            print("%s,%d,%s" % (name, robot, "" if value is None else repr(value)))
        return
    for text in wrong:
        print(text)
    print("%d values recomputed over %d steps of %d robots: %s" %
          (values, len(score.rows), len(score.robots), "%d differ" % len(wrong) if wrong else "all equal"))
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
