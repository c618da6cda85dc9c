"""A viewer of Foxglove's WebSocket protocol (v1) for tests, by the standard library alone: subscribes to every topic,
looks on until the server says good-bye, and prints what it saw as JSON.

    foxglove_client.py FILE

FILE: where its address, such as ws://127.0.0.1:8765, is or will be written.

Written from RFC 6455 and github.com/foxglove/ws-protocol, not from the server."""
import base64
import collections
import hashlib
import json
import os
import re
import socket
import struct
import sys
import time
import urllib.parse

GUID = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
TYPES = {"object": dict, "array": list, "string": str, "number": (int, float), "integer": int, "boolean": bool}


class WebSocket:
    def __init__(self, url, protocol):
        parts = urllib.parse.urlparse(url)
        self.socket = socket.create_connection((parts.hostname, parts.port), timeout=60)
        self.file = self.socket.makefile("rb")
        key = base64.b64encode(os.urandom(16))
        self.socket.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                            b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: %s\r\n"
                            b"Sec-WebSocket-Protocol: %s\r\n\r\n" % (key, protocol.encode()))
        status = self.file.readline()
        assert status.startswith(b"HTTP/1.1 101"), status
        fields = {}
        for line in iter(self.file.readline, b"\r\n"):
            name, value = line.decode().split(":", 1)
            fields[name.strip().lower()] = value.strip()
        accept = base64.b64encode(hashlib.sha1(key + GUID).digest()).decode()
        assert fields["sec-websocket-accept"] == accept, fields
        assert fields["sec-websocket-protocol"] == protocol, fields

    def send(self, data, opcode=1):
        mask = os.urandom(4)
        head = bytes([0x80 | opcode])
        n = len(data)
        head += bytes([0x80 | n]) if n < 126 else b"\xfe" + struct.pack(">H", n) if n < 65536 else b"\xff" + struct.pack(">Q", n)
        self.socket.sendall(head + mask + bytes(b ^ mask[k % 4] for k, b in enumerate(data)))

    def receive(self):
        """(opcode, data) of the next whole message; None: the server said good-bye."""
        data, kind = b"", None
        while True:
            head = self.file.read(2)
            assert len(head) == 2, "the connection ended without a good-bye"
            opcode, n = head[0] & 15, head[1] & 127
            assert head[1] & 0x80 == 0, "a server does not mask"
            if n == 126:
                n, = struct.unpack(">H", self.file.read(2))
            elif n == 127:
                n, = struct.unpack(">Q", self.file.read(8))
            part = self.file.read(n)
            if opcode == 8:
                self.send(part[:2], 8)
                return None
            if opcode == 9:
                self.send(part, 10)
                continue
            if opcode == 10:
                continue
            kind = kind or opcode
            data += part
            if head[0] & 0x80:
                return kind, data


def check(value, schema, where):
    """That a value fits what its schema says: types and required fields."""
    kind = schema.get("type")
    if kind:
        assert isinstance(value, TYPES[kind]) and not (kind == "number" and isinstance(value, bool)), (where, kind, value)
    for name in schema.get("required", []):
        assert name in value, (where, name)
    if isinstance(value, dict):
        for name, part in schema.get("properties", {}).items():
            if name in value:
                check(value[name], part, f"{where}.{name}")
    if isinstance(value, list) and "items" in schema:
        for part in value:
            check(part, schema["items"], where + "[]")


def address(name):
    while True:
        if os.path.exists(name):
            with open(name) as file:
                if match := re.search(r"ws://[0-9.]+:[0-9]+(?=[^0-9])", file.read()):
                    return match[0]
        time.sleep(0.005)


def main():
    ws = WebSocket(address(sys.argv[1]), "foxglove.websocket.v1")
    channels, counts, last, poses, times = {}, collections.Counter(), {}, collections.defaultdict(list), []
    statuses, info = [], None
    # What a server has to survive: nonsense before anything else.
    for text in (b"{", b"[]", b'{"op": "fly"}', b'{"op": "subscribe", "subscriptions": [{"id": 1, "channelId": 99999}]}',
                 b'{"op": "unsubscribe", "subscriptionIds": [7]}'):
        ws.send(text)
    ws.send(b"\1\2\3", 2)
    while True:
        message = ws.receive()
        if message is None:
            break
        opcode, data = message
        if opcode == 1:
            said = json.loads(data)
            if said["op"] == "serverInfo":
                info = said
            elif said["op"] == "status":
                statuses.append(said["message"])
            elif said["op"] == "advertise":
                new = [c for c in said["channels"]]
                for c in new:
                    assert c["encoding"] == "json" and c["schemaEncoding"] == "jsonschema", c
                    c["schema"] = json.loads(c["schema"])
                    channels[c["id"]] = c
                ws.send(json.dumps({"op": "subscribe",
                                    "subscriptions": [{"id": 1000 + c["id"], "channelId": c["id"]} for c in new]}).encode())
        elif data[0] == 1:
            subscription, nanoseconds = struct.unpack_from("<IQ", data, 1)
            channel = channels[subscription - 1000]
            value = json.loads(data[13:])
            check(value, channel["schema"], channel["topic"])
            counts[channel["topic"]] += 1
            last[channel["topic"]] = value
            if channel["schemaName"] == "foxglove.PoseInFrame":
                p = value["pose"]["position"]
                poses[channel["topic"]].append([nanoseconds / 1e9, p["x"], p["y"]])
        elif data[0] == 2:
            times.append(struct.unpack_from("<Q", data, 1)[0])
        else:
            raise AssertionError(data[:20])
    assert times == sorted(times)
    grids = {}
    for topic, value in last.items():
        if channels and "column_count" in value:
            cells = base64.b64decode(value["data"])
            stride = value["cell_stride"]
            opacity = next(f["offset"] for f in value["fields"] if f["name"] == "alpha")
            known = sum(cells[k + opacity] > 0 for k in range(0, len(cells), stride))
            grids[topic] = {"width": value["column_count"], "known": known}
    print(json.dumps({"name": info["name"], "statuses": statuses, "counts": counts, "poses": poses, "grids": grids,
                      "last_time_s": times[-1] / 1e9 if times else None}))


main()
