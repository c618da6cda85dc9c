#!/usr/bin/env python3
"""Checks an MCAP file, written from the published layouts alone and without the program's code.

    tools/check_mcap.py FILE.mcap [--export DIR [--cells-off N]]

Container (mcap.dev/spec): magic, checksums, the order of records, indexes, statistics, the summary and its offsets.
Messages: JSON against the schema in the file and against the fields that Foxglove requires; CDR against the definitions
in the file, to the last byte. With --export DIR, the folder of `outrider log export LOG -o DIR`, also the values: true
poses, odometry and scans of each robot, and the last map of each, of which N cells may differ: where robots do not know
each other's frames, maps are turned cell by cell, and a wall may end up beside its place.

Needs the program zstd, or Python's zstandard. Exit code: 0 fine, 1 something is wrong, 2 it cannot be checked.
"""
import argparse
import base64
import csv
import json
import math
import os
import re
import struct
import subprocess
import sys
import zlib

MAGIC = b"\x89MCAP0\r\n"
(HEADER, FOOTER, SCHEMA, CHANNEL, MESSAGE, CHUNK, MESSAGE_INDEX, CHUNK_INDEX, ATTACHMENT, ATTACHMENT_INDEX, STATISTICS,
 METADATA, METADATA_INDEX, SUMMARY_OFFSET, DATA_END) = range(1, 16)


class Wrong(Exception):
    pass


def expect(condition, text):
    if not condition:
        raise Wrong(text)


def unpack_zstd(data, size):
    try:
        import zstandard
        return zstandard.ZstdDecompressor().decompress(data, max_output_size=size)
    except ImportError:
        done = subprocess.run(["zstd", "-dcq"], input=data, capture_output=True)
        expect(done.returncode == 0, "a chunk cannot be unpacked: " + done.stderr.decode(errors="replace"))
        return done.stdout


class Bytes:
    """Reads little-endian values in order."""

    def __init__(self, data, at=0, end=None):
        self.data, self.at, self.end = data, at, len(data) if end is None else end

    def take(self, n):
        expect(self.at + n <= self.end, "a record ends too early")
        self.at += n
        return self.data[self.at - n:self.at]

    def number(self, code):
        return struct.unpack("<" + code, self.take(struct.calcsize("<" + code)))[0]

    def text(self):
        return self.take(self.number("I")).decode("utf-8")

    def texts(self):
        inner, out = Bytes(self.take(self.number("I"))), {}
        while inner.at < inner.end:
            key = inner.text()
            expect(key not in out, "a map has the key %s twice" % key)
            out[key] = inner.text()
        return out

    def pairs(self, first, second):
        inner, out = Bytes(self.take(self.number("I"))), []
        while inner.at < inner.end:
            out.append((inner.number(first), inner.number(second)))
        return out

    def rest(self):
        return self.take(self.end - self.at)

    def done(self, what):
        expect(self.at == self.end, "%s: %d bytes too many" % (what, self.end - self.at))


