#!/usr/bin/env python3
"""Reads the log of a run (docs/log.md) with Python's standard library.

    from outrider_log import Log
    log = Log("logs/office_nearest_s1.sqlite")
    log.meta["end_reason"], log.robots[1]["name"], log.summary["t90_base"]
    for row in log.steps(): ...            # dicts: step, team_cells, base_cells, ..., distance_m
    for row in log.poses(): ...            # dicts: step, robot, x_m, y_m, yaw_rad; from the lower left corner of the map
    pandas.DataFrame(log.steps())          # if you have it

As a program it prints a table as CSV: outrider_log.py LOG steps|poses|events|summary|robots|meta
"""
import csv
import math
import signal
import sqlite3
import struct
import sys
import zlib

APPLICATION_ID, VERSION = 0x4F555452, 1
COLUMNS = ["team_cells", "base_cells", "robot_cells", "messages", "lost", "bytes", "components", "connected", "alive"]


class LogError(Exception):
    pass


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
        size = self.integer()
        self.at += size
        return self.data[self.at - size:self.at].decode()

    def at_end(self):
        return self.at >= len(self.data)


class Log:
    def __init__(self, path):
        try:
            self.db = sqlite3.connect("file:%s?mode=ro" % path.replace("?", "%3f").replace("#", "%23"), uri=True)
            if self.db.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
                raise LogError("%s: not a log of outrider" % path)
        except sqlite3.Error as error:
            raise LogError("%s: not a log of outrider (%s)" % (path, error)) from None
        version = self.db.execute("PRAGMA user_version").fetchone()[0]
        if version > VERSION:
            raise LogError("%s: written by a newer outrider (log version %d)" % (path, version))
        self.meta = dict(self.db.execute("SELECT key, value FROM meta WHERE key != 'map'"))
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
        bits = zlib.decompress(self.db.execute("SELECT value FROM meta WHERE key = 'map'").fetchone()[0])
        width, height = self.meta["map_width"], self.meta["map_height"]
        return [[bits[i >> 3] >> (i & 7) & 1 for i in range(y * width, (y + 1) * width)] for y in range(height)]

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

    def hashes(self):
        for first, sections in self._chunks():
            for i, value in enumerate(sections["hash"]):
                yield first + i, value

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
    except LogError as error:
        sys.exit("outrider_log.py: %s" % error)


if __name__ == "__main__":
    main()
