#!/usr/bin/env python3
"""Reads the log of a run (docs/log.md) with Python's standard library.

    from outrider_log import Log
    log = Log("logs/office_nearest_s1.sqlite")
    log.meta["end_reason"], log.robots[1]["name"], log.summary["t90_base"]
    for row in log.steps(): ...            # dicts: step, team_cells, base_cells, ..., distance_m
    for row in log.poses(): ...            # dicts: step, robot, x_m, y_m, yaw_rad; from the lower left corner of the map
    for step, robots in log.recorded(): ...  # of a full log: what each robot perceived, said and decided
    pandas.DataFrame(log.steps())          # if you have it

Positions that robots know, in recorded(), are in the team's frame: cell (0, 0) is the one in which the first base stands.

As a program it prints a table as CSV: outrider_log.py LOG steps|poses|events|summary|robots|meta
"""
import csv
import math
import signal
import sqlite3
import struct
import sys
import zlib

APPLICATION_ID, VERSION = 0x4F555452, 7
COLUMNS = ["team_cells", "base_cells", "robot_cells", "messages", "lost", "bytes", "components", "connected", "alive"]


NOTHING, NO_INFORMATION = 0xFFFF, 0  # as ranges: free up to the maximal range; drop-out
ROLES, SHARES = ("base", "explorer", "relay"), ("all", "summary", "none")
KINDS = ("points", "line", "cells", "text")
MEANINGS = ("other", "goal", "candidate", "meeting", "meeting_through_wall", "meeting_candidate",
            "meeting_candidate_through_wall", "path", "region", "tree", "network", "rule", "state")


class LogError(Exception):
    """Says what is wrong with the log, without its name."""


def sin_cos(angle):
    """Sine and cosine as Outrider computes them, to the last bit: Cody-Waite reduction, Taylor series."""
    n = math.floor(angle * (2 / math.pi) + 0.5)
    r = ((angle - n * 1.57079632673412561417e+00) - n * 6.07710050630396597660e-11) - n * 2.02226624879595063154e-21
    q = r * r
    s = 1.0 / 355687428096000
    for c in (-1.0 / 1307674368000, 1.0 / 6227020800, -1.0 / 39916800, 1.0 / 362880, -1.0 / 5040, 1.0 / 120, -1.0 / 6):
        s = s * q + c
    sine = r + r * (q * s)
    s = 1.0 / 20922789888000
    for c in (-1.0 / 87178291200, 1.0 / 479001600, -1.0 / 3628800, 1.0 / 40320, -1.0 / 720, 1.0 / 24):
        s = s * q + c
    half = 0.5 * q
    one = 1 - half
    cosine = one + (((1 - one) - half) + q * q * s)
    return ((sine, cosine), (cosine, -sine), (-sine, -cosine), (-cosine, sine))[n & 3]


def wrap_angle(angle):
    """The same angle in (-pi, pi]."""
    a = angle - math.ceil((angle - math.pi) / (2 * math.pi)) * (2 * math.pi)
    return math.pi if a <= -math.pi or a > math.pi else a


def transform(pose, point):
    s, c = sin_cos(pose[2])
    return pose[0] + (c * point[0] - s * point[1]), pose[1] + (s * point[0] + c * point[1])


def compose(a, b):
    """a_from_c out of a_from_b and b_from_c; poses are (x, y, yaw)."""
    x, y = transform(a, b)
    return x, y, wrap_angle(a[2] + b[2])


def inverse(pose):
    s, c = sin_cos(pose[2])
    return -(c * pose[0] + s * pose[1]), s * pose[0] - c * pose[1], wrap_angle(-pose[2])


def into_body(pose, point):
    s, c = sin_cos(pose[2])
    dx, dy = point[0] - pose[0], point[1] - pose[1]
    return c * dx + s * dy, c * dy - s * dx


def cell_of(point, cell_m):
    return math.floor(point[0] / cell_m), math.floor(point[1] / cell_m)


def centre(cell, cell_m):
    return (cell[0] + 0.5) * cell_m, (cell[1] + 0.5) * cell_m