class Container:
    """All records of a file. messages: (channel, sequence, log time, publish time, data) in the order of the file."""

    def __init__(self, data):
        self.data, self.schemas, self.channels, self.messages = data, {}, {}, []
        self.chunks, self.metadata, self.metadata_records = [], {}, []
        expect(data[:8] == MAGIC, "no magic at the beginning")
        expect(data[-8:] == MAGIC and len(data) >= 16, "no magic at the end: it is cut off")
        self.read_data()
        self.read_summary()

    def records(self, at, end):
        while at < end:
            expect(at + 9 <= end, "a record's head is cut off")
            opcode, length = self.data[at], struct.unpack_from("<Q", self.data, at + 1)[0]
            expect(at + 9 + length <= end, "record %d at %d is longer than what is left" % (opcode, at))
            yield opcode, at, at + 9, at + 9 + length
            at += 9 + length

    def take_schema(self, content):
        number = content.number("H")
        value = (content.text(), content.text(), bytes(content.take(content.number("I"))))
        content.done("a schema")
        expect(number != 0, "a schema has the number 0")
        expect(self.schemas.setdefault(number, value) == value, "schema %d differs from the first of its number" % number)

    def take_channel(self, content):
        number, schema = content.number("H"), content.number("H")
        value = (schema, content.text(), content.text(), content.texts())
        content.done("a channel")
        expect(schema in self.schemas, "channel %d comes before its schema" % number)
        expect(self.channels.setdefault(number, value) == value, "channel %d differs from the first one" % number)

    def read_data(self):
        chunk = None
        for opcode, start, at, end in self.records(8, len(self.data) - 8):
            content = Bytes(self.data, at, end)
            if start == 8:
                expect(opcode == HEADER, "the first record is no header")
                self.profile, self.library = content.text(), content.text()
                content.done("the header")
            elif opcode == CHUNK:
                chunk = self.read_chunk(content, start, end)
            elif opcode == MESSAGE_INDEX:
                expect(chunk is not None, "an index of messages before any chunk")
                channel, entries = content.number("H"), content.pairs("Q", "Q")
                content.done("an index of messages")
                expect(channel not in chunk["indexes"], "channel %d is indexed twice" % channel)
                chunk["indexes"][channel] = (start, entries)
                chunk["index_end"] = end
            elif opcode == METADATA:
                name = content.text()
                self.metadata[name] = content.texts()
                self.metadata_records.append((start, end - start, name))
                chunk = None
            elif opcode == DATA_END:
                crc = content.number("I")
                content.done("the end of data")
                expect(crc != 0, "the data has no checksum")
                expect(crc == zlib.crc32(self.data[:start]), "the checksum of the data is wrong")
                self.summary_start = end
                break
            else:
                raise Wrong("record %d among the data" % opcode)
        else:
            raise Wrong("the data has no end")
        for chunk in self.chunks:
            self.check_indexes(chunk)

    def read_chunk(self, content, start, end):
        first, last, size, crc = content.number("Q"), content.number("Q"), content.number("Q"), content.number("I")
        compression = content.text()
        packed = content.take(content.number("Q"))
        content.done("a chunk")
        expect(compression in ("", "zstd"), "compression " + compression)
        inside = unpack_zstd(bytes(packed), size) if compression else bytes(packed)
        expect(len(inside) == size, "a chunk has %d bytes instead of %d" % (len(inside), size))
        expect(crc != 0 and crc == zlib.crc32(inside), "the checksum of a chunk is wrong")
        chunk = {"start": start, "length": end - start, "first": first, "last": last, "size": size,
                 "packed": len(packed), "compression": compression, "indexes": {}, "index_end": end, "found": {},
                 "bytes": inside}
        self.chunks.append(chunk)
        inner = Bytes(inside)
        times = []
        while inner.at < inner.end:
            offset = inner.at
            opcode, length = inner.number("B"), inner.number("Q")
            part = Bytes(inside, inner.at, inner.at + length)
            inner.take(length)
            if opcode == SCHEMA:
                self.take_schema(part)
            elif opcode == CHANNEL:
                self.take_channel(part)
            elif opcode == MESSAGE:
                channel, sequence, time, published = (part.number(c) for c in "HIQQ")
                expect(channel in self.channels, "a message of an unknown channel %d" % channel)
                self.messages.append((channel, sequence, time, published, part.rest()))
                chunk["found"].setdefault(channel, []).append((time, offset))
                times.append(time)
            else:
                raise Wrong("record %d within a chunk" % opcode)
        expect(times and (min(times), max(times)) == (first, last), "the times of a chunk are wrong")
        return chunk

    def check_indexes(self, chunk):
        found = {channel: entries for channel, (_, entries) in chunk["indexes"].items()}
        expect(found == chunk["found"], "the index of a chunk does not say what is in it")

    def read_summary(self):
        groups, offsets, footer = {}, [], None
        indexes, metadata, schemas, channels, statistics = [], [], set(), set(), None
        for opcode, start, at, end in self.records(self.summary_start, len(self.data) - 8):
            content = Bytes(self.data, at, end)
            if opcode not in (SUMMARY_OFFSET, FOOTER):
                expect(not offsets, "a record of the summary behind its offsets")
                group = groups.setdefault(opcode, [start, start])
                expect(group[1] == start, "records %d of the summary do not stand together" % opcode)
                group[1] = end
            if opcode == SCHEMA:
                schemas.add(Bytes(self.data, at, end).number("H"))
                self.take_schema(content)
            elif opcode == CHANNEL:
                channels.add(Bytes(self.data, at, end).number("H"))
                self.take_channel(content)
            elif opcode == STATISTICS:
                expect(statistics is None, "two records of statistics")
                statistics = [content.number(c) for c in "QHIIIIQQ"] + [dict(content.pairs("H", "Q"))]
                content.done("statistics")
            elif opcode == CHUNK_INDEX:
                index = dict(zip(("first", "last", "start", "length"), (content.number("Q") for _ in range(4))))
                index["offsets"] = dict(content.pairs("H", "Q"))
                index["index_length"], index["compression"] = content.number("Q"), content.text()
                index["packed"], index["size"] = content.number("Q"), content.number("Q")
                content.done("an index of a chunk")
                indexes.append(index)
            elif opcode == METADATA_INDEX:
                metadata.append((content.number("Q"), content.number("Q"), content.text()))
                content.done("an index of metadata")
            elif opcode == SUMMARY_OFFSET:
                offsets.append((content.number("B"), content.number("Q"), content.number("Q"), start))
                content.done("an offset")
            elif opcode == FOOTER:
                footer = (content.number("Q"), content.number("Q"), content.number("I"), start)
                content.done("the footer")
                expect(end == len(self.data) - 8, "something stands behind the footer")
            else:
                raise Wrong("record %d in the summary" % opcode)
        expect(footer, "there is no footer")
        summary_start, offsets_start, crc, at = footer
        expect(summary_start == self.summary_start, "the footer is wrong about the summary")
        expect(offsets and offsets_start == offsets[0][3], "the footer is wrong about the offsets")
        expect(crc != 0 and crc == zlib.crc32(self.data[summary_start:at + 9 + 16]), "the summary's checksum is wrong")
        expect({(o, s, n) for o, s, n, _ in offsets} == {(o, s, e - s) for o, (s, e) in groups.items()},
               "the offsets of the summary are wrong")
        expect(schemas == set(self.schemas) and channels == set(self.channels), "the summary leaves something out")
        expect(metadata == self.metadata_records, "the index of the metadata is wrong")
        expect(len(indexes) == len(self.chunks), "not all chunks are indexed")
        for index, chunk in zip(indexes, self.chunks):
            for key in ("first", "last", "start", "length", "compression", "packed", "size"):
                expect(index[key] == chunk[key], "the index of a chunk is wrong: " + key)
            expect(index["offsets"] == {c: start for c, (start, _) in chunk["indexes"].items()},
                   "the index of a chunk is wrong about its messages")
            expect(index["index_length"] == chunk["index_end"] - chunk["start"] - chunk["length"],
                   "the index of a chunk is wrong about the length of the indexes")
        counts, times = {}, [m[2] for m in self.messages]
        for message in self.messages:
            expect(message[1] == counts.get(message[0], 0), "a message is missing in channel %d" % message[0])
            counts[message[0]] = counts.get(message[0], 0) + 1
        expect(statistics == [len(self.messages), len(self.schemas), len(self.channels), 0, len(self.metadata),
                              len(self.chunks), min(times, default=0), max(times, default=0), counts],
               "the statistics are wrong")


# What Foxglove asks for (docs.foxglove.dev/docs/sdk/schemas): number, text, flag, whole, bytes, lists of these and other
# types by name.
TIME = {"sec": "whole", "nsec": "whole"}
VECTOR = {"x": "number", "y": "number", "z": "number"}
POSE = {"position": VECTOR, "orientation": dict(VECTOR, w="number")}
COLOR = {"r": "number", "g": "number", "b": "number", "a": "number"}
FOXGLOVE = {
    "foxglove.LaserScan": {"timestamp": TIME, "frame_id": "text", "pose": POSE, "start_angle": "number",
                           "end_angle": "number", "ranges": ["number"], "intensities": ["number"]},
    "foxglove.PoseInFrame": {"timestamp": TIME, "frame_id": "text", "pose": POSE},
    "foxglove.Grid": {"timestamp": TIME, "frame_id": "text", "pose": POSE, "column_count": "whole",
                      "cell_size": {"x": "number", "y": "number"}, "row_stride": "whole", "cell_stride": "whole",
                      "fields": [{"name": "text", "offset": "whole", "type": "whole"}], "data": "bytes"},
    "foxglove.FrameTransforms": {"transforms": [{"timestamp": TIME, "parent_frame_id": "text", "child_frame_id": "text",
                                                 "translation": VECTOR, "rotation": dict(VECTOR, w="number")}]},
    "foxglove.Log": {"timestamp": TIME, "level": "whole", "message": "text", "name": "text", "file": "text",
                     "line": "whole"},
    "foxglove.SceneUpdate": {
        "deletions": [{"timestamp": TIME, "type": "whole", "id": "text"}],
        "entities": [{
            "timestamp": TIME, "frame_id": "text", "id": "text", "lifetime": TIME, "frame_locked": "flag",
            "metadata": [{"key": "text", "value": "text"}],
            "arrows": [{"pose": POSE, "shaft_length": "number", "shaft_diameter": "number", "head_length": "number",
                        "head_diameter": "number", "color": COLOR}],
            "cubes": [{"pose": POSE, "size": VECTOR, "color": COLOR}],
            "spheres": [{"pose": POSE, "size": VECTOR, "color": COLOR}],
            "cylinders": [{"pose": POSE, "size": VECTOR, "bottom_scale": "number", "top_scale": "number",
                           "color": COLOR}],
            "lines": [{"type": "whole", "pose": POSE, "thickness": "number", "scale_invariant": "flag",
                       "points": [VECTOR], "color": COLOR, "colors": [COLOR], "indices": ["whole"]}],
            "triangles": [{"pose": POSE, "points": [VECTOR], "color": COLOR, "colors": [COLOR], "indices": ["whole"]}],
            "texts": [{"pose": POSE, "billboard": "flag", "font_size": "number", "scale_invariant": "flag",
                       "color": COLOR, "text": "text"}],
            "models": [{"pose": POSE, "scale": VECTOR, "color": COLOR, "override_color": "flag", "url": "text",
                        "media_type": "text", "data": "bytes"}]}]},
}