class _Bytes:
    """Numbers out of bytes: zigzag varints, doubles, names."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def integer(self):
        value = shift = 0
        while True:
            byte = self.data[self.at]
            self.at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value >> 1 ^ -(value & 1)

    def number(self):
        self.at += 8
        return struct.unpack_from("<d", self.data, self.at - 8)[0]

    def text(self):
        return self.raw().decode()

    def raw(self):
        size = self.integer()
        self.at += size
        return self.data[self.at - size:self.at]

    def at_end(self):
        return self.at >= len(self.data)

    def byte(self):
        self.at += 1
        return self.data[self.at - 1]


class _Waist:
    """What a chunk of the table waist holds, step by step (docs/log.md)."""

    def __init__(self, sections, briefings, poses, open_loop, localised, lost, past_moves, far, ground, steps, live):
        self.open_loop, self.localised, self.lost, self.past_moves = open_loop, localised, lost, past_moves
        self.far, self.ground, self.finds_steps, self.live = far, ground, steps, live
        self.bits = sections["bits"]
        self.integers, self.ranges, self.jumps, self.numbers, self.text_bytes = (
            _Bytes(sections[name]) for name in ("integers", "ranges", "jumps", "numbers", "texts"))
        self.at_bit, self.texts = 0, []
        self.briefings, self.cell_m = briefings, briefings[0]["cell_m"]
        self.curves = [[2 * sin_cos(s["step_angle"])[1] for s in b["sensors"]] for b in briefings]
        self.reckoned = list(poses)
        nothing = {"alive": True, "motion": (0.0, 0.0, 0.0), "covariance": (0.0,) * 9, "bumped": False, "battery": 1.0,
                   "pitch": 0.0, "roll": 0.0, "sightings": [], "rough": [], "steps": [], "heard_far": [], "commands": [], "scans": [], "links": [], "heard": [], "frames": [],
                   "localised": None, "path": [], "final_heading": None, "speed_mps": 0.0, "valid_s": 1.0, "said": None, "said_then": None, "overlays": []}
        self.nothing, self.last = nothing, [nothing] * len(briefings)

    def when(self):
        bit = self.bits[self.at_bit >> 3] >> (self.at_bit & 7) & 1
        self.at_bit += 1
        return bit

    def many(self):
        return range(self.integers.integer())

    def text(self):
        return self.raw().decode()

    def raw(self):
        index = self.integers.integer()
        if index == len(self.texts):
            self.texts.append(self.text_bytes.raw())
        return self.texts[index]

    def three(self):
        return self.numbers.number(), self.numbers.number(), self.numbers.number()

    def pair(self):
        return self.numbers.number(), self.numbers.number()

    def cell(self, near):
        near[0] += self.integers.integer()
        near[1] += self.integers.integer()
        return centre(near, self.cell_m)

    def point(self, near):
        return self.cell(near) if self.when() else self.pair()

    def scan(self, count, curve):
        """Ranges: along a straight wall 1/r runs like a sine, so two beams foretell the next."""
        out, last, before = [], 0, 0

        def add(z):
            nonlocal last, before
            guess = last
            if last and before:
                below = curve * before - last
                if below > 0:
                    value = float(last) * before / below
                    guess = int(value + 0.5) if value < 65535 else last
            before, last = last, guess + (-(z + 1) // 2 if z & 1 else z // 2)
            out.append(last)

        while len(out) < count:
            symbol = self.ranges.byte()
            if symbol < 27:
                add(symbol // 9)
                add(symbol // 3 % 3)
                add(symbol % 3)
            elif symbol in (248, 249):
                out.append(NOTHING if symbol == 248 else NO_INFORMATION)
                last = before = 0
            elif symbol == 250:
                last, before = self.jumps.byte() | self.jumps.byte() << 8, 0
                out.append(last)
            else:
                add(symbol - 27)
        return out

    def step(self):
        """A list of dicts, one per robot; the next step of the chunk."""
        now = []
        for robot in range(len(self.last)):
            now.append(self._robot(robot, now))
        self.last = now
        return now

    def _robot(self, robot, others):
        if not self.when():
            return {**self.nothing, "alive": False}
        last = self.last[robot]
        now = dict(last, alive=True)
        now["motion"] = self.three() if self.when() else (0.0, 0.0, 0.0)
        if self.when():
            now["covariance"] = tuple(self.numbers.number() for _ in range(9))
        now["bumped"] = bool(self.when())
        if self.when():
            self._rare(now)
        if not self.when():
            now["scans"] = [self._scan(robot) for _ in self.many()]
        self._links(robot, now, others)
        self._heard(now)
        if self.live:
            now["frames"] = [self.raw() for _ in self.many()]
        now["localised"] = self._localised(len(now["scans"])) if self.localised and self.when() else None
        pose = now["localised"]["pose"] if now["localised"] else compose(self.reckoned[robot], now["motion"])
        self.reckoned[robot] = pose
        now["reckoned"] = pose
        here = cell_of(pose, self.cell_m)
        if self.far:
            now["heard_far"] = [self._news(near) for near in [list(here)] for _ in self.many()]
        if self.ground:
            near = list(here)
            now["rough"] = [into_body(pose, self.cell(near)) if self.when() else self.pair() for _ in self.many()]
        if self.finds_steps:
            near = list(here)
            now["steps"] = [into_body(pose, self.cell(near)) if self.when() else self.pair() for _ in self.many()]
        near = list(here)
        now["path"] = [into_body(pose, self.cell(near)) if self.when() else self.pair() for _ in self.many()]
        now["final_heading"] = self.numbers.number() if self.when() else None
        if self.when():
            now["speed_mps"], now["valid_s"] = self.pair()
        for speech in ("said", "said_then")[:2 if self.open_loop else 1]:
            now[speech] = self._said(last[speech], list(here)) if self.when() else None
        if not self.when():
            now["overlays"] = [self._overlay(near) for near in [list(here)] for _ in self.many()]
        return now

    def _rare(self, now):
        now["battery"], now["pitch"], now["roll"] = self.three()
        now["sightings"] = [(self.integers.integer(), self.integers.integer(), self.three()) for _ in self.many()]
        now["commands"] = [self._order() for _ in self.many()]

    def _order(self):
        """What an operator ordered; `to`: the robot to which a base station passes it on, or None."""
        name, _, to = self.text().partition("\n")
        forward, turn = self.pair()
        return {"behaviour": name, "to": int(to) if to else None, "forward": forward, "turn": turn,
                "way_points": [self.pair() for _ in self.many()]}

    def _localised(self, scans):
        pose = self.three()
        xx, xy, xw, yy, yw, ww = self.three() + self.three()
        return {"pose": pose, "covariance": (xx, xy, xw, xy, yy, yw, xw, yw, ww),
                "scans": [self.three() if self.when() else None for _ in range(scans)],
                "lost": bool(self.when()) if self.lost else None,
                "moved": [self.three() for _ in self.many()] if self.past_moves else []}

    def _scan(self, robot):
        sensor = self.integers.integer()
        age_s, now_from_then = 0.0, (0.0, 0.0, 0.0)
        if self.when():
            age_s, now_from_then = self.numbers.number(), self.three()
        count = self.integers.integer()
        return {"sensor": sensor, "age_s": age_s, "now_from_then": now_from_then,
                "ranges": self.scan(count, self.curves[robot][sensor])}

    def _links(self, robot, now, others):
        if self.when():
            robots = [other for other, _ in now["links"]]
        else:
            robots = [self.integers.integer() for _ in self.many()]
        now["links"] = []
        for other in robots:
            if self.when():
                signal = dict(others[other]["links"])[robot]
            else:
                signal = self.numbers.number()
            now["links"].append((other, signal))

    def _heard(self, now):
        if self.when():
            senders = [h["from"] for h in now["heard"]]
        else:
            senders = [self.integers.integer() for _ in self.many()]
        now["heard"] = []
        for sender in senders:
            heard = {"from": sender, "bytes": self.integers.integer(), "tiles": None}  # None: all that it lacked
            if self.when():
                heard["tiles"] = [(self.integers.integer(), self.integers.integer()) for _ in self.many()]
            now["heard"].append(heard)

    def _said(self, last, near):
        said = dict(last or {"role": "explorer", "share": "all", "summary_tiles": 0, "done": False, "goal": None, "words": []})
        if self.when():
            said["role"] = ROLES[self.integers.integer()]
        if self.when():
            said["share"] = SHARES[self.integers.integer()]
            said["summary_tiles"] = self.integers.integer()
        if self.when():
            said["done"] = bool(self.integers.integer())
        if self.when():
            said["goal"] = self.point(near) if self.when() else None
        if self.when():
            said["words"] = self._words()
        return said

    def _news(self, near):
        """What came over the second channel of a robot."""
        news = dict(zip(("robot", "seq", "step"), (self.integers.integer() for _ in range(3))))
        news["pose"], news["role"], news["done"] = self.three(), ROLES[self.integers.integer()], bool(self.when())
        news["goal"] = self.point(near) if self.when() else None
        news["words"] = self._words()
        return news

    def _words(self):
        return [{"topic": self.integers.integer(), "to": self.integers.integer(),
                 "values": [self.integers.integer() for _ in self.many()]} for _ in self.many()]

    def _overlay(self, near):
        meaning, kind = divmod(self.integers.integer(), 4)
        layer, text = self.text(), self.text()
        points = [self.point(near) for _ in self.many()]
        return {"kind": KINDS[kind], "layer": layer, "text": text, "points": points,
                "meaning": MEANINGS[meaning - 1] if meaning else None,  # None: what the layer's name says
                "values": [self.numbers.number() for _ in self.many()]}


def _keyframe_poses(data, robots):
    """Where the robots thought to be before the first step of a chunk, and what they had said (role and all) last."""
    data = _Bytes(data)
    for _ in range(data.integer()):  # records
        fields = [data.integer() for _ in range(8)]
        for _ in range(5 if fields[7] else 3):
            data.number()
        for _ in range(data.integer()):
            data.integer(), data.integer()
            for _ in range(data.integer()):
                data.integer()
    poses = []
    for _ in range(robots):
        for _ in range(4):  # share, summary_tiles, step, last_discovery
            data.integer()
        poses.append((data.number(), data.number(), data.number()))
        for _ in range(robots + 3):  # records, frame, generation
            data.integer()
        for _ in range(5):  # planes
            for _ in range(data.integer()):
                data.integer(), data.integer(), data.integer()
    return poses


class Log:
    def __init__(self, path):
        try:
            self.db = sqlite3.connect("file:%s?mode=ro" % path.replace("?", "%3f").replace("#", "%23"), uri=True)
            if self.db.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
                raise LogError("not a log of outrider")
        except sqlite3.Error as error:
            raise LogError("not a log of outrider (%s)" % error) from None
        version = self.db.execute("PRAGMA user_version").fetchone()[0]
        self.version = version
        if version > VERSION:
            raise LogError("written by a newer outrider (log version %d)" % version)
        self.meta = dict(self.db.execute("SELECT key, value FROM meta "
                                         "WHERE key NOT IN ('map', 'briefings', 'script', 'plan', 'ground', 'glass', 'height')"))
        self.robots = [dict(zip(("id", "name", "role", "parent", "child"), row))
                       for row in self.db.execute("SELECT id, name, role, parent, child FROM robot ORDER BY id")]
        self.summary = dict(self.db.execute("SELECT name, value FROM summary WHERE robot = -1"))
        self.damaged = []  # (first, last) of chunks that could not be read; filled while reading

    def events(self):
        names = ("step", "kind", "robot", "json")
        for row in self.db.execute("SELECT step, kind, robot, json FROM event ORDER BY step, kind, robot, json"):
            yield dict(zip(names, row))

    def map_rows(self):
        """The walls, row 0 the lowest: lists of 0 (free) and 1 (wall)."""
        bits = self._unpacked("map")
        width, height = self.meta["map_width"], self.meta["map_height"]
        if len(bits) * 8 < width * height:
            raise LogError("the map in it cannot be read (%d bytes for %d x %d cells)" % (len(bits), width, height))
        return [[bits[i >> 3] >> (i & 7) & 1 for i in range(y * width, (y + 1) * width)] for y in range(height)]

    def layer(self, key):
        """A byte per cell of the map, the lowest row first; None: there is none. "plan", what robots were told: 0 nothing,
        1 free, 2 wall. "ground": per cent of the speed on level floor."""
        if not self.layer_is_there(key):
            return None
        cells = self._unpacked(key)
        if len(cells) != self.meta["map_width"] * self.meta["map_height"]:
            raise LogError("the %s in it cannot be read" % key)
        return cells

    def steps(self):
        for first, sections in self._chunks():
            for i, row in enumerate(sections.get("metrics", [])):
                yield {"step": first + i, **row}

    def poses(self):
        cell = self.meta["map_cell_m"]
        x0, y0 = self.meta["team_origin_x"] * cell, self.meta["team_origin_y"] * cell
        for first, sections in self._chunks():
            for i, row in enumerate(sections.get("poses", [])):
                for robot, (x, y, yaw) in enumerate(row):
                    yield {"step": first + i, "robot": robot, "x_m": x + x0, "y_m": y + y0, "yaw_rad": yaw}

    def ways(self):
        """Of a full log: (step, per robot the corners of its way, without start and end), in the team's frame."""
        for first, sections in self._chunks():
            for i, row in enumerate(sections.get("ways", [])):
                yield first + i, row

    def true_poses(self):
        """(step, per robot (x, y, yaw)), in the team's frame."""
        for first, sections in self._chunks():
            for i, row in enumerate(sections.get("poses", [])):
                yield first + i, row

    def briefings(self):
        """Of a full log: what each robot knew beforehand."""
        self._check_full()
        data = _Bytes(self._unpacked("briefings"))
        team, out = [], []

        def pose():
            return data.number(), data.number(), data.number()

        count = data.integer()
        for _ in range(count):
            name = data.text()
            role, parent, child, mobile = (data.integer() for _ in range(4))
            team.append({"name": name, "role": ROLES[role], "parent": parent, "child": child, "mobile": bool(mobile),
                         "speed_mps": data.number(), "radio_range_m": data.number()})
        for robot in range(count):
            b = {"self": robot, "team": team, "radius_m": data.number(), "kinematics": data.integer(),
                 "turn_radps": data.number(), "sensors": []}
            for _ in range(data.integer()):
                b["sensors"].append({"mount": pose(), "first_angle": data.number(), "step_angle": data.number(),
                                     "beams": data.integer(), "range_unit_m": data.number(), "max_range_m": data.number()})
            b["radio"] = [data.integer(), data.integer()] + [data.number() for _ in range(4)] + [data.integer()]
            b["link_bytes"], b["cells_change"], b["deliveries"] = data.integer(), bool(data.integer()), bool(data.integer())
            b["cell_m"], b["step_s"] = data.number(), data.number()
            b["mission_steps"], b["frame"] = data.integer(), (data.integer(), data.integer())
            b["start"] = pose()
            b["bases"] = [(data.integer(), pose()) for _ in range(data.integer())]
            b["region"] = [(data.number(), data.number()) for _ in range(data.integer())]
            out.append(b)
        return out

    def recorded(self):
        """Of a full log: (step, a dict per robot): alive, motion, scans, links, heard, localised, path, said, overlays, ..."""
        briefings = self.briefings()
        layout = ("open_loop" in self.meta, self.option("slam", "method") not in (None, "known"), self.version >= 5,
                  self.keeps_submaps(), float(self.option("radio2", "range_m") or 0) > 0,
                  self.layer("ground") is not None or self.option("hazard", "kind") is not None, self.finds_steps(), "live" in self.meta)
        self.damaged = []
        reckoned = [b["start"] for b in briefings]
        for first, last, crc, blob in self.db.execute("SELECT first, last, crc, blob FROM waist ORDER BY first"):
            try:
                if zlib.crc32(blob) != crc:
                    raise LogError("checksum")
                data, sections = _Bytes(blob), {}
                while not data.at_end():
                    name, packed, size = data.text(), data.integer(), data.integer()
                    data.at += size
                    part = blob[data.at - size:data.at]
                    sections[name] = zlib.decompress(part) if packed else part
                keyframe = sections["keyframe"]
                poses = _keyframe_poses(keyframe, len(briefings)) if keyframe else reckoned
                chunk = _Waist(sections, briefings, poses, *layout)
                steps = [chunk.step() for _ in range(first, last + 1)]
                reckoned = chunk.reckoned
            except (LogError, zlib.error, IndexError, KeyError, struct.error):
                self.damaged.append((first, last))
                continue
            yield from enumerate(steps, first)

    def keeps_submaps(self):
        """Whether robots keep apart what each of them drew: their past may move, or they have frames of their own."""
        return self.option("slam", "method") == "manifold" or self.option("start", "frame") == "unknown"

    def option(self, section, key):
        """Of the scenario, as text; None: it has none of this name."""
        here = ""
        for line in self.meta.get("scenario", "").splitlines():
            if line.startswith("["):
                here = line.strip("[] ")
            elif " = " in line and here == section and line.partition(" = ")[0].strip() == key:
                return line.partition(" = ")[2].strip().strip("'\"")
        return None

    def finds_steps(self):
        """Whether a robot sweeps the floor for steps: where it is not level, and a sensor has sweep_m."""
        sensors, here = [], {}
        for line in self.meta.get("scenario", "").splitlines():
            if line.startswith("["):
                here = {}
                if line.strip("[] ") in ("robot.sensor", "base.sensor"):
                    sensors.append(here)
            elif " = " in line:
                here[line.partition(" = ")[0].strip()] = line.partition(" = ")[2].strip().strip("'\"")
        return self.layer_is_there("height") and any(
            s.get("preset") != "none" and float(s.get("sweep_m", 0)) > 0 for s in sensors)

    def hashes(self):
        for first, sections in self._chunks():
            for i, value in enumerate(sections["hash"]):
                yield first + i, value

    def _check_full(self):
        if self.meta.get("level") != "full":
            raise LogError("its level is %s; only a full log holds what robots perceived" % self.meta.get("level"))

    def layer_is_there(self, key):
        return self.db.execute("SELECT 1 FROM meta WHERE key = ?", (key,)).fetchone() is not None

    def _unpacked(self, key):
        """What meta holds packed."""
        row = self.db.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        if not row:
            raise LogError("there is no %s in it" % key)
        try:
            return zlib.decompress(row[0])
        except (TypeError, zlib.error) as error:
            raise LogError("the %s in it cannot be read (%s)" % (key, error)) from None

    def _chunks(self):
        self.damaged = []
        for first, last, codec, crc, blob in self.db.execute("SELECT first, last, codec, crc, blob FROM chunk ORDER BY first"):
            try:
                if zlib.crc32(blob) != crc:
                    raise LogError("checksum")
                sections = self._sections(zlib.decompress(blob))
            except (LogError, zlib.error, IndexError, struct.error):
                self.damaged.append((first, last))
                continue
            yield first, sections

    def _way(self, data, end):
        near, corners = list(cell_of(end, self.meta["map_cell_m"])), []
        for _ in range(data.integer()):
            if data.integer():
                near[0] += data.integer()
                near[1] += data.integer()
                corners.append(centre(near, self.meta["map_cell_m"]))
            else:
                corners.append((data.number(), data.number()))
        return corners

    def _sections(self, data):
        data, sections = _Bytes(data), {}
        count, team = data.integer(), len(self.robots)
        while not data.at_end():
            name = data.text()
            if name == "hash":
                pairs = [(data.integer() % 2**64, data.integer() % 2**64) for _ in range(count)]
                sections[name] = ["%016x%016x" % pair for pair in pairs]
            elif name == "robot_hash":
                sections[name] = [[data.integer() for _ in range(team)] for _ in range(count)]
            elif name == "metrics":
                rows = [{} for _ in range(count)]
                for column in COLUMNS:
                    value = 0
                    for row in rows:
                        value += data.integer()
                        row[column] = value
                for row in rows:
                    row["distance_m"] = data.number()
                sections[name] = rows
            elif name == "poses":
                sections[name] = [[(data.number(), data.number(), data.number()) for _ in range(team)] for _ in range(count)]
            elif name == "ways":
                sections[name] = [[self._way(data, pose) for pose in row] for row in sections["poses"]]
            else:
                raise LogError("unknown section " + name)
        return sections


def main():
    tables = {"steps": Log.steps, "poses": Log.poses, "events": Log.events,
              "robots": lambda log: log.robots,
              "summary": lambda log: [{"name": k, "value": v} for k, v in sorted(log.summary.items())],
              "meta": lambda log: [{"key": k, "value": v} for k, v in sorted(log.meta.items())]}
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # | head ends it quietly
    if len(sys.argv) != 3 or sys.argv[2] not in tables:
        sys.exit("usage: outrider_log.py LOG %s" % "|".join(tables))
    try:
        log = Log(sys.argv[1])
        out = None
        for row in tables[sys.argv[2]](log):
            if out is None:
                out = csv.DictWriter(sys.stdout, list(row))
                out.writeheader()
            out.writerow({k: "" if isinstance(v, float) and math.isnan(v) else v for k, v in row.items()})
        for first, last in log.damaged:
            print("damaged, left out: steps %d-%d" % (first, last), file=sys.stderr)
    except (LogError, sqlite3.Error) as error:
        sys.exit("outrider_log.py: %s: %s" % (sys.argv[1], error))


if __name__ == "__main__":
    main()