def fits(value, kind, where):
    """Whether a value has all the fields that this kind requires, and no others."""
    if isinstance(kind, dict):
        expect(isinstance(value, dict), where + ": no object")
        expect(set(value) == set(kind), "%s: has the fields %s, expected %s" % (where, sorted(value), sorted(kind)))
        for key, part in kind.items():
            fits(value[key], part, where + "." + key)
    elif isinstance(kind, list):
        expect(isinstance(value, list), where + ": no list")
        for item in value:
            fits(item, kind[0], where + "[]")
    else:
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
        good = {"number": is_number and math.isfinite(value) if is_number else False,
                "whole": isinstance(value, int) and not isinstance(value, bool) and value >= 0,
                "text": isinstance(value, str), "flag": isinstance(value, bool),
                "bytes": isinstance(value, str)}[kind]
        expect(good, "%s: %r is no %s" % (where, value, kind))


def fits_schema(value, schema, where):
    """The part of JSON Schema that these schemas use."""
    if "oneOf" in schema:
        expect(sum(value == one["const"] for one in schema["oneOf"]) == 1, "%s: %r is none of the choices" % (where, value))
        return
    kinds = {"object": dict, "array": list, "string": str, "boolean": bool, "integer": int, "number": (int, float)}
    expect(isinstance(value, kinds[schema["type"]]), "%s: %r is no %s" % (where, value, schema["type"]))
    if schema["type"] == "object":
        for key in schema.get("required", ()):
            expect(key in value, "%s: %s is missing" % (where, key))
        for key, part in value.items():
            expect(key in schema["properties"], "%s: %s is unknown" % (where, key))
            fits_schema(part, schema["properties"][key], where + "." + key)
    elif schema["type"] == "array":
        for item in value:
            fits_schema(item, schema["items"], where + "[]")
    elif schema["type"] in ("integer", "number"):
        expect(schema.get("minimum", -math.inf) <= value <= schema.get("maximum", math.inf), where + ": out of bounds")
    elif schema.get("contentEncoding") == "base64":
        base64.b64decode(value, validate=True)


def no_constant(name):
    raise Wrong("JSON knows no " + name)


class Definitions:
    """Types of ROS 2 by the text of their definitions, and messages read by them."""

    SIZES = {"bool": "?", "byte": "B", "char": "B", "int8": "b", "uint8": "B", "int16": "h", "uint16": "H",
             "int32": "i", "uint32": "I", "int64": "q", "uint64": "Q", "float32": "f", "float64": "d"}

    def __init__(self, name, text):
        parts = re.split(r"^={80}\n", text, flags=re.M)
        self.root, self.types = name.replace("/msg/", "/"), {}
        self.add(self.root, parts[0])
        for part in parts[1:]:
            head, _, body = part.partition("\n")
            expect(head.startswith("MSG: "), "a definition begins with " + head)
            self.add(head[5:], body)

    def add(self, name, body):
        expect(name not in self.types, name + " is defined twice")
        fields = []
        for line in body.splitlines():
            line = line.split("#")[0].strip()
            if not line or re.match(r"\S+\s+\w+\s*=", line):
                continue
            kind, field = line.split()[:2]
            match = re.fullmatch(r"([\w/]+)(?:\[(\d*)\])?", kind)
            expect(match, "%s: %s is no type" % (name, kind))
            fields.append((field, match[1], None if "[" not in kind else int(match[2] or -1)))
        self.types[name] = fields

    def find(self, name, within):
        for full in (name, within.split("/")[0] + "/" + name):
            if full in self.types:
                return full
        raise Wrong("%s is not defined" % name)

    def read(self, data):
        expect(data[:4] == b"\0\1\0\0", "no little-endian CDR")
        self.data, self.at = data[4:], 0
        value = self.value(self.root, self.root)
        expect(self.at == len(self.data), "%s: %d bytes are left" % (self.root, len(self.data) - self.at))
        return value

    def number(self, code, count=1):
        size = struct.calcsize("<" + code)
        if count:
            gap = -self.at % size
            expect(self.data[self.at:self.at + gap] == bytes(gap), "padding is not 0")
            self.at += gap
        expect(self.at + size * count <= len(self.data), "a message ends too early")
        values = struct.unpack_from("<%d%s" % (count, code), self.data, self.at)
        self.at += size * count
        return values

    def value(self, kind, within):
        if kind == "string":
            n = self.number("I")[0]
            expect(n > 0 and self.at + n <= len(self.data), "a text of %d bytes" % n)
            raw = self.data[self.at:self.at + n]
            self.at += n
            expect(raw[-1:] == b"\0" and b"\0" not in raw[:-1], "a text does not end with a zero")
            return raw[:-1].decode("utf-8")
        if kind in self.SIZES:
            return self.number(self.SIZES[kind])[0]
        full, out = self.find(kind, within), {}
        for field, part, length in self.types[full]:
            if length is None:
                out[field] = self.value(part, full)
                continue
            n = length if length >= 0 else self.number("I")[0]
            expect(n <= len(self.data), "a sequence of %d" % n)
            out[field] = list(self.number(self.SIZES[part], n)) if part in self.SIZES else \
                [self.value(part, full) for _ in range(n)]
        return out


def check_messages(file):
    """Reads all messages; a list of (topic, time in ns, type, value)."""
    readers, out = {}, []
    for number, (name, encoding, text) in file.schemas.items():
        if encoding == "jsonschema":
            schema = json.loads(text, parse_constant=no_constant)
            expect(schema.get("title") == name and name in FOXGLOVE, "the schema %s" % name)
            readers[number] = schema
        else:
            expect(encoding == "ros2msg" and re.fullmatch(r"\w+/msg/\w+", name), "the schema %s in %s" % (name, encoding))
            readers[number] = Definitions(name, text.decode())
    for number, (schema, topic, encoding, metadata) in file.channels.items():
        ros = isinstance(readers[schema], Definitions)
        expect(encoding == ("cdr" if ros else "json"), "%s is encoded as %s" % (topic, encoding))
        expect(re.fullmatch(r"(/[A-Za-z][A-Za-z0-9_]*)+", topic) and "__" not in topic, "the topic " + topic)
        expect(not ros or "offered_qos_profiles" in metadata, topic + ": no offered_qos_profiles")
    expect(file.profile == ("ros2" if any(isinstance(r, Definitions) for r in readers.values()) else ""),
           "the profile " + file.profile)
    last = 0
    for channel, _, time, published, data in file.messages:
        schema, topic = file.channels[channel][:2]
        name = file.schemas[schema][0]
        expect(published == time, topic + ": published at another time")
        expect(time >= last, "%s: time goes back" % topic)
        last = time
        if isinstance(readers[schema], Definitions):
            value = readers[schema].read(bytes(data))
        else:
            value = json.loads(bytes(data), parse_constant=no_constant)
            fits(value, FOXGLOVE[name], name)
            fits_schema(value, readers[schema], name)
        check_times(value, time, topic)
        check_sense(name, value, topic)
        out.append((topic, time, name, value))
    return out


def check_times(value, time, topic):
    """Every stamp in a message that is not 0 is its time."""
    if isinstance(value, dict):
        for key, part in value.items():
            if key in ("timestamp", "stamp"):
                stamp = part["sec"] * 10**9 + part.get("nsec", part.get("nanosec"))
                expect(stamp in (0, time), "%s: a stamp of %d ns in a message of %d ns" % (topic, stamp, time))
            else:
                check_times(part, time, topic)
    elif isinstance(value, list) and value and isinstance(value[0], dict):
        for part in value:
            check_times(part, time, topic)


def is_unit(q):
    return abs(q["x"]**2 + q["y"]**2 + q["z"]**2 + q["w"]**2 - 1) < 1e-9


def check_sense(name, value, topic):
    kind = name.split("/")[-1].split(".")[-1]
    if name == "foxglove.LaserScan":
        expect(len(value["ranges"]) == len(value["intensities"]), topic + ": as many ranges as intensities")
    if name == "foxglove.Grid":
        rows = len(base64.b64decode(value["data"])) / value["row_stride"]
        expect(rows == int(rows) and rows > 0 and value["row_stride"] == value["cell_stride"] * value["column_count"],
               topic + ": the rows of a grid")
    if kind == "OccupancyGrid":
        expect(len(value["data"]) == value["info"]["width"] * value["info"]["height"], topic + ": the cells of a grid")
        expect(set(value["data"]) <= {-1, 0, 100}, topic + ": the values of a grid")
    if kind in ("FrameTransforms", "TFMessage"):
        for t in value["transforms"]:
            turn = t["rotation"] if "rotation" in t else t["transform"]["rotation"]
            expect(is_unit(turn), topic + ": a rotation that is none")
    if kind == "MarkerArray":
        first = value["markers"][0]
        expect(first["action"] == 3 and all(m["action"] == 0 for m in value["markers"][1:]), topic + ": markers")
        expect(all(len(m["colors"]) in (0, len(m["points"])) for m in value["markers"]), topic + ": colours of markers")


def place(value):
    """x, y, yaw of a message with a pose."""
    pose = value["pose"]["pose"] if "pose" in value["pose"] else value["pose"]
    p, q = pose["position"], pose["orientation"]
    return p["x"], p["y"], math.atan2(2 * q["w"] * q["z"], 1 - 2 * q["z"] * q["z"])


def near(a, b, tolerance):
    return abs(a - b) <= tolerance


def check_values(file, messages, folder, cells_off):
    """Compares with the other exports of the same log; what was compared, as text."""
    step_s = float(file.metadata["outrider"]["step_s"])
    by_topic, names = {}, {}
    for topic, time, _, value in messages:
        by_topic.setdefault(topic, []).append((time, value))
    for _, topic, _, metadata in file.channels.values():
        if "robot" in metadata:
            names[metadata["robot"]] = "/" + topic.split("/")[1]
    counts = {"poses": 0, "odometry": 0, "scans": 0, "beams": 0, "cells": 0}
    with open(os.path.join(folder, "poses.csv"), newline="") as f:
        rows = list(csv.DictReader(f))
    true_poses = {(topic, t): v for topic in by_topic if topic.endswith("/true_pose") for t, v in by_topic[topic]}
    for row in rows:
        at = round((int(row["step"]) + 1) * step_s * 1e9)
        found = true_poses.get((names[row["name"].lstrip("'")] + "/true_pose", at))
        expect(found, "no true pose of %s after step %s" % (row["name"], row["step"]))
        x, y, yaw = place(found)
        expect(near(x, float(row["x_m"]), 1e-9) and near(y, float(row["y_m"]), 1e-9) and
               near(math.remainder(yaw - float(row["yaw_rad"]), 2 * math.pi), 0, 1e-9),
               "%s is elsewhere after step %s: %s" % (row["name"], row["step"], (x, y, yaw)))
        counts["poses"] += 1
    robots = {}
    for row in rows:
        robots.setdefault(int(row["robot"]), names[row["name"].lstrip("'")])
    for robot, topic in robots.items():
        log = os.path.join(folder, "carmen_%d.log" % robot)
        if os.path.exists(log):
            check_carmen(log, topic, by_topic, counts)
        check_map(os.path.join(folder, "belief_%d" % robot), by_topic.get(topic + "/map", []), cells_off, counts)
    return ", ".join("%d %s" % (n, what) for what, n in counts.items())


def check_carmen(log, topic, by_topic, counts):
    odometry = {round(t / 1e6): place(v) for t, v in by_topic[topic + "/odom"]}
    scans = sorted((t, name, v) for name in by_topic if re.fullmatch(topic + r"/scan(_\d+)?", name)
                   for t, v in by_topic[name])
    scans.sort(key=lambda s: s[0])
    flasers = []
    with open(log) as f:
        for line in f:
            words = line.split()
            stamp = round(float(words[-1]) * 1e3) if line[0] != "#" else 0
            if words[0] == "ODOM":
                place_then = odometry.get(stamp)
                expect(place_then and all(near(a, float(b), 6e-5) for a, b in zip(place_then[:2], words[1:3])) and
                       near(math.remainder(place_then[2] - float(words[3]), 2 * math.pi), 0, 6e-5),
                       "%s: odometry at %d ms" % (topic, stamp))
                counts["odometry"] += 1
            elif words[0] == "FLASER":
                n = int(words[1])
                flasers.append((stamp, [float(w) for w in words[2:2 + n]]))
    expect(len(flasers) == len(scans), "%s: %d scans instead of %d" % (topic, len(scans), len(flasers)))
    for (stamp, ranges), (t, name, scan) in zip(flasers, scans):
        expect(round(t / 1e6) == stamp, "%s: a scan at %d ns" % (name, t))
        expect(len(ranges) == len(scan["ranges"]), "%s: beams" % name)
        most = scan.get("range_max")
        for i, (a, b) in enumerate(zip(ranges, scan["ranges"])):
            if most is not None:  # ROS: infinity saw nothing, not a number says nothing
                b = most if b == math.inf else 0 if math.isnan(b) else b
            expect(near(a, b, 6e-4), "%s: beam %d at %d ms: %s instead of %s" % (name, i, stamp, b, a))
            counts["beams"] += 1
        counts["scans"] += 1


def cells_of(value):
    """A set of (x, y, whether it is a wall) in cells of the map."""
    if "info" in value:
        info, data = value["info"], value["data"]
        cell, width, corner = info["resolution"], info["width"], info["origin"]["position"]
        states = [None if v < 0 else v == 100 for v in data]
    else:
        data = base64.b64decode(value["data"])
        fields = {f["name"]: f["offset"] for f in value["fields"]}
        step = value["cell_stride"]
        cell, width, corner = value["cell_size"]["x"], value["column_count"], value["pose"]["position"]
        states = [data[i + fields["red"]] < 128 if data[i + fields["alpha"]] else None for i in range(0, len(data), step)]
    x, y = round(corner["x"] / cell), round(corner["y"] / cell)
    return {(x + i % width, y + i // width, wall) for i, wall in enumerate(states) if wall is not None}


def check_map(stem, maps, cells_off, counts):
    if not os.path.exists(stem + ".pgm"):
        return
    with open(stem + ".pgm", "rb") as f:
        data = f.read()
    head = re.match(rb"P5\s+(?:#[^\n]*\n\s*)?(\d+)\s+(\d+)\s+\d+\s", data)
    width, height, pixels = int(head[1]), int(head[2]), data[head.end():]
    expected = {(i % width, height - 1 - i // width, p == 0) for i, p in enumerate(pixels) if p in (0, 254)}
    found = cells_of(maps[-1][1]) if maps else set()
    found = {c for c in found if 0 <= c[0] < width and 0 <= c[1] < height}
    expect(len(found ^ expected) <= cells_off, "%s: %d cells of the last map differ" % (stem, len(found ^ expected)))
    counts["cells"] += len(expected)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file")
    parser.add_argument("--export", metavar="DIR")
    parser.add_argument("--cells-off", metavar="N", type=int, default=0)
    args = parser.parse_args()
    try:
        with open(args.file, "rb") as f:
            file = Container(f.read())
        messages = check_messages(file)
        compared = check_values(file, messages, args.export, args.cells_off) if args.export else None
    except Wrong as wrong:
        print("%s: %s" % (args.file, wrong), file=sys.stderr)
        return 1
    except OSError as error:
        print(error, file=sys.stderr)
        return 2
    raw = sum(c["size"] for c in file.chunks)
    print("%s: %d messages in %d topics, %d chunks, %d bytes unpacked" %
          (args.file, len(messages), len(file.channels), len(file.chunks), raw))
    if compared:
        print("compared: " + compared)
    return 0


if __name__ == "__main__":
    sys.exit(main())
